"""What may be the name of a team, and which names look alike on a board."""

from __future__ import annotations

import unicodedata

from rocsolid.errors import InputError
from rocsolid.visible import UNSEEN

_LONGEST = 100
# each letter of Latin, and after it the letters of Cyrillic, Greek and Armenian, the digits and the
# strokes that pass for it, or whose capitals do
_LOOK_LATIN = """
AАΑ BВΒ CСϹ EЕΕ HНΗ JЈͿ KКΚ LԼ MМΜ NΝ OОΟՕ0 PРΡ QԚ SЅՏ TТΤ UՍ WԜ XХΧ YУΥҮ ZΖ lI1|ІΙӀӏ
aаαɑ bвβ cсϲ dԁ eеε gɡց hнһհ iіιı jјϳ kкκ mм nηո oоοօ pрρ qԛզ sѕ tтτ uυս vν wԝω xхχ yуγү zζ
"""
_ALIKE = str.maketrans({sign: group[0] for group in _LOOK_LATIN.split() for sign in group[1:]})
_WITHOUT_INK = {
    *map(chr, range(0xFE00, 0xFE10)),  # they vary the sign before them
    *"\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0",
}


def check_name(team: str) -> None:
    """Refuse a name that cannot be read, or that another name is equal to on a page.

    >>> check_name("ann ")
    Traceback (most recent call last):
    rocsolid.errors.InputError: the name of a team begins and ends with a sign that can be seen:
    'ann ' (team). Fix: write 'ann'.
    """
    if not (isinstance(team, str) and len(team) <= _LONGEST and _ink(team)):
        raise InputError(
            f"the name of a team has 1 to {_LONGEST} characters, not all of them blank",
            where="team",
            value=team,
            fix="give a name that can be read",
        )
    if UNSEEN.search(team):
        raise InputError(
            "the name of a team holds characters that cannot be seen",
            where="team",
            value=team,
            fix="leave them out",
        )
    if team != team.strip():
        raise InputError(
            "the name of a team begins and ends with a sign that can be seen",
            where="team",
            value=team,
            fix=f"write {team.strip()!r}",
        )


def looks(team: str) -> frozenset[str]:
    """How a name may look: two names that share one of these are easily taken for each other.

    >>> [bool(looks("Ann1") & looks(name)) for name in ("аnn1", "ANN1", "annl", " Ann1", "Anna")]
    [True, True, True, True, False]
    """
    plain = _ink(unicodedata.normalize("NFKC", team))
    capitals = _alike(plain)
    return frozenset((capitals, _alike(capitals.casefold()), _alike(plain.casefold())))


def _alike(text: str) -> str:
    """With the Latin letter for each sign that looks like it, below accents too."""
    apart = unicodedata.normalize("NFKD", text).translate(_ALIKE)
    return unicodedata.normalize("NFKC", apart)


def _ink(team: str) -> str:
    """The signs that leave ink, in words with one blank between them."""
    return " ".join("".join(one for one in team if not _is_unseen(one)).split())


def _is_unseen(sign: str) -> bool:
    return sign in _WITHOUT_INK or unicodedata.category(sign) in ("Cf", "Cc", "Cs", "Cn", "Co")

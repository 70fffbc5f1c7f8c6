"""Standings of a board, computed from the released answers alone."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.best import best
from rocsolid.intervals.guarantees.reuse import after_reuse
from rocsolid.leaks.gaussian import log2_comb
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.answered import transcript_bits
from rocsolid.leaks.release.defence import Bracketed, Defence, Past, Rounded, submission
from rocsolid.leaks.release.gate import ReleasedAnswer
from rocsolid.leaks.simulate import public_decimals
from rocsolid.results.json_schema import Count
from rocsolid.results.plain import Plain
from rocsolid.visible import UNSEEN

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Standing(Plain):
    """A team with its best answer.

    All limits of a board hold simultaneously. In the final standings, ``value`` is the AUC of the
    counting submission on the private rows, rounded until the labels are revealed.
    """

    place: Annotated[Count, "The place by the best answer; equal answers share it."]
    team: Annotated[str, "The team."]
    value: Annotated[Fraction, "The best answer as a ratio of whole numbers."]
    answers: Annotated[Count, "The number of answers to the team."]
    low: Annotated[
        float | None,
        "The lower limit for the AUC, on new rows, of the scorer behind the best answer; null if "
        "the defence adds noise.",
    ]
    high: Annotated[float | None, "The upper limit."]
    best_place: Annotated[int | None, "The best possible place of the team by this AUC."]
    worst_place: Annotated[int | None, "The worst possible place."]
    _json = "place team value=decimal exact=value answers low high best_place worst_place"

    @property
    def decimal(self) -> float:
        """The best answer as a number."""
        return float(self.value)


class ShownBoard(TypedDict):
    """The public state of a board, which may be shown at any time."""

    format: Annotated[Literal["rocsolid board 1"], "The format of the record."]
    commitment: Annotated[
        str,
        "The hash that the host published before the contest, of salt, rows, labels, defence and "
        "key.",
    ]
    n_pos: Annotated[Count, "Positives."]
    n_neg: Annotated[Count, "Negatives."]
    defence: Annotated[str, "The rounding or noise between the exact AUC and the answer."]
    frozen: Annotated[bool, "Whether the host has paused new answers."]
    closed: Annotated[bool, "Whether the contest is over, so that no file is accepted."]
    labels_revealed: Annotated[bool, "Whether the record contains the labels."]
    answers: Annotated[Count, "Answers released."]
    rule: Annotated[str, "How the board answers, in words."]
    label_bits: Annotated[
        float,
        "The bits that determine every label of the answered rows: log2 of the number of "
        "labelings.",
    ]
    most_bits: Annotated[
        float,
        "The most of these bits that all answers together can have revealed; one bit is the answer "
        "to one yes-or-no question.",
    ]
    most_bits_budget: Annotated[float | None, "The largest `most_bits`; null without a bound."]
    rho: Annotated[float, "The privacy (zCDP) that all answers cost together."]
    rho_budget: Annotated[float | None, "The largest `rho`; null without a bound."]
    releases_per_account: Annotated[int | None, "The most answers to a team; null without a bound."]
    level: Annotated[float, "The level at which all limits and possible places hold at once."]
    standings: Annotated[tuple[Standing, ...], "The teams, the best first."]
    private_rows: Annotated[
        Count,
        "Rows that no answer uses and that decide the final standings; 0 if answers use all rows.",
    ]
    final: Annotated[
        tuple[Standing, ...] | None,
        "The final standings: `value` is the AUC on the private rows of the submission that "
        "counts, rounded until the labels are revealed. Null before the contest is over, and if "
        "answers use all rows.",
    ]
    final_bits: Annotated[
        float | None,
        "The most bits about the labels of the private rows that the final standings reveal; null "
        "without private rows, and once the labels are revealed.",
    ]


def standings(
    answers: Sequence[ReleasedAnswer], defence: Defence, n_pos: int, n_neg: int
) -> tuple[Standing, ...]:
    """Rank the teams by their best answers.

    Every number is a function of the answers and the class sizes, so showing the standings reveals
    no more than the answers did. An answer represents a range of exact AUCs. The limits are the
    limits of `after_reuse` at the ends of this range, with an error of 5 % divided by the number of
    teams. A team's best place is 1 plus the number of teams whose limits all lie above its own. The
    worst place of a team is the number of teams minus the number whose limits all lie below its
    own.
    """
    values = {team: answers[number - 1].value for team, number in counted(answers, {}).items()}
    limits: dict[str, tuple[float, float]] = {}
    if isinstance(defence, Bracketed):
        transcript = [(answer.account, answer.value) for answer in answers]
        bits = transcript_bits(transcript, defence, n_pos, n_neg)
        delta = (1 - LEVEL) / max(1, len(values))
        ranges = {value: defence.bracket(value, n_pos, n_neg) for value in set(values.values())}
        of_value = {
            value: (
                after_reuse(float(max(low, Fraction(0))), n_pos, n_neg, bits, delta).low,
                after_reuse(float(min(high, Fraction(1))), n_pos, n_neg, bits, delta).high,
            )
            for value, (low, high) in ranges.items()
        }
        limits = {team: of_value[value] for team, value in values.items()}
    return _ordered(answers, values, limits)


def counted(answers: Sequence[ReleasedAnswer], chosen: Mapping[str, int]) -> dict[str, int]:
    """Return the number of each team's counting answer: the chosen one or its first best."""
    numbers: dict[str, int] = {}
    for number, answer in enumerate(answers, 1):
        best = numbers.get(answer.account)
        if best is None or answer.value > answers[best - 1].value:
            numbers[answer.account] = number
    return numbers | {team: number for team, number in chosen.items() if team in numbers}


def final_standings(
    answers: Sequence[ReleasedAnswer],
    chosen: Mapping[str, int],
    rankings: Mapping[str, NDArray[np.int64]],
    positive: NDArray[np.bool_],
    answered: NDArray[np.bool_],
    revealed: bool,
) -> tuple[Standing, ...]:
    """Rank the teams by the AUC of the counting submission on the private rows.

    Submissions were fixed before anyone learned about the private rows, so the limits need no
    correction for reuse. The limits are those of ``best``, with an error of 5 % divided by the
    number of teams. Before the labels are revealed, the AUC is rounded (`public_decimals`), and
    limits and places are computed from the rounded values, so they reveal nothing more.
    """
    private, values, limits = positive[~answered], {}, {}
    rounding = _final_rounding(private)
    numbers = counted(answers, chosen)
    for team, number in numbers.items():
        doubled = doubled_ranks(rankings[answers[number - 1].request][~answered])
        scored = submission(private, doubled)
        sizes, delta = (scored.n_pos, scored.n_neg), (1 - LEVEL) / len(numbers)
        if revealed:
            values[team] = scored.auc
            both = (doubled[private], doubled[~private])
            interval = best(float(scored.auc), *sizes, delta, scores=both)
            limits[team] = (interval.low, interval.high)
            continue
        values[team] = rounding.answer(scored, Past()).value
        low, high = rounding.bracket(values[team], *sizes)
        limits[team] = (
            best(float(max(low, Fraction(0))), *sizes, delta).low,
            best(float(min(high, Fraction(1))), *sizes, delta).high,
        )
    return _ordered(answers, values, limits)


def final_bits(teams: int, private: NDArray[np.bool_]) -> float:
    """Return the most bits that the rounded final values reveal about the private labels."""
    n_pos = int(private.sum())
    n_neg = len(private) - n_pos
    each = math.log2(_final_rounding(private).places(n_pos, n_neg))
    return min(teams * each, log2_comb(len(private), n_pos))


def _final_rounding(private: NDArray[np.bool_]) -> Rounded:
    n_pos = int(private.sum())
    return Rounded(public_decimals(n_pos, len(private) - n_pos))


def _ordered(
    answers: Sequence[ReleasedAnswer],
    values: Mapping[str, Fraction],
    limits: Mapping[str, tuple[float, float]],
) -> tuple[Standing, ...]:
    count = Counter(answer.account for answer in answers)
    lows, highs = ([pair[i] for pair in limits.values()] for i in (0, 1))
    place_of: dict[Fraction, int] = {}
    for place, value in enumerate(sorted(values.values(), reverse=True), 1):
        place_of.setdefault(value, place)
    return tuple(
        Standing(
            place_of[value],
            team,
            value,
            count[team],
            *limits.get(team, (None, None)),
            *_places(limits[team], lows, highs) if limits else (None, None),
        )
        for team, value in sorted(values.items(), key=lambda item: (-item[1], item[0]))
    )


def _places(
    own: tuple[float, float], lows: Sequence[float], highs: Sequence[float]
) -> tuple[int, int]:
    above = sum(low > own[1] for low in lows)
    below = sum(high < own[0] for high in highs)
    return 1 + above, len(lows) - below


_LONGEST = 100
# groups of lookalikes: a Latin letter, then the Cyrillic, Greek, Armenian and Coptic letters, the
# small capitals, the digits and the strokes that look like it in lower or upper case
_LOOK_LATIN = """
AАΑᴀⲀ BВΒʙⲂ CСϹᴄⲤ Dᴅ EЕΕᴇⲈ Fꜰ Gɢ HНΗʜⲎ JЈͿᴊ KКΚᴋⲔ LԼʟ MМΜᴍⲘ NΝɴⲚ OОΟՕ0ᴏⲞ PРΡᴘⲢ QԚꞯ Rʀ SЅՏꜱ TТΤᴛⲦ
UՍᴜ Vᴠ WԜᴡ XХΧⲬ YУΥҮʏⲨ ZΖᴢⲌ lI1|ІΙӀӏɪⲒ
aаαɑⲁ bвβⲃ cсϲⲥ dԁ eеεⲉ gɡց hнһհⲏ iіιıⲓ jјϳ kкκⲕ mмⲙ nηոⲛ oоοօⲟ pрρⲣ qԛզ sѕ tтτⲧ uυս vν wԝω xхχⲭ
yуγүⲩ zζⲍ
"""
_ALIKE = str.maketrans({sign: group[0] for group in _LOOK_LATIN.split() for sign in group[1:]})
_WITHOUT_INK = {
    *map(chr, range(0xFE00, 0xFE10)),  # variation selectors, which change the preceding character
    *"\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0",
}


def check_name(team: str) -> None:
    """Reject a name that is unreadable or that looks equal to another name on a page.

    >>> check_name("ann ")
    Traceback (most recent call last):
    rocsolid.errors.InputError: the name of a team must begin and end with a visible character:
    'ann ' (team). Fix: write 'ann'.
    """
    if not (isinstance(team, str) and len(team) <= _LONGEST and _ink(team)):
        raise InputError(
            f"the name of a team must have 1 to {_LONGEST} characters, not all blank",
            where="team",
            value=team,
            fix="give a readable name",
        )
    if UNSEEN.search(team):
        raise InputError(
            "the name of a team contains invisible characters",
            where="team",
            value=team,
            fix="remove them",
        )
    if team != team.strip():
        raise InputError(
            "the name of a team must begin and end with a visible character",
            where="team",
            value=team,
            fix=f"write {team.strip()!r}",
        )


def looks(team: str) -> frozenset[str]:
    """Return forms of a name; names that share a form are easily confused.

    >>> [bool(looks("Ann1") & looks(name)) for name in ("аnn1", "ᴀNN1", "annl", "An n1", "Anna")]
    [True, True, True, True, False]
    """
    plain = _ink(unicodedata.normalize("NFKC", team))
    capitals = _alike(plain)
    return frozenset((capitals, _alike(capitals.casefold()), _alike(plain.casefold())))


def _alike(text: str) -> str:
    """Replace each sign that looks like a Latin letter with that letter, below accents too."""
    decomposed = unicodedata.normalize("NFKD", text).translate(_ALIKE)
    return unicodedata.normalize("NFKC", decomposed)


def _ink(team: str) -> str:
    """Return the visible signs of a name, without blanks."""
    return "".join("".join(sign for sign in team if not _is_unseen(sign)).split())


def _is_unseen(sign: str) -> bool:
    return sign in _WITHOUT_INK or unicodedata.category(sign) in ("Cf", "Cc", "Cs", "Cn", "Co")

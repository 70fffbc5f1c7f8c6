"""What binds a host: a commitment to the labels, and a chain through all answers."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid.leaks.release import Told
from rocsolid.results.plain import Plain


def commitment(
    salt: bytes,
    key: bytes,
    ids: Sequence[str],
    positive: Sequence[bool],
    defence: str,
    public: str = "",
) -> str:
    """SHA-256 of the salt, and then of the rows, their labels, the defence, a hash of the key, and
    which rows are public where only some are.

    Published before the contest, it binds the host to all of these. Without the 32 random bytes of
    salt it says nothing about them.
    """
    labels = "".join("01"[label] for label in positive)
    split = [public] if public else []
    return _hash(salt.hex(), list(ids), labels, defence, hashlib.sha256(key).hexdigest(), *split)


def with_key(rest: str, public: str) -> str:
    """The commitment of a board that signs: to ``public``, its key, and to all else.

    The key can be shown at any time, and the ``rest`` with it, which still hides the labels.
    """
    return _hash(rest, public)


@dataclass(frozen=True, slots=True)
class Receipt(Plain):
    """What a team gets with an answer, and keeps.

    ``link`` is a hash of this answer and of all answers before it, the first of them hashed with
    the ``board``, which is the commitment. ``seal`` is the Ed25519 signature of the link, or, on a
    board that does not sign, an HMAC-SHA256 by a key that the host reveals at the end. So a host
    can neither change, drop nor insert an answer that a receipt is of or comes after, and nobody
    else can make a receipt. ``improved`` is false where the answer repeats an earlier one of the
    team, and `None` where each file has a number of its own; ``meaning`` says it in words.
    """

    board: str
    number: int
    at: str
    team: str
    request: str
    value: str
    link: str
    seal: str
    improved: bool | None = None
    meaning: str = ""


def links(board: str, told: Iterable[Told]) -> list[str]:
    """The chain: one hash for the beginning, and one for each answer."""
    chain = [first_link(board)]
    for number, one in enumerate(told, 1):
        chain.append(next_link(chain[-1], number, one))
    return chain


def first_link(board: str) -> str:
    return _hash("rocsolid board 1", board)


def next_link(before: str, number: int, one: Told) -> str:
    return _hash(before, number, one.at, one.account, one.request, str(one.value))


def seal(key: bytes, link: str) -> str:
    return hmac.new(key, link.encode(), "sha256").hexdigest()


def _hash(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

"""Proof that a host was fair: a commitment to the labels, and a hash chain through all answers."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rocsolid.board.answers import before, meaning
from rocsolid.board.defences import defence_of
from rocsolid.board.score_file import is_signed
from rocsolid.board.standings import final_standings, standings
from rocsolid.board.store import answered_rows, marked
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.answered import improved
from rocsolid.leaks.release.defence import Bracketed, Described, Past, submission
from rocsolid.leaks.release.gate import ReleasedAnswer, request_of
from rocsolid.results.plain import Plain, one_line, plain


def committed(
    salt: bytes, key: bytes, ids: Sequence[str], labels: str, defence: str, public: str = ""
) -> str:
    """Return the SHA-256 hash of the salt, rows, labels, defence, hash of the key, and public rows.

    The hash is published before the contest and commits the host to these data. The salt is 32
    random bytes, without which the hash reveals nothing. The public rows are part of the hash only
    if some rows are private.
    """
    split = [public] if public else []
    return _hash(salt.hex(), list(ids), labels, defence, hashlib.sha256(key).hexdigest(), *split)


def with_key(rest: str, public: str) -> str:
    """Return the commitment of a board that signs its receipts.

    ``public`` is the public key and ``rest`` is the commitment to everything else.
    """
    return _hash(rest, public)


@dataclass(frozen=True, slots=True)
class Receipt(Plain):
    """The proof of an answer, for the team to keep.

    ``link`` is a hash of this answer and of all answers before it. The chain starts from ``board``,
    the commitment. ``seal`` is the Ed25519 signature of the link. On a board that does not sign,
    ``seal`` is an HMAC-SHA256 with a key that the host reveals at the end. A host therefore cannot
    change, drop or insert any answer up to the answer of a receipt, and nobody else can make a
    receipt. ``improved`` is false where the answer repeats an earlier answer to the team, and
    `None` where each file gets its own number. ``meaning`` explains the answer in words.
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
    _json = "board number at team request value decimal link seal improved meaning"

    @property
    def decimal(self) -> float:
        """The value as a number."""
        return float(Fraction(self.value))


def links(board: str, answers: Iterable[ReleasedAnswer]) -> list[str]:
    """Return the chain: a hash for the start, and a hash for each answer."""
    chain = [first_link(board)]
    for number, answer in enumerate(answers, 1):
        chain.append(next_link(chain[-1], number, answer))
    return chain


def first_link(board: str) -> str:
    return _hash("rocsolid board 1", board)


def next_link(before: str, number: int, answer: ReleasedAnswer) -> str:
    return _hash(before, number, answer.at, answer.account, answer.request, str(answer.value))


def seal(key: bytes, link: str) -> str:
    return hmac.new(key, link.encode(), "sha256").hexdigest()


def _hash(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RecordCheck(Plain):
    """One check of a record. ``passed`` is `None` if the check was not possible."""

    question: str
    passed: bool | None
    found: str


@dataclass(frozen=True, slots=True)
class Verification(Plain):
    """All checks of a record. The record ``holds`` unless a check failed."""

    checks: tuple[RecordCheck, ...]
    _json = "holds checks"

    @property
    def holds(self) -> bool:
        return all(check.passed is not False for check in self.checks)

    __repr__ = one_line

    def __str__(self) -> str:
        failed = [check for check in self.checks if check.passed is False]
        if failed:
            return "the record does not hold: " + "; ".join(
                f"{check.question}: {check.found}" for check in failed
            )
        open_ones = sum(check.passed is None for check in self.checks)
        rest = f"; {open_ones} could not be checked" if open_ones else ""
        return f"the record holds: {len(self.checks) - open_ones} checks passed{rest}"


def verify(
    record: Mapping[str, Any],
    *,
    receipts: Iterable[Mapping[str, Any]] = (),
    commitment: str | None = None,
) -> Verification:
    """Check a published record (`Leaderboard.record`) from its contents alone.

    Pass the ``commitment`` that you noted before the contest, and your ``receipts``. Before the
    labels are revealed, the chain, the places and the receipts are checked. Afterwards three more
    checks run: the labels match the commitment, each answer belongs to its ranking, and the defence
    returns these answers for these rankings. Answers with noise cannot be recomputed.
    """
    try:
        return Verification(tuple(_checks(record, list(receipts), commitment)))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            "this is not the record of a board",
            where="record",
            value=type(error).__name__,
            fix="write the record with `rocsolid board export`, and do not change it",
        ) from error


def _checks(
    record: Mapping[str, Any], receipts: list[Mapping[str, Any]], noted: str | None
) -> Iterable[RecordCheck]:
    board = str(record["commitment"])
    defence = defence_of(record["defence"])
    answers = tuple(
        ReleasedAnswer(entry["at"], entry["team"], entry["request"], Fraction(entry["value"]))
        for entry in record["told"]
    )
    chain = links(board, answers)
    if noted is not None:
        yield RecordCheck("the board matches the commitment", noted == board, board)
    signer = record["signer"]
    if signer:
        fits = with_key(signer["rest"], signer["public_key"]) == board
        yield RecordCheck("the board committed to its public key", fits, signer["public_key"])
    yield RecordCheck(
        "the chain is whole", chain[-1] == record["head"], counted(len(answers), "answer")
    )
    teams = standings(answers, defence, int(record["n_pos"]), int(record["n_neg"]))
    same = _alike(plain(teams), record["standings"])
    yield RecordCheck("the places follow from the answers", same, counted(len(teams), "team"))
    revealed = record["revealed"]
    key = bytes.fromhex(revealed["key"]) if revealed else b""
    for receipt in receipts:
        kept = Receipt(**{name: part for name, part in receipt.items() if name != "decimal"})
        check = _receipt_check(kept, board, answers, chain, key, signer, defence)
        if check.passed is not False and receipt.get("decimal", kept.decimal) != kept.decimal:
            check = RecordCheck(check.question, False, "its decimal is not its value")
        yield check
    if not revealed:
        question = "the labels match the commitment and give these answers"
        yield RecordCheck(question, None, "the labels are not revealed")
        return
    positive, split = marked(revealed["labels"]), revealed["public"]
    answered = answered_rows(split, len(positive))
    sizes = (int((positive & answered).sum()), int((~positive & answered).sum()))
    salt = bytes.fromhex(revealed["salt"])
    labels = revealed["labels"]
    expected = committed(salt, key, revealed["ids"], labels, record["defence"], split)
    if signer:
        expected = with_key(expected, signer["public_key"])
    fits = expected == board and sizes == (record["n_pos"], record["n_neg"])
    yield RecordCheck("the labels match the commitment", fits, expected)
    rankings = {
        request: np.asarray(ranks, dtype=np.int64)
        for request, ranks in revealed["rankings"].items()
    }
    foreign = [i for i, t in enumerate(answers, 1) if not _is_of(t, rankings)]
    yield RecordCheck("each answer belongs to its ranking", not foreign, _numbers(foreign))
    if foreign:
        return
    if split:
        final = final_standings(answers, record["chosen"], rankings, positive, answered, True)
        own = all(answers[number - 1].account == team for team, number in record["chosen"].items())
        same = own and _alike(plain(final), record["final"])
        where = f"{int((~answered).sum()):,} private rows"
        yield RecordCheck("the final standings are those of the private rows", same, where)
    if not isinstance(defence, Bracketed):
        yield RecordCheck(
            "the defence gives these answers", None, f"{record['defence']} draws at random"
        )
        return
    public = {request: doubled_ranks(ranks[answered]) for request, ranks in rankings.items()}
    wrong = _other_answers(answers, public, positive[answered], defence)
    yield RecordCheck("the defence gives these answers", not wrong, _numbers(wrong))


def _alike(ours: Any, theirs: Any) -> bool:
    """Compare for equality, up to the last digits of limits, whose rounding varies by machine."""
    if isinstance(ours, float) and isinstance(theirs, float | int):
        return math.isclose(ours, theirs, abs_tol=1e-8)
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(_alike, ours, theirs))
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(_alike(ours[k], theirs[k]) for k in ours)
    return bool(ours == theirs)


def _receipt_check(
    receipt: Receipt,
    board: str,
    answers: tuple[ReleasedAnswer, ...],
    chain: list[str],
    key: bytes,
    signer: Mapping[str, str] | None,
    defence: Described,
) -> RecordCheck:
    question = f"receipt {receipt.number} of {receipt.team}"
    sealed = None
    if signer:
        sealed = is_signed(signer["public_key"], receipt.link, receipt.seal)
    elif key:
        sealed = hmac.compare_digest(receipt.seal, seal(key, receipt.link))
    fault = _fault(receipt, board, answers, chain) or _misread(receipt, answers, defence)
    if fault and signer and sealed and receipt.link not in chain:
        fault += "; the host signed an answer that the record lacks"
    if fault:
        return RecordCheck(question, False, fault)
    if sealed is None and signer:
        return RecordCheck(
            question, None, "in its place; to check its signature, install cryptography"
        )
    if sealed is None:
        place = "in its place; its seal can be checked once the labels are revealed"
        return RecordCheck(question, True, place)
    return RecordCheck(question, sealed, "in its place" if sealed else "its seal is not the host's")


def _fault(
    receipt: Receipt, board: str, answers: tuple[ReleasedAnswer, ...], chain: list[str]
) -> str:
    if receipt.board != board:
        return "of another board"
    if not 0 < receipt.number <= len(answers):
        return "its answer is missing"
    answer = answers[receipt.number - 1]
    if (receipt.at, receipt.team, receipt.request, receipt.value) != (
        *(answer.at, answer.account, answer.request),
        str(answer.value),
    ):
        return "another answer is in its place"
    return "" if receipt.link == chain[receipt.number] else "an earlier answer was changed"


def _misread(receipt: Receipt, answers: tuple[ReleasedAnswer, ...], defence: Described) -> str:
    """Describe a wrong meaning on a receipt; older receipts have no meaning."""
    if not receipt.meaning:
        return ""
    last, value = before(answers, receipt.number), answers[receipt.number - 1].value
    expected = (improved(defence, last, value), meaning(defence, last, value))
    return "" if (receipt.improved, receipt.meaning) == expected else "its meaning was changed"


def _is_of(answer: ReleasedAnswer, rankings: Mapping[str, Any]) -> bool:
    ranks = rankings.get(answer.request)
    return ranks is not None and request_of(answer.account, ranks) == answer.request


def _other_answers(
    answers: tuple[ReleasedAnswer, ...],
    rankings: Mapping[str, Any],
    positive: Any,
    defence: Described,
) -> list[int]:
    """Return the numbers of the answers that the defence would not have returned."""
    pasts: dict[str, Past] = {}
    wrong = []
    for number, release in enumerate(answers, 1):
        past = pasts.get(release.account, Past())
        answer = defence.answer(submission(positive, rankings[release.request]), past)
        if answer.value != release.value:
            wrong.append(number)
        note = past.note if answer.note is None else answer.note
        pasts[release.account] = Past(release.value, past.releases + 1, "", note)
    return wrong


def _numbers(wrong: list[int]) -> str:
    return f"wrong: {', '.join(map(str, wrong[:5]))}" if wrong else "all of them"

"""A gate that records every release in a ledger before it returns the answer."""

from __future__ import annotations

import functools
import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from dataclasses import field
from fractions import Fraction
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs.binary import positives
from rocsolid.intervals.guarantees.reuse import after_reuse
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.answered import transcript_bits
from rocsolid.leaks.release.budget import BITS, RHO, Budget
from rocsolid.leaks.release.defence import Answer, Defence, Past, check_classes, submission
from rocsolid.leaks.release.ladder import Ladder
from rocsolid.leaks.release.record import MEMORY, Database, Record, check_is_there, is_address
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval

_KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class ReleasedAnswer:
    """One released answer, with its time, account and request."""

    at: str
    account: str
    request: str
    value: Fraction
    bits: float = field(default=0.0, compare=False)
    """The charged upper bound on the bits that the answer revealed."""


class Ledger:
    """A record of releases for one set of labels, with budgets over all accounts together.

    `create` makes a ledger and fixes the labels, the defence and the budgets; `open` continues one.
    A mistyped path is therefore an error and never a new ledger with an unspent budget.

    One transaction computes, charges and writes an answer, and is on the disk before `release`
    returns. A process that is killed earlier has released nothing. A process that is killed later
    has charged, and the same request then returns the stored answer at no further cost. Several
    threads may share a ledger; each process opens the file itself.

    The file is as secret as the labels. The file contains every answer, Thresholdout's threshold,
    and (unless a ``key`` is given) the means to check a guess of all labels.

    >>> from rocsolid.leaks.release import Exact
    >>> ledger = Ledger.create(":memory:", [0, 1, 1], defence=Exact(), most_bits=10)
    >>> ask = lambda past: Answer(Fraction(3, 4), most_bits=6.5)
    >>> ledger.release("ann", "first", ask), ledger.release("ann", "first", ask), ledger.most_bits
    (Fraction(3, 4), Fraction(3, 4), 6.5)
    >>> ledger.release("bob", "second", ask)
    Traceback (most recent call last):
    rocsolid.leaks.release.budget.BudgetSpent: this release may reveal 6.5 bits, and 3.5 of 10
    are left. Fix: release no more scores on these labels.
    """

    def __init__(self, db: Database, key: bytes | None) -> None:
        """Use `create` or `open` instead."""
        self.database = db
        self._record = Record(db)
        self._key = key

    @classmethod
    def create(
        cls,
        path: str | PathLike[str],
        labels: Any,
        *,
        defence: Defence,
        pos_label: Any = None,
        most_bits: float | None = None,
        rho: float | None = None,
        per_account: int | None = None,
        key: bytes | None = None,
        beside: Callable[[Database], None] | None = None,
    ) -> Ledger:
        """Make a new ledger; the file must not exist.

        ``most_bits`` bounds the bits that all answers together can reveal, ``rho`` their privacy
        cost (zCDP), ``per_account`` the number of releases to one account; `None` sets no bound. A
        defence that promises differential privacy requires ``rho``, because otherwise many accounts
        can average the noise away. ``key`` is a secret for the fingerprint of the labels; the
        default is a random key in the file. ``beside`` makes further tables in the same
        transaction.
        """
        positive = positives(labels, pos_label=pos_label, name="labels")
        settings = defence_settings(defence)
        budget = Budget.of(most_bits, rho, per_account)
        if defence.private and rho is None:
            raise InputError(
                "a private defence needs a bound on all of its releases together",
                where="rho",
                fix="pass rho=, such as rho_of_epsilon_delta(1, 1e-6)",
            )
        n_pos = int(positive.sum())
        if isinstance(defence, Ladder) and 0 < n_pos < len(positive):
            defence.warn_of_small_step(n_pos, len(positive) - n_pos)
        if key is not None and len(key) < _KEY_BYTES:
            raise InputError(
                "a key that can be guessed protects nothing",
                where="key",
                fix=f"pass at least {_KEY_BYTES} random bytes",
            )
        name = fspath(path)
        if name != MEMORY and not is_address(name):
            _claim(name)
        secret = secrets.token_bytes(32) if key is None else key
        ledger = cls(Database.of(name), secret)
        try:
            ledger._record.make(
                secret if key is None else None,
                labels_fingerprint(positive, secret),
                settings,
                budget,
                beside,
            )
        except BaseException:
            ledger.close()
            raise
        return ledger

    @classmethod
    def open(cls, path: str | PathLike[str], *, key: bytes | None = None) -> Ledger:
        """Open a ledger that `create` made, after a check of the whole file.

        A file that is not a ledger, is damaged, or was copied in part raises an error.
        """
        name = fspath(path)
        check_is_there(name)
        ledger = cls(Database.of(name), key)
        try:
            ledger._record.verify()
            ledger._key = key or ledger._record.own_key()
        except BaseException:
            ledger.close()
            raise
        return ledger

    def check(self, positive: NDArray[np.bool_], defence: Defence) -> None:
        """Refuse labels and defences other than those of the ledger."""
        if self._key is None:
            raise InputError(
                "the ledger was made with a key of its host",
                where=self.database.shown,
                fix="open it with the same key=",
            )
        fingerprint, settings = self._record.binding()
        if fingerprint != labels_fingerprint(positive, self._key):
            raise InputError(
                "the ledger was made for other labels, or with another key",
                where=self.database.shown,
                fix="pass the labels in the same order, or make a new ledger for new labels",
            )
        if settings != defence_settings(defence):
            raise InputError(
                f"the ledger was made for the defence {settings}",
                where=self.database.shown,
                value=defence_settings(defence),
                fix="pass that defence: the answers of two defences reveal more than one ledger "
                "charges",
            )

    def release(self, account: str, request: str, decide: Callable[[Past], Answer]) -> Fraction:
        """Return the stored answer to a request, or charge and return a new answer from ``decide``.

        Equal requests receive equal answers. ``decide`` runs inside the transaction and must not
        show its answer to anyone.
        """
        with self.database.transaction():
            value = self._record.answered(request)
            if value is None:
                past = self._record.past(account)
                answer = decide(past)
                bits, rho = self._record.spent()
                self._record.budget.check(answer, account, past.releases, bits, rho)
                self._record.write(account, request, answer)
                value = answer.value
        return value

    @property
    def releases(self) -> int:
        """The number of answers released to all accounts."""
        return self._record.releases()

    @property
    def most_bits(self) -> float:
        """An upper bound on the bits that all answers so far have revealed."""
        return self._record.spent()[0] / BITS

    @property
    def rho(self) -> float:
        """The privacy cost of all answers so far (zCDP)."""
        return self._record.spent()[1] / RHO

    def answers(self) -> tuple[ReleasedAnswer, ...]:
        """Return every released answer, in order."""
        return tuple(answer for _, answer in self._numbered())

    def answers_to(self, account: str) -> list[tuple[int, ReleasedAnswer]]:
        """Return the answers to an account, each with its number among all answers."""
        return self._numbered("account = ?", account)

    def answer_to(self, request: str) -> tuple[int, ReleasedAnswer]:
        """Return the answer to an earlier request, with its number among all answers."""
        return self._numbered("request = ?", request)[0]

    def charged_to(self, account: str) -> int:
        """Return the number of the account's answers that cost bits."""
        return self._record.charged(account)

    def value_before(self, account: str, number: int) -> Fraction | None:
        """Return the account's last value before the answer with a number among all answers."""
        return self._record.value_before(account, number)

    def _numbered(self, *where: str) -> list[tuple[int, ReleasedAnswer]]:
        exact = functools.cache(Fraction)  # few values are distinct
        return [
            (number, ReleasedAnswer(at, who, request, exact(value), int(bits) / BITS))
            for number, at, who, request, value, bits in self._record.answers(*where)
        ]

    def by_account(self) -> dict[str, tuple[int, float]]:
        """Return the releases and bits charged to each account, the most bits first."""
        return self._record.by_account()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without answers or secrets."""
        return {
            "defence": self._record.binding()[1],
            "releases": self.releases,
            "most_bits": self.most_bits,
            "rho": self.rho,
            **self._record.budget.to_dict(),
            "accounts": {
                account: {"releases": count, "most_bits": bits}
                for account, (count, bits) in self.by_account().items()
            },
        }

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _claim(path: str) -> None:
    """Create an empty file that only its owner can read; a simultaneous second attempt fails."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        raise InputError(
            "the file exists already",
            where="path",
            value=path,
            fix="Ledger.open continues a ledger; a new one needs a new name",
        ) from None


def labels_fingerprint(positive: NDArray[np.bool_], key: bytes) -> str:
    """Return the HMAC-SHA256 of the labels in order, against which the key's owner can check a
    guess.

    >>> labels = np.array([True, False])
    >>> labels_fingerprint(labels, b"key") == labels_fingerprint(labels[::-1], b"key")
    False
    """
    text = f"{len(positive)}\0".encode() + np.packbits(positive).tobytes()
    return hmac.new(key, text, "sha256").hexdigest()


def defence_settings(defence: Defence) -> str:
    """Return the defence and its parameters as text.

    >>> from rocsolid.leaks.release import Rounded
    >>> defence_settings(Rounded(2))
    'Rounded(decimals=2)'
    """
    if type(defence).__repr__ is object.__repr__:
        raise InputError(
            "the text of this defence does not state its settings",
            where="defence",
            value=type(defence).__name__,
            fix="make it a dataclass, or give it a __repr__ with every setting",
        )
    return repr(defence)


class RefusedSubmission(RocsolidError):
    """An error for a submission that does not rank the rows; the check uses no label."""


def check_ranking(doubled: NDArray[np.int64], most_tied: float = 0.5) -> None:
    """Refuse a constant, a two-valued or a mostly tied submission.

    A single row above otherwise tied rows reveals that row's label. Scores with two values reveal
    the number of positives in a set. The check depends on the scores only. The check stops the
    simplest probes; rankings without ties also reveal every label to a patient attacker.

    >>> check_ranking(np.array([2, 4, 6, 8]))
    >>> check_ranking(np.array([3, 3, 6, 8]), most_tied=0.4)
    Traceback (most recent call last):
    rocsolid.leaks.release.gate.RefusedSubmission: 2 of 4 rows have the same score (scores).
    Fix: submit scores that rank the rows.
    """
    sizes = np.unique(doubled, return_counts=True)[1]
    if len(sizes) == 1:
        raise _refused("all rows have the same score")
    if len(sizes) == 2:
        raise _refused("the scores take two values only")
    if sizes.max() > most_tied * len(doubled):
        raise _refused(f"{sizes.max()} of {len(doubled)} rows have the same score")


def _refused(what: str) -> RefusedSubmission:
    return RefusedSubmission(what, where="scores", fix="submit scores that rank the rows")


class Gate:
    """A metric behind a guard, a defence and a ledger.

    The gate checks a submission without the labels, computes its exact score, applies the defence,
    charges the ledger and then returns the answer. An account that repeats a ranking receives the
    earlier answer at no cost. A ledger for other labels or another defence is refused.

    >>> from rocsolid.leaks.release import Ledger, Rounded
    >>> labels, rule = [0, 1, 0, 1, 1, 0], Rounded(2)
    >>> ledger = Ledger.create(":memory:", labels, defence=rule, most_bits=20)
    >>> gate = Gate(labels, defence=rule, ledger=ledger)
    >>> float(gate.submit("ann", [0.1, 0.8, 0.7, 0.3, 0.9, 0.2])), round(ledger.most_bits, 2)
    (0.89, 4.25)
    """

    def __init__(
        self,
        labels: Any,
        *,
        defence: Defence,
        ledger: Ledger,
        pos_label: Any = None,
        most_tied: float = 0.5,
    ) -> None:
        self._positive = positives(labels, pos_label=pos_label, name="labels")
        ledger.check(self._positive, defence)
        self.defence = defence
        self.ledger = ledger
        self.most_tied = most_tied

    @property
    def reuse_bits(self) -> float:
        """The `transcript_bits` of all answers so far."""
        answers = [(answer.account, answer.value) for answer in self.ledger.answers()]
        n_pos = int(self._positive.sum())
        return transcript_bits(answers, self.defence, n_pos, len(self._positive) - n_pos)

    def certificate(
        self, scores: Any, delta: float = 0.05, alternative: Alternative = "two-sided"
    ) -> Interval:
        """Return the certified interval of a scorer chosen with the help of all answers so far.

        The interval is valid for any one scorer, however the answers influenced the choice:
        `guarantees.after_reuse` with the scores of both classes, at the bits of `reuse_bits`. The
        interval depends on the labels and is not recorded in the ledger, so publish the interval
        after the last answer. For K scorers at once use delta/K.

        >>> from rocsolid.leaks.release import Ledger, Rounded
        >>> labels, rule = [0, 1] * 100, Rounded(2)
        >>> ledger = Ledger.create(":memory:", labels, defence=rule)
        >>> gate = Gate(labels, defence=rule, ledger=ledger)
        >>> scores = [i * 37 % 100 + 40 * y for i, y in enumerate(labels)]
        >>> print(gate.certificate(scores))
        [0.7429, 0.8892] at 95 % (cuts after 0 bits)
        >>> float(gate.submit("ann", scores)), round(gate.reuse_bits, 1)
        (0.83, 7.5)
        >>> print(gate.certificate(scores))
        [0.6882, 0.9179] at 95 % (cuts after 7.461 bits)
        """
        doubled = doubled_ranks(scores)
        scored = submission(self._positive, doubled)
        check_classes(scored)
        return after_reuse(
            float(scored.auc),
            scored.n_pos,
            scored.n_neg,
            self.reuse_bits,
            delta,
            alternative,
            scores=(doubled[self._positive], doubled[~self._positive]),
        )

    def submit(self, account: str, scores: Any, *, reference: Fraction | None = None) -> Fraction:
        """Return the released value for one submission."""
        doubled = doubled_ranks(scores)
        check_ranking(doubled, self.most_tied)
        scored = submission(self._positive, doubled, reference)
        return self.ledger.release(
            account,
            request_of(account, doubled, reference),
            lambda past: self.defence.answer(scored, past),
        )


def request_of(account: str, doubled: NDArray[np.int64], reference: Fraction | None = None) -> str:
    """Return the ledger's name for a submission: equal for equal rankings by the same account."""
    known = hashlib.sha256(f"{account}\0{reference}\0".encode())
    known.update(doubled.astype("<i8").tobytes())
    return known.hexdigest()

"""The one place that sees both the labels and a submission, and lets only an answer out."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError
from rocsolid.inputs import positives
from rocsolid.intervals.guarantees.reuse import after_reuse
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.defence import Defence, check_classes, submission
from rocsolid.leaks.release.ledger import Ledger
from rocsolid.leaks.release.transcript import transcript_bits
from rocsolid.results import Alternative, Interval


class RefusedSubmission(RocsolidError):
    """A submission that is no attempt to rank; nothing about the labels was computed."""


def check_ranking(doubled: NDArray[np.int64], most_tied: float = 0.5) -> None:
    """Refuse a constant, a two-valued or a mostly tied submission.

    One row alone on top of the rest, all tied, asks for that row's label; two values ask for the
    number of positives in a set. The reason given depends on the scores only. This stops the
    plainest probes, not a patient attacker: rankings without any tie give every label away too.

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
    """A metric with a guard, a defence and a ledger in front of it.

    A submission is checked without looking at the labels, scored exactly, passed through the
    defence, charged to the ledger, and only then answered. The same ranking from the same account
    gets the answer that it got before, free of charge. Several threads may share a gate. A ledger
    that was made for other labels or another defence is refused.

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
        """The help that all answers so far were to whoever heard them (`transcript_bits`)."""
        answers = [(told.account, told.value) for told in self.ledger.answers()]
        n_pos = int(self._positive.sum())
        return transcript_bits(answers, self.defence, n_pos, len(self._positive) - n_pos)

    def certificate(
        self, scores: Any, delta: float = 0.05, alternative: Alternative = "two-sided"
    ) -> Interval:
        """The certified interval of a scorer that was chosen with the help of all answers so far.

        It holds for any one scorer, picked by the answers in any way: `guarantees.after_reuse` with
        the scores of both classes, at the bits of `reuse_bits`. It is computed from the labels and
        is no answer of the ledger: publish it after the last answer. To hold for K scorers at once,
        take delta/K.

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
        """The released value for one submission."""
        doubled = doubled_ranks(scores)
        check_ranking(doubled, self.most_tied)
        scored = submission(self._positive, doubled, reference)
        return self.ledger.release(
            account,
            request_of(account, doubled, reference),
            lambda past: self.defence.answer(scored, past),
        )


def request_of(account: str, doubled: NDArray[np.int64], reference: Fraction | None = None) -> str:
    """The name of a submission in the ledger: the same for the same ranking by the same account."""
    known = hashlib.sha256(f"{account}\0{reference}\0".encode())
    known.update(doubled.astype("<i8").tobytes())
    return known.hexdigest()

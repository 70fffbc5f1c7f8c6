"""The Shaky Ladder: a Ladder whose comparisons and answers carry noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rocsolid.errors import InputError
from rocsolid.leaks.release.accountant import rho_of_epsilon
from rocsolid.leaks.release.defence import Answer, Past, Submission, check_classes, exact, nearest
from rocsolid.leaks.release.noise import discrete_laplace
from rocsolid.leaks.release.private_auc import Laplace


@dataclass(frozen=True, slots=True)
class ShakyLadder:
    """Release a noisy AUC once it lies a step above the account's last one, noise included.

    After Hardt (2017), with the noise of `Thresholdout`: with σ = Δ/ε and Δ = (N−1)/(n₀·n₁), the
    most that a swap of two labels moves any AUC, Laplace noise has scale 2σ on the step, 4σ on each
    comparison and σ on an answer. Waiting for an improvement and its answer are then
    2ε-differentially private together. All of that is charged when the account begins to wait: with
    its first submission, and with the first one after each improvement. The noise on the step stays
    in the ledger meanwhile.

    >>> rule = ShakyLadder(step="0.05", epsilon=1000)
    >>> good = Submission(Fraction("0.81"), 100, 100, 398)
    >>> first = rule.answer(good, Past())
    >>> round(float(first.value), 2), first.rho
    (0.81, 2000000.0)
    >>> rule.answer(good, Past(first.value, 1, note=first.note)).value == first.value
    True
    """

    private: ClassVar[bool] = True

    step: Fraction
    epsilon: float
    _cites = ("The Shaky Ladder", "hardt2017")

    def __init__(self, step: Fraction | str | float, epsilon: float) -> None:
        object.__setattr__(self, "step", exact(step))
        object.__setattr__(self, "epsilon", epsilon)
        rho_of_epsilon(epsilon)
        if not 0 < self.step <= Fraction(1, 2):
            raise InputError("a step lies above 0, up to 1/2", where="step", value=step)

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        grid = submission.units
        span = 2 * (submission.n_pos + submission.n_neg - 1)
        sigma = span / Fraction(self.epsilon)  # in steps of the grid, as everything below
        begins = not past.note
        noisy = discrete_laplace(2 * sigma) if begins else int(past.note)
        rho = rho_of_epsilon(2 * self.epsilon) if begins else 0.0
        # what is released names the case (1 bit) and then holds at most what a Laplace release does
        widest = Submission(submission.auc, submission.n_pos, submission.n_neg, span)
        bits = 1 + Laplace(self.epsilon).most_bits(widest)

        last = Fraction(1, 2) if past.last is None else past.last
        above = (submission.auc - last) * grid + discrete_laplace(4 * sigma)
        if above <= self.step * grid + noisy:
            return Answer(last, bits, rho, note=str(noisy))
        at = math.floor(submission.auc * grid)  # the AUC is a whole number of steps
        return Answer(Fraction(at + discrete_laplace(sigma), grid), bits, rho, note="")

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest(value * 2 * n_pos * n_neg)

    def places(self, n_pos: int, n_neg: int) -> None:
        """Noise can be any whole number of steps."""

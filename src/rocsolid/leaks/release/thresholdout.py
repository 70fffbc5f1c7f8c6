"""Thresholdout: the secret AUC is used only where it contradicts a public AUC."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.leaks.release.budget import rho_of_epsilon, sparse_vector
from rocsolid.leaks.release.defence import (
    Answer,
    Past,
    Submission,
    check_classes,
    discrete_laplace,
    exact,
)


@dataclass(frozen=True, slots=True)
class Thresholdout:
    """Release the reference AUC if the secret AUC is near it, and a noisy secret AUC otherwise.

    The mechanism follows Dwork, Feldman, Hardt, Pitassi, Reingold and Roth (2015). The reference is
    each submission's AUC on public labels, as in Gossmann et al. The two AUCs are compared up to
    ``threshold`` plus noise: Laplace noise of scale 2σ on the threshold, 4σ on each comparison and
    σ on an answer, σ = Δ/ε, where Δ = (N−1)/(n₀·n₁) is the largest change of an AUC by a swap of
    two labels.

    An episode ends at the first answer beyond the threshold. An episode is 2ε-differentially
    private: ε for the comparisons (sparse vector) and ε for the answer. The whole cost is charged
    when the episode begins. The ledger's secret stores the threshold's noise, so that a restart
    begins no new episode.

    >>> rule = Thresholdout(threshold=0.1, epsilon=50)
    >>> near = Submission(Fraction("0.81"), 100, 100, 398, reference=Fraction("0.80"))
    >>> rule.answer(near, Past()).value
    Fraction(4, 5)
    """

    private: ClassVar[bool] = True

    threshold: float
    epsilon: float
    _cites = ("Thresholdout", "dwork2015")

    def __post_init__(self) -> None:
        rho_of_epsilon(self.epsilon)
        if not 0 < self.threshold < 1:
            raise InputError(
                "a threshold lies between 0 and 1", where="threshold", value=self.threshold
            )

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        if submission.reference is None:
            raise InputError(
                "Thresholdout compares with an AUC on public labels",
                where="reference",
                fix="pass reference=, the submission's AUC on the public part",
            )
        grid = submission.units
        sigma, bits = sparse_vector(submission, self.epsilon)
        noisy = int(past.secret) if past.secret else discrete_laplace(2 * sigma)
        rho = 0.0 if past.secret else rho_of_epsilon(2 * self.epsilon)
        difference = abs(submission.auc - submission.reference) * grid
        limit = exact(self.threshold) * grid + noisy
        if difference <= limit + discrete_laplace(4 * sigma):
            return Answer(submission.reference, bits, rho, secret=str(noisy))
        at = math.floor(submission.auc * grid)  # the AUC is a whole number of steps
        return Answer(Fraction(at + discrete_laplace(sigma), grid), bits, rho, secret="")

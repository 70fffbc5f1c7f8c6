"""Budgets of releases, in integer units that add without rounding.

The privacy cost is the ρ of zero-concentrated differential privacy (zCDP). The costs add even if
each release is chosen after the earlier answers (Bun and Steinke 2016, Lemma 1.7 and 2.3).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from rocsolid.arguments import one_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.leaks.query_bits import entropy
from rocsolid.leaks.release.defence import (
    Answer,
    Past,
    Submission,
    check_classes,
    discrete_gaussian,
    discrete_laplace,
    exact,
    nearest,
)

BITS = 10**6
RHO = 10**12
_TOO_MANY = 2**62  # the largest sum of a ledger column
_SLACK = 10**6  # a budget holds to one part in a million, so that a hundred hundredths fit


class BudgetSpent(RocsolidError):
    """An error if a release would exceed the remaining budget; nothing is released."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on bits, privacy cost (zCDP) and releases to one account; `None` sets no limit."""

    most_bits: int | None
    rho: int | None
    per_account: int | None

    @staticmethod
    def of(most_bits: float | None, rho: float | None, per_account: int | None) -> Budget:
        """Return a budget in integer units, rounded down."""
        if per_account is not None and (per_account != int(per_account) or per_account < 1):
            raise InputError(
                "the releases of an account are a whole number of at least 1",
                where="per_account",
                value=per_account,
            )
        whole = None if per_account is None else int(per_account)
        return Budget(_whole(most_bits, BITS, "most_bits"), _whole(rho, RHO, "rho"), whole)

    def check(self, answer: Answer, account: str, releases: int, bits: int, rho: int) -> None:
        """Refuse an answer that exceeds the budget.

        The account has received ``releases`` answers. All accounts together have spent ``bits`` and
        ``rho``, in integer units.
        """
        if self.per_account is not None and releases >= self.per_account:
            raise BudgetSpent(
                f"the account has used all of its {self.per_account} answers", value=account
            )
        _check_one(self.most_bits, bits, answer.most_bits, BITS, "reveal", "bits")
        _check_one(self.rho, rho, answer.rho, RHO, "cost a privacy of", "in rho")

    def to_dict(self) -> dict[str, Any]:
        return {
            "most_bits_budget": None if self.most_bits is None else self.most_bits / BITS,
            "rho_budget": None if self.rho is None else self.rho / RHO,
            "releases_per_account": self.per_account,
        }


def whole_cost(cost: float | Fraction, unit: int) -> int:
    """Return a cost in integer units, rounded up so that the record never understates it.

    >>> whole_cost(1e-9, 10**6), whole_cost(2, 10**6)
    (1, 2000000)
    """
    return math.ceil(Fraction(cost) * unit)


def _check_one(limit: int | None, used: int, cost: float, unit: int, word: str, noun: str) -> None:
    if limit is not None and used + whole_cost(cost, unit) > limit + limit // _SLACK:
        raise BudgetSpent(
            f"this release may {word} {float(cost):.4g} {noun}, and "
            f"{(limit - used) / unit:.4g} of {limit / unit:.4g} are left",
            fix="release no more scores on these labels",
        )


def _whole(budget: float | None, unit: int, name: str) -> int | None:
    if budget is None:
        return None
    if not (budget > 0 and math.isfinite(budget)):
        raise InputError("a budget must be above 0", where=name, value=budget)
    units = math.floor(exact(budget) * unit)
    if units >= _TOO_MANY:
        raise InputError(
            f"a budget above {_TOO_MANY / unit:.2g} bounds nothing", where=name, value=budget
        )
    return units


def rho_of_epsilon(epsilon: float) -> float:
    """Return ε²/2: an ε-differentially private release is (ε²/2)-zCDP.

    See Bun and Steinke (2016), Proposition 1.4.

    >>> rho_of_epsilon(1)
    0.5
    """
    _check_positive(epsilon, "epsilon")
    return epsilon * epsilon / 2


def epsilon_of_rho(rho: float, delta: float) -> float:
    """Return an ε for which ρ-zCDP implies (ε, δ)-differential privacy.

    By Canonne, Kamath and Steinke (2020), Corollary 13, every α > 1 satisfies ε = αρ + (ln(1/δ) +
    α·ln(1 − 1/α) − ln(α − 1))/(α − 1). The result is the minimum over a fine grid of α, never too
    small.

    >>> round(epsilon_of_rho(0.5, 1e-5), 2), round(epsilon_of_rho(0, 1e-5), 2)
    (4.73, 0.0)
    """
    if not rho >= 0:
        raise InputError("a privacy cost is at least 0", where="rho", value=rho)
    _check_delta(delta)
    if rho == 0:
        return 0.0
    # the best α is near 1 + √(ln(1/δ)/ρ)
    near = math.sqrt(math.log(1 / delta) / rho)
    steps = (near * 1.01**i for i in range(-400, 401))
    return max(0.0, min(_at_order(rho, delta, a) for a in steps))


def rho_of_epsilon_delta(epsilon: float, delta: float) -> float:
    """Return the largest ρ for which ρ-zCDP implies (ε, δ)-differential privacy.

    >>> rho = rho_of_epsilon_delta(1, 1e-5)
    >>> round(rho, 4), round(epsilon_of_rho(rho, 1e-5), 6)
    (0.0306, 1.0)
    """
    _check_positive(epsilon, "epsilon")
    _check_delta(delta)
    low, high = 0.0, epsilon + 1.0
    while epsilon_of_rho(high, delta) < epsilon:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if epsilon_of_rho(middle, delta) <= epsilon else (low, middle)
    return low


def _at_order(rho: float, delta: float, above_one: float) -> float:
    """Return the bound at order α = 1 + above_one."""
    alpha = 1 + above_one
    inner = math.log(1 / delta) - alpha * math.log1p(1 / above_one) - math.log(above_one)
    return alpha * rho + inner / above_one


def _check_positive(value: float, name: str) -> None:
    if not (value > 0 and math.isfinite(value)):
        raise InputError(f"{name} must be above 0", where=name, value=value)


def _check_delta(delta: float) -> None:
    if not 0 < delta < 1:
        raise InputError(
            "delta lies between 0 and 1",
            where="delta",
            value=delta,
            fix="use a delta far below 1/rows, such as 1e-6",
        )


Neighbours = Literal["swap", "flip"]

_FLIP_GRID = 10**6  # public, unlike the class sizes when one flip makes neighbours
_NUMERIC_SD = 4.0  # above it a discrete Gaussian's entropy is the continuous one to 1e-100


class _GridNoise:
    """Noise that moves the AUC by whole steps of a grid on [0, 1]."""

    __slots__ = ()
    private: ClassVar[bool] = True
    improvement: ClassVar[None] = None
    form: ClassVar[str] = ", with noise"
    neighbours: Neighbours

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest(value * _grid_of(n_pos, n_neg, self.neighbours))

    def places(self, n_pos: int, n_neg: int) -> None:
        """Return None: noise can be any integer number of steps."""


@dataclass(frozen=True, slots=True)
class Laplace(_GridNoise):
    """The AUC plus discrete Laplace noise: ε-differential privacy of the labels for one release.

    ``neighbours`` defines the label sets between which the promise holds; the scores are public.

    * "swap": two rows exchange their labels; the class sizes are public. The AUC moves by at most
      (max − min midrank)/(n₀·n₁) for any labels, a bound that is attained, ties included.
    * "flip": one row changes its label; the class sizes are secret. The AUC moves by at most ½; an
      undefined AUC is released as ½. Noise scaled to min(½, 1/min(n₀,n₁)) would break the promise,
      because that local sensitivity reveals the class sizes.

    The AUC is a multiple of the noise grid ("flip" rounds it to the grid first). The noise comes
    from the operating system's generator. The released value is not clipped to [0, 1].

    >>> rule = Laplace(1)
    >>> rule.noise_sd(Submission(Fraction(3, 4), 100, 100, 398))  # √2 · 199/10000
    0.028...
    """

    epsilon: float
    neighbours: Neighbours = "swap"
    _cites = ("The private AUC", "canonne2020")

    def __post_init__(self) -> None:
        rho_of_epsilon(self.epsilon)
        one_of(self.neighbours, get_args(Neighbours), "neighbours")

    def scale(self, submission: Submission) -> Fraction:
        """Return the scale of the noise in steps of the grid: sensitivity/ε."""
        return sensitivity(submission, self.neighbours) / Fraction(self.epsilon)

    def noise_sd(self, submission: Submission) -> float:
        """Return the noise's standard deviation, in AUC."""
        grid = _grid(submission, self.neighbours)
        return math.sqrt(_laplace_moments(self.scale(submission))[0]) / grid

    def answer(self, submission: Submission, past: Past) -> Answer:
        at, grid = _on_grid(submission, self.neighbours)
        scale = self.scale(submission)
        if not scale:  # all scores tied: one half for any labels
            return Answer(submission.auc, 0.0)
        value = Fraction(at + discrete_laplace(scale), grid)
        return Answer(value, self.most_bits(submission), rho_of_epsilon(self.epsilon))

    def most_bits(self, submission: Submission) -> float:
        """Return an upper bound on the bits in one release.

        The bound is the smaller of the capacity and x·min(1, x/2) nats, because every output
        probability is within e^(±x) of its value at AUC ½, with x = grid/(2·scale).
        """
        grid, scale = _grid(submission, self.neighbours), self.scale(submission)
        x = float(grid / (2 * scale))
        nats = x * min(1.0, x / 2)
        return min(_capacity(grid, *_laplace_moments(scale)), nats / math.log(2))


@dataclass(frozen=True, slots=True)
class Gaussian(_GridNoise):
    """The AUC plus discrete Gaussian noise: ρ-zCDP of the labels, which adds over releases.

    The neighbours, the grid and the generator are as for `Laplace`. `rho_of_epsilon_delta` converts
    a total budget of (ε, δ) to a total ρ, which is divided by the number of releases.

    >>> rule = Gaussian(0.005)  # 100 of them spend ρ = ½
    >>> round(rule.noise_sd(Submission(Fraction(3, 4), 256, 256, 1022)), 3)
    0.078
    """

    rho: float
    neighbours: Neighbours = "swap"
    _cites = ("The private AUC", "canonne2020")

    def __post_init__(self) -> None:
        _check_positive(self.rho, "rho")
        one_of(self.neighbours, get_args(Neighbours), "neighbours")

    def variance(self, submission: Submission) -> Fraction:
        """Return the variance parameter of the noise in steps of the grid: sensitivity²/(2ρ)."""
        return sensitivity(submission, self.neighbours) ** 2 / (2 * Fraction(self.rho))

    def noise_sd(self, submission: Submission) -> float:
        """Return the noise's standard deviation, in AUC."""
        grid = _grid(submission, self.neighbours)
        return math.sqrt(_gaussian_moments(self.variance(submission))[0]) / grid

    def answer(self, submission: Submission, past: Past) -> Answer:
        at, grid = _on_grid(submission, self.neighbours)
        variance = self.variance(submission)
        if not variance:
            return Answer(submission.auc, 0.0)
        value = Fraction(at + discrete_gaussian(variance), grid)
        return Answer(value, _capacity(grid, *_gaussian_moments(variance)), self.rho)


def sparse_vector(submission: Submission, epsilon: float) -> tuple[Fraction, float]:
    """Return σ = Δ/ε, in steps of the grid, and the most bits of a comparison with its answer.

    Δ = (N−1)/(n₀·n₁) is the largest change of an AUC by a swap of two labels.
    """
    span = 2 * (submission.n_pos + submission.n_neg - 1)
    # a release reveals the case (1 bit) and then at most the bits of a Laplace release
    widest = Submission(submission.auc, submission.n_pos, submission.n_neg, span)
    return span / Fraction(epsilon), 1 + Laplace(epsilon).most_bits(widest)


def sensitivity(submission: Submission, neighbours: Neighbours) -> int:
    """Return the largest change of the AUC between neighbours, in steps of the grid, for any
    labels.

    >>> sensitivity(Submission(Fraction(3, 4), 2, 2, 6), "swap")  # 6/8 of the AUC
    6
    """
    return submission.rank_span if neighbours == "swap" else _FLIP_GRID // 2


def _grid(submission: Submission, neighbours: Neighbours) -> int:
    """Return the number of grid steps from AUC 0 to 1."""
    if neighbours == "swap":
        check_classes(submission)
    return _grid_of(submission.n_pos, submission.n_neg, neighbours)


def _grid_of(n_pos: int, n_neg: int, neighbours: Neighbours) -> int:
    return _FLIP_GRID if neighbours == "flip" else 2 * n_pos * n_neg


def _on_grid(submission: Submission, neighbours: Neighbours) -> tuple[int, int]:
    """Return the AUC in steps of the grid, and the grid; rounding preserves the sensitivity."""
    grid = _grid(submission, neighbours)
    return nearest(submission.auc * grid), grid


def _capacity(grid: int, variance: float, noise_bits: float) -> float:
    """Return an upper bound on the bits that a value in [0, 1] plus this noise can contain.

    The bound is the entropy of the sum less the entropy of the noise. A sum on a lattice of step 1
    with variance v has entropy at most ½·log₂(2πe(v + 1/12)); the AUC adds at most grid²/4 to v.
    """
    most = 0.5 * math.log2(2 * math.pi * math.e * (grid**2 / 4 + variance + 1 / 12))
    return min(most - noise_bits, math.log2(grid + 1))


def _laplace_moments(scale: Fraction) -> tuple[float, float]:
    """Return the variance and the entropy in bits of the discrete Laplace law."""
    q = math.exp(-1 / scale)
    rest = -math.expm1(-1 / scale)  # 1 − q
    mean_size = 2 * q / (rest * (1 + q))
    bits = math.log2((1 + q) / rest) + mean_size / float(scale) / math.log(2)
    return 2 * q / rest**2, bits


def _gaussian_moments(variance: Fraction) -> tuple[float, float]:
    """Return the variance and the entropy in bits of the discrete Gaussian law."""
    v = float(variance)
    if v > _NUMERIC_SD**2:
        return v, 0.5 * math.log2(2 * math.pi * math.e * v)
    x = np.arange(-60, 61)
    share = np.exp(-(x**2) / (2 * v))
    share /= share.sum()
    return float((share * x**2).sum()), entropy(share)

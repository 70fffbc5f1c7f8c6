"""The Gaussian complexity G(H) = E sup_{h∈H} Σᵢ γᵢ h(Xᵢ) of a class of scorers H.

The γᵢ are independent standard normal. G(H) is a sum over N rows, not a mean, and its expectation
also runs over the rows (Maurer and Pontil 2020, Theorem 3).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number, whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_delta
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_BLOCK = 2_000_000  # normal numbers drawn at once
_TYPICAL = "the complexity of these rows replaces its expectation over rows"


@dataclass(frozen=True, slots=True)
class GaussianComplexity(Plain):
    """A bound ``upper`` on the Gaussian complexity G(H), and the ``estimate`` behind it.

    ``upper`` is too small with probability at most ``delta``, which a bound that uses it subtracts
    from its own δ. If ``certified`` is false, no probability is proven, and ``assumptions`` lists
    what is missing. ``std_error`` is the Monte Carlo error of ``estimate``.
    """

    upper: float
    estimate: float
    rows: int
    method: str
    delta: float = 0.0
    certified: bool = True
    assumptions: tuple[str, ...] = ()
    std_error: float | None = None

    def share_left(self, delta: float) -> float:
        """Return the error probability left for a bound that may fail with ``delta``."""
        left = check_delta(delta) - self.delta
        if left <= 0.0:
            raise InputError(
                "the complexity alone uses all of delta",
                where="complexity",
                value=self.delta,
                fix=f"bound the complexity with a delta below {delta:g}",
            )
        return left

    def __float__(self) -> float:
        return self.upper

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"G(H) at most {self.upper:.4g} for {self.rows:,} rows ({self.method})"
        return text if self.certified else f"{text}, not certified"


def gaussian_given(value: float, rows: int) -> GaussianComplexity:
    """Return a value of G(H) that the caller declares, as a certified complexity.

    >>> print(gaussian_given(120, 1000))
    G(H) at most 120 for 1,000 rows (given)
    """
    _check(value, "complexity", least=0.0)
    return GaussianComplexity(float(value), float(value), whole(rows, "rows"), "given")


def gaussian_radius(norm: float, radius: float, rows: int) -> GaussianComplexity:
    """Return B·R·√N, for scorers ⟨w, x⟩ with ‖w‖ ≤ B and rows with ‖x‖ ≤ R.

    The formula also holds in the space of a kernel, with ‖x‖² = k(x, x): E sup_w ⟨w, Σγᵢxᵢ⟩ =
    B·E‖Σγᵢxᵢ‖ ≤ B√(E Σ‖xᵢ‖²). A constant term changes no ranking and is left out.

    >>> print(gaussian_radius(2, 1, 10_000))
    G(H) at most 200 for 10,000 rows (norm times radius)
    """
    bound = _check(norm, "norm") * _check(radius, "radius") * math.sqrt(whole(rows, "rows"))
    return GaussianComplexity(bound, bound, int(rows), "norm times radius")


def gaussian_linear(
    norm: float, features: ArrayLike, radius: float | None = None, delta: float = 0.005
) -> GaussianComplexity:
    """Return B√(Σ‖xᵢ‖²) from the rows, for scorers ⟨w, x⟩ with ‖w‖ ≤ B; see `gaussian_kernel`.

    >>> rows = np.repeat([[0.6, 0.0], [0.0, 0.8]], 5000, axis=0)
    >>> print(gaussian_linear(2, rows, radius=1))
    G(H) at most 143.7 for 10,000 rows (norm times data norms)
    """
    x = np.asarray(features, dtype=np.float64)
    if x.ndim != 2:
        raise InputError("features must be a table of rows and columns", value=x.shape)
    return _data_norms(norm, np.einsum("ij,ij->i", x, x), radius, delta, "norm times data norms")


def gaussian_kernel(
    norm: float, diagonal: ArrayLike, radius: float | None = None, delta: float = 0.005
) -> GaussianComplexity:
    """Return B√(trace K) from the diagonal k(xᵢ, xᵢ) of the kernel matrix, for ‖h‖ ≤ B.

    ``radius`` is a known R with k(x, x) ≤ R² for every possible x. Then min(mean +
    R²√(ln(1/δ)/(2N)), R²), which fails with probability at most ``delta`` (Hoeffding), replaces the
    mean of k(xᵢ, xᵢ). Without a radius, the value holds given these rows and is not certified.

    >>> print(gaussian_kernel(2, np.full(10_000, 0.5)))
    G(H) at most 141.4 for 10,000 rows (norm times trace), not certified
    """
    return _data_norms(
        norm, np.asarray(diagonal, dtype=np.float64), radius, delta, "norm times trace"
    )


def gaussian_finite(size: int, scores: tuple[float, float], rows: int) -> GaussianComplexity:
    """Return (b/2)√(2N ln K), for K scorers with values in an interval of length b (Massart 2000).

    >>> print(gaussian_finite(10, (0, 1), 10_000))
    G(H) at most 107.3 for 10,000 rows (finite class)
    """
    log_size = math.log(whole(size, "size"))
    bound = _length(scores) / 2 * math.sqrt(2 * whole(rows, "rows") * log_size)
    return GaussianComplexity(bound, bound, int(rows), "finite class")


def gaussian_monte_carlo(
    scores: ArrayLike,
    score_range: tuple[float, float] | None = None,
    delta: float = 0.005,
    *,
    draws: int = 1000,
    seed: int = 0,
) -> GaussianComplexity:
    """Estimate G(H) for a finite list of scorers by the mean of max_h Σᵢ γᵢ h(xᵢ) over random γ.

    ``scores`` has one row per scorer and one column per row of the data; the list was fixed before
    the data. The mean of R ``draws`` is more than L√(2 ln(1/δ)/R) too small with probability at
    most δ, with L = max_h ‖h(x)−v(x)‖ and v the midpoint of all scorers (Gaussian concentration).

    ``score_range`` is an interval of length b that contains every possible score. The expectation
    over rows is then at most b√(N ln(1/δ)/π) larger (McDiarmid), and ``gaussian_finite`` caps the
    sum; each step uses half of ``delta``. Without ``score_range`` the result is not certified.

    >>> rng = stream(1)
    >>> bound = gaussian_monte_carlo(rng.random((3, 1000)), (0, 1))
    >>> round(bound.estimate, 1), round(bound.std_error, 1), round(bound.upper, 1)
    (7.7, 0.1, 23.4)
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise InputError(
            "scores need one row per scorer and one column per row of data", value=table.shape
        )
    if not np.isfinite(table).all():
        raise InputError("a score that enters a complexity must be finite", where="scores")
    size, rows = table.shape
    centred = table - (table.max(axis=0) + table.min(axis=0)) / 2
    maxima = _maxima(centred, whole(draws, "draws", 2), seed)
    estimate, std_error = float(maxima.mean()), float(maxima.std(ddof=1) / math.sqrt(draws))
    steepness = float(np.sqrt(np.einsum("ij,ij->i", centred, centred)).max())
    log_term = math.log((1 if score_range is None else 2) / check_delta(delta))
    upper = estimate + steepness * math.sqrt(2 * log_term / draws)
    if score_range is not None:
        if table.min() < score_range[0] or table.max() > score_range[1]:
            raise InputError(
                "a score lies outside the range of all scores", where="score_range",
                value=score_range,
            )  # fmt: skip
        upper += _length(score_range) * math.sqrt(rows * log_term / math.pi)
        upper = min(upper, float(gaussian_finite(size, score_range, rows)))
    return GaussianComplexity(
        upper,
        estimate,
        rows,
        f"Monte Carlo, {draws:,} draws",
        delta=delta,
        certified=score_range is not None,
        assumptions=() if score_range is not None else (_TYPICAL,),
        std_error=std_error,
    )


def _maxima(scores: _FLOATS, draws: int, seed: int) -> _FLOATS:
    random = stream(seed)
    per_block = max(1, _BLOCK // scores.shape[1])
    maxima = []
    for start in range(0, draws, per_block):
        gammas = random.standard_normal((min(per_block, draws - start), scores.shape[1]))
        maxima.append((gammas @ scores.T).max(axis=1))
    return np.concatenate(maxima)


def _data_norms(
    norm: float, squares: _FLOATS, radius: float | None, delta: float, method: str
) -> GaussianComplexity:
    if squares.ndim != 1 or not squares.size:
        raise InputError("one number a row is needed", where=method, value=squares.shape)
    bad = np.flatnonzero(~(np.isfinite(squares) & (squares >= 0)))
    if bad.size:
        raise InputError(
            "a squared norm must be finite and not negative",
            where=f"{method}, row {bad[0]}",
            value=float(squares[bad[0]]),
        )
    rows, mean = len(squares), float(squares.mean())
    estimate = _check(norm, "norm") * math.sqrt(rows * mean)
    if radius is None:
        return GaussianComplexity(
            estimate, estimate, rows, method, certified=False, assumptions=(_TYPICAL,)
        )
    most = _check(radius, "radius") ** 2
    if squares.max() > most * (1 + 1e-12):
        raise InputError(
            "a row lies outside the radius",
            where=f"{method}, row {int(squares.argmax())}",
            value=math.sqrt(float(squares.max())),
            fix="give a radius that contains every possible row",
        )
    mean = min(most, mean + most * math.sqrt(-math.log(check_delta(delta)) / (2 * rows)))
    return GaussianComplexity(norm * math.sqrt(rows * mean), estimate, rows, method, delta=delta)


def _length(scores: tuple[float, float]) -> float:
    low, high = scores
    if not -math.inf < low < high < math.inf:
        raise InputError("a range of scores needs two finite ends", value=scores, fix="use (0, 1)")
    return float(high - low)


def _check(value: float, name: str, least: float = 5e-324) -> float:
    if not (is_number(value) and least <= value < math.inf):
        raise InputError(
            f"{name} must be finite and {'not negative' if least == 0.0 else 'above zero'}",
            value=value,
        )
    return float(value)

"""The tests that all values are equal, and the variance of rows that a sample lacks."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Compared, Tested
from rocsolid.comparison.redraws import share_as_extreme
from rocsolid.dataclass import dataclass
from rocsolid.intervals.means.tail import SAME
from rocsolid.remarks.comparisons import NO_VARIANCE as COMPARISONS_NO_VARIANCE
from rocsolid.remarks.comparisons import STILL_SYSTEM, LowRank, ScoresAlike, StuckTest
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Omnibus, OmnibusDrawn, OmnibusF
from rocsolid.summaries.strata import NO_VARIANCE, Parts, rounding
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]


def unseen(values: _FLOATS, covariance: _FLOATS, smaller: _FLOATS) -> _FLOATS:
    """Return the addition to DeLong's covariance of AUCs; leading axes are data sets.

    A score that misplaces one positive in twenty misplaces none of thirty in a fifth of all
    samples, and DeLong's variance is then zero. With k rows in the smaller class, u = k·min(Â, 1 −
    Â) rows are misplaced. λ = k²Var/u, from 0 to 1, is near 1 if whole rows are at the wrong end.
    In units of 1/k², each variance is raised to the larger of

    - Var + λ⁴: one more row like the observed misplaced rows;
    - (1 − u/2)³ for u < 2: misplaced rows that the sample lacks.

    Correlations stay the same. The terms were chosen by simulation: false alarms for scores of
    different shape near 1 fall from 20 % to at most 5 %, for .02 of power with fifty rows in each
    class (`benchmarks/comparing.md`).

    >>> alike = np.diag([1e-3, 1e-3])
    >>> unseen(np.array([0.8, 0.8]), alike, np.array([100.0, 100.0])).diagonal()
    array([6.25e-06, 6.25e-06])
    >>> unseen(np.array([0.95, 1.0]), np.diag([2e-4, 0.0]), np.array([30.0, 30.0])).diagonal()
    array([2.30...e-07, 1.11...e-03])
    """
    variance = covariance.diagonal(axis1=-2, axis2=-1)
    variance = np.where(variance > NO_VARIANCE, variance, 0.0)
    misplaced = smaller * np.minimum(values, 1.0 - values)
    square = smaller**2
    shown = variance * square
    whole = shown / np.maximum(np.maximum(misplaced, shown), 1e-300)
    raised = np.maximum(
        variance + whole**4 / square, np.maximum(1.0 - misplaced / 2.0, 0.0) ** 3 / square
    )
    ratio = np.sqrt(raised / np.where(variance > 0.0, variance, 1.0))
    joint = covariance * ratio[..., :, None] * ratio[..., None, :]
    own = np.arange(variance.shape[-1])
    joint[..., own, own] = raised
    return np.asarray(joint - covariance)


def added(more: _FLOATS, varies: NDArray[np.bool_]) -> _FLOATS:
    difference = more[1:, 1:] - more[1:, :1] - more[:1, 1:] + more[0, 0]
    eigenvalues, vectors = np.linalg.eigh(np.where(np.outer(varies, varies), difference, 0.0))
    return np.asarray((vectors * np.clip(eigenvalues, 0.0, None)) @ vectors.T)


def anova_type(differences: _FLOATS, parts: Parts, unseen: _FLOATS) -> OmnibusF:
    """Test F = Σ(x_i − x̄)²/tr S on tr²S/tr S² and ν·tr²S/tr S² degrees of freedom.

    S is the covariance of the k values minus their mean (Box, Annals of Mathematical Statistics 25
    (1954), 290-302; for the estimates Brunner, Dette and Munk, Journal of the American Statistical
    Association 92 (1997), 1494-1502). ``differences`` are x_2, ..., x_k minus x_1, and ``parts`` is
    their covariance. ``unseen`` is added to S but does not change ν = tr²(ΣS_c)/Σ_c(tr²S_c/ν_c).
    With one part this is the F test of a repeated-measures ANOVA with the factor of Greenhouse and
    Geisser (Psychometrika 24 (1959), 95-112). The test is valid for any number of values.

    >>> one = anova_type(np.array([0.1]), Parts((np.array([[0.0025]]),), (9.0,)), np.zeros((1, 1)))
    >>> round(one.statistic, 6), one.df, round(one.df2, 6)
    (4.0, 1.0, 9.0)
    """
    from scipy.special import fdtrc

    k = len(differences) + 1
    centre = np.eye(k)[:, 1:] - 1.0 / k
    spread = [centre @ covariance @ centre.T for covariance in parts.covariances]
    whole = np.asarray(sum(spread) + centre @ unseen @ centre.T)
    between, trace = float(np.sum((centre @ differences) ** 2)), float(np.trace(whole))
    if not trace > 0.0:
        p = 1.0 if between == 0.0 else math.nan
        return OmnibusF(0.0 if between == 0.0 else math.nan, 0.0, p, _NAME, math.nan)
    df = trace**2 / float(np.sum(whole**2))
    traces = [float(np.trace(covariance)) for covariance in spread]
    each = sum(size**2 / nu for size, nu in zip(traces, parts.known, strict=True))
    df2 = df * min(sum(traces) ** 2 / each, parts.most)
    statistic = between / trace
    return OmnibusF(statistic, df, float(fdtrc(df, df2, statistic)), _NAME, df2)


_NAME = "anova-type"


_RANK = 1e-10  # smaller eigenvalues of a correlation matrix are rounding errors


def welch(means: _FLOATS, own: _FLOATS, sizes: tuple[int, ...]) -> tuple[OmnibusF, list[Remark]]:
    """Test that means of independent samples are equal (Welch, Biometrika 38 (1951), 330-336).

    ``own`` contains the variances of the means, and ``sizes`` the numbers of queries.
    """
    from scipy.special import fdtrc

    size, k = np.array(sizes, dtype=np.float64), len(means)
    if not np.all(own > 0.0):
        return OmnibusF(math.nan, k - 1, math.nan, "welch", math.nan), [StuckTest(STILL_SYSTEM)]
    weight = 1.0 / own
    share = weight / weight.sum()
    between = weight @ (means - share @ means) ** 2 / (k - 1.0)
    lack = float(np.sum((1.0 - share) ** 2 / (size - 1.0)))
    statistic = float(between / (1.0 + 2.0 * (k - 2.0) / (k**2 - 1.0) * lack))
    df2 = (k**2 - 1.0) / (3.0 * lack)
    return OmnibusF(statistic, k - 1, float(fdtrc(k - 1, df2, statistic)), "welch", df2), []


def of_one_contrast(tested: Tested) -> Omnibus:
    """Convert the two-sided test of the only pair to a test of equality with the same p-value.

    A t statistic becomes F = t², and a normal statistic χ² = z².
    """
    statistic, p = tested.statistic, tested.p_value
    if tested.draws is not None:
        method = "curves" if math.isnan(tested.std_error) else "max-t"
        return OmnibusDrawn(abs(statistic), 1, p, method, tested.draws)
    if tested.df is not None:
        return OmnibusF(statistic**2, 1, p, "hotelling", tested.df)
    return Omnibus(statistic**2, 1, p, "chi2")


def largest_t(
    compared: Compared, std_errors: _FLOATS, drawn: _FLOATS, *, exact: bool = False
) -> tuple[Omnibus, list[Remark]]:
    """Test the largest |t| of all pairs against the largest in each row of ``drawn`` statistics."""
    df, draws = len(compared.names) - 1, 0 if exact else len(drawn)
    varies = std_errors > 0.0
    stuck = ~varies & (np.abs(compared.differences) > rounding(compared.span))
    if stuck.any():
        unknown = OmnibusDrawn(math.nan, df, math.nan, "max-t", draws)
        return unknown, [StuckTest(COMPARISONS_NO_VARIANCE)]
    if not varies.any():
        return OmnibusDrawn(0.0, 0, 1.0, "max-t", draws), []
    observed = float(np.max(np.abs(compared.differences[varies]) / std_errors[varies]))
    p = share_as_extreme(observed, np.abs(drawn).max(axis=1), "greater")
    return OmnibusDrawn(observed, df, p, "max-t", draws), []


def hotelling_f(
    compared: Compared, parts: Parts | None = None, *, with_unseen: bool = True
) -> tuple[Omnibus, list[Remark]]:
    """Test F = (ν − q + 1)/(νq)·dᵀC⁺d on q and ν − q + 1 degrees of freedom, with remarks.

    d are the differences from the first value, C is their covariance including `unseen` rows, and q
    is its rank. ν are the degrees of freedom of Krishnamoorthy and Yu (Statistics and Probability
    Letters 66 (2004), 161-169) for a covariance that is a sum of ``parts``, by default one for each
    class. Where ν < 2q, or a part has fewer degrees of freedom than q, C cannot be inverted
    reliably, and `anova_type` replaces F.
    """
    from scipy.special import fdtrc

    differences = compared.values[1:] - compared.values[0]
    parts = parts or compared.against_first()
    more = np.zeros_like(parts.total)
    if with_unseen:
        more = added(compared.unseen, np.diag(parts.total) > compared.negligible)
    axes = _Axes.of(differences, parts.total + more, compared.negligible)
    if axes.stuck:
        return OmnibusF(math.nan, axes.rank, math.nan, "hotelling", math.nan), [
            StuckTest(COMPARISONS_NO_VARIANCE)
        ]
    if axes.rank == 0:
        return OmnibusF(0.0, 0, 1.0, "hotelling", math.nan), axes.remarks()
    q, nu = axes.rank, _df(axes, parts)
    if nu < 2.0 * q or min(parts.known) < q:
        return anova_type(differences, parts, more), axes.remarks()
    statistic = axes.squared * (nu - q + 1.0) / (nu * q)
    p = float(fdtrc(q, nu - q + 1.0, statistic))
    return OmnibusF(statistic, q, p, "hotelling", nu - q + 1.0), axes.remarks()


def chi_square(compared: Compared) -> tuple[Omnibus, list[Remark]]:
    """Test dᵀC⁺d on rank(C) degrees of freedom: DeLong et al. 1988, equation 5.

    The test treats C as known. With 20 positives and 200 negatives it rejects the equality of 10
    equal scores in 26 % of cases, and of 20 in 74 %.
    """
    from scipy.special import chdtrc

    differences = compared.values[1:] - compared.values[0]
    axes = _Axes.of(differences, compared.against_first().total, compared.negligible)
    if axes.stuck:
        return Omnibus(math.nan, axes.rank, math.nan, "chi2"), [StuckTest(COMPARISONS_NO_VARIANCE)]
    p = float(chdtrc(axes.rank, axes.squared)) if axes.rank else 1.0
    return Omnibus(axes.squared, axes.rank, p, "chi2"), axes.remarks()


@dataclass(frozen=True, slots=True, eq=False)
class _Axes:
    """Differences along the ``rank`` axes on which they vary, by a pseudo-inverse.

    ``squared`` is dᵀC⁺d. ``stuck`` is true if a nonzero difference has no variance, and so is
    outside the range of C.
    """

    scaled: _FLOATS
    squared: float
    stuck: bool

    @classmethod
    def of(cls, differences: _FLOATS, covariance: _FLOATS, negligible: float) -> _Axes:
        error = np.sqrt(np.diag(covariance))
        error[error <= math.sqrt(negligible)] = np.inf  # a row and column of zeros
        eigenvalues, vectors = np.linalg.eigh(covariance / np.outer(error, error))
        kept = eigenvalues > _RANK
        along = vectors.T @ np.where(np.isinf(error), 0.0, differences / error)
        outside = np.abs(along[~kept]).max(initial=0.0) > 1e-4 * (1.0 + np.abs(along).max())
        return cls(
            vectors[:, kept] / np.sqrt(eigenvalues[kept]) / error[:, None],
            float(np.sum(along[kept] ** 2 / eigenvalues[kept])),
            bool(outside or (np.isinf(error) & (differences != 0.0)).any()),
        )

    @property
    def rank(self) -> int:
        return int(self.scaled.shape[1])

    def remarks(self) -> list[Remark]:
        differences = len(self.scaled)
        if self.rank == 0 and differences == 1:
            return [ScoresAlike()]
        if self.rank == differences:
            return []
        return [LowRank(differences, self.rank)]


def _df(axes: _Axes, parts: Parts) -> float:
    """Return (tr G² + tr²G)/Σ_c(tr G_c² + tr²G_c)/ν_c, with G the covariance along the axes."""

    def size(covariance: _FLOATS) -> float:
        along = axes.scaled.T @ covariance @ axes.scaled
        return float(np.sum(along**2) + np.trace(along) ** 2)

    each = sum(size(part) / df for part, df in zip(parts.covariances, parts.known, strict=True))
    return min(size(parts.total) / each, parts.most)


_CELLS = 1 << 21


def largest_gaps(matrix: _FLOATS, resamples: int, seed: int) -> _FLOATS:
    """Return the largest difference of means in the data, then in each of B resamples.

    The values of each query are permuted among the systems (Carterette, ACM Transactions on
    Information Systems 30 (2012), 4, section 4.3).
    """
    values = matrix.T
    gaps = np.empty(resamples + 1)
    gaps[0] = np.ptp(matrix.mean(axis=1))
    many = max(1, _CELLS // values.size)
    for start in range(1, resamples + 1, many):
        stop = min(start + many, resamples + 1)
        dealt = np.repeat(values[None], stop - start, axis=0)
        stream(seed, 2, start).permuted(dealt, axis=2, out=dealt)
        gaps[start:stop] = np.ptp(dealt.mean(axis=1), axis=1)
    return gaps


def p_values(gaps: _FLOATS, differences: _FLOATS, largest: float) -> _FLOATS:
    """Return the share of gaps that reach each difference, up to rounding of ``largest``."""
    ordered = np.sort(gaps)
    below = np.searchsorted(ordered, np.abs(differences) - SAME * largest)
    return np.asarray((gaps.size - below) / gaps.size)

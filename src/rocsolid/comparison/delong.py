"""DeLong's test and the bootstrap as in pROC."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.replicates import replicates, table_replicates
from rocsolid.comparison.compared import (
    Outcome,
    Question,
    StudentsT,
    Tested,
    errors,
    p_value,
    student,
    within,
    without_variance,
)
from rocsolid.comparison.omnibus import chi_square, hotelling_f
from rocsolid.comparison.rows import PAIRED, READS, UNPAIRED, ComparedRows
from rocsolid.comparison.rows import SOURCE as COMPARED_ROWS_SOURCE
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Omnibus
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import Apart, Parts, Replicated, skewness
from rocsolid.summaries.stream import stream


def delong(compared: ComparedRows, question: Question) -> Outcome:
    """Test (Δ̂ − null)/√Var for each pair; the interval is Δ̂ ± quantile·√Var, cut to [−1, 1].

    For paired rows (DeLong et al. 1988, equation 5), Var is S_aa + S_bb − 2S_ab and the reference
    is normal. With clusters it is t, with one degree of freedom less than there are clusters. For
    unpaired rows as in pROC, Var is S_a + S_b and the reference is t with (S_a +
    S_b)²/(S_a²/(N_a−1) + S_b²/(N_b−1)) degrees of freedom. N is the number of rows, of clusters, or
    of effective rows under weights.

    Two scores with the same placements have no variance: p is 1 if the difference is ``null``, and
    unknown otherwise. With few rows in a class the test is liberal: 12 % false alarms at 5 % with 5
    + 500 rows, and up to 20 % near an AUC of 1. Prefer Student's t.
    """
    errors(compared)  # rejects a class of one unit
    variance, _ = compared.variance_and_df
    words = StudentsT("delong", "delong", "delong", PAIRED, COMPARED_ROWS_SOURCE, READS)
    if not compared.paired:
        words = replace(words, interval="delong (unpaired)", assumptions=UNPAIRED)
    tested = [
        student(compared.difference(i, j), float(each), _df(compared, i, j), question, words)
        for (i, j), each in zip(compared.pairs(), variance, strict=True)
    ]
    return Outcome(tested, compared, "delong", joint=partial(_all_equal, compared))


def _all_equal(compared: ComparedRows) -> tuple[Omnibus, list[Remark]]:
    """Use χ² where pairs have a normal reference, else F with the degrees of freedom of their t."""
    parts, df = compared.against_first(), np.array(compared.units) - 1.0
    if compared.paired and compared.clusters[0] is None:
        return chi_square(compared)
    known = (float(df[0]),) if compared.paired else tuple(df.tolist())
    covariances = (parts.total,) if compared.paired else parts.covariances
    return hotelling_f(compared, Parts(covariances, known), with_unseen=False)


def _df(compared: ComparedRows, i: int, j: int) -> float | None:
    if compared.paired:
        return None if compared.clusters[i] is None else compared.units[i] - 1.0
    a, b = (float(v) for v in np.diag(compared.covariance)[[i, j]])
    if not a + b > 0.0:
        return math.nan if math.isnan(a + b) else compared.units[i] + compared.units[j] - 2.0
    a, b = a / (a + b), b / (a + b)  # shares, so that squares of small variances do not underflow
    return 1.0 / (a * a / (compared.units[i] - 1.0) + b * b / (compared.units[j] - 1.0))


_SAMPLES = 3  # the random stream for the seeds of independent samples


def resampled(
    measure: BinaryMeasure, rows: Sequence[BinaryRows], paired: bool, resamples: int, seed: int
) -> _FLOATS:
    """Return a row of values for each resample, with a column for each of ``rows``.

    Resampling is stratified by class, unless the measure treats all rows as one sample or there are
    clusters. Paired rows share each resample.
    """
    if paired:
        return _together(measure, rows, resamples, seed)
    seeds = [int(stream(seed, _SAMPLES, i).integers(1 << 62)) for i in range(len(rows))]
    columns = [
        _together(measure, [part], resamples, own) for part, own in zip(rows, seeds, strict=True)
    ]
    return np.hstack(columns)


def _together(
    measure: BinaryMeasure, rows: Sequence[BinaryRows], resamples: int, seed: int
) -> _FLOATS:
    values = [value for scored in rows if (value := measure.of_table(scored)) is not None]
    if not values:
        return replicates(rows, resamples=resamples, seed=seed)
    scheme = "plain" if measure.of_rows and rows[0].cluster is None else None
    # the seed and the shared rows determine the draws, so scores can be resampled one at a time
    return np.column_stack(
        [
            table_replicates(
                scored, value, resamples=resamples, seed=seed, merged=measure.merged, scheme=scheme
            )
            for scored, value in zip(rows, values, strict=True)
        ]
    )


_FLOATS = NDArray[np.float64]
SOURCE = (
    "Robin et al., BMC Bioinformatics 12 (2011), 77 (pROC) for the test; Efron, Journal of the "
    "American Statistical Association 82 (1987), 171-185 (BCa)"
)
_ASSUMPTIONS = ("rows independent, or clusters where they are given", "some tens of rows a class")


def bootstrap_percentile(compared: ComparedRows, question: Question) -> Outcome:
    """Test (Δ̂ − null)/sd(Δ̂*); the interval is between quantiles of the resampled differences Δ̂*.

    The statistic and its normal reference are those of pROC's `roc.test(method="bootstrap")`. With
    clusters the reference is t, with one degree of freedom less than there are clusters.
    """
    return _bootstrap(compared, question, "bootstrap-percentile")


def bootstrap_bca(compared: ComparedRows, question: Question) -> Outcome:
    """Test as `bootstrap_percentile` does, with Efron's (1987) bias-corrected and accelerated
    interval.

    The quantiles are shifted by z₀ = Φ⁻¹(share of Δ̂* below Δ̂, ties half) and by the acceleration
    a = Σp³/(6(Σp²)^{3/2}), with p each row's influence on the difference.
    """
    return _bootstrap(compared, question, "bootstrap-bca")


def _bootstrap(compared: ComparedRows, question: Question, method: str) -> Outcome:
    if question.resamples < 2:
        raise InputError(
            "a spread needs at least two resamples", where="resamples", value=question.resamples
        )
    formula = compared.spread
    accelerated = method == "bootstrap-bca"
    if accelerated and (formula is None or not formula.strata):
        raise UnsoundError(
            f"the BCa interval needs each row's influence, but {compared.measure.name} has none",
            where="test",
            fix='use test="bootstrap-percentile"',
        )
    values = resampled(
        compared.measure, compared.rows, compared.paired, question.resamples, question.seed
    )
    variances = values.var(axis=0, ddof=1)
    # with clusters, the degrees of freedom of a pair; else the size of the smaller class minus one,
    # because there may be no formula for the contribution of each class
    known = tuple(
        Spread.of(rows, [np.zeros(len(rows))]).smaller - 1.0
        if rows.cluster is None
        else float(rows.cluster.max())
        for rows in compared.rows
    )
    df = min(
        (float(rows.cluster.max()) for rows in compared.rows if rows.cluster is not None),
        default=None,
    )
    measured = replace(
        compared,
        spread=Replicated(values, min(known))
        if compared.paired
        else Apart(tuple(variances.tolist()), known),
    )
    tested = []
    shifts = np.zeros(len(compared.pairs()))
    if accelerated and formula is not None:
        shifts = skewness(formula.strata, compared.pair_places) / 6.0
    for (i, j), variance, acceleration in zip(
        compared.pairs(), measured.variance_and_df[0].tolist(), shifts.tolist(), strict=True
    ):
        difference = measured.difference(i, j)
        if variance == 0.0:
            tested.append(without_variance(difference, df, question))
            continue
        drawn = values[:, i] - values[:, j]
        shift = (0.0, 0.0)
        if accelerated:
            shift = (_bias(drawn, difference), acceleration)
        low, high = _limits(drawn, question, *shift)
        error = math.sqrt(variance)
        statistic = (difference - question.null) / error
        made = f"{question.resamples:,} resamples, seed {question.seed}"
        tested.append(
            Tested(
                error,
                statistic,
                df,
                p_value(statistic, df, question.alternative),
                within(low, high, question, method, (*_ASSUMPTIONS, made), SOURCE),
            )
        )
    # resamples contain no unseen rows, so neither the pairs nor the joint test add them
    joint = (
        partial(hotelling_f, measured, with_unseen=False)
        if compared.paired
        else partial(measured.all_equal, question)
    )
    return Outcome(tested, measured, "bootstrap", joint, method)


def _bias(drawn: _FLOATS, difference: float) -> float:
    """Return z₀; an added resample, half on each side, keeps it finite."""
    from scipy.special import ndtri

    below = np.count_nonzero(drawn < difference) + 0.5 * np.count_nonzero(drawn == difference)
    return float(ndtri((below + 0.5) / (len(drawn) + 1.0)))


def _limits(
    drawn: _FLOATS, question: Question, bias: float, acceleration: float
) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    upper = tail(question.level, question.alternative)
    z = bias + ndtri(np.array([1.0 - upper, upper]))
    # in the far tail the acceleration would swap the ends
    moved = bias + z / np.maximum(1.0 - acceleration * z, 1e-3)
    low, high = np.quantile(drawn, ndtr(moved))
    return float(low), float(high)

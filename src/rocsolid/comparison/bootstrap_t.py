"""The studentised bootstrap: one inference for every pair, all of them together, and ranks."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Compared, Outcome, Tested
from rocsolid.comparison.exchanges import extremeness, farthest, share_as_extreme
from rocsolid.comparison.question import Question
from rocsolid.comparison.redraws import ASSUMPTIONS, SOURCE, drawn_statistics
from rocsolid.comparison.student import errors, within, without_variance
from rocsolid.errors import InputError, UnsoundError
from rocsolid.remarks.comparisons import NO_VARIANCE, StuckTest
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Omnibus, OmnibusDrawn
from rocsolid.summaries.parts import rounding

_FLOATS = NDArray[np.float64]
METHOD = "bootstrap-t"
_STATISTICS, _LEAST_DRAWS = 1 << 25, 999  # statistics kept, and draws whatever they take


def bootstrap_t(compared: Compared, question: Question) -> Outcome:
    """(Δ̂ − null)/SE of each pair against (Δ* − Δ̂)/SE* of units drawn anew (Hall 1992).

    Two-sided intervals are Δ̂ ± quantile of |t*|·SE. That all are equal is tested by the largest |t|
    of all pairs.
    """
    spread = compared.known
    if not spread.strata:
        raise UnsoundError(
            "the studentised bootstrap needs the influence of every unit",
            where="test",
            value=METHOD,
            fix='use test="bootstrap" with the rows in memory',
        )
    if question.resamples < 2:
        raise InputError(
            "a spread needs at least two resamples", where="resamples", value=question.resamples
        )
    std_errors, _ = errors(compared)
    side = question.alternative
    varies, places = std_errors > 0.0, compared.pair_places
    count = min(question.resamples, max(_LEAST_DRAWS, _STATISTICS // len(varies)))
    drawn = np.vstack(list(drawn_statistics(spread.strata, places, varies, count, question.seed)))
    statistics = (compared.differences - question.null) / np.where(varies, std_errors, 1.0)
    assumed = (
        *compared.students_t.assumptions[:-1],
        *ASSUMPTIONS[1:],
        f"{count:,} resamples, seed {question.seed}",
    )
    tested = []
    for number, difference in enumerate(compared.differences.tolist()):
        if not varies[number]:
            tested.append(without_variance(difference, None, question))
            continue
        error, own = float(std_errors[number]), drawn[:, number]
        half = farthest(own, question.level, side) * error
        tested.append(
            Tested(
                error,
                float(statistics[number]),
                None,
                share_as_extreme(float(statistics[number]), own, side),
                within(
                    difference - half, difference + half, question, METHOD, assumed, SOURCE,
                    compared.students_t.reads,
                ),
                count,
            )
        )  # fmt: skip
    return Outcome(
        tested, compared, METHOD, partial(_all_equal, compared, std_errors, drawn), METHOD,
        extremeness(drawn, side), extremeness(statistics, side), redrawn=drawn,
        least_p=1.0 / (1.0 + count),
    )  # fmt: skip


def _all_equal(
    compared: Compared, std_errors: _FLOATS, drawn: _FLOATS
) -> tuple[Omnibus, list[Remark]]:
    """How often the largest |t*| of all pairs reaches the largest |t|."""
    varies = std_errors > 0.0
    stuck = ~varies & (np.abs(compared.differences) > rounding(compared.span))
    if stuck.any():
        return OmnibusDrawn(math.nan, len(compared.names) - 1, math.nan, "max-t", len(drawn)), [
            StuckTest(NO_VARIANCE)
        ]
    if not varies.any():
        return OmnibusDrawn(0.0, 0, 1.0, "max-t", len(drawn)), []
    largest = np.abs(drawn).max(axis=1)
    observed = float(np.max(np.abs(compared.differences[varies]) / std_errors[varies]))
    p = share_as_extreme(observed, largest, "greater")
    return OmnibusDrawn(observed, len(compared.names) - 1, p, "max-t", len(drawn)), []

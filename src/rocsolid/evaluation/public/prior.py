"""A reader with a prior: how far a page raises the odds of a label that a model had predicted."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.draws import Draws, drawn, upper_limit
from rocsolid.evaluation.public.exact_readers import page_question
from rocsolid.evaluation.public.exposure_limits import Known, Limits
from rocsolid.evaluation.public.likely import LabelModel, label_model
from rocsolid.evaluation.public.many_pages import in_integers
from rocsolid.evaluation.public.relabelled import row_of_value, unit_of_row
from rocsolid.evaluation.public.together import Joined, drawn_together, joint_model
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.leaks.curve_exposure import RankedUnits, curve_exposure

_BOOLS = NDArray[np.bool_]
_FLOATS = NDArray[np.float64]

LISTED = 5
"""The labels whose prior and posterior are listed."""
_NUMBERS: dict[Known, str] = {
    "exact": "exact",
    "drawn": "at most, by drawn labelings",
    "independent": "about, by an attack that draws labels or treats them as independent",
}


def prior_of(evaluation: EvaluationNumbers, values: Any) -> _FLOATS:
    """Return the prior probability of a positive label of each unit, from a value of each row."""
    rows = row_of_value(evaluation, values, "prior")
    given = np.asarray(values, dtype=np.float64)[rows >= 0]
    wrong = ~((given > 0.0) & (given < 1.0))
    if wrong.any():
        raise InputError(
            "a prior is a probability above 0 and below 1", where="prior",
            value=float(given[wrong][0]), fix="use calibrated probabilities, without 0 and 1",
        )  # fmt: skip
    unit = unit_of_row(evaluation)[rows[rows >= 0]]
    prior = np.full(int(unit.max()) + 1, math.nan)
    prior[unit] = given
    if (prior[unit] != given).any():
        raise _different()
    return prior


def joint_prior(prior: _FLOATS, unit: NDArray[np.intp], units: int) -> _FLOATS:
    """Return the prior of the ``units`` of a table and its earlier publications.

    ``unit`` is the common unit of each unit of the table.
    """
    joint = np.full(units, math.nan)
    joint[unit] = prior
    if (joint[unit] != prior).any():
        raise _different()
    if np.isnan(joint).any():
        raise InputError(
            "earlier publications in the ledger are about rows that are not in this table, and "
            "have no prior",
            where="prior", value=int(np.isnan(joint).sum()),
            fix="leave the prior out, or publish a table with all rows of the earlier publications",
        )  # fmt: skip
    return joint


def _different() -> InputError:
    return InputError(
        "rows that share a label have different priors", where="prior",
        fix="give all rows of a unit the same probability",
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class PriorExposure:
    """The inference of a reader whose prior is that labels are independent with these
    probabilities.

    ``before`` and ``after`` are the probabilities of a positive label of the most raised labels,
    ``factor`` the largest factor by which the odds of a label rise or fall, and ``above`` the
    number of labels with a factor above the limit, L/(1 − L) for a largest posterior L: a label
    with a prior of one half would then be likelier than L. An exact factor is ``for_numbers`` of
    the page, or for all. ``pages`` is the number of earlier publications that the reader has.
    """

    before: _FLOATS
    after: _FLOATS
    factor: float
    above: int
    how: Known
    limits: Limits
    for_numbers: str = ""
    pages: int = 0

    @property
    def holds(self) -> bool:
        return self.above <= self.limits.exposed

    @property
    def sentence(self) -> str:
        change = "the page changes"
        if self.pages:
            change = "the page and the earlier publications about its rows change"
        return (
            f"For a reader who believed the prior, {change} the odds of a label by a factor of "
            f"{number(self.factor)} ({_NUMBERS[self.how]}{self.for_numbers}); the limit is "
            f"{number(odds_limit(self.limits))}."
        )


def number(factor: float) -> str:
    """Write a factor with three digits, rounded up.

    >>> number(12.3401), number(0.0123401), number(math.inf)
    ('12.4', '0.0124', 'infinity')
    """
    if not 0.0 < factor < math.inf:
        return "infinity" if factor else "0"
    unit = 10.0 ** (math.floor(math.log10(factor)) - 2)
    return f"{math.ceil(factor / unit - 1e-9) * unit:.3g}"


def odds_limit(limits: Limits) -> float:
    return math.inf if limits.posterior == 1.0 else limits.posterior / (1.0 - limits.posterior)


def prior_exposure(page: Candidate, prior: _FLOATS, limits: Limits) -> PriorExposure:
    """Compute the probabilities of a reader of the page: exactly for the class sizes, the value and
    the curve of one score, else by drawn labelings of the page or an attack.
    """
    question = page_question(page)
    exact = None if question is None else _counted(*question, prior, limits)
    if exact is not None:
        return replace(exact, for_numbers=" for the class sizes, the value and the curve")
    model = label_model(page, np.log(_odds(prior)))
    draws = drawn(page, model) if in_integers(page.inside) else None
    return _estimated(model, draws, prior, limits)


def prior_together(joined: Joined, prior: _FLOATS, limits: Limits) -> PriorExposure:
    """Compute the probabilities of a reader of several publications, as for a page."""
    question = joined.by_order()
    exact = None if question is None else _counted(question, joined.order, prior, limits)
    if exact is not None:
        return exact
    model = joint_model(joined, np.log(_odds(prior)))
    return _estimated(model, drawn_together(joined, model), prior, limits)


def prior_of_labelings(labelings: _BOOLS, prior: _FLOATS, limits: Limits) -> PriorExposure:
    """Compute the probabilities of a reader for whom these labelings are left, exactly."""
    odds = _odds(prior)
    logs = labelings @ np.log(odds)
    weight = np.exp(logs - logs.max())
    positive, negative = weight @ labelings, weight @ ~labelings
    with np.errstate(divide="ignore"):
        ratio = positive / negative / odds
    return _exposure(prior, positive / weight.sum(), ratio, "exact", limits)


def worst(exposures: Iterable[PriorExposure]) -> PriorExposure:
    """Return the exposure with the largest factor, and the most labels above the limit."""
    each = list(exposures)
    above = max(exposure.above for exposure in each)
    return replace(max(each, key=lambda exposure: exposure.factor), above=above)


def _counted(
    units: RankedUnits, order: NDArray[np.intp], prior: _FLOATS, limits: Limits
) -> PriorExposure | None:
    odds = _odds(prior)
    # the number of positive rows is known, so that one factor for each row changes nothing
    each = math.exp(float(np.log(odds).sum() / units.rows.sum()))
    exposed = curve_exposure(replace(units, odds=odds[order] / each**units.rows))
    if exposed is None:
        return None
    with np.errstate(divide="ignore"):
        ratio = exposed.positive / exposed.negative / odds[order]
    return _exposure(prior[order], exposed.probability, ratio, "exact", limits)


def _estimated(
    model: LabelModel, draws: Draws | None, prior: _FLOATS, limits: Limits
) -> PriorExposure:
    odds = _odds(prior)
    after, before = model.probability, prior[model.units]
    if draws is not None:
        high = upper_limit(draws.share, draws.count)
        low = 1.0 - upper_limit(1.0 - draws.share, draws.count)
        if (high < 1.0).all() and (low > 0.0).all():
            after = np.where(_odds(high) * _odds(low) > odds**2, high, low)
            return _exposure(prior, after, _odds(after) / odds, "drawn", limits)
        # a label that is the same in all drawn labelings has no bound, but may be certain
        seen = (draws.share * draws.count + 0.5) / (draws.count + 1.0)
        farther = np.abs(np.log(_odds(seen) / odds)) > np.abs(np.log(_odds(after) / odds))
        after = np.where(farther, seen, after)
    return _exposure(before, after, _odds(after) / _odds(before), "independent", limits)


def _odds(p: _FLOATS) -> _FLOATS:
    return p / (1.0 - p)


def _exposure(
    before: _FLOATS, after: _FLOATS, ratio: _FLOATS, how: Known, limits: Limits
) -> PriorExposure:
    with np.errstate(divide="ignore"):
        factor = np.maximum(ratio, 1.0 / ratio)
    most = np.argsort(-factor, kind="stable")[:LISTED]
    above = int(((factor > odds_limit(limits)) | np.isinf(factor)).sum())
    return PriorExposure(
        before[most], after[most], float(factor[most[0]]), above, how, limits,
    )  # fmt: skip

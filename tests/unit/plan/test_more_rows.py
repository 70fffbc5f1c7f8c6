from __future__ import annotations

import math

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.plan import auc_precision
from rocsolid.plan.more_rows import MoreRows
from rocsolid.plan.variances import WHOLE, NormalCurve, mann_whitney
from rocsolid.summaries.moments import Moments

NOW = Moments(0.8, 0.0008, 0.0002, 100.0, 400.0)


def test_delong_is_half_as_wide_with_four_times_the_rows() -> None:
    plan = MoreRows(NOW, "delong")
    one, four = plan.half_widths(np.array([1.0, 4.0]))
    assert one == pytest.approx(1.959964 * math.sqrt(0.001), rel=1e-6)
    assert four == pytest.approx(one / 2, rel=1e-12)
    assert plan.times(one / 2) == pytest.approx(4.0, rel=1e-9)


@pytest.mark.parametrize("interval", ["auto", "delong", "logit-t", "newcombe5", "hanley-mcneil"])
@pytest.mark.parametrize("half_width", [0.05, 0.01, 0.001])
def test_times_reach_the_width_and_no_less_do(interval: str, half_width: float) -> None:
    plan = MoreRows(NOW, interval, 0.9)
    times = plan.times(half_width)
    assert times is not None
    reached, before = plan.half_widths(np.array([times, 0.999 * times]))
    assert reached <= half_width * (1 + 1e-9)
    assert times == 1.0 or before > half_width


@pytest.mark.parametrize("auc", [0.6, 0.8, 0.95])
def test_it_agrees_with_the_plan_for_normal_scores(auc: float) -> None:
    """From the variance that normal scores have with these rows; the term in 1/(mn) is small."""
    parts = mann_whitney(NormalCurve(auc), WHOLE)
    now = Moments(auc, parts.pos / 200, parts.neg / 800, 200.0, 800.0)
    times = MoreRows(now, "logit-t").times(0.01)
    planned = auc_precision(auc=auc, half_width=0.01, prevalence=0.2, interval="logit-t")
    assert times is not None
    assert 200 * times == pytest.approx(planned.n_pos, rel=0.002)


def test_what_is_reached_already_takes_no_more() -> None:
    assert MoreRows(NOW).times(0.4) == 1.0


def test_beyond_what_can_be_planned_there_is_no_number() -> None:
    assert MoreRows(NOW).times(1e-6) is None
    assert MoreRows(Moments(1.0, 0.0, 0.0, 10.0, 10.0), "logit-t").times(0.01) is None


def test_only_the_default_interval_changes_its_formula() -> None:
    times = np.array([0.1, 10.0])
    assert MoreRows(NOW).changes(times)
    assert not MoreRows(NOW).changes(times * 20)
    assert not MoreRows(NOW, "logit-t").changes(times)


def test_an_unknown_interval_is_refused() -> None:
    with pytest.raises(InputError, match="unknown interval"):
        MoreRows(NOW, "bootstrap").half_widths(np.ones(1))

"""A plan at other sizes is the same plan asked again."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.axes import Axes

import rocsolid as rs
from rocsolid.errors import InputError


def points_of(ax: Axes) -> list[tuple[float, float]]:
    return list(zip(*map(list, (ax.lines[0].get_xdata(), ax.lines[0].get_ydata())), strict=True))


def test_the_width_of_an_interval() -> None:
    plan = rs.plan.auc_precision(auc=0.85, half_width=0.04, prevalence=0.25, interval="delong")
    ax = rs.plots.sample_size(plan)
    for rows, half_width in points_of(ax)[::20]:
        again = rs.plan.auc_precision(
            auc=0.85, n_pos=rows / 4, n_neg=3 * rows / 4, interval="delong"
        )
        assert half_width == pytest.approx(again.half_width)
    here, halved = ax.lines[1:]
    assert (list(here.get_xdata()), list(here.get_ydata())) == (
        [plan.n_pos + plan.n_neg], [plan.half_width]
    )  # fmt: skip
    asked = rs.plan.auc_precision(auc=0.85, half_width=0.02, prevalence=0.25, interval="delong")
    assert float(halved.get_xdata()[0]) == pytest.approx(asked.n_pos + asked.n_neg, abs=1)
    assert ax.get_xlabel() == "Rows, 25 % of them positive"


def test_the_power_of_a_test() -> None:
    plan = rs.plan.auc_power(auc=0.75, power=0.8, null=0.7, alternative="greater")
    ax = rs.plots.sample_size(plan)
    for rows, power in points_of(ax)[::20]:
        again = rs.plan.auc_power(
            auc=0.75, n_pos=rows / 2, n_neg=rows / 2, null=0.7, alternative="greater"
        )
        assert power == pytest.approx(again.power)
    assert len(ax.lines) == 2
    assert ax.get_ylim() == (0.0, 1.02)


@pytest.mark.parametrize(
    "plan",
    [
        rs.plan.query_precision(sd=0.2, width=0.05),
        rs.plan.query_power(difference=0.05, sd=0.2, power=0.8),
    ],
)
def test_queries(plan: Any) -> None:
    ax = rs.plots.sample_size(plan)
    value = plan.width if hasattr(plan, "width") else plan.power
    assert float(ax.lines[1].get_ydata()[0]) == value
    assert ax.get_xlabel() == "Queries"
    assert ax.texts[0].get_text().startswith(f"{plan.topics:,} queries")


def test_what_a_few_rows_cannot_say_is_left_out() -> None:
    plan = rs.plan.auc_precision(auc=0.8, n_pos=4, n_neg=4)
    x = [rows for rows, value in points_of(rs.plots.sample_size(plan)) if value == value]
    assert 0 < len(x) <= 61


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="no picture of this plan"):
        rs.plots.sample_size(rs.plan.samples(0.05))  # type: ignore[arg-type]
    part = rs.plan.auc_power(auc=0.8, power=0.8, fpr=0.2)
    with pytest.raises(InputError, match="partial area"):
        rs.plots.sample_size(part)


def test_axes_in_axes_out(axes: Axes) -> None:
    assert rs.plots.sample_size(rs.plan.query_precision(sd=0.2, width=0.05), axes) is axes

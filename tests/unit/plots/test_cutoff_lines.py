"""A measure against its cut-off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

import rocsolid as rs
from rocsolid.errors import InputError

RNG = np.random.default_rng(5)
GRADES = RNG.choice([0, 0, 1, 2], size=(20, 12))
SCORES = GRADES + RNG.normal(size=GRADES.shape)
BY_CUTOFF = {k: rs.ndcg(GRADES, SCORES, k=k) for k in (10, 1, 5)}


def test_one_system() -> None:
    ax = rs.plots.cutoffs(BY_CUTOFF)
    (line,) = ax.lines
    assert list(line.get_xdata()) == [1, 5, 10]
    assert list(line.get_ydata()) == [BY_CUTOFF[k].value for k in (1, 5, 10)]
    limits = [one.get_segments()[0][:, 1].tolist() for one in ax.collections]
    assert limits == [[BY_CUTOFF[k].low, BY_CUTOFF[k].high] for k in (1, 5, 10)]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1", "5", "10"]
    assert ax.get_ylabel() == "nDCG[linear,log2]"


def test_several_systems_stand_beside_each_other_with_their_names() -> None:
    ax = rs.plots.cutoffs({"a": BY_CUTOFF, "b": BY_CUTOFF, "c": BY_CUTOFF})
    assert [text.get_text() for text in ax.texts] == ["a", "b", "c"]
    first, second, third = (np.array(line.get_xdata()) for line in ax.lines)
    assert np.all(first < second)
    assert second == pytest.approx([1, 5, 10])
    assert np.all(second < third)
    heights = sorted(text.xy[1] for text in ax.texts)
    assert np.diff(heights).min() > 0


@pytest.mark.parametrize("wrong", [{}, 3, {1: 0.5}, {"a": {1: 0.5}}, {0: BY_CUTOFF[1]},
                                   {"x": BY_CUTOFF[1]}, {True: BY_CUTOFF[1]}])  # fmt: skip
def test_what_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match="cut-off"):
        rs.plots.cutoffs(wrong)


def test_axes_in_axes_out(axes: Axes) -> None:
    assert rs.plots.cutoffs(BY_CUTOFF, axes) is axes

"""Every row at its probability, certain and known ones told apart."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection

import rocsolid as rs
from rocsolid.errors import InputError

FOUND = rs.leaks.exposure("5/9", [1, 2, 3, 4, 5, 6], n_pos=3, known={0: 1})


def test_the_dots_are_the_probabilities() -> None:
    ax = rs.plots.exposure(FOUND)
    dots = {
        (int(row.get_text()), round(float(y), 12))
        for of in ax.collections
        if isinstance(of, PathCollection)
        for x, y in of.get_offsets().tolist()
        for row in [ax.get_xticklabels()[int(x)]]
    }
    assert dots == {(row, round(p, 12)) for row, p in enumerate(FOUND.probability.tolist())}
    legend = ax.get_legend()
    assert legend is not None
    assert "known beforehand: 1" in [text.get_text() for text in legend.get_texts()]
    assert ax.get_title(loc="left") == f"{len(FOUND.forced)} of 5 unknown labels are certain"


def test_many_rows_are_a_line() -> None:
    found = rs.leaks.exposure("0.8", np.arange(500), n_pos=250, decimals=1, method="asymptotic")
    ax = rs.plots.exposure(found)
    assert list(ax.lines[1].get_ydata()) == sorted(found.probability.tolist(), reverse=True)
    assert ax.get_xlabel() == "Rows, the likeliest positives first"


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match=r"leaks\.exposure"):
        rs.plots.exposure([0.5, 0.5])  # type: ignore[arg-type]


def test_axes_in_axes_out(axes: Axes) -> None:
    assert rs.plots.exposure(FOUND, axes) is axes

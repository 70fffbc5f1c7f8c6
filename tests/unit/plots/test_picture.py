"""The same result gives the same file, whatever the session has set and has drawn before."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from matplotlib.axes import Axes

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.pictures.theme import DARK, LIGHT, look_of, saved

KINDS = ("png", "svg", "pdf")


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bytes_each_time(curve: Any, kind: str) -> None:
    first = rs.plots.roc(curve)
    content = saved(first, kind)
    assert saved(first, kind) == content
    saved(first, "png")  # at another resolution
    assert saved(first, kind) == content
    assert saved(rs.plots.roc(curve), kind) == content


def test_settings_of_the_session_change_nothing_and_are_left_alone(curve: Any) -> None:
    before = saved(rs.plots.roc(curve), "svg")
    changed = {"font.size": 30.0, "axes.facecolor": "red", "svg.hashsalt": "else"}
    with matplotlib.rc_context(changed):
        assert saved(rs.plots.roc(curve), "svg") == before
        assert {name: matplotlib.rcParams[name] for name in changed} == changed


def test_no_date_and_a_title(curve: Any, tmp_path: Path) -> None:
    path = tmp_path / "roc.svg"
    rs.plots.roc({"risk": curve}).figure.savefig(path)
    text = path.read_text(encoding="utf-8")
    assert "<dc:date>" not in text
    assert f"<dc:title>ROC curve of risk, AUC {curve.auc:.4f}</dc:title>" in text
    assert b"CreationDate" not in saved(rs.plots.roc(curve), "pdf")


def test_a_notebook_shows_the_figure(curve: Any) -> None:
    assert rs.plots.roc(curve).figure._repr_png_()[:4] == b"\x89PNG"  # type: ignore[union-attr]


@pytest.mark.slow
def test_no_pyplot() -> None:
    code = (
        "import sys, rocsolid as rs; c = rs.roc([0, 1, 0, 1], [1, 2, 3, 4]); "
        "rs.plots; print('matplotlib' in sys.modules); "
        "rs.plots.roc(c).figure.savefig('/dev/null', format='png'); "
        "print('matplotlib.pyplot' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["False", "False"]


def test_a_figure_of_ours_can_be_changed(curve: Any) -> None:
    ax = rs.plots.roc(curve)
    ax.set_title("Mine", loc="left")
    file = io.BytesIO()
    ax.figure.savefig(file, format="svg", metadata={"Creator": "me"})
    assert b"<dc:title>Mine</dc:title>" in file.getvalue()


def test_the_colours_fit_the_ground(axes: Axes) -> None:
    assert look_of(axes) == LIGHT
    axes.set_facecolor("black")
    assert look_of(axes) == DARK
    axes.set_facecolor("none")
    axes.figure.set_facecolor("#222222")  # type: ignore[union-attr]
    assert look_of(axes) == DARK


def test_axes_must_be_axes(curve: Any) -> None:
    with pytest.raises(InputError, match="matplotlib axes"):
        rs.plots.roc(curve, rs.plots.roc(curve).figure)  # type: ignore[arg-type]

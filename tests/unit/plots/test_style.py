"""The colours are those of the HTML report, and lines are told apart by whoever looks at them."""

from __future__ import annotations

import itertools
import re
from importlib import resources

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from rocsolid.pictures.svg import tint
from rocsolid.pictures.theme import DARK, LIGHT, Look, dashes

# linear RGB as seen without one kind of cone: Machado, Oliveira and Fernandes, IEEE Transactions on
# Visualization and Computer Graphics 15 (2009) 1291-1298, severity 1
VISION = {
    "all cones": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)  # of sRGB, IEC 61966-2-1


@pytest.mark.parametrize(("look", "theme"), [(LIGHT, 0), (DARK, 1)])
def test_as_in_the_report(look: Look, theme: int) -> None:
    css = resources.files("rocsolid.report").joinpath("assets/style.css").read_text("utf-8")
    block = re.findall(r":root \{(.*?)\}", css, re.DOTALL)[theme]
    values = dict(re.findall(r"--(\w+): (#\w+)", block))
    assert look.colours == tuple(values[f"c{i}"] for i in range(6))
    assert (look.ink, look.muted, look.rule, look.faint) == tuple(
        values[name] for name in ("ink", "muted", "rule", "faint")
    )


def lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* of a linear RGB colour; 2.3 of its units are just told apart side by side."""
    x, y, z = np.cbrt(XYZ @ linear / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_with_the_same_dashes_differ_in_colour(look: Look, vision: str) -> None:
    encoded = np.array([to_rgb(look.colour(i)) for i in range(6)])
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    seen = [lab(np.clip(np.asarray(VISION[vision]) @ one, 0.001, 1)) for one in linear]
    for a, b in itertools.combinations(range(6), 2):
        if dashes(a) == dashes(b):
            assert np.linalg.norm(seen[a] - seen[b]) > 10


def test_dashes_as_in_the_report() -> None:
    css = resources.files("rocsolid.report").joinpath("assets/style.css").read_text("utf-8")
    classes = {"-": [], "--": ["d1"], "-.": ["d2"], ":": ["d3"]}
    for i in range(30):
        assert tint(i).split() == [f"c{i % 6}", *classes[dashes(i)]]
    for name in ("d1", "d2", "d3"):
        assert f".{name} {{ --dash: " in css
    assert css.count("stroke-dasharray: var(--dash, none)") == 2  # the lines, and the key to them

"""Above the diagonal row − column, below it the adjusted p."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.results.equivalence import p_text


def test_every_cell(data: dict[str, Any]) -> None:
    found = rs.compare(data["ill"], {name: data[name] for name in ("risk", "lab", "points")})
    ax = rs.plots.comparison(found)
    cells = {text.get_position(): text.get_text() for text in ax.texts}
    assert len(cells) == 9
    assert [cells[i, i] for i in range(3)] == [f"{e.value:.4f}" for e in found.estimates.values()]
    at = {name: i for i, name in enumerate(found.estimates)}
    for pair in found.pairs:
        above = cells[at[pair.b], at[pair.a]].replace("−", "-")
        assert float(above.split("\n")[0].rstrip("*")) == pytest.approx(pair.difference, abs=1e-4)
        assert ("*" in above) == (pair.p_adjusted < 0.05)
        assert above.endswith(f"{pair.low:+.4f} to {pair.high:+.4f}")
        assert cells[at[pair.a], at[pair.b]] == f"p {p_text(pair.p_adjusted)}"
    assert [tick.get_text() for tick in ax.get_xticklabels()] == list(found.estimates)
    assert "(delong" in ax.get_xlabel()


def test_the_better_one_is_seen(data: dict[str, Any]) -> None:
    found = rs.compare(data["ill"], {"lab": data["lab"], "risk": data["risk"]})
    ax = rs.plots.comparison(found)
    (red, _, blue), (other_red, _, other_blue) = (
        to_rgb(next(p for p in rs.plots.comparison(one).patches
                    if p.get_xy() == (1 - 0.48, -0.46)).get_facecolor())
        for one in (found, rs.compare(data["ill"], {"risk": data["risk"], "lab": data["lab"]}))
    )  # fmt: skip
    assert red > blue  # lab is the worse one: orange
    assert other_blue > other_red
    assert ax.get_title(loc="left") == "Differences of AUC"


def test_systems_over_queries() -> None:
    values = {"a": [0.2, 0.9, 0.3, 0.5], "b": [0.1, 0.5, 0.4, 0.2]}
    ax = rs.plots.comparison(rs.queries.compare(values, measure="AP"))
    assert ax.get_title(loc="left") == "Differences of AP"


def test_what_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="not a comparison"):
        rs.plots.comparison(rs.auc(data["ill"], data["risk"]))
    many = {f"s{i}": data["risk"] + i * data["lab"] for i in range(21)}
    with pytest.raises(InputError, match="cannot be read"):
        rs.plots.comparison(rs.compare(data["ill"], many, adjust="none"))


def test_axes_in_axes_out(data: dict[str, Any], axes: Axes) -> None:
    found = rs.compare(data["ill"], {name: data[name] for name in ("risk", "lab")})
    assert rs.plots.comparison(found, axes) is axes


def test_a_margin_is_in_the_picture() -> None:
    """† where the lower limit is high enough, ≈ where both limits lie within the margin."""
    rng = np.random.default_rng(0)
    y = np.arange(2000) % 2
    common = y + rng.normal(size=2000)
    twin = common + 0.1 * rng.normal(size=2000)
    worse = common + 0.8 * rng.normal(size=2000)
    result = rs.compare(y, {"a": common, "twin": twin, "worse": worse}, margin=0.02)
    ax = rs.plots.comparison(result)
    cells = [text.get_text().split("\n")[0] for text in ax.texts]
    assert [cell[7:] for cell in cells if cell[:1] in "+-−"] == ["†≈", "†", "†"]
    assert (
        "† row not inferior at a margin of 0.02 (adjusted p below 0.05), ≈ equiv" in ax.get_xlabel()
    )
    plain = rs.plots.comparison(rs.compare(y, {"a": common, "twin": twin}))
    assert not any(mark in text.get_text() for text in plain.texts for mark in "†≈")
    assert "margin" not in plain.get_xlabel()

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from rocsolid.binary.curve_area import curve_area, plug_in
from rocsolid.intervals.guarantees import hinge
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.theory.study import pauc
from rocsolid.theory.study.partial_areas import ONE_SCORER, REGIONS, proposition_1, typical
from rocsolid.theory.study.ranks import PaucStudy
from rocsolid.weights import losses, step


@pytest.fixture(scope="module")
def quick() -> PaucStudy:
    return pauc(quick=True)


def test_the_seed_changes_nothing_and_progress_is_told(quick: PaucStudy) -> None:
    said: list[tuple[int, int]] = []
    other = pauc(quick=True, seed=1, progress=lambda done, total: said.append((done, total)))
    assert [one.to_csv() for one in other.tables] == [one.to_csv() for one in quick.tables]
    assert "Seed" not in dict(quick.facts)
    assert [done for done, _ in said] == list(range(1, len(said) + 1))
    assert {total for _, total in said} == {len(said)}


def test_proposition_1(quick: PaucStudy) -> None:
    """The plug-in estimate's mean falls to 1/4, half of its target, and the curve's to 0."""
    table = quick["proposition_1"]
    n, plugged, curve = (table.column(name) for name in ("n", "plug_in", "curve"))
    for means, end in ((plugged, 0.25), (curve, 0.0)):
        assert np.all(np.diff(means) < 0)
        assert np.all((means > end) & (means < end + 0.5 / np.sqrt(n)))


def test_the_means_of_proposition_1_by_every_sample() -> None:
    """All 2^N ways to draw the classes and all ways to draw the negatives, each by its area."""
    for size in (2, 3, 7):
        total, found = 0.0, np.zeros(2)
        for negatives in range(1, size):
            ways = math.comb(size, negatives) / 2**negatives
            for low in range(negatives + 1):
                classes = SortedClasses(
                    np.full(size - negatives, 0.5), np.repeat([0.0, 1.0], [low, negatives - low])
                )
                chance = ways * math.comb(negatives, low)
                total += chance
                found += chance * np.array(
                    [plug_in(classes, step(0, 0.5), losses.step()),
                     curve_area(classes, step(0, 0.5))]
                )  # fmt: skip
        table = proposition_1([size], lambda: None)
        assert table.rows[0][1:] == pytest.approx(found / total, abs=1e-12)
    large = proposition_1([1_000, 30_000], lambda: None)
    assert large.column("plug_in").tolist() == pytest.approx([0.2634, 0.2524], abs=5e-5)


def test_the_headline_is_about_the_means(quick: PaucStudy) -> None:
    """Means are given to three digits: two would show .25, or less, where they are above."""
    last = quick["proposition_1"].column("plug_in")[-1]
    assert f"has a mean of {last:.3f}" in quick.to_html()


def test_the_typical_sample_has_the_auc_it_says() -> None:
    assert Placements.from_sorted(typical(4000)).auc == pytest.approx(0.9, abs=1e-4)


def test_widths(quick: PaucStudy) -> None:
    table = quick["widths"]
    assert [region for region, _ in table.parts("region")] == list(REGIONS)
    for region, part in table.parts("region"):
        for name in table.columns[2:]:
            width = part.column(name)
            if not np.isnan(width).all():
                assert np.all((width > 0) & (width <= 1 + 1e-12)), name
                assert np.all(np.diff(width) <= 1e-12), name  # more rows, shorter
        at = list(part.column("n")).index(1000)
        row = {name: part.column(name)[at] for name in ONE_SCORER}
        assert row["Theorem 2"] == pytest.approx(1.0)  # says nothing
        if region == "W = 1":
            assert row["McDiarmid"] == pytest.approx(0.1215, abs=1e-4)  # twice .0607
            assert row["normal"] < row["matchings"] < row["hinge"] < row["McDiarmid"] < row["DKW"]
            assert row["hinge"] == pytest.approx(hinge(0.9, 1000, 1000).width, abs=1e-4)
        else:
            # raw width .029 or less of .1: the sheet's figure for the band
            assert row["normal"] < row["band"] < 0.31
            assert row["DKW"] > 0.95


def test_json_and_page(quick: PaucStudy) -> None:
    data = json.loads(json.dumps(quick.to_dict(), allow_nan=False))
    assert [table["name"] for table in data["tables"]] == ["proposition_1", "widths"]
    page = quick.to_html("rocsolid study pauc")
    for words in ("Proposition 1", "FPR &lt;= 0.05", "vacuous", "rocsolid study pauc"):
        assert words in page

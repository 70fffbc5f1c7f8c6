from __future__ import annotations

import json

import numpy as np
import pytest

from rocsolid.study import PaucStudy, pauc
from rocsolid.study.partial_areas import ONE_SCORER, REGIONS, typical
from rocsolid.summaries.placements import Placements


@pytest.fixture(scope="module")
def quick() -> PaucStudy:
    return pauc(quick=True)


def test_the_seed_decides_the_simulation_and_progress_is_told(quick: PaucStudy) -> None:
    said: list[tuple[int, int]] = []
    other = pauc(quick=True, seed=1, progress=lambda done, total: said.append((done, total)))
    assert other["proposition_1"] != quick["proposition_1"]
    assert other["widths"].to_csv() == quick["widths"].to_csv()
    assert [done for done, _ in said] == list(range(1, len(said) + 1))
    assert {total for _, total in said} == {len(said)}


def test_proposition_1(quick: PaucStudy) -> None:
    """The plug-in estimate stays near 1/4, half of its target, and the curve's tends to 0.

    Five standard errors: a false alarm once in a million seeds.
    """
    table = quick["proposition_1"]
    n, error = table.column("n"), table.column("plug_in_error")
    # E R̂·1(R̂ ≥ ½) = ¼ + O(1/√N)
    assert np.all(np.abs(table.column("plug_in") - 0.25) <= 5 * error + 1 / np.sqrt(n))
    assert table.column("plug_in")[-1] < 0.5 - 5 * error[-1]
    curve = table.column("curve")
    assert np.all(np.diff(curve) < 0)
    assert np.all(curve <= 5 * table.column("curve_error") + 0.5 / np.sqrt(n))


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
            assert row["hinge"] < row["McDiarmid"] < row["DKW"]
        else:
            # raw width .029 or less of .1: the sheet's figure for the band
            assert row["normal"] < row["band"] < 0.31
            assert row["DKW"] > 0.95


def test_json_and_page(quick: PaucStudy) -> None:
    data = json.loads(json.dumps(quick.to_dict(), allow_nan=False))
    assert [table["name"] for table in data["tables"]] == ["proposition_1", "widths"]
    page = quick.to_html("rocsolid study pauc")
    for words in ("Proposition 1", "FPR &lt;= 0.05", "says nothing", "rocsolid study pauc"):
        assert words in page

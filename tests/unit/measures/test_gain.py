"""The area under the gain curve is π/2 + (1−π)·AUC: so are its limits, as far as π is known."""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.default_rng(12)
ROWS = 240
Y = np.arange(ROWS) < 30
TABLE = {
    "y": Y.astype(int),
    "s": np.round(RNG.normal(size=ROWS) + 1.3 * Y, 1),
    "w": RNG.exponential(size=ROWS) + 0.2,
    "c": np.arange(ROWS) % 35,
    "site": np.where(np.arange(ROWS) % 2 == 0, "north", "south"),
}
DESIGNS = {
    "rows": {},
    "weights": {"sample_weight": "w"},
    "clusters": {"cluster": "c"},
    "both": {"sample_weight": "w", "cluster": "c"},
    "segments": {"by": "site"},
}


def pairs(measure: str, **options: object) -> list[tuple[dict, dict, float]]:
    """The gain and the AUC of all rows or of each segment, with the share of positives there."""
    found = rs.evaluate(TABLE, label="y", scores="s", measures=[measure, "auc"], **options)
    lines = found.to_dict()["results"]
    weight = TABLE["w"] if "sample_weight" in options else np.ones(ROWS)
    out = []
    for gain in (line for line in lines if line["measure"] != "auc"):
        (auc,) = (one for one in lines if one["measure"] == "auc" and one["by"] == gain["by"])
        here = np.full(ROWS, True) if gain["by"] is None else TABLE["site"] == gain["by"]["site"]
        out.append((gain, auc, float((weight * Y)[here].sum() / weight[here].sum())))
    return out


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("interval", ["auto", "logit-t"])
def test_with_fixed_classes_it_has_the_interval_of_the_auc(design: str, interval: str) -> None:
    found = pairs("gain(prevalence=classes)", interval=interval, **DESIGNS[design])
    assert len(found) == (3 if design == "segments" else 1)
    for gain, auc, share in found:
        assert gain["value"] == pytest.approx(share / 2 + (1 - share) * auc["value"])
        for part, of in [(gain, auc)] + [(gain["certified"], auc["certified"])] * bool(
            gain["certified"]
        ):
            for end in ("low", "high"):
                assert part[end] == pytest.approx(share / 2 + (1 - share) * of[end], abs=1e-9)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_sampled_share_of_positives_widens_it(design: str) -> None:
    """By squares, so hardly where positives are rare, and never inward."""
    for gain, auc, share in pairs("gain", **DESIGNS[design]):
        low, high = (share / 2 + (1 - share) * auc[end] for end in ("low", "high"))
        assert low - 0.05 * (high - low) < gain["low"] < low
        assert high < gain["high"] < high + 0.05 * (high - low)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_a_limit_leaves_the_other_end_open(alternative: str) -> None:
    ends = {"greater": "high", "less": "low"}
    for measure, reach in (("gain", 0.0), ("gain(prevalence=classes)", 30 / ROWS / 2)):
        ((gain, _, _),) = pairs(measure, alternative=alternative)
        open_end = 1.0 - reach if alternative == "greater" else reach
        assert gain[ends[alternative]] == pytest.approx(open_end)


def test_a_perfect_score_may_have_more_to_gain_in_another_sample() -> None:
    """At an AUC of 1 the value is 1 − π/2, and π may be lower than in these rows."""
    y = np.arange(100) < 40
    table = {"y": y.astype(int), "s": y + np.linspace(0.0, 0.5, 100)}
    found = rs.evaluate(table, label="y", scores="s", measures="gain").results[0]
    assert found.value == pytest.approx(0.8)
    assert 0.83 < found.high < 0.87


@pytest.mark.parametrize("design", ["rows", "weights", "clusters"])
def test_its_differences_are_those_of_the_auc(design: str) -> None:
    scores = {"a": TABLE["s"], "b": RNG.normal(size=ROWS) + 0.8 * Y}
    names = {"sample_weight": "sample_weight", "cluster": "cluster"}
    options = {names[key]: TABLE[column] for key, column in DESIGNS[design].items()}
    auc, gain, fixed = (
        rs.compare(Y, scores, measure=name, **options).pairs[0]
        for name in ("auc", "gain", "gain(prevalence=classes)")
    )
    share = float(np.average(Y, weights=options.get("sample_weight")))
    for one in (gain, fixed):
        assert one.difference == pytest.approx((1 - share) * auc.difference)
        assert one.std_error == pytest.approx((1 - share) * auc.std_error, rel=0.03)
        assert one.p_value == pytest.approx(auc.p_value, rel=0.15)


@pytest.mark.parametrize("rare", [True, False])
def test_a_class_of_one_row_has_limits(rare: bool) -> None:
    """Nothing shows how that row varies: the AUC's interval, widened by the prevalence alone."""
    y = np.arange(60) == 30
    y = y if rare else ~y
    estimate = rs.evaluate({"y": y, "s": np.arange(60)}, label="y", scores="s", measures=["gain"])
    (found,) = estimate.results
    assert 0.0 <= found.low < found.value < found.high <= 1.0

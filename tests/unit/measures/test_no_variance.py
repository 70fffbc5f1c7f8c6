"""Where nothing varies: a constant score, one class, a value at its end, on every engine."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import rocsolid as rs
from rocsolid.errors import OneClassError

RNG = np.random.default_rng(3)
N = 3_000
ROWS = pa.table(
    {
        "y": RNG.integers(0, 2, N),
        "constant": np.full(N, 3.7),
        "w": RNG.random(N) + 0.01,
        "g": RNG.integers(0, 100, N),
        "s": RNG.choice(["u", "v"], N),
    }
)
TOP = ("precision@5", "precision@20%", "recall@5", "lift@10%", "gain", "bedroc(20)", "pr_auc")


@pytest.mark.parametrize("columns", [{"sample_weight": "w"}, {"cluster": "g"}, {}])
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_constant_score_is_one_half_and_its_segments_do_not_differ(
    columns: dict[str, str], engine: str
) -> None:
    source = ROWS if engine == "memory" else duckdb.from_arrow(ROWS)
    both = columns if not columns else {"sample_weight": "w", "cluster": "g"}
    for chosen in (columns, both):
        found = rs.evaluate(source, label="y", scores="constant", by="s", **chosen)
        assert found.heterogeneity == ()
        for one in found.results:
            assert one.value == pytest.approx(0.5, abs=1e-15)
            assert one.std_error == 0.0
            assert one.low < 0.49
            assert one.high > 0.51
            assert not any("ranked below" in said for said in one.warnings)


@pytest.mark.parametrize("weight", [None, "w"])
def test_equal_tops_show_no_heterogeneity(weight: str | None) -> None:
    found = rs.evaluate(
        ROWS, label="y", scores="constant", measures=["lift@10%", "recall@5"], by="s",
        sample_weight=weight,
    )  # fmt: skip
    assert all(one.p_value == one.p_value for one in found.heterogeneity)
    assert all(one.p_value > 0.05 for one in found.heterogeneity if one.measure == "lift@10%")


@pytest.mark.parametrize("measure", TOP)
def test_a_segment_of_one_class_is_skipped(measure: str) -> None:
    table = {"y": [1, 0, 1, 0, 0, 1, 0] * 3, "a": range(21), "s": ["v"] * 21}
    table["s"][:7] = ["w"] * 7
    table["y"][:7] = [0] * 7
    found = rs.evaluate(table, label="y", scores="a", by="s", measures=measure)
    assert [(one.by, one.n_pos, one.n_neg) for one in found.skipped] == [({"s": "w"}, 0, 7)]
    assert "there is no positive row" in found.skipped[0].reason
    with pytest.raises(OneClassError, match="no positive row"):
        rs.evaluate({"y": [0] * 9, "a": range(9)}, label="y", scores="a", measures=measure)


def test_the_winner_has_no_interval_of_no_width() -> None:
    y = np.repeat([0, 1], 30)
    perfect, worse = np.arange(60), np.roll(np.arange(60), 3)
    found = rs.compare(y, {"perfect": perfect, "worse": worse})
    assert found.estimates["perfect"].value == 1.0
    assert found.winner is None
    assert found.ranks["perfect"].low == 1


def test_nothing_to_test_is_said_without_a_number_that_is_none() -> None:
    y, score = [0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6]
    for test in ("delong-t", "delong"):
        assert "All equal: nothing to test" in str(
            rs.compare(y, {"a": score, "b": score}, test=test)
        )


@pytest.mark.parametrize("measure", ["lift@10%", "enrichment@5%", "lift@20"])
def test_a_lift_over_folds_has_finite_limits_around_it(measure: str) -> None:
    rng = np.random.default_rng(8)
    y = rng.random(600) < 0.2
    score = rng.normal(size=600) + 1.5 * y
    found = rs.cross_validated(y, score, fold=np.arange(600) % 5, measure=measure)
    for one in (found.interval, found.learner):
        assert 1.0 < one.low < found.value < one.high < 6.0
    assert 1.0 < found.pooled.low < found.pooled.value < found.pooled.high < 6.0
    share = {"lift@10%": 0.1, "enrichment@5%": 0.05, "lift@20": 20 / 120}[measure]
    assert found.interval.range[1] == pytest.approx(1.0 / share)


def test_equal_weights_weigh_nothing_on_a_page_either() -> None:
    table = {"y": [1, 0, 0, 1, 0], "a": [3.0, 1.0, 2.0, 2.0, 0.0], "w": [2.0] * 5}
    point = rs.roc(table["y"], table["a"], sample_weight=table["w"]).at(threshold=2.0)
    assert (point.positives, point.false_positives) == (2, 1)
    of = {"label": "y", "scores": "a", "sample_weight": "w", "design": "fixed"}
    weighted = rs.evaluate(table, **of).to_html()
    assert weighted == rs.evaluate(table, label="y", scores="a").to_html()


def test_a_curve_that_is_flat_in_a_close_up_is_drawn() -> None:
    rng = np.random.default_rng(2)
    y = np.arange(300) < 20
    table = {"y": y, "a": -y.astype(float), "b": np.where(y, -5.0, rng.normal(size=300))}
    table["w"] = rng.random(300) + 0.1  # no band under weights, whose height would do
    page = rs.evaluate(table, label="y", scores=["a", "b"], sample_weight="w").to_html()
    assert 'id="panel-0-zoom-0' in page
    assert "nan" not in page.split("<script")[0]


@pytest.mark.parametrize("seed", range(20))
def test_scores_that_flag_the_same_weighted_rows_have_the_same_net_benefit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, 50))
    table = {"y": np.arange(50) % 2, "a": a, "b": ((a >= 0.5) + b) / 2, "w": rng.random(50)}
    found = rs.compare(
        table, label="y", scores=["a", "b"], measure="net_benefit@0.5", sample_weight="w"
    )
    assert found.comparisons[None].pairs[0].difference == 0.0

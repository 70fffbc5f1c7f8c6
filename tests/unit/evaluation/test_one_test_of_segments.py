"""Whether segments differ is one hypothesis with one p-value, wherever it is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.comparison.queries.compare_queries import compare as compare_values
from rocsolid.evaluation.compare_table import compare_table

Table = dict[str, Any]


def table(segments: int, *, apart: float = 0.6, rows: int = 600, seed: int = 3) -> Table:
    """Segments of unequal size; the score separates better in the first."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 3 == 0
    site = np.minimum(rng.integers(0, segments + 1, rows), segments - 1)
    score = rng.normal(size=rows) + y * (0.8 + apart * (site == 0))
    cluster = site * rows + np.arange(rows) // 4
    names = np.array([f"site {at}" for at in range(segments)])
    return {"y": y, "s": score, "site": names[site], "c": cluster, "w": 1.0 + np.arange(rows) % 2}


ASKED = [
    {},
    {"measure": "partial_auc(fpr<=0.3)"},
    {"cluster": "c"},
    {"sample_weight": "w"},
    {"sample_weight": "w", "cluster": "c"},
]


def both(data: Any, asked: Table, segments: int) -> tuple[Any, Any]:
    given = {name: value for name, value in asked.items() if name != "measure"}
    measure = asked.get("measure", "auc")
    (one,) = rs.evaluate(
        data, label="y", scores="s", by="site", measures=[measure], **given
    ).heterogeneity
    found = compare_table(data, label="y", scores="s", by="site", measure=measure, **given)
    compared = found.comparisons["s"]
    assert len(compared.estimates) == len(one.segments) == segments
    return one, compared


@pytest.mark.parametrize("asked", ASKED)
def test_two_segments_have_one_p_value(asked: Table) -> None:
    one, compared = both(table(2), asked, 2)
    (pair,) = compared.pairs
    p = pair.p_value
    assert 0.0001 < p < 0.2
    for other in (pair.p_adjusted, compared.omnibus.p_value, one.p_value):
        assert other == pytest.approx(p, rel=1e-9)
    for standing in one.segments:
        assert (standing.p_value, standing.p_adjusted) == (one.p_value, one.p_value)
    assert one.statistic == pytest.approx(pair.statistic**2)
    assert (one.draws, one.p_at_floor) == (0, False)


@pytest.mark.parametrize("asked", ASKED)
def test_more_segments_have_one_test_of_all(asked: Table) -> None:
    one, compared = both(table(4), asked, 4)
    assert compared.omnibus.method == "heterogeneity"
    assert compared.omnibus.p_value == one.p_value
    assert compared.omnibus.statistic == pytest.approx(one.statistic)
    assert compared.omnibus.draws == one.draws == 2_000


@pytest.mark.parametrize("segments", [2, 4])
def test_engines_agree(segments: int) -> None:
    pl = pytest.importorskip("polars")
    here, _ = both(table(segments), {}, segments)
    there, compared = both(pl.DataFrame(table(segments)).lazy(), {}, segments)
    assert there.p_value == pytest.approx(here.p_value)
    assert compared.omnibus.p_value == pytest.approx(here.p_value)


def test_segments_that_share_clusters_have_one_p_value_too() -> None:
    data = table(2) | {"c": np.arange(600) // 4}
    (one,) = rs.evaluate(data, label="y", scores="s", by="site", cluster="c").heterogeneity
    assert one.shared > 0
    assert {each.p_adjusted for each in one.segments} == {one.p_value}


def test_two_segments_of_queries_have_one_p_value() -> None:
    rng = np.random.default_rng(0)
    query = np.repeat(np.arange(60), 5)
    data = {
        "q": query, "grade": rng.integers(0, 3, 300), "s": rng.normal(size=300),
        "half": query < 30,
    }  # fmt: skip
    found = rs.evaluate(data, label="grade", scores="s", qid="q", by="half", measures=["ndcg@3"])
    (one,) = found.heterogeneity
    assert {each.p_value for each in one.segments} == {one.p_value}


def test_a_segment_with_one_positive_still_has_a_test() -> None:
    data = table(2)
    last = np.flatnonzero((data["site"] == "site 1") & data["y"])[1:]
    data = {name: np.delete(column, last) for name, column in data.items()}
    (one,) = rs.evaluate(data, label="y", scores="s", by="site").heterogeneity
    assert one.draws > 0
    assert 0.0 < one.p_value <= 1.0


def test_the_floor_of_the_draws_is_no_p_value() -> None:
    """No draw reaches segments that lie far apart: 1/(draws + 1) is a limit."""
    data = table(3, apart=3.0, rows=900)
    found = rs.evaluate(data, label="y", scores="s", by="site")
    (one,) = found.heterogeneity
    assert one.p_value == 1 / 2001
    assert one.p_at_floor
    compared = compare_table(data, label="y", scores="s", by="site")
    for text in (str(found), found.to_markdown(), found.to_html(), str(compared)):
        assert "p ≤ 0.0005" in text
        assert "p = 0.0005" not in text
    assert found.to_dict()["heterogeneity"][0]["p_at_floor"] is True
    omnibus = compared.to_dict()["comparisons"][0]["omnibus"]
    assert (omnibus["draws"], omnibus["p_at_floor"]) == (2_000, True)
    (more,) = rs.evaluate(data, label="y", scores="s", by="site", resamples=5_000).heterogeneity
    assert more.p_value == 1 / 5001


def test_the_headline_of_segments_says_whether_they_differ() -> None:
    compared = compare_table(table(4, apart=0.0), label="y", scores="s", by="site")
    first, second, *_ = compared.answer()
    assert "has the highest AUC" in first
    assert second.startswith("The 4 samples do not differ significantly (Q ")


def pairs_of(test: str, rows: int, **how: Any) -> Any:
    rng = np.random.default_rng(1)
    y = np.arange(rows) % 2
    good, poor = rng.normal(size=rows) + 4.0 * y, rng.normal(size=rows)
    return rs.compare(y, {"good": good, "poor": poor}, test=test, **how)


@pytest.mark.parametrize("test", ["permutation", "venkatraman-curves"])
def test_exchanges_that_never_reach_the_data_give_a_limit(test: str) -> None:
    found = pairs_of(test, 80, resamples=400)
    (pair,) = found.pairs
    assert pair.p_value == 1 / 401
    assert pair.p_at_floor
    assert pair.p_adjusted_at_floor
    assert "≤0.0025" in str(found)
    assert pair.to_dict()["p_at_floor"] is True
    all_of_them = pairs_of(test, 8)
    assert "all exchanges" in all_of_them.pairs[0].method
    assert not all_of_them.pairs[0].p_at_floor


def systems() -> dict[str, Any]:
    rng = np.random.default_rng(2)
    base = rng.uniform(0.2, 0.4, 40)
    return {
        "a": base + 0.4,
        "b": base + rng.uniform(0.0, 0.02, 40),
        "c": base + rng.uniform(0.0, 0.02, 40),
    }


@pytest.mark.parametrize("how", [{"test": "sign-flip"}, {"adjust": "max-t"}, {"adjust": "tukey"}])
def test_systems_that_no_draw_reaches(how: Table) -> None:
    found = compare_values(systems(), resamples=500, **how)
    first, last = found.pairs[0], found.pairs[-1]
    assert first.p_adjusted == 1 / 501
    assert first.p_adjusted_at_floor
    assert first.p_at_floor == (how.get("test") == "sign-flip")
    assert not last.p_adjusted_at_floor
    assert "≤0.0020" in str(found)


def test_one_sided_signs_count_mirror_images_half() -> None:
    found = compare_values(
        systems(), test="sign-flip", adjust="none", resamples=500, alternative="greater"
    )
    assert found.pairs[0].p_value == 0.5 / 501
    assert found.pairs[0].p_at_floor


def test_the_headline_says_which_p_values_are_adjusted() -> None:
    rng = np.random.default_rng(5)
    y = np.arange(400) % 2
    scores = {name: rng.normal(size=400) + y for name in "abc"}
    three = rs.evaluate({"y": y, **scores}, label="y", scores=list(scores)).to_html()
    assert "(adjusted p = " in three
    two = rs.evaluate({"y": y, **scores}, label="y", scores=["a", "b"]).to_html()
    assert "not significantly better than" in two
    assert "better than b (p = " in two or "better than a (p = " in two

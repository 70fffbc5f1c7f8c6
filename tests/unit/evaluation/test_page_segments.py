from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.page_segments import page_segments
from rocsolid.report.sections import Segmented, segment_section


def table(segments: int, rows: int = 2_000) -> dict[str, Any]:
    """Segment i has about i + 1 times as many rows as segment 0."""
    rng = np.random.default_rng(8)
    y = (rng.random(rows) < 0.4).astype(int)
    share = np.arange(1.0, segments + 1)
    site = rng.choice(segments, rows, p=share / share.sum())
    names = np.array([f"site {i:03d}" for i in range(segments)])
    return {"y": y, "a": y + rng.normal(size=rows), "b": rng.normal(size=rows), "site": names[site]}


def found(data: dict[str, Any], **asked: Any) -> Segmented:
    settings: dict[str, Any] = {"scores": ["a", "b"], "by": "site", **asked}
    shown = page_segments(rs.evaluate(data, label="y", **settings))
    assert shown is not None
    return shown


@pytest.mark.slow
def test_every_number_is_that_of_the_results() -> None:
    data = table(4)
    measures = ["auc", "partial_auc(fpr<=0.1)"]
    shown = found(data, measures=measures)
    evaluation = rs.evaluate(data, label="y", scores=["a", "b"], by="site", measures=measures)
    results = {
        (r.score, r.measure, None if r.by is None else r.by["site"]): r for r in evaluation.results
    }
    drawn = {
        (forest.score, forest.measure, None if row is forest.overall else row.segment): row
        for forest in shown.forests
        for row in (*forest.rows, forest.overall)
    }
    assert drawn.keys() == results.keys()
    for key, row in drawn.items():
        same = results[key]
        assert (row.value, row.limits) == (same.value, (same.low, same.high))
        assert same.certified is not None
        assert row.certified == (same.certified.low, same.certified.high)
        assert (row.n_pos, row.n_neg) == (same.n_pos, same.n_neg)
    assert [forest.decimals for forest in shown.forests] == [4, 5, 4, 5]


def test_of_many_segments_the_largest_are_drawn_in_their_order() -> None:
    data = table(50)
    shown = found(data)
    most = 25
    sizes = {name: int(np.sum(data["site"] == name)) for name in np.unique(data["site"])}
    names = [row.segment for row in shown.forests[0].rows]
    assert len(names) == most
    assert names == sorted(names)
    left = [size for name, size in sizes.items() if name not in names]
    assert min(sizes[name] for name in names) >= max(left)
    # the others are in the table, which begins with the largest
    small = [row.segment for row in shown.forests[0].small]
    poor = {one[1] for one in shown.skipped}  # of one class
    assert {*names, *small} == sizes.keys() - poor
    page = segment_section(shown, {})
    listed = re.findall(
        r"<td class=\"name\">(site \d+)</td>", page.partition("The segments as a table")[2]
    )
    order = [sizes[name] for name in listed[: len(names + small)]]
    assert len(order) == len(names + small)
    assert order == sorted(order, reverse=True)
    drawn = f"{most} of {len(sizes)} segments, those with the most rows, are drawn"
    assert any(drawn in note for note in shown.notes)
    assert not any("with the most rows" in note for note in found(table(4)).notes)


@pytest.mark.slow
def test_many_scores_leave_room_for_fewer_segments() -> None:
    data = table(30)
    names = [f"s{i}" for i in range(24)]
    data |= {name: data["a"] + 0.1 * i for i, name in enumerate(names)}
    shown = found(data, scores=names)
    assert [len(forest.rows) for forest in shown.forests] == [3] * 10
    assert any("Only the first 10 of 24 scores and measures are drawn" in n for n in shown.notes)


def test_a_segment_of_one_class_is_listed_with_the_reason() -> None:
    data = table(4)
    data["y"][data["site"] == "site 002"] = 1
    shown = found(data)
    assert [row.segment for row in shown.forests[0].rows] == ["site 000", "site 001", "site 003"]
    rows = int(np.sum(data["site"] == "site 002"))
    reason = "there is no negative row, so nothing can be ranked"
    assert shown.skipped == tuple((score, "site 002", reason, rows, 0) for score in ("a", "b"))


def test_where_no_segment_has_an_estimate_there_is_nothing_to_draw() -> None:
    shown = found({"y": [0, 1, 1], "a": [1, 2, 3], "b": [3, 2, 1], "site": ["n", "s", "s"]})
    assert shown.forests == ()
    assert len(shown.skipped) == 4


def test_what_is_not_listed_is_counted() -> None:
    data = table(40)
    data["y"][data["site"] >= "site 010"] = 1
    shown = found(data)
    assert len(shown.skipped) == 20
    assert "40 more results are missing; the JSON output lists them." in shown.notes


def test_segments_of_several_columns_are_named_by_their_values() -> None:
    data = table(2)
    data["year"] = np.where(np.arange(len(data["y"])) % 2, 2023, 2024)
    shown = found(data, by=["site", "year"])
    assert shown.columns == ("site", "year")
    assert [row.segment for row in shown.forests[0].rows][:2] == [
        "site 000, 2023",
        "site 000, 2024",
    ]


def test_without_segments_there_is_no_section() -> None:
    assert page_segments(rs.evaluate(table(2), label="y", scores="a")) is None


def site_table(sites: int = 200, seed: int = 1) -> dict[str, object]:
    """Many sites of 1 to 12 positives, one large one where the score says nothing."""
    rng = np.random.default_rng(seed)
    size = rng.integers(2, 40, sites)
    size[5] = 300
    site = np.repeat([f"site {i:03d}" for i in range(sites)], size)
    y = rng.random(len(site)) < 0.3
    s = rng.normal(size=len(site)) + 1.5 * y * (site != "site 005")
    return {"y": y.astype(int), "s": s, "site": site}


def test_two_hundred_segments_are_read_by_their_evidence() -> None:
    found = rs.evaluate(site_table(), label="y", scores="s", by="site")
    (one,) = found.heterogeneity
    assert one.p_value < 0.01
    assert [each.name for each in one.differ] == ["site 005"]
    assert one.segments[0].name == "site 005"
    single = [each for each in one.segments if each.counts["n_pos"] == 1]
    assert min(each.p_adjusted for each in single) > 0.05
    assert min(each.value for each in single) < 0.3
    assert min(each.shrunken for each in single) > one.mean - 0.1
    evidence = page_segments(found).evidence
    assert evidence is not None
    assert len(evidence.rows) == 20
    assert evidence.rows[0][1] == "site 005"
    for text in (str(found), found.to_markdown(), found.to_html()):
        assert "segments differ significantly (heterogeneity, p ≤ 0.00" in text
    (plain,) = found.to_dict()["heterogeneity"]
    assert plain["segments"][0]["by"] == {"site": "site 005"}
    ax = rs.plots.funnel(one)
    assert [text.get_text() for text in ax.texts] == ["site 005"]


def test_evidence_with_weights_and_clusters() -> None:
    table = site_table(6)
    count = len(table["y"])
    table |= {"w": np.random.default_rng(2).uniform(0.5, 2.0, count), "id": np.arange(count) // 2}
    weighted = rs.evaluate(table, label="y", scores="s", by="site", sample_weight="w")
    assert weighted.heterogeneity[0].segments[0].name == "site 005"
    (across,) = rs.evaluate(table, label="y", scores="s", by="site", cluster="id").heterogeneity
    assert across.segments[0].name == "site 005"
    assert across.shared > 0  # a pair of rows lies in two sites
    table["id"] = [f"{site} {row // 2}" for row, site in enumerate(table["site"])]
    clustered = rs.evaluate(table, label="y", scores="s", by="site", cluster="id").heterogeneity[0]
    assert clustered.segments[0].name == "site 005"
    rows = {one.name: one.units for one in weighted.heterogeneity[0].segments}
    for one in clustered.segments:
        mine = np.array(table["site"]) == one.name
        worth = []
        for kind in (0, 1):
            of_class = np.array(table["id"])[mine & (np.array(table["y"]) == kind)]
            size = np.unique(of_class, return_counts=True)[1]
            worth.append(size.sum() ** 2 / (size**2).sum())
        assert one.units == pytest.approx(1.0 / (1.0 / worth[0] + 1.0 / worth[1]))
        assert one.units <= rows[one.name]
    others = rs.evaluate(table, label="y", scores="s", by="site", measures=["auc", "pr_auc"])
    assert [one.measure for one in others.heterogeneity] == ["auc", "pr_auc"]
    assert rs.evaluate(table, label="y", scores="s").heterogeneity == ()


def test_evidence_over_queries() -> None:
    rng = np.random.default_rng(4)
    query = np.repeat(np.arange(400), 8)
    grade = (rng.random(3200) < 0.4).astype(int)
    topic = query // 20
    s = rng.normal(size=3200) + 3.0 * grade * (topic != 7)
    table = {"g": grade, "s": s, "q": query, "topic": topic}
    found = rs.evaluate(
        table, label="g", scores="s", qid="q", by="topic", measures=["ndcg@3", "mrr"]
    )
    one, _ = found.heterogeneity
    assert (one.measure, one.name) == ("ndcg@3", "s, ndcg@3")
    assert [each.by for each in one.differ] == [{"topic": 7}]
    first = one.segments[0]
    count = next(r.n_queries for r in found.results if r.by == {"topic": 7})
    assert (first.units, first.counts) == (count, {"n_queries": count})
    for text in (str(found), found.to_markdown(), found.to_html()):
        assert "s, ndcg@3: 20 segments differ significantly (heterogeneity" in text
    assert found.to_dict()["heterogeneity"][0]["segments"][0]["n_queries"] == count
    assert rs.plots.funnel(one).get_xlabel().startswith("Queries;")
    alone = rs.evaluate(table, label="g", scores="s", qid="q", measures="map")
    assert alone.heterogeneity == ()

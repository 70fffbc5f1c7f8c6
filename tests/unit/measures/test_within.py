"""Values within and between groups: what arrays give, what is refused, and what is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.intervals.guarantees.mean_of_groups import mean_of_groups


def tasks(n: int = 2000, leak: bool = True) -> dict[str, Any]:
    """A score that knows a task's rate and nothing within it, or one that knows rows alone."""
    rng = np.random.default_rng(5)
    task = rng.integers(0, 23, n)
    rate = np.clip(rng.beta(0.35, 0.35, 23), 0.02, 0.98) if leak else np.full(23, 0.4)
    y = (rng.random(n) < rate[task]).astype(int)
    s = rng.normal(size=n) * 0.05 + (rate[task] if leak else 0.07 * y)
    return {"y_true": y, "y_score": s, "task": task}


def of(data: dict[str, Any], **more: Any) -> Any:
    return rs.auc(data["y_true"], data["y_score"], within=data["task"], **more)


def test_the_whole_stays_as_it_is_without_groups() -> None:
    data = tasks()
    found, alone = of(data), rs.auc(data["y_true"], data["y_score"])
    for name in ("value", "interval", "certified", "std_error", "exact", "n_pos", "fingerprint"):
        assert getattr(found, name) == getattr(alone, name)
    assert found.groups == 22


def test_a_score_that_ranks_nothing_within_a_task() -> None:
    found = of(tasks())
    assert (round(found.value, 3), round(found.within.value, 3)) == (0.912, 0.518)
    assert (round(found.between.value, 3), round(found.within.share, 2)) == (0.920, 0.02)
    assert 0.5 in found.within.interval
    assert found.difference.high < -0.3
    assert found.difference.certified is None
    assert {one.code for one in found.warnings} == {"ROC017"}
    assert {one.code for one in found.checks} == {"ROC017", "ROC018"}
    assert "Rows" not in found.warnings[0]
    assert found.without("ROC017").warnings == ()
    text = str(found).splitlines()
    assert text[1].startswith("within 0.5177, [0.4776, 0.5575] at 95 %")
    assert text[1].endswith("2.0 % of the pairs")
    assert text[2].startswith("between 0.9200")
    assert text[3].startswith("within − between -0.4024")
    assert "of the same group in 51.8 % of the pairs" in found.explain()


def test_an_honest_score_has_no_note() -> None:
    data = tasks(leak=False)
    assert of(data).warnings == ()
    few = {name: column[:60] for name, column in data.items()}
    assert "ROC017" not in {one.code for one in of(few).checks}


def test_no_note_where_half_of_it_is_left_within() -> None:
    """A score that knows the task and the row: within is lower, and still most of it."""
    data = tasks()
    noise = np.random.default_rng(8).normal(size=2000)
    found = of({**data, "y_score": data["y_score"] + 0.3 * data["y_true"] + 0.2 * noise})
    assert 0.5 + 0.5 * (found.value - 0.5) < found.within.high < found.value
    assert found.warnings == ()


def test_the_certified_interval_rests_on_the_smaller_class_of_each_group() -> None:
    data = tasks(200)
    found = of(data).within
    sizes = [[int(((data["task"] == task) & (data["y_true"] == label)).sum()) for label in (0, 1)]
             for task in range(23)]  # fmt: skip
    pairs = np.array([m * n for m, n in sizes if m and n])
    blocks = [min(size) for size in sizes if min(size)]
    expected = mean_of_groups(found.value, pairs / pairs.sum(), blocks)
    assert found.certified.low == pytest.approx(expected.low)
    assert found.certified.method == expected.method


def test_no_note_where_too_little_is_known_within() -> None:
    """Two rows a group: within nothing is certain, so nothing is said."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    found = rs.auc(y, y + 0.8 * rng.normal(size=60), within=np.arange(60) // 2)
    assert found.warnings == ()


def cal_group_auc(y: Any, s: Any, group: Any) -> float:
    """GAUC as recommender repositories copy it: impressions weigh, groups of one class go."""
    total, impressions = 0.0, 0
    for own in set(group.tolist()):
        inside = group == own
        if 0 < y[inside].sum() < inside.sum():
            total += inside.sum() * float(rs.auc(y[inside], s[inside]))
            impressions += inside.sum()
    return total / impressions


def test_recommenders_have_these_definitions() -> None:
    data = tasks(600)
    y, s, task = data["y_true"], data["y_score"], data["task"]
    assert of(data, counts="rows").within.value == pytest.approx(cal_group_auc(y, s, task))
    of_queries = rs.grouped_auc(y, s, qid=task)
    found = of(data, counts="groups").within
    assert found.value == pytest.approx(of_queries.value)
    assert found.std_error == pytest.approx(of_queries.std_error)
    assert found.exact is None
    assert found.settings["counts"] == "groups"


def test_certified_intervals_and_why_there_is_none() -> None:
    data = tasks()
    site = data["task"]
    weight = np.where(data["y_score"] > 0.3, 1.0, 2.0)
    codes = {
        "pairs": (of(data), None),
        "pairs of weighted rows": (of(data, sample_weight=weight), "ROC104"),
        "pairs of clusters": (of(data, cluster=site), "ROC008"),
        "pairs of crossing clusters": (of(data, cluster=np.arange(2000) // 2), "ROC104"),
        "declared clusters": (of(data, cluster=site, design="fixed"), None),
        "rows": (of(data, counts="rows"), "ROC008"),
        "declared rows": (of(data, counts="rows", design="fixed"), None),
        "groups": (of(data, counts="groups"), None),
        "groups that are clusters": (of(data, counts="groups", cluster=site), None),
        "clusters of groups": (of(data, counts="groups", cluster=site // 2), "ROC008"),
    }
    for name, (found, code) in codes.items():
        assert (found.within.certified is None) is (code is not None), name
        assert code is None or code in {one.code for one in found.within.warnings}, name
        assert found.between.certified is None
    alike = codes["groups"][0].within.certified
    value = codes["groups"][0].within.value
    assert alike.low == pytest.approx(mean_of_groups(value, [1 / 22] * 22, [1] * 22).low)
    assert alike.assumptions[0].startswith("groups or clusters are independent")


def test_one_sided_limits() -> None:
    data = tasks()
    low, high = of(data, alternative="greater"), of(data, alternative="less")
    assert (low.within.high, low.difference.high, low.within.certified.high) == (1.0, 1.0, 1.0)
    assert (high.within.low, high.difference.low, high.within.certified.low) == (0.0, -1.0, 0.0)
    assert low.within.low > of(data).within.low


def test_rows_without_a_score_lose_their_group_too() -> None:
    data = tasks(400)
    gone = np.arange(400) % 7 == 0
    kept = {name: column[~gone] for name, column in data.items()}
    found = of({**data, "y_score": np.where(gone, np.nan, data["y_score"])}, nan="omit")
    assert found.within.to_dict()["value"] == of(kept).within.value
    assert found.settings["omitted"] == gone.sum()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"counts": "pars"}, "unknown counts"),
        ({"interval": "delong"}, "have one interval"),
        ({"frequency": [1] * 100}, "groups are given row by row"),
        ({"proxy": [1] * 100}, "not for machine labels"),
        ({"within": [1] * 99}, "99"),
        ({"within": list(range(100))}, "no group has rows of both classes"),
        ({"within": None, "counts": "rows"}, "counts is about groups"),
        ({"counts": "groups", "cluster": list(range(100))}, "a cluster has a part of one"),
    ],
)
def test_what_is_refused(more: dict[str, Any], says: str) -> None:
    given = {"within": [0, 1] * 50, **more}
    with pytest.raises(rs.RocsolidError, match=says):
        rs.auc([0, 0, 1, 1] * 25, list(range(100)), **given)


def test_few_rows_and_units_are_said() -> None:
    found = rs.auc([0, 1] * 8, range(16), within=[0, 0, 1, 1] * 4)
    assert {one.code for one in found.within.warnings} == {"ROC001"}
    assert found.within.deciding is found.within.certified
    found = rs.auc([0, 1] * 50, range(100), within=[0, 0, 1, 1] * 25, counts="groups")
    assert {one.code for one in found.within.warnings} == {"ROC004"}


def test_json_holds_all_parts() -> None:
    found = of(tasks()).to_dict()
    assert {"within", "between", "difference", "groups"} < found.keys()
    assert {"pairs", "share", "certified", "value"} < found["within"].keys()
    assert found["between"]["pairs"] + found["within"]["pairs"] == found["n_pos"] * found["n_neg"]


@pytest.mark.parametrize(
    "given", [([0.5, 0.4], [1, 1]), ([0.5, 0.5], [1, 0]), ([], []), ([1.5, -0.5], [1, 1])]
)
def test_shares_that_are_none(given: tuple[list[float], list[int]]) -> None:
    with pytest.raises(rs.InputError):
        mean_of_groups(0.5, *given)

"""Clusters of queries, such as a user's: what is independent of what a table says."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import polars as pl
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.cli.schema import schema_of

USERS = [0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 9]  # of each query
ASKED: dict[str, Any] = {"label": "grade", "qid": "query", "scores": ["a", "b"]}


def table() -> dict[str, Any]:
    rng = np.random.default_rng(8)
    query = np.repeat(np.arange(len(USERS)), 6)
    grade = rng.integers(0, 3, query.size)
    grade[query == 4] = 0  # a query without a relevant document
    taste = rng.normal(size=10)[np.array(USERS)[query]]
    return {
        "query": query, "grade": grade, "user": np.array(USERS)[query],
        "a": grade + (1.0 + taste) * rng.normal(size=query.size), "b": rng.normal(size=query.size),
    }  # fmt: skip


TABLE = table()


@pytest.fixture(scope="module")
def sample() -> rs.Sample:
    """The same from the values of queries, and the user of each."""
    plain = rs.evaluate(TABLE, **ASKED, measures="ndcg@3")
    values = {one.score: one.per_query for one in plain.results}
    kept = ~np.isnan(values["a"])
    assert kept.sum() == len(USERS) - 1
    return rs.Sample({score: values[score][kept] for score in "ab"}, cluster=np.array(USERS)[kept])


def test_evaluate_is_that_of_a_sample(sample: rs.Sample) -> None:
    found = rs.evaluate(TABLE, **ASKED, measures=["ndcg@3", "rr"], cluster="user", level=0.9)
    wanted = rs.evaluate(sample, level=0.9)
    assert found.rows == sample.units == 10
    assert [one.score for one in found.results] == ["a", "b"] * 2
    for one, other in zip(found.results, wanted.results, strict=False):
        assert (one.value, one.low, one.high) == (other.value, other.low, other.high)
    assert found.comparisons["ndcg@3"].pairs[0] == wanted.comparisons["mean"].pairs[0]
    assert "Each 'user' counts as one query here: its queries belong together." in str(found)
    assert "a value for each cluster, here called a query" in found.to_markdown()


def test_compare_is_that_of_a_sample(sample: rs.Sample) -> None:
    found = rs.compare(TABLE, **ASKED, measure="ndcg@3", cluster="user", test="t", margin=0.1)
    assert found.comparisons["ndcg@3"].pairs == sample.compare(test="t", margin=0.1).pairs


def test_the_error_is_that_of_a_ratio() -> None:
    """A plain twin: the deviations of a user's queries are added up, user by user."""
    plain = rs.evaluate(TABLE, **ASKED, measures="rr").results[0]
    values = [(USERS[q], v) for q, v in enumerate(plain.per_query) if not math.isnan(v)]
    mean = sum(v for _, v in values) / len(values)
    sums = {user: sum(v - mean for u, v in values if u == user) for user, _ in values}
    count = len(sums)
    error = math.sqrt(count / (count - 1) * sum(s * s for s in sums.values())) / len(values)
    found = rs.evaluate(TABLE, **ASKED, measures="rr", cluster="user").results[0]
    assert found.value == pytest.approx(plain.value)
    assert found.std_error == pytest.approx(error)
    assert found.certified is None


def test_a_query_by_itself_is_a_cluster() -> None:
    asked = {**ASKED, "measures": "map"}
    found, plain = rs.evaluate(TABLE, **asked, cluster="query"), rs.evaluate(TABLE, **asked)
    ours = {one.score: (one.value, one.low, one.high) for one in found.results}
    theirs = {one.score: (one.value, one.low, one.high) for one in plain.results}
    for score in "ab":
        assert ours[score] == pytest.approx(theirs[score])


def test_it_is_the_same_from_a_file_and_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "t.parquet"
    pl.DataFrame(TABLE).sample(fraction=1.0, shuffle=True, seed=1).write_parquet(file)
    wanted = rs.evaluate(TABLE, **ASKED, measures="rr", cluster="user")
    for memory in ("1GB", None):
        found = rs.evaluate(file, **ASKED, measures="rr", cluster="user", memory=memory)
        assert [one.value for one in found.results] == [one.value for one in wanted.results]
    typed = [str(file), "--label", "grade", "--qid", "query", "--score", "a", "--score", "b",
             "--cluster", "user", "--measure", "rr", "--json"]  # fmt: skip
    printed = {}
    for verb, *more in (["evaluate"], ["compare", "--next", "50"]):
        assert run([verb, *typed, *more]) == 0
        printed[verb] = json.loads(capsys.readouterr().out)
        jsonschema.validate(printed[verb], schema_of(verb))
    assert printed["evaluate"]["results"][0]["value"] == wanted.results[0].value
    assert printed["compare"]["comparisons"][0]["pairs"][0]["a"] == "a"


def test_what_lists_lack_is_said() -> None:
    tied = {**TABLE, "a": np.zeros(len(TABLE["a"]))}
    found = rs.evaluate(tied, **ASKED, measures="rr", cluster="user")
    assert any("share their score" in str(said) for said in found.results[0].warnings)


def test_what_clusters_are_not_for_is_refused() -> None:
    with pytest.raises(rs.UnsoundError, match="distinguish does not apply to clusters of queries"):
        rs.evaluate(TABLE, **ASKED, cluster="user", distinguish=True)
    policy = {"label": "grade", "qid": "query", "cluster": "user",
              "rule": [{"score": "a", "measure": "rr", "at_least": 0.1}]}  # fmt: skip
    with pytest.raises(rs.InputError, match="treats queries as independent: 'user'"):
        rs.gate(policy, TABLE)


def test_limits_stay_where_the_mean_can_be() -> None:
    """A cluster's value has no bounds, but the mean of values between 0 and 1 has."""
    values = [1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 1.0, 0.2, 1.0]
    sample = rs.Sample({"a": values}, cluster=[1, 1, 1, 1, 2, 3, 4, 5, 6])
    estimate = rs.evaluate(sample).results[0]
    assert estimate.low < estimate.value < estimate.high == 1.0
    assert estimate.interval.range == (-math.inf, math.inf)


def test_estimates_of_a_sample_have_a_side() -> None:
    found = rs.evaluate(rs.Sample({"a": [0.2, 0.4, 0.9] * 5}), alternative="greater").results[0]
    assert found.high == 1.0

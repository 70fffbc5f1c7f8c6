"""The search for a published number."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import rocsolid as rs
from rocsolid.graded.attribution import PrintedNumber
from rocsolid.graded.profiles import profile


@pytest.mark.parametrize(
    ("text", "digits", "fits", "misses"),
    [
        (".5", 1, (0.45, 0.5499), (0.44, 0.56)),
        ("0.544", 3, (0.5435, 0.5445), (0.5434, 0.5446)),
        ("0.5440", 4, (0.54397,), (0.5445,)),
        (0.25, 2, (0.25, 0.2459), (0.26,)),
    ],
)
def test_a_number_fits_if_it_rounds_to_what_was_printed(text, digits, fits, misses) -> None:
    published = PrintedNumber(text)
    assert published.digits == digits
    assert all(published.fits(value) for value in fits)
    assert not any(published.fits(value) for value in misses)


@pytest.mark.parametrize("text", ["high", "1", "nan", "54", "", None])
def test_what_is_no_such_number(text) -> None:
    with pytest.raises(rs.InputError, match="published value"):
        PrintedNumber(text)


QRELS = {
    "q1": {"a": 2, "b": 0, "c": 1},
    "q2": {"a": 1, "b": 0},
    "q3": {"a": 0, "b": 2},
    "q4": {"a": 1},
}
RUN = {"q1": {"b": 3, "a": 3}, "q2": {"a": 2, "b": 1}, "q3": {"a": 2, "b": 1}, "q9": {"a": 1}}


def test_tools_and_conventions_are_found() -> None:
    for name in ("sklearn", "lightgbm", "gdeval", "trec_eval-9-c"):
        value = rs.explain(QRELS, RUN, profile="trec_eval-9", vs=name).other
        found = rs.explain(QRELS, RUN, published=f"{value:.6f}")
        assert f"as {name}" in [way.how for way in found.ways]
    condensed = rs.explain(QRELS, RUN, published="0.999999")
    assert not condensed.ways
    assert len(condensed.nearest) == 3
    assert "Nothing gives 0.999999. Nearest" in str(condensed)
    assert "No convention or number of queries that was tried" in condensed.explain()


def test_one_deleted_query_is_named() -> None:
    """Without q3, counted 0, the mean of three is that of the other two times 2/3."""
    base = rs.explain(QRELS, RUN, profile="trec_eval-9", vs="trec_eval-9-c")
    values = {query: rs.explain(QRELS, {query: RUN[query]}, published="0.1").value for query in RUN
              if query in QRELS}  # fmt: skip
    assert base.value == pytest.approx(sum(values.values()) / 3)
    without = (values["q1"] + values["q2"]) / 3
    found = rs.explain(QRELS, RUN, published=f"{without:.5f}")
    assert "query q3 counted 0" in [way.how for way in found.ways]
    left = rs.explain(QRELS, RUN, published=f"{1.5 * without:.5f}")
    assert "query q3 left out" in [way.how for way in left.ways]


def test_all_queries_of_the_run_in_the_denominator() -> None:
    """As trectools did: those that nobody judged count 0."""
    run = RUN | {f"r{i}": {"a": 1} for i in range(9)}
    base = rs.explain(QRELS, run, published="0.1").value
    found = rs.explain(QRELS, run, published=f"{base * 3 / 13:.5f}")
    assert any(way.how.startswith("over all 13 queries of the run") for way in found.ways)


def test_pairs_of_conventions_where_nothing_else_fits() -> None:
    both = replace(profile("trec_eval-9"), name="both", gain=rs.gains.exp2(), ties="average")
    value = rs.explain(QRELS, RUN, profile="trec_eval-9", vs=both).other
    found = rs.explain(QRELS, RUN, published=f"{value:.6f}")
    assert [way.how for way in found.ways] == [
        "gain: linear → exp2; ties: greater id first → averaged"
    ]
    assert found.ways[0].changes == 2


def test_percentages_are_refused() -> None:
    with pytest.raises(rs.InputError, match=r"lies between 0 and 1.*'54.4'.*not a percentage"):
        rs.explain(QRELS, RUN, published="54.4")


def test_the_result_is_plain_data_and_text() -> None:
    found = rs.explain(QRELS, RUN, published="0.50")
    data = json.loads(json.dumps(found.to_dict()))
    assert data["tried"] == found.tried > 20
    assert str(found.tried) in str(found)
    assert "a fitting value is a candidate, not a proof" in found.explain()


def test_a_published_number_is_not_looked_for_in_one_tool() -> None:
    with pytest.raises(rs.InputError, match="searched for in all tools"):
        rs.explain(QRELS, RUN, vs="sklearn", published="0.5")  # type: ignore[call-overload]

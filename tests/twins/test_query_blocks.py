"""Queries measured block by block, against all at once: the same to the last bit.

An engine that streams blocks of whole queries relies on this, and so does one that has them
measured in other processes.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rocsolid.comparison.build import PairKeywords
from rocsolid.evaluation.query_answer import queries_answer
from rocsolid.evaluation.query_estimates import RankedTable, query_numbers, query_values_of_block
from rocsolid.graded.profile import Profile
from rocsolid.graded.profiles import conventions
from rocsolid.graded.query_values import QueryValues, joined
from rocsolid.intervals.estimate_options import EstimateOptions

MEASURES = (
    "ndcg@10",
    "ndcg[exp2,zipf]",
    "ndcg[ideal=retrieved]@frac(0.3)",
    "dcg@5",
    "map",
    "map@3",
    "rr",
    "P_5",
    "recall@4",
    "success@2",
    "rprec",
    "bpref",
    "gauc",
    "err(max=4)@20",
    "rbp(p=0.8)",
)
WAYS = [
    conventions(),
    conventions(unjudged="condense", negative="unjudged", empty=0),
    conventions(ties="input", negative="zero"),
    conventions("trec_eval-9"),
]
ARRAYS = (
    "value",
    "worst",
    "best",
    "judged",
    "beside",
    "length",
    "tied",
    "top",
    "graded",
    "omitted",
)

Columns = dict[str, NDArray[Any]]


@st.composite
def tables(draw: st.DrawFn) -> Columns:
    """Lists of 1 to 40 documents: ties, signed zeros, not retrieved, not judged, not scored."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.Generator(np.random.Philox(seed))
    sizes = draw(st.lists(st.integers(1, 40), min_size=2, max_size=9))
    rows, queries = sum(sizes), len(sizes)
    names: NDArray[Any] = rng.permutation(queries) * 7
    if draw(st.booleans()):
        names = np.array([f"q{name}" for name in names.tolist()])
    grade = rng.choice([0, 0, 1, 2, 3], rows).astype(np.float64)
    # some tables have no other grades than 0 and 1, or some of their queries do
    binary = np.repeat(rng.random(queries) < draw(st.sampled_from([0.0, 0.5, 1.0])), sizes)
    grade[binary] = np.minimum(grade[binary], 1.0)
    if draw(st.booleans()):
        grade[rng.random(rows) < 0.2] = 0.3
    grade[rng.random(rows) < draw(st.sampled_from([0.0, 0.2]))] = np.nan
    levels = draw(st.sampled_from([1, 3, 1000]))
    scores = {name: rng.integers(0, levels, rows) / 3.0 - 0.0 for name in "ab"}
    for each in scores.values():
        each[rng.random(rows) < draw(st.sampled_from([0.0, 0.2]))] = -np.inf
        each[rng.random(rows) < draw(st.sampled_from([0.0, 0.1]))] = np.nan
    order = rng.permutation(rows) if draw(st.booleans()) else np.arange(rows)
    columns: Columns = {
        "query": np.repeat(names, sizes),
        "part": np.repeat(rng.integers(0, 3, queries), sizes),
        "doc": np.concatenate([rng.permutation(size) for size in sizes]).astype(str),
        "grade": grade,
        **scores,
    }
    return {name: column[order] for name, column in columns.items()}


def dealt(columns: Columns, blocks: int, seed: int) -> list[Columns]:
    """The rows in blocks of whole queries."""
    _, code = np.unique(columns["query"], return_inverse=True)
    block = np.random.Generator(np.random.Philox(seed)).integers(0, blocks, code.max() + 1)[code]
    return [{n: c[block == b] for n, c in columns.items()} for b in np.unique(block)]


def same(one: QueryValues, other: QueryValues) -> None:
    assert one.qids.tolist() == other.qids.tolist()
    assert [key.tolist() for key in one.keys] == [key.tolist() for key in other.keys]
    for name in ARRAYS:
        ours, theirs = getattr(one, name), getattr(other, name)
        assert ours.tobytes() == theirs.tobytes(), name


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from(WAYS), st.integers(1, 9), st.integers(0, 99), st.booleans())
def test_any_split_into_blocks_of_whole_queries_gives_the_same(
    columns: Columns, profile: Profile, blocks: int, seed: int, lower: bool
) -> None:
    measures = MEASURES
    if not profile.ours:
        measures = tuple(name for name in MEASURES if name[:3] in ("ndc", "map", "rr", "P_5"))
    asked = RankedTable(
        "grade", "query", ("a", "b"), measures, profile, ("part",), "doc", lower_is_better=lower,
        nan="omit",
    )  # fmt: skip
    if lower:  # −∞ is "not retrieved" for higher scores; here it would be the best
        columns = {**columns, "a": -columns["a"], "b": -columns["b"]}
    whole = query_values_of_block(columns, asked)
    sent = pickle.loads(pickle.dumps(asked))  # as to another process
    parts = [
        pickle.loads(pickle.dumps(query_values_of_block(part, sent)))
        for part in dealt(columns, blocks, seed)
    ]
    same(joined(parts).in_order(), whole.in_order())
    one_by_one = parts[0]
    for part in parts[1:]:
        one_by_one = part + one_by_one
    same(one_by_one.in_order(), whole.in_order())


@settings(max_examples=12, deadline=None)
@given(tables(), st.integers(2, 9), st.integers(0, 99))
def test_the_evaluation_is_the_same_too(columns: Columns, blocks: int, seed: int) -> None:
    asked = RankedTable(
        "grade", "query", ("a", "b"), ("ndcg@10", "rr"), conventions(empty=0), ("part",), nan="omit"
    )
    how: PairKeywords = {"test": "sign-flip", "adjust": "max-t", "resamples": 99}
    found = [
        queries_answer(
            query_numbers(
                [query_values_of_block(part, asked) for part in some],
                asked,
                EstimateOptions(),
                how,
                source="",
                rows=0,
            )
        ).to_dict(per_query=True)
        for some in ([columns], dealt(columns, blocks, seed))
    ]
    assert repr(found[0]) == repr(found[1])

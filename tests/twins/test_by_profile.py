"""A measure by any mixture of conventions, against loops over dictionaries."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import groupby, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.evaluation.explain import judged_files
from rocsolid.gains import exp2, linear
from rocsolid.graded.by_profile import by_profile
from rocsolid.graded.profile import Profile
from rocsolid.graded.profiles import LETOR, PROFILES

Table = dict[str, dict[str, Any]]
DOCS = ("a", "b", "c", "d", "e")
SCORES = (0.0, 1.0, 1.0 + 1e-9, 2.0)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, Table]:
    grade, score = st.integers(-1, 3), st.sampled_from(SCORES)
    some = st.lists(st.sampled_from(DOCS), unique=True, min_size=1, max_size=5)
    qrels = {q: {d: draw(grade) for d in draw(some)} for q in ("q1", "q2", "q3")}
    queries = draw(st.lists(st.sampled_from(["q1", "q2", "q3"]), unique=True, min_size=1))
    run = {q: {d: draw(score) for d in draw(some)} for q in queries}
    return qrels, run


@st.composite
def mixtures(draw: st.DrawFn) -> Profile:
    return Profile(
        name="mixture",
        tool="a mixture",
        missing=draw(st.sampled_from(["zero", "exclude"])),
        empty=draw(st.sampled_from(["exclude", 0, 1])),
        gain=draw(st.sampled_from([linear(), exp2()])),
        discount=draw(st.sampled_from([LETOR, rs.discounts.log2()])),
        ties=draw(st.sampled_from(["average", "trec", "input"])),
        ideal=draw(st.sampled_from(["judged", "retrieved"])),
        unjudged=draw(st.sampled_from(["zero", "condense"])),
        negative=draw(st.sampled_from(["zero", "unjudged"])),
        precision=draw(st.sampled_from(["float64", "float32"])),
        short=draw(st.sampled_from(["pad", "zero"])),
    )


def plain(qrels: Table, run: Table, head: str, k: int, p: Profile) -> dict[str, float | None]:
    """What each query counts; ``None`` for one that is left out."""
    found: dict[str, float | None] = {}
    for query, judged in qrels.items():
        if query not in run and p.missing == "exclude":
            found[query] = None
            continue
        if p.negative == "unjudged":
            grades = {d: g for d, g in judged.items() if g >= 0}
        else:
            grades = {d: max(g, 0) for d, g in judged.items()}
        listed = list(run.get(query, {}).items())
        if p.precision == "float32":
            listed = [(d, float(np.float32(s))) for d, s in listed]
        if p.unjudged == "condense":
            listed = [(d, s) for d, s in listed if d in grades]
        if p.ideal == "retrieved":
            grades = {d: g for d, g in grades.items() if d in dict(listed)}
        values = [value(order, grades, head, k, p) for order in orders(listed, p.ties)]
        if values[0] is None:
            found[query] = None if p.empty == "exclude" else float(p.empty)
        elif head == "ndcg" and p.short == "zero" and len(listed) < k:
            found[query] = 0.0
        else:
            found[query] = math.fsum(v for v in values if v is not None) / len(values)
    return found


def orders(listed: list[tuple[str, float]], ties: str) -> list[list[str]]:
    if ties == "trec":
        listed = sorted(listed, key=lambda pair: pair[0], reverse=True)
    down = sorted(listed, key=lambda pair: -pair[1])
    if ties != "average":
        return [[d for d, _ in down]]
    blocks = [[d for d, _ in block] for _, block in groupby(down, key=lambda pair: pair[1])]
    each = [list(permutations(block)) for block in blocks]
    return [[d for block in choice for d in block] for choice in product(*each)]


def value(order: list[str], grades: dict[str, int], head: str, k: int, p: Profile) -> float | None:
    relevant = {d for d, g in grades.items() if g > 0}
    if not relevant:
        return None
    if head == "p":
        return float(Fraction(sum(d in relevant for d in order[:k]), k))
    if head == "ap":
        hits = [i for i, d in enumerate(order, 1) if d in relevant]
        return math.fsum(n / i for n, i in enumerate(hits, 1)) / len(relevant)

    def gain(grade: int) -> int:
        return grade if p.gain == linear() else 2**grade - 1

    def discount(rank: int) -> float:
        return 1 / math.log2(max(rank, 2) if p.discount == LETOR else rank + 1)

    ideal = sorted((gain(g) for g in grades.values()), reverse=True)[:k]
    most = math.fsum(g * discount(r) for r, g in enumerate(ideal, 1))
    gained = (gain(grades.get(d, 0)) * discount(r) for r, d in enumerate(order[:k], 1))
    return math.fsum(gained) / most


@given(tables(), mixtures(), st.sampled_from(["ndcg", "ap", "p"]), st.integers(1, 6))
def test_against_loops(found: tuple[Table, Table], p: Profile, head: str, k: int) -> None:
    qrels, run = found
    judged, _ = judged_files(qrels, run, "raise")
    name = head if head == "ap" else f"{head}@{k}"
    p = replace(p, measures=("nDCG", "AP", "P"))
    mine = by_profile(judged, name, p)
    expected = plain(qrels, run, head, k, p)
    for query, got in zip(judged.zero.qids, mine.value, strict=True):
        want = expected[str(query)]
        assert math.isnan(got) if want is None else got == pytest.approx(want, abs=1e-12)


@given(tables(), st.sampled_from(sorted(PROFILES)), st.sampled_from(sorted(PROFILES)))
def test_the_way_ends_at_the_other_tool(found: tuple[Table, Table], a: str, b: str) -> None:
    """To the last bit: nothing is left over, whatever the order of the conventions."""
    qrels, run = found
    try:
        way = rs.explain(qrels, run, measure="ndcg@3", profile=a, vs=b)
    except rs.InputError as error:
        known = ("refuses negative grades", "stops at a judged query", "no query counts")
        if not any(reason in str(error) for reason in known):
            raise
        return
    assert [s.convention for s in way.switches] == differing(a, b)
    if way.switches:
        assert way.switches[-1].value == way.other
        assert math.fsum(s.change for s in way.switches) == pytest.approx(way.difference, abs=1e-12)
        assert way.switches[0].change == way.switches[0].alone
        assert way.switches[-1].change == way.switches[-1].last
    else:
        assert way.difference == 0.0
    assert all(s in way.mattering for s in way.switches if s.change)


def differing(a: str, b: str) -> list[str]:
    order = ("missing", "empty", "gain", "discount", "ties", "ideal", "unjudged", "precision",
             "negative", "short")  # fmt: skip
    one, other = PROFILES[a], PROFILES[b]
    return [name for name in order if getattr(one, name) != getattr(other, name)]

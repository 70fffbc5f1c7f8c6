"""The walk to a rate reads few groups; plain formulas read all of them and give the same digits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.binary.rate_term import RateTerm, RateWalk
from rocsolid.summaries.near_table import NearTable
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts

SIZES = (1, 7, 20, 45, 300, 9_000, 30_000)  # `dot` adds 8,192 products at a time


def groups(seed: int, size: int, kind: str) -> ScoreCounts:
    rng = np.random.default_rng(seed)
    shares = rng.choice([0.05, 0.5, 0.95], 2)
    pos, neg = (rng.integers(0, 4, size) * (rng.random(size) < share) for share in shares)
    if kind == "weights":
        pos, neg = (each * rng.lognormal(0.0, 3.0, size) for each in (pos, neg))
    if kind == "distinct":
        pos = rng.integers(0, 2, size)
        neg = 1 - pos
    pos[rng.integers(size)] += 1
    neg[rng.integers(size)] += 1
    return ScoreCounts(np.arange(size), pos.astype(np.float64), neg.astype(np.float64))


def plain(walk: RateWalk, table: ScoreCounts) -> tuple[np.ndarray, float, list[float]]:
    """The shares of all groups above the threshold, and the rows of the other class."""
    of_neg = walk.term.of == "neg"
    own, other = (table.neg, table.pos) if of_neg else (table.pos, table.neg)
    size = walk.neg if of_neg else walk.pos
    above = size - np.cumsum(own)
    held = own > 0.0
    better = above < walk.count + (size if of_neg else -size) * 1e-12
    shares = [np.divide(walk.count - above, own, out=better.astype(float), where=held)]
    for width in walk.widths:
        low, high = walk.count - width, walk.count + width
        length = np.minimum(above + own, high) - np.maximum(above, low)
        between = ((above > low) & (above < high)).astype(float)
        shares.append(np.divide(length, own, out=between, where=held))
    taken, *inside = (share.clip(0.0, 1.0) for share in shares)
    return taken, dot(other, taken), [dot(other, each) for each in inside]


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    size=st.sampled_from(SIZES),
    kind=st.sampled_from(["counts", "weights", "distinct"]),
    of=st.sampled_from(["pos", "neg"]),
    at=st.sampled_from([0.001, 0.1, 0.5, 0.9, 1.0 / 3.0]),
)
def test_no_digit_depends_on_groups_far_from_the_threshold(
    seed: int, size: int, kind: str, of: str, at: float
) -> None:
    for number in range(seed, seed + (40 if size < 100 else 1)):
        table = groups(number, size, kind)
        walk = RateTerm(of, at).begin(float(table.pos.sum()), float(table.neg.sum()))
        found, _ = walk.step(table)
        taken, flagged, rises = plain(walk, table)
        assert np.array_equal(found, taken)
        assert (walk.flagged, list(walk.rises)) == (flagged, rises)


@pytest.mark.parametrize("size", SIZES)
def test_far_groups_are_counted_in_steps_that_grow(size: int) -> None:
    table = groups(7, size, "counts")
    rows = table.pos + table.neg
    above = rows.sum() - np.cumsum(rows)
    near = NearTable(0.4 * rows.sum(), 0.45 * rows.sum())
    near.add(table.pos, table.neg, above, above + rows)
    sums = np.zeros((2, 2, 200))
    kept = []
    for pos, neg, first, last in zip(table.pos, table.neg, above, above + rows, strict=True):
        side = 0 if first > near.last else 1
        beyond = first - near.last if side == 0 else near.first - last
        if beyond <= 0.0:
            kept.append((pos, neg))
            continue
        step = math.log1p(beyond / (0.5 * (near.last - near.first))) / math.log(1.05)
        sums[side, :, min(int(step), 199)] += pos, neg
    (part,) = near.parts
    assert [tuple(each) for each in np.transpose(part)] == kept
    assert np.array_equal(np.zeros_like(sums) if near.far is None else near.far, sums)


@pytest.mark.parametrize("of", ["pos", "neg"])
def test_a_threshold_among_groups_without_a_row_of_the_class(of: str) -> None:
    own = np.repeat([1.0, 0.0, 1.0], 8_192)
    classes = (own, 1.0 - own) if of == "pos" else (1.0 - own, own)
    table = ScoreCounts(np.arange(len(own)), *classes)
    walk = RateTerm(of, 0.5).begin(*(float(each.sum()) for each in classes))
    found, _ = walk.step(table)
    assert np.array_equal(found, plain(walk, table)[0])
    assert walk.flagged == (0.0 if of == "pos" else 8_192.0)

"""The cells of a sketch, how they collapse, and their bracket, against plain Python."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import reference
import rocsolid as rs
from rocsolid.binary.sketch import sketch as sketch_module
from rocsolid.binary.sketch.stored import CELL_BYTES, FIXED_BYTES
from rocsolid.summaries import segments
from rocsolid.summaries.score_keys import (
    _NEAR,
    KeyCells,
    ScoreType,
    _reach,
    absorbed,
    collapsed,
    exact_scores,
    score_keys,
)
from samples import labelled_scores

Cell = tuple[int, int, int, int]  # low, level, positives, negatives
Rows = tuple[NDArray[np.bool_], NDArray[np.generic]]


def _listed(cells: KeyCells) -> list[Cell]:
    columns = (cells.low, cells.level, cells.pos, cells.neg)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _table(rows: list[Cell]) -> KeyCells:
    low, level, pos, neg = zip(*rows, strict=True)
    return KeyCells.empty() + KeyCells(
        np.array(low, dtype=np.uint64), np.array(level, dtype=np.uint8), np.array(pos),
        np.array(neg),
    )  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> KeyCells:
    """Nested cells at both ends of the keys, in their middle, and anywhere."""
    found: dict[tuple[int, int], Cell] = {}
    for _ in range(draw(st.integers(2, 14))):
        base = draw(st.sampled_from([0, 2**63, 2**64 - 16]))
        key = draw(st.one_of(st.integers(0, 15).map(base.__add__), st.integers(0, 2**64 - 1)))
        level = draw(st.sampled_from([0, 0, 0, 1, 2, 3, 4, 20, 63, 64]))
        low = key >> level << level
        pos, neg = draw(st.sampled_from([(1, 0), (0, 1), (2, 3), (5, 1)]))
        found[low, level] = (low, level, pos, neg)
    return _table(list(found.values()))


def _same_or_nested(a: Cell, b: Cell) -> bool:
    return a[0] >> max(a[1], b[1]) == b[0] >> max(a[1], b[1])


@given(tables())
def test_pairs(cells: KeyCells) -> None:
    doubled = unknown = 0
    rows = _listed(cells)
    for p in rows:
        for n in rows:
            pairs = p[2] * n[3]
            if p is n and p[1] == 0:
                doubled += pairs
            elif _same_or_nested(p, n):
                unknown += pairs
            else:
                doubled += 2 * pairs * (p[0] > n[0])
    found = cells.pairs()
    assert (found.doubled_wins, found.unknown) == (doubled, unknown)
    assert found.n_pos == sum(row[2] for row in rows)
    assert found.n_neg == sum(row[3] for row in rows)


def test_pairs_past_64_bits() -> None:
    big = 3 * 10**17
    cells = _table([(0, 2, big, big), (1, 0, big, 0), (4, 0, big, big), (9, 0, 0, big)])
    found = cells.pairs()
    # nested: 0-3 with itself and with 1; apart: 4 above both; tied: 4 with itself
    assert found.unknown == 2 * big * big
    assert found.doubled_wins == 2 * big * big + big * big


def _plain_collapse(rows: list[Cell], capacity: int) -> list[Cell]:
    """Every wall's cost from the definition; the cheapest go, inner and left ones first."""
    total_pos, total_neg = sum(r[2] for r in rows), sum(r[3] for r in rows)
    walls = []
    for i, (a, b) in enumerate(pairwise(rows)):
        level = max(a[1], b[1], (a[0] ^ b[0]).bit_length())
        inside = [r for r in rows if r[1] <= level and r[0] >> level == a[0] >> level]
        p, n = sum(r[2] for r in inside), sum(r[3] for r in inside)
        cost = ((p + n) / (total_pos + total_neg)) ** 2
        if total_pos and total_neg:
            cost += p * n / (total_pos * total_neg)
        walls.append((cost, level, i))
    gone = {i: level for _, level, i in sorted(walls)[: max(len(rows) - capacity, 0)]}
    made: dict[tuple[int, int], Cell] = {}
    run = [rows[0]]
    level = rows[0][1]
    for i, row in enumerate([*rows[1:], None]):
        if row is not None and i in gone:
            run.append(row)
            level = max(level, gone[i], row[1])
            continue
        low = run[0][0] >> level << level
        pos, neg = sum(r[2] for r in run), sum(r[3] for r in run)
        old = made.get((low, level), (low, level, 0, 0))
        made[low, level] = (low, level, old[2] + pos, old[3] + neg)
        if row is not None:
            run, level = [row], row[1]
    return sorted(made.values(), key=lambda r: (r[0], -r[1]))


@settings(max_examples=100)
@given(tables(), st.integers(1, 14))
def test_collapse(cells: KeyCells, capacity: int) -> None:
    found = collapsed(cells, capacity)
    assert len(found) <= capacity
    assert _listed(found) == _plain_collapse(_listed(cells), capacity)


def _plain_absorb(rows: list[Cell], pos: list[int], neg: list[int], most: float) -> list[Cell]:
    """Row by row: those from one cell's beginning to the next join it together, or none does."""
    ends = [row[0] for row in rows[1:]] + [2**64]
    n_pos, n_neg = sum(r[2] for r in rows) + len(pos), sum(r[3] for r in rows) + len(neg)
    made = {(row[0], row[1]): row for row in rows}
    alone = [(key, 1, 0) for key in pos if key < rows[0][0]]
    alone += [(key, 0, 1) for key in neg if key < rows[0][0]]
    for (low, level, p, n), end in zip(rows, ends, strict=True):
        of_pos = [key for key in pos if low <= key < end]
        of_neg = [key for key in neg if low <= key < end]
        p_all, n_all = p + len(of_pos), n + len(of_neg)
        cost = ((p_all + n_all) / (n_pos + n_neg)) ** 2
        if n_pos and n_neg:
            cost += p_all / n_pos * (n_all / n_neg)
        inside = all(key >> level == low >> level for key in of_pos + of_neg)
        if inside and (level == 0 or cost <= most):
            made[low, level] = (low, level, p_all, n_all)
        else:
            alone += [(key, 1, 0) for key in of_pos] + [(key, 0, 1) for key in of_neg]
    for key, p, n in alone:
        old = made.get((key, 0), (key, 0, 0, 0))
        made[key, 0] = (key, 0, old[2] + p, old[3] + n)
    return sorted(made.values(), key=lambda r: (r[0], -r[1]))


@settings(max_examples=100)
@given(tables(), st.data())
def test_rows_join_cells_that_stay_cheap(cells: KeyCells, data: st.DataObject) -> None:
    rows = _listed(cells)
    near = st.sampled_from(rows).flatmap(
        lambda row: st.integers(max(row[0] - 2, 0), min(row[0] + (1 << row[1]) + 1, 2**64 - 1))
    )
    keys = st.lists(near, max_size=8).map(sorted)
    pos, neg = data.draw(keys), data.draw(keys)
    most = data.draw(st.sampled_from([0.0, 0.01, 0.1, 0.3, 2.0]))
    found = absorbed(cells, np.array(pos, np.uint64), np.array(neg, np.uint64), most)
    assert _listed(found) == _plain_absorb(rows, pos, neg, most)


def test_the_first_rows_have_a_cell_for_each_score() -> None:
    pos, neg = np.array([3, 3], np.uint64), np.array([0, 3], np.uint64)
    assert _listed(absorbed(KeyCells.empty(), pos, neg, 1.0)) == [(0, 0, 0, 1), (3, 0, 2, 1)]


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(1, 2 * _NEAR)), min_size=1, max_size=12))
def test_the_nearest_higher_wall_near_and_far(runs: list[tuple[int, int]]) -> None:
    level = [height for height, count in runs for _ in range(count)]
    low, high = -1, len(level)
    before = [max((j for j in range(i) if level[j] > x), default=low) for i, x in enumerate(level)]
    after = [
        min((j for j in range(i, high) if level[j] > x), default=high) for i, x in enumerate(level)
    ]
    walls = np.array(level, dtype=np.uint8)
    assert _reach(walls, -1).tolist() == [j + 1 for j in before]
    assert _reach(walls, 1).tolist() == [j + 1 for j in after]


@given(tables(), tables())
def test_addition_is_a_union_that_adds_up(a: KeyCells, b: KeyCells) -> None:
    expected: dict[tuple[int, int], Cell] = {}
    for low, level, pos, neg in _listed(a) + _listed(b):
        old = expected.get((low, level), (low, level, 0, 0))
        expected[low, level] = (low, level, old[2] + pos, old[3] + neg)
    assert _listed(a + b) == sorted(expected.values(), key=lambda r: (r[0], -r[1]))


def _type(score: NDArray[np.generic]) -> ScoreType:
    if score.dtype.kind == "f" or score.dtype.itemsize < 8:
        return "float64"
    return "int64" if score.dtype.kind == "i" else "uint64"


@given(labelled_scores())
def test_keys_are_in_the_order_of_the_scores(rows: Rows) -> None:
    score = rows[1].astype(np.uint8) if rows[1].dtype.kind == "b" else rows[1]
    kind = _type(score)
    key, values = score_keys(exact_scores(score, kind)).tolist(), score.tolist()
    for i, a in enumerate(values):
        for j, b in enumerate(values):
            assert (key[i] < key[j]) == (a < b)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of five rows, and sketches of a few buckets."""
    monkeypatch.setattr(segments, "ROWS", 5)
    monkeypatch.setattr(sketch_module, "SMALLEST", 0)


def _size(buckets: int) -> int:
    return FIXED_BYTES + buckets * CELL_BYTES


def _tree(parts: list[rs.Sketch], data: st.DataObject) -> rs.Sketch:
    """All parts, two at a time, in any order."""
    while len(parts) > 1:
        i = data.draw(st.integers(0, len(parts) - 1))
        one = parts.pop(i)
        j = data.draw(st.integers(0, len(parts) - 1))
        parts.append(one + parts.pop(j))
    return parts[0]


@pytest.mark.usefixtures("tiny")
@settings(max_examples=80)
@given(labelled_scores(max_size=60), st.data())
def test_the_bracket_holds_whatever_the_parts_and_their_order(
    rows: Rows, data: st.DataObject
) -> None:
    y, s = rows
    kind = _type(s)
    exact = reference.auc(*reference.split(y.tolist(), s.tolist()))
    ends = sorted(data.draw(st.lists(st.integers(0, len(y)), max_size=6)))
    parts = []
    for begin, end in zip([0, *ends], [*ends, len(y)], strict=True):
        part = rs.Sketch(size=_size(data.draw(st.sampled_from([1, 2, 4, 8]))), scores=kind)
        if end > begin:
            part.update(y[begin:end], s[begin:end])
        parts.append(part)
    whole = _tree(parts, data)
    found = whole.auc()
    low, high = Fraction(found.doubled_wins), Fraction(found.doubled_wins + 2 * found.unknown)
    pairs = 2 * found.n_pos * found.n_neg
    assert low / pairs <= exact <= high / pairs
    assert found.low <= float(exact) <= found.high
    assert float(exact) in found
    assert len(whole.to_bytes()) <= whole.size
    turned = whole.auc(lower_is_better=True)
    assert turned.doubled_wins == pairs - found.doubled_wins - 2 * found.unknown
    assert rs.auc(y, s).fingerprint == found.fingerprint
    # and a second pass, in the opposite order, finds the number
    again = whole.refine().update(y[::-1], s[::-1]).auc()
    assert again.exact == exact


@pytest.mark.usefixtures("tiny")
@given(labelled_scores(max_size=40), st.data())
def test_batches_make_no_difference(rows: Rows, data: st.DataObject) -> None:
    y, s = rows
    kind, size = _type(s), _size(data.draw(st.integers(1, 6)))
    at_once = rs.Sketch(size=size, scores=kind).update(y, s)
    by_batch = rs.Sketch(size=size, scores=kind)
    ends = sorted(data.draw(st.lists(st.integers(1, len(y)), max_size=6)))
    for begin, end in zip([0, *ends], [*ends, len(y)], strict=True):
        if end > begin:
            by_batch.update(y[begin:end], s[begin:end])
        assert by_batch.n_pos + by_batch.n_neg == end
        by_batch.to_bytes()  # looking changes nothing
    assert by_batch.to_bytes() == at_once.to_bytes()


@pytest.mark.usefixtures("tiny")
@given(labelled_scores(max_size=40), st.randoms(use_true_random=False))
def test_where_all_scores_fit_the_order_makes_no_difference(rows: Rows, random: object) -> None:
    y, s = rows
    kind, size = _type(s), _size(40)
    order = list(range(len(y)))
    random.shuffle(order)  # type: ignore[attr-defined]
    cut = len(y) // 2
    parts = [
        rs.Sketch(size=size, scores=kind).update(y[at], s[at]) for at in (order[:cut], order[cut:])
    ]
    whole = parts[1] + parts[0]
    assert whole.to_bytes() == rs.Sketch(size=size, scores=kind).update(y, s).to_bytes()
    found, one = whole.auc(), rs.auc(y, s)
    assert found.exact == one.exact
    assert found.low == found.high == found.value == one.value


@pytest.mark.usefixtures("tiny")
@given(labelled_scores(max_size=60), st.integers(1, 8), st.data())
def test_passes_with_little_memory_narrow_the_bracket_to_a_number(
    rows: Rows, buckets: int, data: st.DataObject
) -> None:
    y, s = rows
    exact = reference.auc(*reference.split(y.tolist(), s.tolist()))
    sketch = rs.Sketch(size=_size(buckets), scores=_type(s)).update(y, s)
    bracket, passes = sketch.auc(), sketch
    memory = data.draw(st.integers(16, 16 * len(y)))
    for _ in range(len(y) + 1):
        try:
            passes = passes.refine(memory=memory)
        except rs.InputError:  # no bucket's rows fit
            memory *= 2
            continue
        passes.update(y, s)
        narrower = passes.auc()
        assert narrower.low >= bracket.low
        assert narrower.high <= bracket.high
        assert float(exact) in narrower
        bracket = narrower
        if not bracket.unknown:
            break
    assert bracket.exact == exact


@pytest.mark.usefixtures("tiny")
@settings(max_examples=60)
@given(labelled_scores(max_size=40), st.integers(1, 8))
def test_the_widened_intervals_hold_those_of_all_rows(rows: Rows, buckets: int) -> None:
    y, s = rows
    sketch = rs.Sketch(size=_size(buckets), scores=_type(s)).update(y, s)
    exact = rs.auc(y, s)
    hinge = rs.guarantees.hinge(exact.value, exact.n_pos, exact.n_neg)
    widened = sketch.interval(method="hinge")
    assert widened.certified
    assert widened.low <= hinge.low + 1e-12
    assert widened.high >= hinge.high - 1e-12
    try:
        delong = rs.auc(y, s, interval="delong")
    except rs.UnsoundError:
        return
    widened = sketch.interval(method="delong")
    assert widened.low <= delong.low + 1e-12
    assert widened.high >= delong.high - 1e-12
    turned = sketch.interval(method="delong", lower_is_better=True)
    assert turned.low == pytest.approx(1 - widened.high, abs=1e-12)

"""Values within and between groups against loops over all pairs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.inputs.binary import BinaryRows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.measures.partition import Partition, ScoredGroups
from rocsolid.measures.whole_area import WholeArea
from rocsolid.measures.within import within
from rocsolid.parameters import Counts

AUC = WholeArea()
COUNTS: tuple[Counts, ...] = ("pairs", "rows", "groups")


class Row(NamedTuple):
    positive: bool
    score: int
    group: int
    weight: int = 1
    cluster: int = 0


def rows_of(least: int = 4) -> st.SearchStrategy[list[Row]]:
    small = st.integers(0, 3)
    row = st.builds(Row, st.booleans(), small, small, st.integers(1, 3), small)
    return st.lists(row, min_size=least, max_size=18)


def pairs(rows: list[Row]) -> Iterator[tuple[Row, Row, Fraction]]:
    for i in rows:
        for j in rows:
            if i.positive and not j.positive:
                yield i, j, Fraction(1 + (i.score > j.score) - (i.score < j.score), 2)


def mean(of: list[tuple[Row, Row, Fraction]]) -> Fraction | None:
    total = sum(i.weight * j.weight for i, j, _ in of)
    return sum((i.weight * j.weight * won for i, j, won in of), Fraction(0)) / total if of else None


def twin(rows: list[Row], counts: Counts) -> Fraction | None:
    """The definition: AUCs of the groups that have one, averaged as they count."""
    total, value = Fraction(0), Fraction(0)
    for group in {row.group for row in rows}:
        inside = [row for row in rows if row.group == group]
        own = mean(list(pairs(inside)))
        if own is not None:
            of_pairs = sum(i.weight * j.weight for i, j, _ in pairs(inside))
            count = {"pairs": of_pairs, "rows": sum(row.weight for row in inside)}.get(counts, 1)
            total, value = total + count, value + count * own
    return value / total if total else None


def arrays(rows: list[Row], weighted: bool = False) -> tuple[BinaryRows, NDArray[np.int64]]:
    positive, score, group, weight, _ = map(np.array, zip(*rows, strict=True))
    own = weight.astype(float) if weighted else None
    return BinaryRows(positive, score, own), np.unique(group, return_inverse=True)[1]


def of(rows: list[Row], counts: Counts, weighted: bool = False) -> Partition:
    return Partition.of(AUC, *arrays(rows, weighted), counts)


@given(rows_of(), st.sampled_from(COUNTS))
def test_a_value_within_is_that_of_the_definition(rows: list[Row], counts: Counts) -> None:
    expected = twin(rows, counts)
    assume(expected is not None)
    assert of(rows, counts, weighted=True).within.value == pytest.approx(float(expected or 0))


@given(rows_of())
def test_pooled_is_the_sum_of_shares_exactly(rows: list[Row]) -> None:
    rows = [row._replace(weight=1) for row in rows]
    assume(twin(rows, "pairs") is not None)
    y, s, group, *_ = zip(*rows, strict=True)
    found = rs.auc(list(y), list(s), within=list(group))
    inside, outside = found.within, found.between
    every = list(pairs(rows))
    same = [one for one in every if one[0].group == one[1].group]
    other = [one for one in every if one[0].group != one[1].group]
    assert inside.exact == mean(same) == twin(rows, "pairs")
    assert inside.pairs == len(same)
    assert inside.ties == sum(won == Fraction(1, 2) for *_, won in same)
    if not other:
        assert outside is found.difference is None
        assert found.exact == inside.exact
        return
    assert outside.exact == mean(other)
    assert outside.pairs == len(other)
    shares = [Fraction(part.pairs, len(every)) for part in (inside, outside)]
    assert [float(share) for share in shares] == [inside.share, outside.share]
    assert shares[0] * inside.exact + shares[1] * outside.exact == found.exact
    assert found.difference.value == pytest.approx(inside.value - outside.value)


@given(rows_of())
def test_weights_keep_the_identity(rows: list[Row]) -> None:
    assume(twin(rows, "pairs") is not None)
    y, s, group, weight, _ = zip(*rows, strict=True)
    found = rs.auc(list(y), list(s), within=list(group), sample_weight=list(weight))
    assume(found.between is not None)
    parts = (found.within, found.between)
    assert sum(part.share * part.value for part in parts) == pytest.approx(found.value)
    assert sum(part.share for part in parts) == pytest.approx(1.0)


@given(rows_of(), st.sampled_from(COUNTS))
def test_the_unit_of_weights_changes_nothing(rows: list[Row], counts: Counts) -> None:
    assume(twin(rows, counts) is not None)
    y, s, group, weight, _ = map(np.array, zip(*rows, strict=True))
    first, second = (
        rs.auc(y, s, within=group, sample_weight=weight * times, counts=counts)
        for times in (1.0, 1e300)
    )
    assert second.within.value == pytest.approx(first.within.value)
    assert second.within.interval.low == pytest.approx(first.within.interval.low)
    assert second.within.share == pytest.approx(first.within.share)


@given(rows_of(), st.sampled_from(COUNTS), st.data())
def test_a_slope_is_what_a_little_weight_changes(
    rows: list[Row], counts: Counts, data: st.DataObject
) -> None:
    assume(twin(rows, counts) is not None)
    partition = of(rows, counts, weighted=True)
    parts = [("within", partition.within)] if counts == "pairs" else []
    parts += [] if partition.between is None else [("between", partition.between)]
    place = data.draw(st.integers(0, len(rows) - 1))
    plain, code = arrays(rows, weighted=True)
    assert plain.weight is not None
    step = 1e-6
    changed = plain.weight.copy()
    changed[place] += step
    moved = Partition.of(AUC, BinaryRows(plain.positive, plain.score, changed), code, counts)
    for name, part in parts:
        change = (getattr(moved, name).value - part.value) / step
        assert part.rows.weight is not None
        moves = part.rows.weight * part.slope
        assert moves[place] == pytest.approx(plain.weight[place] * change, abs=1e-5)
        for own in (plain.positive, ~plain.positive):
            assert float(moves[own].sum()) == pytest.approx(0.0, abs=1e-12)


@given(rows_of(), st.sampled_from(("rows", "groups")))
def test_a_group_that_is_a_unit_moves_the_mean_by_its_distance(
    rows: list[Row], counts: Counts
) -> None:
    assume(twin(rows, counts) is not None)
    partition = of(rows, counts, weighted=True)
    plain, code = arrays(rows, weighted=True)
    moved = np.bincount(code, plain.weight * partition.within.slope)
    groups = sorted({row.group for row in rows})
    values = [twin([row for row in rows if row.group == group], "pairs") for group in groups]
    kept = [float(value) for value in values if value is not None]
    assert moved[[value is not None for value in values]] == pytest.approx(
        partition.share * (np.array(kept) - partition.within.value)
    )
    assert float(moved.sum()) == pytest.approx(0.0, abs=1e-12)


def drawn(units: int, seed: int) -> dict[str, Any]:
    """Clusters of some 15 rows each, with an effect of their own."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, units, 15 * units)
    effect = rng.normal(size=units)[cluster]
    positive = rng.random(len(cluster)) < 1 / (1 + np.exp(-effect))
    return {"positive": positive, "score": effect + rng.normal(size=len(cluster)) + positive,
            "cluster": cluster}  # fmt: skip


@pytest.mark.parametrize("groups", ["crossing", "the clusters", "pairs of clusters", "halves"])
def test_the_variance_of_clusters_is_that_of_the_jackknife(groups: str) -> None:
    """Whether pairs within lie in one cluster, in several, or in both."""
    data = drawn(80, 5)
    cluster = data["cluster"]
    code = {
        "crossing": np.arange(len(cluster)) % 5,
        "the clusters": cluster,
        "pairs of clusters": cluster // 2,
        "halves": 2 * cluster + np.arange(len(cluster)) % 2,
    }[groups]
    whole = Partition.of(AUC, BinaryRows(**data), code, "pairs")
    without = []
    for unit in range(80):
        kept = cluster != unit
        rows = BinaryRows(data["positive"][kept], data["score"][kept])
        part = Partition.of(AUC, rows, np.unique(code[kept], return_inverse=True)[1], "pairs")
        assert part.between is not None
        without.append((part.within.value, part.within.value - part.between.value))
    spread = np.array(without)
    jackknife = 79 / 80 * ((spread - spread.mean(axis=0)) ** 2).sum(axis=0)
    assert float(whole.inner.moments(0.0, 1.0).variance) == pytest.approx(jackknife[0], rel=0.05)
    assert whole.difference()[1] == pytest.approx(jackknife[1], rel=0.05)


def test_one_group_is_the_whole() -> None:
    data = drawn(12, 2)
    plain = BinaryRows(data["positive"], data["score"])
    code = np.zeros(len(plain), dtype=np.int64)
    found = within(AUC).decomposed(ScoredGroups(plain, code), Options())
    alone = rs.auc(plain.positive, plain.score)
    assert found.within is not None
    assert found.within.std_error == pytest.approx(alone.std_error)
    assert found.within.exact == alone.exact == found.exact
    assert found.between is None
    low, high = found.within.interval.low, found.within.interval.high
    assert (low, high) == pytest.approx((alone.low, alone.high))


@pytest.mark.parametrize("text", ["pr_auc", "partial_auc(fpr<=0.5)"])
def test_any_measure_is_averaged_over_groups(text: str) -> None:
    measure, data = measure_of(text), drawn(12, 3)
    code = np.arange(len(data["score"])) % 6
    plain = BinaryRows(data["positive"], data["score"])
    estimates = [measure.estimate(scored(plain, code == group), Options()) for group in range(6)]
    values = [estimate.value for estimate in estimates]
    found = within(measure, "site", "groups").decomposed(ScoredGroups(plain, code), Options())
    assert found.within is not None
    assert found.within.value == pytest.approx(np.mean(values))
    assert found.within.std_error == pytest.approx(np.std(values, ddof=1) / np.sqrt(6))
    assert found.within.chance == pytest.approx(np.mean([one.chance for one in estimates]))
    assert found.between is found.difference is None
    assert found.within.share is None
    with pytest.raises(rs.UnsoundError, match="not a mean over pairs"):
        within(measure)


def scored(rows: BinaryRows, inside: NDArray[np.bool_]) -> ScoredRows:
    return ScoredRows(rows.subset(inside))

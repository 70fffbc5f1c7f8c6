"""Spark against memory: hundreds of small data sets are the segments of one dataframe.

A job costs a few tenths of a second, so one job checks all of them. `test_engines.py` has the
properties that every engine shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.engines.engine import Columns, Engine, Segment
from rocsolid.engines.memory import summarise
from rocsolid.engines.spark import open_spark
from rocsolid.engines.spark import source as spark_source
from rocsolid.errors import OneClassError
from rocsolid.inputs import BinaryRows, binary_rows
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredElsewhere, ScoredRows
from rocsolid.measures.named import measures_of
from rocsolid.summaries.strata import NO_VARIANCE
from rocsolid.summaries.terms import PlacementTerm

SETS = 250
FLOATS = [-np.inf, -1.5, -0.0, 0.0, 5e-324, 0.1 + 0.2, 0.3, 1e308, np.inf]
INTEGERS = [-(2**63), -(2**53) - 1, -(2**53), -1, 0, 1, 2**53, 2**53 + 1, 2**63 - 1]
WEIGHTS = [0.0, 1e-3, 0.5, 1.0, 3.0, 1e6]


def data_sets(seed: int, integers: bool, gaps: bool, sets: int = SETS) -> dict[str, list[Any]]:
    """Sets of 1 to 40 rows: many ties, extreme scores, now and then one class or equal weights."""
    rng = np.random.default_rng(seed)
    table: dict[str, list[Any]] = {name: [] for name in ("g", "y", "s", "w", "c")}
    for g in range(sets):
        n = int(rng.integers(1, 41))
        pool = INTEGERS if integers else FLOATS
        scores = [pool[i] for i in rng.integers(0, int(rng.integers(1, len(pool) + 1)), n)]
        if gaps:
            scores = [
                None if hole else s for s, hole in zip(scores, rng.random(n) < 0.1, strict=True)
            ]
        weights = [WEIGHTS[i] for i in rng.integers(0, len(WEIGHTS), n)]
        if g % 5 == 0:
            weights = [weights[0]] * n
        table["g"] += [g] * n
        table["y"] += (rng.random(n) < 0.5).astype(int).tolist()
        table["s"] += scores
        table["w"] += weights
        table["c"] += rng.integers(0, int(rng.integers(1, 12)), n).tolist()
    return table


def frame(spark: Any, table: dict[str, list[Any]], score: str) -> Any:
    rows = list(zip(*table.values(), strict=True))
    return spark.createDataFrame(rows, f"g int, y int, s {score}, w double, c long").repartition(3)


def in_memory(table: dict[str, list[Any]], columns: Columns) -> dict[Any, Any]:
    """The summary of each set as memory makes it, or the reason that there is none."""
    g, y, w, c = (np.array(table[name]) for name in ("g", "y", "w", "c"))
    found = {}
    for key in dict.fromkeys(table["g"]):
        rows = np.flatnonzero((g == key) & np.array([s is not None for s in table["s"]]))
        # the type is that of the whole column: integers with gaps are not floats one by one
        scores = np.array([table["s"][i] for i in rows])
        try:
            found[key] = summarise(
                binary_rows(
                    y[rows], scores,
                    sample_weight=None if columns.weight is None else w[rows],
                    cluster=None if columns.cluster is None else c[rows],
                    lower_is_better=columns.lower_is_better,
                )
            )  # fmt: skip
        except (OneClassError, ValueError) as error:
            found[key] = error
    return found


def assert_same(segment: Segment, wanted: Any) -> None:
    found = segment.summary
    if isinstance(wanted, Exception):
        assert found is None, (segment.key, wanted)
        return
    assert found is not None, segment.key
    for name in ("n_pos", "n_neg", "ties", "ratio", "fingerprint", "weighted", "clusters"):
        assert getattr(found, name) == getattr(wanted, name), (segment.key, name)
    for name in ("auc", "var_pos", "var_neg", "n_pos", "n_neg"):
        got, right = (float(getattr(one.moments, name)) for one in (found, wanted))
        if wanted.squared_shares is None:
            assert got == right or (np.isnan(got) and np.isnan(right)), (segment.key, name)
        else:
            assert got == pytest.approx(right, rel=1e-12, abs=1e-15, nan_ok=True), segment.key
    if wanted.squared_shares is not None:
        assert found.squared_shares == pytest.approx(wanted.squared_shares, rel=1e-12)


@pytest.mark.parametrize(
    ("weight", "cluster", "low", "integers"),
    [
        (False, False, False, False),
        (False, False, True, True),
        (True, False, True, False),
        (False, True, False, True),
        (True, True, False, False),
    ],
)
def test_every_set_is_as_in_memory(
    spark: Any, weight: bool, cluster: bool, low: bool, integers: bool
) -> None:
    table = data_sets(17, integers, gaps=not integers)
    columns = Columns(
        "y", ("s",), ("g",), "w" if weight else None, "c" if cluster else None,
        lower_is_better=low, nan="omit",
    )  # fmt: skip
    wanted = in_memory(table, columns)
    rows = frame(spark, table, "long" if integers else "double")
    with closing(open_spark(rows, columns)) as engine:
        found = list(engine.segments("s"))
    assert [segment.key for segment in found] == [(g,) for g in range(SETS)]
    for segment in found:
        (g,) = segment.key
        assert_same(segment, wanted[g])
        inside = [i for i, key in enumerate(table["g"]) if key == g]
        assert segment.omitted == sum(table["s"][i] is None for i in inside)
        assert segment.n_pos + segment.n_neg + segment.omitted == len(inside)


TERMS = (
    *("pr_auc", "pr_auc(trapezoid)", "pr_auc(davis-goadrich, prevalence=0.3)"),
    *("gain(prevalence=classes)", "bedroc(20)"),
)


def assert_same_terms(
    measures: Sequence[BinaryMeasure], engine: Engine, segment: Segment, rows: BinaryRows
) -> None:
    wanted_of, found_of = ScoredRows(rows), ScoredElsewhere(engine, "s", segment)
    for measure in measures:
        assert measure.term is not None
        found, wanted = (measure.estimate(each, Options()) for each in (found_of, wanted_of))
        assert found.value == pytest.approx(wanted.value, abs=1e-12), segment.key
        limits = wanted.low, wanted.high
        assert (found.low, found.high) == pytest.approx(limits, abs=1e-9), segment.key
        if wanted.std_error is None:
            assert found.std_error is None
        else:
            assert found.std_error == pytest.approx(wanted.std_error, 1e-9, 1e-10, nan_ok=True)
        assert (found.certified is None) == (wanted.certified is None)
        if found.certified is not None and wanted.certified is not None:
            limits = wanted.certified.low, wanted.certified.high
            assert (found.certified.low, found.certified.high) == pytest.approx(limits, abs=1e-12)


@pytest.mark.parametrize(
    ("weight", "cluster", "low"),
    [(False, False, True), (True, False, False), (False, True, False), (True, True, True)],
)
def test_terms_of_every_set_are_as_in_memory(
    spark: Any, monkeypatch: pytest.MonkeyPatch, weight: bool, cluster: bool, low: bool
) -> None:
    """Most ranges hold a few whole sets and parts of two; some parts have rows of one class."""
    monkeypatch.setattr(spark_source, "ROWS", 100)
    table = data_sets(23, integers=not weight, gaps=weight, sets=60)
    # what lies above a score is all less what lies below, so weights should be of a like size
    table["w"] = [w if w in (0.0, 0.5, 1.0, 3.0) else 0.25 for w in table["w"]]
    columns = Columns(
        "y", ("s",), ("g",), "w" if weight else None, "c" if cluster else None,
        lower_is_better=low, nan="omit",
    )  # fmt: skip
    measures = measures_of(list(TERMS))
    terms = [measure.term for measure in measures if measure.term is not None]
    kind = "double" if weight else "long"
    with closing(open_spark(frame(spark, table, kind), columns)) as engine:
        found = list(engine.segments("s", terms))
        g, y, w, c = (np.array(table[name]) for name in ("g", "y", "w", "c"))
        known = np.array([s is not None for s in table["s"]])
        compared = 0
        for segment in found:
            rows = np.flatnonzero((g == segment.key[0]) & known)
            if segment.summary is None:
                assert not segment.sums
                continue
            scores = np.array([table["s"][i] for i in rows])
            assert_same_terms(
                measures, engine, segment,
                binary_rows(
                    y[rows], scores,
                    sample_weight=w[rows] if weight else None,
                    cluster=c[rows] if cluster else None,
                    lower_is_better=low,
                ),
            )  # fmt: skip
            compared += 1
    assert compared > 30


def sample(shape: str) -> dict[str, NDArray[Any]]:
    """Rows that Spark's ranges divide in one way or another."""
    rng = np.random.default_rng(11)
    n = 900
    y = (rng.random(n) < 0.3).astype(np.int64)
    noise = rng.normal(size=n)
    s = {
        "distinct": noise + y,
        "ties": np.round(noise + y, 1),
        "alike": np.where(rng.random(n) < 0.9, 0.25, noise),  # one range has nearly all rows
        "apart": np.where(y == 1, 5.0, 0.0) + noise / 100,  # ranges of one class
        "constant": np.zeros(n),
    }[shape]
    return {
        "y": y, "s": s, "t": np.round(noise - y, 1), "v": s.copy(),
        "w": rng.choice([0.0, 0.5, 1.0, 3.0], n),
        "c": rng.integers(0, 150, n),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "design"),
    [("distinct", ()), ("ties", ("w", "c")), ("alike", ("w",)), ("alike", ("c",)),
     ("apart", ("c",)), ("apart", ("w",)), ("constant", ("w", "c"))],
)  # fmt: skip
def test_ranges_of_every_kind(
    spark: Any, monkeypatch: pytest.MonkeyPatch, shape: str, design: tuple[str, ...]
) -> None:
    """Terms of a score and of several, from some ten ranges."""
    monkeypatch.setattr(spark_source, "ROWS", 90)
    table = sample(shape)
    columns = Columns(
        "y", ("s", "t", "v"), weight="w" if "w" in design else None,
        cluster="c" if "c" in design else None,
    )  # fmt: skip
    rows = [
        binary_rows(
            table["y"], table[name],
            sample_weight=table["w"] if "w" in design else None,
            cluster=table["c"] if "c" in design else None,
        )
        for name in columns.scores
    ]  # fmt: skip
    measures = measures_of(list(TERMS))
    terms = [measure.term for measure in measures if measure.term is not None]
    with closing(open_spark(spark.createDataFrame(pa.table(table)), columns)) as engine:
        assert_same_terms(measures, engine, engine.summary("s", terms=terms), rows[0])
        for text in ("auc", "pr_auc"):
            (measure,) = measures_of(text)
            found, lacking = engine.paired(measure.term or PlacementTerm())
            wanted = measure.spread([ScoredRows(each) for each in rows])
            assert wanted is not None
            assert lacking == 0
            exact = wanted.covariance()
            assert found.covariance() == pytest.approx(exact, rel=1e-9, abs=1e-14)
            pairs = [(0, 1), (1, 2), (0, 2)]
            apart = wanted.apart(pairs)
            assert found.apart(pairs).total == pytest.approx(apart.total, rel=1e-9, abs=1e-14)
            assert found.apart(pairs[:1]).df() == pytest.approx(wanted.apart(pairs[:1]).df())
            assert found.apart(pairs[2:]).total.item() <= NO_VARIANCE  # the same score twice
            assert found.units == pytest.approx(wanted.units)
            assert found.smaller == pytest.approx(wanted.smaller)
            assert found.largest is not None
            assert (found.largest >= wanted.largest - 1e-12).all()


def test_sums_past_64_bits() -> None:
    """Counted rows: 2⁴⁰ positives above 2⁴⁰ negatives is 2·2⁸⁰ doubled wins, squared 2¹²²."""
    from rocsolid.engines.memory import AS_IT_CAME
    from rocsolid.engines.spark.range_part import RangePart, SortedKinds

    many = np.array([2**40])
    none = np.zeros(1, dtype=np.int64)
    low, high = (
        RangePart.of(SortedKinds(np.array([s]), pos, neg, None, 0), AS_IT_CAME)
        for s, pos, neg in ((0.0, none, many), (1.0, many, none))
    )
    whole = low.then(high).placements.placements
    assert Fraction(*whole.ratio) == 1
    assert whole.pos_squares == 2**40 * (2 * 2**40) ** 2

"""Every engine against the rows in memory and against the plain definition, on generated data."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import hypothesis.extra.numpy as hnp
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.binary.estimate import Options
from rocsolid.engines.duckdb import open_duckdb
from rocsolid.engines.engine import Columns, Engine
from rocsolid.engines.memory import summarise
from rocsolid.engines.spark import open_spark
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.inputs import BinaryRows, binary_rows
from rocsolid.measures.binary_measure import ScoredElsewhere, ScoredRows
from rocsolid.measures.named import measures_of
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.terms import PlacementTerm

Table = dict[str, np.ndarray[Any, Any]]
Open = Callable[[Table, Columns], Engine]


def _lazy(table: Table, columns: Columns) -> Engine:
    return open_duckdb(pl.LazyFrame(table), columns)


def _duckdb(table: Table, columns: Columns) -> Engine:
    return open_duckdb(duckdb.from_arrow(pa.table(table)), columns)


def _duckdb_on_files(table: Table, columns: Columns) -> Engine:
    """The rows in two files that lie in a folder as long as the engine is used."""
    folder = Path(tempfile.mkdtemp())
    whole = pa.table(table)
    cut = len(whole) // 2
    for number, part in enumerate((whole.slice(0, cut), whole.slice(cut))):
        pa.parquet.write_table(part, folder / f"{number}.parquet")
    engine = open_duckdb(folder, columns)
    weakref.finalize(engine, shutil.rmtree, folder)
    return engine


@dataclass(frozen=True)
class Opener:
    """A way to an engine, and on how many examples a property is tried there."""

    open: Open
    examples: int

    def __call__(self, table: Table, columns: Columns) -> Engine:
        return self.open(table, columns)


ENGINES = {
    "lazy frame": Opener(_lazy, 3),  # reads its rows like the relation, of which there are more
    "duckdb": Opener(_duckdb, 10),
    "duckdb on files": Opener(_duckdb_on_files, 3),
}


@pytest.fixture(params=[*ENGINES, pytest.param("spark", marks=pytest.mark.slow)])
def open_with(request: pytest.FixtureRequest) -> Opener:
    if request.param != "spark":
        return ENGINES[request.param]
    session = request.getfixturevalue("spark")

    def on_spark(table: Table, columns: Columns) -> Engine:
        return open_spark(session.createDataFrame(pa.table(table)), columns)

    return Opener(on_spark, 3)  # each of them is several jobs; test_spark.py has hundreds in one


def for_all(open_with: Opener, check: Callable[..., None], **drawn: st.SearchStrategy[Any]) -> None:
    """Hypothesis' ``given``, on as many examples as the engine has time for."""

    @settings(max_examples=open_with.examples)
    @given(**drawn)
    def held(**values: Any) -> None:
        check(open_with, **values)

    held()


SCORES = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 0.25, 1.0, 1e308, np.inf])
AREAS = [
    "partial_auc(fpr<=0.3)", "partial_auc(tpr>=0.6)", "partial_auc(fpr<=0.5, tpr>=0.4)",
    "weighted_auc(power(2))",
]  # fmt: skip
KEYS = st.sampled_from(["a", "b", "c"])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Two classes with a row of weight each, many ties, signed zeros, infinities."""
    n = draw(st.integers(2, 30))
    y = draw(hnp.arrays(np.int64, n, elements=st.integers(0, 1)))
    y[:2] = [0, 1]
    w = draw(hnp.arrays(np.float64, n, elements=st.sampled_from([0.0, 0.5, 1.0, 3.0])))
    w[:2] = [1.0, 2.0]
    return {
        "y": y,
        "s": draw(hnp.arrays(np.float64, n, elements=SCORES)),
        "t": draw(hnp.arrays(np.int64, n, elements=st.integers(-2, 2))),
        "w": w,
        "c": draw(hnp.arrays(np.int64, n, elements=st.integers(0, 4))),
        "g": np.array(draw(st.lists(KEYS, min_size=n, max_size=n))),
    }


def _rows(table: Table, score: str, columns: Columns) -> BinaryRows:
    return binary_rows(
        table[columns.label],
        table[score],
        sample_weight=None if columns.weight is None else table[columns.weight],
        cluster=None if columns.cluster is None else table[columns.cluster],
        lower_is_better=columns.lower_is_better,
        nan=columns.nan,
    )


def _unseen(summary: BinarySummary) -> float:
    units = summary.moments.units
    return 0.0 if units is None else units.unseen


def same(found: BinarySummary, wanted: BinarySummary) -> None:
    """Integers to the last bit; floats of weighted or clustered rows to twelve digits."""
    for name in ("n_pos", "n_neg", "ties", "ratio", "fingerprint", "weighted", "clusters"):
        assert getattr(found, name) == getattr(wanted, name), name
    for name in ("auc", "var_pos", "var_neg", "n_pos", "n_neg"):
        got, right = (float(getattr(one.moments, name)) for one in (found, wanted))
        if wanted.squared_shares is None:
            assert got == right or (np.isnan(got) and np.isnan(right)), name
        else:
            assert got == pytest.approx(right, rel=1e-12, abs=1e-15, nan_ok=True), name
    assert _unseen(found) == pytest.approx(_unseen(wanted), rel=1e-12)
    assert (found.board is None) == (wanted.board is None)
    if found.board is not None and wanted.board is not None:
        assert found.board.columns == wanted.board.columns
        np.testing.assert_array_equal(found.board.below, wanted.board.below)
        np.testing.assert_array_equal(found.board.tied, wanted.board.tied)
    assert (found.squared_shares is None) == (wanted.squared_shares is None)
    if found.squared_shares is not None:
        assert found.squared_shares == pytest.approx(wanted.squared_shares, rel=1e-12)


def plain_auc(table: Table, score: str) -> Fraction:
    """The definition, pair by pair."""
    y, s = table["y"].tolist(), table[score].tolist()
    pos = [a for a, b in zip(s, y, strict=True) if b == 1]
    neg = [a for a, b in zip(s, y, strict=True) if b == 0]
    doubled = sum(2 * (p > q) + (p == q) for p in pos for q in neg)
    return Fraction(doubled, 2 * len(pos) * len(neg))


def _plain(open_with: Opener, table: Table, low: bool) -> None:
    columns = Columns("y", ("s", "t"), lower_is_better=low)
    with closing(open_with(table, columns)) as engine:
        engine.check()
        assert engine.rows == len(table["y"])
        for score in columns.scores:
            part = engine.summary(score)
            assert part.summary is not None
            same(part.summary, summarise(_rows(table, score, columns)))
            assert part.summary.ratio is not None
            exact = Fraction(*part.summary.ratio)
            assert exact == (1 - plain_auc(table, score) if low else plain_auc(table, score))


def test_plain_rows(open_with: Opener) -> None:
    for_all(open_with, _plain, table=tables(), low=st.booleans())


def _weighed(open_with: Opener, table: Table, weight: bool, cluster: bool, low: bool) -> None:
    columns = Columns(
        "y", ("s",), weight="w" if weight else None, cluster="c" if cluster else None,
        lower_is_better=low,
    )  # fmt: skip
    with closing(open_with(table, columns)) as engine:
        engine.check()
        part = engine.summary("s")
        assert part.summary is not None
        same(part.summary, summarise(_rows(table, "s", columns)))


def test_weights_and_clusters(open_with: Opener) -> None:
    for_all(
        open_with,
        _weighed,
        table=tables(),
        weight=st.booleans(),
        cluster=st.booleans(),
        low=st.booleans(),
    )


def _segments(open_with: Opener, table: Table, weight: bool, holes: bool) -> None:
    if holes:
        table = {**table, "s": np.where(np.arange(len(table["s"])) % 3 == 2, np.nan, table["s"])}
    columns = Columns(
        "y", ("s",), by=("g", "c"), weight="w" if weight else None, nan="omit"
    )  # fmt: skip
    with closing(open_with(table, columns)) as engine:
        engine.check()
        parts = list(engine.segments("s"))
    keys = sorted(set(zip(table["g"].tolist(), table["c"].tolist(), strict=True)))
    assert [part.key for part in parts] == keys
    missing = np.isnan(table["s"])
    for part in parts:
        inside = (table["g"] == part.key[0]) & (table["c"] == part.key[1])
        assert part.omitted == int((inside & missing).sum())
        chosen = {name: values[inside & ~missing] for name, values in table.items()}
        assert part.n_pos == int(chosen["y"].sum())
        assert part.n_pos + part.n_neg == len(chosen["y"])
        try:
            wanted = summarise(_rows(chosen, "s", columns))
        except (OneClassError, InputError):
            assert part.summary is None
            continue
        assert part.summary is not None
        same(part.summary, wanted)


def test_segments(open_with: Opener) -> None:
    for_all(open_with, _segments, table=tables(), weight=st.booleans(), holes=st.booleans())


def _terms(open_with: Opener, table: Table, weight: bool, cluster: bool, by: bool) -> None:
    columns = Columns(
        "y", ("s",), by=("g",) if by else (), weight="w" if weight else None,
        cluster="c" if cluster else None, nan="omit",
    )  # fmt: skip
    measures = measures_of(
        ["pr_auc", "bedroc(20)", "gain(prevalence=classes)", "lift@30%", "precision@2", *AREAS]
    )
    terms = [measure.term for measure in measures if measure.term is not None]
    with closing(open_with(table, columns)) as engine:
        engine.check()
        parts = list(engine.segments("s", terms)) if by else [engine.summary("s", terms=terms)]
        for part in parts:
            if part.summary is None:
                assert not part.sums
                continue
            whole = _rows(table, "s", columns)
            if by:  # weights count in their own unit, also where those of a segment are equal
                inside = (table["g"] == part.key[0])[~np.isnan(table["s"].astype(np.float64))]
                whole = whole.subset(inside)
            rows = ScoredRows(whole)
            for measure in measures:
                elsewhere = ScoredElsewhere(engine, "s", part)
                try:
                    wanted = measure.estimate(rows, Options())
                except UnsoundError as refused:
                    with pytest.raises(UnsoundError, match=refused.what):
                        measure.estimate(elsewhere, Options())
                    continue
                walked = measure.estimate(elsewhere, Options())
                assert walked.value == pytest.approx(wanted.value, abs=1e-12)
                limits = wanted.low, wanted.high
                assert (walked.low, walked.high) == pytest.approx(limits, abs=1e-9)
                assert walked.std_error == pytest.approx(wanted.std_error, abs=1e-10, nan_ok=True)


def test_terms(open_with: Opener) -> None:
    for_all(
        open_with,
        _terms,
        table=tables(),
        weight=st.booleans(),
        cluster=st.booleans(),
        by=st.booleans(),
    )


@pytest.mark.parametrize("opener", ENGINES)
def test_a_cut_counts_weights_as_they_are(opener: str) -> None:
    """Rows of no weight are none; a segment of equal weights has the unit of all others."""
    rng = np.random.default_rng(6)
    y = rng.random(900) < 0.4
    heavy = np.arange(900) % 2 == 0
    weight = np.where(heavy, 3.0, rng.integers(0, 3, 900) * 1.25)
    table = {"y": y.astype(int), "s": rng.normal(size=900) + y, "w": weight,
             "g": np.where(heavy, "a", "b")}  # fmt: skip
    columns = Columns("y", ("s",), by=("g",), weight="w")
    measures = measures_of(["precision@150", "recall@30%"])
    terms = [measure.term for measure in measures if measure.term is not None]
    whole = _rows(table, "s", columns)
    with closing(ENGINES[opener](table, columns)) as engine:
        engine.check()
        parts = [engine.summary("s", terms=terms), *engine.segments("s", terms)]
        for part in parts:
            rows = whole.subset(table["g"] == part.key[0]) if part.key else whole
            for measure in measures:
                walked = measure.estimate(ScoredElsewhere(engine, "s", part), Options())
                wanted = measure.estimate(ScoredRows(rows), Options())
                assert walked.settings["cut"] == pytest.approx(wanted.settings["cut"])
                for name in ("value", "std_error", "low", "high"):
                    assert getattr(walked, name) == pytest.approx(getattr(wanted, name), rel=1e-10)


def test_heavy_rows_that_a_class_lacks_are_known_everywhere(open_with: Opener) -> None:
    rng = np.random.default_rng(4)
    y = np.arange(40) % 2
    table = {
        "y": y,
        "s": np.where(np.arange(40) % 9 == 8, np.nan, rng.normal(size=40)),
        "w": np.where((y == 0) & (np.arange(40) % 10 == 0), 50.0, 1.0 + (np.arange(40) % 7 == 3)),
        "g": np.where(np.arange(40) % 8 < 6, "a", "b"),
    }
    columns = Columns("y", ("s",), by=("g",), weight="w", nan="omit")
    with closing(open_with(table, columns)) as engine:
        engine.check()
        found = {None: engine.summary("s"), **{part.key[0]: part for part in engine.segments("s")}}
    kept = ~np.isnan(table["s"])
    for key, part in found.items():
        inside = kept if key is None else kept & (table["g"] == key)
        wanted = summarise(_rows({k: v[inside] for k, v in table.items()}, "s", columns))
        assert _unseen(wanted) > 0.1
        assert part.summary is not None
        same(part.summary, wanted)


def test_certified_areas_of_weighted_rows_take_another_pass(open_with: Opener) -> None:
    rng = np.random.default_rng(2)
    y = rng.random(400) < 0.4
    table = {"y": y.astype(int), "s": rng.normal(size=400) + y, "w": rng.uniform(0.5, 2.0, 400)}
    table["g"] = np.arange(400) % 2
    columns = Columns("y", ("s",), by=("g",), weight="w")
    options, whole = Options(design="fixed"), _rows(table, "s", columns)
    with closing(open_with(table, columns)) as engine:
        engine.check()
        for measure in measures_of(["partial_auc(fpr<=0.3)", "weighted_auc(power(2))"]):
            terms = [measure.term]
            for part in (engine.summary("s", terms=terms), *engine.segments("s", terms)):
                rows = whole.subset(table["g"] == part.key[0]) if part.key else whole
                found = measure.estimate(ScoredElsewhere(engine, "s", part), options).certified
                wanted = measure.estimate(ScoredRows(rows), options).certified
                assert found.method == wanted.method
                assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


def _paired_terms(
    open_with: Opener, table: Table, text: str, weight: bool, cluster: bool, low: bool
) -> None:
    table = {**table, "u": -table["s"], "v": table["s"]}
    columns = Columns(
        "y", ("s", "t", "u", "v"), weight="w" if weight else None,
        cluster="c" if cluster else None, lower_is_better=low,
    )  # fmt: skip
    (measure,) = measures_of(text)
    with closing(open_with(table, columns)) as engine:
        engine.check()
        found, lacking = engine.paired(measure.term or PlacementTerm())
    assert lacking == 0
    wanted = measure.spread([ScoredRows(_rows(table, name, columns)) for name in columns.scores])
    assert wanted is not None
    pairs = [(0, 1), (0, 2), (1, 2), (0, 3)]
    same = {"abs": 1e-12, "rel": 1e-8, "nan_ok": True}
    exact_covariance = wanted.covariance()
    assert found.covariance() == pytest.approx(exact_covariance, **same)
    assert found.units == pytest.approx(wanted.units)
    if not np.isnan(exact_covariance).any():
        assert found.smaller == pytest.approx(wanted.smaller)
    apart, exact = found.apart(pairs), wanted.apart(pairs)
    assert apart.total == pytest.approx(exact.total, **same)
    if exact.total[0, 0] > 1e-9:
        alone, alike = found.apart(pairs[:1]), wanted.apart(pairs[:1])
        assert alone.df() == pytest.approx(alike.df(), rel=1e-6, nan_ok=True)
    if not np.isnan(exact.total).any():
        assert apart.total[3, 3] == 0.0  # the same score twice
        assert found.largest is not None
        assert (found.largest >= wanted.largest - 1e-12).all()


@pytest.mark.parametrize("weight", [None, "w"])
def test_rows_without_a_score_are_counted(open_with: Opener, weight: str | None) -> None:
    table = {
        "y": np.array([0, 1, 0, 1, 1]), "s": np.array([1.0, 2.0, np.nan, 1.0, 3.0]),
        "t": np.array([1.0, 2.0, 3.0, np.nan, 0.0]), "w": np.array([1.0, 2.0, 3.0, 4.0, 5.0]),
    }  # fmt: skip
    columns = Columns("y", ("s", "t"), weight=weight, nan="omit")
    with closing(open_with(table, columns)) as engine:
        assert engine.summary("s", complete=True).omitted == 2
        assert engine.paired(PlacementTerm())[1] == 2
        assert engine.missing() == {"s": 1, "t": 1}


@pytest.mark.parametrize(
    "text", ["auc", "pr_auc", "gain(prevalence=classes)", "recall@25%", *AREAS]
)
def test_terms_of_several_scores(open_with: Opener, text: str) -> None:
    for_all(
        open_with,
        _paired_terms,
        table=tables(),
        text=st.just(text),
        weight=st.booleans(),
        cluster=st.booleans(),
        low=st.booleans(),
    )


def test_a_curve_goes_through_points_of_the_true_one(
    open_with: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocsolid.summaries.score_counts.DRAWN", 200)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 4_000)
    table = {"y": y, "s": rng.normal(size=4_000) + y}
    for low in (False, True):
        columns = Columns("y", ("s",), lower_is_better=low)
        with closing(open_with(table, columns)) as engine:
            engine.check()
            drawn = engine.summary("s").curve
        assert 150 <= len(drawn) <= 300
        s = -table["s"] if low else table["s"]
        for score, pos, neg in zip(
            drawn.score,
            np.cumsum(drawn.pos[::-1])[::-1],
            np.cumsum(drawn.neg[::-1])[::-1],
            strict=True,
        ):
            assert (pos, neg) == (int((s[y == 1] >= score).sum()), int((s[y == 0] >= score).sum()))


def _summary(engine: Engine) -> BinarySummary | None:
    with closing(engine):
        engine.check()
        return engine.summary("s").summary


def test_one_giant_tie(open_with: Opener) -> None:
    table = {"y": np.tile([0, 1], 50_000), "s": np.ones(100_000)}
    with closing(open_with(table, Columns("y", ("s",)))) as engine:
        engine.check()
        part = engine.summary("s")
    assert part.summary is not None
    assert part.summary.ratio == (50_000**2, 2 * 50_000**2)
    assert part.summary.ties == 50_000**2


def test_scores_that_no_float_can_tell_apart(open_with: Opener) -> None:
    table = {"y": np.array([0, 1, 0, 1]), "s": np.array([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3])}
    columns = Columns("y", ("s",))
    with closing(open_with(table, columns)) as engine:
        engine.check()
        part = engine.summary("s")
    assert part.summary is not None
    assert part.summary.ratio == (6, 8)
    same(part.summary, summarise(_rows(table, "s", columns)))


def test_sums_beyond_64_bits(open_with: Opener) -> None:
    """The squares of doubled placements sum up to 4n³ for n rows of each class: 2^64 here."""
    n = int(2 ** (62 / 3)) + 1
    table = {"y": np.repeat([0, 1], n), "s": np.concatenate([np.zeros(n), np.ones(n)])}
    with closing(open_with(table, Columns("y", ("s",)))) as engine:
        engine.check()
        part = engine.summary("s")
    assert part.summary is not None
    same(part.summary, summarise(_rows(table, "s", engine.columns)))


def test_rows_without_a_score_are_an_error_or_counted(open_with: Opener) -> None:
    table = {"y": np.array([0, 1, 0, 1]), "s": np.array([1.0, np.nan, 3.0, 2.0])}
    with pytest.raises(InputError, match=r"1 missing value \(NaN, None or null\).*column 's'"):
        _summary(open_with(table, Columns("y", ("s",))))
    with closing(open_with(table, Columns("y", ("s",), nan="omit"))) as engine:
        engine.check()
        part = engine.summary("s")
    assert (part.n_pos, part.n_neg, part.omitted) == (1, 2, 1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"y": np.array([0, 1, 2, 1])}, "labels must have two values, not 3"),
        ({"y": np.array(["no", "yes", "no", "no"])}, "labels must be 0 and 1"),
        ({"w": np.array([1.0, -1.0, 1.0, 1.0])}, "weights must be finite and not negative"),
        ({"w": np.array([1.0, np.inf, 1.0, 1.0])}, "weights must be finite and not negative"),
        ({"y": np.array([1, 1, 1, 1])}, "there is no negative row"),
        ({"w": np.array([1.0, 0.0, 1.0, 0.0])}, "the positive rows have a total weight of zero"),
        ({"w": None}, "there is no column 'w'"),
    ],
)
def test_the_errors_are_those_of_memory(
    open_with: Opener, change: dict[str, Any], says: str
) -> None:
    table: dict[str, Any] = {
        "y": np.array([0, 1, 0, 1]), "s": np.arange(4.0), "w": np.array([1.0, 2.0, 3.0, 4.0]),
    }  # fmt: skip
    table = {name: values for name, values in {**table, **change}.items() if values is not None}
    with pytest.raises((InputError, OneClassError), match=says):
        _summary(open_with(table, Columns("y", ("s",), weight="w")))


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [([False, True, False, True], None), ([-1, 1, -1, 1], None), (["a", "b", "a", "b"], "b"),
     ([1.0, 2.0, 1.0, 2.0], 2)],
)  # fmt: skip
def test_labels_are_read_as_in_memory(open_with: Opener, labels: list[Any], pos_label: Any) -> None:
    table = {"y": np.array(labels), "s": np.array([1.0, 3.0, 2.0, 4.0])}
    with closing(open_with(table, Columns("y", ("s",), pos_label=pos_label))) as engine:
        engine.check()
        part = engine.summary("s")
    assert part.summary is not None
    assert part.summary.ratio == (8, 8)


def test_blocks_hold_whole_queries_in_order(open_with: Opener) -> None:
    rng = np.random.default_rng(3)
    qid = rng.integers(0, 40, 500)
    table = {
        "q": qid, "y": rng.integers(0, 3, 500), "s": rng.normal(size=500), "at": np.arange(500.0),
    }  # fmt: skip
    with closing(open_with(table, Columns("y", ("s", "at")))) as engine:
        blocks = list(engine.by_query("q", _as_lists))
    keys = [key for block in blocks for key in dict.fromkeys(block[0])]
    assert keys == sorted(set(qid.tolist()))
    for key, at in zip(
        np.concatenate([block[0] for block in blocks]),
        np.concatenate([block[1] for block in blocks]),
        strict=True,
    ):
        assert qid[int(at)] == key
    for key in keys:
        here = [at for block in blocks for q, at in zip(*block, strict=True) if q == key]
        assert here == sorted(here)  # the source's order within a query


def _as_lists(block: Any) -> tuple[list[Any], list[float]]:
    return block.qid.tolist(), block.scores["at"].tolist()


def test_closing_twice_does_nothing(open_with: Opener) -> None:
    engine = open_with({"y": np.array([0, 1]), "s": np.array([1.0, 2.0])}, Columns("y", ("s",)))
    engine.close()
    engine.close()

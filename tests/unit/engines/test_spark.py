"""The Spark engine: what it refuses, what its plans look like, and what happens when tasks fail."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rocsolid as rs
from rocsolid.engines.engine import Columns, QueryBlock
from rocsolid.engines.memory import AS_IT_CAME
from rocsolid.engines.spark import open_spark, worker
from rocsolid.engines.spark import source as spark_jobs
from rocsolid.engines.spark.check import refuse_changed
from rocsolid.errors import InputError, OneClassError
from rocsolid.summaries.terms import PlacementTerm

PLAIN = Columns("y", ("s",))


@pytest.fixture
def four(spark: Any) -> Any:
    """Two of each class, AUC 3/4, with a column of every other kind."""
    rows = [
        (0, 1.0, 1, 1.0, "a", 5), (1, 2.0, 2, 1.0, "a", 5),
        (0, 3.0, 3, 2.0, "b", 6), (1, 4.0, 4, 2.0, "b", 7),
    ]  # fmt: skip
    return spark.createDataFrame(rows, "y int, s double, k long, w double, site string, c int")


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test leaves a table in Spark's cache, whatever happened in it."""
    yield
    if "spark" in request.fixturenames:
        context = request.getfixturevalue("spark").sparkContext
        assert context._jsc.getPersistentRDDs().size() == 0


def checked(frame: Any, columns: Columns) -> None:
    with closing(open_spark(frame, columns)) as engine:
        engine.check()


def ratio(frame: Any, columns: Columns = PLAIN) -> Any:
    with closing(open_spark(frame, columns)) as engine:
        summary = engine.summary(columns.scores[0]).summary
    assert summary is not None
    return summary.ratio


def test_no_plan_sends_everything_to_one_partition(
    four: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[str] = []
    collect = type(four).collect

    def recorded(frame: Any) -> Any:
        rows = collect(frame)
        plans.append(frame._jdf.queryExecution().toString())
        return rows

    monkeypatch.setattr(type(four), "collect", recorded)
    with closing(open_spark(four, Columns("y", ("k",), ("site",), cluster="c"))) as engine:
        assert len(list(engine.segments("k", [PlacementTerm()]))) == 2
        engine.paired(PlacementTerm())
    with closing(open_spark(four, Columns("y", ("s", "k")))) as engine:
        engine.summary("s")
        list(engine.by_query("c", keys_of))
        engine.paired(PlacementTerm())
    assert len(plans) > 10
    assert any("rangepartitioning" in plan for plan in plans)
    assert not [plan for plan in plans if "SinglePartition" in plan]


def test_what_comes_to_this_process_does_not_grow_with_rows(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyspark.sql import functions as F

    sent: list[int] = []
    collect = type(spark.range(1)).collect

    def counted(frame: Any) -> Any:
        rows = collect(frame)
        sent.append(len(pickle.dumps([row.asDict() for row in rows])))
        return rows

    monkeypatch.setattr(type(spark.range(1)), "collect", counted)
    totals = []
    for size in (1 << 13, 1 << 15):
        drawn = spark.range(size, numPartitions=2).select(
            (F.col("id") % 3 == 0).cast("int").alias("y"),
            *(F.rand(seed=seed).alias(name) for seed, name in enumerate("stw")),
            (F.col("id") % 1000).alias("c"),
        )
        columns = Columns("y", ("s", "t"), weight="w", cluster="c")
        with closing(open_spark(drawn, columns)) as engine:
            engine.check()
            sent.clear()
            engine.paired(PlacementTerm())
            engine.summary("s", terms=[PlacementTerm()])
        totals.append(sum(sent))
    assert totals[1] < 1.5 * totals[0]  # a score of every row would take far more


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        (Columns("yy", ("s",)), "there is no column 'yy'.*Fix: use 'y', the nearest name"),
        (Columns("site", ("s",)), "labels must be 0 and 1, -1 and 1, or booleans, not 'a' and 'b'"),
        (Columns("c", ("s",)), "labels must have two values, not 3: 5, 6 and 7"),
        (Columns("y", ("s",), pos_label=3), "no label equals pos_label=3; the labels are 0 and 1"),
        (Columns("y", ("site",)), "text where a number should be: 'a'.*in the Spark dataframe"),
    ],
)
def test_it_refuses_in_the_words_of_memory(four: Any, columns: Columns, says: str) -> None:
    with pytest.raises(InputError, match=says):
        checked(four, columns)


def test_labels_that_are_scores(spark: Any) -> None:
    many = spark.range(10_001).selectExpr("id AS y", "id AS s")
    for pos_label in (None, 3):
        with pytest.raises(InputError, match=r"more than 10,000 different labels \(column 'y'"):
            checked(many, Columns("y", ("s",), pos_label=pos_label))
    with pytest.raises(InputError, match="labels must have two values, not 10,000"):
        checked(many.where("id > 0"), Columns("y", ("s",)))


def test_a_gap_is_named_with_its_column_and_a_row(spark: Any) -> None:
    rows = [
        (1, 1.0, 0.5, "a"),
        (0, float("nan"), 2.5, "b"),
        (0, None, 2.5, "b"),
        (1, 2.0, 1.0, "c"),
    ]
    frame = spark.createDataFrame(rows, "y int, s double, w double, site string")
    says = r"2 missing values .*column 's', in the Spark dataframe, such as the row with site = 'b'"
    with pytest.raises(InputError, match=says):
        checked(frame, Columns("y", ("s",), ("site",)))
    with pytest.raises(
        InputError, match=r"weights must be finite and not negative: nan \(column 's'"
    ):
        checked(frame, Columns("y", ("w",), weight="s"))
    with pytest.raises(InputError, match=r"2 missing values .*column 's'"):
        checked(frame, Columns("y", ("w",), cluster="s"))
    light = frame.withColumn("v", frame.w - 2)
    with pytest.raises(InputError, match=r"not negative: -1.5 \(column 'v', 2 in the Spark"):
        checked(light, Columns("y", ("w",), weight="v"))
    nan = frame.selectExpr("y", "w", "double('NaN') AS v")
    with pytest.raises(InputError, match=r"not negative: nan \(column 'v', 4 in the Spark"):
        checked(nan, Columns("y", ("w",), weight="v"))
    apart = frame.withColumn("v", frame.w + 1e300 * frame.y)
    with pytest.raises(InputError, match=r"weights differ by more than a factor of 1e\+140"):
        checked(apart, Columns("y", ("w",), weight="v"))
    with pytest.raises(OneClassError, match="there is no negative row"):
        checked(frame, Columns("y", ("s",), nan="omit"))


def test_a_table_without_rows(four: Any) -> None:
    with pytest.raises(InputError, match=r"there are no rows \(column 'y'\)"):
        checked(four.where("y > 5"), PLAIN)
    with (
        closing(open_spark(four.where("y > 5"), PLAIN)) as engine,
        pytest.raises(InputError, match=r"there are no rows \(column 'site'\)"),
    ):
        list(engine.by_query("site", keys_of))


def test_labels_and_scores_of_every_type(spark: Any) -> None:
    rows = [("no", False, -1, True, 1, 2**60), ("yes", True, 1, True, 2, 2**60 + 1)]
    frame = spark.createDataFrame(
        rows, "t string, b boolean, m byte, s1 boolean, s2 short, s3 long"
    )
    half, all_of_it = (1, 2), (2, 2)
    with closing(open_spark(frame, Columns("m", ("s1", "s2", "s3")))) as engine:
        found = [engine.summary(name).summary for name in engine.columns.scores]
    assert [one and one.ratio for one in found] == [half, all_of_it, all_of_it]
    assert ratio(frame, Columns("t", ("s2",), pos_label="yes")) == all_of_it
    assert ratio(frame, Columns("b", ("s2",), pos_label=False)) == (0, 2)


def test_gaps_in_large_integers_do_not_round_them(spark: Any) -> None:
    rows = [(0, 2**60), (1, 2**60 + 1), (1, None)]
    frame = spark.createDataFrame(rows, "y int, s long")
    with closing(open_spark(frame, Columns("y", ("s",), nan="omit"))) as engine:
        segment = engine.summary("s")
    assert segment.summary is not None
    assert (segment.omitted, segment.summary.ratio) == (1, (2, 2))


def test_names_with_dots(spark: Any) -> None:
    frame = spark.createDataFrame([(0, 1.0), (1, 2.0)], "`a.y` int, `a s` double")
    assert ratio(frame, Columns("a.y", ("a s",))) == (2, 2)


def test_a_table_for_plots_has_about_as_many_entries(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_jobs, "ROWS", 100)  # a dozen ranges
    monkeypatch.setattr("rocsolid.summaries.score_counts.DRAWN", 40)
    rng = np.random.default_rng(2)
    y = rng.random(1200) < 0.5
    s = rng.normal(size=1200) + y
    frame = spark.createDataFrame(
        list(zip(y.astype(int).tolist(), s.tolist(), strict=True)), "y int, s double"
    )
    with closing(open_spark(frame, PLAIN)) as engine:
        few = engine.summary("s").curve
    assert 30 <= len(few) <= 60


def keys_of(block: QueryBlock) -> list[Any]:
    return list(dict.fromkeys(block.qid.tolist()))


def grades_of(block: QueryBlock) -> tuple[list[Any], ...]:
    numbers = (block.grade, block.scores["s"], block.keys["place"])
    return block.qid.tolist(), *(each.tolist() for each in numbers)


def negative_grade(block: QueryBlock) -> float:
    raise InputError("a grade is negative", value=-1.0, where="relevance", fix="say what it means")


def test_queries_stay_whole_and_in_order(spark: Any) -> None:
    rows = [(f"q{i % 7}", float(i % 3) if i % 5 else None, float(i), i) for i in range(70)]
    frame = spark.createDataFrame(rows, "q string, y double, s double, place int").repartition(3)
    source = [(row.q, row.y, row.s) for row in frame.collect()]
    with closing(open_spark(frame, PLAIN)) as engine:
        found = list(engine.by_query("q", grades_of, ("place",)))
        with pytest.raises(InputError, match=r"^a grade is negative: -1.0 \(relevance\). Fix: say"):
            list(engine.by_query("q", negative_grade))
        with pytest.raises(InputError, match="there is no column 'qq'"):
            list(engine.by_query("qq", grades_of))
    keys = [key for block in found for key in block[0]]
    assert keys == sorted(q for q, _, _ in source)
    scores = [score for block in found for score in block[2]]
    assert scores == [s for _, _, s in sorted(source, key=lambda row: row[0])]
    grades = [grade for block in found for grade in block[1]]
    assert np.isnan(grades).sum() == 14
    assert [place for block in found for place in block[3]] == scores


def dies(batches: Iterator[Any], once: str | None) -> Iterator[Any]:
    """A worker that ends itself, always or if it is the first to come here."""
    if once is None or not Path(once).exists():
        if once is not None:
            Path(once).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    yield from batches


def through(frame: Any, task: Callable[..., Any], *args: Any) -> Any:
    return spark_jobs.mapped(frame, task, frame.schema, *args)


def test_a_worker_that_dies_once_is_replaced(four: Any, tmp_path: Path) -> None:
    flag = tmp_path / "died"
    assert ratio(through(four, dies, str(flag))) == (6, 8)
    assert flag.exists()


def test_a_worker_that_always_dies_is_an_error(four: Any) -> None:
    with pytest.raises(InputError, match="a Spark worker died and Spark gave up on its task"):
        ratio(through(four, dies, None))


def fails(batches: Iterator[Any]) -> Iterator[Any]:
    raise OSError("the disk is gone")
    yield from batches


def test_rows_that_cannot_be_made_are_an_error(four: Any) -> None:
    with pytest.raises(InputError, match="could not compute the rows: OSError: the disk is gone"):
        checked(through(four, fails), PLAIN)


def other_labels(batches: Iterator[Any], flag: str) -> Iterator[Any]:
    """Labels that differ from the second pass on."""
    import pyarrow as pa

    for batch in batches:
        if Path(flag).exists():
            labels = pa.array([1] * batch.num_rows, pa.int32())
            batch = batch.set_column(0, batch.schema.field(0), labels)
        yield batch
    if batch.num_rows:
        Path(flag).touch()


def test_equal_weights_weigh_nothing_in_the_table_for_plots(four: Any) -> None:
    rows = four.selectExpr("y", "s", "2.0D AS w")
    with closing(open_spark(rows, Columns("y", ("s",), weight="w"))) as engine:
        curve = engine.summary("s").curve
    assert curve.neg.tolist() == [1, 0, 1, 0]


def test_ranges_that_nobody_knows_are_a_change() -> None:
    once = np.array([1, 0]), np.array([0, 1])
    rows = pa.record_batch({"s": [1.0, 2.0], "pos": once[0], "neg": once[1]})
    (kept,) = worker.kept([rows], [], AS_IT_CAME)
    one_class: worker.Starts = {((), 1.0): None}
    assert list(worker.walked([kept], [PlacementTerm()], one_class, False)) == []
    with pytest.raises(InputError, match="the rows changed between two passes"):
        list(worker.walked([kept], [PlacementTerm()], {((), 1.5): None}, False))


def test_one_row_in_very_many_is_a_change() -> None:
    refuse_changed((10**10, 1), (10**10, 1))
    with pytest.raises(InputError, match="10,000,000,000 positives and 1 negative at first"):
        refuse_changed((10**10, 1), (10**10 - 1, 1))


def test_rows_that_change_between_passes_are_an_error(four: Any, tmp_path: Path) -> None:
    changing = through(four.coalesce(1), other_labels, str(tmp_path / "passed"))
    with closing(open_spark(changing, PLAIN)) as engine:
        engine.check()
        engine._base.unpersist()  # as if the machines that kept the rows were lost
        with pytest.raises(InputError, match="the rows changed between two passes: 2 positives"):
            engine.summary("s")


def test_random_columns_are_drawn_once(spark: Any) -> None:
    from pyspark.sql import functions as F

    frame = spark.range(2000).select((F.rand() < 0.5).cast("int").alias("y"), F.rand().alias("s"))
    with closing(open_spark(frame, Columns("y", ("s",)))) as engine:
        first, again = (engine.summary("s").summary for _ in range(2))
    assert first is not None
    assert again is not None
    assert (first.ratio, first.fingerprint) == (again.ratio, again.fingerprint)


def test_workers_run_this_python_on_one_machine(four: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    context = four.sparkSession.sparkContext
    monkeypatch.setattr(context, "pythonExec", "/no/such/python")
    assert ratio(four) == (6, 8)
    assert context.pythonExec == "/no/such/python"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "ModuleNotFoundError: No module named 'rocsolid'",
            f"cannot import rocsolid.*PYSPARK_PYTHON.*{sys.executable}",
        ),
        ("[PYTHON_VERSION_MISMATCH] 3.9", "another version of Python than this process"),
        ("Total size of serialized results ... maxResultSize", "raise spark.driver.maxResultSize"),
        ("o42.collect: nothing known", "Spark could not compute the rows: o42.collect"),
    ],
)
def test_what_spark_says_is_explained(text: str, says: str) -> None:
    from rocsolid.engines.spark.source import explained

    with pytest.raises(InputError, match=says):
        raise explained(RuntimeError(text))


def test_what_it_does_not_do_is_refused_before_any_job(four: Any) -> None:
    with pytest.raises(InputError, match="the threads of a Spark job are those of its session"):
        open_spark(four, PLAIN, threads=2)
    connect = type("DataFrame", (SimpleNamespace,), {"__module__": "pyspark.sql.connect.dataframe"})
    with pytest.raises(InputError, match=r"not a dataframe of Spark SQL.*\.to_spark\(\)"):
        open_spark(SimpleNamespace(), PLAIN)
    with pytest.raises(InputError, match=r"Spark Connect are not read.*classic session"):
        open_spark(connect(), PLAIN)


def test_the_example_of_the_documentation(spark: Any) -> None:
    page = Path(__file__).parents[3] / "docs" / "engines.md"
    section = page.read_text(encoding="utf-8").partition("\n## Spark\n")[2]
    example = section.partition("```python\n")[2].partition("```")[0]
    rows = [(i % 2, float(i % 7), float(i % 5), "ab"[i % 3 == 0]) for i in range(60)]
    table = spark.createDataFrame(rows, "y int, model_a double, model_b double, site string")
    table.createOrReplaceTempView("scored")
    names: dict[str, Any] = {"spark": spark}
    exec(example, names)
    arrays = {name: [row[i] for row in rows] for i, name in enumerate(table.columns)}
    wanted = rs.evaluate(arrays, label="y", scores=["model_a", "model_b"], by="site")
    found = [(one.score, one.by, one.value) for one in names["result"].results]
    assert found == [(one.score, one.by, one.value) for one in wanted.results]
    spark.catalog.dropTempView("scored")


def test_ranked_lists_have_segments_and_document_identifiers(spark: Any) -> None:
    rng = np.random.default_rng(4)
    query = rng.integers(0, 30, 400)
    table = {
        "q": query,
        "lang": np.array(["de", "fr"])[query % 2],
        "doc": np.array([f"d{i}" for i in rng.permutation(400)]),
        "grade": rng.integers(0, 3, 400),
        "s": rng.integers(0, 5, 400).astype(float),
    }
    asked: dict[str, Any] = {
        "label": "grade", "scores": "s", "qid": "q", "by": "lang", "ties": "trec", "doc": "doc",
    }  # fmt: skip
    ours = rs.evaluate(spark.createDataFrame(pa.table(table)), **asked).to_dict(per_query=True)
    theirs = rs.evaluate(table, **asked).to_dict(per_query=True)
    assert {**ours, "source": ""} == {**theirs, "source": ""}


def test_a_column_that_is_named_like_folds_is_said(spark: Any) -> None:
    rows = [(i % 2, float(i % 7), i % 3) for i in range(30)]
    frame = spark.createDataFrame(rows, "y int, s double, fold int")
    found = rs.evaluate(frame, label="y", scores="s")
    assert "'fold' looks like folds" in found.results[0].warnings[-1]


def test_a_policy_is_decided_without_rows(spark: Any) -> None:
    rows = [(i % 2, float(i % 7 + i % 2), float(i % 5)) for i in range(60)]
    frame = spark.createDataFrame(rows, "y int, s double, old double")
    policy = {"label": "y", "rule": [{"score": "s", "better_than": "old"}]}
    columns = dict(zip(("y", "s", "old"), zip(*rows, strict=True), strict=True))
    found, plain = rs.gate(policy, frame).rulings[0], rs.gate(policy, columns).rulings[0]
    assert (found.verdict, found.why) == (plain.verdict, plain.why)

"""Tables of out-of-fold scores: in Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

import rocsolid as rs
from rocsolid.answer.answer import Answer
from rocsolid.cli.app import run
from rocsolid.errors import InputError
from rocsolid.evaluation.certify_table import certify_table
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.evaluation.curve_table import CurveQuestion, curve_table


def table(n: int = 240) -> dict[str, Any]:
    rng = np.random.default_rng(6)
    y = (np.arange(n) % 4 == 0).astype(int)
    risk = np.round(y + rng.normal(size=n), 3)
    site = np.where(np.arange(n) < n - 12, "big", "small")
    return {
        "ill": y, "risk": risk, "lab": np.round(risk + rng.normal(size=n), 3), "site": site,
        "part": np.arange(n) // 4 % 3, "w": 1.0 + np.arange(n) % 3, "id": np.arange(n),
    }  # fmt: skip


def test_a_table_is_as_its_arrays() -> None:
    rows = table()
    found = rs.evaluate(rows, label="ill", scores=["risk", "lab"], fold="part", sample_weight="w")
    assert isinstance(found, Answer)
    scores = {"risk": rows["risk"], "lab": rows["lab"]}
    alike = rs.cross_validated(rows["ill"], scores, fold=rows["part"], sample_weight=rows["w"])
    assert found.comparisons["auc"].to_dict() == alike.to_dict()
    assert [one.result for one in found.results] == list(alike.estimates.values())
    assert "learner" in found.to_latex()


def test_segments_and_why_some_have_none() -> None:
    rows = table()
    found = rs.evaluate(
        rows, label="ill", scores="risk", fold="part", by="site", measures=["auc", "pr_auc"]
    )
    big = rows["site"] == "big"
    alone = rs.cross_validated(rows["ill"][big], rows["risk"][big], fold=rows["part"][big])
    assert found.results[1].by == {"site": "big"}
    assert found.results[1].interval == alone.interval
    assert [one.by for one in found.skipped] == [{"site": "small"}] * 2
    text = found.to_markdown()
    assert "risk, site = small: no AUC, fold 0 has a single positive row" in text
    assert "folds are disjoint" in text
    assert not found.comparisons


@pytest.mark.parametrize(
    "asked", [{"fold": "part", "measures": ["auc", "pr_auc"]}, {"within": "part"}]
)
def test_the_verdict_is_about_all_rows_and_the_first_measure(asked: dict[str, Any]) -> None:
    of_scores: dict[str, Any] = {"label": "ill", "scores": ["risk", "lab"]}
    found = rs.evaluate(table(), by="site", **of_scores, **asked)
    alone = rs.evaluate(table(), **of_scores, **{**asked, "measures": ["auc"]})
    assert found.answer() == alone.answer()
    assert found.opening() == alone.opening()


def test_repeats() -> None:
    rows = {name: np.tile(column, 2) for name, column in table().items()}
    rows["run"] = np.repeat([1, 2], 240)
    found = rs.evaluate(rows, label="ill", scores="risk", fold="part", repeat="run", cluster="id")
    assert found.results[0].settings["repeats"] == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"fold": "part", "interval": "delong"}, "interval is not for scores of a cross"),
        ({"fold": "part", "frequency": "w"}, "frequency is not"),
        ({"fold": "part", "qid": "site"}, "not queries"),
        ({"repeat": "part"}, "about folds"),
        ({"fold": "prt"}, "prt"),
    ],
)
def test_what_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        rs.evaluate(table(), label="ill", scores="risk", **options)


WARNED = "looks like folds of a cross-validation"


def test_folds_that_nobody_named_are_said(tmp_path: Path) -> None:
    rows = {**table(), "Fold": table()["part"], "cv": np.arange(240) // 120 * (table()["ill"])}
    found = rs.evaluate(rows, label="ill", scores="risk", by="site")
    assert [sum(WARNED in said for said in one.warnings) for one in found.results] == [1, 0, 0]
    assert "'Fold'" in found.results[0].warnings[-1]
    compared = compare_table(rows, label="ill", scores=["risk", "lab"])
    assert WARNED in compared.comparisons[None].warnings[-1]
    assert WARNED in str(compared)
    sure = certify_table(rows, label="ill", scores="risk")
    assert WARNED in sure.grid.certificate.warnings[-1]
    curve = curve_table(rows, CurveQuestion(best=["youden"]), label="ill", scores="risk")
    assert WARNED in curve.points[0].warnings[0]
    for given in ({"by": "Fold"}, {"fold": "Fold"}):
        assert WARNED not in str(rs.evaluate(rows, label="ill", scores="risk", **given).to_dict())


@pytest.mark.parametrize(
    ("fold", "said"),
    [
        (np.arange(240) // 4 % 3, True),
        (np.arange(240) // 4 % 21, False),  # many
        (np.zeros(240), False),
        (np.arange(240) % 4, False),  # of one class each
        ([None, *(np.arange(239) % 3)], False),
    ],
)
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "arrow"])
def test_folds_are_seen_in_files(fold: Any, said: bool, form: str, tmp_path: Path) -> None:
    rows = table()
    frame = pa.table({"ill": rows["ill"], "risk": rows["risk"], "kfold": pa.array(list(fold))})
    file = tmp_path / f"a.{form}"
    if form == "csv":
        pa.csv.write_csv(frame, file)
    elif form == "parquet":
        pa.parquet.write_table(frame, file)
    elif form == "arrow":
        pa.feather.write_feather(frame, file)
    else:
        file.write_text("\n".join(json.dumps(row) for row in frame.to_pylist()))
    found = rs.evaluate(file, label="ill", scores="risk").results[0]
    assert any(WARNED in one for one in found.warnings) == said


def _lazy(rows: pa.Table, folder: Path) -> Any:
    return pl.from_arrow(rows).lazy()  # type: ignore[union-attr]


def _relation(rows: pa.Table, folder: Path) -> Any:
    return duckdb.from_arrow(rows)


def _files(form: str) -> Any:
    def written(rows: pa.Table, folder: Path) -> Any:
        write = {"csv": pa.csv.write_csv, "parquet": pa.parquet.write_table}.get(form)
        for at, part in enumerate((rows[:100], rows[100:])):
            file = folder / f"{at}.{form}"
            if write is not None:
                write(part, file)
            else:
                file.write_text("\n".join(json.dumps(row) for row in part.to_pylist()))
        return folder

    return written


def _folders(rows: pa.Table, folder: Path) -> Any:
    """As Hive writes: a folder for each fold, which the files do not hold."""
    if "fold" not in rows.column_names:
        return _files("parquet")(rows, folder)
    for fold in range(3):
        part = folder / f"fold={fold}"
        part.mkdir()
        few = rows.filter(pa.compute.equal(rows["fold"], fold)).drop_columns("fold")
        pa.parquet.write_table(few, part / "a.parquet")
    return folder


@pytest.mark.parametrize("elsewhere", [False, True], ids=["memory", "elsewhere"])
@pytest.mark.parametrize(
    "source",
    [_lazy, _relation, _files("csv"), _files("jsonl"), _files("parquet"), _folders],
    ids=["lazy", "relation", "csv", "jsonl", "parquet", "folders"],
)
def test_folds_are_seen_in_every_source(
    source: Any, elsewhere: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever reads the rows; files go to DuckDB where they would not fit into memory."""
    monkeypatch.setattr("rocsolid.engines.in_memory.fits", lambda *_: not elsewhere)
    rows = pa.table({**table(), "fold": np.arange(240) // 4 % 3})
    (tmp_path / "with").mkdir()
    data = source(rows, tmp_path / "with")
    asked: dict[str, Any] = {"label": "ill", "scores": ["risk", "lab"]}
    memory: dict[str, Any] = {"memory": "1GB"} if elsewhere else {}
    found = rs.evaluate(data, **asked, **memory)
    assert [sum(WARNED in said for said in one.warnings) for one in found.results] == [1, 1]
    compared = compare_table(data, **asked, **memory).comparisons[None]
    assert sum(WARNED in said for said in compared.warnings) == 1
    policy = {"label": "ill", "rule": [{"score": "risk", "at_least": 0.5}]}
    decided = rs.gate(policy, data)
    assert WARNED in decided.to_dict()["warnings"][0]
    for text in (str(decided), decided.to_markdown(), decided.to_html()):
        assert WARNED in text
    assert WARNED in certify_table(data, **asked).grid.certificate.warnings[-1]
    assert WARNED not in str(rs.evaluate(data, by="fold", **asked, **memory).to_dict())
    (tmp_path / "without").mkdir()
    none = source(rows.drop_columns("fold"), tmp_path / "without")
    assert WARNED not in str(rs.evaluate(none, **asked, **memory).to_dict())


def test_files_that_do_not_all_have_folds_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = pa.table({**table(), "fold": np.arange(240) // 4 % 3})
    pa.parquet.write_table(rows[:100], tmp_path / "a.parquet")
    pa.parquet.write_table(rows[100:].drop_columns("fold"), tmp_path / "b.parquet")
    asked: dict[str, Any] = {"label": "ill", "scores": "risk"}
    assert WARNED not in str(rs.evaluate(tmp_path, **asked).to_dict())
    with monkeypatch.context() as patch:
        patch.setattr("rocsolid.engines.in_memory.fits", lambda *_: False)
        assert WARNED not in str(rs.evaluate(tmp_path, **asked, memory="1GB").to_dict())
    mixed = rows[100:].set_column(rows.num_columns - 1, "fold", pa.array(["a", "b"] * 70))
    pa.parquet.write_table(mixed, tmp_path / "b.parquet")
    assert WARNED not in str(rs.evaluate(tmp_path, **asked).to_dict())


@pytest.mark.parametrize(
    ("name", "said"),
    [("oof_risk", True), ("Out-of-fold", True), ("cross_val_predict", True), ("roof", False)],
)
def test_a_score_that_is_called_out_of_fold(name: str, said: bool) -> None:
    rows = {"ill": table()["ill"], name: table()["risk"], "part": table()["part"]}
    asked: dict[str, Any] = {"label": "ill", "scores": name}
    text = "is called out-of-fold"
    assert (text in str(rs.evaluate(rows, **asked).to_dict())) == said
    lazy = _lazy(pa.table(rows), Path())
    assert (text in str(rs.evaluate(lazy, **asked).to_dict())) == said
    assert text not in str(rs.evaluate(rows, fold="part", **asked).to_dict())


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, file = table(), tmp_path / "cv.csv"
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    file.write_text("\n".join(lines))
    asked = ["evaluate", str(file), "--label", "ill", "--score", "risk", "--fold", "part"]
    assert run([*asked, "--score", "lab", "--more"]) == 0
    text = capsys.readouterr().out
    assert "risk  lab" in text
    assert "Pooling ranks all rows together" in text
    assert run([*asked, "--order", "progressive", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["results"][0]
    assert found["certified"]["method"] == "progressive validation"
    assert len(found["folds"]) == 3
    more = ["--sample-weight", "w", "--cluster", "id", "--by", "site", "--measure", "auc", "--json"]
    assert run([*asked, "--score", "lab", *more]) == 0
    alike = rs.evaluate(
        rows,
        label="ill",
        scores=["risk", "lab"],
        fold="part",
        sample_weight="w",
        cluster="id",
        by="site",
    )
    shown = json.loads(capsys.readouterr().out)
    for key in ("results", "skipped", "comparisons"):
        assert shown[key] == json.loads(json.dumps(alike.to_dict()))[key]
    assert run([*asked, "--html", str(tmp_path / "a.html")]) == 0
    capsys.readouterr()
    assert "Pooling ranks all rows together" in (tmp_path / "a.html").read_text("utf-8")
    for more in (["--plot", str(tmp_path / "a.svg")], ["--public"], ["--interval", "delong"]):
        assert run([*asked, *more]) == 2
        assert capsys.readouterr().err.startswith("rocsolid: ")


def test_the_best_of_three_is_corrected() -> None:
    rows = table()
    rows["third"] = rows["lab"][::-1] + rows["ill"]
    found = rs.evaluate(rows, label="ill", scores=["risk", "lab", "third"], fold="part")
    won = found.comparisons["auc"].winner
    assert won is not None
    for text in (found.to_markdown(), found.to_html(), str(found)):
        assert "corrected for picking" in text
    assert found.to_dict()["comparisons"][0]["winner"] == won.to_dict()
    assert (
        "corrected for picking"
        not in rs.evaluate(rows, label="ill", scores=["risk", "lab"], fold="part").to_markdown()
    )


@pytest.fixture
def learners() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    y = (rng.random(400) < 0.4).astype(int)
    a = 1.2 * y + rng.normal(size=400)
    return {"y": y, "a": a, "b": a + rng.normal(size=400), "fold": np.arange(400) % 5}


def test_compare_takes_the_folds_of_a_table(learners: dict[str, Any]) -> None:
    """The pairs are those of arrays, and margins, ranks and forms those of any comparison."""
    found = rs.compare(learners, ["a", "b"], label="y", fold="fold", margin=0.05, adjust="holm")
    pair = found.comparisons[None].pairs[0]
    scores = {name: learners[name] for name in "ab"}
    arrays = rs.cross_validated(learners["y"], scores, fold=learners["fold"])
    assert pair.difference == arrays.pairs[0].difference
    assert pair.std_error == arrays.pairs[0].std_error
    assert found.comparisons[None].equivalence[0].margin == 0.05
    assert found.comparisons[None].ranks["a"].low == 1
    assert "corrected t" in found.to_markdown()
    assert found.to_dict()["comparisons"][0]["corrected_t"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"by": "fold"}, "by does not apply to learners"),
        ({"test": "delong"}, "test does not apply to learners"),
        ({"qid": "y"}, "folds require labels of two classes"),
        ({"nan": "omit"}, "nan is not for scores of a cross-validation"),
        ({"fold": None, "repeat": "fold"}, "repeat and order are about folds"),
    ],
)
def test_what_learners_cannot_have_is_refused(
    learners: dict[str, Any], options: dict[str, Any], what: str
) -> None:
    with pytest.raises(rs.InputError, match=what):
        rs.compare(learners, ["a", "b"], label="y", **{"fold": "fold", **options})


def test_a_next_sample_of_learners_is_refused(
    learners: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its places were never tried for models that share rows."""
    file = tmp_path / "cv.parquet"
    pyarrow.parquet.write_table(pa.table(learners), file)
    command = f"compare {file} --label y --score a --score b --fold fold"
    assert run([*command.split(), "--next", "500"]) == 2
    assert "ranks of learners on a new sample cannot be predicted" in capsys.readouterr().err
    assert run(command.split()) == 0


@pytest.mark.parametrize(
    "form", [{}, {"fold": "part"}, {"within": "site"}, {"qid": "query", "measures": "map"}]
)
def test_an_alternative_is_for_the_limits_of_a_score_and_tests_are_two_sided(
    form: dict[str, str],
) -> None:
    rows = table() | {"query": np.arange(240) // 12}
    plain = rs.evaluate(rows, label="ill", scores=["lab", "risk"], **form)
    upper, lower = (
        rs.evaluate(rows, label="ill", scores=["lab", "risk"], alternative=side, **form)
        for side in ("less", "greater")
    )
    for one in (upper, lower):
        tested = [each.comparisons for each in (plain, one)]
        assert [[pair.p_value for pair in each.pairs] for each in tested[0].values()] == [
            [pair.p_value for pair in each.pairs] for each in tested[1].values()
        ]
    for entry in range(2):
        two_sided = plain.results[entry].interval
        assert upper.results[entry].interval.low == 0.0 < two_sided.low
        assert two_sided.low < lower.results[entry].interval.low
        assert upper.results[entry].interval.high < two_sided.high
        assert lower.results[entry].interval.high == 1.0 > two_sided.high

"""Tables of scores within groups: in Python and on the command line."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.errors import RocsolidError

LEAK = "is mostly about the"


def table(n: int = 1200) -> dict[str, Any]:
    """``leak`` knows the task's rate and little more; ``risk`` knows rows, whatever their task."""
    rng = np.random.default_rng(11)
    task = rng.integers(0, 24, n)
    rate = np.where(task < 12, 0.1, 0.9)
    ill = (rng.random(n) < rate).astype(int)
    return {
        "ill": ill, "leak": np.round(rate + 0.1 * rng.normal(size=n) + 0.02 * ill, 4),
        "risk": np.round(1.5 * ill + rng.normal(size=n), 4), "task": task,
        "site": np.where(np.arange(n) < n - 3, "big", "small"), "w": 1.0 + np.arange(n) % 3,
        "id": np.arange(n) // 2, "flat": np.full(n, 1), "fold": np.arange(n) % 5,
    }  # fmt: skip


BOTH: dict[str, Any] = {"label": "ill", "scores": ["leak", "risk"]}


@pytest.mark.parametrize("more", [{}, {"sample_weight": "w"}, {"cluster": "id"}])
@pytest.mark.parametrize("counts", ["pairs", "rows", "groups"])
def test_a_table_is_as_its_arrays(counts: str, more: dict[str, str]) -> None:
    rows = table()
    columns = {name: rows[column] for name, column in more.items()}
    given = {"within": "task", "counts": counts, **BOTH}
    if counts != "pairs" and "cluster" in more:
        with pytest.raises(RocsolidError, match="a cluster has a part of one"):
            rs.evaluate(rows, **given, **more)
        return
    found = rs.evaluate(rows, **given, **more)
    for entry in found.results:
        alone = rs.auc(
            rows["ill"], rows[entry.score], within=rows["task"], counts=counts, **columns
        )
        for name in ("value", "interval"):
            assert getattr(entry, name) == getattr(alone, name)
            assert getattr(entry.within, name) == getattr(alone.within, name)
        assert entry.difference.interval == alone.difference.interval
    scores = {name: rows[name] for name in BOTH["scores"]}
    compared = rs.compare(rows["ill"], scores, within=rows["task"], counts=counts, **columns)
    (pair,) = found.comparisons["auc within task"].pairs
    assert pair.to_dict() == compared.pairs[0].to_dict()
    again = rs.compare(rows, BOTH["scores"], label="ill", within="task", counts=counts, **more)
    assert again.comparisons[None].pairs[0].to_dict() == pair.to_dict()


def test_scores_are_compared_within() -> None:
    rows = table()
    found = rs.evaluate(rows, within="task", **BOTH)
    leak, risk = found.results
    (pair,) = found.comparisons["auc within task"].pairs
    assert pair.difference == pytest.approx(leak.within.value - risk.within.value)
    assert pair.certified is not None
    assert pair.p_value < 0.001
    assert leak.value > risk.value
    assert leak.within.value < risk.within.value
    first, *others = found.answer()
    assert first.startswith("leak: AUC 0.9")
    assert "among rows of the same task" in first
    assert others[-2] == f"risk has the highest AUC within task: {risk.within.value:.4f}."
    assert "It is significantly better than leak (p < 0.0001)." in others[-1]
    large = re.findall(r'<p class="answer-line">(.*?)</p>', found.to_html())
    assert [html.unescape(sentence) for sentence in large] == others[-2:]


def test_segments_and_why_some_have_none() -> None:
    rows = table()
    found = rs.evaluate(rows, label="ill", scores="leak", within="task", by="site")
    big = rows["site"] == "big"
    alone = rs.auc(rows["ill"][big], rows["leak"][big], within=rows["task"][big])
    assert found.results[1].by == {"site": "big"}
    assert found.results[1].within.interval == alone.within.interval
    assert [one.by for one in found.skipped] == [{"site": "small"}]
    assert "leak, site = small: no AUC, " in found.to_markdown()
    assert not found.comparisons


def test_one_group_has_no_between() -> None:
    found = rs.evaluate(table(), within="flat", **BOTH)
    assert [entry.between for entry in found.results] == [None, None]
    assert [entry.value for entry in found.results] == [one.within.value for one in found.results]
    assert "between" not in found.to_markdown()


def test_a_measure_of_no_pairs_counts_rows_or_groups() -> None:
    rows = table()
    with pytest.raises(RocsolidError, match="not a mean over pairs"):
        rs.evaluate(rows, within="task", measures="pr_auc", **BOTH)
    found = rs.evaluate(rows, within="task", counts="groups", measures=["auc", "pr_auc"], **BOTH)
    assert [entry.measure for entry in found.results] == ["auc", "auc", "pr_auc", "pr_auc"]
    assert list(found.comparisons) == ["auc within task", "pr_auc within task"]
    assert found.results[2].between is None
    assert found.to_html()


def test_a_column_of_the_call_that_explains_the_auc_is_said() -> None:
    rows = table()
    for given in ({"by": "task"}, {"cluster": "task"}, {"within": "task"}):
        found = rs.evaluate(rows, **BOTH, **given)
        overall = [entry for entry in found.results if entry.by is None]
        said = [[text for text in entry.warnings if LEAK in text] for entry in overall]
        assert [len(texts) for texts in said] == [1, 0], given
        assert "the task" in said[0][0]
        assert "the task" in found.to_markdown()
        quiet = found.without("ROC017")
        assert LEAK not in quiet.to_markdown()
    for given in ({}, {"by": "site"}, {"cluster": "id"}, {"by": "flat"}, {"fold": "fold"}):
        assert LEAK not in str(rs.evaluate(rows, **BOTH, **given).to_dict()), given
    assert LEAK not in str(rs.evaluate(rows, **BOTH, by="task", measures="pr_auc").to_dict())


def test_folds_that_differ_in_their_rates_are_said() -> None:
    rows = table()
    found = rs.evaluate(rows, **BOTH, fold="task")
    said = [[text for text in entry.warnings if LEAK in text] for entry in found.results]
    assert [len(texts) for texts in said] == [1, 0]


def test_missing_scores_keep_their_place() -> None:
    rows = table()
    gone = np.arange(1200) % 5 == 0
    rows["leak"] = np.where(gone, np.nan, rows["leak"])
    found = rs.evaluate(rows, label="ill", scores="leak", by="task", nan="omit")
    kept = {name: column[~gone] for name, column in rows.items()}
    alone = rs.evaluate(kept, label="ill", scores="leak", by="task")
    said = [[text for text in one.results[0].warnings if LEAK in text] for one in (found, alone)]
    assert said[0] == said[1] != []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"counts": "rows"}, "counts is about groups"),
        ({"within": "task", "fold": "fold"}, "labels of two classes, scored by one model"),
        ({"within": "task", "across": "site"}, "labels of two classes, scored by one model"),
        ({"within": "task", "qid": "task"}, "labels of two classes, scored by one model"),
        ({"within": "task", "interval": "delong"}, "interval is not for values within"),
        ({"within": "task", "nan": "omit"}, "nan is not for values within"),
        ({"within": "tsk"}, "tsk"),
        ({"within": "task", "counts": "row"}, "unknown counts"),
    ],
)
def test_what_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(RocsolidError, match=says):
        rs.evaluate(table(), **BOTH, **given)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"test": "permutation"}, "no form within groups"),
        ({"paired": False}, "paired scores, without gaps"),
        ({"frequency": np.ones(1200, int)}, r"repeat the rows and the groups with np\.repeat"),
        ({"within": [1, 2]}, "2"),
    ],
)
def test_what_a_comparison_refuses(given: dict[str, Any], says: str) -> None:
    rows = table()
    scores = {name: rows[name] for name in BOTH["scores"]}
    with pytest.raises(RocsolidError, match=says):
        rs.compare(rows["ill"], scores, **{"within": rows["task"], **given})
    if "paired" in given:
        with pytest.raises(RocsolidError, match="segments are not compared within groups"):
            rs.compare(rows, BOTH["scores"], label="ill", within="task", by="site")


def test_frequencies_of_a_table_are_repeated_rows() -> None:
    rows = table(300) | {"times": np.arange(300) % 3}
    long = {name: np.repeat(values, rows["times"]) for name, values in rows.items()}
    found = rs.compare(rows, BOTH["scores"], label="ill", within="task", frequency="times")
    expected = rs.compare(long, BOTH["scores"], label="ill", within="task")
    (pair,), (other,) = (each.comparisons[None].pairs for each in (found, expected))
    assert pair.to_dict() == other.to_dict()


@pytest.fixture
def path(tmp_path: Path) -> str:
    rows = table()
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    return str(tmp_path / "rows.csv")


def test_the_command_line(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", path, "--label", "ill", "--score", "leak", "--within", "task"]
    assert run([*words, "--more"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "among rows of the same task (95 % interval" in out
    assert "auc between task" in out
    assert "Within, a task counts by its pairs. leak: auc within task less between -0." in out
    assert LEAK in out
    assert run([*words, "--counts", "groups", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (
        found
        == rs.evaluate(path, label="ill", scores="leak", within="task", counts="groups").to_dict()
    )
    assert found["within"] == "task"
    assert set(found["results"][0]) > {"within", "between", "difference", "groups", "value"}
    assert run(["compare", *words[1:], "--score", "risk", "--test", "bootstrap-t", "--more"]) == 0
    assert "Differences of auc within task" in capsys.readouterr().out


@pytest.mark.parametrize("extra", [["--plot", "x.svg"], ["--public"], ["--qid", "task"]])
def test_options_that_do_not_go_together(
    extra: list[str], path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", path, "--label", "ill", "--score", "leak", "--within", "task"]
    assert run([*words, *extra]) == 2
    assert extra[0] in capsys.readouterr().err

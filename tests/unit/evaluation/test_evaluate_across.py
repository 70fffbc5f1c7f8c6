"""A table judged across groups is `rocsolid.cross_group_auc` of its columns."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.errors import InputError

RNG = np.random.default_rng(4)
N = 240
TABLE = pd.DataFrame(
    {
        "y": RNG.integers(0, 2, N),
        "a": RNG.normal(size=N).round(1),
        "b": RNG.normal(size=N),
        "site": RNG.choice(["n", "s", "w"], N),
        "g": np.arange(N) // 2,
        "w": RNG.random(N) + 0.2,
        "f": RNG.integers(1, 4, N),
    }
)
OPTIONS: list[dict[str, str]] = [
    {}, {"cluster": "g"}, {"sample_weight": "w"}, {"cluster": "g", "sample_weight": "w"},
]  # fmt: skip


@pytest.mark.parametrize("columns", OPTIONS, ids=str)
def test_each_score_has_the_numbers_of_its_arrays(columns: dict[str, str]) -> None:
    found = rs.evaluate(
        TABLE, label="y", scores=["a", "b"], across="site", level=0.9, design="fixed", **columns
    )
    arrays = {name: TABLE[column] for name, column in columns.items()}
    for one in found.results:
        wanted = rs.cross_group_auc(
            TABLE["y"], TABLE[one.score], TABLE["site"], level=0.9, design="fixed", **arrays
        )
        assert one.result.to_dict() == wanted.to_dict()
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 18
    assert set(frame.columns) >= {"score", "positives", "negatives", "value", "certified_low"}


def test_missing_scores_and_counts_follow_their_own_rows() -> None:
    table = TABLE.copy()
    table.loc[3:9, "a"] = np.nan
    found = rs.evaluate(table, label="y", scores=["a", "b"], across="site", nan="omit")
    kept = table["a"].notna()
    wanted = rs.cross_group_auc(table["y"][kept], table["a"][kept], table["site"][kept])
    alike = {pair: one.value for pair, one in wanted.estimates.items()}
    assert {pair: one.value for pair, one in found.results[0].estimates.items()} == alike
    counted = rs.evaluate(TABLE, label="y", scores="a", across="site", frequency="f")
    written = TABLE.loc[TABLE.index.repeat(TABLE["f"])]
    whole = rs.evaluate(written, label="y", scores="a", across="site")
    assert counted.results[0].lowest == whole.results[0].lowest


def test_the_answer_names_the_worst_pair_and_what_is_guaranteed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "t.csv"
    TABLE.to_csv(path, index=False)
    assert run(["evaluate", str(path), "--label", "y", "--score", "a", "--across", "site"]) == 0
    first = capsys.readouterr().out.split("\n")[0]
    one = rs.cross_group_auc(TABLE["y"], TABLE["a"], TABLE["site"])
    (g, h), lowest = one.worst, one.lowest
    assert lowest is not None
    worst = one.estimates[g, h]
    levels = {f"{estimate.interval.level:.6g}" for estimate in one.estimates.values()}
    page = rs.evaluate(TABLE, label="y", scores="a", across="site").to_html()
    assert levels.isdisjoint({"0.95"})
    assert "95 % interval" in page
    assert not re.search(r"99\.\d+ %", page)
    assert first == (
        f"a ranks worst for positives of {g} against negatives of {h}: AUC {worst.value:.4f} "
        f"(95 % interval {worst.low:.4f} – {worst.high:.4f} jointly for all pairs; guaranteed at "
        f"least {lowest[0]:.4f})."
    )


@pytest.mark.parametrize(
    "more",
    [
        {"by": "site"}, {"measures": "pr_auc"}, {"fold": "g"}, {"qid": "g"}, {"memory": "1GB"},
        {"interval": "unknown"}, {"across": "y2"},
    ],
    ids=str,
)  # fmt: skip
def test_what_has_no_meaning_across_groups_is_refused(more: dict[str, str]) -> None:
    with pytest.raises(InputError):
        rs.evaluate(TABLE, **{"label": "y", "scores": "a", "across": "site", **more})


def test_there_is_no_public_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    TABLE.to_csv(path, index=False)
    words = ["evaluate", str(path), "--label", "y", "--score", "a", "--across", "site"]
    assert run([*words, "--public"]) == 2
    assert "--across has no public form" in capsys.readouterr().err
    assert run([*words, "--plot", str(tmp_path / "p.png")]) == 2
    assert "pairs of groups have no picture" in capsys.readouterr().err


def test_of_many_scores_three_have_a_sentence() -> None:
    scores = {f"s{i}": TABLE["a"] + i * TABLE["b"] for i in range(5)}
    found = rs.evaluate({**TABLE, **scores}, label="y", scores=list(scores), across="site").answer()
    assert len(found) == 4
    assert found[-1] == "2 more scores are in the table."

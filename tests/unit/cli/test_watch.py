"""``rocsolid watch``: batches from files, a state between them, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run


def _batch(path: Path, seed: int, shift: float = 2.0) -> tuple[str, list[int], list[float]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 400)
    s = (y * shift + rng.normal(size=400)).round(3)
    path.write_text("y,s\n" + "".join(f"{a},{b}\n" for a, b in zip(y, s, strict=True)))
    return str(path), y.tolist(), s.tolist()


def _watch(file: str, state: Path, *more: str) -> int:
    return run(["watch", file, "--label", "y", "--score", "s", "--state", str(state), *more])


def test_the_state_makes_files_into_one_stream(tmp_path: Path, capsys) -> None:
    state, expected = tmp_path / "state.json", rs.guarantees.sequence()
    for seed in range(3):
        file, y, s = _batch(tmp_path / f"{seed}.csv", seed)
        expected = expected.add(y, s)
        assert _watch(file, state, "--json") == 0
        printed = json.loads(capsys.readouterr().out)
        assert (printed["value"], printed["low"], printed["high"]) == (
            expected.estimate.value, expected.low, expected.high,
        )  # fmt: skip
        assert printed["drifted"] is False
    written = json.loads(state.read_text())
    assert written.pop("watched")["scores"] == ["s"]
    assert written == json.loads(json.dumps(expected.to_dict()))


def test_drift_is_a_finding_one_can_fail_on(tmp_path: Path, capsys) -> None:
    state = tmp_path / "state.json"
    for seed in range(4):
        assert _watch(_batch(tmp_path / "a.csv", seed)[0], state, "--fail-on-drift") == 0
    codes = [
        _watch(_batch(tmp_path / "b.csv", seed, shift=-2.0)[0], state, "--fail-on-drift")
        for seed in range(20, 30)
    ]
    assert codes == sorted(codes)  # once found, a drift stays found
    assert codes[-1] == 1
    assert "do not come from one distribution" in capsys.readouterr().out


def test_one_class_gives_no_value_yet(tmp_path: Path, capsys) -> None:
    file = tmp_path / "a.csv"
    file.write_text("y,s\n1,0.5\n")
    assert _watch(str(file), tmp_path / "state.json") == 0
    assert capsys.readouterr().out == "No AUC yet after 1 batch: 1 positive, 0 negatives.\n"
    assert _watch(str(file), tmp_path / "state.json", "--json") == 0
    assert json.loads(capsys.readouterr().out)["value"] is None


def test_options_must_not_change_under_way(tmp_path: Path, capsys) -> None:
    file, state = _batch(tmp_path / "a.csv", 1)[0], tmp_path / "state.json"
    assert _watch(file, state) == 0
    before = state.read_text()
    assert _watch(file, state, "--level", "0.9") == 2
    assert "was started with level=0.95" in capsys.readouterr().err
    state.write_text("not json")
    assert _watch(file, state) == 2
    assert "is not JSON" in capsys.readouterr().err
    state.write_text(before)
    assert _watch(file, Path(file)) == 2  # the state may not take the place of the table
    fresh = tmp_path / "fresh.json"
    assert _watch(file, fresh, "--html", str(fresh)) == 2
    assert not fresh.exists()


def _pair(path: Path, seed: int) -> str:
    rng = np.random.default_rng(seed)
    y = np.arange(300) % 3 == 0
    new = y + rng.normal(size=300)
    old = new - 0.7 * y + 0.3 * rng.normal(size=300)
    lines = [
        f"{int(c)},{p:.4f},{q:.4f},{i % 2},{i // 10}\n"
        for i, (c, p, q) in enumerate(zip(y, new, old, strict=True))
    ]
    path.write_text("y,new,old,site,topic\n" + "".join(lines))
    return str(path)


def test_two_scores_are_watched_for_which_is_better(tmp_path: Path, capsys) -> None:
    state, expected = tmp_path / "w.json", rs.guarantees.difference_sequence(margin=0.01)
    options = ["--label", "y", "--score", "new", "--score", "old", "--state", str(state)]
    for seed in range(3):
        file = _pair(tmp_path / "a.csv", seed)
        rows = np.genfromtxt(file, delimiter=",", names=True)
        expected = expected.add(rows["y"], rows["new"], rows["old"], by=rows["site"].astype(int))
        assert run(["watch", file, *options, "--margin", "0.01", "--by", "site", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
    assert (found["low"], found["verdict"], found["decided_at"]) == (
        expected.interval.low, expected.verdict, expected.decided_at,
    )  # fmt: skip
    assert found["verdict"] == "A better"
    assert list(found["segments"]) == ["0", "1"]
    assert run(["watch", file, *options, "--margin", "0.01", "--by", "site", "--more"]) == 0
    first, segments = capsys.readouterr().out.split("\n\n")
    assert " new − old +" in first
    line = " ".join(first.split())
    assert line.endswith(f": new better (batch {found['decided_at']})")
    heads, *printed = segments.splitlines()
    assert heads.split()[:4] == ["segment", "new", "−", "old"]
    assert [each.split()[0] for each in printed] == ["0", "1"]
    assert all(each.split()[1].startswith("+") for each in printed)
    assert run(["watch", file, *options, "--by", "site"]) == 2
    assert "was started with margin=0.01" in capsys.readouterr().err


def test_queries_are_watched_by_a_measure(tmp_path: Path, capsys) -> None:
    file, state = _pair(tmp_path / "a.csv", 1), tmp_path / "w.json"
    options = ["--label", "y", "--score", "new", "--score", "old", "--state", str(state)]
    asked = ["--qid", "topic", "--measure", "ndcg@5"]
    assert run(["watch", file, *options, *asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    results = rs.evaluate(
        file, label="y", scores=["new", "old"], qid="topic", measures="ndcg@5"
    ).results
    assert found["value"] == pytest.approx(results[0].value - results[1].value)


def test_queries_have_segments(tmp_path: Path, capsys) -> None:
    file, state = tmp_path / "a.csv", tmp_path / "w.json"
    head, *lines = Path(_pair(file, 1)).read_text().splitlines()
    lines = [f"{line},{'mobile' if int(line.split(',')[-1]) % 3 else 'desk'}" for line in lines]
    file.write_text("\n".join([f"{head},device", *lines]) + "\n")
    options = ["--label", "y", "--score", "new", "--score", "old", "--state", str(state)]
    asked = ["--qid", "topic", "--measure", "ndcg@5", "--by", "device", "--json"]
    assert run(["watch", str(file), *options, *asked]) == 0
    found = json.loads(capsys.readouterr().out)
    results = rs.evaluate(
        str(file), label="y", scores=["new", "old"], qid="topic", measures="ndcg@5", by="device"
    ).results
    values = {(one.score, one.by and one.by["device"]): one.value for one in results}
    for name, one in ((None, found), *found["segments"].items()):
        assert one["value"] == pytest.approx(values["new", name] - values["old", name])
    assert list(found["segments"]) == ["desk", "mobile"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--score", "old", "--score", "new"], "scores=['new', 'old']"),
        (["--score", "new"], "scores=['new', 'old']"),
        (["--score", "new", "--score", "old", "--by", "site"], "by=None"),
        (["--score", "new", "--score", "old", "--pos-label", "1"], "pos_label=None"),
        (["--score", "new", "--score", "old", "--qid", "topic", "--measure", "ndcg@5"], "qid=None"),
    ],
)
def test_a_state_goes_on_with_what_it_was_begun_with(
    more: list[str], said: str, tmp_path: Path, capsys
) -> None:
    file, state = _pair(tmp_path / "a.csv", 1), tmp_path / "w.json"
    asked = ["watch", file, "--label", "y", "--state", str(state)]
    assert run([*asked, "--score", "new", "--score", "old"]) == 0
    before = state.read_text()
    assert run([*asked, *more]) == 2
    assert f"the state was started with {said}, so it cannot continue with" in " ".join(
        capsys.readouterr().err.split()
    )
    assert state.read_text() == before


def test_another_file_is_no_state(tmp_path: Path, capsys) -> None:
    file, other = _pair(tmp_path / "a.csv", 1), tmp_path / "other.json"
    other.write_text('{"results": []}')
    for scores in (["new"], ["new", "old"]):
        named = [part for one in scores for part in ("--score", one)]
        assert run(["watch", file, "--label", "y", *named, "--state", str(other)]) == 2
        said = " ".join(capsys.readouterr().err.split())
        assert "this is not the state of" in said
        assert "other.json). Fix: pass the file that rocsolid watch wrote" in said


def test_what_is_for_one_score_or_for_two(tmp_path: Path, capsys) -> None:
    file = _pair(tmp_path / "a.csv", 1)
    base = ["watch", file, "--label", "y", "--state", str(tmp_path / "w.json")]
    two = ["--score", "new", "--score", "old"]
    for more, message in (
        (["--score", "new", "--margin", "0.1"], "--margin is not for one score"),
        (["--score", "new", "--qid", "topic"], "--qid is not for one score"),
        ([*two, "--fail-on-drift"], "--fail-on-drift is not for two scores"),
        ([*two, "--alternative", "less"], "--alternative is not for two scores"),
        ([*two, "--score", "y"], "only one or two scores can be watched"),
        ([*two, "--measure", "pr_auc"], "rows can only be watched by their AUC"),
        ([*two, "--qid", "topic", "--measure", "ndcg", "--pos-label", "1"], "queries have grades"),
        ([*two, "--qid", "topic", "--measure", "dcg@5"], "by a measure from 0 to 1: 'dcg@5'"),
    ):
        assert run([*base, *more]) == 2
        assert message in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("scores", [["s"], ["s", "t"]])
def test_missing_scores_are_counted_or_refused_by_line(
    scores: list[str], tmp_path: Path, capsys
) -> None:
    file, state, page = tmp_path / "a.csv", tmp_path / "w.json", tmp_path / "page.html"
    file.write_text("y,s,t,site\n1,0.5,1,a\n0,,2,a\n1,0.7,3,b\n0,0.2,,b\n0,0.1,1,b\n")
    words = ["watch", str(file), "--label", "y", "--state", str(state)]
    words += [word for name in scores for word in ("--score", name)]
    assert run(words) == 2
    assert "column 's', line 3 of a.csv" in " ".join(capsys.readouterr().err.split())
    left_out = len(scores)
    more = ["--by", "site"] if left_out == 2 else []
    assert run([*words, *more, "--nan", "omit", "--html", str(page)]) == 0
    rows = "1 row of the batch was" if left_out == 1 else "2 rows of the batch were"
    told = f"{rows} left out because a score is missing."
    assert f"note: {told}" in capsys.readouterr().out
    assert told in page.read_text()
    assert run([*words, *more, "--nan", "omit", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["omitted"] == left_out


def test_missing_scores_of_queries_are_counted(tmp_path: Path, capsys) -> None:
    file = tmp_path / "a.csv"
    file.write_text("y,new,old,q\n1,1,2,a\n0,,1,a\n1,2,1,b\n0,1,2,b\n")
    words = ["watch", str(file), "--label", "y", "--score", "new", "--score", "old", "--qid", "q"]
    words += ["--measure", "ndcg@5", "--nan", "omit", "--state", str(tmp_path / "w.json")]
    assert run(words) == 0
    assert "note: 1 row of the batch was left out" in capsys.readouterr().out

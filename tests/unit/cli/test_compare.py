"""``rocsolid compare``, and the comparison of a table behind it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.evaluation.questions import screening

DATA = screening(1_500)


def test_json_is_the_comparison(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", str(table), "--label", "ill", "--score", "risk", "--score", "lab",
                "--adjust", "max-t", "--level", "0.9", "--json"]) == 0  # fmt: skip
    (printed,) = json.loads(capsys.readouterr().out)["comparisons"]
    scores = {name: DATA[name] for name in ("risk", "lab")}
    expected = rs.compare(DATA["ill"], scores, adjust="max-t", level=0.9).to_dict()
    assert printed == json.loads(json.dumps({"score": None, **expected}))


def test_the_places_in_a_next_sample(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = {name: DATA[name] for name in ("risk", "lab")}
    command = ["compare", str(table), "--label", "ill", "--score", "risk", "--score", "lab"]
    assert run([*command, "--next", "40", "--json"]) == 0
    (printed,) = json.loads(capsys.readouterr().out)["comparisons"]
    places = rs.next_ranks(rs.compare(DATA["ill"], scores), 40)
    assert printed["next_ranks"] == {name: one.to_dict() for name, one in places.items()}
    assert printed["settings"]["next"] == 40
    assert run([*command, "--next", "40"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    first = f"{100 * places['risk'].first:.0f} %"
    assert f"new sample of 40 rows, each at 95 %: risk {places['risk']} (first: {first})" in out
    assert run([*command, "--next", "0"]) == 2
    curves = ["--test", "venkatraman-curves", "--resamples", "99", "--next", "40", "--json"]
    capsys.readouterr()
    assert run([*command, *curves]) == 0
    assert json.loads(capsys.readouterr().out)["comparisons"][0]["next_ranks"] == {}


def test_measures_and_tests(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more, options in (
        (["--measure", "partial_auc(fpr<=0.1)"], {"measure": "partial_auc(fpr<=0.1)"}),
        (
            ["--measure", "sensitivity(specificity=0.9)", "--test", "bootstrap", "--seed", "3"],
            {"measure": "sensitivity(specificity=0.9)", "test": "bootstrap", "seed": 3},
        ),
        (["--test", "permutation"], {"test": "permutation"}),
        (["--test", "venkatraman-curves"], {"test": "venkatraman-curves"}),
    ):
        command = ["compare", str(table), "--label", "ill", "--score", "risk", "--score", "lab",
                   "--resamples", "99", *more]  # fmt: skip
        assert run([*command, "--json"]) == 0
        (printed,) = json.loads(capsys.readouterr().out)["comparisons"]
        scores = {name: DATA[name] for name in ("risk", "lab")}
        expected = rs.compare(DATA["ill"], scores, resamples=99, **options).to_dict()
        assert printed == json.loads(json.dumps({"score": None, **expected}))
        assert run([*command, "--more"]) == 0
        out = capsys.readouterr().out
        assert ("none" in out) == ("venkatraman-curves" in more)
        assert str(options.get("measure", "AUC")) in out
        if "venkatraman-curves" in more:
            assert "that the ROC curves of a and b are equal" in " ".join(out.split())


def test_segments(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", str(table), "--label", "ill", "--score", "risk", "--score", "lab",
                "--by", "hospital", "--json"]) == 0  # fmt: skip
    printed = json.loads(capsys.readouterr().out)
    assert [c["score"] for c in printed["comparisons"]] == ["risk", "lab"]
    parts = {
        name: (DATA["ill"][DATA["hospital"] == name], DATA["risk"][DATA["hospital"] == name])
        for name in ("North", "South")
    }
    expected = json.loads(json.dumps(rs.compare(parts).to_dict()))
    assert printed["comparisons"][0] == {"score": "risk", **expected}


def test_the_table_fits_80_columns(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for more in ([], ["--by", "hospital"], ["--margin", "0.05"],
                 ["--measure", "partial_auc(fpr<=0.1)"]):  # fmt: skip
        assert run(["compare", str(table), "--label", "ill", "--score", "risk", "--score", "lab",
                    "--score", "points", "--more", *more]) == 0  # fmt: skip
        out = capsys.readouterr().out
        assert max(map(len, out.splitlines())) <= 80
        assert "certified" in out
        assert "All equal" in out
        assert ("Not significantly different" in out) == ("--margin" not in more)


def test_methods_are_named_in_the_last_sentence_only(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    asked = ["compare", str(table), "--label", "ill", "--score", "risk", "--score", "lab",
             "--more"]  # fmt: skip
    for test, joint in (("delong-t", "hotelling"), ("delong", "chi2")):
        assert run([*asked, "--test", test, "--html", str(page)]) == 0
        words, end = " ".join(capsys.readouterr().out.split()).split(" Intervals: ", 1)
        assert "All equal: " in words
        assert not re.search("hotelling|chi2|logit", words)
        assert end.startswith("auto (logit-t")
        assert f"All equal: {joint}." in end
        before, methods = page.read_text("utf-8").split(">Methods<")
        assert joint not in before
        assert methods.count(f"All equal: {joint}.") == 1
    for form in ("--markdown", "--latex"):
        assert run([*asked, form]) == 0
        assert capsys.readouterr().out.count("hotelling") == 1
    assert run([*asked, "--latex"]) == 0
    pairs = capsys.readouterr().out.split("\\end{tabular}")
    assert pairs[1].count("\\caption") == 1
    assert "Differences, one pair at a time.}\n" in pairs[1]
    assert "\\footnotesize p tests that a $-$ b = 0" in pairs[2]


def test_options_reach_the_comparison(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.DataFrame(DATA)
    frame["ill"] = frame["ill"].map({0: "no", 1: "yes"})
    frame["w"], frame["pair"] = range(1, 1_501), [i // 2 for i in range(1_500)]
    frame.loc[3, "risk"] = None
    frame.to_csv(table, index=False)
    assert run(["compare", str(table), "--label", "ill", "--score", "risk", "--score", "lab",
                "--pos-label", "yes", "--lower-is-better", "--nan", "omit", "--sample-weight", "w",
                "--cluster", "pair", "--alternative", "less", "--null", "0.01", "--seed", "7",
                "--json"]) == 0  # fmt: skip
    (found,) = json.loads(capsys.readouterr().out)["comparisons"]
    settings = found["settings"]
    assert (settings["omitted"], settings["clusters"], settings["weighted"]) == (1, 750, True)
    assert (settings["null"], settings["alternative"], settings["seed"]) == (0.01, "less", 7)
    assert found["estimates"]["risk"]["value"] < 0.5


def test_segments_that_cannot_be_compared() -> None:
    y = [0, 0, 1, 1] * 2 + [0, 0, 0, 1]
    data = {"y": y, "s": range(12), "g": ["a"] * 4 + ["b"] * 4 + ["c"] * 4, "k": [0, 1, 2] * 4}
    result = compare_table(data, label="y", scores="s", by="g")
    assert [(one.score, one.by, one.reason) for one in result.skipped] == [
        ("s", {"g": "c"}, "it has one positive row")
    ]
    assert "s, g = c: left out" in result.to_markdown()
    assert result.to_dict()["skipped"][0]["segment"] == "c"
    with pytest.raises(rs.UnsoundError, match="not independent"):
        compare_table(data, label="y", scores="s", by="g", cluster="k")
    with pytest.raises(rs.OneClassError, match="fewer than two segments"):
        compare_table({**data, "g": ["a"] * 11 + ["c"]}, label="y", scores="s", by="g")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ([], "nothing to compare"),
        (["--score", "risk"], "named twice"),
        (["--score", "lib"], "'lab'"),
        (["--score", "lab", "--adjust", "tukey"], "holm"),
        (["--score", "lab", "--margin", "2"], "margin"),
        (["--by", "hospitl"], "'hospital'"),
        (["--score", "lab", "--test", "bootstrp"], "'bootstrap'"),
        (["--score", "lab", "--measure", "pauk(fpr<=0.1)"], "partial_auc(fpr<=0.05)"),
    ],
)
def test_bad_input_ends_with_2(
    table: Path, more: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", str(table), "--label", "ill", "--score", "risk", *more]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err

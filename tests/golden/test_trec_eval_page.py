"""The page for trec_eval users: every row of its tables, against what trec_eval 9.0.8 printed."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rocsolid.cli.app import run
from trec_eval_output import printed_by_trec_eval

TEXT = (Path(__file__).parents[2] / "benchmarks" / "trec_eval_parity.md").read_text("utf-8")
TEST = ("trec_eval/qrels.test", "trec_eval/results.test")
CAST = ("cast2019/2019qrels.txt.gz", "cast2019/runs/bert_base_rule_based.trec.gz")
CLEF = ("clef_tar_2017/test.combined.qrels.gz", "clef_tar_2017/runs/uos_AL30Q_BM25.run.gz")
Ask = Callable[[Sequence[str], list[str]], dict[str, dict[str, float]]]
OURS = {
    "map": "rs.average_precision",
    "map_cut": "rs.average_precision",
    "Rprec": "rs.r_precision",
    "bpref": "rs.bpref",
    "recip_rank": "rs.reciprocal_rank",
    "P": "rs.precision",
    "recall": "rs.recall",
    "ndcg": "rs.ndcg",
    "ndcg_cut": "rs.ndcg",
    "success": "rs.success",
}


def rows(heading: str) -> list[list[str]]:
    """The cells of the table whose first line starts so."""
    table = re.search(rf"^\| {re.escape(heading)}.*\n\|---.*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    assert table is not None
    return [
        [cell.strip().strip("`") for cell in line[1:-1].split("|")]
        for line in table[1].splitlines()
    ]


@pytest.fixture
def ask(data: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """What `rocsolid runs` says about two files, by measure."""

    def ask(files: Sequence[str], options: list[str]) -> dict[str, dict[str, float]]:
        assert run(["runs", *(str(data / "ir" / file) for file in files), *options, "--json"]) == 0
        results = json.loads(capsys.readouterr().out)["results"]
        return {one["measure"]: one for one in results}

    return ask


def test_each_measure(data: Path, ask: Ask) -> None:
    table = rows("trec_eval | in Python")
    asked = [part for row in table for part in ("--measure", row[0])]
    ours = {
        "test": ask(TEST, [*asked, "--profile", "trec_eval-9"]),
        "CAsT": ask(CAST, [*asked, "--profile", "trec_eval-9-c"]),
    }
    theirs = {
        "test": printed_by_trec_eval(data / "ir" / "trec_eval" / "9.0.8" / "out.test.a"),
        "CAsT": printed_by_trec_eval(
            data / "ir" / "golden" / "cast2019.bert_base_rule_based.trec_eval-9.0.8.txt.gz"
        ),
    }
    checked = 0
    for name, call, *shown in table:
        base, _, cut = name.rpartition("_") if name[-1].isdigit() else (name, "", "")
        assert call == OURS[base] + (f"(k={cut})" if cut else "")
        for collection, text in zip(("test", "CAsT"), shown, strict=True):
            if text:
                printed = theirs[collection][name]["all"]
                assert float(text) == printed
                assert ours[collection][name]["value"] == pytest.approx(printed, abs=5.0001e-5)
                checked += 1
    assert checked == 27


def test_options(data: Path, ask: Ask) -> None:
    folder = data / "ir" / "trec_eval" / "9.0.8"
    outputs = {"-l": "out.test.aql", "-c": "out.test.aqc", "-M100": "out.test.aqcM"}
    table = rows("trec_eval | rocsolid | value")
    assert len(table) == 5
    for theirs, options, shown in table:
        words = theirs.split()
        printed = printed_by_trec_eval(folder / outputs["-M100" if "-M100" in words else words[0]])[
            words[words.index("-m") + 1].replace(".", "_")
        ]["all"]
        assert float(shown) == printed
        files = tuple(f"trec_eval/{name}" for name in words[-2:])
        (found,) = ask(files, shlex.split(options)).values()
        assert found["value"] == pytest.approx(printed, abs=5.0001e-5)


def test_a_run_of_ties(data: Path, ask: Ask) -> None:
    table = rows("measure | trec_eval | rocsolid")
    golden = "clef_tar_2017.uos_AL30Q_BM25.trec_eval-9.0.8.txt.gz"
    printed = printed_by_trec_eval(data / "ir" / "golden" / golden)
    found = ask(CLEF, [part for row in table for part in ("--measure", row[0])])
    for name, theirs, ours, bounds in table:
        assert theirs == f"{printed[name]['all']:.4f}"
        one = found[name]
        assert ours == f"{one['value']:.4f}"
        assert bounds == f"{one['worst']:.4f} to {one['best']:.4f}"

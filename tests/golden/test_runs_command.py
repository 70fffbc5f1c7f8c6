"""``rocsolid runs`` on public collections, against the means that trec_eval 9.0.8 printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rocsolid.cli.app import run
from rocsolid.evaluation.runs import evaluate_runs
from trec_eval_output import printed_by_trec_eval

GOLDEN = {
    "bert_base_rule_based": "cast2019.bert_base_rule_based.trec_eval-9.0.8.txt.gz",
    "bert_base_run_raw": "cast2019.bert_base_run_raw.trec_eval-9.0.8.txt.gz",
}
NAMES = ["map", "Rprec", "bpref", "recip_rank", "ndcg"]
CUT = {"P": (5, 10, 100), "recall": (5, 10, 100), "ndcg_cut": (5, 10, 100),
       "map_cut": (5, 10, 100), "success": (1, 5, 10)}  # fmt: skip


def test_means_of_cast_2019(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All seven runs at once, most of them cut to their first five documents.

    Two of them have trec_eval's output (-c -q), to four digits.
    """
    folder = data / "ir" / "cast2019"
    files = sorted(str(path) for path in (folder / "runs").iterdir())
    measures = NAMES + [f"{name}_{k}" for name, cuts in CUT.items() for k in cuts]
    asked = [part for name in measures for part in ("--measure", name)]
    command = ["runs", str(folder / "2019qrels.txt.gz"), *files, *asked]
    assert run([*command, "--profile", "trec_eval-9-c", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    values = {(one["run"], one["measure"]): one["value"] for one in found["results"]}
    assert len(values) == 7 * len(measures)
    checked = 0
    for name, file in GOLDEN.items():
        golden = printed_by_trec_eval(data / "ir" / "golden" / file)
        for measure in measures:
            if measure in golden:
                expected = golden[measure]["all"]
                assert values[name, measure] == pytest.approx(expected, abs=5.0001e-5), measure
                checked += 1
    assert checked == 12
    for one in found["comparisons"]:
        assert len(one["pairs"]) == 21
        assert one["settings"]["queries"] == [173] * 7


def test_a_run_of_ties_has_bounds(data: Path) -> None:
    """In this run of CLEF TAR 2017 all documents of a topic are tied: anything is possible."""
    folder = data / "ir" / "clef_tar_2017"
    path = folder / "runs" / "uos_AL30Q_BM25.run.gz"
    found = evaluate_runs(folder / "test.combined.qrels.gz", [path], ["ndcg_cut_10", "map"])
    (estimate,) = found.measures[0].estimates.values()
    assert (estimate.tied, estimate.worst, estimate.best) == (1.0, 0.0, 1.0)
    golden = "clef_tar_2017.uos_AL30Q_BM25.trec_eval-9.0.8.txt.gz"
    printed = printed_by_trec_eval(data / "ir" / "golden" / golden)
    as_trec = evaluate_runs(
        folder / "test.combined.qrels.gz", [path], ["ndcg_cut_10", "map"], ties="trec", empty=0
    )
    for one in as_trec.measures:
        (value,) = (estimate.value for estimate in one.estimates.values())
        assert value == pytest.approx(printed[one.asked]["all"], abs=5.0001e-5)

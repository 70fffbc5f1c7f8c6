"""The page for ranx users: every row of its table, against what ranx 0.3.21 gave.

The numbers were printed by ranx 0.3.21 (NumPy 2.4.6, numba 0.68.1) for the collection that the page
makes up, as ``float(evaluate(Qrels(qrels), Run(run), measure))``.
"""

from __future__ import annotations

import doctest
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

import rocsolid as rs
from rocsolid.cli.app import run

TEXT = (Path(__file__).parents[2] / "benchmarks" / "ranx_parity.md").read_text("utf-8")
ROWS = [
    tuple(cell.strip().strip("`") for cell in line[1:-1].split("|"))
    for line in TEXT.splitlines()
    if re.match(r"\| `[^|]*` \| `rs\.[^|]*\) ?` \|", line)
]
RANX = {
    "ndcg": 0.5814954107473156,
    "ndcg@10": 0.2341281912158779,
    "ndcg_burges@10": 0.18949821892196672,
    "dcg@10": 2.396240166079607,
    "dcg_burges@10": 3.5484877217166018,
    "map": 0.36693490765986814,
    "map@10": 0.10466068158032443,
    "mrr": 0.7053571428571428,
    "mrr@3": 0.6666666666666666,
    "precision@5": 0.275,
    "precision@5-l2": 0.2,
    "recall@10": 0.20338255494505494,
    "recall@10-l2": 0.21041666666666667,
    "map-l2": 0.2591983069676775,
    "ndcg@10-l2": 0.19342457641430785,
    "hit_rate@1": 0.625,
    "r-precision": 0.3239354395604396,
    "bpref-l2": 0.3906703514739229,
    "bpref": math.nan,
    "rbp.80": 0.5302848774767172,
}
BPREF_OF_TREC_EVAL = 0.4964643429487179  # pytrec_eval-terrier 0.5.11
STUDENT = 0.0013701803655835345  # ranx's paired_student_t_test(plain, other)


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """The collection as the page's first example makes it."""
    found: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(TEXT)[:5]:
        exec(example.source, found)
    return found | {"y": found["relevance"]}


def test_every_row_is_there() -> None:
    assert [row[0] for row in ROWS] == list(RANX)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_row(
    row: tuple[str, ...], names: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs, call, measure, shown, agree = row
    ours = eval(call, names).value
    if agree == "10":
        assert ours == pytest.approx(RANX[theirs], rel=1e-10)
        assert shown == f"{ours:.4f}"
    else:
        assert agree in ("differs (1)", "differs (2)")
        assert shown == f"{RANX[theirs]:.4f}; ours {ours:.4f}"
        assert not math.isclose(ours, RANX[theirs], rel_tol=0.01)
    if measure:
        qrels, plain = tmp_path / "qrels.json", tmp_path / "plain.json"
        qrels.write_text(json.dumps(names["qrels"]))
        plain.write_text(json.dumps(names["run"]))
        assert run(["runs", str(qrels), str(plain), "--measure", measure, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["results"][0]["value"] == ours


def test_the_numbers_of_the_reasons(names: dict[str, Any]) -> None:
    ours = rs.bpref(names["y"], names["s"], qid=names["qid"]).value
    assert ours == pytest.approx(BPREF_OF_TREC_EVAL, rel=1e-12)
    for example in doctest.DocTestParser().get_examples(TEXT):
        if example.source.startswith(("other =", "relevance, scores, qid = rs.read_runs(qrels, {")):
            exec(example.source, names)
    pair = rs.compare(
        names["relevance"], names["scores"], measure="ndcg@10", qid=names["qid"]
    ).pairs[0]
    # the error of ours allows for queries that were not seen
    assert STUDENT < pair.p_value == pytest.approx(STUDENT, rel=1e-4)
    shared = {"measure": "ndcg@10", "qid": names["qid"]}
    exact = rs.compare(names["relevance"], names["scores"], test="sign-flip", **shared).pairs[0]
    assert exact.p_value == 2 / 256
    tukey = rs.compare(names["relevance"], names["scores"], adjust="tukey", **shared).pairs[0]
    assert f"{tukey.p_adjusted:.4f}" == "0.0081"

"""The golden numbers inside the package: `python tests/golden_numbers.py` writes them again.

They are chosen from tests/data, or computed by the installed scikit-learn. The tables that they are
of are small, and their licences allow the package to contain them.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sklearn
from sklearn.metrics import average_precision_score, dcg_score, roc_auc_score

from metafor_output import METAFOR, SITES
from trec_eval_output import printed_by_trec_eval

ROOT = Path(__file__).parents[1]
FILE = ROOT / "src" / "rocsolid" / "qualifying" / "golden.json"
LABELINGS = {76: 657488, 77: 654344, 78: 650822, 84: 622952, 92: 572728, 98: 529382, 106: 468686}
QUERIES = ("77_1", "77_3")  # of CAsT 2019, without tied scores
LISTS = {
    "average_precision": {"map": {}},
    "r_precision": {"Rprec": {}},
    "bpref": {"bpref": {}},
    "reciprocal_rank": {"recip_rank": {}},
    "precision": {"P_5": {"k": 5}, "P_10": {"k": 10}},
    "ndcg": {"ndcg": {}, "ndcg_cut_3": {"k": 3}, "ndcg_cut_10": {"k": 10}},
}


def made() -> dict[str, Any]:
    """All contents of the file."""
    folder = ROOT / "tests" / "data"
    golden = json.loads((folder / "auc" / "proc_golden.json").read_text("utf-8"))
    with (folder / "auc" / "tied1.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    tied = {name: [int(row[name]) for row in rows] for name in rows[0]}
    tied["w"] = [1 + i % 5 for i in range(len(rows))]
    proc = f"pROC {golden['meta']['pROC']}"
    learn = f"scikit-learn {'.'.join(sklearn.__version__.split('.')[:2])}"
    return {
        "about": "tied: 40 made-up rows. lists: two queries of TREC CAsT 2019 (MIT), the grades of "
        "the documents of the run bert_base_rule_based in its order (a point: not judged), then of "
        "the other judged documents. sites: six made-up sites.",
        "tied": tied,
        "sites": SITES,
        "lists": {query: ranked(folder / "ir" / "cast2019", query) for query in QUERIES},
        "numbers": [
            *of_proc(golden, proc),
            *of_scikit_learn(tied, learn),
            *of_lists(folder / "ir" / "golden"),
            *(number("labelings", "Whitehill (2019), section 6", "leaks.count", ["1387/1440", n],
                     {}, {"count": count}) for n, count in LABELINGS.items()),
            *of_metafor(),
        ],
    }  # fmt: skip


def number(
    requirement: str, source: str, call: str, arguments: list[Any], keywords: dict[str, Any],
    expected: dict[str, float], **further: Any,
) -> dict[str, Any]:  # fmt: skip
    """One call with the numbers that its result must have; ``@name`` is a column.

    ``then`` is a method of the result with its keywords, and ``within`` the tolerance if it is not
    1e-12.
    """
    keys = {"keywords": keywords} if keywords else {}
    return {"requirement": requirement, "source": source, "call": call, "arguments": arguments,
            **keys, **further, "expected": expected}  # fmt: skip


def of_metafor() -> Iterator[dict[str, Any]]:
    keys = ("mean", "limits.0", "limits.1", "tau2", "i2", "q", "p_value", "predicted.0",
            "predicted.1")  # fmt: skip
    for (scale, between), values in METAFOR.items():
        expected = {f"effects.{key}": value for key, value in zip(keys, values, strict=True)}
        yield number("pool", "metafor 3.8", "pool", ["@sites"],
                     {"scale": scale, "between": between}, expected, within=1e-8)  # fmt: skip


def of_proc(golden: dict[str, Any], proc: str) -> Iterator[dict[str, Any]]:
    scores = golden["tied1"]["scores"]
    for name, known in scores.items():
        both = ["@y", f"@{name}"]
        for level in (95, 99):
            low, _, high = known[f"ci_delong_{level}"]
            expected = {"low": low, "high": high}
            if level == 95:
                error = float(f"{math.sqrt(known['var_delong']):.13g}")
                yield number("auc", proc, "auc", both, {}, {"value": known["auc"]})
                expected |= {"std_error": error}
            yield number("delong", proc, "auc", both,
                         {"interval": "delong", "level": level / 100}, expected)  # fmt: skip
        for axis, region in (("sp", "fpr"), ("se", "tpr")):
            reading = known["partial"][1][axis]
            high, low = reading["region"]
            ends = [round(1 - high, 12), round(1 - low, 12)] if axis == "sp" else [low, high]
            for scale, key in (("raw", "pauc"), ("mcclish", "pauc_correct_allow_invalid")):
                yield number("partial-auc", proc, "partial_auc", both,
                             {region: ends, "scale": scale}, {"value": reading[key]})  # fmt: skip
    for at, value in zip(*scores["a"]["sens_at_spec"].values(), strict=True):
        then = ["reading", {"fpr": round(1 - at, 12)}]
        yield number("curve", proc, "roc", ["@y", "@a"], {}, {"value": value}, then=then)
    for criterion, key in (("youden", "best_youden"), ("closest-topleft", "best_topleft")):
        point = scores["a"][key]
        expected = {"tpr": point["sensitivity"], "fpr": rounded(1 - point["specificity"])}
        then = ["best", {"criterion": criterion}]
        yield number("curve", proc, "roc", ["@y", "@a"], {}, expected, then=then)
    for pair, known in golden["tied1"]["pairs"].items():
        a, b = pair.split("_vs_")
        test = known["paired_two.sided"]
        low, high = test["conf_int"]
        expected = {"statistic": test["statistic"], "p_value": test["p"], "low": low, "high": high}
        yield number("difference", proc, "compare", ["@y", {a: f"@{a}", b: f"@{b}"}],
                     {"test": "delong"},
                     {f"pairs.0.{name}": value for name, value in expected.items()})  # fmt: skip
    for case, solved in ((0, "power"), (1, "n_pos"), (2, "level")):
        call, result = (golden["power_one"][case][part] for part in ("call", "result"))
        sizes = {"n_pos": call.get("ncases"), "n_neg": call.get("ncontrols"),
                 "auc": call["auc"], "power": call.get("power")}  # fmt: skip
        keywords = {name: value for name, value in sizes.items() if value is not None}
        if "kappa" in call:
            keywords["prevalence"] = 1 / (1 + call["kappa"])
        keywords["level"] = None if solved == "level" else 1 - call["sig.level"]
        answer = {"power": result["power"], "n_pos": result["ncases"],
                  "level": 1 - result["sig.level"]}[solved]  # fmt: skip
        yield number("power", proc, "plan.auc_power", [], keywords, {solved: answer}, within=1e-9)


def of_scikit_learn(tied: dict[str, list[int]], learn: str) -> Iterator[dict[str, Any]]:
    y, w = tied["y"], tied["w"]
    for name in "abc":
        s, both = tied[name], ["@y", f"@{name}"]
        yield number("average-precision", learn, "pr_auc", both, {},
                     {"value": rounded(average_precision_score(y, s))})  # fmt: skip
        yield number("weights", learn, "auc", both, {"sample_weight": "@w"},
                     {"value": rounded(roc_auc_score(y, s, sample_weight=w))})  # fmt: skip
    gains = [0, 1, 2, 3, 4]
    expected = {"value": rounded(dcg_score([gains], [[0] * 5]))}
    yield number("ndcg", learn, "dcg", [gains, [0] * 5], {}, expected)


def rounded(value: float) -> float:
    return float(f"{value:.13g}")


def of_lists(folder: Path) -> Iterator[dict[str, Any]]:
    (file,) = folder.glob("cast2019.bert_base_rule_based.*")
    printed = printed_by_trec_eval(file)
    for call, names in LISTS.items():
        for name, keywords in names.items():
            expected = {f"per_query.{i}": printed[name][q] for i, q in enumerate(QUERIES)}
            requirement = "ndcg" if call == "ndcg" else "lists"
            yield number(requirement, "trec_eval 9.0.8", call, ["@grade", "@score"],
                         {"qid": "@query", **keywords}, expected, within=5.0001e-5)  # fmt: skip


def ranked(folder: Path, query: str) -> list[str]:
    """The grades of the ranked documents, and of the other judged documents, a digit each."""
    grades: dict[str, int] = {}
    with gzip.open(folder / "2019qrels.txt.gz", "rt") as lines:
        for line in lines:
            qid, _, doc, grade = line.split()
            if qid == query:
                grades[doc] = int(grade)
    scores: dict[str, float] = {}
    with gzip.open(folder / "runs" / "bert_base_rule_based.trec.gz", "rt") as lines:
        for line in lines:
            qid, _, doc, _, score, _ = line.split()
            if qid == query:
                scores[doc] = float(score)
    order = sorted(scores, key=lambda doc: -scores[doc])
    assert len({*scores.values()}) == len(scores)
    others = sorted(grade for doc, grade in grades.items() if doc not in scores)
    return ["".join(str(grades.get(doc, ".")) for doc in order), "".join(map(str, others))]


def text(contents: dict[str, Any]) -> str:
    """One line for each table, list and call."""
    dense = {"ensure_ascii": False, "separators": (",", ":")}
    parts = []
    for key, value in contents.items():
        if isinstance(value, str):
            parts.append(f"{json.dumps(key)}:{json.dumps(value, **dense)}")
            continue
        items = value if isinstance(value, list) else value.items()
        lines = [
            json.dumps(item, **dense) if isinstance(value, list)
            else f"{json.dumps(item[0])}:{json.dumps(item[1], **dense)}" for item in items
        ]  # fmt: skip
        opening, closing = "[]" if isinstance(value, list) else "{}"
        parts.append(f"{json.dumps(key)}:{opening}\n" + ",\n".join(lines) + f"\n{closing}")
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    FILE.write_text(text(made()), "utf-8")

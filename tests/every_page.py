"""Every kind of page that the command line writes, small, for the tests that look at them all."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from rocsolid.cli.app import run

ATTACK = '<script>document.title="taken"</script>'
LONG = "a_rather_long_name_without_any_space_" * 2

EVALUATE = ["evaluate", "rows.csv", "--label", "ill"]
BOTH = ["--score", "risk", "--score", ATTACK]
COMMANDS: Mapping[str, list[str]] = {
    "evaluate": [*EVALUATE, "--score", "risk"],
    "evaluate-by": [*EVALUATE, *BOTH, "--by", "site"],
    "evaluate-public": [*EVALUATE, *BOTH, "--by", "site", "--public", "--max-posterior", "1"],
    "evaluate-partial": [*EVALUATE, *BOTH, "--measure", "auc",
                         "--measure", "partial_auc(fpr<=0.2)", "--measure",
                         "partial_auc(tpr>=0.7,fpr<=0.4,scale=mcclish)"],
    "evaluate-many": [*EVALUATE, "--by", "site", "--score", LONG,
                      *[part for i in range(4) for part in ("--score", f"model {i}")]],
    "evaluate-clustered": [*EVALUATE, *BOTH, "--cluster", "patient"],
    "evaluate-weighted": [*EVALUATE, *BOTH, "--sample-weight", "weight"],
    "evaluate-queries": ["evaluate", "rows.csv", "--label", "grade", *BOTH, "--qid", "query",
                         "--measure", "ndcg@10", "--measure", "dcg@5", "--by", "half",
                         "--distinguish"],
    "runs": ["runs", "qrels.txt", "plain.run", "better.run", LONG[:40] + ".run",
             "--measure", "ndcg@10", "--measure", "map"],
    "curve": ["curve", "rows.csv", "--label", "ill", "--score", "risk", "--at-specificity", "0.9"],
    "curve-benefit": ["curve", "rows.csv", "--label", "ill", "--score", "chance",
                      "--net-benefit", "0.3", "--dp-delta", "0"],
    "compare": ["compare", "rows.csv", "--label", "ill", *BOTH],
    "concordance": ["concordance", "rows.csv", "--outcome", "grade", *BOTH, "--by", "site"],
    "evaluate-folds": [*EVALUATE, *BOTH, "--fold", "fold"],
    "evaluate-within": [*EVALUATE, *BOTH, "--within", "site"],
    "evaluate-across": [*EVALUATE, *BOTH, "--across", "site"],
    "plan-power": ["plan", "power", "--auc", "0.73", "--n-pos", "41", "--n-neg", "72"],
    "plan-difference": ["plan", "difference", "--auc-a", "0.85", "--auc-b", "0.8", "--power", "0.8",
                        "--correlation", "0.5"],
    "plan-precision": ["plan", "precision", "--auc", "0.9", "--half-width", "0.03"],
    "pool": ["pool", "sites.csv"],
    "watch": ["watch", "rows.csv", "--label", "ill", "--score", "risk", "--state", "risk.watch"],
    "sketch": ["sketch", "show", "all.sketch"],
    "certify": ["certify", "rows.csv", "--label", "ill", "--score", "risk"],
    "certify-many": ["certify", "rows.csv", "--label", "ill", *BOTH],
    "gate": ["gate", "policy.toml", "rows.csv"],
    "qualify": ["qualify", "partial-auc", "ndcg", "files"],
    "leak-count": ["leak", "count", "few.csv", "--score", "risk", "--auc", "0.75",
                   "--n-pos", "6"],
    "leak-exposure": ["leak", "count", "few.csv", "--score", "risk", "--auc", "0.75",
                      "--n-pos", "6", "--rows", "10"],
    "leak-joint": ["leak", "count", "few.csv", "--score", "risk", "--auc", "0.75",
                   "--score", "other", "--auc", "0.5", "--n-pos", "6"],
    "leak-plan": ["leak", "plan", "--n", "400", "--n-pos", "100", "--teams", "20",
                  "--per-day", "2", "--days", "30", "--decimals", "4"],
}  # fmt: skip
STUDIES = ("index", "bounds", "pauc", "ndcg", "labelings", "ranks", "learn")
"""The pages of the tour, which are those of each study with links to the others."""


def write_every_page(folder: Path, patch: pytest.MonkeyPatch) -> dict[str, Path]:
    """The pages by name. The working folder must be ``folder``: commands name files in it."""
    write_tables(folder)
    _run(["sketch", "make", "rows.csv", "--label", "ill", "--score", "risk", "--out", "all.sketch"],
         patch)  # fmt: skip
    for name, command in COMMANDS.items():
        _run([*command, "--html", f"{name}.html"], patch)
    _run(["study", "all", "--quick", "--out", "tour"], patch)
    return pages_in(folder)


def pages_in(folder: Path) -> dict[str, Path]:
    """The places of the pages in the folder where they were written."""
    pages = {name: folder / f"{name}.html" for name in COMMANDS}
    for study in STUDIES:
        place = "index.html" if study == "index" else f"{study}/{study}.html"
        pages[f"study-{study}"] = folder / "tour" / place
    return pages


def _run(command: list[str], patch: pytest.MonkeyPatch) -> None:
    patch.setattr("sys.argv", ["rocsolid", *command])  # a page says how it was made
    code = run(command)
    if code:
        raise RuntimeError(f"{command} ended with {code}")


def write_tables(folder: Path) -> None:
    """The files that the commands read."""
    rng = np.random.default_rng(11)
    n = 480
    ill = (rng.random(n) < 0.35).astype(int)
    base = ill + rng.normal(size=n)
    rows = {
        "ill": ill,
        "grade": ill + rng.integers(0, 2, n),
        "query": [f"{ATTACK} {i // 16}" for i in range(n)],
        "half": ["first" if i < n // 2 else ATTACK for i in range(n)],
        "site": np.array([*(f"Hospital of {c}" for c in "ABC"), ATTACK])[rng.integers(0, 4, n)],
        "patient": np.arange(n) // 3,
        "fold": np.arange(n) % 3,
        "weight": np.round(rng.uniform(0.5, 2.0, n), 3),
        "risk": np.round(base + rng.normal(size=n), 2),
        ATTACK: np.round(base + 0.5 * rng.normal(size=n), 3),
        LONG: base,
        "chance": np.round(1 / (1 + np.exp(-base)), 3),
        **{f"model {i}": base + (0.2 + 0.2 * i) * rng.normal(size=n) for i in range(4)},
    }
    _write_csv(folder / "rows.csv", rows)
    rules = [f"score = {json.dumps(ATTACK)}\nat_least = 0.4", 'score = "risk"\nat_least = 0.1\n'
             'segments = "each"']  # fmt: skip
    text = 'label = "ill"\nby = "site"\n' + "".join(f"[[rule]]\n{rule}\n" for rule in rules)
    (folder / "policy.toml").write_text(text, encoding="utf-8")
    sites = {"name": [ATTACK, LONG, "C"], "auc": [".81", ".74", ".845"], "n_pos": [120, 60, 5],
             "n_neg": [400, 210, 6]}  # fmt: skip
    _write_csv(folder / "sites.csv", sites)
    few = {"risk": np.arange(20), "other": rng.permutation(20)}
    _write_csv(folder / "few.csv", few)
    grades = rng.integers(0, 3, (25, 12))
    lines = [f"q{q} 0 d{d} {grades[q, d]}" for q in range(25) for d in range(12)]
    (folder / "qrels.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, gain in (("plain", 0.0), ("better", 0.7), (LONG[:40], 1.0)):
        scores = gain * grades + rng.normal(size=grades.shape)
        lines = [
            f"q{q} Q0 d{d} {rank} {scores[q, d]:.5f} {name}"
            for q in range(25)
            for rank, d in enumerate(np.argsort(-scores[q]), start=1)
        ]
        (folder / f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_csv(file: Path, columns: Mapping[str, object]) -> None:
    with file.open("w", newline="", encoding="utf-8") as target:
        writer = csv.writer(target)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))  # type: ignore[call-overload]

"""Does a gate keep its word, and how long does it take?

    python benchmarks/gate.py [--builds 1000] [--rows 1000000]

Builds: for each policy one rule stands exactly at its bar (or all do), so that passes, or fails,
are as frequent as they may be. Planning: of builds as large as an undecided one requires, how many
are decided. Time: the whole process on a Parquet file of two models and 20 segments.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

import rocsolid as rs

Table = dict[str, np.ndarray]


def shift(auc: float) -> float:
    """How far apart two unit normal classes lie with this AUC."""
    return float(np.sqrt(2.0) * ndtri(auc))


def table(rng: np.random.Generator, rows: int, aucs: dict[str, float]) -> Table:
    """Two correlated scores; in each of five segments of equal size alike."""
    y = np.arange(rows) % 3 == 0
    shared = rng.normal(size=rows)
    found: Table = {"y": y.astype(int), "segment": np.arange(rows) // 3 % 5}
    for name, auc in aucs.items():
        noise = 0.8 * shared + 0.6 * rng.normal(size=rows)
        found[name] = noise + shift(auc) * y
    return found


A = 0.8
Rows = Callable[[np.random.Generator, int], Table]


def scores(**aucs: float) -> Rows:
    return lambda rng, rows: table(rng, rows, aucs)


def one_low(rng: np.random.Generator, rows: int) -> Table:
    """One segment of five has an AUC of A, the others .95."""
    found = table(rng, rows, {"new": A})
    found["new"] += (found["segment"] > 0) * found["y"] * (shift(0.95) - shift(A))
    return found


def clustered(rng: np.random.Generator, rows: int) -> Table:
    """Half of the variance is shared by the five rows of a cluster."""
    y, cluster = np.arange(rows) % 3 == 0, np.arange(rows) // 5
    noise = np.sqrt(0.5) * (rng.normal(size=rows) + rng.normal(size=rows)[cluster])
    return {"y": y.astype(int), "cluster": cluster, "new": noise + shift(A) * y}


def lists(rng: np.random.Generator, rows: int) -> Table:
    """Queries of 20 documents with grades of 0 to 3, and two systems that are equally good."""
    y = rng.choice(4, size=rows, p=[0.7, 0.15, 0.1, 0.05])
    shared = rng.normal(size=rows)
    found = {name: 0.8 * shared + 0.6 * rng.normal(size=rows) + 0.7 * y for name in ("new", "old")}
    return {"y": y, "query": np.arange(rows) // 20, **found}


def truth(rows: Rows, measure: str, size: int, **columns: str) -> float:
    big = rows(np.random.default_rng(0), size)
    found = rs.evaluate(big, label="y", scores="new", measures=measure, **columns)
    return found.results[0].value


@dataclass(frozen=True)
class Design:
    """Rules that stand at their bars; ``stored`` says whether "old" is what a file says of it."""

    rows: Rows
    rules: list[dict[str, Any]]
    options: dict[str, str] = field(default_factory=dict)
    stored: bool = False

    def verdict(self, rng: np.random.Generator, rows: int, folder: Path) -> str:
        policy = {"label": "y", **self.options, "rule": self.rules}
        if not self.stored:
            return rs.gate(policy, self.rows(rng, rows)).verdict
        path, old = folder / "old.json", self.rows(rng, rows)
        path.write_text(json.dumps(rs.evaluate(old, label="y", scores=["old", "new"]).to_dict()))
        rules = [
            {key: str(path) if value == "FILE" else value for key, value in rule.items()}
            for rule in self.rules
        ]
        data = self.rows(rng, rows)
        needs = any("FILE" not in rule.values() for rule in self.rules)
        if needs:
            del data["old"]
        return rs.gate(
            {**policy, "rule": rules}, data, baseline=str(path) if needs else None
        ).verdict


def designs() -> dict[str, Design]:
    auc, by, of_lists = {"score": "new", "at_least": A}, {"by": "segment"}, {"qid": "query"}
    ap = truth(scores(new=A), "pr_auc", 3_000_000)
    ndcg = truth(lists, "ndcg@10", 4_000_000, qid="query")
    not_worse = {"score": "new", "not_worse_than": "old", "margin": 0.02}
    better = {"score": "new", "better_than": "old"}
    return {
        "auc at its bar": Design(scores(new=A), [auc]),
        "auc at its bar, certified": Design(scores(new=A), [{**auc, "evidence": "certified"}]),
        "auc at its bar, in clusters": Design(clustered, [auc], {"cluster": "cluster"}),
        "pr_auc at its bar": Design(
            scores(new=A), [{"score": "new", "at_least": ap, "measure": "pr_auc"}]
        ),
        "ndcg@10 at its bar": Design(
            lists, [{"score": "new", "at_least": ndcg, "measure": "ndcg@10"}], of_lists
        ),
        "non-inferiority at its margin": Design(scores(new=A, old=A + 0.02), [not_worse]),
        "non-inferiority, certified": Design(
            scores(new=A, old=A + 0.02), [{**not_worse, "evidence": "certified"}]
        ),
        "non-inferiority, old rows gone": Design(
            scores(new=A, old=A + 0.02), [not_worse], stored=True
        ),
        "equivalence at its margin": Design(
            scores(new=A + 0.04, old=A), [{"score": "new", "within": 0.04, "of": "old"}]
        ),
        "better, and they are equal": Design(scores(new=A, old=A), [better]),
        "better by ndcg@10, and equal": Design(lists, [{**better, "measure": "ndcg@10"}], of_lists),
        "worst segment of five at its bar": Design(one_low, [{**auc, "segments": "worst"}], by),
        "all of five segments at their bar": Design(
            scores(new=A), [{**auc, "segments": "each"}], by
        ),
        "no drift, and nothing drifts": Design(
            scores(new=A, old=A), [{"score": "new", "no_drift_against": "FILE"}], stored=True
        ),
        "one rule of five at its bar": Design(
            scores(new=A, old=0.65),
            [{"score": "new", "at_least": bar} for bar in (A, 0.6, 0.5)]
            + [better, {"score": "old", "at_least": 0.5}],
        ),
        "all of four rules at their bar": Design(
            scores(new=A, old=A),
            [{"score": name, "at_least": A} for name in ("new", "old")]
            + [{"score": "new", "not_worse_than": "old", "margin": 1e-9},
               {"score": "old", "not_worse_than": "new", "margin": 1e-9}],
        ),
    }  # fmt: skip


def builds(count: int, rows: int) -> None:
    print(f"{count:,} builds of {rows:,} rows each; a share above .05 would be too much")
    print(f"{'policy':<38} {'pass':>6} {'fail':>6} {'open':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for at, (name, design) in enumerate(designs().items()):
            verdicts = [
                design.verdict(np.random.default_rng([at, seed]), rows, Path(folder))
                for seed in range(count)
            ]
            words = ("pass", "fail", "undecided")
            share = [np.mean([v == word for v in verdicts]) for word in words]
            print(f"{name:<38} " + " ".join(f"{s:6.3f}" for s in share), flush=True)


def planned(count: int) -> None:
    """Builds as large as the median plan of small ones that were open, at the true value."""
    policies: dict[str, tuple[dict[str, float], dict[str, Any]]] = {
        "auc .80 at least .77": ({"new": 0.8}, {"score": "new", "at_least": 0.77}),
        "auc .80 at least .83": ({"new": 0.8}, {"score": "new", "at_least": 0.83}),
        "equal, not worse by .02": (
            {"new": A, "old": A}, {"score": "new", "not_worse_than": "old", "margin": 0.02}
        ),
        "certified, .80 at least .75": (
            {"new": 0.8}, {"score": "new", "at_least": 0.75, "evidence": "certified"}
        ),
    }  # fmt: skip
    print("\nopen builds of 300 rows, and those with as many rows as the plan asks for")
    print(f"{'policy':<30} {'open':>6} {'plan':>7} {'decided':>8}")
    for at, (name, (aucs, rule)) in enumerate(policies.items()):
        policy = {"label": "y", "rule": [rule]}

        def build(rows: int, seed: int, at: int = at, aucs: Any = aucs, p: Any = policy) -> Any:
            return rs.gate(p, table(np.random.default_rng([9, at, rows, seed]), rows, aucs))

        found = [build(300, seed) for seed in range(count)]
        open_ones = [one for one in found if one.verdict == "undecided"]
        rows = true_plan(aucs, build)
        again = [build(rows, seed).verdict for seed in range(count)]
        decided = np.mean([v != "undecided" for v in again])
        print(f"{name:<30} {len(open_ones) / count:6.3f} {rows:7,} {decided:8.3f}", flush=True)


def true_plan(aucs: dict[str, float], build: Callable[..., Any]) -> int:
    """The rows that a small build asks for whose estimate is next to the truth."""
    rows = 300
    nearest, least = build(rows, 0), np.inf
    for seed in range(400):
        one = build(rows, seed)
        value = one.rulings[0].value
        truth = aucs["new"] - aucs.get("old", 0.0)
        if abs(value - truth) < least and one.rulings[0].more is not None:
            nearest, least = one, abs(value - truth)
    return int(rows + nearest.rulings[0].more)


def whole_process(rows: int) -> None:
    rng = np.random.default_rng(1)
    y = rng.random(rows) < 0.1
    shared = rng.normal(size=rows)
    frame = pd.DataFrame(
        {
            "y": y.astype(np.int8),
            "region": rng.integers(0, 20, rows).astype(str),
            "new": shared + 0.6 * rng.normal(size=rows) + 1.3 * y,
            "old": shared + 0.6 * rng.normal(size=rows) + 1.2 * y,
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        path, policy = Path(folder) / "t.parquet", Path(folder) / "policy.toml"
        frame.to_parquet(path)
        policy.write_text(
            'label = "y"\nby = "region"\n'
            '[[rule]]\nscore = "new"\nat_least = 0.75\n'
            '[[rule]]\nscore = "new"\nbetter_than = "old"\n'
            '[[rule]]\nscore = "new"\nat_least = 0.7\nsegments = "worst"\n'
            '[[rule]]\nscore = "new"\nnot_worse_than = "old"\nmargin = 0.02\nsegments = "each"\n'
        )
        command = [sys.executable, "-m", "rocsolid", "gate", str(policy), str(path), "--json"]
        times = []
        for _ in range(3):
            start = time.perf_counter()
            code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
            times.append(time.perf_counter() - start)
    print(f"\nwhole process, {rows:,} rows, 2 models, 20 segments, 43 rulings: "
          f"{min(times):.2f} s (exit code {code})")  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--builds", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--size", type=int, default=600, help="rows of a build")
    asked = parser.parse_args()
    whole_process(asked.rows)
    if asked.builds:
        builds(asked.builds, asked.size)
        planned(asked.builds)

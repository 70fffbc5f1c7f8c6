"""How often do the tests over queries find what is not there? Prints tables, by hand.

    python benchmarks/tests_of_tests.py FOLDER [--repeats 1000]

FOLDER holds Urbano's topic by system matrices (SIGIR 2019, github.com/julian-urbano). Two nulls are
made of them. *Dealt*: on every topic the systems' values are dealt to them anew, so all systems are
alike. *Centred*: every system's mean is taken off and topics are drawn with replacement, so the
means are equal while each system keeps its own skewness. Every line has its own random stream.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.adjust import adjusted
from rocsolid.comparison.compared import Question, t_test
from rocsolid.comparison.sign_flip import Systems, sign_flip
from rocsolid.intervals.means.betting import betting_limits
from rocsolid.intervals.means.logit_t import logit_t_limits
from rocsolid.intervals.means.t import t_limits
from rocsolid.intervals.means.tail import FEW, in_tail

Floats = NDArray[np.float64]
SIZES = ((2, 15), (2, 25), (2, 50), (2, 100), (5, 50), (20, 50))
PAIRS = ("t", "t, warned", "t, not warned", "sign-flip", "certified")
FAMILY = ("max-t", "holm", "tukey", "all equal")


def read(folder: Path) -> dict[str, Floats]:
    """Each matrix, a row a system, without the worst quarter of the systems."""
    out = {}
    for file in sorted(folder.glob("*.csv")):
        matrix = np.genfromtxt(file, delimiter=",", skip_header=1).T
        out[file.stem] = matrix[np.argsort(-matrix.mean(axis=1))[: len(matrix) * 3 // 4]]
    return out


def null(rng: np.random.Generator, matrix: Floats, kind: str, k: int, topics: int) -> Systems:
    rows = matrix[rng.choice(len(matrix), k, replace=False)]
    if kind == "dealt":
        at = rng.choice(matrix.shape[1], topics, replace=topics > matrix.shape[1])
        drawn, low = rng.permuted(rows[:, at], axis=0), 0.0
    else:
        rows = rows - rows.mean(axis=1, keepdims=True)
        drawn, low = rows[:, rng.choice(matrix.shape[1], topics)], -1.0
    return Systems.of({str(i): row for i, row in enumerate(drawn)}, range=(low, 1.0))


def false_alarms(
    matrices: dict[str, Floats], kind: str, k: int, topics: int, repeats: int
) -> dict[str, float]:
    """The share of pairs, and of families, in which a test at 5 % finds a difference."""
    rng = np.random.default_rng([k, topics, len(kind)])
    counts: dict[str, list[float]] = {name: [] for name in (*PAIRS, *FAMILY)}
    names = list(matrices)
    for seed in range(repeats):
        systems = null(rng, matrices[names[seed % len(names)]], kind, k, topics)
        span = (-systems.span, systems.span)
        question = Question(0.0, "two-sided", 0.95, seed, span, 999)
        t = t_test(systems, question)
        found = np.array([pair.p_value < 0.05 for pair in t.tested])
        warned = systems.in_tail < FEW
        counts["t"] += found.tolist()
        counts["t, warned"] += found[warned].tolist()
        counts["t, not warned"] += found[~warned].tolist()
        flipped = sign_flip(systems, question)
        counts["sign-flip"] += [pair.p_value < 0.05 for pair in flipped.tested]
        counts["certified"] += [one is not None and 0.0 not in one
                                for one in systems.certificates(question)]  # fmt: skip
        for how in FAMILY[:-1]:
            counts[how].append(np.nanmin(adjusted(how, t, question).p_values) < 0.05)
        counts["all equal"].append(systems.all_equal(question)[0].p_value < 0.05)
    return {name: float(np.mean(one)) if one else np.nan for name, one in counts.items()}


def coverage(matrices: dict[str, Floats], repeats: int) -> None:
    """Coverage of the intervals for one mean, by how many queries carry the tail."""
    rng = np.random.default_rng(0)
    edges = np.array([0, 2, 4, 6, 8, 10, 15, 30, np.inf])
    held: dict[str, list[Floats]] = {"t": [], "logit-t": [], "betting": []}
    carried, widths = [], []
    for matrix in matrices.values():
        for system in matrix[:: max(1, len(matrix) // 6)]:
            for topics in (10, 25, 50, 150):
                drawn, truth = rng.choice(system, (repeats, topics)), system.mean()
                drawn = drawn[np.ptp(drawn, axis=1) > 0.0]
                mean, error = drawn.mean(axis=1), drawn.std(axis=1, ddof=1) / np.sqrt(topics)
                carried.append(in_tail(drawn))
                limits = {
                    "t": t_limits(mean, error, topics - 1, 0.95, "two-sided"),
                    "logit-t": logit_t_limits(mean, error, topics - 1, 0.95, "two-sided"),
                    "betting": betting_limits(drawn),
                }
                for name, (low, high) in limits.items():
                    held[name].append((low <= truth) & (truth <= high))
                student, bets = (limits[name][1] - limits[name][0] for name in ("t", "betting"))
                widths.append(bets / student)
    tail, wider = np.concatenate(carried), np.concatenate(widths)
    print("\n### Coverage at 95 % of one system's mean\n")
    print("| queries in the tail | samples | t | logit-t | betting | betting's width over t's |")
    print("|---|---|---|---|---|---|")
    for low, high in pairwise(edges):
        some = (low <= tail) & (tail < high)
        cells = [f"{np.concatenate(one)[some].mean():.3f}" for one in held.values()]
        name = f"{low:g} to {high:g}" if high < np.inf else f"{low:g} and more"
        print(f"| {name} | {some.sum():,} | {' | '.join(cells)} | {np.median(wider[some]):.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=1000)
    asked_for = parser.parse_args()
    matrices = read(asked_for.folder)
    for kind in ("dealt", "centred"):
        print(f"\n### False alarms at 5 %, systems {kind}\n")
        print("| systems | topics | " + " | ".join((*PAIRS, *FAMILY)) + " |")
        print("|---" * (2 + len(PAIRS) + len(FAMILY)) + "|")
        for k, topics in SIZES:
            found = false_alarms(matrices, kind, k, topics, asked_for.repeats)
            cells = " | ".join("" if np.isnan(one) else f"{one:.3f}" for one in found.values())
            print(f"| {k} | {topics} | {cells} |", flush=True)
    coverage(matrices, max(asked_for.repeats // 10, 20))


if __name__ == "__main__":
    main()

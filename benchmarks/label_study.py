"""What do chosen labels gain over labels of rows drawn alike, and do intervals cover? On demand.

    python benchmarks/label_study.py [--repeats 2000]

Scores are normal in both classes. The guess of each row's chance is right, or twice as steep on the
logit scale, or flat. Every line has its own random stream; every estimate is the library's.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.inputs import BinaryRows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.summaries.spread import Spread

ROWS, BUDGET, APART, SHARED = 20_000, 2000, (1.8, 1.5), 0.7
CASES = [("pr_auc", 1), ("pr_auc", 2), ("precision@5%", 1), ("auc", 1), ("auc", 2)]


def population(rng: np.random.Generator, prevalence: float) -> tuple[np.ndarray, ...]:
    """Labels, two scores, and the logit of the right chance given the first score."""
    y = rng.random(ROWS) < prevalence
    common = rng.normal(size=ROWS)
    a, b = (
        d * y + np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * rng.normal(size=ROWS)
        for d in APART
    )
    logit = np.log(prevalence / (1 - prevalence)) + APART[0] * (a - APART[0] / 2)
    return y, a, b, logit


def truth(name: str, scores: int, prevalence: float) -> float:
    """From rows whose normal scores stand at their quantiles, counted by prevalence."""
    from scipy.special import ndtri

    at = ndtri((np.arange(200_000) + 0.5) / 200_000)
    y = np.arange(400_000) < 200_000
    weight = np.where(y, prevalence, 1.0 - prevalence)
    found = [
        value(name, y, np.concatenate([at + apart, at]), weight)[0] for apart in APART[:scores]
    ]
    return found[0] - (found[1] if scores == 2 else 0.0)


def value(
    name: str, y: np.ndarray, s: np.ndarray, w: np.ndarray | None
) -> tuple[float, float, float]:
    """The value with its limits."""
    found = measure_of(name).estimate(ScoredRows(BinaryRows(y, s, w)), Options())
    return found.value, found.low, found.high


def study(name: str, count: int, prevalence: float, guess: str, repeats: int, seed: int) -> str:
    """One line of the table."""
    rng, measure = np.random.default_rng(seed), measure_of(name)
    true = truth(name, count, prevalence)
    values: dict[str, list[float]] = {"alike": [], "chosen": []}
    covered = {"alike": 0, "chosen": 0}
    predicted = 0.0
    for repeat in range(repeats):
        y, a, b, logit = population(rng, prevalence)
        steep = {"right": logit, "steep": 2 * logit, "flat": np.full(ROWS, -3.0)}[guess]
        scores = {"a": a} if count == 1 else {"a": a, "b": b}
        plan = rs.plan.labels(
            scores, chance=1 / (1 + np.exp(-steep)), budget=BUDGET, measure=name, seed=repeat
        )
        predicted += plan.gain / repeats
        alike = rng.random(ROWS) < BUDGET / ROWS
        for how, take, weight in (
            ("alike", alike, None), ("chosen", plan.label_me, plan.weight[plan.label_me])
        ):  # fmt: skip
            if count == 1:
                found, low, high = value(name, y[take], a[take], weight)
            else:
                parts = [value(name, y[take], s[take], weight)[0] for s in (a, b)]
                rows = BinaryRows(y[take], a[take], weight)
                pulls = [measure.influence(BinaryRows(y[take], s[take], weight)) for s in (a, b)]
                spread = Spread.of(rows, pulls, centred=not measure.of_rows)  # type: ignore[arg-type]
                half = 1.96 * float(np.sqrt(spread.apart([(0, 1)]).total[0, 0]))
                found = parts[0] - parts[1]
                low, high = found - half, found + half
            values[how].append(found)
            covered[how] += low <= true <= high
    gain = np.var(values["alike"]) / np.var(values["chosen"])
    of = name if count == 1 else f"difference of {name}"
    return (
        f"| {of} | {prevalence:g} | {guess} | {gain:.2f} | {predicted:.2f} | "
        f"{covered['alike'] / repeats:.3f} | {covered['chosen'] / repeats:.3f} | "
        f"{np.mean(values['chosen']) - true:+.4f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=300)
    asked = parser.parse_args()
    print(
        "| measure | positives | guess | gain | promised | covers, alike | covers, chosen | bias |"
    )
    print("|---|---|---|---|---|---|---|---|")
    lines = product(CASES, (0.02, 0.1), ("right", "steep", "flat"))
    for seed, ((name, count), prevalence, guess) in enumerate(lines):
        print(study(name, count, prevalence, guess, asked.repeats, seed), flush=True)


if __name__ == "__main__":
    main()

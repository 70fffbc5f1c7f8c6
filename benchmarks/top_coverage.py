"""How often intervals of average precision and of precision at a cut hold the truth.

python benchmarks/top_coverage.py [samples] [most rows] [designs].

Rows are sampled, with normal scores of both classes; "ordinal" rounds them to steps of ½,
"clusters" gives ten rows of each cluster a share of the score in common. Beside the default stand
the certified interval, the logit interval of Boyd et al. 2013 and a percentile bootstrap.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
from scipy.special import expit, logit, ndtr

import rocsolid as rs

X = np.linspace(-8.0, 16.0, 48_001)


def rates(shift: float, prevalence: float) -> tuple[np.ndarray, np.ndarray]:
    return prevalence * ndtr(shift - X), (1.0 - prevalence) * ndtr(-X)


def area(shift: float, prevalence: float, step: float = 0.0) -> float:
    """The average precision of the population; ``step`` is that of rounded scores."""
    x = X
    if step:  # a score k·step holds what lies within half a step of it
        x = np.arange(-8.0, 16.0, step) - step / 2.0
    hits, alarms = prevalence * ndtr(shift - x), (1.0 - prevalence) * ndtr(-x)
    gained = -np.diff(hits)
    return float(gained @ (hits / np.maximum(hits + alarms, 1e-300))[:-1] / prevalence)


def shift_for(wanted: float, prevalence: float) -> float:
    low, high = 0.0, 9.0
    for _ in range(50):
        middle = (low + high) / 2.0
        low, high = (middle, high) if area(middle, prevalence) < wanted else (low, middle)
    return low


def boyd(value: float, positives: int) -> tuple[float, float]:
    with np.errstate(divide="ignore", invalid="ignore"):
        half = 1.959964 / np.sqrt(positives * value * (1.0 - value))
        low, high = expit(logit(value) - half), expit(logit(value) + half)
    return (value, value) if np.isnan(low) else (float(low), float(high))  # at 1 it has no width


def percentiles(y: np.ndarray, s: np.ndarray, draw: np.random.Generator) -> tuple[float, float]:
    """Of 200 resamples of the rows, all at once: how often each row is in one."""
    order = np.argsort(-s)
    times = draw.multinomial(len(y), np.full(len(y), 1.0 / len(y)), 200)
    last = np.append(np.flatnonzero(np.diff(s[order])), len(y) - 1)
    rows = np.cumsum(times, axis=1)[:, last]
    hits = np.cumsum(times * y[order], axis=1)[:, last]
    some = hits[:, -1] > 0
    steps = np.diff(hits, axis=1, prepend=0)
    found = (steps * hits / np.maximum(rows, 1)).sum(axis=1)[some] / hits[some, -1]
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


HEAD = ("default", "certified", "Boyd", "percentile", "P@k", "P@k certified")


def cell(
    design: str, positives: int, prevalence: float, wanted: float, samples: int
) -> np.ndarray | None:
    """How often each interval of `HEAD` held the truth."""
    draw = np.random.default_rng([positives, round(1 / prevalence), round(1000 * wanted)])
    shift, n = shift_for(wanted, prevalence), round(positives / prevalence)
    step = 0.5 if design == "ordinal" else 0.0
    truth = area(shift, prevalence, step)
    hits, alarms = rates(shift, prevalence)
    at = int(np.argmin(np.abs(hits + alarms - prevalence)))
    precision = float(hits[at] / (hits[at] + alarms[at]))
    held = np.zeros((0, len(HEAD)))
    for _ in range(samples):
        y = draw.random(n) < prevalence
        if not 2 <= y.sum() < n - 1:
            continue
        s = draw.normal(size=n)
        table = {"y": y}
        if design == "clusters":
            table["c"] = np.arange(n) // 10
            s = np.sqrt(0.7) * s + np.sqrt(0.3) * draw.normal(size=n // 10 + 1)[table["c"]]
        s = s + shift * y
        table["s"] = np.round(s / step) * step if step else s
        names = ["pr_auc"] if step else ["pr_auc", f"precision@{100 * prevalence:g}%"]
        found = rs.evaluate(
            table, label="y", scores="s", measures=names, cluster="c" if "c" in table else None
        ).results
        nothing = (np.nan, np.nan)
        limits = [
            pair
            for one in found
            for pair in (
                (one.low, one.high),
                (one.certified.low, one.certified.high) if one.certified else nothing,
            )
        ]
        others = [
            boyd(found[0].value, int(y.sum())),
            percentiles(y, table["s"], draw) if n <= 1000 else nothing,
        ]
        limits = [*limits[:2], *others, *(limits[2:] or [nothing] * 2)]
        truths = [truth] * 4 + [precision] * 2
        held = np.vstack([held, [
            np.nan if np.isnan(low) else float(low <= true <= high)
            for (low, high), true in zip(limits, truths, strict=True)
        ]])  # fmt: skip
    return held.mean(axis=0)


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 200_000  # rows of a sample
    designs = sys.argv[3:] or ["continuous", "ordinal", "clusters"]
    print("design positives prevalence AP |", " ".join(HEAD))
    found = []
    for design, positives, prevalence, wanted in product(
        designs, (10, 30, 100, 500, 2000), (0.5, 0.1, 0.01, 0.001),
        (0.05, 0.2, 0.5, 0.8, 0.95, 0.99),
    ):  # fmt: skip
        n = positives / prevalence
        if wanted < 1.25 * prevalence or n > most:
            continue
        drawn = samples if n <= 5000 else max(samples // 4, 50)
        one = cell(design, positives, prevalence, wanted, drawn)
        found.append((design, positives, one))
        shown = "  ".join(f"{each:.3f}" for each in one)
        print(f"{design:10} {positives:4} {prevalence:5g} {wanted:5g} | {shown}", flush=True)
    for design, positives in dict.fromkeys(each[:2] for each in found):
        rows = np.array([one for *key, one in found if key == [design, positives]])
        lowest = ["" if np.isnan(c).all() else f"{np.nanmin(c):.3f}" for c in rows.T]
        print(f"| {design}, {positives} | {' | '.join(lowest)} |")


if __name__ == "__main__":
    main()

"""How often intervals of average precision and of precision at a cut hold the truth.

python benchmarks/top_coverage.py [samples]. Rows are sampled, with normal scores of both classes.
Beside the default stand the logit interval of Boyd et al. 2013 and a percentile bootstrap.
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


def area(shift: float, prevalence: float) -> float:
    """The average precision of the population."""
    hits, alarms = rates(shift, prevalence)
    density = np.exp(-0.5 * (X - shift) ** 2) / np.sqrt(2.0 * np.pi)
    return float(np.sum(density * hits / np.maximum(hits + alarms, 1e-300)) * (X[1] - X[0]))


def shift_for(wanted: float, prevalence: float) -> float:
    low, high = 0.0, 9.0
    for _ in range(50):
        middle = (low + high) / 2.0
        low, high = (middle, high) if area(middle, prevalence) < wanted else (low, middle)
    return low


def boyd(value: float, positives: int) -> tuple[float, float]:
    with np.errstate(divide="ignore", invalid="ignore"):
        half = 1.959964 / np.sqrt(positives * value * (1.0 - value))
        return float(expit(logit(value) - half)), float(expit(logit(value) + half))


def drawn(y: np.ndarray, s: np.ndarray, draw: np.random.Generator) -> tuple[float, float]:
    """The percentiles of 100 resamples of the rows."""
    found = []
    for at in draw.integers(0, len(y), (100, len(y))):
        if y[at].any():
            found.append(rs.sklearn.average_precision_score(y[at], s[at]))
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    draw = np.random.default_rng(0)
    print("positives prevalence AP | AP: default Boyd percentile | precision of as many rows")
    for positives, prevalence, wanted in product(
        (10, 30, 100), (0.5, 0.1, 0.01), (0.05, 0.2, 0.5, 0.8, 0.95, 0.99)
    ):
        if wanted < 1.25 * prevalence:
            continue
        shift, n = shift_for(wanted, prevalence), round(positives / prevalence)
        hits, alarms = rates(shift, prevalence)
        at = int(np.argmin(np.abs(hits + alarms - prevalence)))
        precision = float(hits[at] / (hits[at] + alarms[at]))
        held = np.zeros(4)
        for _ in range(samples):
            y = draw.random(n) < prevalence
            if not 2 <= y.sum() < n - 1:
                continue
            s = draw.normal(size=n) + shift * y
            found = rs.evaluate(
                {"y": y, "s": s}, label="y", scores="s",
                measures=["pr_auc", f"precision@{100 * prevalence:g}%"],
            ).results  # fmt: skip
            pairs = [(one.low, one.high) for one in found]
            few = n <= 1000  # a bootstrap of more rows takes too long here
            limits = (
                pairs[0], boyd(found[0].value, int(y.sum())),
                drawn(y, s, draw) if few else (np.nan, np.nan), pairs[1],
            )  # fmt: skip
            truths = (wanted, wanted, wanted, precision)
            held += [
                low <= truth <= high for (low, high), truth in zip(limits, truths, strict=True)
            ]
        shown = "  ".join(f"{each / samples:.3f}" for each in held)
        print(f"{positives:4} {prevalence:5g} {wanted:5g} | {shown}", flush=True)


if __name__ == "__main__":
    main()

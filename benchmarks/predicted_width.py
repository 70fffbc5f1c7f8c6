"""How close the sample-size curve of the report comes: predicted over simulated half-widths.

    python benchmarks/predicted_width.py

From each of many small samples the half-width with four times the rows is predicted, and divided by
the mean half-width of samples that have four times the rows.
"""

from __future__ import annotations

import numpy as np

import rocsolid as rs
from rocsolid.engines.memory import summarise
from rocsolid.inputs import binary_rows
from rocsolid.plan.more_rows import MoreRows

TIMES, RATIO = 4, 4
PILOTS, LARGER = 400, 200


def draw(kind: str, n_pos: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    n_neg = RATIO * n_pos
    label = np.repeat([1, 0], [n_pos, n_neg])
    if kind == "normal":
        return label, rng.normal(size=len(label)) + 1.2 * label
    if kind == "exponential":
        return label, rng.exponential(size=len(label)) * (1.0 + 1.5 * label)
    return label, rng.integers(0, 5, len(label)) + label * rng.integers(0, 2, len(label))


def half_width(found: rs.results.Estimate) -> float:
    return (found.high - found.low) / 2.0


def main() -> None:
    rng = np.random.default_rng(0)
    print("scores, positives: mean of predicted/simulated, and its middle 95 %")
    for kind in ("normal", "exponential", "five grades"):
        for n_pos in (30, 100, 400):
            larger = [half_width(rs.auc(*draw(kind, TIMES * n_pos, rng))) for _ in range(LARGER)]
            found = []
            for _ in range(PILOTS):
                plan = MoreRows(summarise(binary_rows(*draw(kind, n_pos, rng))).moments)
                found.append(float(plan.half_widths(np.array([float(TIMES)]))[0]))
            ratio = np.array(found) / np.mean(larger)
            low, high = np.quantile(ratio, [0.025, 0.975])
            print(f"{kind}, {n_pos}: {ratio.mean():.3f}, {low:.2f} to {high:.2f}")


if __name__ == "__main__":
    main()

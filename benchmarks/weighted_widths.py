"""How wide are certified intervals of areas, beside the calibrated ones?

Run: python benchmarks/weighted_widths.py (three minutes). Widths at 95 % over those of the default
interval: normal scores of AUC .76, seeded, the mean of 20 data sets up to 1,000 rows of a class.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

import rocsolid as rs

SIZES = [(100, 100), (1000, 1000), (10_000, 10_000), (100_000, 100_000), (100, 1000), (1000, 100)]
MEASURES = [
    "auc",
    *(f"weighted_auc(power({p}))" for p in (1, 2, 9)),
    *(f"partial_auc({region})" for region in ("fpr<=0.1", "fpr<=0.05", "fpr>=0.3")),
    *(f"partial_auc({start}<=fpr<={stop})" for start, stop in ((0.1, 0.3), (0.2, 0.5))),
]
GRADES = 2.0  # of a standard deviation, for scores that tie


def ratios(measure: str, m: int, n: int, seed: int, *, tied: bool) -> tuple[str, list[float]]:
    rng = np.random.default_rng([m, n, seed])
    s = np.concatenate([rng.normal(math.sqrt(2) * ndtri(0.76), 1, m), rng.normal(0, 1, n)])
    s = np.round(GRADES * s) if tied else s
    table = {"y": np.repeat([1, 0], [m, n]), "s": s}
    band_of = "hinge" if measure == "auc" else "weighted-band"
    found, band = (
        rs.evaluate(table, label="y", scores="s", measures=measure, interval=interval).results[0]
        for interval in ("auto", band_of)
    )
    width = found.high - found.low
    return found.certified.method, [found.certified.width / width, (band.high - band.low) / width]


def main() -> None:
    print(
        "| measure | rows | scores | method | certified / default | band (AUC: hinge) / default |"
    )
    print("|---|---|---|---|--:|--:|")
    for measure in MEASURES:
        for m, n in SIZES:
            for tied in (False, True) if (m, n) == SIZES[1] else (False,):
                repeats = 20 if max(m, n) <= 1000 else 1
                all_of = [ratios(measure, m, n, seed, tied=tied) for seed in range(repeats)]
                means = np.mean([each for _, each in all_of], axis=0)
                cells = " | ".join(f"{mean:.2f}" for mean in means)
                scores = "half units" if tied else "normal"
                print(
                    f"| {measure} | {m:,} + {n:,} | {scores} | {all_of[0][0]} | {cells} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()

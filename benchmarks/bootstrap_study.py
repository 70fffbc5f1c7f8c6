"""How often do bootstrap intervals of the AUC hold? Prints the table of benchmarks/coverage.md.

    python benchmarks/bootstrap_study.py [--repeats 500] [--resamples 1000]

Data sets with an AUC of 1 are left out and drawn again. Each line has its own random stream.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtri

import rocsolid as rs

METHODS = {
    "percentile": "bootstrap-percentile", "BCa": "bootstrap-bca", "logit": "bootstrap-logit",
    "`bootstrap`": "bootstrap", "`auto`": "auto",
}  # fmt: skip
DESIGNS = (
    *(("normal", 10, 10, 0.8), ("normal", 20, 20, 0.95), ("normal", 50, 50, 0.8)),
    *(("normal", 50, 50, 0.95), ("normal", 100, 100, 0.99), ("normal", 300, 300, 0.95)),
    *(("exponential", 20, 20, 0.95), ("exponential", 15, 100, 0.8), ("exponential", 15, 100, 0.95)),
)


def drawn(rng: np.random.Generator, kind: str, m: int, n: int, auc: float) -> np.ndarray:
    """Positives first."""
    if kind == "normal":
        return rng.normal(size=m + n) + np.sqrt(2.0) * ndtri(auc) * (np.arange(m + n) < m)
    return rng.exponential(size=m + n) * np.where(np.arange(m + n) < m, auc / (1.0 - auc), 1.0)


def line(number: int, repeats: int, resamples: int) -> str:
    kind, m, n, auc = DESIGNS[number]
    rng, y = np.random.default_rng([52, number]), np.repeat([1, 0], [m, n])
    covered, open_end = dict.fromkeys(METHODS, 0), 0
    for seed in range(repeats):
        score = drawn(rng, kind, m, n, auc)
        while score[:m].min() > score[m:].max():
            score = drawn(rng, kind, m, n, auc)
        for name, method in METHODS.items():
            options = {} if method == "auto" else {"resamples": resamples, "seed": seed}
            found = rs.auc(y, score, interval=method, **options)
            covered[name] += found.low <= auc <= found.high
            open_end += name == "logit" and found.low == 0.0
    cells = [f"{count / repeats:.3f}" for count in covered.values()]
    cells[2] += f" ({open_end / repeats:.2f} open)" if open_end else ""
    return f"| {kind} | {m} v {n} | {auc} | {' | '.join(cells)} |"


def table(repeats: int, resamples: int) -> Iterator[str]:
    yield f"| scores | positives v negatives | AUC | {' | '.join(METHODS)} |"
    yield "|---" * (3 + len(METHODS)) + "|"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(len(DESIGNS)):
            yield line(number, repeats, resamples)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=1000)
    given = parser.parse_args()
    for text in table(given.repeats, given.resamples):
        print(text, flush=True)

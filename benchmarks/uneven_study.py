"""How often does the default interval hold under weights and clusters? Prints a table.

    python benchmarks/uneven_study.py [--repeats 4000]

Part of ``make study``. Each line has its own random stream, and every interval is the library's.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from rocsolid.binary.estimate import few_rows, uneven
from rocsolid.binary.inference import asked_interval
from rocsolid.engines.memory import summarise
from rocsolid.inputs import BinaryRows

Floats = NDArray[np.float64]


def shift_of(auc: float) -> float:
    """How far apart two normal distributions lie."""
    return float(np.sqrt(2.0) * ndtri(auc))


def verified(low: float, m: int, n: int) -> Callable[[np.random.Generator], BinaryRows]:
    """All rows with a score above 1.2 have a label, and a share ``low`` of the others."""

    def draw(rng: np.random.Generator) -> BinaryRows:
        parts = []
        for size, shift in ((m, shift_of(0.8)), (n, 0.0)):
            s = rng.normal(size=200 + int(3 * size / max(low, 0.05))) + shift
            chance = np.where(s > 1.2, 1.0, low)
            kept = np.flatnonzero(rng.random(len(s)) < chance)[:size]
            parts.append((s[kept], 1.0 / chance[kept]))
        score, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
        return BinaryRows(np.arange(m + n) < m, score, weight)

    return draw


def shifted(slope: float, m: int, n: int) -> Callable[[np.random.Generator], BinaryRows]:
    """Rows weighted towards another population, by a variable that goes with the score."""

    def draw(rng: np.random.Generator) -> BinaryRows:
        positive, x = np.arange(m + n) < m, rng.normal(size=m + n)
        score = 0.7 * x + np.sqrt(0.51) * rng.normal(size=m + n) + shift_of(0.8) * positive
        return BinaryRows(positive, score, np.exp(slope * x))

    return draw


def clustered(
    sizes: Callable[[np.random.Generator], NDArray[np.int64]],
    auc: float,
    shared: float,
    share: float = 0.5,
) -> Callable[[np.random.Generator], BinaryRows]:
    """Normal scores, a part of whose variance is ``shared`` within a cluster."""

    def draw(rng: np.random.Generator) -> BinaryRows:
        size = sizes(rng)
        code = np.repeat(np.arange(len(size)), size)
        positive = rng.random(len(code)) < share
        noise = np.sqrt(shared) * rng.normal(size=len(size))[code]
        noise += np.sqrt(1.0 - shared) * rng.normal(size=len(code))
        return BinaryRows(positive, noise + shift_of(auc) * positive, None, code)

    return draw


def informative(slope: float, clusters: int) -> Callable[[np.random.Generator], BinaryRows]:
    """Lognormal sizes; a larger cluster ranks worse (a positive ``slope``) or better."""

    def draw(rng: np.random.Generator) -> BinaryRows:
        z = rng.normal(size=clusters)
        code = np.repeat(np.arange(clusters), np.maximum(1, np.round(np.exp(2 + z))).astype(int))
        positive = rng.random(len(code)) < 0.4
        return BinaryRows(
            positive, rng.normal(size=len(code)) + (1.2 - slope * z[code]) * positive, None, code
        )

    return draw


def of_pairs(slope: float) -> float:
    """The share of pairs of rows that is right, when pairs of rows weigh alike."""
    z = np.linspace(-8.0, 8.0, 200_001)
    weight = np.maximum(1.0, np.round(np.exp(2 + z))) * np.exp(-z * z / 2)
    return float(weight @ ndtr((1.2 - slope * z) / np.sqrt(2.0)) / weight.sum())


def centres(count: int, rows: int, auc: float, shared: float) -> Uneven:
    """Few centres of one size, 30 % positive; one pair in ``count`` lies within a centre."""
    within = float(ndtr(shift_of(auc) / np.sqrt(2.0 * (1.0 - shared))))
    truth = auc * (1.0 - 1.0 / count) + within / count
    return Uneven(clustered(hospitals(count, rows), auc, shared, 0.3), truth)


def lognormal(count: int) -> Callable[[np.random.Generator], NDArray[np.int64]]:
    return lambda rng: np.maximum(1, np.round(np.exp(3 + rng.normal(size=count)))).astype(int)


def of_one_class(count: int, rows: int) -> Callable[[np.random.Generator], BinaryRows]:
    """Clusters that hold one class each, half of them positive, at an AUC of .8."""

    def draw(rng: np.random.Generator) -> BinaryRows:
        code = np.repeat(np.arange(count), rows)
        positive = code < count // 2
        noise = np.sqrt(0.3) * rng.normal(size=count)[code]
        noise += np.sqrt(0.7) * rng.normal(size=len(code))
        return BinaryRows(positive, noise + shift_of(0.8) * positive, None, code)

    return draw


@dataclass(frozen=True)
class Uneven:
    draw: Callable[[np.random.Generator], BinaryRows]
    truth: float


def patients(count: int) -> Callable[[np.random.Generator], NDArray[np.int64]]:
    return lambda rng: rng.integers(1, 6, count)


def hospitals(count: int, rows: int) -> Callable[[np.random.Generator], NDArray[np.int64]]:
    return lambda _: np.full(count, rows)


DESIGNS = {
    "verification, 1 in 10, 100 + 1000": Uneven(verified(0.1, 100, 1000), 0.8),
    "verification, 1 in 10, 200 + 200": Uneven(verified(0.1, 200, 200), 0.8),
    "verification, 1 in 50, 200 + 200": Uneven(verified(0.02, 200, 200), 0.8),
    "verification, 1 in 50, 100 + 1000": Uneven(verified(0.02, 100, 1000), 0.8),
    "shift, exp(x), 500 + 500": Uneven(shifted(1.0, 500, 500), 0.8),
    "shift, exp(1.5x), 500 + 500": Uneven(shifted(1.5, 500, 500), 0.8),
    "shift, exp(1.5x), 100 + 1000": Uneven(shifted(1.5, 100, 1000), 0.8),
    "40 patients, 1 to 5 rows, .8": Uneven(clustered(patients(40), 0.8, 0.4, 0.3), 0.8),
    "150 patients, 1 to 5 rows, .8": Uneven(clustered(patients(150), 0.8, 0.4, 0.3), 0.8),
    "150 patients, 1 to 5 rows, .95": Uneven(clustered(patients(150), 0.95, 0.4, 0.3), 0.95),
    "50 hospitals, 40 rows, .95": Uneven(clustered(hospitals(50, 40), 0.95, 0.05), 0.95),
    "50 hospitals, 200 rows, .95": Uneven(clustered(hospitals(50, 200), 0.95, 0.02), 0.95),
    "60 clusters, large ones rank worse": Uneven(informative(0.5, 60), of_pairs(0.5)),
    "150 clusters, large ones rank worse": Uneven(informative(0.5, 150), of_pairs(0.5)),
    "150 clusters, large ones rank better": Uneven(informative(-0.5, 150), of_pairs(-0.5)),
    "8 centres, 25 rows, .88": centres(8, 25, 0.88, 0.04),
    "12 centres, 50 rows, .88": centres(12, 50, 0.88, 0.04),
    "10 centres, 200 rows, .88": centres(10, 200, 0.88, 0.04),
    "10 centres, 200 rows, .88, much shared": centres(10, 200, 0.88, 0.4),
    "20 centres, 400 rows, .88": centres(20, 400, 0.88, 0.04),
    "30 centres, 100 rows, .88": centres(30, 100, 0.88, 0.04),
    "30 lognormal clusters, .88": Uneven(clustered(lognormal(30), 0.88, 0.04, 0.3), 0.88),
    "20 clusters of one class, 10 rows, .8": Uneven(of_one_class(20, 10), 0.8),
}


def simulate(name: str, repeats: int, method: str = "auto") -> Floats:
    """Both limits of every data set, and whether a warning says that units are few or uneven."""
    seed, design = list(DESIGNS).index(name), DESIGNS[name]
    rng = np.random.default_rng([18, seed])
    found = []
    for _ in range(repeats):
        summary = summarise(design.draw(rng))
        interval = asked_interval(summary, method, 0.95, "two-sided")
        warned = bool(uneven(summary, certified=False) or few_rows(summary, certified=False))
        found.append((interval.low, interval.high, float(warned)))
    return np.array(found)


def table(repeats: int) -> Iterator[str]:
    yield "| design | auto | logit-t | warned |"
    yield "|---|---|---|---|"
    for name, design in DESIGNS.items():
        cells = []
        for method in ("auto", "logit-t"):
            low, high, warned = simulate(name, repeats, method).T
            covered = np.mean((low <= design.truth) & (design.truth <= high))
            cells.append(f"{covered:.3f} ({np.mean(high - low):.3f})")
        yield f"| {name} | {' | '.join(cells)} | {np.mean(warned):.2f} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=4000)
    print("\n".join(table(parser.parse_args().repeats)))

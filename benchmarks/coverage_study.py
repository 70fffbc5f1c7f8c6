"""How often do the intervals contain the true AUC? Prints the tables of benchmarks/coverage.md.

Run it with ``make study``, or ``python benchmarks/coverage_study.py [--replicates 4000]``. Every
setting is written to docs/evidence/coverage.csv, and has its own random stream: one that is rerun
alone agrees.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.intervals.calibrated.standard_error import Limits
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

Floats = NDArray[np.float64]
Sampler = Callable[
    [np.random.Generator, tuple[int, int], tuple[int, int], float], tuple[Floats, Floats]
]

SIZES = (
    *((10, 10), (20, 20), (50, 50), (100, 100), (500, 500), (2000, 2000)),
    *((10, 100), (100, 10), (8, 300), (30, 1000), (1000, 30), (10, 2000), (2000, 10)),
)
AUCS = (0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
SHOWN = ("auto", "delong", "logit-t", "newcombe5", "hinge")
LEVEL = 0.95
EVIDENCE = Path(__file__).parents[1] / "docs" / "evidence" / "coverage.csv"


def binormal(spread: float) -> Sampler:
    """Normal scores; the positives' standard deviation is ``spread`` times the negatives'."""

    def draw(
        rng: np.random.Generator, pos: tuple[int, int], neg: tuple[int, int], auc: float
    ) -> tuple[Floats, Floats]:
        shift = math.hypot(1.0, spread) * float(ndtri(auc))
        return shift + spread * rng.standard_normal(pos), rng.standard_normal(neg)

    return draw


def exponential(
    rng: np.random.Generator, pos: tuple[int, int], neg: tuple[int, int], auc: float
) -> tuple[Floats, Floats]:
    """Exponential scores in both classes, the positives' mean auc/(1-auc) times as big."""
    return auc / (1.0 - auc) * rng.standard_exponential(pos), rng.standard_exponential(neg)


def exponential_reversed(
    rng: np.random.Generator, pos: tuple[int, int], neg: tuple[int, int], auc: float
) -> tuple[Floats, Floats]:
    """The same turned over: the negatives now have the long tail, downwards."""
    neg_scores, pos_scores = exponential(rng, neg, pos, auc)
    return -pos_scores, -neg_scores


CUTS = np.array([-1.125, -0.375, 0.375, 1.125])
"""Where five grades part, in standard deviations from half-way between the classes."""


def ordinal(
    rng: np.random.Generator, pos: tuple[int, int], neg: tuple[int, int], auc: float
) -> tuple[Floats, Floats]:
    """Five grades, cut out of two normal distributions of equal variance; ties count one half."""
    cuts = CUTS + ordinal_shift(auc) / 2.0
    x = ordinal_shift(auc) + rng.standard_normal(pos)
    y = rng.standard_normal(neg)
    return np.searchsorted(cuts, x).astype(float), np.searchsorted(cuts, y).astype(float)


def ordinal_auc(shift: float) -> float:
    """The AUC, ties one half, of the five grades when the classes lie ``shift`` apart."""
    p, q = (np.diff(ndtr(CUTS + shift / 2.0 - at), prepend=0.0, append=1.0) for at in (shift, 0.0))
    return float(p @ (np.cumsum(q) - q / 2.0))


def ordinal_shift(auc: float) -> float:
    """The shift at which `ordinal_auc` has a given value, by bisection."""
    low, high = 0.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (middle, high) if ordinal_auc(middle) < auc else (low, middle)
    return (low + high) / 2.0


def two_point(
    rng: np.random.Generator, pos: tuple[int, int], neg: tuple[int, int], auc: float
) -> tuple[Floats, Floats]:
    """A positive beats every negative or none: the largest variance that an AUC can have."""
    return np.where(rng.random(pos) < auc, 2.0, -1.0), rng.random(neg)


def two_point_negatives(
    rng: np.random.Generator, pos: tuple[int, int], neg: tuple[int, int], auc: float
) -> tuple[Floats, Floats]:
    """The same with the classes' roles exchanged: a negative loses to every positive or to none."""
    return rng.random(pos), np.where(rng.random(neg) < auc, -1.0, 2.0)


FAMILIES: dict[str, Sampler] = {
    "binormal, equal variances": binormal(1.0),
    "binormal, positives twice as spread": binormal(2.0),
    "binormal, positives half as spread": binormal(0.5),
    "exponential": exponential,
    "exponential, reversed": exponential_reversed,
    "five grades": ordinal,
    "two-point positives": two_point,
    "two-point negatives": two_point_negatives,
}


def moments(pos: Floats, neg: Floats) -> Moments:
    """The moments of every replicate: one row of ``pos`` and of ``neg`` each."""
    m, n = pos.shape[1], neg.shape[1]
    above, below = np.empty(pos.shape), np.empty(neg.shape)
    pos, neg = np.sort(pos, axis=1), np.sort(neg, axis=1)
    for i, (x, y) in enumerate(zip(pos, neg, strict=True)):
        above[i] = np.searchsorted(y, x) + np.searchsorted(y, x, side="right")
        below[i] = np.searchsorted(x, y) + np.searchsorted(x, y, side="right")
    v10, v01 = above / (2 * n), 1.0 - below / (2 * m)
    auc = above.sum(axis=1) / (2 * m * n)
    var_pos, var_neg = v10.var(axis=1, ddof=1) / m, v01.var(axis=1, ddof=1) / n
    return Moments(auc, var_pos, var_neg, np.full_like(auc, m), np.full_like(auc, n))


@dataclass(frozen=True, slots=True)
class Coverage:
    """The share of intervals that contain the true AUC, and their mean width."""

    covered: float
    width: float


def simulate(family: str, m: int, n: int, auc: float, replicates: int) -> Moments:
    """Replicates of one setting, from a stream that belongs to this setting alone."""
    name = list(FAMILIES).index(family)
    key = [name, m, n, round(auc * 1_000_000)]
    rng = np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))
    batch = max(1, 4_000_000 // (m + n))
    parts = []
    for start in range(0, replicates, batch):
        rows = min(batch, replicates - start)
        parts.append(moments(*FAMILIES[family](rng, (rows, m), (rows, n), auc)))
    names = ("auc", "var_pos", "var_neg", "n_pos", "n_neg")
    return Moments(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def limits(method: str, found: Moments, alternative: Alternative) -> Limits:
    """Both limits of every replicate; the default ends where the certified interval does."""
    if method == "hinge":
        k = int(np.min([found.n_pos, found.n_neg]))
        # The limits depend on the estimate alone: equal estimates are worked out once.
        values, where = np.unique(found.auc, return_inverse=True)
        low, high = (end[where] for end in hinge_limits(values, k, 1.0 - LEVEL, alternative))
        return low, high
    low, high = METHODS[method].limits(found, LEVEL, alternative)
    if method == "auto":
        certified = limits("hinge", found, alternative)
        low, high = np.maximum(low, certified[0]), np.minimum(high, certified[1])
    return low, high


def coverage(method: str, found: Moments, auc: float) -> Coverage:
    """Coverage of one method; a replicate in which the method is refused counts as a miss."""
    low, high = limits(method, found, "two-sided")
    with np.errstate(invalid="ignore"):
        covered = (low <= auc) & (auc <= high)
    return Coverage(float(np.mean(covered)), float(np.nanmean(high - low)))


Setting = tuple[str, int, int, float]
Results = dict[Setting, dict[str, Coverage]]


def settings() -> Iterator[Setting]:
    for family in FAMILIES:
        for m, n in SIZES:
            for auc in AUCS:
                yield family, m, n, auc


def study(replicates: int) -> Results:
    """Every setting; the large ones with half the replicates."""
    results: Results = {}
    for family, m, n, auc in settings():
        found = simulate(family, m, n, auc, replicates if m + n <= 1500 else replicates // 2)
        results[family, m, n, auc] = {method: coverage(method, found, auc) for method in SHOWN}
    return results


def summary(results: Results) -> Iterator[str]:
    """For each family and method the lowest coverage, and how many settings fall below .93."""
    yield "| scores | " + " | ".join(SHOWN) + " |"
    yield "|---" * (len(SHOWN) + 1) + "|"
    for family in FAMILIES:
        cells = []
        for method in SHOWN:
            shares = [r[method].covered for setting, r in results.items() if setting[0] == family]
            low = sum(share < 0.93 for share in shares)
            cells.append(f"{min(shares):.3f} ({low} of {len(shares)})")
        yield f"| {family} | " + " | ".join(cells) + " |"


def worst(results: Results, method: str) -> Iterator[str]:
    """For each pair of class sizes and each AUC, the lowest coverage over the kinds of scores."""
    yield "| positives v negatives | " + " | ".join(f"AUC {auc}" for auc in AUCS) + " |"
    yield "|---" * (len(AUCS) + 1) + "|"
    for m, n in SIZES:
        shares = [min(results[f, m, n, auc][method].covered for f in FAMILIES) for auc in AUCS]
        yield f"| {m} v {n} | " + " | ".join(f"{share:.3f}" for share in shares) + " |"


def tables(results: Results) -> dict[str, list[str]]:
    """The tables of the page, by their headings."""
    return {
        "Lowest coverage, and settings below .93": list(summary(results)),
        "The default, by class sizes and AUC": list(worst(results, "auto")),
        "DeLong, by class sizes and AUC": list(worst(results, "delong")),
    }


def write(results: Results, path: Path) -> None:
    """Every setting with the coverage and the mean width of each method."""
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        columns = [column for method in SHOWN for column in (method, f"{method} width")]
        lines.writerow(["scores", "positives", "negatives", "auc", *columns])
        for setting, found in results.items():
            values = [v for name in SHOWN for v in (found[name].covered, found[name].width)]
            lines.writerow([*setting, *(f"{value:.4f}" for value in values)])


def read(path: Path) -> Results:
    """What `write` wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return {
            (row["scores"], int(row["positives"]), int(row["negatives"]), float(row["auc"])): {
                name: Coverage(float(row[name]), float(row[f"{name} width"])) for name in SHOWN
            }
            for row in csv.DictReader(file)
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=4000)
    results = study(parser.parse_args().replicates)
    write(results, EVIDENCE)
    for heading, lines in tables(results).items():
        print(f"\n### {heading}\n")
        print("\n".join(lines))


if __name__ == "__main__":
    main()

"""Two scores watched batch by batch: false answers, and rows against a test of fixed size.

    python benchmarks/watched_study.py [--streams 200]

Batches of 200 rows, a fifth of them positive. The fixed test is DeLong's, two-sided at 5 %, with
the rows that give it a power of .8 or .99. The first line also says how often it finds a difference
between equal scores when it is made again after each of 60 batches.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.difference_sequence import difference_sequence

Floats = NDArray[np.float64]
ROWS, PREVALENCE, SHIFT, BATCHES = 200, 0.2, 1.2, 60
Z, POWERS = 1.959964, (0.841621, 2.326348)  # of 5 % two-sided, and of .8 and .99


def batches(rng: np.random.Generator, effect: float) -> Iterator[tuple[NDArray[np.bool_], Floats]]:
    while True:
        y = np.arange(ROWS) < PREVALENCE * ROWS
        z = rng.normal(size=ROWS)
        other = 0.8 * z + 0.6 * rng.normal(size=ROWS)
        yield y, np.array([SHIFT * y + z, (SHIFT - effect) * y + other])


def delong(y: NDArray[np.bool_], scores: Floats) -> tuple[float, float]:
    """The difference and its standard error."""
    parts = []
    for score in scores:
        pos, neg = score[y], score[~y]
        parts.append(
            (
                np.searchsorted(np.sort(neg), pos) / len(neg),
                1.0 - np.searchsorted(np.sort(pos), neg) / len(pos),
            )
        )
    rows, columns = (a - b for a, b in zip(*parts, strict=True))
    variance = rows.var(ddof=1) / len(rows) + columns.var(ddof=1) / len(columns)
    return float(rows.mean()), float(np.sqrt(variance))


def joined(rng: np.random.Generator, effect: float, count: int) -> tuple[NDArray[np.bool_], Floats]:
    some = [batch for batch, _ in zip(batches(rng, effect), range(count), strict=False)]
    return np.concatenate([y for y, _ in some]), np.concatenate([s for _, s in some], axis=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=200)
    streams = parser.parse_args().streams
    wrong = looked = 0
    for stream in range(streams):
        rng = np.random.default_rng([1, stream])
        watch, y, scores = difference_sequence(), np.empty(0, bool), np.empty((2, 0))
        found = False
        for (more, values), _ in zip(batches(rng, 0.0), range(BATCHES), strict=False):
            watch = watch.add(more, *values)
            y, scores = np.concatenate([y, more]), np.concatenate([scores, values], axis=1)
            difference, error = delong(y, scores)
            found |= abs(difference) > Z * error
        wrong += watch.decided_at is not None
        looked += found
    print(f"equal scores, {BATCHES} looks: called different {wrong / streams:.3f} of the time, ")
    print(f"by DeLong's test after every batch {looked / streams:.3f} ({streams} streams)\n")
    print("| difference | fixed, power .8 | fixed, power .99 | watched, mean | median | less |")
    print("|---|---|---|---|---|---|")
    for effect in (0.1, 0.2, 0.4):
        difference, error = delong(*joined(np.random.default_rng(2), effect, 1000))
        few, many = (1000 * ROWS * ((Z + power) * error / difference) ** 2 for power in POWERS)
        taken = []
        for stream in range(streams):
            watch = difference_sequence()
            for y, scores in batches(np.random.default_rng([3, stream]), effect):
                watch = watch.add(y, *scores)
                if watch.verdict != "go on":
                    break
            taken.append(watch.batches * ROWS)
        rows = np.array(taken)
        print(
            f"| {difference:.3f} | {few:,.0f} | {many:,.0f} | {rows.mean():,.0f} | "
            f"{np.median(rows):,.0f} | {np.mean(rows < many):.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

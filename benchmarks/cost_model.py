"""A model of cost, fitted on small sizes, and a plan on paper for 10¹¹ rows on a cluster.

    python benchmarks/cost_model.py
    python benchmarks/cost_model.py --rows 1e12 --machines 200 --cores 32 --price 0.8

Nothing is measured here: what a row takes is what `cost.py` found, and is written down below.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

RANGE = 1 << 20
"""Rows in one of Spark's ranges."""


@dataclass(frozen=True, slots=True)
class Growth:
    """fixed + rows·(each + sorting·log₂ rows), none of them negative."""

    fixed: float
    each: float
    sorting: float

    @classmethod
    def fitted(cls, points: Mapping[int, float]) -> Growth:
        """Least squares of the relative errors."""
        sizes = np.array(sorted(points), dtype=float)
        found = np.array([points[n] for n in sorted(points)])
        columns = np.column_stack([np.ones(len(sizes)), sizes, sizes * np.log2(sizes)])
        fixed, each, sorting = nnls(columns / found[:, None], np.ones(len(sizes)))[0].tolist()
        return cls(fixed, each, sorting)

    def at(self, rows: float) -> float:
        return self.fixed + rows * (self.each + self.sorting * math.log2(rows))

    def __str__(self) -> str:
        return (
            f"{self.fixed:.2f} s + rows × ({self.each * 1e9:.1f} ns"
            f" + {self.sorting * 1e9:.2f} ns × log2 rows)"
        )


@dataclass(frozen=True, slots=True)
class Stage:
    """What a stage does with each row: bytes from disk, to disk, over the network, and seconds."""

    name: str
    read: float
    written: float
    moved: float
    seconds: float


# a score of 8 bytes and a label, nearly all scores different; measured in local mode at 10⁷ rows,
# with what Java does beside the tasks spread over them
CHECK = Stage("check labels and gaps, cache the two columns", 9.2, 8.6, 0.0, 315e-9)
EACH_SCORE = (
    Stage("sample the scores for the ranges' ends", 8.6, 0.0, 0.0, 60e-9),
    Stage("write each row to its range's file", 8.6, 10.2, 0.0, 145e-9),
    Stage("fetch each range, sort it, add up", 10.2, 0.0, 10.2, 410e-9),
)
PASSES = 2
"""`rocsolid.evaluate` moves the rows for the sums, and again for the curve."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Rates in bytes a second a machine; ``used`` is the share of the cores' time that is work."""

    machines: int
    cores: int
    disk: float
    network: float
    used: float

    def seconds(self, stage: Stage, rows: float) -> tuple[float, float, float]:
        """What the processors, the disks and the network need, if they did nothing else."""
        each = rows / self.machines
        return (
            each * stage.seconds / (self.cores * self.used),
            each * (stage.read + stage.written) / self.disk,
            each * stage.moved / self.network,
        )


def stages(scores: int = 1) -> list[Stage]:
    """What `rocsolid.evaluate` does with a Spark dataframe, in order."""
    return [CHECK, *(EACH_SCORE * (PASSES * scores))]


def fullest(ranges: int, sampled: int, seed: int = 0) -> float:
    """The largest range in units of the mean, where so many sampled scores set the ends."""
    found = np.sort(np.random.default_rng(seed).random(sampled))
    ends = found[(np.arange(1, ranges) * (sampled / ranges)).astype(np.int64)]
    return float(np.diff(ends, prepend=0.0, append=1.0).max() * ranges)


def digits(rows: int) -> Sequence[tuple[str, int]]:
    """The largest integers, for half of the rows positive."""
    half = rows // 2
    return (
        ("pairs, twice: 2PN", 2 * half * half),
        ("sum of squared doubled placements, at most P(2N)²", half * (2 * half) ** 2),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=float, default=1e11)
    parser.add_argument("--machines", type=int, default=100)
    parser.add_argument("--cores", type=int, default=16)
    parser.add_argument("--disk", type=float, default=1.0, help="GB a second a machine")
    parser.add_argument("--network", type=float, default=1.0, help="GB a second a machine")
    parser.add_argument("--used", type=float, default=0.5, help="share of core time that is work")
    parser.add_argument("--split", type=float, default=0.128, help="GB of input a task")
    parser.add_argument("--reads", type=float, default=1e5, help="small reads a second a machine")
    parser.add_argument("--price", type=float, help="of a machine for an hour")
    asked = parser.parse_args()
    rows = asked.rows
    cluster = Cluster(
        asked.machines, asked.cores, asked.disk * 1e9, asked.network * 1e9, asked.used
    )
    print(
        f"{rows:.0e} rows on {asked.machines} machines of {asked.cores} cores, "
        f"{asked.disk:g} GB/s of disk and {asked.network:g} GB/s of network each; all extrapolated"
    )
    print(f"{'':46}{'read':>9}{'written':>9}{'moved':>9}{'cores':>8}{'disk':>7}{'net':>7}")
    total = 0.0
    for number, stage in enumerate(stages(), 1):
        needs = cluster.seconds(stage, rows)
        total += max(needs)
        sizes = "".join(
            f"{rows * each / 1e12:>6.2f} TB" for each in (stage.read, stage.written, stage.moved)
        )
        times = "".join(f"{need:>5.0f} s" for need in needs)
        print(f"{number} {stage.name:44}{sizes} {times}")
    ranges = math.ceil(rows / RANGE)
    sampled = min(3 * 100 * ranges, 3_000_000)
    print(f"all stages, each as long as its slowest part: {total:.0f} s")
    hours = total / 3600 * asked.machines
    cost = "" if asked.price is None else f", {hours * asked.price:.2f} at {asked.price:g} an hour"
    print(f"machine-hours: {hours:.1f}{cost}")
    print(
        f"{ranges:,} ranges of {RANGE:,} rows; from {sampled:,} sampled scores the fullest has "
        f"{fullest(ranges, sampled):.1f} times the mean"
    )
    blocks = math.ceil(rows * CHECK.read / (asked.split * 1e9)) * ranges
    each = rows * EACH_SCORE[1].written / blocks
    apart = blocks / asked.machines / asked.reads
    print(f"{blocks:.1e} pieces of {each:,.0f} bytes a shuffle; {apart:.0f} s if read one by one")
    for name, value in digits(int(rows)):
        print(f"{name}: {value:.1e}, {value.bit_length()} bits")
    print(f"two different sets of scores share a fingerprint with probability {rows * 2**-57:.1e}")


if __name__ == "__main__":
    main()

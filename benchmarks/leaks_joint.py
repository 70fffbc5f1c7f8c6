"""How many AUCs of random rankings give all labels away, and how long that takes.

For each list length and rounding: the least number of releases, in steps of n/20, with which every
one of several seeded label sets is proved to be the only one that fits (half the labels positive,
their number known); then the time and the size of the search for that number.

    python benchmarks/leaks_joint.py [seeds]
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction

import numpy as np

from rocsolid.leaks import ChosenQueries, Release, joint

CASES = ((40, None), (40, 3), (40, 2), (60, None), (60, 3), (60, 2), (80, None), (80, 3), (80, 2))


def releases(seed: int, n: int, decimals: int | None, how_many: int) -> list[Release]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(n) < n // 2
    found = []
    for _ in range(how_many):
        rank = rng.permutation(n) + 1
        m = int(y.sum())
        auc = Fraction(int(rank[y].sum()) - m * (m + 1) // 2, m * (n - m))
        value = auc if decimals is None else round(float(auc), decimals)
        found.append(Release(rank, value, decimals))
    return found


def enough(n: int, decimals: int | None, how_many: int, seeds: int) -> bool:
    return all(
        joint(releases(seed, n, decimals, how_many), n_pos=n // 2, max_work=300_000).verdict
        == "unique"
        for seed in range(seeds)
    )


def chosen_queries(n: int) -> int:
    y = np.random.default_rng(0).permutation(n) < n // 2
    attack = ChosenQueries(n)
    while not attack.done:
        scores = attack.next_scores()
        order = np.sign(scores[y][:, None] - scores[~y])
        attack.answer(Fraction(int((order + 1).sum()), 2 * order.size))
    return attack.queries


if __name__ == "__main__":
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for n, decimals in CASES:
        how_many = n // 10
        while not enough(n, decimals, how_many, seeds):
            how_many += n // 20
        start = time.perf_counter()
        answers = [
            joint(releases(seed, n, decimals, how_many), n_pos=n // 2) for seed in range(seeds)
        ]
        seconds = (time.perf_counter() - start) / seeds
        nodes = max(answer.work for answer in answers)
        shown = "exact" if decimals is None else f"{decimals} decimals"
        print(f"n={n}, {shown}: {how_many} AUCs, {seconds:.2f} s, at most {nodes:,} nodes")
    for n in (64, 100, 200, 512):
        print(f"n={n}, chosen submissions: {chosen_queries(n)} exact AUCs")

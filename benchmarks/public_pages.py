"""What public pages of many kinds of tables withhold, how long they take, and what attacks get.

    python benchmarks/public_pages.py [--quick]

For each table: the page that was chosen, the seconds, and how many labels the attack on all of its
AUCs together (`rs.leaks.joint`) finds for certain. It ends with exit code 1 if that is any.
"""

from __future__ import annotations

import sys
import time
from itertools import product

import numpy as np

import rocsolid as rs
from rocsolid.errors import ExposedError
from rocsolid.evaluation.public.public_numbers import PublicNumbers
from rocsolid.leaks import Release, joint

ROWS = (20, 40, 100, 250, 500)
SCORES = (1, 3, 10, 25)
EFFECTS = (0.0, 1.0, 4.0)  # of a label on a score with standard deviation 1
STEPS = (0.0, 0.5)  # to which the scores are rounded; 0: no ties


def attacked(data: dict[str, np.ndarray], published: PublicNumbers) -> int:
    releases = [Release(data[one.score], one.text) for one in published.overall]
    found = joint(releases, n_pos=published.overall[0].n_pos, max_work=200_000)
    if found.verdict == "unique":
        return published.n_rows
    if not found.exact:
        return 0
    return int(((found.posterior == 0) | (found.posterior == 1)).sum())


def main() -> int:
    quick = "--quick" in sys.argv
    bad = 0
    print("rows scores effect ties segments: decimals scores cuts limits tests | s | labels found")
    for n, k, effect, step, by in product(ROWS, SCORES, EFFECTS, STEPS, (None, "site")):
        if quick and (n > 100 or k > 10 or (by and n < 100)):
            continue
        rng = np.random.default_rng(n + k)
        y = rng.permutation(np.arange(n) % 5 < 2)
        data = {"y": y.astype(int), "site": np.arange(n) % 2}
        for i in range(k):
            score = rng.normal(size=n) + effect * y
            data[f"s{i}"] = np.round(score / step) * step if step else score
        found = rs.evaluate(data, label="y", scores=[f"s{i}" for i in range(k)], by=by)
        start = time.perf_counter()
        said = f"{n:4} {k:2} {effect:.0f} {step:.1f} {by or '-':4}: "
        try:
            page = found.public()
        except ExposedError:
            print(f"{said}nothing is published | {time.perf_counter() - start:.1f}", flush=True)
            continue
        took = time.perf_counter() - start
        certain = attacked(data, page.basis)
        bad += certain
        c = page.coarseness
        cuts = max((len(counts.above) for _, counts in page.curves), default=0)
        print(
            f"{said}{page.results[0].decimals} {c.scores:2} {cuts} {c.limits:d} "
            f"{c.comparisons:d} | {took:.1f} | {certain}",
            flush=True,
        )
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())

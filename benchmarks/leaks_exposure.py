"""How long does it take to say what a release gives away row by row, to draw and to list?

python benchmarks/leaks_exposure.py
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import processor  # noqa: F401  one thread of BLAS, before NumPy

# isort: split
import numpy as np

from rocsolid import leaks


@contextmanager
def timed(what: str) -> Iterator[Callable[[str], None]]:
    more: list[str] = []
    start = time.process_time()
    yield more.append
    print(f"{what}: {time.process_time() - start:.2f} s {' '.join(more)}", flush=True)


def main() -> None:
    rng = np.random.default_rng(0)
    leaks.exposure("3/4", rng.permutation(20))  # loads what is loaded once
    for n, method in ((300, "exact"), (300, "numerical"), (300, "asymptotic")):
        with timed(f"exposure, {method}, AUC 4/5, n = {n:,}"):
            leaks.exposure("4/5", rng.permutation(n), n_pos=n // 2, method=method)
    tied = rng.integers(0, 150, 300)
    with timed("exposure, exact, ties, AUC 0.900, n = 300"):
        leaks.exposure("0.900", tied, n_pos=150, method="exact")
    for n in (10_000, 100_000):
        with timed(f"exposure, numerical, AUC 4/5, n = {n:,}") as note:
            found = leaks.exposure("4/5", rng.permutation(n), n_pos=n // 2, method="numerical")
            note(f"(error {found.error:.0e})")
    for auc in ("4/5", "0.800"):
        with timed(f"exposure, asymptotic, AUC {auc}, n = 1,000,000") as note:
            found = leaks.exposure(auc, rng.permutation(10**6), n_pos=500_000)
            note(f"({found.method}, error {found.error:.0e})")
    with timed("1,000 uniform labelings, AUC 9/10, n = 200"):
        leaks.sample("9/10", rng.permutation(200), size=1_000, n_pos=100)
    with timed("the first 10,000 labelings of 1387/1440, n = 106"):
        list(itertools.islice(leaks.labelings("1387/1440", rng.permutation(106)), 10_000))
    with timed("improved guesses, AUC 4/5, n = 200"):
        leaks.improve("4/5", rng.permutation(200), n_pos=100)


if __name__ == "__main__":
    main()

"""Counting labelings against the paper's recursion and SciPy, in one process, with ratios.

python benchmarks/leaks_count.py            about a minute
python benchmarks/leaks_count.py --quick    without the slowest lines
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import processor  # noqa: F401  one thread of BLAS, before NumPy

# isort: split
import numpy as np
from scipy.stats import mannwhitneyu

from rocsolid.leaks import conjecture, count
from rocsolid.leaks.fourier import fourier_count, saddle_log_count
from rocsolid.leaks.gaussian import gaussian_coefficient, gaussian_coefficients, gaussian_sum
from rocsolid.leaks.posterior import maximum_entropy

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from misranked_pairs import recursion


def clock(task: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = task()
    return time.process_time() - start, result


def best(task: Callable[[], Any], runs: int = 5) -> tuple[float, Any]:
    return min((clock(task) for _ in range(runs)), key=lambda timed: timed[0])


def one_coefficient(n_neg: int, n_pos: int, d: int) -> None:
    gaussian_coefficient(20, 20, 30)  # loads the library
    ours, exact = best(lambda: gaussian_coefficient(n_neg, n_pos, d))
    theirs, slow = clock(lambda: recursion(n_neg, n_pos, d))
    assert exact == slow
    print(
        f"one coefficient, {n_neg}+{n_pos}, {d} misranked: {ours * 1e3:.1f} ms, the paper's "
        f"recursion {theirs:.2f} s: {theirs / ours:.0f} times"
    )


def against_scipy(size: int, u: int) -> None:
    ranks = np.arange(size)
    rest = u
    for i in range(size - 1, -1, -1):
        move = min(size, rest)
        ranks[i] += move
        rest -= move
    others = np.setdiff1d(np.arange(2 * size), ranks)

    def scipy() -> float:
        return float(mannwhitneyu(ranks, others, alternative="less", method="exact").pvalue)

    theirs, p = clock(scipy)
    ours, below = best(lambda: gaussian_sum(size, size, 0, u))
    log10 = (math.log2(below) - math.log2(math.comb(2 * size, size))) * math.log10(2)
    print(
        f"P(U <= {u}), {size}+{size}: {ours * 1e3:.1f} ms (exact, 10^{log10:.2f}), SciPy "
        f"{theirs:.3f} s (says {p:.6g}): {theirs / ours:.1f} times"
    )


def main() -> None:
    quick = "--quick" in sys.argv
    one_coefficient(100, 100, 1000)
    one_coefficient(200, 200, 4000)
    for size, u in ((20, 150), (100, 4900), (200, 4000), (200, 19900), (515, 1000), (515, 20000)):
        if not (quick and u > 10_000):
            against_scipy(size, u)
    for size in (200, 500):
        taken, every = clock(lambda size=size: gaussian_coefficients(size, size))
        print(f"all {len(every):,} coefficients of {size}+{size}: {taken:.2f} s")

    n, k, d = 400, 200, 4000
    weights, total = np.arange(n), k * (k - 1) // 2 + k * (n - k) - d
    exact = math.log(gaussian_coefficient(n - k, k, d))
    for name, task in (
        ("Fourier inversion", lambda: fourier_count(weights, k, total, total)),
        ("saddle point", lambda: saddle_log_count(weights, k, total)),
    ):
        taken, found = best(task)
        error = abs(math.expm1(found.log_count - exact))
        print(
            f"{name}, 200+200, AUC .9: {taken * 1e3:.1f} ms, relative error {error:.1e} (it says "
            f"{found.relative_error:.1e})"
        )
    for n in (10**4, 10**6):
        k = n // 2
        total = k * (k - 1) // 2 + int(0.9 * k * (n - k))
        weights = np.arange(n)
        taken, _ = clock(lambda w=weights, k=k, s=total: maximum_entropy(w, k, s))
        print(f"maximum entropy, n = {n:,}: {taken:.2f} s")
        taken, found = clock(lambda n=n, k=k: count("9/10", n, n_pos=k))
        print(f"count('9/10', {n:,}, n_pos={k:,}): {taken:.2f} s, {found}")
    taken, found = clock(lambda: count("0.9", 200))
    print(f"count('0.9', 200), n_pos unknown: {taken:.2f} s, {found}")
    tied = np.repeat(np.arange(100), 2)
    taken, found = clock(lambda: count("0.9", tied))
    print(f"the same, 100 tied pairs: {taken:.2f} s, {found}")
    if not quick:
        taken, found = clock(lambda: conjecture(1000))
        print(f"conjecture to q = 1,000: {taken:.1f} s, {found}")


if __name__ == "__main__":
    main()

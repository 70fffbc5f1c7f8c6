"""How long do the guarantees take? Run: python benchmarks/guarantees.py"""

from __future__ import annotations

import time
from collections.abc import Callable

import processor  # noqa: F401  one thread of BLAS, before NumPy

# isort: split
import numpy as np

from rocsolid.intervals.guarantees import betting, deviation, e_value, hinge, kl, matchings
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import kl_limits


def milliseconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of a few runs, after one that pays for imports."""
    work()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def main() -> None:
    rng = np.random.default_rng(0)
    m, n = rng.integers(20, 31, (2, 100_000))
    auc = np.round(rng.beta(8, 3, 100_000) * 2 * m * n) / (2 * m * n)
    k = np.minimum(m, n)
    values = np.searchsorted(np.sort(rng.normal(size=100_000)), rng.normal(1, 1, 1000)) / 100_000
    scores = rng.normal([[1.8], [0.0]], 1, (2, 2048))
    rows: dict[str, Callable[[], object]] = {
        "kl, k = 10^6": lambda: kl(0.83, 10**6, 2 * 10**6),
        "hinge, k = 10^6": lambda: hinge(0.83, 10**6, 2 * 10**6),
        "hinge deviation without an AUC, k = 10^6": lambda: deviation("hinge", 10**6, 10**6),
        "kl, 100,000 pairs of AUC and k = 20 to 30": lambda: kl_limits(auc, k),
        "hinge, 100,000 pairs of AUC and k = 20 to 30": lambda: hinge_limits(auc, k),
        "matchings at (1000, 1000)": lambda: matchings(*scores[:, :1000]),
        "matchings at (2048, 2048)": lambda: matchings(*scores),
        "e-value at (10^3, 10^5)": lambda: e_value(values, 1000, 100_000),
        "betting at (10^3, 10^5)": lambda: betting(values, 1000, 100_000),
    }
    for name, work in rows.items():
        print(f"{name:<48}{milliseconds(work):10.2f} ms")


if __name__ == "__main__":
    main()

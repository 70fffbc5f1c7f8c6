"""Linear algebra on one thread, where many small steps take turns."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any


def one_blas_thread() -> AbstractContextManager[Any]:
    """A block in which NumPy's and SciPy's BLAS have one thread each.

    A search alternates between the two libraries, and each leaves its threads spinning for a while
    after every call: with as many threads as cores they wait for each other, which makes a search
    several times slower. One thread also gives the same sums on every machine with the same BLAS.
    threadpoolctl comes with scikit-learn.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    limits: AbstractContextManager[Any] = threadpool_limits(1, user_api="blas")
    return limits

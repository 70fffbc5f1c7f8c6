"""Processor time of tasks in turn, on one thread of BLAS, as what the page of benchmarks shows.

Import this before NumPy: the libraries read the number of their threads when they are loaded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

for name in ("OPENBLAS", "OMP", "MKL", "NUMEXPR"):
    os.environ[f"{name}_NUM_THREADS"] = "1"

Tasks = dict[str, Callable[[], Any]]


def processor_time(task: Callable[[], Any]) -> float:
    """Seconds of processor time that a call takes, in all threads of this process."""
    start = time.process_time()
    task()
    return time.process_time() - start


def in_turn(tasks: Tasks, repeats: int = 5, calls: int = 1) -> dict[str, list[float]]:
    """The seconds of each task, ``repeats`` times in turn, after one that warms caches and imports.

    Each time is the mean of ``calls`` calls, for tasks that take less than a tick of the clock.
    """
    for task in tasks.values():
        task()
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            times[name].append(
                processor_time(lambda task=task: [task() for _ in range(calls)]) / calls
            )
    return times


def figure(value: float) -> str:
    """Two figures, as the page writes them.

    >>> [figure(value) for value in (0.0123, 0.5, 1.04, 4.96, 23.4, 1234.0)]
    ['.012', '.5', '1', '5', '23', '1,234']
    """
    if value >= 9.95:
        return f"{value:,.0f}"
    text = f"{value:.1f}" if value >= 0.995 else f"{value:.2g}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).removeprefix("0")


def span(values: Sequence[float]) -> str:
    """The smallest and the largest."""
    low, high = figure(min(values)), figure(max(values))
    return low if low == high else f"{low} to {high}"


def ratios(theirs: Sequence[float], ours: Sequence[float]) -> str:
    """How many times as long theirs takes, over the repeats: above 1 we are faster."""
    return span([a / b for a, b in zip(theirs, ours, strict=True)])


def seconds(values: Sequence[float]) -> str:
    """The median, in a unit that fits."""
    value = median(values)
    for scale, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if value * scale >= 0.1 or unit == "µs":
            return f"{figure(value * scale)} {unit}"
    raise AssertionError


def against(what: str, times: dict[str, list[float]], ours: str = "rocsolid") -> None:
    """A line for each peer."""
    for name, taken in times.items():
        if name != ours:
            print(
                f"{what}: {ratios(taken, times[ours])} times as fast as {name} "
                f"({seconds(times[ours])}, {name} {seconds(taken)})",
                flush=True,
            )

"""A file of pROC's output, and the form in which our numbers are held against it, by path.

A bootstrap of theirs is 2,000 to 4,000 resamples, ours 2,000: a statistic may be off by 10 %, the
end of an interval by 15 % of its width (resampled sensitivities go in steps of one positive), which
is 4.5 standard deviations or more. Their variance of resamples may be off by 14 % from DeLong's,
which is what we give.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

from rocsolid.plan.variances import NormalCurve

RESAMPLES = 2_000
EXACT, NOISE, FORMULA, UNIROOT, INPUT = "exact", "resampled", "formula", "uniroot", "input"


@dataclass(frozen=True)
class Ours:
    """Our number, how far pROC's may be from it (10 digits unless told), and of what kind it is."""

    value: float
    within: float | None = None
    kind: str = EXACT


Found = dict[str, Ours]


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """All numbers of a JSON value, with their paths; beside an infinity they are text there."""
    if isinstance(value, dict | list):
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, f"{path}/{name}")
    elif value is not None:
        with suppress(ValueError):
            yield path, float(value)


def put(
    found: Found, path: str, values: Any, within: float | None = None, kind: str = EXACT
) -> None:
    """One number, or a list of them."""
    if np.ndim(values) == 0:
        found[path] = Ours(float(values), within, kind)
    else:
        for i, value in enumerate(values):
            put(found, f"{path}/{i}", value, within, kind)


def ends(found: Found, path: str, interval: Any, middle: float, theirs: list[float]) -> None:
    """A bootstrap interval; the median between its ends stands where we give the estimate."""
    within = 0.15 * (theirs[2] - theirs[0])
    put(found, path, (interval.low, middle, interval.high), within, NOISE)


class Data:
    """A table of the file: labels and scores, and pROC's numbers."""

    def __init__(self, folder: Path, name: str) -> None:
        with (folder / f"{name.lower()}.csv").open(newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.known = json.loads((folder / "proc_golden.json").read_text("utf-8"))[name]
        label, positive = ("outcome", "Poor") if name == "aSAH" else ("y", "1")
        self.y = np.array([row[label] == positive for row in self.rows])
        self.scores = {
            score: np.array([float(row[score]) for row in self.rows])
            for score in self.known["scores"]
        }


def exchanged(curve: Any) -> NormalCurve:
    """The binormal curve that pROC plans with: that of the data with its classes exchanged."""
    line = curve.smooth("binormal").parameters
    return NormalCurve(float(ndtr(line["a"] / math.hypot(1.0, line["b"]))), line["b"])

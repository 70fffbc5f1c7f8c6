"""Do we agree with R's pROC? Runs both calls of every row of proc_parity.md on the same data.

python benchmarks/proc_parity.py         needs R with pROC (Debian package: r-cran-proc)

The page is the list of what is compared: a row holds pROC's call, ours, pROC's numbers on aSAH and
how far they agree. That is digits, on aSAH and on two tables made here, one full of ties and one
large; or a distance such as ±0.02 for what is resampled, on aSAH alone; or "differs"; and the
number of a reason. The rows are printed anew as they were measured, and those that say otherwise
are named.
"""

from __future__ import annotations

import csv
import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import rocsolid as rs

PAGE = Path(__file__).with_suffix(".md")
HEADER = ("pROC", "rocsolid", "on aSAH", "agree")
AGREE = r"(?:(?P<digits>\d+)|±(?P<distance>[\d.e-]+)|differs)(?: \((?P<reason>\d+)\))?"
MOST = 10  # digits that are counted: doubles have 15, and differences of areas lose some

ASAH = """
data(aSAH)
wfns <- as.numeric(aSAH$wfns)
k <- c("dead", "vegetative", "disabled", "disabled", "well")[as.numeric(as.character(aSAH$gos6))]
write.csv(data.frame(
  y=as.integer(aSAH$outcome == "Poor"), a=aSAH$s100b, b=wfns,
  man=as.integer(aSAH$gender == "Male"), k=k,
  dead=aSAH$s100b, disabled=aSAH$ndka, well=-aSAH$s100b), "aSAH.csv", row.names=FALSE)
"""
SETUP = """
suppressMessages(library(pROC)); options(warn=-1, pROCProgress=list(name="none"))
roc <- function(y, s) pROC::roc(y, s, levels=0:1, direction="<", quiet=TRUE)
load <- function(file) {
  d <- read.csv(file); one <- d$man == 1
  set <- function(...) invisible(list2env(list(...), globalenv()))
  set(y=d$y, a=d$a, b=d$b, k=d$k, P=d[c("dead", "disabled", "well")], r1=roc(d$y, d$a),
      r2=roc(d$y, d$b), men=roc(d$y[one], d$a[one]), women=roc(d$y[!one], d$a[!one]))
}
show <- function(row, call) {
  set.seed(42); value <- as.numeric(unlist(eval(call)))
  cat(row, sprintf("%.17g", value), "\\n")
}
"""


@dataclass(frozen=True)
class Row:
    """A row of the page: the two calls, the number shown, and how far they are said to agree."""

    theirs: str
    ours: str
    shown: str
    agree: str

    @property
    def digits(self) -> int | None:
        return int(self._said["digits"]) if self._said["digits"] else None

    @property
    def distance(self) -> float | None:
        return float(self._said["distance"]) if self._said["distance"] else None

    @property
    def reason(self) -> int | None:
        return int(self._said["reason"]) if self._said["reason"] else None

    @property
    def _said(self) -> re.Match[str]:
        said = re.fullmatch(AGREE, self.agree)
        if said is None or (said[0].startswith("differs") and not said["reason"]):
            raise ValueError(f"not a claim: {self}")
        return said

    def __str__(self) -> str:
        return f"| `{self.theirs}` | `{self.ours}` | {self.shown} | {self.agree} |"


@dataclass(frozen=True)
class Table:
    """Rows of labels (1 is positive), two scores, the men among them, and three classes."""

    y: np.ndarray[Any, Any]
    a: np.ndarray[Any, Any]
    b: np.ndarray[Any, Any]
    man: np.ndarray[Any, Any]
    k: np.ndarray[Any, Any]
    P: dict[str, np.ndarray[Any, Any]]

    @classmethod
    def read(cls, file: Path) -> Table:
        with file.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        of = {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "k"}
        classes = {name: of[name] for name in ("dead", "disabled", "well")}
        k = np.array([row["k"] for row in rows])
        return cls(of["y"], of["a"], of["b"], of["man"] == 1, k, classes)

    def names(self) -> dict[str, Any]:
        """What the calls of a row may mention."""
        return {
            "rs": rs, "np": np, "first": first, "y": self.y, "a": self.a, "b": self.b, "k": self.k,
            "P": self.P, "men": (self.y[self.man], self.a[self.man]),
            "women": (self.y[~self.man], self.a[~self.man]),
        }  # fmt: skip


def first(score: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Ranks with ties broken in the order of the rows, as pROC breaks them."""
    return score.argsort(kind="stable").argsort()


def made(rows: int, share: float, step: float, file: Path) -> None:
    """A table with scores rounded to ``step``: of two models, and of three classes."""
    draw = np.random.Generator(np.random.Philox(rows))
    y = (draw.random(rows) < share).astype(int)
    common = draw.normal(size=rows) + y
    grade = common + draw.normal(size=rows)
    columns: dict[str, Any] = {"y": y}
    for name, noise in (("a", 0.5), ("b", 0.9)):
        columns[name] = common + noise * draw.normal(size=rows)
    columns["man"] = (draw.random(rows) < 0.4).astype(int)
    columns["k"] = np.array(["well", "disabled", "dead"])[np.searchsorted([0.5, 1.5], grade)]
    for name, sign in (("dead", 1.0), ("disabled", 0.3), ("well", -1.0)):
        columns[name] = sign * grade + draw.normal(size=rows)
    for name in ("a", "b", "dead", "disabled", "well"):
        columns[name] = np.round(columns[name] / step) * step
    with file.open("w", newline="") as lines:
        writer = csv.writer(lines)
        writer.writerow(columns)
        writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


def rows_of(page: str) -> list[Row]:
    """The rows of the tables of a page that compare calls."""
    rows, inside = [], False
    for line in page.splitlines():
        cells = tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
        inside = line.startswith("|") and (inside or cells == HEADER)
        if inside and cells != HEADER and not set(line) <= set("|- "):
            theirs, ours, shown, agree = cells
            rows.append(Row(theirs.strip("`"), ours.strip("`"), shown, agree))
    return rows


def numbers(value: Any) -> list[float]:
    """The numbers of a result: an interval has two, an estimate one."""
    if isinstance(value, rs.results.Interval):
        return [value.low, value.high]
    return [float(part) for part in np.ravel(value)]


def agreeing_digits(x: float, y: float) -> int:
    """Significant digits that two numbers share, up to 10: a difference below 1e-10 of the larger.

    >>> agreeing_digits(0.25, 0.25), agreeing_digits(1 / 3, 0.3333), agreeing_digits(0.0, 1.0)
    (10, 4, 0)
    """
    if x == y or (math.isnan(x) and math.isnan(y)):
        return MOST
    if not (math.isfinite(x) and math.isfinite(y)):
        return 0
    apart = abs(x - y) / max(abs(x), abs(y))
    return max(0, min(MOST, math.floor(-math.log10(apart))))


Pairs = list[tuple[list[float], list[float]]]
"""For each table that a row was run on, pROC's numbers and ours."""


def measured(rows: Iterable[Row], rscript: str, folder: Path) -> list[tuple[Row, Pairs]]:
    """Both sides of every row, on aSAH first and, unless they are resampled, on the made tables."""
    rows = list(rows)
    made(400, 0.3, 0.5, folder / "tied.csv")
    made(10_000, 0.05, 1e-6, folder / "large.csv")
    code, wanted = SETUP + ASAH, []
    for name in ("aSAH", "tied", "large"):
        code += f"load('{name}.csv')\n"
        for i, row in enumerate(rows):
            if name == "aSAH" or row.digits is not None:
                code += f"show({i}, quote({row.theirs}))\n"
                wanted.append((name, i))
    (folder / "calls.R").write_text(code)
    done = subprocess.run([rscript, "calls.R"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"R stopped after {done.stdout.splitlines()[-1:]}: {done.stderr}")
    tables = {name: Table.read(folder / f"{name}.csv").names() for name, _ in wanted}
    found: list[tuple[Row, Pairs]] = [(row, []) for row in rows]
    for (name, i), line in zip(wanted, done.stdout.splitlines(), strict=True):
        theirs = [float(text.replace("NA", "nan")) for text in line.split()[1:]]
        ours = numbers(eval(rows[i].ours, tables[name]))
        if len(theirs) != len(ours):
            raise ValueError(f"{rows[i].theirs}: {len(theirs)} numbers, and {len(ours)} of ours")
        found[i][1].append((theirs, ours))
    return found


def remeasured(row: Row, pairs: Pairs) -> Row:
    """The row with what was found in place of what it says."""
    theirs, ours = pairs[0]
    why = f" ({row.reason})" if row.reason else ""
    if row.digits is not None:
        least = min(agreeing_digits(x, y) for both in pairs for x, y in zip(*both, strict=True))
        return replace(row, shown=in_words(theirs), agree=f"{least}{why}")
    if row.distance is not None:
        apart = max(abs(x - y) for x, y in zip(theirs, ours, strict=True))
        return replace(row, shown=in_words(theirs), agree=f"±{apart:.2g}{why}")
    return replace(row, shown=f"{in_words(theirs)}; ours {in_words(ours)}")


def in_words(values: list[float]) -> str:
    if len(values) > 2:
        return f"{len(values)} numbers"
    return " to ".join("NA" if math.isnan(value) else f"{value:.4g}" for value in values)


def holds(row: Row, found: Row) -> bool:
    """Whether a row says no more than was found."""
    if row.digits is not None:
        return found.digits is not None and found.digits >= row.digits
    if row.distance is not None:
        return found.distance is not None and found.distance <= row.distance
    return found.shown == row.shown


def main() -> int:
    rscript = shutil.which("Rscript")
    if rscript is None:
        print("needs R with pROC (Debian package: r-cran-proc)", file=sys.stderr)
        return 2
    too_much = []
    with tempfile.TemporaryDirectory() as folder:
        results = measured(rows_of(PAGE.read_text("utf-8")), rscript, Path(folder))
    print(f"| {' | '.join(HEADER)} |\n{'|---' * len(HEADER)}|")
    for row, pairs in results:
        found = remeasured(row, pairs)
        print(found)
        if found.shown != row.shown or not holds(row, found):
            too_much.append(row)
    for row in too_much:
        print(f"the page says otherwise: {row}", file=sys.stderr)
    count = sum(len(theirs) for _, pairs in results for theirs, _ in pairs)
    print(f"\n{count:,} numbers in {len(results)} rows")
    return 1 if too_much else 0


if __name__ == "__main__":
    raise SystemExit(main())

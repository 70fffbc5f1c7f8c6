"""What do public pages tell a reader who knows the rule? Prints a table, on demand.

    python benchmarks/public_study.py [--rows 8] [--seeds 3]

Every labeling of a small table with the same number of positives publishes, once or twice through
one ledger. The reader sees each page, or that it was refused, and knows the scores and the rule.
Labelings that look alike form a group. The table counts labelings, groups, labels that are the same
in a whole group although they differ between labelings (certain), and refusals. The last columns
are the largest share of a label in a group where all pages appear, and in a group with a refusal.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import rocsolid as rs
from rocsolid.errors import ExposedError

REFUSED = "refused"
Tables = list[Mapping[str, Any]]


def seen(tables: Tables, limits: Mapping[str, Any]) -> list[str]:
    """What a reader sees of the pages of these tables, in one ledger if there are two."""
    pages = []
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder, "pages.ledger")
        ledger.touch()
        for table in tables:
            columns = {name: column for name, column in table.items() if name != "id"}
            scores = [name for name in columns if name.startswith("s")]
            further = {name: name for name in ("cluster", "frequency") if name in columns}
            evaluation = rs.evaluate(columns, label="y", scores=scores, **further)
            known = {"ledger": ledger, "id": table["id"]} if len(tables) > 1 else {}
            try:
                page = evaluation.public(**known, **limits).to_dict()
            except ExposedError:
                pages.append(REFUSED)
            else:
                pages.append(str((page["results"], page["curves"])))
    return pages


def one_page(labels: Any, random: np.random.Generator) -> Tables:
    n = len(labels)
    return [{"id": range(n), "y": labels, "s": random.permutation(n)}]


def tied_scores(labels: Any, random: np.random.Generator) -> Tables:
    n = len(labels)
    return [{"id": range(n), "y": labels, "s": random.integers(0, n // 2, n)}]


def counted_rows(labels: Any, random: np.random.Generator) -> Tables:
    (table,) = one_page(labels, random)
    return [{**table, "frequency": random.integers(1, 4, len(labels))}]


def two_scores(labels: Any, random: np.random.Generator) -> Tables:
    (first,), (second,) = one_page(labels, random), one_page(labels, random)
    return [first, second]


def two_tied_scores(labels: Any, random: np.random.Generator) -> Tables:
    (first,), (second,) = tied_scores(labels, random), tied_scores(labels, random)
    return [first, second]


def without_a_row(labels: Any, random: np.random.Generator) -> Tables:
    (table,) = tied_scores(labels, random)
    return [table, {name: list(column)[1:] for name, column in table.items()}]


CASES: dict[str, Callable[[Any, np.random.Generator], Tables]] = {
    "one page": one_page,
    "one page, ties": tied_scores,
    "one page, counted rows": counted_rows,
    "two scores": two_scores,
    "two scores, ties": two_tied_scores,
    "with and without a row": without_a_row,
}
LIMITS: dict[str, Mapping[str, Any]] = {"default": {}, "certain only": {"max_posterior": 1}}


def line(case: str, limits: str, rows: int, seed: int) -> str:
    positives = rows // 2
    groups: dict[tuple[str, ...], list[Any]] = {}
    for chosen in combinations(range(rows), positives):
        labels = np.isin(np.arange(rows), chosen).astype(int)
        tables = CASES[case](labels, np.random.default_rng(seed))
        groups.setdefault(tuple(seen(tables, LIMITS[limits])), []).append(labels)
    shares = {pages: np.mean(group, axis=0) for pages, group in groups.items()}
    certain = sum(
        int(((share == 0.0) | (share == 1.0)).sum()) * len(groups[pages])
        for pages, share in shares.items()
    )
    refused = sum(len(group) for pages, group in groups.items() if REFUSED in pages)
    largest = [
        max(
            (
                float(np.maximum(share, 1.0 - share).max())
                for pages, share in shares.items()
                if (REFUSED in pages) == with_refusal
            ),
            default=float("nan"),
        )
        for with_refusal in (False, True)
    ]
    labelings = sum(map(len, groups.values()))
    return (
        f"| {case} | {limits} | {seed} | {labelings} | {len(groups)} | {refused} | {certain} | "
        f"{largest[0]:.2f} | {largest[1]:.2f} |"
    )


def lines(rows: int, seeds: int) -> Iterator[str]:
    heads = [
        "case",
        "limits",
        "seed",
        "labelings",
        "groups",
        "refused",
        "certain",
        "shown",
        "refusal",
    ]
    yield f"| {' | '.join(heads)} |"
    yield "|---|---|" + "--:|" * 7
    for case in CASES:
        for limits in LIMITS:
            for seed in range(seeds):
                yield line(case, limits, rows, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    for each in lines(options.rows, options.seeds):
        print(each, flush=True)


if __name__ == "__main__":
    main()

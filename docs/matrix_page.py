"""Write the page of what runs where: ``python docs/matrix_page.py``.

The declarations of the verbs decide whether a cell streams or collects. A call in memory on a small
table decides whether the cell is refused. A test compares the page with this script, and the
engines with memory.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.engines.engine import ELSEWHERE, Columns
from rocsolid.evaluation.certify_elsewhere import certificates_need_rows
from rocsolid.evaluation.certify_table import certify_table
from rocsolid.evaluation.compare_table import compare_table, comparison_needs_rows
from rocsolid.evaluation.evaluate_table import evaluation_needs_rows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.named import KINDS, measure_of

Design = dict[str, str]

FILE = Path(__file__).with_name("matrix.md")
RNG = np.random.default_rng(0)
N = 360
Y = RNG.integers(0, 2, N)
TABLE: dict[str, Any] = {
    "y": Y,
    "a": (0.5 + (Y + RNG.normal(size=N)).round(1) / 10).round(2),  # as probabilities
    "b": (0.5 + (Y + RNG.normal(size=N)).round(1) / 10).round(2),
    "w": RNG.integers(1, 5, N) / 2,
    "c": np.arange(N) // 4,
    "g": np.arange(N) // 4 % 2,
    "grade": Y * RNG.integers(1, 4, N),
}
DESIGNS: dict[str, Design] = {
    "plain": {},
    "weights": {"sample_weight": "w"},
    "clusters": {"cluster": "c"},
    "segments": {"by": "g"},
    "weights and clusters": {"sample_weight": "w", "cluster": "c"},
}
OF_LISTS = ("ndcg@10", "map")
OF_OUTCOMES = ("concordance", "vus")
OF_CLASSES = (
    *(
        row.example
        for kind, row in KINDS.items()
        if measure_of(row.example).text.startswith(kind)  # further names of a measure have no row
    ),
    "partial_auc(fpr<=0.3, tpr>=0.5)",
)
MEASURES = (*OF_CLASSES, *OF_LISTS, *OF_OUTCOMES)
REST = "every other measure"


def evaluated(source: Any, measure: str, design: Design) -> list[float]:
    if measure in OF_LISTS:
        answer = rs.evaluate(
            source, label="grade", scores=["a", "b"], qid="c", measures=measure, **design
        )
    elif measure in OF_OUTCOMES:
        answer = rs.evaluate(source, label="grade", scores=["a", "b"], measures=measure, **design)
    else:
        answer = rs.evaluate(
            source, label="y", scores=["a", "b"], measures=measure, resamples=50, **design
        )
    return [
        number
        for estimate in answer.results
        for number in (estimate.value, estimate.low, estimate.high)
    ]


def compared(source: Any, measure: str, design: Design) -> list[float]:
    question: dict[str, Any] = (
        {"label": "grade", "qid": "c"}
        if measure in OF_LISTS
        else {"label": "grade"}
        if measure in OF_OUTCOMES
        else {"label": "y", "test": _test(measure), "resamples": 50}
    )
    whole = compare_table(source, scores=["a", "b"], measure=measure, **question, **design)
    pairs = [pair for comparison in whole.comparisons.values() for pair in comparison.pairs]
    return [n for pair in pairs for n in (pair.difference, pair.low, pair.high, pair.p_value)]


def certified(source: Any, measure: str, design: Design) -> list[float]:
    if "by" in design:
        raise rs.UnsoundError("a certificate is about all rows; certify the rows of a segment")
    fixed = {"design": "fixed"} if design else {}
    label = {"label": "y" if measure in OF_CLASSES else "grade"}
    label |= {"qid": "c"} if measure in OF_LISTS else {}
    certificate = certify_table(
        source, scores=["a"], measure=measure, independent=True, **label, **fixed, **design
    ).grid.certificate
    return [certificate.value, certificate.low]


VERBS: dict[str, Callable[[Any, str, Design], list[float]]] = {
    "evaluate": evaluated, "compare": compared, "certify": certified
}  # fmt: skip


def asked(verb: str, source: Any, measure: str, design: str) -> list[float] | str:
    """The numbers of a cell, or the reason why there are none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return VERBS[verb](source, measure, DESIGNS[design])
        except rs.RocsolidError as error:
            return error.what


@cache
def in_memory(verb: str, measure: str, design: str) -> list[float] | str:
    """The numbers of a cell for rows in memory, or the reason why there are none."""
    return asked(verb, TABLE, measure, design)


def collects(verb: str, measure: str, design: str) -> bool:
    """Whether a cell needs all rows in memory."""
    if measure in OF_OUTCOMES or (measure in OF_LISTS and verb != "certify"):
        return False
    given = DESIGNS[design]
    columns = Columns(
        "y", ("a", "b"), tuple(given.get("by", "")), given.get("sample_weight"),
        given.get("cluster"),
    )  # fmt: skip
    if verb == "certify":
        qid = "c" if measure in OF_LISTS else None
        return certificates_need_rows(columns, qid, measure=measure)
    if verb == "evaluate":
        return evaluation_needs_rows(columns, [measure_of(measure)], Options())
    return comparison_needs_rows(columns, measure_of(measure), _test(measure))


def how(verb: str, measure: str, design: str) -> str:
    """Where a cell streams and where it collects."""
    return "collects" if collects(verb, measure, design) else "streams"


def page() -> str:
    """The page as text."""
    reasons: dict[str, int] = {}
    tables, cells, streamed = [], 0, 0
    for verb in VERBS:
        alike: dict[tuple[str, ...], list[str]] = {}  # measures whose rows are the same share one
        for measure in MEASURES:
            row = []
            for design in DESIGNS:
                numbers = in_memory(verb, measure, design)
                if isinstance(numbers, str):
                    row.append(f"no ({reasons.setdefault(numbers, len(reasons) + 1)})")
                else:
                    row.append(how(verb, measure, design))
                    cells += 1
                    streamed += 0 if collects(verb, measure, design) else len(ELSEWHERE)
            alike.setdefault(tuple(row), []).append(f"`{measure}`")
        head = [f"| `{verb}` | {' | '.join(DESIGNS)} |", "|---" * (1 + len(DESIGNS)) + "|"]
        longest = max(alike.values(), key=len)
        body = [
            f"| {', '.join(names) if names is not longest else REST} | {' | '.join(row)} |"
            for row, names in alike.items()
        ]
        tables.append("\n".join(head + body))
    engines = 1 + len(ELSEWHERE)
    total = len(VERBS) * len(MEASURES) * len(DESIGNS) * engines
    return _TEXT.format(
        tables="\n\n".join(tables),
        reasons="\n".join(f"{number}. {_sentence(text)}" for text, number in reasons.items()),
        count=f"{cells * engines:,} of {total:,}",
        streamed=streamed,
    )


def _test(measure: str) -> str:
    formula = type(measure_of(measure)).influence is not BinaryMeasure.influence
    return "delong" if formula else "bootstrap"


def _sentence(text: str) -> str:
    text = re.sub(r"\b(\w+_\w+)", r"`\1`", text.rstrip("."))
    return f"{text[:1].upper()}{text[1:]}."


_TEXT = """\
# What runs where

Every question that works in memory also works on DuckDB, Spark and lazy frames, with the same
numbers ([some intervals of streamed rows are wider](engines.md#limits-and-failures)).

- **streams**: the rows stay in the engine, and memory is bounded.
- **no**: an error, for the numbered reason.

Over memory and two engines, {count} combinations work, {streamed} of them as streams. Bootstraps
and permutations [collect the rows](engines.md#streams-or-collects) where you ask for them.

{tables}

{reasons}

Certificates under weights or clusters need `design="fixed"`. Ordered outcomes with more than 100
values collect. The rows of a segment of ordered outcomes must fit into a quarter of the memory.
"""

if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")

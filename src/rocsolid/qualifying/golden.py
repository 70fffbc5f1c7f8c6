"""Golden numbers: results of other software, from a file inside the package."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from rocsolid.binary.roc import roc
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.pool import pool
from rocsolid.evaluation.questions import compare
from rocsolid.graded.average_precision import reciprocal_rank
from rocsolid.graded.ndcg import dcg, ndcg
from rocsolid.graded.precision import bpref, precision, r_precision
from rocsolid.leaks.counting import count
from rocsolid.measures.partial_area import partial_auc
from rocsolid.measures.precision_recall_area import average_precision, pr_auc
from rocsolid.measures.whole_area import auc
from rocsolid.plan.power import auc_power
from rocsolid.qualifying.requirement import Observation, QualificationRun, judged

CALLS: dict[str, Callable[..., Any]] = {
    "auc": auc, "average_precision": average_precision, "bpref": bpref, "compare": compare,
    "dcg": dcg, "leaks.count": count, "ndcg": ndcg, "partial_auc": partial_auc,
    "plan.auc_power": auc_power, "pool": pool, "pr_auc": pr_auc, "precision": precision,
    "r_precision": r_precision, "reciprocal_rank": reciprocal_rank, "roc": roc,
}  # fmt: skip
"""The functions of golden numbers, by their names in `rocsolid`."""
_WITHIN = 1e-12  # most numbers were printed with 15 digits


@dataclass(frozen=True, slots=True)
class GoldenNumbers:
    """The golden numbers of a requirement."""

    requirement: str

    def __call__(self, _run: QualificationRun, /) -> Iterator[Observation]:
        contents = _contents()
        columns = _columns()
        for number in contents["numbers"]:
            if number["requirement"] == self.requirement:
                yield from _observed(number, columns)


@cache
def _contents() -> dict[str, Any]:
    text = files("rocsolid.qualifying").joinpath("golden.json").read_text("utf-8")
    contents: dict[str, Any] = json.loads(text)
    return contents


@cache
def _columns() -> dict[str, Any]:
    contents = _contents()
    grades: list[float] = []
    scores: list[float] = []
    queries: list[str] = []
    for query, (ranked, others) in contents["lists"].items():
        both = ranked + others
        grades += [float("nan") if grade == "." else float(grade) for grade in both]
        scores += [*np.arange(len(ranked), 0, -1.0).tolist(), *[-np.inf] * len(others)]
        queries += [query] * len(both)
    lists = {"grade": grades, "score": scores, "query": queries}
    return {**contents["tied"], **lists, "sites": contents["sites"]}


def _observed(number: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[Observation]:
    call, keywords = number["call"], number.get("keywords", {})
    arguments = _filled(number["arguments"], columns)
    result = CALLS[call](*arguments, **_filled(keywords, columns))
    shown = [*map(_typed, number["arguments"]), *(f"{k}={_typed(v)}" for k, v in keywords.items())]
    words = f"{call}({', '.join(shown)})"
    if "then" in number:
        method, settings = number["then"]
        result = getattr(result, method)(**settings)
        words += f".{method}({', '.join(f'{k}={_typed(v)}' for k, v in settings.items())})"
    within = number.get("within", _WITHIN)
    digits = 4 if within > _WITHIN * 1e6 else 12
    for path, expected in number["expected"].items():
        got = float(_attribute(result, path))
        known, own = (f"{x:.{digits}f}" if digits < 12 else f"{x:.12g}" for x in (expected, got))
        close = abs(got - expected) <= within * max(1.0, abs(expected))
        yield Observation(f"{words}.{path}", number["source"], known, own, judged(close))


def _filled(value: Any, columns: Mapping[str, Any]) -> Any:
    """Replace each ``@name`` by its column."""
    if isinstance(value, str) and value.startswith("@"):
        return columns[value[1:]]
    if isinstance(value, list):
        return [_filled(each, columns) for each in value]
    if isinstance(value, dict):
        return {name: _filled(each, columns) for name, each in value.items()}
    return value


def _typed(value: Any) -> str:
    if isinstance(value, str):
        return value[1:] if value.startswith("@") else repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_typed, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name!r}: {_typed(each)}' for name, each in value.items())}}}"
    return f"{value:.12g}" if isinstance(value, float) else repr(value)


def _attribute(result: Any, path: str) -> Any:
    for step in path.split("."):
        result = result[int(step)] if step.isdigit() else getattr(result, step)
    return result

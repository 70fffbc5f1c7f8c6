"""Logs of language-model evaluations: the items are the sample, the models the scores."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, TypeGuard, Unpack

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks, lines_of, verdict
from rocsolid.answer.overview import Overview, overview_of
from rocsolid.comparison.build import PairKeywords
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.evaluation.evaluate_sample import evaluate_sample
from rocsolid.evaluation.sample import Sample, sample_of
from rocsolid.inputs.logs import read_logs
from rocsolid.parameters import Nan
from rocsolid.remarks.remark import Remark
from rocsolid.report.blocks import Form, TextBlock


def of_sample_or_logs(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Extend a verb of tables to samples, and without names of columns to logs."""

    @wraps(verb)
    def either(data: Any, **how: Any) -> Any:
        if isinstance(data, Sample):
            return evaluate_sample(data, **how)
        if not how.keys() & {"label", "scores"} and are_logs(data):
            return evaluate_logs(data, **how)
        return verb(data, **how)

    return either


def are_logs(data: object) -> TypeGuard[str | Sequence[str]]:
    paths = [data] if isinstance(data, str | os.PathLike) else data
    return (
        isinstance(paths, list | tuple)
        and len(paths) > 0
        and all(isinstance(path, str | os.PathLike) for path in paths)
    )


@dataclass(frozen=True, slots=True)
class _LogFacts(Facts):
    """The facts about logs; ``formed`` says how the value of an item was formed."""

    formed: str = ""


def evaluate_logs(
    paths: Any, *, measure: str | None = None, nan: Nan = "raise", cluster: str | None = None,
    interval: str = "auto", **how: Unpack[PairKeywords],
) -> Answer:  # fmt: skip
    """Compute the mean score of each model in logs, and compare several models item by item.

    The keywords ``measure``, ``nan`` and ``cluster`` are those of `rocsolid.Sample.of_logs`.
    """
    items = read_logs(paths, measure=measure, nan=nan, cluster=cluster)
    sample = sample_of(items)
    try:
        answer = evaluate_sample(sample, interval=interval, **how)
    except (InputError, UnsoundError) as error:
        what, fix = (
            text and _words(text, sample.unit, sample.values) for text in (error.what, error.fix)
        )
        raise type(error)(what or "", where=error.where, value=error.value, fix=fix) from None
    basis = _LogFacts(sample.unit, sample.units, level=answer.level, formed=items.formed)
    return replace(answer, kind=LOGS, basis=basis)


def compare_logs(paths: Any, **how: Any) -> Answer:
    """Compare the models in logs, of which there must be two."""
    answer = evaluate_logs(paths, **how)
    if not answer.comparisons:
        raise InputError(
            "a comparison needs two models", where=answer.source,
            value=answer.results[0].score, fix="name the log of another model too",
        )  # fmt: skip
    return answer


def _caption(answer: Answer) -> str:
    formed = answer.basis.formed
    items = f"{answer.rows:,} {answer.label}s"
    parts = [formed] if answer.label == "cluster" else [items, *([formed] if formed else [])]
    return f"{answer.source}: {'; '.join(parts)}."


def _in_words(answer: Answer, text: str) -> str:
    return _words(text, answer.label, [entry.score for entry in answer.results])


def _words(text: str, unit: str, models: Iterable[str]) -> str:
    """Write "item", or "cluster" of items, for "query", and "model" for "system".

    The names of models stay.
    """
    words = {"query": unit, "queries": f"{unit}s", "system": "model", "systems": "models"}
    kept = "|".join(map(re.escape, sorted(models, key=len, reverse=True)))
    pattern = rf"(?<!\w)(?:{kept})(?!\w)|\b([Qq]uer(?:y|ies)|systems?)\b"

    def word(match: re.Match[str]) -> str:
        named: str | None = match[1]
        if named is None:
            return str(match[0])
        new: str = words[named.lower()]
        return new.capitalize() if named[0].isupper() else new

    made = re.sub(pattern, word, text)
    if unit == "item":
        return made
    return made.replace("the measure has no bounds", "clusters of different sizes have no bounds")


def _remark_in_words(answer: Answer, remark: Remark) -> Remark:
    return remark.says(_in_words(answer, remark), remark.severity)


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    def worded(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(_in_words(answer, text) for text in texts)

    for block in blocks(answer, form, _caption(answer)):
        cells = block.cells
        if cells is not None:
            first, *others = cells.heads
            heads = ("model" if first == "score" else first, *worded(others))
            cells = replace(cells, heads=heads)
        yield replace(
            block, cells=cells, said=worded(block.said), notes=tuple(
                _remark_in_words(answer, note) if isinstance(note, Remark) else note
                for note in block.notes
            ),
            methods=worded(block.methods),
        )  # fmt: skip


def _overview(answer: Answer, _form: Form) -> Overview:
    overview = overview_of(answer, _caption(answer), verdict(answer))
    notes = tuple(_remark_in_words(answer, note) for note in overview.notes)
    return replace(overview, noun="model", notes=notes)


def _text(answer: Answer) -> list[str]:
    return [_in_words(answer, line) for line in lines_of(answer)]


def _results(answer: Answer) -> list[dict[str, Any]]:
    return [_of_items(answer, entry.to_dict(), _COUNTED) for entry in answer.results]


def _comparisons(answer: Answer) -> list[dict[str, Any]]:
    documents = [_of_items(answer, each.to_dict()) for each in answer.comparisons.values()]
    for document in documents:
        document["estimates"] = {
            name: _of_items(answer, estimate, (*_LONG, *_COUNTED))
            for name, estimate in document["estimates"].items()
        }
    return documents


def _of_items(
    answer: Answer, document: Mapping[str, Any], without: Sequence[str] = ()
) -> dict[str, Any]:
    def worded(value: Any, prose: bool) -> Any:
        if isinstance(value, Mapping):
            return {key: worded(each, key in _PROSE) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [worded(each, prose) for each in value]
        return _in_words(answer, value) if prose and isinstance(value, str) else value

    kept = {key: value for key, value in document.items() if key not in without}
    return dict(worded(kept, False))


_PROSE = ("assumptions", "warnings")
_LONG = ("qids", "per_query")
_COUNTED = ("n_excluded", "as_zeros", "as_ones")
"""Keys about units that are left out. Here items are left out, for which `ItemsLeftOut` exists."""
LOGS = AnswerKind(
    "source unit=label units=rows formed results comparisons", _blocks, verdict, text=_text,
    overview=_overview, long=_LONG, shapes={"results": _results, "comparisons": _comparisons},
)  # fmt: skip

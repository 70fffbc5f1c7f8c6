"""The scores of the models in several logs, item by item."""

from __future__ import annotations

import os
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import known
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.delimited import listed
from rocsolid.inputs.logs.detection import logged
from rocsolid.inputs.logs.logged_answer import LoggedAnswer, grade
from rocsolid.inputs.run_names import named_runs
from rocsolid.parameters import Nan
from rocsolid.remarks.lists import ItemsLeftOut
from rocsolid.remarks.remark import Remark

_SHOWN = 5  # models that a sentence names
CLUSTER = "cluster"
"""The key of the cluster in the metadata of an item, unless another is named."""


@dataclass(frozen=True, slots=True, eq=False)
class LoggedItems:
    """The value of each item for each model by one scorer.

    ``formed`` says how values and clusters were formed; it is empty for one answer an item.
    """

    scorer: str
    source: str
    names: NDArray[np.str_]
    values: Mapping[str, NDArray[np.float64]]
    clusters: Sequence[str] | None
    formed: str
    warnings: tuple[Remark, ...] = ()

    @property
    def range(self) -> tuple[float, float] | None:
        """From 0 to 1 if no value lies outside, else unknown."""
        low = min(column.min() for column in self.values.values())
        high = max(column.max() for column in self.values.values())
        return (0.0, 1.0) if low >= 0.0 and high <= 1.0 else None

    @property
    def binary(self) -> bool:
        return all(np.isin(column, (0.0, 1.0)).all() for column in self.values.values())


@dataclass(slots=True)
class _Column:
    """The scores of one model by one scorer, in the order of the log."""

    again: str
    items: array[int] = field(default_factory=lambda: array("q"))
    numbers: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))


@dataclass(slots=True)
class _Items:
    """The items of all logs: each has a task, a cluster and the hash of its content."""

    index: dict[tuple[str, str], int] = field(default_factory=dict)
    clusters: list[Any] = field(default_factory=list)
    questions: dict[int, int] = field(default_factory=dict)

    def add(self, answer: LoggedAnswer, where: str) -> int:
        key = answer.task, answer.item
        place = self.index.setdefault(key, len(self.index))
        if place == len(self.clusters):
            self.clusters.append(answer.cluster)
        elif self.clusters[place] != answer.cluster:
            raise InputError(
                f"item {self.name(place)} has two clusters, {self.clusters[place]!r} and "
                f"{answer.cluster!r}", where=where, fix="name another key with cluster",
            )  # fmt: skip
        if answer.question:
            question = hash(answer.question)
            if self.questions.setdefault(place, question) != question:
                raise InputError(
                    f"item {self.name(place)} is another question than in an earlier log",
                    where=where,
                    fix="compare runs of the same version of the task",
                )
        return place

    def name(self, place: int) -> str:
        return self.names[place]

    @property
    def names(self) -> list[str]:
        tasks = {task for task, _ in self.index}
        return [item if len(tasks) == 1 else f"{task}: {item}" for task, item in self.index]


@dataclass(slots=True)
class _Logs:
    """The scores of every model and scorer."""

    items: _Items = field(default_factory=_Items)
    columns: dict[str, dict[str, _Column]] = field(default_factory=dict)
    not_numbers: dict[str, tuple[object, str]] = field(default_factory=dict)
    headlines: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, paths: Mapping[str, str], cluster: str) -> _Logs:
        logs = cls()
        for run, path in paths.items():
            own: dict[str, dict[str, _Column]] = {}
            for answer in logged(path, cluster):
                place = logs.items.add(answer, path)
                logs.headlines.add(answer.headline)
                column = own.setdefault(answer.model or run, {})
                for scorer, value in answer.scores.items():
                    number = grade(value)
                    if number is None:
                        logs.not_numbers.setdefault(scorer, (value, path))
                        continue
                    scored = column.setdefault(scorer, _Column(answer.again))
                    scored.items.append(place)
                    scored.numbers.append(answer.number)
                    scored.values.append(number)
            logs._join(run, own)
        if not logs.columns:
            raise InputError("the log has no answer", where=listed(list(paths.values())))
        return logs

    def _join(self, run: str, own: Mapping[str, dict[str, _Column]]) -> None:
        """Add the models of a run; a model of several runs is named with its runs."""
        for model, columns in own.items():
            name = f"{model} ({run})" if model in self.columns else model
            self.columns[name] = columns

    def scorer(self, measure: str | None) -> str:
        """The requested scorer, or the only one, or the one that the framework reports first."""
        each = [columns.keys() for columns in self.columns.values()]
        shared = [name for name in each[0] if all(name in names for names in each)]
        usable = [name for name in shared if name not in self.not_numbers]
        if measure is not None:
            if measure in self.not_numbers:
                value, path = self.not_numbers[measure]
                raise InputError(
                    f"the scorer {measure!r} has a score that is not a number", where=path,
                    value=value, fix=_choice(usable),
                )  # fmt: skip
            if measure not in usable:
                raise InputError(
                    "not every model has scores by this scorer", where="measure", value=measure,
                    fix=_choice(usable),
                )  # fmt: skip
            return measure
        first = [name for name in usable if self.headlines == {name}]
        if len(usable) == 1 or first:
            return (first or usable)[0]
        if not usable:
            rejected = next(iter(self.not_numbers.items()), None)
            if rejected is not None:
                scorer, (value, path) = rejected
                raise InputError(
                    f"the scorer {scorer!r} has a score that is not a number", where=path,
                    value=value, fix="write numbers, or the grades C, P, I and N",
                )  # fmt: skip
            raise InputError(
                "the logs have no scorer in common",
                where=listed(list(self.columns)),
                value={name: sorted(columns) for name, columns in self.columns.items()},
            )
        raise InputError(
            f"the logs have {len(usable):,} scorers", where="measure", value=usable,
            fix=_choice(usable),
        )  # fmt: skip


def read_logs(
    paths: Any, *, measure: str | None = None, nan: Nan = "raise", cluster: str | None = None
) -> LoggedItems:
    """Read logs, choose the scorer, and average the answers to each item."""
    known(nan, ("raise", "omit"), "rule for items without a score", "nan")
    named = {name: os.fspath(path) for name, path in named_runs(paths).items()}
    logs = _Logs.read(named, cluster or CLUSTER)
    scorer = logs.scorer(measure)
    kept = _rows_with(logs, scorer)
    each = {
        model: _means(columns[scorer], logs.items, model) for model, columns in logs.columns.items()
    }
    values = np.stack([column for column, _ in each.values()])[:, kept]
    lacking = np.isnan(values)
    formed: list[str] = []
    warnings: tuple[Remark, ...] = ()
    answers = max(most for _, most in each.values())
    if answers > 1:
        formed.append(f"an item's value is the mean of its {answers:,} answers")
    if lacking.any():
        counts = dict(zip(each, lacking.sum(axis=1).tolist(), strict=True))
        if nan == "raise":
            _refuse_missing(counts, logs.items, kept, lacking)
        complete = ~lacking.any(axis=0)
        by_name = ", ".join(f"{name}: {count:,}" for name, count in counts.items() if count)
        formed.append(f"{np.count_nonzero(~complete):,} left out for lack of a score ({by_name})")
        warnings = (_left_out(values, counts),)
        values, kept = values[:, complete], kept[complete]
    if not kept.size:
        raise InputError(
            "no item has a score of every model", where=listed(list(each)),
            fix="compare logs of the same task; put the logs of one model into a folder",
        )  # fmt: skip
    clusters = _clusters(logs.items, kept, cluster)
    if clusters is not None:
        formed.insert(0, f"{len(kept):,} items in {len(set(clusters)):,} clusters")
    return LoggedItems(
        scorer, ", ".join(named), np.array(logs.items.names)[kept],
        dict(zip(each, values, strict=True)), clusters, "; ".join(formed), warnings,
    )  # fmt: skip


def _left_out(values: NDArray[np.float64], counts: Mapping[str, int]) -> Remark:
    """The warning about items without a score; ``counts`` are the missing scores by model."""
    lacking = np.isnan(values)
    omitted = int(np.count_nonzero(lacking.any(axis=0)))
    order = sorted(counts, key=lambda name: -counts[name])
    short = [f"{name}: {counts[name]:,}" for name in order if counts[name]]
    filled = np.nan_to_num(values)
    zeros = dict(zip(counts, filled.mean(axis=1).tolist(), strict=True))
    means = [f"{name} {zeros[name]:.4f}" for name in order]
    if filled.min() < 0.0:  # 0 is then not the score of a failure
        means = []
    differ = bool((lacking != lacking[0]).any())
    return ItemsLeftOut(omitted, lacking.shape[1], _first(short), differ, _first(means))


def _first(texts: Sequence[str]) -> str:
    more = len(texts) - _SHOWN
    return ", ".join(texts[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def _choice(usable: Sequence[str]) -> str:
    if not usable:
        return "pass logs with a score of each item"
    return f"choose one of them, such as measure={usable[0]!r}"


def _rows_with(logs: _Logs, scorer: str) -> NDArray[np.intp]:
    """The items of the tasks that have this scorer, also items without a score."""
    tasks = [task for task, _ in logs.items.index]
    scored = {
        tasks[place] for columns in logs.columns.values() for place in set(columns[scorer].items)
    }
    return np.flatnonzero([task in scored for task in tasks])


def _means(column: _Column, items: _Items, model: str) -> tuple[NDArray[np.float64], int]:
    """The mean of each item's answers, NaN without one, and the largest number of answers."""
    place = np.frombuffer(column.items, dtype=np.int64)
    values = np.frombuffer(column.values, dtype=np.float64)
    numbers = np.frombuffer(column.numbers, dtype=np.int64)
    order = np.lexsort((numbers, place))
    twice = (np.diff(place[order]) == 0) & (np.diff(numbers[order]) == 0)
    if twice.any():
        raise InputError(
            f"item {items.name(int(place[order][:-1][twice][0]))} has two scores",
            where=model,
            fix=column.again,
        )
    scored = ~np.isnan(values)
    counts = np.bincount(place[scored], minlength=len(items.index))
    sums = np.bincount(place[scored], values[scored], minlength=len(items.index))
    means = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    return means, int(counts.max(initial=0))


def _refuse_missing(
    counts: Mapping[str, int], items: _Items, kept: NDArray[np.intp], lacking: NDArray[np.bool_]
) -> None:
    model = max(counts, key=lambda name: counts[name])
    example = items.name(int(kept[lacking[list(counts).index(model)]][0]))
    raise InputError(
        f"{counts[model]:,} of {len(kept):,} items have no score of {model}, such as {example}",
        where=model,
        fix='nan="omit" leaves them out for all models',
    )


def _clusters(items: _Items, kept: NDArray[np.intp], cluster: str | None) -> list[str] | None:
    """The cluster of each item, if items have clusters with more than one item."""
    groups = [items.clusters[place] for place in kept]
    without = sum(group is None for group in groups)
    if without == len(groups) and cluster is None:
        return None
    if without:
        raise InputError(
            f"{without:,} of {len(groups):,} items have no {cluster or CLUSTER!r} in their "
            "metadata", where="cluster", fix="name a key that every item has",
        )  # fmt: skip
    names = [str(group) for group in groups]
    return names if len(set(names)) < len(names) else None

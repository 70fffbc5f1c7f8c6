"""Pictures of folds, gates and watched sequences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.pictures import batches, lanes
from rocsolid.pictures.lists import wrong_result
from rocsolid.pictures.marks import Picture
from rocsolid.results.card import measure_title


def folds_picture(result: Any) -> Picture:
    """Plot the mean over folds of each score with its intervals, and the value of each fold.

    ``result`` is a result of `rocsolid.evaluate` with ``fold``; the picture shows its first
    measure.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1] * 20, "s": [i % 2 + i % 7 for i in range(40)], "k": [0, 1, 1, 0] * 10}
    >>> ax = rs.plots.folds(rs.evaluate(table, label="y", scores="s", fold="k"))
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['s', 'fold 0', 'fold 1']
    """
    entries = [entry for entry in getattr(result, "results", ()) if entry.by is None]
    if not entries or not hasattr(entries[0], "folds"):
        raise wrong_result(
            "there are no folds to draw", result, 'give a result of rs.evaluate(..., fold="column")'
        )
    measure = entries[0].measure
    means = {entry.score: entry for entry in entries if entry.measure == measure}
    return lanes.folds_picture(means, measure_title(measure))


def gate_picture(result: Any) -> Picture:
    """Plot each rule's limit with its bar: a dot passes, a diamond fails, a ring is undecided.

    ``result`` is a result of `rocsolid.gate`. Each measure has its own scale, in axes below the
    first. Rules without a limit, such as a number of positives, are omitted.

    >>> import rocsolid as rs
    >>> policy = {"label": "y", "rule": [{"score": "s", "measure": "auc", "at_least": 0.5}]}
    >>> table = {"y": [0, 1] * 20, "s": [i % 2 + i % 7 / 9 for i in range(40)]}
    >>> rs.plots.gate(rs.gate(policy, table)).get_yticklabels()[0].get_text()
    '1. auc of s at least 0.5'
    """
    rulings = getattr(result, "rulings", None)
    pictures = [] if rulings is None else lanes.rules_pictures(rulings)
    if not pictures:
        raise wrong_result(
            "there is no limit to draw",
            result,
            "pass a result of rs.gate with a rule that depends on a limit",
        )
    first, *others = pictures
    return replace(first, below=tuple(others))


@dataclass(frozen=True, slots=True)
class WatchedBatch:
    batch: int
    value: float
    low: float
    high: float


def watch_picture(result: Any) -> Picture:
    """Plot the value after each batch, with an interval that is valid for all batches so far.

    ``result`` is a list of the states of a sequence (`rocsolid.guarantees.sequence`, or that of a
    difference), one after each batch.

    >>> import rocsolid as rs
    >>> states = [rs.guarantees.sequence().add([0, 1] * 20, range(40))]
    >>> states.append(states[-1].add([0, 1] * 20, range(40)))
    >>> [tick.get_text() for tick in rs.plots.watch(states).get_xticklabels()]
    ['1', '2']
    """
    states: list[Any] = list(result) if isinstance(result, list | tuple) else [result]
    looks = [_look(state) for state in states]
    if not looks:
        raise InputError("there is nothing to draw", where="result")
    chance = hasattr(type(states[0]), "estimate")
    drifted = [state.batches for state in states if getattr(state, "drifted", False)]
    alarm = (drifted[0], f"drift shown: batch {drifted[0]}") if drifted else None
    return batches.batches_picture(
        looks, level=0.5 if chance else 0.0, title="AUC" if chance else "A − B", alarm=alarm,
        margin=getattr(states[0], "margin", None),
    )  # fmt: skip


def _look(state: Any) -> WatchedBatch:
    if not (hasattr(state, "batches") and hasattr(state, "interval")):
        raise wrong_result(
            "this is not a state of a sequence",
            state,
            "give the results of sequence().add(...) after each batch, in a list",
        )
    value = state.estimate.value if hasattr(type(state), "estimate") else state.value
    return WatchedBatch(state.batches, value, state.interval.low, state.interval.high)

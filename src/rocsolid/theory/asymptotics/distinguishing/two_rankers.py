"""The judged items of queries with two rankers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.gains.gain import Gain
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.theory.asymptotics.distinguishing.compared_list import ComparedList


@dataclass(frozen=True, slots=True, eq=False)
class TwoRankers:
    """The queries with a relevant item; an item without a judgement has no gain."""

    names: tuple[str, str]
    lists: tuple[ComparedList, ...]
    left_out: int
    grades: tuple[float, ...]

    @classmethod
    def of(cls, relevance: Any, scores: Mapping[str, Any], qid: Any, gain: Gain) -> TwoRankers:
        if not isinstance(scores, Mapping) or len(scores) != 2:
            raise InputError(
                "exactly two rankers are compared, each with its name",
                where="scores",
                value=list(scores) if isinstance(scores, Mapping) else scores,
                fix=(
                    'pass {"a": scores of a, "b": scores of b}; compare more rankers two at a time'
                ),
            )
        rows = [graded_rows(relevance, score, qid=qid) for score in scores.values()]
        grade = rows[0].relevance
        known = ~np.isnan(grade)
        gains = np.zeros(len(grade))
        gains[known] = gain(grade[known])
        lists = []
        for begin, end in zip(rows[0].offsets[:-1], rows[0].offsets[1:], strict=True):
            part = slice(int(begin), int(end))
            if np.any(gains[part] > 0.0):
                scored = [ranker.score[part] for ranker in rows]
                lists.append(ComparedList.of(scored, gains[part], grade[part]))
        if not lists:
            raise InputError("no item is relevant, so nothing can be ranked", where="relevance")
        a, b = (str(name) for name in scores)
        grades = tuple(np.unique(grade[known]).tolist())
        return cls((a, b), tuple(lists), len(rows[0].qids) - len(lists), grades)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.array([items.size for items in self.lists])

"""A table whose rows have names, and the earlier publications about them in a ledger."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid import parts
from rocsolid.binary.top_cut import of_hits
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.exact_readers import rank_sums
from rocsolid.evaluation.public.exposure_limits import JointExposure, Limits, rounded_up
from rocsolid.evaluation.public.lines import Line, curve_lines, size_lines
from rocsolid.evaluation.public.relabelled import labels_of, row_of_value, unit_of_row
from rocsolid.evaluation.public.segments import RoundedResult
from rocsolid.evaluation.public.together import (
    Joined,
    LabelingsLeft,
    judged_together,
    labelings_left,
    labels_changed,
)
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.inputs.row_ids import ids_of_units, spellings
from rocsolid.inputs.tables import read_table
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.publications import Publication, Publications, related
from rocsolid.leaks.release.statements import Statements
from rocsolid.measures.at_cut import AtCut
from rocsolid.measures.binary_measure import BinaryMeasure

_FLOATS = NDArray[np.float64]
_INTS = NDArray[np.int64]

_PARTS = 1_000_000  # the smallest part of a row that is tied at a cut


def values_of_rows(data: Any, id: str | None, prior: str | None) -> dict[str, Any]:
    """Read the columns that name the rows of a table and that have the prior, if they are named."""
    columns = [column for column in (id, prior) if column is not None]
    if not columns:
        return {}
    if isinstance(data, str) and data == "-":
        raise InputError(
            "standard input can be read only once, and columns of names and priors are read "
            "separately",
            where="id, prior", value=columns, fix="write the table to a file",
        )  # fmt: skip
    numbers, keys = ([of] if of is not None else [] for of in (prior, id))
    table = read_table(data, numbers=numbers, keys=keys)
    return {name: table[of] for name, of in (("id", id), ("prior", prior)) if of is not None}


@dataclass(frozen=True, slots=True, eq=False)
class TableInLedger:
    """The named rows of a table, and the ``earlier`` publications that are related to them.

    ``unit`` is the unit of each name, ``labels`` the known label of each name, ``count`` the
    number of all publications in the ledger, and ``answers`` that of a board's answers.
    """

    path: str | PathLike[str]
    ids: tuple[bytes, ...]
    unit: _INTS
    labels: dict[bytes, bool]
    earlier: tuple[Publication, ...]
    count: int
    answers: int

    @classmethod
    def open(
        cls, path: str | PathLike[str], names: Any, evaluation: EvaluationNumbers
    ) -> TableInLedger:
        _check(evaluation)
        rows = row_of_value(evaluation, names, "id")
        kept = np.flatnonzero(rows >= 0)
        rows = rows[kept]
        unit_of = unit_of_row(evaluation)[rows]
        texts, unit = ids_of_units([names[at] for at in kept.tolist()], unit_of, "id")
        with Publications.open(path) as ledger:
            hashed = ledger.named(texts)
            every = ledger.read()
            answers = _answers(ledger)
            _check_spelling(ledger, texts, [*answers, *every])
        labels, present = labels_of(evaluation)
        label = dict(zip(unit_of[present[rows]], labels[rows[present[rows]]].tolist(), strict=True))
        known = {
            name: label[number]
            for name, number in zip(hashed, unit.tolist(), strict=True)
            if number in label
        }
        earlier = related(hashed, [*answers, *every])
        return cls(path, hashed, unit, known, earlier, len(every), _count(answers))

    def check_tried(self, evaluation: EvaluationNumbers) -> None:
        """Refuse numbers that are not sums over labels, because not all labelings are tried."""
        what, fix = other_numbers(evaluation), "leave interval= out"
        if what is not None and evaluation.options.interval == "auto":
            fix = "publish the AUC with a ledger, without measures="
        if any(earlier.statements.giving is not None for earlier in self.earlier):
            what = "an earlier publication with such numbers about these rows"
            fix = "use another ledger, which does not count that publication"
        if what is not None:
            raise InputError(
                f"a ledger judges numbers other than {SUMS} only if all labelings are tried, and "
                f"there are too many: {what}",
                where=evaluation.source, fix=fix,
            )  # fmt: skip

    def statements(self, page: Candidate) -> Statements:
        """Return the statements of a page: class sizes, AUCs, counts of the top and curves."""
        return self._stated(page.unit, _lines(page))

    def _stated(
        self, unit: NDArray[np.intp], lines: Iterable[Line],
        labelings: NDArray[np.bool_] | None = None, giving: NDArray[np.bool_] | None = None,
    ) -> Statements:  # fmt: skip
        lines = list(lines)
        weights = [np.bincount(unit, line, int(unit.max()) + 1) for line, _, _ in lines]
        ends = np.array([ends for _, *ends in lines], dtype=np.int64)
        return Statements.of(
            self.ids, self.unit, np.rint(weights).astype(np.int64), ends[:, 0], ends[:, 1],
            labelings, giving,
        )  # fmt: skip

    def left(
        self, evaluation: EvaluationNumbers, every: NDArray[np.bool_], mine: int, most: int
    ) -> LabelingsLeft | None:
        """Return the labelings that fit the ledger; None if more than ``most`` are tried.

        ``every`` has all labelings of the table, and ``mine`` is the number of the true labels.
        """
        if not self.earlier:
            return LabelingsLeft.alone(every)
        unit = dict(zip(self.ids, self.unit.tolist(), strict=True))
        sizes = self._stated(unit_of_row(evaluation), size_lines(evaluation))
        left = labelings_left(every, unit, sizes, self.earlier, most)
        if left is not None and not (left.table[left.by_rule] == mine).any():
            raise labels_changed()
        return left

    @property
    def pages(self) -> tuple[Publication, ...]:
        """The earlier publications without the refusals."""
        return tuple(earlier for earlier in self.earlier if not earlier.statements.refused)

    def together(self, page: Candidate, limits: Limits) -> JointExposure | None:
        """Judge the page with its earlier publications; None if the ledger is empty."""
        if not self.count + self.answers:
            return None
        stated = self.statements(page)
        joint = judged_together(stated, self.labels, self.pages, limits)
        if joint is None:
            joint = JointExposure(0, stated.weights.shape[1], 0.0, 0, 0, 0.0, "exact")
        return self._with_names(joint)

    def joined(self, page: Candidate) -> tuple[Joined, NDArray[np.intp]]:
        """Return the statements of the page and its earlier publications, and the common unit of
        each unit of the table.
        """
        joined = Joined.of([*(each.statements for each in self.pages), self.statements(page)])
        unit = np.zeros(int(self.unit.max()) + 1, dtype=np.intp)
        unit[self.unit] = [joined.unit[name] for name in self.ids]
        return joined, unit

    def exposure(self, surest: _FLOATS, limits: Limits) -> JointExposure | None:
        """Return the judgement by the probability of each unit's likelier label, of all units."""
        if not self.count + self.answers:
            return None
        return self._with_names(JointExposure(
            len(self.pages), len(surest), self.spent, int((surest == 1.0).sum()),
            int(limits.above(surest).sum()), rounded_up(float(surest.max())), "exact",
        ))  # fmt: skip

    def _with_names(self, joint: JointExposure) -> JointExposure:
        in_ledger = {row_id for earlier in self.earlier for row_id in earlier.statements.ids}
        return replace(joint, known=len(in_ledger.intersection(self.ids)), names=len(self.ids))

    @property
    def spent(self) -> float:
        """The bits of the earlier publications."""
        return sum(publication.bits for publication in self.earlier)

    def repeats(self, page: Candidate) -> bool:
        """Return whether earlier publications about the same rows have all numbers of the page."""
        if other_numbers(page.evaluation) is not None:
            return False
        stated = self.statements(page)
        units = stated.ids, stated.unit.tolist()
        known = {
            line
            for publication in self.earlier
            if units == (publication.statements.ids, publication.statements.unit.tolist())
            for line in _as_set(publication.statements)
        }
        return _as_set(stated) <= known

    def add(
        self, page: Candidate, bits: float, labelings: NDArray[np.bool_] | None,
        giving: NDArray[np.bool_] | None = None, *, refused: bool = False,
    ) -> bool:  # fmt: skip
        """Store the page; return False if the ledger has other publications than were judged.

        ``labelings`` are those that the rule leads to this page, if fewer than give its numbers, or
        to a refusal, which states no number. ``giving`` are those that give its numbers, if these
        are not all sums over labels.
        """
        lines: Iterable[Line] = _lines(page)
        if refused:
            weights, *_ = next(size_lines(page.inside))
            lines = [(weights, 0.0, float(weights.sum()))]
        stated = self._stated(page.unit, lines, labelings, giving)
        with Publications.open(self.path) as ledger, ledger.database.transaction():
            if _count(_answers(ledger)) != self.answers:
                return False
            return ledger.add(stated, bits, self.count)


def _answers(ledger: Publications) -> tuple[Publication, ...]:
    """Return the answers of the board in the same file, if it has one."""
    answers = tuple(parts.publications(ledger))
    if not answers and ledger.database.has_table("ledger"):
        raise InputError(
            "the answers in this file name no rows, so pages cannot be judged together with them",
            where="ledger", value=ledger.database.shown, fix="start a ledger with an empty file",
        )  # fmt: skip
    return answers


def _count(answers: Sequence[Publication]) -> int:
    return sum(len(publication.statements.low) for publication in answers)


def _as_set(stated: Statements) -> set[tuple[bytes, int, int]]:
    ends = zip(stated.weights, stated.low.tolist(), stated.high.tolist(), strict=True)
    return {(weights.tobytes(), low, high) for weights, low, high in ends}


def _lines(page: Candidate) -> Iterator[tuple[_FLOATS, float, float]]:
    """Yield the class sizes of the first score and its AUC, and then all other sums."""
    first, *sizes = size_lines(page.inside)
    yield first
    for scored in page.inside.parts:
        if scored.measure.name == "auc":
            allowed = rank_sums(page.result(scored), *scored.sizes)
            ranks = doubled_ranks(scored.in_memory.score).astype(np.float64)
            yield scored.on_table(ranks), allowed[0], allowed[-1]
        elif _of_the_top(scored.measure):
            yield top_line(scored, page.result(scored))
    yield from sizes
    yield from curve_lines(page)


SUMS = "AUCs, class sizes, curves, and precision, recall and lift of the top"


def other_numbers(evaluation: EvaluationNumbers) -> str | None:
    """Return the first requested number that is not a sum over labels; None without one."""
    for part in evaluation.parts:
        if part.measure.name != "auc" and not _of_the_top(part.measure):
            return part.measure.name
    name = evaluation.options.interval
    return None if name == "auto" else f"the interval {name}"


def _of_the_top(measure: BinaryMeasure) -> bool:
    return isinstance(measure, AtCut) and measure.prevalence == "rows"


def top_line(scored: ScoreResult, result: RoundedResult) -> Line:
    """Return the sum of the positives among the top rows, and its range for the rounded value.

    Rows that are tied at the cut count in part, so the sum is in units of a fraction of a row.
    """
    measure, score = scored.measure, scored.in_memory.score
    assert isinstance(measure, AtCut)
    (n_pos, _), rows = scored.sizes, len(score)
    count = measure.count(float(rows))
    last = np.sort(score)[::-1][math.ceil(count) - 1]
    above, tied = score > last, score == last
    above_cut = (Fraction(count) - int(above.sum())) / int(tied.sum())
    above_cut = above_cut.limit_denominator(_PARTS)
    unit = Fraction(1, 10**result.decimals)
    wanted = round(Fraction(result.value) / unit)

    def rounded(total: int) -> int:
        hits = total / above_cut.denominator
        value = of_hits(measure.of, hits, count / rows, float(n_pos), float(rows))
        return round(Fraction(value) / unit)

    each = Fraction(of_hits(measure.of, 1.0, count / rows, float(n_pos), float(rows)))
    low, high = (
        above_cut.denominator * (Fraction(wanted) + half) * unit / each
        for half in (Fraction(-1, 2), Fraction(1, 2))
    )
    sums = [
        total
        for end in (low, high)
        for total in range(math.floor(end) - 1, math.ceil(end) + 2)
        if total >= 0 and rounded(total) == wanted
    ]
    weights = above_cut.denominator * above + above_cut.numerator * tied
    return scored.on_table(weights.astype(np.float64)), float(min(sums)), float(max(sums))


def _check(evaluation: EvaluationNumbers) -> None:
    """Refuse tables whose labelings cannot be listed."""
    parts = evaluation.parts
    if any(part.rows is None for part in parts):
        what, fix = "an engine reduced the rows elsewhere", "evaluate the table in memory"
    elif any(part.in_memory.weight is not None for part in parts):
        what, fix = "the rows are weighted", "leave the weights out"
    else:
        return
    raise InputError(f"a ledger cannot judge this table: {what}", where=evaluation.source, fix=fix)


def _check_spelling(ledger: Publications, texts: list[str], earlier: Sequence[Publication]) -> None:
    """Refuse names that occur in earlier publications in another spelling only."""
    known = {row_id for publication in earlier for row_id in publication.statements.ids}
    if not known:
        return
    for text, hashed in zip(texts, ledger.named(texts), strict=True):
        if hashed in known:
            continue
        others = sorted(spellings(text))
        for other, of_other in zip(others, ledger.named(others), strict=True):
            if of_other in known:
                raise InputError(
                    f"an earlier publication in the ledger has this name as {other!r}",
                    where="id", value=text,
                    fix="write the names of rows as in the earlier tables",
                )  # fmt: skip

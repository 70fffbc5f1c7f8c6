"""The page that a rule chooses for each labeling, so that a reader of the rule learns no label."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import RocsolidError
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.many_pages import ManyPages, in_integers
from rocsolid.evaluation.public.proof import Proof
from rocsolid.evaluation.public.relabelled import (
    label_bits_of,
    labelings_of_units,
    of_the_unit_kind,
    relabelled,
    unit_of_row,
)
from rocsolid.evaluation.public.table_in_ledger import TableInLedger
from rocsolid.evaluation.public.together import LabelingsLeft
from rocsolid.evaluation.segment_evidence import EvaluationNumbers

TRIED = 1000
"""The limit on labelings that are published one by one, a few seconds of work."""

TRIED_TOGETHER = 100_000
"""The limit on labelings whose pages are computed together, as integers."""


def can_try(evaluation: EvaluationNumbers) -> bool:
    """Return whether the labels alone determine the page and the labelings are few.

    True for measures of rows with equal weights, without missing scores or resampled intervals.
    """
    most = TRIED_TOGETHER if in_integers(evaluation) else TRIED
    return label_bits_of(evaluation) <= math.log2(most) and all(
        part.rows is not None
        and part.rows.weight is None
        and part.kept is None
        and len(part.rows) == evaluation.n_rows
        and "resamples" not in part.overall.settings
        for part in evaluation.parts
    )


@dataclass(frozen=True, eq=False)
class RuleOutcome:
    """The page that the rule chooses for the true labels; None for a refusal.

    ``labelings`` are the labelings of the table with this outcome; None if all labelings with the
    numbers of a page have it. ``merged`` is whether a page was refused only so that the refusals
    of other labelings reveal no label.
    """

    chosen: tuple[Coarseness, Proof] | None
    labelings: NDArray[np.bool_] | None
    merged: bool = False


@dataclass(frozen=True, eq=False)
class _Grouped:
    """Some labelings by page, with the group's sums and its likeliest labels."""

    keys: NDArray[np.int64]
    group: NDArray[np.intp]
    sizes: NDArray[np.intp]
    positives: NDArray[np.float64]

    @cached_property
    def surest(self) -> NDArray[np.float64]:
        return _surest(self.positives, self.sizes)


def _surest(positives: NDArray[np.float64], sizes: NDArray[np.intp]) -> NDArray[np.float64]:
    share = positives / np.maximum(sizes, 1)[:, None]
    return np.maximum(share, 1.0 - share)


@dataclass(frozen=True, eq=False)
class _Published:
    """Labelings with the same outcome, and the probability of each unit's likelier label."""

    coarseness: Coarseness
    members: NDArray[np.intp]
    positives: NDArray[np.float64]
    surest: NDArray[np.float64]
    all_alike: bool


class EveryLabeling:
    """All labelings of the units with the class sizes, and the possible pages of each labeling.

    With a ledger, only labelings that fit the earlier publications are considered. ``in_ledger`` is
    whether they could be listed. ``unit_restricts`` is whether the page excludes labelings because
    it reports that the rows of some cluster have different labels.
    """

    def __init__(
        self, evaluation: EvaluationNumbers, choices: Sequence[Coarseness], limits: Limits,
        ledger: TableInLedger | None = None,
    ) -> None:  # fmt: skip
        truth = evaluation.parts[0].in_memory.positive
        unit = unit_of_row(evaluation)
        self.limits = limits
        every = labelings_of_units(np.bincount(unit), int(truth.sum()))
        alike = of_the_unit_kind(evaluation, every[:, unit])
        self.labelings, self.unit_restricts = every[alike], not alike.all()
        alone = len(evaluation.parts) == 1  # so that there are no comparisons
        together = in_integers(evaluation) and (alone or len(self.labelings) > TRIED)
        self.pages: _OneByOne | _Together = (_Together if together else _OneByOne)(
            evaluation, self.labelings[:, unit]
        )
        true = np.zeros(self.labelings.shape[1], dtype=bool)
        true[unit] = truth
        self.mine = int(np.flatnonzero((self.labelings == true).all(axis=1))[0])
        self.choices = [page for page in choices if self.pages.knows(page)]
        left = None
        if ledger is not None:
            left = ledger.left(evaluation, self.labelings, self.mine, TRIED_TOGETHER)
        self.in_ledger = left is not None
        self.ledger = ledger if self.in_ledger else None
        self.left = LabelingsLeft.alone(self.labelings) if left is None else left

    def with_limits(self, limits: Limits) -> EveryLabeling:
        """Return the same labelings and pages with other limits."""
        other = copy(self)
        other.limits = limits
        for of_limits in ("outcome", "_outcomes"):
            other.__dict__.pop(of_limits, None)
        return other

    @cached_property
    def outcome(self) -> RuleOutcome:
        """The outcome of the true labels: the first page within the limits, or a refusal.

        A reader who has this rule can infer from a coarser page that the finer ones were refused,
        so labelings with a finer page are excluded before the next page is judged. The shares of
        positives in a group are the posterior of a reader who considers all labelings equally
        likely. If the refused labelings expose labels, the pages of the fewest other labelings are
        refused too. No step depends on the true labels.
        """
        pages, refused, merged = self._outcomes
        mine = next((page for page in pages if self._is_mine(page.members).any()), None)
        if mine is None:
            return RuleOutcome(None, self._of_table(refused), merged)
        proof = self._proof(mine.surest, mine.members, by_rule=True)
        of_rule = None if mine.all_alike else self._of_table(mine.members)
        return RuleOutcome((mine.coarseness, proof), of_rule)

    @cached_property
    def _outcomes(self) -> tuple[list[_Published], NDArray[np.intp], bool]:
        """The pages that the rule publishes, the refused labelings, and `RuleOutcome.merged`."""
        left = np.flatnonzero(self.left.by_rule)
        pages: list[_Published] = []
        for coarseness in self.choices:
            if len(left):
                kept, published = self._published(left, coarseness)
                pages += published
                left = left[~kept]
        refused, merged = self._refused(left, pages)
        return pages, refused, not self._is_mine(left).any() and merged

    def without_page(self, accepts: Callable[[list[NDArray[np.intp]]], bool]) -> NDArray[np.bool_]:
        """Return the labelings of the table without a page if a further judge ``accepts`` a page
        by the labelings that `readers` returns.

        After a page of the rule that the judge rejects, the coarser pages are judged by their
        numbers alone.
        """
        of_rule = np.full(len(self.left.table), len(self.choices))
        for page in self._outcomes[0]:
            of_rule[page.members] = self.choices.index(page.coarseness)
        refused = self.left.by_rule.copy()
        for index, coarseness in enumerate(self.choices):
            keys = self._keys(np.arange(len(refused)), coarseness)
            for key in np.unique(keys[refused & (of_rule <= index) & (keys >= 0)]):
                alike = keys == key
                readers = self._readers(alike)
                holds = bool(self.limits.holds(self._surest_for(readers)))
                judged = refused & alike & (of_rule <= index if holds else of_rule == index)
                if judged.any() and accepts(readers):
                    refused &= ~judged
        return self._of_table(np.flatnonzero(refused))

    def _published(
        self, left: NDArray[np.intp], coarseness: Coarseness
    ) -> tuple[NDArray[np.bool_], list[_Published]]:
        """Return which labelings have a page within the limits, and these pages.

        With a ledger, a page must also hold for a reader of its numbers who does not know the rule.
        """
        some = left if self.ledger is None else np.arange(len(self.left.table))
        numbers = self._groups(some, coarseness)
        alike = numbers
        surest = numbers.surest
        group_of = numbers.group
        if self.ledger is not None:
            group_of = group_of[left]
            alike = self._sums(numbers.keys[left], group_of, left, len(numbers.sizes))
            surest = np.maximum(surest, alike.surest)
        holds = self.limits.holds(surest)
        holds[numbers.group[numbers.keys < 0]] = False
        kept = holds[group_of]
        members = left[kept][np.argsort(group_of[kept], kind="stable")]
        groups = np.unique(group_of[kept])
        ends = np.cumsum(alike.sizes[groups])[:-1]
        pages = [
            _Published(
                coarseness, inside, alike.positives[group], surest[group],
                bool(alike.sizes[group] == numbers.sizes[group]),
            )
            for group, inside in zip(groups.tolist(), np.split(members, ends), strict=False)
        ]  # fmt: skip
        return kept, pages

    def _refused(
        self, left: NDArray[np.intp], pages: list[_Published]
    ) -> tuple[NDArray[np.intp], bool]:
        """Return the refused labelings, with those of pages that are refused too.

        These pages are removed from ``pages``.
        """
        positives = self.left.labelings[left].sum(axis=0).astype(np.float64)
        pages.sort(key=lambda page: len(page.members))
        merged = False
        while len(left) and pages:
            if self.limits.holds(_surest(positives[None], np.array([len(left)])))[0]:
                break
            sizes = np.array([len(page.members) for page in pages])
            sums = np.array([page.positives for page in pages])
            enough = self.limits.holds(_surest(positives + sums, len(left) + sizes))
            page = pages.pop(int(enough.argmax()))
            left = np.concatenate((left, page.members))
            positives, merged = positives + page.positives, True
        return left, merged

    def _is_mine(self, members: NDArray[np.intp]) -> NDArray[np.bool_]:
        return np.asarray(self.left.table[members] == self.mine)

    def _of_table(self, members: NDArray[np.intp]) -> NDArray[np.bool_]:
        return self.labelings[np.unique(self.left.table[members])]

    def each(self) -> Iterator[tuple[Coarseness, Proof]]:
        """Yield every page of the true labels, with a proof from its numbers alone."""
        for coarseness in self.choices:
            readers = self.readers(coarseness)
            if readers:
                surest = self._surest_for(readers)
                yield coarseness, self._proof(surest, readers[0], by_rule=False)

    def _surest_for(self, readers: Sequence[NDArray[np.intp]]) -> NDArray[np.float64]:
        shares = np.array([self.left.labelings[members].mean(axis=0) for members in readers])
        return np.asarray(np.maximum(shares, 1.0 - shares).max(axis=0))

    def readers(self, coarseness: Coarseness) -> list[NDArray[np.intp]]:
        """Return the labelings that are left for a reader of the numbers of the true labels' page,
        and for one who also knows the rule of the earlier publications; none without a page.
        """
        every = np.arange(len(self.left.table))
        keys = self._keys(every, coarseness)
        mine = keys[self._is_mine(every)][0]
        if mine < 0:
            return []
        return self._readers(keys == mine)

    def _readers(self, alike: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
        members = np.flatnonzero(alike)
        ruled = self.left.by_rule[members]
        return [members] if ruled.all() else [members, members[ruled]]

    def giving(self, coarseness: Coarseness) -> NDArray[np.bool_]:
        """Return the labelings of the table that give the page of the true labels."""
        return self._of_table(self.readers(coarseness)[0])

    def _keys(self, some: NDArray[np.intp], coarseness: Coarseness) -> NDArray[np.int64]:
        table, at = np.unique(self.left.table[some], return_inverse=True)
        return self.pages.keys(table, coarseness)[at]

    def _groups(self, some: NDArray[np.intp], coarseness: Coarseness) -> _Grouped:
        """Group the labelings ``some`` by page."""
        keys = self._keys(some, coarseness)
        group = np.unique(keys, return_inverse=True)[1].reshape(-1)
        return self._sums(keys, group, some, int(group.max()) + 1)

    def _sums(
        self, keys: NDArray[np.int64], group: NDArray[np.intp], some: NDArray[np.intp], groups: int
    ) -> _Grouped:
        positives = np.zeros((groups, self.left.labelings.shape[1]))
        np.add.at(positives, group, self.left.labelings[some])
        return _Grouped(keys, group, np.bincount(group, minlength=groups), positives)

    def _proof(
        self, surest: NDArray[np.float64], members: NDArray[np.intp], *, by_rule: bool
    ) -> Proof:
        own = surest[self.left.unit]
        together = None if self.ledger is None else self.ledger.exposure(surest, self.limits)
        return Proof(
            "counted", int((own == 1.0).sum()), len(self.choices), own, self.limits,
            by_rule=by_rule, labelings=len(np.unique(self.left.table[members])), posterior="exact",
            together=together,
        )  # fmt: skip


class _OneByOne:
    """Pages of labelings as published; two pages are equal if their JSON is."""

    def __init__(self, evaluation: EvaluationNumbers, labelings: NDArray[np.bool_]) -> None:
        self.evaluations = [_relabelled(evaluation, labels) for labels in labelings]
        self._numbers: dict[str, int] = {}
        self._known: dict[tuple[int, Coarseness], int] = {}

    def knows(self, coarseness: Coarseness) -> bool:  # noqa: ARG002
        return True

    def keys(self, some: NDArray[np.intp], coarseness: Coarseness) -> NDArray[np.int64]:
        return np.array([self._key(at, coarseness) for at in some.tolist()], dtype=np.int64)

    def _key(self, labeling: int, coarseness: Coarseness) -> int:
        if (labeling, coarseness) not in self._known:
            evaluation = self.evaluations[labeling]
            text = "" if evaluation is None else Candidate(evaluation, coarseness).text
            key = self._numbers.setdefault(text, len(self._numbers)) if text else -1
            self._known[labeling, coarseness] = key
        return self._known[labeling, coarseness]


class _Together:
    """Pages of labelings as integers; pages with comparisons are excluded."""

    def __init__(self, evaluation: EvaluationNumbers, labelings: NDArray[np.bool_]) -> None:
        self.pages = ManyPages(evaluation, labelings)

    def knows(self, coarseness: Coarseness) -> bool:
        return coarseness.scores == 1 or not coarseness.comparisons

    def keys(self, some: NDArray[np.intp], coarseness: Coarseness) -> NDArray[np.int64]:
        return self.pages.keys(coarseness)[some]


def _relabelled(
    evaluation: EvaluationNumbers, labels: NDArray[np.bool_]
) -> EvaluationNumbers | None:
    try:
        return relabelled(evaluation, labels)
    except RocsolidError:
        return None

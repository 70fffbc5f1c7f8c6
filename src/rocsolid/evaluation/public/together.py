"""The labels that a reader of all publications in a ledger can infer, by row identity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.evaluation.public.draws import Draws, sampled
from rocsolid.evaluation.public.exposure_limits import JointExposure, Known, Limits, rounded_up
from rocsolid.evaluation.public.likely import LabelModel, model_of_lines
from rocsolid.evaluation.public.lines import Lines
from rocsolid.evaluation.public.witnesses import Search
from rocsolid.leaks.curve_exposure import RankedUnits, curve_exposure
from rocsolid.leaks.evidence import Line
from rocsolid.leaks.lattice import system
from rocsolid.leaks.posterior import search_labelings
from rocsolid.leaks.release.publications import Publication
from rocsolid.leaks.release.statements import Statements

_BOOLS = NDArray[np.bool_]
_FLOATS = NDArray[np.float64]
_INTS = NDArray[np.int64]

_LISTED = 30  # units whose labelings are all examined
_LABELINGS = 1_000_000  # partial labelings that such a search examines
_CELLS = 10_000_000  # the largest product of units and lines
_NODES = 20_000  # nodes in the search for labels of rows that left the table


@dataclass(frozen=True, eq=False)
class Joined:
    """The statements of several publications as constraints on the labels of common units.

    ``unit`` is the unit of each named row. ``sizes`` has a line for each publication, which counts
    the positive rows. The last publication's lines are ``sizes[-1]`` and ``ranks``, if it has one.
    """

    unit: Mapping[bytes, int]
    weights: _INTS
    low: _INTS
    high: _INTS
    sizes: _INTS
    ranks: _INTS | None
    n_pos: int

    @classmethod
    def of(cls, stated: Sequence[Statements]) -> Joined:
        unit, columns = _common_units(stated)
        count = max(unit.values()) + 1
        spread = []
        for page, column in zip(stated, columns, strict=True):
            weights = np.zeros((count, len(page.low)), dtype=np.int64)
            np.add.at(weights, column, page.weights.T)
            spread.append(weights.T)
        # by what is published of each unit, so that a ledger's key does not decide about a page
        order = np.lexsort(np.concatenate(spread))
        spread = [weights[:, order] for weights in spread]
        place = np.argsort(order)
        unit = {row: int(place[number]) for row, number in unit.items()}
        sizes = np.array([weights[0] for weights in spread])
        last = spread[-1]
        lines, line = np.unique(np.concatenate(spread), axis=0, return_inverse=True)
        low = np.full(len(lines), np.iinfo(np.int64).min)
        high = np.full(len(lines), np.iinfo(np.int64).max)
        np.maximum.at(low, line.reshape(-1), np.concatenate([page.low for page in stated]))
        np.minimum.at(high, line.reshape(-1), np.concatenate([page.high for page in stated]))
        ranks = last[1] if len(last) > 1 else None
        return cls(unit, lines, low, high, sizes, ranks, int(stated[-1].low[0]))

    def fits(self, labels: _BOOLS) -> _BOOLS:
        """Return which labelings, one per row, satisfy every statement."""
        sums = labels.astype(np.float64) @ self.weights.T.astype(np.float64)
        return np.asarray(((sums >= self.low) & (sums <= self.high)).all(axis=1))

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The units of the last publication from its highest score down, then all others."""
        size = self.sizes[-1]
        ranks = size if self.ranks is None else self.ranks
        mean = np.where(size > 0, ranks / np.maximum(size, 1), -np.inf)
        return np.argsort(-mean, kind="stable")

    def cuts(self) -> Iterator[tuple[int, int]]:
        """Yield the lines that count the positive rows in the first units of `order`, each with
        this number of units.
        """
        size = self.sizes[-1]
        for line, weights in enumerate(self.weights):
            first = int(np.count_nonzero(weights))
            among = self.order[:first]
            if (weights[among] == size[among]).all() and (size[among] > 0).all():
                yield line, first

    def by_order(self) -> RankedUnits | None:
        """Return the question for an exact count, if all lines are about one ranking."""
        size = self.sizes[-1]
        cuts = dict(self.cuts())
        others = [line for line in range(len(self.low)) if line not in cuts]
        if len(others) > 1 or (size == 0).any():
            return None
        ranked = others[0] if others else next(line for line in cuts if cuts[line] == len(size))
        targets = {self.n_pos: range(int(self.low[ranked]), int(self.high[ranked]) + 1)}
        bins = {first: (int(self.low[line]), int(self.high[line])) for line, first in cuts.items()}
        weights = self.weights[ranked][self.order]
        if (weights < 0).any():
            return None
        return RankedUnits(size[self.order], weights, targets, bins)


def judged_together(
    page: Statements, labels: Mapping[bytes, bool], earlier: Sequence[Publication], limits: Limits
) -> JointExposure | None:
    """Judge a page with the earlier publications about its rows; None if there are none.

    ``labels`` are the labels of the page's rows.
    """
    if not earlier:
        return None
    joined = Joined.of([*(publication.statements for publication in earlier), page])
    if joined.weights.size > _CELLS:
        raise InputError(
            "these publications have too many rows and numbers to be judged together",
            where="the ledger", value=joined.weights.size,
            fix=f"publish fewer scores; at most {_CELLS:,} rows times numbers",
        )  # fmt: skip
    truth = completed(joined, labels)
    if truth is None:
        raise labels_changed()
    how: Known
    counted, how = labelings_counted(joined), "exact"
    if counted is not None:
        surest = np.maximum(counted.share, 1.0 - counted.share)
        exposed = int((surest == 1.0).sum())
    else:
        open_units = unchanged(joined, truth, limits.exposed)
        share, surest, how = estimated(joined, limits)
        drawn_both = (how == "drawn") & (share > 0.0) & (share < 1.0)
        exposed = int((open_units & ~drawn_both).sum())
    bits = sum(publication.bits for publication in earlier)
    return JointExposure(
        len(earlier), len(truth), bits, exposed, int(limits.above(surest).sum()),
        rounded_up(float(surest.max())), how,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class LabelingsLeft:
    """Labelings of a table and of the rows of its earlier publications that fit the latter.

    ``table`` is the number of each labeling's part in the table, ``unit`` the column of each unit
    of the table. ``by_rule`` marks the labelings that the rule leads to the earlier publications
    and refusals.
    """

    labelings: _BOOLS
    table: NDArray[np.intp]
    unit: NDArray[np.intp]
    by_rule: _BOOLS

    @classmethod
    def alone(cls, labelings: _BOOLS) -> LabelingsLeft:
        count, units = labelings.shape
        return cls(labelings, np.arange(count), np.arange(units), np.ones(count, dtype=bool))


def labelings_left(
    every: _BOOLS, unit: Mapping[bytes, int], sizes: Statements, earlier: Sequence[Publication],
    most: int,
) -> LabelingsLeft | None:  # fmt: skip
    """Return the labelings that fit earlier publications; None if more than ``most`` are tried.

    ``every`` has the labelings of the table, ``unit`` the unit of each row, and ``sizes`` states
    the class sizes.
    """
    joined = Joined.of([*(publication.statements for publication in earlier), sizes])
    units = joined.weights.shape[1]
    column = np.zeros(every.shape[1], dtype=np.intp)
    column[list(unit.values())] = [joined.unit[row] for row in unit]
    gone = np.setdiff1d(np.arange(units), column)
    if len(every) << len(gone) > most:
        return None
    labelings = np.zeros((len(every), units), dtype=bool)
    labelings[:, column] = every
    agree = np.flatnonzero((labelings[:, column] == every).all(axis=1))
    ways = (np.arange(1 << len(gone))[:, None] >> np.arange(len(gone)) & 1).astype(bool)
    table = np.repeat(agree, len(ways))
    labelings = labelings[table]
    labelings[:, gone] = np.tile(ways, (len(agree), 1))
    fits = joined.fits(labelings)
    labelings, table = labelings[fits], table[fits]
    by_rule = np.ones(len(labelings), dtype=bool)
    gives = by_rule.copy()
    for publication in earlier:
        stated = publication.statements
        at = np.zeros(stated.weights.shape[1], dtype=np.intp)
        at[stated.unit] = [joined.unit[row] for row in stated.ids]
        for listed, among in ((stated.labelings, by_rule), (stated.giving, gives)):
            if listed is not None:
                packed = set(map(bytes, np.packbits(listed, axis=1)))
                each = np.packbits(labelings[:, at], axis=1)
                among &= np.array([bytes(labels) in packed for labels in each], dtype=bool)
    return LabelingsLeft(labelings[gives], table[gives], column, by_rule[gives])


def _common_units(stated: Sequence[Statements]) -> tuple[dict[bytes, int], list[NDArray[np.intp]]]:
    """Return the unit of each row, and for each publication the unit of each of its columns.

    Rows that share a label in one publication share it in all of them.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    node = {row: number for number, row in enumerate({row: 0 for s in stated for row in s.ids})}
    rows, columns, starts = [], [], []
    end = len(node)
    for page in stated:
        rows.append(np.array([node[row] for row in page.ids], dtype=np.intp))
        columns.append(page.unit + end)
        starts.append(end)
        end += page.weights.shape[1]
    i, j = np.concatenate(rows), np.concatenate(columns)
    graph = coo_array((np.ones(len(i), dtype=bool), (i, j)), shape=(end, end))
    unit = connected_components(graph, directed=False)[1].astype(np.intp)
    of_columns = np.split(unit, starts)[1:]
    return {row: int(unit[number]) for row, number in node.items()}, of_columns


def completed(joined: Joined, labels: Mapping[bytes, bool]) -> _BOOLS | None:
    """Return a labeling that fits all publications and has these labels; None if none was found."""
    truth = np.zeros(joined.weights.shape[1], dtype=bool)
    known = truth.copy()
    for row, label in labels.items():
        unit = joined.unit[row]
        known[unit], truth[unit] = True, label  # the check below notices rows that disagree
    free = np.flatnonzero(~known)
    if len(free):
        from scipy.optimize import Bounds, LinearConstraint, milp

        base = joined.weights @ truth
        weights = joined.weights[:, free].astype(np.float64)
        scale = np.abs(weights).max(axis=1) + 1e-300
        used = scale > 0.5
        solution = milp(
            np.zeros(len(free)),
            integrality=np.ones(len(free)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(
                weights[used] / scale[used, None],
                (joined.low - base)[used] / scale[used],
                (joined.high - base)[used] / scale[used],
            ),
            options={"node_limit": _NODES},
        )
        if solution.x is not None:
            truth[free] = np.rint(solution.x).astype(bool)
    return truth if joined.fits(truth[None, :])[0] else None


def labels_changed() -> InputError:
    return InputError(
        "no labels were found that agree with this table and with its earlier publications",
        where="the ledger",
        fix="check that the labels, pos_label, the scores and the column of row names are those of "
        "the earlier publications; corrected labels need a new ledger",
    )


def estimated(joined: Joined, limits: Limits) -> tuple[_FLOATS, _FLOATS, Known]:
    """Return P(label = 1) of each unit in sampled labelings or by the model, the probability of
    the likelier label or its bound, and the type.
    """
    model = joint_model(joined)
    far = 0.5 + limits.posterior / 2
    if int((model.surest > far).sum()) <= limits.exposed:
        draws = drawn_together(joined, model, limits.posterior)
        if draws is not None:
            return draws.share, draws.posterior(None), "drawn"
    units = len(joined.weights[0])
    nearest = np.clip(np.searchsorted(model.units, np.arange(units)), 0, len(model.units) - 1)
    return model.probability[nearest], model.surest[nearest], "independent"


def drawn_together(joined: Joined, model: LabelModel, most: float | None = None) -> Draws | None:
    """Sample labelings that fit all statements; None if too few samples do."""
    size = joined.sizes[-1].astype(np.intp)
    passed = np.cumsum(size[joined.order])
    bins = {
        int(passed[first - 1]): (int(joined.low[line]), int(joined.high[line]))
        for line, first in joined.cuts()
    }
    return sampled(model, size, joined.n_pos, joined.order, bins, joined.fits, most=most)


@dataclass(frozen=True, eq=False)
class Counted:
    """The number of labelings that fit, as accurate as a double, and P(label = 1) of each unit."""

    labelings: float
    share: _FLOATS


def labelings_counted(
    joined: Joined, units: int = _LISTED, most: int = _LABELINGS
) -> Counted | None:
    """Count all labelings that fit; None if the tables are too large, and the search is too.

    Tables with at most so many ``units`` are searched, up to ``most`` partial labelings.
    """
    ranked = joined.by_order()
    exposure = None if ranked is None else curve_exposure(ranked)
    if exposure is not None:
        share = np.zeros(len(joined.order))
        share[joined.order] = exposure.probability
        return Counted(float(exposure.positive[0] + exposure.negative[0]), share)
    none = np.zeros(joined.weights.shape[1], dtype=bool)
    if len(none) > units:
        return None
    lines = zip(joined.weights, joined.low.tolist(), joined.high.tolist(), strict=True)
    question = system([Line(*line) for line in lines], none, none)
    outcome = None if question is None else search_labelings(question, most)
    if outcome is None or not (outcome.complete and outcome.count and outcome.positive):
        return None
    share = np.array([ways / outcome.count for ways in outcome.positive])
    return Counted(float(outcome.count), share)


def joint_model(joined: Joined, logit: _FLOATS | None = None) -> LabelModel:
    """Fit the model of independent labels to all statements, with prior log-odds ``logit``."""
    size = joined.sizes[-1]
    first = int(np.flatnonzero((joined.weights == size).all(axis=1))[0])
    order = [first, *(line for line in range(len(joined.low)) if line != first)]
    rows = [
        (joined.weights[line].astype(np.float64), float(joined.low[line]), float(joined.high[line]))
        for line in order
    ]
    return model_of_lines(rows, np.arange(len(size)), logit)


def unchanged(joined: Joined, truth: _BOOLS, allowed: int) -> _BOOLS:
    """Return the units whose label no labeling was found to change; stop at ``allowed`` units."""
    constraints = Lines(
        *(one.astype(np.float64) for one in (joined.weights, joined.low, joined.high))
    )
    kind = np.unique(joined.sizes, axis=1, return_inverse=True)[1].reshape(-1).astype(np.int64)
    present = np.ones(len(truth), dtype=bool)
    # these constraints are all statements, so `joined.fits` is the proof
    search = Search(constraints, kind, truth, present, joined.fits, lambda _: True)
    return search.run(allowed, joined.weights.size)

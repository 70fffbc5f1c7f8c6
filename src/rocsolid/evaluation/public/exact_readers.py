"""Exact probabilities of each label, for readers who combine some numbers of a page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.lines import falling_units
from rocsolid.evaluation.public.many_pages import in_integers
from rocsolid.evaluation.public.segments import SEGMENT_ROWS, RoundedResult, shown_segments
from rocsolid.evaluation.segment_evidence import ScoreResult
from rocsolid.leaks.curve_exposure import RankedUnits, curve_exposure
from rocsolid.leaks.gaussian import log2_comb
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.results.interval import VALUE

_BOOLS = NDArray[np.bool_]
_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ExactReaders:
    """The largest probability of each unit's likelier label among the readers.

    ``covered`` marks the units that have either label in some labeling that gives the page.
    ``covered`` is None if the page has more numbers than were counted together.
    """

    surest: _FLOATS
    covered: _BOOLS | None


def exact_readers(page: Candidate) -> ExactReaders | None:
    """Compute the probabilities for readers of the class sizes with an AUC and a curve, or a
    segment.

    The result is None if no such count is small enough (`rocsolid.leaks.curve_exposure.CELLS`).
    """
    surest, covered = np.zeros(int(page.unit.max()) + 1), None
    for scored in page.inside.parts:
        if scored.measure.name != "auc" or scored.rows is None or scored.kept is not None:
            continue
        if scored.rows.weight is not None:
            continue
        for question, among, joined in _questions(scored, page):
            exposed = curve_exposure(question)
            if exposed is None:
                continue
            p = exposed.probability
            surest[among] = np.maximum(surest[among], np.maximum(p, 1.0 - p))
            if joined and _is_all(page):
                covered = np.zeros(len(surest), dtype=bool)
                covered[among] = exposed.covered
    return ExactReaders(surest, covered) if surest.any() else None


def _questions(
    scored: ScoreResult, page: Candidate
) -> Iterator[tuple[RankedUnits, NDArray[np.intp], bool]]:
    """Yield each question, its units, and whether it uses every published number of the score."""
    yield _overall(scored, page)
    if scored.grouped is not None and len(page.unit) == int(page.unit.max()) + 1:
        score = scored.in_memory.score
        for group in shown_segments(page.inside):
            rows, result = scored.grouped.groups.rows(group), page.result(scored, group)
            question = _segment(score[rows], result, scored.sizes[0], len(score))
            yield question, page.unit[rows], False


def _overall(scored: ScoreResult, page: Candidate) -> tuple[RankedUnits, NDArray[np.intp], bool]:
    score = scored.in_memory.score
    rows_of = np.bincount(page.unit)
    weights = np.bincount(page.unit, doubled_ranks(score)).astype(np.int64)
    order, level = falling_units(score, page.unit)
    counts = [counts for name, counts in page.published.curves if name == scored.score]
    cuts = {}
    if counts and level:
        units_above = np.searchsorted(np.cumsum(rows_of[order]), counts[0].above) + 1
        cuts = dict(zip(units_above.tolist(), counts[0].bins.values(), strict=True))
    n_pos, n = scored.sizes[0], len(score)
    targets = {n_pos: rank_sums(page.result(scored), n_pos, n - n_pos)}
    question = RankedUnits(rows_of[order], weights[order], targets, cuts)
    return question, order, not counts or bool(cuts)


def page_question(page: Candidate) -> tuple[RankedUnits, NDArray[np.intp]] | None:
    """Return the question for the class sizes, value and curve of a page with one AUC, and its
    units.
    """
    scored, *others = page.inside.parts
    if others or scored.measure.name != "auc" or scored.rows is None:
        return None
    if scored.kept is not None or scored.rows.weight is not None or page.coarseness.segments:
        return None
    question, order, joined = _overall(scored, page)
    return (question, order) if joined else None


def _segment(score: NDArray[np.generic], result: RoundedResult, n_pos: int, n: int) -> RankedUnits:
    """Return the question for a segment whose class sizes are not published.

    Each size is weighted by the number of labelings of the other rows.
    """
    rows, elsewhere = len(score), n - len(score)
    sizes = range(max(SEGMENT_ROWS, n_pos - elsewhere), min(rows - SEGMENT_ROWS, n_pos) + 1)
    bits = {k: log2_comb(elsewhere, n_pos - k) for k in sizes}
    worth = {k: 2.0 ** (bits[k] - max(bits.values())) for k in sizes}
    ranks = doubled_ranks(score)
    order = np.argsort(-ranks, kind="stable")
    targets = {k: rank_sums(result, k, rows - k) for k in sizes}
    return RankedUnits(np.ones(rows, dtype=np.int64), ranks[order], targets, {}, worth)


def rank_sums(result: RoundedResult, n_pos: int, n_neg: int) -> range:
    return rounded_rank_sums(result.text, result.decimals, n_pos, n_neg)


def rounded_rank_sums(text: str, decimals: int, n_pos: int, n_neg: int) -> range:
    """Return the doubled rank sums whose AUC rounds to the value, a half to the even last digit."""
    pairs, places = 2 * n_pos * n_neg, 10**decimals
    value = round(Fraction(text) * places)
    low = max(0, math.ceil(Fraction((2 * value - 1) * pairs, 2 * places)))
    high = min(pairs, math.floor(Fraction((2 * value + 1) * pairs, 2 * places)))
    low += round(Fraction(low * places, pairs)) != value
    high -= round(Fraction(high * places, pairs)) != value
    least = n_pos * (n_pos + 1)
    return range(least + low, least + high + 1)


def _is_all(page: Candidate) -> bool:
    """Return whether no other number on the page depends on the labels."""
    inside = page.inside
    if len(inside.parts) != 1 or page.published.pairs or not in_integers(inside):
        return False
    overall, result = inside.parts[0].overall, page.published.overall[0]
    half = 0.5 * 10.0**-result.decimals
    exists = inside.options.interval == "auto" or half < result.value < 1.0 - half
    return exists and (not page.coarseness.limits or overall.interval.reads <= VALUE)

"""Random labelings that give a page, and how often each label is positive in them.

Every labeling that gives the page is equally likely. Samples come from the model of `label_model`,
restricted to the class sizes and the first curve. A sample with the same page is accepted with a
probability that corrects for the model. The seed is fixed, and the samples depend on the page and
the scores, so that a reader could repeat them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.likely import LabelModel
from rocsolid.evaluation.public.lines import falling_units
from rocsolid.evaluation.public.many_pages import ManyPages

_BOOLS = NDArray[np.bool_]
_FLOATS = NDArray[np.float64]

WANTED = 4000  # sampled labelings
FEWEST = 400  # fewer labelings give no result
_TABLE = 8_000_000  # units times positives
_WORK = 150_000_000  # rows times drawn labelings
_BLOCK = 4_000_000
_TIMES = 4
_SURE = 4.0  # standard errors allowed for the share in a sample


@dataclass(frozen=True, eq=False)
class Draws:
    """The share of positive labels, by unit, among ``count`` labelings that give the page.

    ``wider_share`` is the share among the ``wider_count`` labelings with the class sizes, the AUCs
    and the curve of the page, for any intervals.
    """

    share: _FLOATS
    count: int
    wider_share: _FLOATS
    wider_count: int

    def posterior(self, counted: _FLOATS | None) -> _FLOATS:
        """Return an upper bound on the probability of the likelier label, for the two readers.

        The bound is the upper limit of Wilson's interval with four standard errors. ``counted`` is
        the exact probability for the reader of the class sizes, the AUCs and the curve, if
        available.
        """
        wider = _upper(self.wider_share, self.wider_count) if counted is None else counted
        return np.maximum(_upper(self.share, self.count), wider)

    @property
    def reached(self) -> float:
        return float(np.maximum(self.share, 1.0 - self.share).max())

    @property
    def covered(self) -> _BOOLS:
        return (self.share > 0.0) & (self.share < 1.0)


def _undecided(share: _FLOATS, count: int, most: float | None) -> bool:
    surer = np.maximum(share, 1.0 - share)
    return most is not None and surer.max() <= most < _upper(share, count).max()


def _upper(share: _FLOATS, count: int) -> _FLOATS:
    return upper_limit(np.maximum(share, 1.0 - share), count)


def upper_limit(share: _FLOATS, count: int) -> _FLOATS:
    """Return the upper limit of Wilson's interval with four standard errors.

    >>> upper_limit(np.array([0.5, 1.0]), 10_000).round(3)
    array([0.52, 1.  ])
    """
    square = _SURE**2
    spread = np.sqrt(share * (1.0 - share) / count + square / (4 * count**2))
    return np.asarray((share + square / (2 * count) + _SURE * spread) / (1.0 + square / count))


def drawn(
    page: Candidate, model: LabelModel, *, wanted: int = WANTED, most: float | None = None
) -> Draws | None:
    """Sample labelings that give the page; None if too few do, or if the table is too large.

    The pages must be known as integers.
    """
    first, curves, unit = page.inside.parts[0], page.published.curves, page.unit
    truth = first.in_memory.positive
    order, level = falling_units(first.in_memory.score, unit)
    bins = curves[0][1].bins if curves and level else {}

    def same(labels: _BOOLS) -> _BOOLS:
        rows = np.concatenate((truth[None, :], labels[:, unit]))
        return ManyPages(page.inside, rows).as_first(page.coarseness)[1:]

    sizes = np.bincount(unit)
    return sampled(model, sizes, first.sizes[0], order, bins, same, wanted=wanted, most=most)


def sampled(
    model: LabelModel,
    sizes: NDArray[np.intp],
    n_pos: int,
    order: NDArray[np.intp],
    bins: Mapping[int, tuple[int, int]],
    same: Callable[[_BOOLS], _BOOLS],
    *,
    wanted: int = WANTED,
    most: float | None = None,
) -> Draws | None:
    """Sample labelings that satisfy the model's constraints and ``same``; None if too few do.

    Units with ``sizes`` rows contain ``n_pos`` positive rows. ``bins`` limits the positives among
    the first rows in ``order``. If the bound exceeds ``most`` and the share in the samples does
    not, the sample grows up to `_TIMES` times.
    """
    rows = max(len(sizes), int(sizes.sum()))
    if len(model.units) < len(sizes) or len(sizes) * (n_pos + 1) > _TABLE:
        return None
    random = np.random.default_rng(0)
    chances = _Chances(model.probability, sizes, n_pos, order, bins)
    block = max(1, _BLOCK // rows)
    edge = np.where(model.tilt > 0.0, model.low, model.high)
    share, wider = np.zeros(len(sizes)), np.zeros(len(sizes))
    count = wider_count = made = 0
    work = _WORK * wanted // WANTED
    while made < work and (
        count < wanted or (count < _TIMES * wanted and _undecided(share / count, count, most))
    ):
        labels = chances.draw(block, random)
        made += len(labels) * rows
        sums = (model.weights @ labels.T).T
        inside = ((sums >= model.low) & (sums <= model.high)).all(axis=1)
        excess = (sums[:, 1:] - edge[1:]) @ model.tilt[1:]
        kept = labels[inside & (np.log(random.random(len(labels))) <= -excess)]
        if len(kept):
            fits = kept[same(kept)]
            wider += kept.sum(axis=0)
            wider_count += len(kept)
            share += fits.sum(axis=0)
            count += len(fits)
        if made * FEWEST > work * max(1, count) * 4:
            return None  # the acceptance rate is too low
    if count < FEWEST:
        return None
    return Draws(share / count, count, wider / wider_count, wider_count)


class _Chances:
    """The probability of a positive label for each unit in turn, given the positives before it.

    The model is conditioned on the number of positives and on the bins at the cuts of the first
    curve, by a recursion from the last unit back.
    """

    def __init__(
        self,
        probability: _FLOATS,
        units: NDArray[np.intp],
        n_pos: int,
        order: NDArray[np.intp],
        bins: Mapping[int, tuple[int, int]],
    ) -> None:
        self.sizes, self.order = units, order
        p = np.clip(probability, 1e-12, 1.0 - 1e-12)[order]
        sizes = units[order].tolist()
        passed = np.concatenate(([0], np.cumsum(sizes))).tolist()
        after = np.zeros(n_pos + 1)
        after[n_pos] = 1.0
        self.chance = np.zeros((len(sizes), n_pos + 1))
        for place in range(len(sizes) - 1, -1, -1):
            if passed[place + 1] in bins:
                low, high = bins[passed[place + 1]]
                after[:low] = 0.0
                after[high + 1 :] = 0.0
            with_it = np.zeros(n_pos + 1)
            if sizes[place] <= n_pos:
                with_it[: n_pos + 1 - sizes[place]] = p[place] * after[sizes[place] :]
            both = (1.0 - p[place]) * after + with_it
            np.divide(with_it, both, out=self.chance[place], where=both > 0.0)
            after = both / both.max()

    def draw(self, many: int, random: np.random.Generator) -> _BOOLS:
        """Return ``many`` labelings, one per row, stored unit by unit."""
        labels = np.empty((len(self.sizes), many), dtype=bool)
        positives = np.zeros(many, dtype=np.intp)
        for chance, unit in zip(self.chance, self.order.tolist(), strict=True):
            label = np.less(random.random(many), chance.take(positives), out=labels[unit])
            size = int(self.sizes[unit])
            positives += label if size == 1 else label * size
        return labels.T

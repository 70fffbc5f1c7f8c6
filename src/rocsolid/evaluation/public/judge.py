"""Judge a page by its exchanges or by random labelings that give the same page.

Labelings are drawn at random from all that give a page, to estimate how often each label is
positive.

All labelings that give the page are equally likely. They are drawn from the model of `label_model`
with the exact class sizes and the first curve, and accepted with a probability that corrects for
the model's preference, if the page is the same. The draws are seeded and start from the page and
the scores: a reader could repeat them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError
from rocsolid.evaluation.curve_panel import by_score
from rocsolid.evaluation.public.any_exchange import alone, any_exchange
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.every_labeling import Proof
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.likely import LabelModel, label_model
from rocsolid.evaluation.public.lines import centres
from rocsolid.evaluation.public.many_pages import ManyPages, in_integers
from rocsolid.evaluation.public.public_numbers import PublicNumbers, restricted, without_audit
from rocsolid.evaluation.public.relabelled import labels_of, relabelled, unit_of_row
from rocsolid.evaluation.public.witnesses import CELLS, uncovered
from rocsolid.evaluation.segment_evidence import EvaluationNumbers

_MARGIN = 1.25  # exchanges that a value should be away from where it rounds otherwise
_STEPS = 400
_PAIRS = 1024
_TRIES = 2


def centred(
    evaluation: EvaluationNumbers, coarseness: Coarseness, published: PublicNumbers
) -> Iterator[EvaluationNumbers]:
    """The evaluation after some exchanges: the same page, with values far from rounding boundaries.

    A few hundred exchanges change each value of a large table by less than its last decimal. The
    new page is verified to be the same; the caller checks whether all its numbers are far enough.
    """
    inside = restricted(evaluation, coarseness)
    plain = all(
        part.kept is None
        and part.in_memory.weight is None
        and (part.measure.pairwise or part.measure.of_table(part.in_memory) is not None)
        for part in inside.parts
    )
    if not plain or inside.segments is not None:
        return
    goal = centres(inside, published, _MARGIN)
    if goal is None:
        return
    truth, _ = labels_of(inside)
    text = json.dumps(published.to_dict(), default=str)
    for seed in range(_TRIES):
        random = np.random.default_rng(seed)
        pos, neg = (random.permutation(np.flatnonzero(truth == wanted)) for wanted in (True, False))
        labels, sums = truth.copy(), goal.weights @ truth
        for _ in range(_STEPS):
            down, up = random.choice(pos, _PAIRS), random.choice(neg, _PAIRS)
            fresh = labels[down] & ~labels[up]
            down, up = down[fresh], up[fresh]
            if not len(down):
                break
            change = goal.weights[:, up] - goal.weights[:, down]
            beyond = goal.beyond(sums[:, None] + change)
            best = int(np.argmin(beyond))
            labels[down[best]], labels[up[best]] = False, True
            sums = sums + change[:, best]
            if beyond[best] == 0.0:
                break
        exchanged = relabelled(evaluation, labels)
        try:
            same = json.dumps(without_audit(exchanged, coarseness).to_dict(), default=str) == text
        except RocsolidError:
            continue
        if same:
            yield exchanged


_BOOLS = NDArray[np.bool_]
_FLOATS = NDArray[np.float64]

WANTED = 4000  # labelings that are drawn
FEWEST = 400  # with fewer nothing is said
_TABLE = 8_000_000  # units times positives
_WORK = 150_000_000  # rows times drawn labelings
_BLOCK = 4_000_000
_SURE = 4.0  # standard errors that are allowed for the error of a share of the draws


@dataclass(frozen=True, eq=False)
class Draws:
    """The share of ``count`` labelings of the page with a positive label, by unit.

    ``wider_share`` is for the ``wider_count`` labelings with the class sizes, the AUCs and the
    curve of the page, whatever its intervals.
    """

    share: _FLOATS
    count: int
    wider_share: _FLOATS
    wider_count: int

    @property
    def posterior(self) -> _FLOATS:
        """An upper bound on the probability of the likelier label, for readers with and without
        intervals.

        The upper limit of Wilson's interval of four standard errors.
        """
        return np.maximum(
            _upper(self.share, self.count), _upper(self.wider_share, self.wider_count)
        )

    @property
    def covered(self) -> _BOOLS:
        """The units that have either label in some of the labelings."""
        return (self.share > 0.0) & (self.share < 1.0)


def _upper(share: _FLOATS, count: int) -> _FLOATS:
    """
    >>> _upper(np.array([0.5, 1.0]), 10_000).round(3)
    array([0.52, 1.  ])
    """
    surer, square = np.maximum(share, 1.0 - share), _SURE**2
    spread = np.sqrt(surer * (1.0 - surer) / count + square / (4 * count**2))
    return (surer + square / (2 * count) + _SURE * spread) / (1.0 + square / count)


def drawn(
    evaluation: EvaluationNumbers,
    coarseness: Coarseness,
    published: PublicNumbers,
    model: LabelModel,
    unit: NDArray[np.intp],
    *,
    wanted: int = WANTED,
) -> Draws | None:
    """Draw labelings; None if too few draws give the page, or the table is too large.

    ``evaluation`` is the restricted one, with pages as integers.
    """
    truth = evaluation.parts[0].in_memory.positive
    sizes = np.bincount(unit)
    n_pos = int(truth.sum())
    if len(model.units) < len(sizes) or len(sizes) * (n_pos + 1) > _TABLE:
        return None
    random = np.random.default_rng(0)
    chances = _Chances(evaluation, published, model, unit)
    block = max(1, _BLOCK // len(unit))
    edge = np.where(model.tilt > 0.0, model.low, model.high)
    share, wider = np.zeros(len(sizes)), np.zeros(len(sizes))
    count = wider_count = made = 0
    work = _WORK * wanted // WANTED
    while count < wanted and made < work:
        labels = chances.draw(block, random)
        made += len(labels) * len(unit)
        sums = labels @ model.weights.T
        inside = ((sums >= model.low) & (sums <= model.high)).all(axis=1)
        excess = (sums[:, 1:] - edge[1:]) @ model.tilt[1:]
        kept = labels[inside & (np.log(random.random(len(labels))) <= -excess)]
        if len(kept):
            rows = np.concatenate((truth[None, :], kept[:, unit]))
            keys = ManyPages(evaluation, rows).keys(coarseness)
            same = kept[keys[1:] == keys[0]]
            wider += kept.sum(axis=0)
            wider_count += len(kept)
            share += same.sum(axis=0)
            count += len(same)
        if made * FEWEST > work * max(1, count) * 4:
            return None  # at this pace too few would be found
    if count < FEWEST:
        return None
    return Draws(share / count, count, wider / wider_count, wider_count)


class _Chances:
    """The probability of a positive label of each unit in turn, given the positives before it.

    The model is conditioned on the number of positives and on the bin of the first curve at each
    cut, by a backward recursion from the last unit.
    """

    def __init__(
        self,
        evaluation: EvaluationNumbers,
        published: PublicNumbers,
        model: LabelModel,
        unit: NDArray[np.intp],
    ) -> None:
        score = evaluation.parts[0].in_memory.score.astype(np.float64)
        self.sizes = np.bincount(unit)
        n_pos = int(evaluation.parts[0].overall.n_pos)
        highest, lowest = np.full(len(self.sizes), -np.inf), np.full(len(self.sizes), np.inf)
        np.maximum.at(highest, unit, score)
        np.minimum.at(lowest, unit, score)
        self.order = np.argsort(-highest, kind="stable")
        bins = {}
        if published.curves and (highest == lowest).all():
            counts = published.curves[0][1]
            bins = {
                above: (low, high)
                for above, low, high in zip(
                    counts.above.tolist(), counts.low.tolist(), counts.high.tolist(), strict=True
                )
            }
        p = np.clip(model.probability, 1e-12, 1.0 - 1e-12)[self.order]
        sizes = self.sizes[self.order].tolist()
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
        labels = np.zeros((many, len(self.sizes)), dtype=bool)
        positives = np.zeros(many, dtype=np.intp)
        for at, unit in enumerate(self.order.tolist()):
            label = random.random(many) < self.chance[at][positives]
            labels[:, unit] = label
            positives += label * int(self.sizes[unit])
        return labels


_SCORES = 3  # of a page whose scores are too many to draw labelings for all together
_FEW = 1000  # labelings that are drawn for each of these


def judged(
    evaluation: EvaluationNumbers,
    coarseness: Coarseness,
    limits: Limits,
    *,
    pages: int,
    finest: bool,
) -> Proof | None:
    """The proof that a page is within the limits, or None.

    The draws, and so the result if they settle it, follow from the page and the scores. All
    labelings of the ``finest`` page also lead to it by the selection rule, because nothing was
    refused before.
    """
    if _lonely(evaluation, coarseness) > limits.exposed:
        return None
    published = without_audit(evaluation, coarseness)
    likely = _likely(evaluation, coarseness, published, limits)
    if likely is None or _above(likely.surest, published.n_units, limits) > limits.exposed:
        return None
    if likely.draws is not None and likely.draws.covered.all():
        if not limits.holds(likely.surest):
            return None
        return Proof(
            "drawn", 0, pages, likely.surest, limits, by_rule=finest,
            labelings=likely.draws.count, posterior="drawn",
        )  # fmt: skip
    found = _certain(evaluation, coarseness, published, limits.exposed)
    if found is None:
        return None
    bounded, exposed = found
    if likely.draws is not None:
        exposed = min(exposed, int((~likely.draws.covered).sum()))
    return Proof(
        "bounded" if bounded else "exchanged", exposed, pages, likely.surest, limits,
        by_rule=False, posterior="independent" if likely.draws is None else "drawn",
    )  # fmt: skip


def likeliest(evaluation: EvaluationNumbers, coarseness: Coarseness) -> float:
    """The probability of the likeliest label of a page, ignoring limits."""
    likely = _likely(evaluation, coarseness, without_audit(evaluation, coarseness), None)
    assert likely is not None
    return float(likely.surest.max())


@dataclass(frozen=True, eq=False)
class _Likely:
    """The probability of each row's likelier label, and draws if they are of the whole page."""

    surest: NDArray[np.float64]
    draws: Draws | None


def _likely(
    evaluation: EvaluationNumbers,
    coarseness: Coarseness,
    published: PublicNumbers,
    limits: Limits | None,
) -> _Likely | None:
    """The likely labels; None without draws if far too many labels exceed the limit."""
    inside = restricted(evaluation, coarseness)
    unit = unit_of_row(evaluation)
    model = label_model(inside, published, unit)
    if limits is not None and _hopeless(model, published.n_units, limits):
        return None
    draws = drawn(inside, coarseness, published, model, unit) if in_integers(inside) else None
    if draws is None:
        return _Likely(_by_score(inside, coarseness, published, model, unit), None)
    whole = coarseness.scores == 1 or not coarseness.comparisons
    return _Likely(draws.posterior, draws if whole else None)


def _hopeless(model: LabelModel, units: int, limits: Limits) -> bool:
    far = 0.5 + limits.posterior / 2
    return int((model.surest > far).sum()) * _times(model.surest, units) > limits.exposed


def _times(surest: NDArray[np.float64], units: int) -> float:
    return max(1.0, units / len(surest))


def _above(surest: NDArray[np.float64], units: int, limits: Limits) -> float:
    if limits.posterior == 1.0:
        return 0.0  # those that may be certain are looked for one by one
    return float(limits.above(surest).sum()) * _times(surest, units)


def _by_score(
    inside: EvaluationNumbers,
    coarseness: Coarseness,
    published: PublicNumbers,
    model: LabelModel,
    unit: NDArray[np.intp],
) -> NDArray[np.float64]:
    """The larger probability from the model of the whole page and from draws for single scores."""
    surest = model.surest
    parts = by_score(inside)
    if len(surest) < published.n_units or not in_integers(inside) or len(parts) < 2:
        return surest
    for part in parts[:_SCORES]:
        alone = replace(inside, parts=(part,))
        page = replace(
            published,
            results=tuple(r for r in published.results if r.score == part.score),
            curves=tuple(c for c in published.curves if c[0] == part.score),
            pairs=(),
        )
        coarse = replace(coarseness, scores=1, comparisons=False)
        model = label_model(alone, page, unit)
        draws = drawn(alone, coarse, page, model, unit, wanted=_FEW)
        if draws is not None:
            surest = np.maximum(surest, draws.posterior)
    return surest


def _certain(
    evaluation: EvaluationNumbers, coarseness: Coarseness, published: PublicNumbers, allowed: int
) -> tuple[bool, int] | None:
    """Whether no exchange changes the page, and how many labels could be certain."""
    lonely = _lonely(evaluation, coarseness)
    exchangeable = _exchangeable(evaluation)
    if exchangeable and any_exchange(evaluation, coarseness, published):
        return True, lonely
    exposed = published.n_units
    if all(part.rows is not None for part in evaluation.parts):
        for other in centred(evaluation, coarseness, published) if exchangeable else ():
            if any_exchange(other, coarseness, published):
                return True, lonely
        if evaluation.n_rows * coarseness.scores <= CELLS:
            exposed = uncovered(evaluation, coarseness, published, allowed)
    return (False, exposed) if exposed <= allowed else None


def _exchangeable(evaluation: EvaluationNumbers) -> bool:
    """Whether rows change their labels one by one.

    Rows that share a label change it together, and this sharing depends on the labels.
    """
    return evaluation.copy_of is None and evaluation.cluster is None


def _lonely(evaluation: EvaluationNumbers, coarseness: Coarseness) -> int:
    return alone(evaluation, coarseness) if _exchangeable(evaluation) else 0

"""Figures 1 to 4 of Wang et al. 2013 on lists whose relevance curves are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.discounts import Discount, exponential, frac, log2, power
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics import curves, limit, predicted_ndcg
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.distinguishing.at_size import Share, sign
from rocsolid.theory.asymptotics.distinguishing.compared_list import (
    ComparedList,
    Weights,
    sampled_ndcg,
)
from rocsolid.theory.asymptotics.distinguishing.distinguish import spoken
from rocsolid.theory.study.tables_2005 import Cell, StudyTable

STANDARD, HALF_POWER, FAST, CUT = range(4)
"""Their positions in ``MEASURES``, in the order of figures 1 to 4."""

MEASURES: tuple[tuple[Discount, Cutoff], ...] = (
    (log2(), Cutoff()),
    (power(0.5), Cutoff()),
    (exponential(2), Cutoff()),
    (log2(), frac(0.2)),
)
NAMES = tuple(spoken(discount, cutoff) for discount, cutoff in MEASURES)


def weights(longest: int) -> list[Weights]:
    return [Weights.of(discount, [cutoff], longest) for discount, cutoff in MEASURES]


_F = NDArray[np.float64]
Done = Callable[[int], None]

RANKERS: dict[str, Curve] = {
    "strong": curves.linear(0.1, 0.6),
    "weak": curves.linear(0.25, 0.45),
    "random": curves.constant(0.35),
}
PAIRS = (("strong", "weak"), ("weak", "random"))
"""The ranker that is better in the long run comes first."""

EQUAL_LIMITS: dict[str, Curve] = {
    "flat": curves.constant(0.35),
    "bent": curves.from_function(
        lambda s: 0.35 + 0.15 * (1.0 - 12.0 * (1.0 - s) + 15.0 * (1.0 - s) ** 2), name="bent"
    ),
}
"""With q(t) = 1 − 12t + 15t², ∫q = ∫q·t^−½ = 0: the limits by r^−½ are equal, the tops are not.

By the logarithm the flat curve is ahead, as ∫q·ln t = 1/3 (Lemma 3). Over the first fifth ∫q = 0
too, and ∫q·ln t = −.093: with the cut-off n/5 the bent curve is ahead.
"""


@dataclass(frozen=True, slots=True)
class SimulationSizes:
    figure_items: int = 20_000
    sign_lists: int = 400
    sign_items: int = 20_000
    long_lists: int = 10
    long_items: int = 1_000_000

    @property
    def items(self) -> int:
        return (
            self.figure_items
            + 2 * self.sign_lists * self.sign_items
            + self.long_lists * self.long_items
        )


FULL = SimulationSizes()
QUICK = SimulationSizes(20_000, 100, 2_000, 3, 100_000)


def simulated(plan: SimulationSizes, seed: int, done: Done) -> tuple[StudyTable, ...]:
    steps = np.arange(1, 101) * plan.figure_items // 100
    figures = _grown(1, steps.tolist(), stream(seed, 20), done)
    many = [n for n in _ROUND if n <= plan.sign_items]
    signs = _grown(plan.sign_lists, many, stream(seed, 21), done)
    few = [n for n in _ROUND if plan.sign_items < n <= plan.long_items]
    far = _grown(plan.long_lists, few, stream(seed, 22), done)
    equal = _grown(plan.sign_lists, many, stream(seed, 23), done, EQUAL_LIMITS)
    return (
        figure_table("simulated_figures", "A simulated list: NDCG as it grows", tuple(RANKERS),
                     steps.tolist(), figures[..., 0]),
        _convergence([*many, *few], [*signs.transpose(2, 0, 1, 3), *far.transpose(2, 0, 1, 3)]),
        _signs(
            "simulated_signs", "Simulated single lists: how often the better ranker is ahead",
            many, dict(zip(RANKERS, signs, strict=True)), PAIRS, range(len(NAMES)),
        ),
        _signs(
            "simulated_equal_limits",
            "Two rankers with equal limits: how often the flat curve is ahead",
            many, dict(zip(EQUAL_LIMITS, equal, strict=True)), (("flat", "bent"),),
            (STANDARD, HALF_POWER, CUT),
        ),
    )  # fmt: skip


_ROUND = [digit * 10**power for power in range(1, 7) for digit in (1, 2, 5)]


def figure_table(
    name: str, title: str, rankers: tuple[str, ...], sizes: list[int], values: _F
) -> StudyTable:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (i + 1, measure, n, *(float(values[r, i, j]) for r in range(len(rankers))))
        for i, measure in enumerate(NAMES)
        for j, n in enumerate(sizes)
    )
    return StudyTable(name, title, ("figure", "measure", "n", *rankers), rows)


def _grown(
    lists: int,
    sizes: list[int],
    random: np.random.Generator,
    done: Done,
    rankers: Mapping[str, Curve] = RANKERS,
) -> _F:
    longest = sizes[-1]
    weighed = weights(longest)
    time = np.arange(1, longest + 1, dtype=np.int32)[None, :]
    values = []
    for _ in range(lists):
        items = _drawn(longest, random, rankers)
        values.append(sampled_ndcg(items, time, [(0, n) for n in sizes], weighed)[..., 0])
        done(longest)
    return np.stack(values, axis=-1)


def _drawn(n: int, random: np.random.Generator, rankers: Mapping[str, Curve]) -> ComparedList:
    """Draw n items with labels and an independent relative rank for each ranker.

    Pr(Y = 1 | s, t, u) is p plus the distance of each curve from p, so that each ranker has its
    curve.
    """
    ranks = random.random((len(rankers), n))
    chance = np.full(n, 0.35)
    for curve, rank in zip(rankers.values(), ranks, strict=True):
        chance += curve.mean(rank) - curve.levels.mean
    return ComparedList.of(list(ranks), (random.random(n) < chance).astype(np.float64))


def _convergence(sizes: list[int], values: list[_F]) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for i, (discount, cutoff) in enumerate(MEASURES):
        for r, (name, curve) in enumerate(RANKERS.items()):
            tends = limit(discount, curve, cutoff)
            end = float("nan") if tends.value is None else tends.value
            for n, by_list in zip(sizes, values, strict=True):
                ndcgs = by_list[r, i]
                ndcgs = ndcgs[~np.isnan(ndcgs)]
                spread = float(ndcgs.std(ddof=1))
                error = spread / len(ndcgs) ** 0.5
                mean, predicted = float(ndcgs.mean()), predicted_ndcg(discount, curve, n, cutoff)
                rows.append(
                    (NAMES[i], name, n, len(ndcgs), mean, error, spread, predicted, end,
                     tends.expected, tends.theorem)
                )  # fmt: skip
    columns = ("measure", "ranker", "n", "lists", "mean", "error", "spread", "predicted", "limit")
    return StudyTable(
        "simulated_convergence",
        "Simulated lists: NDCG, its prediction and its limit",
        (*columns, "limit_of_mean", "theorem"),
        tuple(rows),
    )


def _signs(
    name: str,
    title: str,
    sizes: list[int],
    by_ranker: Mapping[str, _F],
    pairs: Sequence[tuple[str, str]],
    measures: Iterable[int],
) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for better, worse in pairs:
        gap = by_ranker[better] - by_ranker[worse]
        right = sign(gap) > 0.0
        onwards = np.logical_and.accumulate(right[:, ::-1], axis=1)[:, ::-1]
        for i in measures:
            for j, n in enumerate(sizes):
                lists = right.shape[2]
                here, on = (Share.of(int(each[i, j].sum()), lists) for each in (right, onwards))
                rows.append(
                    (f"{better}, {worse}", NAMES[i], n, lists, float(np.nanmean(gap[i, j])),
                     here.value, here.low, here.high, on.value, on.low, on.high)
                )  # fmt: skip
    return StudyTable(
        name,
        title,
        (*("pair", "measure", "n", "lists", "gap", "right", "right_low", "right_high"),
         *("settled", "settled_low", "settled_high")),
        tuple(rows),
    )  # fmt: skip

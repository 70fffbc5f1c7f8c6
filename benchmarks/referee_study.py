"""Does what rocsolid claims hold on designs that its methods were not tuned on?

    python benchmarks/referee_study.py [--share 1.0] [NAME ...]

Part of ``make study``. A design draws a data set and asks public functions alone. Each of its
claims is a share of data sets with a bound, "at least" for coverage and "at most" for false alarms.
The exit code is 1 if a measured share is beyond its bound by more than chance: the chance that any
claim at its bound is blamed is below ``BUDGET``. Lines without a bound show what is known to fail:
the docs warn of it. ``--share 0.1`` draws a tenth of the data sets; names choose the designs that
contain them. Every design has its own random stream.
"""

from __future__ import annotations

import argparse
import functools
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, betaincinv, ndtr, ndtri

import rocsolid as rs

Floats = NDArray[np.float64]
Trial = Callable[[np.random.Generator], tuple[bool, ...]]
"""A data set, and whether each claim's event came about in it."""

BUDGET = 1e-3
LEVEL = 0.05


@dataclass(frozen=True)
class Claim:
    """A share of data sets; ``bound`` is the most that it may be, or the least, or none."""

    text: str
    bound: float | None
    least: bool = False

    def shown(self) -> str:
        if self.bound is None:
            return "known"
        return f"{'at least' if self.least else 'at most'} {self.bound:.3f}"

    def broken(self, count: int, repeats: int, chance: float) -> bool:
        """Whether a binomial at the bound would be so far beyond it with less than ``chance``."""
        if self.bound is None:
            return False
        if self.least:
            return bool(bdtr(count, repeats, self.bound) < chance)
        return count > 0 and bool(bdtrc(count - 1, repeats, self.bound) < chance)


@dataclass(frozen=True)
class Design:
    kind: str
    name: str
    repeats: int
    trial: Trial
    claims: tuple[Claim, ...]

    @property
    def title(self) -> str:
        return f"{self.kind}: {self.name}"


def most(text: str, bound: float | None = 0.06) -> Claim:
    return Claim(text, bound)


def least(text: str, bound: float | None = 0.935) -> Claim:
    return Claim(text, bound, least=True)


def wide(u: Floats, auc: float, spread: float) -> Floats:
    """Placements of positives that are normal, ``spread`` times as wide as the negatives."""
    return np.asarray(ndtr(np.hypot(1.0, spread) * ndtri(auc) + spread * ndtri(u)))


def hidden(u: Floats, auc: float) -> Floats:
    """Most positives above nearly all negatives, and a few below nearly all of them."""
    end = 0.2 * (1.0 - auc)
    lost = (1.0 - end - auc) / (0.9 - end)
    return np.where(u < lost, 0.2 * u / lost, 1.0 - 2.0 * end * (1.0 - u) / (1.0 - lost))


SHAPES: dict[str, Callable[[Floats, float], Floats]] = {
    "normal": lambda u, a: wide(u, a, 1.0),
    "wide": lambda u, a: wide(u, a, 2.0),
    "narrow": lambda u, a: wide(u, a, 0.5),
    "left tail": lambda u, a: u ** ((1.0 - a) / a),
    "beta 3": lambda u, a: np.asarray(betaincinv(3.0 * a, 3.0 * (1.0 - a), u)),
    "two ends": lambda u, a: np.asarray(betaincinv(0.5 * a, 0.5 * (1.0 - a), u)),
    "middle": lambda u, a: np.asarray(betaincinv(6.0 * a, 6.0 * (1.0 - a), u)),
    "hidden": hidden,
}
"""From a uniform number and the AUC to the share of negatives below a positive; its mean is it."""
UNLIKE = ("normal", "wide", "narrow", "left tail", "beta 3")


def scores(
    rng: np.random.Generator, m: int, n: int, shapes: list[str], auc: float, shared: float
) -> dict[str, Floats]:
    """Scores of one AUC with uniform negatives; a Gaussian copula in each class joins them."""
    common, out = rng.normal(size=m + n), {}
    for at, shape in enumerate(shapes):
        own = rng.normal(size=m + n)
        u = ndtr(np.sqrt(shared) * common + np.sqrt(1.0 - shared) * own)
        out[f"s{at}"] = np.concatenate([SHAPES[shape](u[:m], auc), u[m:]])
    return out


def labels(m: int, n: int) -> NDArray[np.int64]:
    return np.repeat([1, 0], [m, n])


def pair(m: int, n: int, shapes: list[str], auc: float, shared: float, **options: object) -> Trial:
    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        found = rs.compare(labels(m, n), scores(rng, m, n, shapes, auc, shared), **options)
        (one,) = found.pairs
        certified = one.certified is None or one.certified.low <= 0.0 <= one.certified.high
        return one.p_value < LEVEL, certified

    return trial


def family(m: int, n: int, count: int, shared: float, shapes: tuple[str, ...] = UNLIKE) -> Trial:
    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        drawn = scores(rng, m, n, list(islice(cycle(shapes), count)), 0.85, shared)
        found = rs.compare(labels(m, n), drawn)
        won, places = found.winner, found.ranks.values()
        return (
            found.omnibus.p_value < LEVEL,
            min(one.p_adjusted for one in found.pairs) < LEVEL,
            all(one.low == 1 and one.high == count for one in places),
            won is not None and won.low <= 0.85 <= won.high,
            all(one.certified.low == 1 and one.certified.high == count for one in places),
        )

    return trial


OF_FAMILY = (
    most("all equal is rejected"), most("a pair is significant, adjusted"),
    least("all ranks hold together"), least("the winner's interval covers"),
    least("all certified ranks hold", 0.95),
)  # fmt: skip


def one_score(m: int, n: int, shape: str, auc: float) -> Trial:
    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        (score,) = scores(rng, m, n, [shape], auc, 0.0).values()
        found = rs.auc(labels(m, n), score)
        return found.low <= auc <= found.high, found.certified.low <= auc <= found.certified.high

    return trial


def queries(count: int, rare: float, systems: int = 2) -> Trial:
    """Steady systems, and one that wins .3 in a share ``rare`` of the queries; one mean."""

    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        base = 0.05 + 0.6 * rng.beta(2.0, 3.0, count)
        values = {"rare": base + 0.3 * (rng.random(count) < rare) - 0.3 * rare}
        for at in range(1, systems):
            values[f"steady{at}"] = base + (0.01 * rng.normal(size=count) if systems > 2 else 0.0)
        found = rs.queries.compare({k: np.clip(v, 0.0, 1.0) for k, v in values.items()})
        certified = [one.certified for one in found.pairs]
        return (
            min(one.p_adjusted for one in found.pairs) < LEVEL,
            all(one is None or one.low <= 0.0 <= one.high for one in certified),
        )

    return trial


SHIFT = np.concatenate([np.full(3, 0.8), np.full(3, 0.4), np.zeros(24)])


def selected(rng: np.random.Generator, rows: int, pos: int, folds: int) -> tuple[Floats, float]:
    """Scores by the best of 30 features on the other folds, and the mean true AUC of the models.

    Three features have an AUC of .71, three of .61, the others of one half.
    """
    y, fold = np.arange(rows) < pos, np.arange(rows) % folds
    x = rng.normal(size=(rows, len(SHIFT))) + y[:, None] * SHIFT
    score, truth = np.empty(rows), []
    for held in range(folds):
        seen = fold != held
        gap = x[seen & y].mean(axis=0) - x[seen & ~y].mean(axis=0)
        best = int(np.argmax(np.abs(gap)))
        score[~seen] = np.sign(gap[best]) * x[~seen, best]
        truth.append(float(ndtr(np.sign(gap[best]) * SHIFT[best] / np.sqrt(2.0))))
    return score, float(np.mean(truth))


@functools.cache
def expected(rows: int, pos: int, folds: int) -> float:
    """What the learner gives on average over samples."""
    rng = np.random.default_rng([rows, pos, folds])
    return float(np.mean([selected(rng, rows, pos, folds)[1] for _ in range(1000)]))


def folded(rows: int, prevalence: float, folds: int) -> Trial:
    pos = round(rows * prevalence)

    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        score, truth = selected(rng, rows, pos, folds)
        y = (np.arange(rows) < pos).astype(int)
        found = rs.cross_validated(y, score, fold=np.arange(rows) % folds)
        mean = expected(rows, pos, folds)
        return (found.low <= truth <= found.high, found.learner.low <= mean <= found.learner.high)

    return trial


def centres(count: int, size: int | None, auc: float = 0.88, shared: float = 0.04) -> Trial:
    """Centres of one size or of lognormal sizes, 30 % positive; part of the noise is shared."""
    within = float(ndtr(ndtri(auc) / np.sqrt(1.0 - shared)))

    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        sizes = np.full(count, size) if size else np.ceil(np.exp(3 + rng.normal(size=count)))
        code = np.repeat(np.arange(count), sizes.astype(int))
        y = (rng.random(len(code)) < 0.3).astype(int)
        y[:2] = 1, 0
        score = np.sqrt(shared) * rng.normal(size=count)[code] + np.sqrt(2.0) * ndtri(auc) * y
        score += np.sqrt(1.0 - shared) * rng.normal(size=len(code))
        same = float(np.sum((sizes / sizes.sum()) ** 2))
        truth = auc + (within - auc) * same
        found = rs.auc(y, score, cluster=code)
        return (found.low <= truth <= found.high,)

    return trial


def bad_centres(count: int, size: int, share: float) -> Trial:
    """A centre ranks at random with this chance, the others at an AUC of .9."""
    pairs = share**2 * 0.5 + share * (1 - share) * (0.5 + 0.9) + (1 - share) ** 2 * 0.9

    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        code = np.repeat(np.arange(count), size)
        y = rng.random(len(code)) < 0.3
        good = (rng.random(count) >= share)[code]
        score = rng.normal(size=len(code)) + np.sqrt(2.0) * ndtri(0.9) * (y & good)
        found = rs.auc(y, score, cluster=code)
        return (found.low <= pairs <= found.high,)

    return trial


def weighted(m: int, n: int, spread: float, auc: float) -> Trial:
    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        y = labels(m, n)
        score = rng.normal(size=m + n) + np.sqrt(2.0) * ndtri(auc) * y
        found = rs.auc(y, score, sample_weight=np.exp(spread * rng.normal(size=m + n)))
        return (found.low <= auc <= found.high,)

    return trial


def gain(rows: int, prevalence: float, auc: float) -> Trial:
    """The gain area of sampled rows, whose share of positives is random too."""
    truth = prevalence / 2.0 + (1.0 - prevalence) * auc

    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        y = (rng.random(rows) < prevalence).astype(int)
        y[:4] = 1, 1, 0, 0
        score = rng.normal(size=rows) + np.sqrt(2.0) * ndtri(auc) * y
        table = {"y": y, "s": score}
        (found,) = rs.evaluate(table, label="y", scores="s", measures="gain").results
        return (
            found.low <= truth <= found.high,
            found.certified.low <= truth <= found.certified.high,
        )

    return trial


def printed(m: int, n: int, grades: int, method: str, digits: int = 3) -> Trial:
    """A true AUC of graded scores with its true interval, as a paper prints it."""

    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        y = labels(m, n)
        cuts = np.linspace(-1.0, 2.0, grades - 1) if grades > 2 else np.array([0.5])
        score = np.searchsorted(cuts, rng.normal(size=m + n) + y).astype(float)
        found = rs.auc(y, score, interval=method)
        value, low, high = (f"{x:.{digits}f}" for x in (found.value, found.low, found.high))
        return (not rs.audit(value, n_pos=m, n_neg=n, ci=(low, high)).possible,)

    return trial


def winner(m: int, n: int, gaps: tuple[float, ...]) -> Trial:
    def trial(rng: np.random.Generator) -> tuple[bool, ...]:
        y, common = labels(m, n), rng.normal(size=m + n)
        truth = {f"s{at}": 0.78 - gap for at, gap in enumerate(gaps)}
        found = rs.compare(
            y,
            {
                name: 0.6 * common + 0.8 * rng.normal(size=m + n) + np.sqrt(2.0) * ndtri(auc) * y
                for name, auc in truth.items()
            },
        ).winner
        return (found.low <= truth[found.name] <= found.high,)

    return trial


def designs() -> Iterator[Design]:
    """Every design; a new one comes last, so that the others keep their numbers and their draws."""
    wn = ["wide", "narrow"]
    of_pair = least("the certified difference covers", 0.95)
    for m, n, shapes, auc, shared in (
        (100, 300, ["two ends", "middle"], 0.85, 0.6),
        (20, 1000, ["two ends", "middle"], 0.85, 0.6), (10, 300, wn, 0.7, 0.0),
    ):  # fmt: skip
        name = f"{shapes[0]} and {shapes[1]}, {m} + {n}, {auc}"
        alarm = most("the default test rejects", 0.08)
        yield Design("unlike shapes", name, 500, pair(m, n, shapes, auc, shared), (alarm, of_pair))
    for m, n in ((5, 50), (10, 100), (20, 200)):
        yield Design(
            "unlike shapes", f"wide and narrow, {m} + {n}, 0.85", 300,
            pair(m, n, wn, 0.85, 0.5, test="permutation", resamples=300),
            (most('test="permutation" rejects', None), of_pair),
        )  # fmt: skip
        yield Design(
            "unlike shapes", f"wide and narrow, {m} + {n}, 0.85 (default)", 300,
            pair(m, n, wn, 0.85, 0.5), (most("the default test rejects", 0.08), of_pair),
        )  # fmt: skip
    for m, n, count, shared, repeats in (
        (20, 400, 12, 0.8, 200), (20, 400, 20, 0.9, 150), (100, 1000, 20, 0.9, 100),
        (100, 1000, 5, 0.5, 250), (300, 300, 5, 0.9, 250),
    ):  # fmt: skip
        name = f"{count} unlike scores, {m} + {n}, correlation {shared}"
        yield Design("families", name, repeats, family(m, n, count, shared), OF_FAMILY)
    yield Design(
        "families", "20 like scores, 20 + 400, correlation 0.9", 100,
        family(20, 400, 20, 0.9, ("normal",)), OF_FAMILY,
    )  # fmt: skip
    covers = least("the default interval covers"), least("the certified interval covers", 0.95)
    for m, n, auc, claims in (
        (30, 300, 0.95, covers), (100, 1000, 0.97, covers), (60, 60, 0.85, covers),
(3, 500, 0.95, covers),
    ):  # fmt: skip
        yield Design(
            "hidden subgroup", f"{m} + {n}, {auc}", 800, one_score(m, n, "hidden", auc), claims
        )
    for count, rare, systems in ((50, 0.1, 2), (100, 0.05, 2), (200, 0.02, 2), (50, 0.1, 5)):
        yield Design(
            "rare wins", f"{systems} systems, {count} queries, {rare:g} of them won", 500,
            queries(count, rare, systems),
            (most("a pair is significant, adjusted"), least("certified differences cover", 0.95)),
        )  # fmt: skip
    for rows, prevalence, folds in ((100, 0.3, 5), (200, 0.1, 10), (300, 0.1, 5), (1000, 0.1, 10)):
        yield Design(
            "selected features", f"best of 30, {rows} rows, {prevalence:g}, {folds} folds", 400,
            folded(rows, prevalence, folds),
            (least("these models' interval covers", 0.91), least("the learner's covers", 0.94)),
        )  # fmt: skip
    covers_only = (least("the default interval covers"),)
    for count, size, shared in (
        (8, 25, 0.04), (12, 50, 0.04), (10, 200, 0.04), (10, 200, 0.4), (20, 400, 0.04),
        (30, 100, 0.04), (12, None, 0.04),
    ):  # fmt: skip
        name = f"{count} centres of {size or 'lognormal size'}, {shared:g} shared"
        yield Design("few centres", name, 400, centres(count, size, 0.88, shared), covers_only)
    yield Design(
        "few centres", "10 centres of 200, each bad with chance .1", 400,
        bad_centres(10, 200, 0.1), (least("the default interval covers", None),),
    )  # fmt: skip
    yield Design(
        "uneven units", "weights lognormal(1.5), 200 + 200, 0.95", 400,
        weighted(200, 200, 1.5, 0.95), covers_only,
    )  # fmt: skip
    for rows, prevalence, auc in ((60, 0.3, 0.97), (200, 0.5, 0.95), (1000, 0.01, 0.85)):
        yield Design(
            "uneven units", f"gain, {rows} rows, {prevalence:g} positive, {auc}", 400,
            gain(rows, prevalence, auc), covers,
        )  # fmt: skip
    for m, n, grades, method in (
        (100, 100, 5, "delong"), (15, 40, 5, "delong"), (50, 50, 2, "delong"),
        (100, 100, 5, "auto"), (50, 50, 1000, "delong"), (15, 40, 1000, "auto"),
    ):  # fmt: skip
        name = f"{grades if grades < 99 else 'many'} grades, {m} + {n}, {method}"
        claim = most("a true interval is called impossible", 0.001)
        yield Design("tied intervals", name, 200, printed(m, n, grades, method), (claim,))
    for m, n, gaps in (
        (100, 800, (0.0, 0.0, 0.0)), (100, 800, (0.0, 0.01, 0.02)), (50, 200, (0.0,) * 5),
        (100, 800, (0.0, 0.1, 0.1)),
    ):  # fmt: skip
        name = f"{len(gaps)} scores, gaps up to {max(gaps)}, {m} + {n}"
        claim = least("the winner's interval covers", 0.925)
        yield Design("winner", name, 200, winner(m, n, gaps), (claim,))


def measured(design: Design, repeats: int, number: int) -> list[int]:
    """In how many data sets each claim's event came about, from the stream of this number."""
    rng = np.random.default_rng([37, number])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.sum([design.trial(rng) for _ in range(repeats)], axis=0).astype(int).tolist()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="designs whose kind or name contains this")
    parser.add_argument("--share", type=float, default=1.0, help="of the data sets of each")
    given = parser.parse_args()
    every = list(designs())
    claims = sum(claim.bound is not None for design in every for claim in design.claims)
    print("| design | claim | bound | measured | data sets |\n|---|---|---|---|---|")
    broken = 0
    for number, design in enumerate(every):
        title = design.title
        if given.names and not any(name in title for name in given.names):
            continue
        repeats = max(2, round(design.repeats * given.share))
        for claim, count in zip(design.claims, measured(design, repeats, number), strict=True):
            fails = claim.broken(count, repeats, BUDGET / claims)
            broken += fails
            share = f"{count / repeats:.3f}"
            cell = f"**{share}**" if fails else share
            print(f"| {title} | {claim.text} | {claim.shown()} | {cell} | {repeats} |", flush=True)
    if broken:
        print(f"\n{broken} claims do not hold", file=sys.stderr)
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Do the places of a leaderboard hold, and the winner's value?

Near-tied boards of ten systems, by AUC over rows and by a mean over queries: how often the places
of all systems hold together, and how many places each leaves on average, beside the method of
csranks (Mogstad, Romano, Shaikh and Wilhelm 2024, normal, written from the paper) and naive
percentiles of resampled ranks. Then boards of twenty equal systems: how often the interval of the
winner's value covers, as it stands and corrected.

    python benchmarks/rank_study.py --boards 1000
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.comparison.assemble import concluded
from rocsolid.comparison.compared import Compared, Question
from rocsolid.comparison.delong_t import delong_t
from rocsolid.comparison.ranks import with_ranks
from rocsolid.inputs import BinaryRows
from rocsolid.measures.scored import ScoredRows
from rocsolid.measures.whole_area import WholeArea
from rocsolid.results.comparison import Comparison

Floats = NDArray[np.float64]
Places = NDArray[np.int64]  # the lowest and the highest of each system
LEVEL, SHARED = 0.95, 0.8


def of_rows(rng: np.random.Generator, truth: Floats, size: int) -> Comparison:
    """Binormal scores with these AUCs, four fifths of whose noise is common; a third positive."""
    positive = np.arange(size) < size // 3
    noise = np.sqrt(SHARED) * rng.normal(size=size)
    measure, options = WholeArea(), Options(level=LEVEL)
    rows = {
        f"{k}": BinaryRows(
            positive,
            np.sqrt(2.0) * ndtri(auc) * positive
            + noise
            + np.sqrt(1.0 - SHARED) * rng.normal(size=size),
        )
        for k, auc in enumerate(truth)
    }
    estimates = {name: measure.estimate(ScoredRows(one), options) for name, one in rows.items()}
    compared = Compared.of(measure, rows, estimates, True)
    question = Question(0.0, "two-sided", LEVEL, 0)
    outcome = delong_t(compared, question)
    pairs, groups, joint, _ = concluded(outcome, [None] * len(outcome.tested), "none", question)
    covariance = compared.known.covariance()
    found = Comparison("auc", "scores", estimates, covariance, pairs, groups, joint, LEVEL)
    return with_ranks(found)


def of_queries(rng: np.random.Generator, truth: Floats, size: int) -> Comparison:
    """Values between 0 and 1, skewed, that share how hard the query is."""
    hard = rng.beta(2.0, 1.0, size=size)
    own = rng.beta(0.8, 0.4, size=(len(truth), size))
    values = (hard * own) + (truth - 4.0 / 9.0)[:, None]
    named = {f"{k}": one for k, one in enumerate(values)}
    return rs.queries.compare(named, range=None, adjust="none")


def csranks(found: Comparison, rng: np.random.Generator, draws: int = 1000) -> Places:
    """One-sided tests of all ordered pairs on the normal distribution, stepping down."""
    values = np.array([one.value for one in found.estimates.values()])
    i, j = np.nonzero(~np.eye(len(values), dtype=bool))
    own = np.diag(found.covariance)
    error = np.sqrt(own[i] + own[j] - 2.0 * found.covariance[i, j])
    noise = rng.multivariate_normal(np.zeros(len(values)), found.covariance, size=draws)
    extreme = (noise[:, i] - noise[:, j]) / error
    observed = (values[i] - values[j]) / error
    out = np.zeros(len(i), dtype=bool)
    while True:
        more = observed > np.quantile(extreme[:, ~out].max(axis=1), LEVEL)
        if (more <= out).all():
            break
        out |= more
    low, high = np.ones(len(values), dtype=int), np.full(len(values), len(values))
    np.add.at(low, j[out], 1)
    np.add.at(high, i[out], -1)
    return np.stack([low, high])


def naive(found: Comparison, rng: np.random.Generator, draws: int = 1000) -> Places:
    """Percentiles of the ranks of resampled values, one system at a time."""
    values = [one.value for one in found.estimates.values()]
    drawn = rng.multivariate_normal(values, found.covariance, size=draws)
    ranks = 1 + np.argsort(np.argsort(-drawn, axis=1), axis=1)
    tail = (1.0 - LEVEL) / 2.0
    return np.quantile(ranks, [tail, 1.0 - tail], axis=0, method="nearest").astype(int)


def ours(found: Comparison, _rng: np.random.Generator) -> Places:
    return np.array([(one.low, one.high) for one in found.ranks.values()]).T


def single(found: Comparison, _rng: np.random.Generator) -> Places:
    return np.array([(one.single.low, one.single.high) for one in found.ranks.values()]).T


Board = Callable[[np.random.Generator, Floats, int], Comparison]
WAYS = {"rocsolid": ours, "csranks": csranks, "single": single, "naive": naive}


def ranks_hold(
    board: Board, truth: Floats, size: int, boards: int, seed: int
) -> dict[str, tuple[float, float, float]]:
    """How often all places hold together, how often each does, and how many are left."""
    rng = np.random.default_rng(seed)
    best = 1 + (truth[None, :] > truth[:, None] + 1e-12).sum(axis=1)
    worst = len(truth) - (truth[None, :] < truth[:, None] - 1e-12).sum(axis=1)
    kept: dict[str, list[tuple[float, float, float]]] = {name: [] for name in WAYS}
    for _ in range(boards):
        found = board(rng, truth, size)
        for name, way in WAYS.items():
            low, high = way(found, rng)
            # percentiles of ranks make no claim about every order of a tie: one place is enough
            held = (
                (low <= worst) & (high >= best)
                if name == "naive"
                else (low <= best) & (high >= worst)
            )
            kept[name].append((held.all(), held.mean(), np.mean(high - low + 1)))
    return {name: tuple(np.mean(one, axis=0)) for name, one in kept.items()}


def winner_covers(
    board: Board, truth: Floats, size: int, boards: int, seed: int
) -> tuple[float, float, float, float]:
    """Coverage of the winner's own interval and of the corrected one, and how wide they are."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(boards):
        found = board(rng, truth, size)
        won = found.winner
        true, plain = truth[int(won.name)], found.estimates[won.name]
        seen.append(
            (plain.low <= true <= plain.high, won.low <= true <= won.high,
             plain.high - plain.low, won.high - won.low)
        )  # fmt: skip
    return tuple(np.mean(seen, axis=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 500, 2000])
    given = parser.parse_args()
    print(f"Ten systems, {given.boards} boards: all hold / each holds / places left")
    print(f"{'board':28}" + "".join(f"{name:>22}" for name in WAYS))
    for kind, board, middle in (("rows", of_rows, 0.75), ("queries", of_queries, 4.0 / 9.0)):
        for size in given.sizes:
            for gap in (0.0, 0.003, 0.01):
                truth = middle - gap * np.arange(10)
                found = ranks_hold(board, truth, size, given.boards, seed=size)
                cells = (f"{a:.3f} {b:.3f} {c:5.2f}" for a, b, c in found.values())
                print(f"{f'{size} {kind}, gap {gap}':28}" + "".join(f"{c:>22}" for c in cells))
    print("Twenty systems: the winner's interval, as it stands and corrected: coverage (width)")
    for kind, board, middle in (("rows", of_rows, 0.75), ("queries", of_queries, 4.0 / 9.0)):
        for size in given.sizes:
            truth = np.full(20, middle)
            plain, corrected, width, wider = winner_covers(board, truth, size, given.boards, size)
            print(f"{f'{size} {kind}':28}{plain:.3f} ({width:.4f})   {corrected:.3f} ({wider:.4f})")


if __name__ == "__main__":
    main()

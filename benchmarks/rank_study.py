"""Do the places of a leaderboard hold, and the winner's value?

Near-tied boards of ten systems, by AUC over rows and by a mean over queries: how often the places
of all systems hold together, and how many places each leaves on average. Beside them, on the first
boards of each design, csranks itself (Mogstad, Romano, Shaikh and Wilhelm 2024; its R package, from
the same values and covariance) and honestboard itself (percentiles of resampled ranks; it reads
outcomes of tasks, so it has no rows). One that is not installed is left out, and said so. Then
boards of twenty equal systems: how often the interval of the winner's value covers, as it stands
and corrected.

Values, covariance and p-values are those that a comparison starts from, without what it prints;
`of_compare` says on the first board of each design whether they give the same.

    python benchmarks/rank_study.py --boards 1000 --peers 200
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri, stdtrit

import rocsolid as rs
from rocsolid.comparison.compared import Question, t_test
from rocsolid.comparison.ranks import _SMALLEST, _Joint, errors
from rocsolid.comparison.rows import ComparedRows
from rocsolid.comparison.sign_flip import Systems
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.estimate_options import picked
from rocsolid.measures.whole_area import WholeArea
from rocsolid.results.comparison import DRAWS, Winner

Floats = NDArray[np.float64]
Places = NDArray[np.int64]  # the lowest and the highest of each system
LEVEL, SHARED = 0.95, 0.8


@dataclass(frozen=True)
class Board:
    """What a comparison of systems starts from, and the same from `rocsolid` itself."""

    values: Floats
    covariance: Floats
    p_values: list[float]
    df: float
    outcomes: Floats | None
    of_compare: Callable[[], rs.results.Comparison]

    @property
    def names(self) -> list[str]:
        return [f"{k}" for k in range(len(self.values))]

    @property
    def winner(self) -> Winner:
        return picked(
            self.names, self.values, self.covariance, self.df, LEVEL, logits=self.outcomes is None,
            range=(0.0, 1.0),
        )  # fmt: skip

    @property
    def own(self) -> tuple[float, float]:
        """The winner's interval as if it had not been picked: Student's t, of an AUC its logit."""
        best = int(np.argmax(self.values))
        value, error = self.values[best], np.sqrt(self.covariance[best, best])
        reach = stdtrit(self.df, 0.5 + LEVEL / 2.0) * error
        if self.outcomes is not None:
            return value - reach, value + reach
        at, half = logit(value), reach / (value * (1.0 - value))
        return expit(at - half), expit(at + half)


def of_rows(rng: np.random.Generator, truth: Floats, size: int) -> Board:
    """Binormal scores with these AUCs, four fifths of whose noise is common; a third positive."""
    positive = np.arange(size) < size // 3
    noise = np.sqrt(SHARED) * rng.normal(size=size)
    own = np.sqrt(1.0 - SHARED) * rng.normal(size=(len(truth), size))
    scores = np.sqrt(2.0) * ndtri(truth)[:, None] * positive + noise + own
    rows = {f"{k}": BinaryRows(positive, one) for k, one in enumerate(scores)}
    ranks = 1 + np.argsort(np.argsort(scores, axis=1), axis=1)
    n = positive.sum()
    values = (ranks[:, positive].mean(axis=1) - (n + 1) / 2) / (size - n)
    named = {name: SimpleNamespace(value=one) for name, one in zip(rows, values, strict=True)}
    compared = ComparedRows.of(WholeArea(), rows, named, True)
    tested = t_test(compared, Question(0.0, "two-sided", LEVEL, 0)).tested
    return Board(
        values, compared.known.covariance(), [one.p_value for one in tested],
        min(one.df for one in tested), None,
        lambda: rs.compare(positive, dict(zip(rows, scores, strict=True))),
    )  # fmt: skip


def of_queries(rng: np.random.Generator, truth: Floats, size: int) -> Board:
    """Values between 0 and 1, skewed, that share how hard the query is, with these means."""
    hard = rng.beta(2.0, 1.0, size=size)
    own = rng.beta(0.8, 0.4, size=(len(truth), size))
    outcomes = hard * own * (truth / (4.0 / 9.0))[:, None]
    systems = Systems.of({f"{k}": one for k, one in enumerate(outcomes)}, range=(0.0, 1.0))
    tested = t_test(systems, Question(0.0, "two-sided", LEVEL, 0)).tested
    return Board(
        systems.values, systems.spread.covariance(), [pair.p_value for pair in tested], size - 1.0,
        outcomes,
        lambda: rs.queries.compare(dict(zip(systems.names, outcomes, strict=True)), adjust="none"),
    )  # fmt: skip


def joint(board: Board) -> _Joint:
    """As `rocsolid.comparison.ranks` makes it of a comparison."""
    own = np.diag(board.covariance)
    between = own[:, None] + own - 2.0 * board.covariance
    error = np.where(between > _SMALLEST * own.max(), np.sqrt(np.abs(between)), np.inf)
    i, j = np.triu_indices(len(own), 1)
    size = -ndtri(np.maximum(board.p_values, 1e-300) / 2.0)
    observed = np.zeros(error.shape)
    observed[i, j] = np.copysign(size, board.values[i] - board.values[j])
    return _Joint(observed - observed.T, errors(board.covariance, DRAWS), error)


def ours(boards: list[Board]) -> list[Places]:
    return [limits(joint(board).all_proven(1.0 - LEVEL)) for board in boards]


def limits(proven: NDArray[np.bool_]) -> Places:
    return np.stack([1 + proven.sum(axis=0), len(proven) - proven.sum(axis=1)])


CSRANKS = """
args <- commandArgs(TRUE); boards <- as.matrix(read.csv(args[1], header = FALSE))
k <- as.integer(args[2]); set.seed(0)
found <- apply(boards, 1, function(one) {
  got <- csranks::csranks(one[1:k], matrix(one[-(1:k)], k), coverage = 0.95)
  c(got$L, got$U)
})
write.table(t(found), args[3], row.names = FALSE, col.names = FALSE)
"""


def csranks(boards: list[Board]) -> list[Places]:
    """The R package's joint sets, at its defaults."""
    size = len(boards[0].values)
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder, "boards.csv"), Path(folder, "places.txt")
        rows = [np.concatenate([one.values, one.covariance.ravel()]) for one in boards]
        np.savetxt(given, rows, delimiter=",", fmt="%.17g")
        subprocess.run(["Rscript", "-e", CSRANKS, given, str(size), found], check=True)
        return list(np.loadtxt(found, dtype=np.int64, ndmin=2).reshape(len(boards), 2, size))


def has_csranks() -> bool:
    asked_for = ["Rscript", "-e", "library(csranks)"]
    return (
        bool(shutil.which("Rscript"))
        and not subprocess.run(asked_for, capture_output=True, check=False).returncode
    )


def honestboard(boards: list[Board]) -> list[Places]:
    """Its intervals of ranks, from 1,000 resamples in place of 4,000."""
    from honestboard import Board as Tasks

    if boards[0].outcomes is None:
        return []
    kept = []
    for board in boards:
        found = Tasks(board.names, board.outcomes).rank_summary(B=1000)
        places = {one["name"]: (one["rank_lo"], one["rank_hi"]) for one in found}
        kept.append(np.array([places[name] for name in board.names], dtype=np.int64).T)
    return kept


def hold(places: list[Places], truth: Floats, *, one_of_a_tie: bool) -> str:
    """How often all places hold together, how often each does, and how many are left.

    Percentiles of ranks make no claim about every order of a tie: one place is enough there.
    """
    best = 1 + (truth[None, :] > truth[:, None] + 1e-12).sum(axis=1)
    worst = len(truth) - (truth[None, :] < truth[:, None] - 1e-12).sum(axis=1)
    if not places:
        return "-"
    low, high = np.array(places).transpose(1, 0, 2)
    held = (low <= worst) & (high >= best) if one_of_a_tie else (low <= best) & (high >= worst)
    return f"{held.all(axis=1).mean():.3f} {held.mean():.3f} {np.mean(high - low + 1):5.2f}"


def same(board: Board) -> bool:
    """Whether a whole comparison has these places and this winner."""
    found = board.of_compare()
    places = np.array([(one.low, one.high) for one in found.ranks.values()]).T
    mine, theirs = board.winner, found.winner
    ends = np.allclose((mine.low, mine.high), (theirs.low, theirs.high), atol=1e-9)
    return bool((places == ours([board])[0]).all()) and ends


KINDS = (("rows", of_rows, 0.75), ("queries", of_queries, 4.0 / 9.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--peers", type=int, default=200, help="boards that the peers see")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 2000])
    parser.add_argument("--gaps", type=float, nargs="+", default=[0.0, 0.003, 0.01])
    given = parser.parse_args()
    peers = {"csranks": csranks} if has_csranks() else {}
    peers |= {"honestboard": honestboard} if find_spec("honestboard") else {}
    for name in {"csranks", "honestboard"} - set(peers):
        print(f"{name} is not installed: left out")
    print(f"Ten systems, {given.boards} boards, peers {given.peers}: all hold / each / places left")
    ways = ("rocsolid", "on peers' boards", *peers)
    print(f"{'board':28}" + "".join(f"{name:>22}" for name in ways), flush=True)
    for kind, board, middle in KINDS:
        for size in given.sizes:
            for gap in given.gaps:
                rng, truth = np.random.default_rng(size), middle - gap * np.arange(10)
                boards = [board(rng, truth, size) for _ in range(given.boards)]
                mine, few = ours(boards), boards[: given.peers]
                cells = [hold(one, truth, one_of_a_tie=False) for one in (mine, mine[: len(few)])]
                cells += [
                    hold(way(few), truth, one_of_a_tie=name == "honestboard")
                    for name, way in peers.items()
                ]
                said = "" if same(boards[0]) else "   NOT what rocsolid compares"
                line = "".join(f"{cell:>22}" for cell in cells)
                print(f"{f'{size} {kind}, gap {gap}':28}{line}{said}", flush=True)
    print("Twenty systems: the winner's interval, as it stands and corrected: coverage (width)")
    for kind, board, middle in KINDS:
        for size in given.sizes:
            rng, truth = np.random.default_rng(size), np.full(20, middle)
            boards = [board(rng, truth, size) for _ in range(given.boards)]
            cells = []
            for ends in (
                [one.own for one in boards],
                [(w.low, w.high) for w in (one.winner for one in boards)],
            ):
                low, high = np.array(ends).T
                covered = np.mean((low <= middle) & (middle <= high))
                cells.append(f"{covered:.3f} ({np.mean(high - low):.4f})")
            print(f"{f'{size} {kind}':28}{'   '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()

"""Simulated attacks on a defence, signs of probing submissions, and the rounding of pages.

Signs are reasons to look, not proofs: small ensembles and reruns show some of them too. The
rounding rules depend only on the class sizes, because the choice of a rule that depended on the
value would reveal information.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import refuse_one_class
from rocsolid.errors import InputError
from rocsolid.inputs.binary import positives
from rocsolid.leaks.attacks import (
    Attack,
    Guess,
    Host,
    bisection,
    climbing,
    lifting,
    regression,
    subset_sums,
)
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.defence import Defence, Exact, submission
from rocsolid.results.plain import Plain, one_line

_MOST_ROWS = 2000
_MOST_QUERIES = 2000
_ATTACKS: dict[str, Attack] = {
    "subset sums": subset_sums,
    "regression": regression,
    "climbing": climbing,
    "lifting": lifting,
    "bisection": bisection,
}


@dataclass(frozen=True, slots=True)
class AttackResult(Plain):
    """The result of one attack.

    ``claimed`` is the number of labels of which the attacker is certain, and ``claimed_wrong`` the
    number of these that are wrong. ``guessed_right`` is the number of right labels when all labels
    are guessed. ``guess_auc`` is the exact AUC of the attacker's final ranking.
    """

    name: str
    queries: int
    claimed: int
    claimed_wrong: int
    guessed_right: int
    guess_auc: float


@dataclass(frozen=True, slots=True)
class Simulation(Plain):
    """The results of the attacks. A defence that resists these attacks may fall to better ones.

    ``baseline`` is the number of right labels when every row is guessed to be in the larger class.
    """

    n: int
    n_pos: int
    defence: str
    baseline: int
    attacks: tuple[AttackResult, ...]
    _cites = ("The attacks", "whitehill2016")

    @property
    def worst(self) -> AttackResult:
        """The attack that guessed the most labels."""
        return max(self.attacks, key=lambda a: (a.guessed_right, a.guess_auc))

    __repr__ = one_line

    def __str__(self) -> str:
        attack = self.worst
        return (
            f"{self.defence}: after {counted(attack.queries, 'release')} the {attack.name} attack "
            f"has {attack.guessed_right} of {self.n} labels right "
            f"({self.baseline} without any release) and reaches AUC {attack.guess_auc:.3f}"
        )


def simulate(
    labels: Any,
    *,
    defence: Defence | None = None,
    queries: int = 200,
    seed: int = 0,
    pos_label: Any = None,
) -> Simulation:
    """Run five attacks on the host's own labels, locally, with at most ``queries`` answers each.

    * subset sums: chosen rankings that determine labels from exact answers; lossless rounding does
      not stop the attack.
    * regression: random rankings, then ridge regression with a leave-one-out penalty; rounding and
      noise do not stop the attack.
    * climbing: random changes to a ranking, kept when the released value rises.
    * lifting: moves rows from the bottom to the top one by one; designed for a Ladder, whose step
      should be above 1/min(n₀, n₁).
    * bisection: a ranking at the edge of a bin, where every further answer reveals a label;
      designed for bins and rounding.

    Every attacker is one account that knows the class sizes. The rankings have AUC ½ on the public
    labels of Thresholdout. ``defence=None`` releases exact AUCs. Equal seeds produce equal
    rankings, but not the noise of a private defence, which comes from the operating system.

    >>> from rocsolid.leaks.release import Rounded
    >>> labels = np.arange(60) % 3 == 0
    >>> print(simulate(labels, queries=20))
    Exact(): after 10 releases the subset sums attack has 60 of 60 labels right (40 without any
    release) and reaches AUC 1.000
    >>> simulate(labels, defence=Rounded(2), queries=20).attacks[0].claimed < 60
    True
    """
    positive = positives(labels, pos_label=pos_label, name="labels")
    n, n_pos = len(positive), int(positive.sum())
    refuse_one_class(n_pos, n - n_pos)
    if n > _MOST_ROWS:
        raise InputError(
            f"a simulation runs on at most {_MOST_ROWS} rows",
            value=n,
            fix="pass a random part of the labels",
        )
    if queries != int(queries) or not 1 <= queries <= _MOST_QUERIES:
        raise InputError(f"queries must be a whole number from 1 to {_MOST_QUERIES}", value=queries)
    rule: Defence = Exact() if defence is None else defence
    attacks = []
    for name, attack in _ATTACKS.items():
        host = Host(positive, rule, queries)
        guess = attack(host, np.random.default_rng(seed))
        attacks.append(_result(name, positive, queries - host.left, guess))
    return Simulation(n, n_pos, str(rule), max(n_pos, n - n_pos), tuple(attacks))


def _result(name: str, positive: NDArray[np.bool_], queries: int, attacker: Guess) -> AttackResult:
    n_pos = int(positive.sum())
    guess = np.zeros(len(positive), dtype=bool)
    guess[np.argsort(-attacker.ranking, kind="stable")[:n_pos]] = True
    held = attacker.known >= 0
    return AttackResult(
        name=name,
        queries=queries,
        claimed=int(held.sum()),
        claimed_wrong=int((held & (attacker.known != positive)).sum()),
        guessed_right=int((guess == positive).sum()),
        guess_auc=float(submission(positive, doubled_ranks(attacker.ranking)).auc),
    )


SIGNS = {
    "two-valued": "the scores take one or two values",
    "mostly tied": "more than half of the rows have the same score",
    "repeated": "the same ranking was submitted before",
    "near-duplicate": "at least 90 % of the scores are those of an earlier submission, or the "
    "ranks moved by at most 1 % of the rows on average",
    "block swap": "blocks of rows changed places since an earlier submission, all else equal",
    "burst": "more than ten releases to the account within an hour",
    "small steps": "five or more releases in a row that moved by at most five pairs each",
}
"""The meaning of each sign."""

_BURST = 10
_HOUR = timedelta(hours=1)
_STEPS = 5
_STEP_PAIRS = 5


def ranking_signs(
    scores: NDArray[np.float64], doubled: NDArray[np.int64], previous: Sequence[int]
) -> list[set[str]]:
    """Return the signs of each submission, from its row in ``scores`` and its doubled midranks.

    Each submission is compared with all earlier submissions, first by an eighth of the rows, which
    rules out most pairs. ``previous`` contains the row of the same account's previous submission,
    −1 for none.

    >>> ranks = 2 * np.array([[1, 2, 3, 4, 5, 6], [3, 4, 1, 2, 5, 6]])
    >>> ranking_signs(ranks / 2, ranks, [-1, 0])
    [set(), {'block swap'}]
    """
    signs_by_release: list[set[str]] = []
    from scipy.spatial.distance import cdist  # slow to load

    n, placed = doubled.shape[1], doubled.astype(np.float64)
    eighth = np.arange(0, n, 8) if n > _FEW_ROWS else np.arange(n)
    placed_part, scores_part = placed[:, eighth], scores[:, eighth]
    some = np.ascontiguousarray(doubled[:, eighth[:_SOME]])
    for t, ranks in enumerate(doubled):
        signs: set[str] = set()
        sizes = np.unique(ranks, return_counts=True)[1]
        if len(sizes) <= 2:
            signs.add("two-valued")
        if sizes.max() > n / 2:
            signs.add("mostly tied")
        # these rows alone moved no further, and changed no more scores, than all rows
        shift_part = cdist(placed_part[:t], placed_part[t : t + 1], "cityblock")[:, 0]
        changed_part = cdist(scores_part[:t], scores_part[t : t + 1], "hamming")[:, 0] * len(eighth)
        near = np.flatnonzero(
            (shift_part <= _SHIFT * n**2 * (1 + 1e-9)) | (changed_part <= _CHANGED * n + 0.5)
        )
        moves = np.sort(some[:t] - some[t], axis=1)
        kinds = 1 + np.count_nonzero(moves[:, 1:] != moves[:, :-1], axis=1)
        possible = np.flatnonzero(kinds <= _MOVES + 1)  # with the move 0 of rows that stay
        swapped = {int(p) for p in possible if _blocks_swapped(doubled[p], ranks)}
        shift = cdist(placed[near], placed[t : t + 1], "cityblock")[:, 0]
        if len(near):
            changed = cdist(scores[near], scores[t : t + 1], "hamming")
            if shift.min() == 0:
                signs.add("repeated")
            elif changed.min() <= _CHANGED or shift.min() / n <= _SHIFT * n:
                signs.add("near-duplicate")
        if swapped:
            if not len(near) or shift.min() > _SHIFT * n**2:
                near = np.arange(t)
                shift = cdist(placed[:t], placed[t : t + 1], "cityblock")[:, 0]
            if {int(near[np.argmin(shift)]), previous[t]} & swapped:
                signs.add("block swap")
        signs_by_release.append(signs)
    return signs_by_release


_FEW_ROWS = 128
_CHANGED = 0.1
_SHIFT = 0.02  # of n², summed over doubled ranks
_SOME = 6  # rows
_MOVES = 3


def release_signs(
    time: Sequence[datetime], score: NDArray[np.float64], pairs: int
) -> list[set[str]]:
    """Return the signs of one account's releases, in order of time, without the submissions.

    >>> start = datetime(2024, 5, 1)
    >>> times = [start + timedelta(minutes=i) for i in range(12)]
    >>> [sorted(s) for s in release_signs(times, np.linspace(0.6, 0.9, 12), 2500)][-2:]
    [['burst'], ['burst']]
    """
    signs_by_release: list[set[str]] = [set() for _ in time]
    for t in range(_BURST, len(time)):
        if time[t] - time[t - _BURST] <= _HOUR:
            for i in range(t - _BURST, t + 1):
                signs_by_release[i].add("burst")
    moved = np.abs(np.diff(score)) * pairs
    small = (moved > 0) & (moved <= _STEP_PAIRS + 1e-6)
    run = 0
    for t, step in enumerate(small, start=1):
        run = run + 1 if step else 0
        if run >= _STEPS:
            for i in range(t - run + 1, t + 1):
                signs_by_release[i].add("small steps")
    return signs_by_release


def _blocks_swapped(before: NDArray[np.int64], after: NDArray[np.int64]) -> bool:
    """Return whether at most three distances explain all moves, as for two exchanged blocks."""
    move = after - before
    return 1 <= len(np.unique(move[move != 0])) <= _MOVES


MOST_DECIMALS = 4
MOST_PARTS = 10
ROWS_A_PART = 5
FEWEST_PARTS = 4


def public_decimals(n_pos: int, n_neg: int) -> int:
    """Return the decimals of a printed AUC whose last digit is as coarse as chance variation.

    Among random rankings the AUC has standard deviation σ = √((n+1)/(12·n₀·n₁)). The last decimal
    is the first whose unit is smaller than σ, from one decimal to four. With at least 17 rows in
    each class, n₀·n₁ exceeds 10^decimals, so rounding loses information (see `rs.leaks.count`).
    With fewer rows rounding may lose nothing, and the audit of the page counts the remaining
    labelings.

    >>> [public_decimals(m, m) for m in (5, 50, 500, 5_000, 500_000)]
    [1, 2, 2, 3, 4]
    """
    sigma = math.sqrt((n_pos + n_neg + 1) / (12 * n_pos * n_neg))
    return min(MOST_DECIMALS, max(1, 1 + math.floor(-math.log10(sigma))))


@dataclass(frozen=True, slots=True)
class CurveRule:
    """Cut the rows, by falling score, into ``parts``; count positives in multiples of ``step``."""

    parts: int
    step: int


def public_curve(n_pos: int, n_neg: int) -> CurveRule | None:
    """Return how coarse a published curve is; None if the smaller class is too small for a curve.

    The rows form at most ten parts, with five rows of the smaller class in each on average. The
    positives above each cut are rounded to a twentieth of the smaller class, and at least to even
    numbers. With fewer than four parts there is no curve.

    >>> public_curve(100, 900), public_curve(25, 25), public_curve(19, 1_000)
    (CurveRule(parts=10, step=5), CurveRule(parts=5, step=2), None)
    """
    smaller = min(n_pos, n_neg)
    parts = min(MOST_PARTS, smaller // ROWS_A_PART)
    return CurveRule(parts, max(2, math.ceil(smaller / 20))) if parts >= FEWEST_PARTS else None

"""What attacks would learn of a host's own labels through a given defence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs import positives
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
    """What one attack reached.

    ``claimed`` labels the attacker holds to be certain, of which ``claimed_wrong`` are wrong.
    ``guessed_right`` labels are right when all are guessed, and ``guess_auc`` is the exact AUC of
    the attacker's final ranking, which is what wins a leaderboard.
    """

    name: str
    queries: int
    claimed: int
    claimed_wrong: int
    guessed_right: int
    guess_auc: float


@dataclass(frozen=True, slots=True)
class Simulation(Plain):
    """The attacks side by side. ``baseline`` labels are right when all rows are guessed to be of
    the larger class. A defence that withstands these attacks may fall to better ones."""

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
        found = self.worst
        return (
            f"{self.defence}: after {found.queries} releases the {found.name} attack has "
            f"{found.guessed_right} of {self.n} labels right ({self.baseline} without any release) "
            f"and reaches AUC {found.guess_auc:.3f}"
        )


def simulate(
    labels: Any,
    *,
    defence: Defence | None = None,
    queries: int = 200,
    seed: int = 0,
    pos_label: Any = None,
) -> Simulation:
    """Run five attacks on the host's own labels, here and with at most ``queries`` answers each.

    * subset sums: chosen rankings that read labels off exact answers; lossless rounding does not
      stop it.
    * regression: random rankings, then ridge regression with the penalty chosen by leave-one-out;
      rounding and noise do not stop it.
    * climbing: random changes of a ranking, kept when the released value rises.
    * lifting: the rows moved from the bottom to the top one by one; made for a Ladder, of which the
      step should be above 1/min(n₀, n₁).
    * bisection: a ranking at the edge of a bin, at which every further answer is a label; made for
      bins and rounding.

    Every attacker is one account that knows the class sizes, and whose rankings have AUC ½ on the
    public labels that Thresholdout compares with. `None` releases exact AUCs. The same
    seed gives the same rankings; noise of a private defence differs from run to run all the same,
    as it comes from the operating system.

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
    if not 0 < n_pos < n:
        raise OneClassError("an AUC needs both classes among the labels", where="labels")
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
        found = attack(host, np.random.default_rng(seed))
        attacks.append(_result(name, positive, queries - host.left, found))
    return Simulation(n, n_pos, str(rule), max(n_pos, n - n_pos), tuple(attacks))


def _result(name: str, positive: NDArray[np.bool_], queries: int, found: Guess) -> AttackResult:
    """The guess takes the n₁ rows ranked highest for positive."""
    n_pos = int(positive.sum())
    guess = np.zeros(len(positive), dtype=bool)
    guess[np.argsort(-found.ranking, kind="stable")[:n_pos]] = True
    held = found.known >= 0
    return AttackResult(
        name=name,
        queries=queries,
        claimed=int(held.sum()),
        claimed_wrong=int((held & (found.known != positive)).sum()),
        guessed_right=int((guess == positive).sum()),
        guess_auc=float(submission(positive, doubled_ranks(found.ranking)).auc),
    )

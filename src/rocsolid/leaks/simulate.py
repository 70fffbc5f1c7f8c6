"""What attacks would learn of a host's own labels through a given defence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, OneClassError, RocsolidError
from rocsolid.inputs import positives
from rocsolid.leaks.attack import ChosenQueries
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.defence import Defence, Exact, Past, submission

_MOST_ROWS = 2000
_MOST_QUERIES = 2000
_NOTHING_KNOWN = Fraction(1, 2)  # the AUC of such a ranking on public labels, for Thresholdout
_RIDGES = 10.0 ** np.arange(-9, 5)

Ask = Callable[[NDArray[Any]], Fraction]


@dataclass(frozen=True, slots=True)
class AttackResult:
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

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "queries": self.queries,
            "claimed": self.claimed,
            "claimed_wrong": self.claimed_wrong,
            "guessed_right": self.guessed_right,
            "guess_auc": self.guess_auc,
        }


@dataclass(frozen=True, slots=True)
class Simulation:
    """The attacks side by side. ``baseline`` labels are right when all rows are guessed to be of
    the larger class. A defence that withstands these attacks may fall to better ones."""

    n: int
    n_pos: int
    defence: str
    baseline: int
    attacks: tuple[AttackResult, ...]

    @property
    def worst(self) -> AttackResult:
        """The attack that guessed the most labels."""
        return max(self.attacks, key=lambda a: (a.guessed_right, a.guess_auc))

    def __str__(self) -> str:
        found = self.worst
        return (
            f"{self.defence}: after {found.queries} releases the {found.name} attack has "
            f"{found.guessed_right} of {self.n} labels right ({self.baseline} without any release) "
            f"and reaches AUC {found.guess_auc:.3f}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; it holds no labels."""
        return {
            "n": self.n,
            "n_pos": self.n_pos,
            "defence": self.defence,
            "baseline": self.baseline,
            "attacks": [a.to_dict() for a in self.attacks],
        }


def simulate(
    labels: Any,
    *,
    defence: Defence | None = None,
    queries: int = 200,
    seed: int = 0,
    pos_label: Any = None,
) -> Simulation:
    """Run three attacks on the host's own labels, here and with at most ``queries`` answers each.

    * chosen: subset-sum queries that read labels off exact answers; each answer is taken for the
      nearest value that an AUC can have, so that lossless rounding does not stop it. It ends at the
      first answer that fits no labeling.
    * regression: random rankings, then ridge regression with the penalty chosen by leave-one-out;
      it stands rounding and noise.
    * climbing: random changes of a ranking, kept when the released value rises; it stands a Ladder.

    Every attacker is one account that knows the class sizes, and whose rankings have AUC ½ on the
    public labels that Thresholdout compares with. `None` releases exact AUCs. The same
    seed gives the same rankings; noise of a private defence differs from run to run all the same,
    as it comes from the operating system.

    >>> from rocsolid.leaks.release import Rounded
    >>> labels = np.arange(60) % 3 == 0
    >>> print(simulate(labels, queries=20))
    Exact(): after 10 releases the chosen attack has 60 of 60 labels right (40 without any release)
    and reaches AUC 1.000
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
    attacks = tuple(
        attack(positive, _Oracle(positive, rule), queries, np.random.default_rng(seed))
        for attack in (_chosen, _regression, _climbing)
    )
    return Simulation(n, n_pos, str(rule), max(n_pos, n - n_pos), attacks)


class _Oracle:
    """The host as one account sees it."""

    def __init__(self, positive: NDArray[np.bool_], defence: Defence) -> None:
        self._positive = positive
        self._defence = defence
        self._past = Past()
        self.asked = 0

    def __call__(self, scores: NDArray[Any]) -> Fraction:
        answer = self._defence.answer(
            submission(self._positive, doubled_ranks(scores), _NOTHING_KNOWN), self._past
        )
        self._past = Past(answer.value, self._past.releases + 1, answer.secret)
        self.asked += 1
        return answer.value


def _chosen(
    positive: NDArray[np.bool_],
    ask: _Oracle,
    queries: int,
    rng: np.random.Generator,
) -> AttackResult:
    n, n_pos = len(positive), int(positive.sum())
    units = 2 * n_pos * (n - n_pos)
    attack = ChosenQueries(n)
    while not attack.done and ask.asked < queries:
        heard = ask(attack.next_scores())
        try:
            attack.answer(Fraction(round(heard * units), units))
        except RocsolidError:  # an answer that is not the exact AUC of any labeling
            break
    known = attack.known
    ranking = np.where(known < 0, n_pos / n, known) + rng.uniform(-1e-3, 1e-3, n)
    return _result("chosen", positive, ask.asked, ranking, known)


def _regression(
    positive: NDArray[np.bool_],
    ask: _Oracle,
    queries: int,
    rng: np.random.Generator,
) -> AttackResult:
    """Given n₁ an AUC is an affine function of the labels: Σ (r_i − r̄)·y_i = n₀n₁(AUC − ½)."""
    n, n_pos = len(positive), int(positive.sum())
    centre = (n - 1) / 2
    ranks = np.array([rng.permutation(n) for _ in range(queries)], dtype=np.float64) - centre
    heard = np.array([float(ask(r)) for r in ranks])
    sums = n_pos * (n - n_pos) * (heard - 0.5)
    ranking = _ridge(ranks / n, sums / n)
    return _result("regression", positive, ask.asked, ranking)


def _climbing(
    positive: NDArray[np.bool_],
    ask: _Oracle,
    queries: int,
    rng: np.random.Generator,
) -> AttackResult:
    ranking = rng.normal(size=len(positive))
    best = ask(ranking)
    # a step must show through a rounding or a Ladder; smaller ones serve once large ones fail
    size = 1.0
    while ask.asked < queries:
        trial = ranking + size * rng.normal(size=len(positive))
        heard = ask(trial)
        if heard > best:
            ranking, best = trial, heard
        else:
            size = max(0.2, 0.99 * size)
    return _result("climbing", positive, ask.asked, ranking)


def _ridge(design: NDArray[np.float64], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ridge regression without an intercept; the penalty has the least leave-one-out error."""
    values, vectors = np.linalg.eigh(design @ design.T)
    values = np.maximum(values, 0.0)
    turned = vectors.T @ sums
    best = (np.inf, turned)
    for ridge in _RIDGES * max(values.max(), 1e-300):
        inverse = 1 / (values + ridge)
        dual = vectors @ (inverse * turned)
        left_out = dual / (vectors**2 @ inverse)
        error = float(left_out @ left_out)
        if error < best[0]:
            best = (error, dual)
    estimate: NDArray[np.float64] = design.T @ best[1]
    return estimate


def _result(
    name: str,
    positive: NDArray[np.bool_],
    queries: int,
    ranking: NDArray[np.float64],
    known: NDArray[np.int8] | None = None,
) -> AttackResult:
    """The guess takes the n₁ rows ranked highest for positive."""
    n_pos = int(positive.sum())
    guess = np.zeros(len(positive), dtype=bool)
    guess[np.argsort(-ranking, kind="stable")[:n_pos]] = True
    found = AttackResult(
        name=name,
        queries=queries,
        claimed=0,
        claimed_wrong=0,
        guessed_right=int((guess == positive).sum()),
        guess_auc=float(submission(positive, doubled_ranks(ranking)).auc),
    )
    if known is None:
        return found
    held = known >= 0
    wrong = int((held & (known != positive)).sum())
    return replace(found, claimed=int(held.sum()), claimed_wrong=wrong)

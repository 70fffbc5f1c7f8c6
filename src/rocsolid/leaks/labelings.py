"""Labelings that fit a released AUC, and improved guesses with their expected gain."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.leaks.alternating_sum import exact_exposure
from rocsolid.leaks.constraint import Constraint, constraint
from rocsolid.leaks.exposure import exposure
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.results.card import Carded

_FLOATS = NDArray[np.float64]


class Gain(NamedTuple):
    """An expected value for the original guesses, and for the improved guesses."""

    before: float
    after: float


@dataclass(frozen=True, eq=False)
class Improvement(Carded):
    """Improved guesses and their expected scores; all labelings are equally likely.

    - ``scores``: the guesses that maximise the expected AUC.
    - ``probability``: P(y_i = 1), the guesses that maximise the expected accuracy (cut at ½) and
      minimise the expected log-loss (in nats).
    - ``auc``, ``accuracy``, ``log_loss``: the expected values before and after.
    - ``baseline``: the reference for accuracy and log-loss: the original scores as probabilities,
      if they are in [0, 1]; else the expected share of positives for every row.
    """

    scores: _FLOATS
    probability: _FLOATS
    auc: Gain
    accuracy: Gain
    log_loss: Gain
    baseline: Literal["scores as probabilities", "share of positives"]
    _cites = ("The improvement of guesses", "whitehill2016", "whitehill2019")

    def explain(self) -> str:
        """Return the result in words."""
        text = "If all labelings that fit are equally likely, "
        if self.auc.after - self.auc.before < 1e-9:
            text += f"no other ranking has a higher expected AUC than {self.auc.before:.4f}"
        else:
            text += f"the expected AUC goes from {self.auc.before:.4f} to {self.auc.after:.4f}"
        return (
            f"{text}; the expected accuracy goes from {self.accuracy.before:.4f} to "
            f"{self.accuracy.after:.4f} and the log-loss from {self.log_loss.before:.4f} to "
            f"{self.log_loss.after:.4f} ({self.baseline} before)."
        )


def improve(
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
    posterior: Any = None,
) -> Improvement:
    """Improve guesses of the labels, given the posterior after a release (Whitehill 2019, section
    7).

    With w = 1/(n₀n₁), the two orders of a pair differ in expected AUC by E[w·y_i] − E[w·y_j], so
    ranking by E[w·y_i] is optimal. With one number of positives it equals ranking by P(y_i = 1).
    The best cut is P ≥ ½, and P has the smallest expected log-loss.

    For many rows and an AUC above ½, P(y_i = 1) rises with the score, so **one release cannot
    improve the ranking** but calibrates the scores. Known labels and further releases improve the
    ranking: ``posterior``, such as the posterior of `joint`, replaces the posterior of this
    release. For many rows, or with a posterior, ``n_pos`` must leave exactly one number of
    positives. All further arguments are those of `count`.

    >>> better = improve("3/4", [0.2, 0.5, 0.9, 0.1])
    >>> better.auc, better.accuracy
    (Gain(before=0.75, after=1.0), Gain(before=0.5, after=1.0))
    """
    c = constraint(auc, scores, n_pos, decimals, known)
    if posterior is not None:
        sizes = [k + c.known_positives for k in c.targets]
        probability = _given(posterior, c)
    else:
        exposed = exposure(auc, scores, n_pos=n_pos, decimals=decimals, known=known)
        sizes, probability = list(exposed.n_pos), exposed.probability
        if len(sizes) > 1 and exposed.method == "exact":
            return _improvement(scores, probability, *_weighted(c))
    if len(sizes) != 1:
        raise RocsolidError(
            "the expected AUC needs a single number of positives here",
            where="n_pos",
            value=n_pos,
            fix="give n_pos as one number; for fewer rows it may stay open",
        )
    n_pos, n_neg = sizes[0], c.n - sizes[0]
    return _improvement(scores, probability, probability / (n_pos * n_neg), (n_pos + 1) / n_neg)


def _weighted(c: Constraint) -> tuple[_FLOATS, float]:
    """Return E[y_i/(n₀n₁)] for every row, and E[(n₁+1)/n₀]."""
    sizes = {k: k + c.known_positives for k in c.targets}
    common = math.lcm(*(size * (c.n - size) for size in sizes.values()))
    worth = {k: common // (size * (c.n - size)) for k, size in sizes.items()}
    plain, weighted = exact_exposure(c), exact_exposure(c, worth)
    whole = common * plain.total
    share = np.full(c.n, weighted.total / whole) * c.labels
    share[c.free] = [count / whole for count in weighted.favourable]
    base = sum(
        ways * size * (size + 1)
        for ways, size in ((weighted.by_free_positives[k], size) for k, size in sizes.items())
    )
    return share, base / whole


def _improvement(scores: Any, p: _FLOATS, weighted: _FLOATS, base: float) -> Improvement:
    """Improve the scores; ``weighted`` is E[w·y_i] and ``base`` E[w·n₁(n₁+1)], for w = 1/(n₀n₁)."""
    values = valid_scores(scores, name="scores").astype(np.float64)
    as_probabilities = bool(((values >= 0) & (values <= 1)).all())
    guess = values if as_probabilities else np.full(len(values), p.mean())
    # 2·AUC = w·(sum of the positives' doubled midranks − n₁(n₁+1)), and expectations are linear
    before, after = ((float(doubled_ranks(by) @ weighted) - base) / 2 for by in (scores, weighted))
    return Improvement(
        weighted / weighted.max(),
        p,
        Gain(before, after),
        Gain(_accuracy(guess, p), _accuracy(p, p)),
        Gain(_log_loss(guess, p), _log_loss(p, p)),
        "scores as probabilities" if as_probabilities else "share of positives",
    )


def _accuracy(guess: _FLOATS, p: _FLOATS) -> float:
    return float(np.where(guess >= 0.5, p, 1 - p).mean())


def _log_loss(guess: _FLOATS, p: _FLOATS) -> float:
    """Return the expected log-loss in nats; infinite if a possible label has probability 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(p > 0, -p * np.log(guess), 0.0)
        loss += np.where(p < 1, -(1 - p) * np.log1p(-guess), 0.0)
    return float(loss.mean())


def _given(posterior: Any, c: Constraint) -> _FLOATS:
    p = np.array(posterior, dtype=np.float64)
    if p.shape != (c.n,) or not ((p >= 0) & (p <= 1)).all():
        raise InputError(
            f"the posterior is one probability for each of the {c.n} rows",
            where="posterior",
            value=posterior,
        )
    return np.where(c.known, c.labels, p)


def labelings(
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> Iterator[NDArray[np.bool_]]:
    """Yield each labeling of the rows, in the caller's order, for which the scores have this AUC.

    Rows are compared from the highest score to the lowest (ties in the caller's order). A labeling
    with a positive comes before a labeling with a negative at the first difference. `rank` and
    `unrank` use the same order. Memory contains only the path to the current labeling and the dead
    ends so far, so the first of 10^80 labelings comes at once. The arguments are those of `count`.

    The set is defined in Whitehill 2019, sections 4 and 5. Ties, rounding and known labels are
    derived here. The search continues a partial labeling only if some number of remaining positives
    has a sum between the smallest and largest possible, in the right residue class; for untied
    scores without known labels that test is exact.

    >>> [labels.astype(int).tolist() for labels in labelings("3/4", [0.2, 0.5, 0.9, 0.1])]
    [[1, 0, 1, 0]]
    """
    return _walk(constraint(auc, scores, n_pos, decimals, known))


def _walk(c: Constraint) -> Iterator[NDArray[np.bool_]]:
    fits = _Feasible(c)
    weights: list[int] = c.weights.tolist()
    m = len(weights)
    dead: set[tuple[int, int, int]] = set()
    chosen = np.zeros(m, dtype=bool)
    positives, total = [0] * (m + 1), [0] * (m + 1)
    labeling, untried = [False] * (m + 1), [2] * (m + 1)
    alive: list[list[tuple[int, int, int]]] = [[]] * (m + 1)
    alive[0] = fits.alive(0, 0, 0, [(k, t[0], t[-1]) for k, t in sorted(c.targets.items())])
    i = 0 if alive[0] else -1
    while i >= 0:
        if i == m:
            yield c.labeling(chosen)
            labeling[i], untried[i] = True, 0
        if untried[i]:
            untried[i] -= 1
            label = untried[i]  # 1 first, then 0
            a, s = positives[i] + label, total[i] + label * weights[i]
            left = fits.alive(i + 1, a, s, alive[i])
            if left and (i + 1, a, s) not in dead:
                chosen[i] = label
                i += 1
                positives[i], total[i], alive[i] = a, s, left
                labeling[i], untried[i] = False, 2
        else:
            if not labeling[i]:
                dead.add((i, positives[i], total[i]))
            elif i:
                labeling[i - 1] = True
            i -= 1


class _Feasible:
    """The numbers of positives to which a partial labeling can still be completed."""

    def __init__(self, c: Constraint) -> None:
        self._cum = [0, *np.cumsum(c.weights).tolist()]
        self._last = int(c.weights[-1]) if len(c.weights) else 0
        self._m = len(c.weights)
        # the divisor of all differences among the rows from i on; 0 where they are tied
        steps = np.gcd.accumulate((c.weights - self._last)[::-1])[::-1] if self._m else c.weights
        self._step: list[int] = [*steps.tolist(), 0]

    def alive(
        self, i: int, a: int, s: int, targets: list[tuple[int, int, int]]
    ) -> list[tuple[int, int, int]]:
        cum, m, step = self._cum, self._m, self._step[i]
        left = []
        for target in targets:
            rest = target[0] - a
            if not 0 <= rest <= m - i:
                continue
            low = max(target[1] - s, cum[m] - cum[m - rest])
            high = min(target[2] - s, cum[i + rest] - cum[i])
            if step > 1:
                low += (rest * self._last - low) % step
            if low <= high:
                left.append(target)
        return left

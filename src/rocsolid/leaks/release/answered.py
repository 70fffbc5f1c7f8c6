"""The information in a defence's answer: a range of exact AUCs, and bits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.evidence import Released
from rocsolid.leaks.query_bits import entropy, query_bits, share_below
from rocsolid.leaks.release.defence import (
    Binned,
    Bracketed,
    Defence,
    Described,
    Exact,
    Past,
    Rounded,
    Submission,
)
from rocsolid.leaks.release.ladder import Ladder

START = Fraction(1, 2)
"""The answer of every Ladder until a submission improves on it."""
_OF_THE_AUC = (Exact, Rounded, Binned, Ladder)


def improved(defence: Described, last: Fraction | None, value: Fraction) -> bool | None:
    """Return whether the file improved on the account's ``last`` answer.

    The result is `None` if the defence repeats no answer.

    >>> rule, best = Ladder("0.05"), Fraction("0.75")
    >>> improved(rule, None, best), improved(rule, best, best), improved(Exact(), best, best)
    (True, False, None)
    """
    if defence.improvement is None:
        return None
    return value != (START if last is None else last)


def answered(
    defence: Described, last: Fraction | None, value: Fraction, n_pos: int, n_neg: int
) -> Released | None:
    """Return the exact AUCs for which the answer is ``value``, given the account's ``last`` answer.

    The result is `None` if noise allows every AUC, or if the answer depends on more than the AUC.
    The range includes its ends, which are possible AUCs, ties allowed.

    >>> rule, seven = Ladder("0.1"), Fraction("0.7")
    >>> ranges = [answered(rule, last, seven, 10, 10) for last in (None, seven)]
    >>> [(float(r.low), float(r.high)) for r in ranges]
    [(0.7, 0.795), (0.0, 0.795)]
    """
    if not isinstance(defence, Bracketed):
        return None
    low, high = defence.bracket(value, n_pos, n_neg)
    if improved(defence, last, value) is False:
        if not isinstance(defence, Ladder):
            return None
        low = Fraction(0)
    units = 2 * n_pos * n_neg
    inside = Released(max(low, Fraction(0)), min(high, Fraction(1))).multiples(units)
    first, final = inside.start, inside.stop - 1
    if isinstance(defence, _OF_THE_AUC):  # an end of the bracket may belong to the next answer

        def gets(k: int) -> bool:
            trial = Submission(Fraction(k, units), n_pos, n_neg, 0)
            return defence.answer(trial, Past(last)).value == value

        first += not gets(first)
        final -= not gets(final)
    return Released(Fraction(first, units), Fraction(final, units))


def is_known(
    defence: Described,
    earlier: Iterable[tuple[Fraction | None, Fraction]],
    past: Past,
    n_pos: int,
    n_neg: int,
) -> bool:
    """Return whether earlier answers about the same ranking determine the next answer to an
    account.

    ``earlier`` contains the earlier answers, each after the previous answer to the same account.

    >>> rule, seven = Ladder("0.1"), Fraction("0.7")
    >>> [is_known(rule, [(last, seven)], Past(), 10, 10) for last in (None, seven)]
    [True, False]
    """
    if not isinstance(defence, _OF_THE_AUC):
        return False
    ranges = [answered(defence, last, value, n_pos, n_neg) for last, value in earlier]
    known = [inside for inside in ranges if inside is not None]
    if not known:
        return False
    ends = max(inside.low for inside in known), min(inside.high for inside in known)
    low, high = (defence.answer(Submission(end, n_pos, n_neg, 0), past).value for end in ends)
    return low == high


def average_bits(defence: Defence, n: int, n_pos: int, answers: int) -> float | None:
    """Return the expected bits of ``answers`` to one account, if each file is a random untied
    ranking.

    The result is `None` if noise or single rows decide the answers. A Ladder's answers are the
    highest rung X so far: P(M ≤ j) after t answers is P(X ≤ j)ᵗ. The bits are the sum of the
    entropies of each answer given the previous answer.

    >>> [round(average_bits(Ladder("0.1"), 60, 30, count), 2) for count in (1, 2, 10)]
    [0.47, 0.9, 3.26]
    """
    pairs = n_pos * (n - n_pos)
    if isinstance(defence, Exact | Rounded):
        decimals = defence.decimals if isinstance(defence, Rounded) else None
        return answers * query_bits(n, n_pos, decimals)[0]
    if not isinstance(defence, Binned | Ladder):
        return None
    edges: Sequence[Fraction] = (
        defence.edges
        if isinstance(defence, Binned)
        else [START + j * defence.step for j in range(1, defence.steps + 1)]
    )
    below = share_below(n, n_pos, [math.ceil(edge * pairs) for edge in edges])
    upto = np.append(below, 1.0)
    share = np.diff(upto, prepend=0.0)
    if isinstance(defence, Binned):
        return answers * entropy(share)
    stays = _bits(upto)  # from each rung: the file is no higher
    rises = np.append(np.cumsum(_bits(share)[:0:-1])[::-1], 0.0)
    before = np.diff(upto ** np.arange(answers)[:, None], prepend=0.0, axis=1)
    before[0] = np.eye(len(upto))[0]
    return float((before @ (stays + rises)).sum())


def _bits(share: NDArray[np.float64]) -> NDArray[np.float64]:
    return -share * np.log2(np.where(share > 0, share, 1.0))

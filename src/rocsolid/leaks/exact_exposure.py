"""The exact route to P(label = 1): which of the two ways to count, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.leaks.alternating_sum import alternating_sum
from rocsolid.leaks.completions import SumWindows
from rocsolid.leaks.constraint import Constraint
from rocsolid.leaks.forward_backward import ExactExposure, forward_backward


def exact_exposure(c: Constraint, worth: Mapping[int, int] | None = None) -> ExactExposure:
    """Count the labelings in which each free row is positive, by the cheaper way.

    >>> from rocsolid.leaks.constraint import constraint
    >>> exact_exposure(constraint("3/4", [0.1, 0.2, 0.5, 0.9]))
    ExactExposure(total=1, favourable=[1, 0, 1, 0], by_free_positives={2: 1})
    """
    return alternating_sum(c, worth) if c.consecutive else forward_backward(c, worth)


def exact_steps(c: Constraint) -> int:
    """About how many additions of long integers `exact_exposure` takes; a few million a second."""
    if not c.targets:
        return 0
    if not c.consecutive:
        return 5 * int(SumWindows(c).cells().sum())
    m, most = len(c.weights), max(c.targets)
    largest = max(sums[-1] for sums in c.targets.values())
    # Σ_{a ≤ most} of largest − a(a−1)/2
    series = (most + 1) * largest - (most + 1) * most * (most - 1) // 6
    return 3 * series + m * sum(c.targets)

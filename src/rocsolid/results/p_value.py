"""p-values for people, who do not compare very small ones; JSON has all digits."""

from __future__ import annotations

import math

_LEAST = 1e-4


def at_floor(p: float, draws: int) -> bool:
    """Whether a p-value counted among so many draws is the least that they can give.

    The data count as one of the draws, so it is one in ``draws`` and one. The true one may be far
    smaller.

    >>> at_floor(1 / 2001, 2000), at_floor(2 / 2001, 2000)
    (True, False)
    """
    return p * (1.0 + draws) <= 1.0 + 1e-9


def p_text(p: float, *, floor: bool = False) -> str:
    """A p-value alone, as in a table; at the ``floor`` of its draws it is no more than a limit.

    >>> p_text(0.03217), p_text(3.2e-7), p_text(float("nan")), p_text(1 / 2001, floor=True)
    ('0.0322', '<0.0001', 'unknown', '≤0.0005')
    """
    if math.isnan(p):
        return "unknown"
    if p < _LEAST:
        return "<0.0001"
    return f"≤{_upwards(p)}" if floor else f"{p:.4f}"


def p_equals(p: float, digits: str = ".4f", *, floor: bool = False) -> str:
    """A p-value in a sentence.

    >>> p_equals(0.03217), p_equals(0.03217, ".2g"), p_equals(3.2e-7), p_equals(float("nan"))
    ('p = 0.0322', 'p = 0.032', 'p < 0.0001', 'p unknown')
    >>> p_equals(1 / 501, floor=True)
    'p ≤ 0.0020'
    """
    if math.isnan(p):
        return "p unknown"
    if p < _LEAST:
        return "p < 0.0001"
    return f"p ≤ {_upwards(p)}" if floor else f"p = {p:{digits}}"


def _upwards(p: float) -> str:
    """A limit is rounded upwards, or it would not hold."""
    return f"{math.ceil(p * 1e4 - 1e-9) / 1e4:.4f}"

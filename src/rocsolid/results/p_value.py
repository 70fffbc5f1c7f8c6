"""p-values for people, who do not compare very small ones; JSON has all digits."""

from __future__ import annotations

import math

_LEAST = 1e-4


def p_text(p: float) -> str:
    """A p-value alone, as in a table.

    >>> p_text(0.03217), p_text(3.2e-7), p_text(float("nan"))
    ('0.0322', '<0.0001', 'unknown')
    """
    if math.isnan(p):
        return "unknown"
    return "<0.0001" if p < _LEAST else f"{p:.4f}"


def p_equals(p: float, digits: str = ".4f") -> str:
    """A p-value in a sentence.

    >>> p_equals(0.03217), p_equals(0.03217, ".2g"), p_equals(3.2e-7), p_equals(float("nan"))
    ('p = 0.0322', 'p = 0.032', 'p < 0.0001', 'p unknown')
    """
    if math.isnan(p):
        return "p unknown"
    return "p < 0.0001" if p < _LEAST else f"p = {p:{digits}}"

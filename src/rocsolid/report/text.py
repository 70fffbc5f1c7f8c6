"""Numbers as the page writes them."""

from __future__ import annotations

import math

from rocsolid.markup import Markup, element
from rocsolid.remarks.remark import Remark


def number(value: float, decimals: int = 4) -> str:
    """Four decimals; a value that is not exactly 0 or 1 is not written as if it were.

    >>> number(0.83125), number(0.99999), number(1.0), number(0.00001), number(float("nan"))
    ('0.8313', '>0.9999', '1', '<0.0001', 'not defined')
    >>> number(0.0312346, 6)
    '0.031235'
    """
    if math.isnan(value):
        return "not defined"
    if value in (0.0, 1.0):
        return f"{value:g}"
    text = f"{value:.{decimals}f}"
    if float(text) not in (0.0, 1.0):
        return text
    return f"<{10**-decimals:.{decimals}f}" if value < 0.5 else f">{1 - 10**-decimals:.{decimals}f}"


def span(low: float, high: float, decimals: int = 4) -> str:
    """An interval.

    >>> span(0.61, 1.0)
    '0.6100 – 1'
    """
    return f"{number(low, decimals)} – {number(high, decimals)}"


def share(value: float) -> str:
    """A share in percent: one decimal, two digits below one percent; only 0 and 1 are round.

    >>> share(0.8014), share(0.0042), share(1e-9), share(0.9999), share(0.0), share(1.0)
    ('80.1 %', '0.42 %', '<0.001 %', '>99.9 %', '0 %', '100 %')
    """
    if value in (0.0, 1.0):
        return f"{100 * value:g} %"
    if value < 0.00995:
        return f"{100 * value:.2g} %" if value >= 0.00001 else "<0.001 %"
    return f"{100 * value:.1f} %" if value < 0.9995 else ">99.9 %"


def measure_title(measure: str) -> str:
    """A measure as people write it.

    >>> measure_title("auc"), measure_title("partial_auc(fpr<=0.1)")
    ('AUC', 'partial_auc(fpr<=0.1)')
    """
    return "AUC" if measure == "auc" else measure


def width(value: float) -> str:
    """A width, or half of one: four decimals, or two digits where it is very small.

    >>> width(0.0312), width(0.000123)
    ('0.0312', '0.00012')
    """
    return f"{value:.4f}" if value >= 0.001 else f"{value:.2g}"


def threshold(value: float) -> str:
    """A score, to six significant digits.

    >>> threshold(0.43212345), threshold(float("inf")), threshold(3.0)
    ('0.432123', '∞', '3')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.6g}".replace("-", "−")


def prose(text: str) -> str:
    """A sentence whose numbers keep their percent sign on the same line.

    >>> prose("at 95 % or so") == "at 95\N{NO-BREAK SPACE}% or so"
    True
    """
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def point(sentence: str) -> Markup:
    """A sentence in a list; that of a check has its code.

    >>> from rocsolid.remarks.rows import ReversedScore
    >>> print(point(ReversedScore())[:33])
    <li data-check="ROC011">Positives
    """
    return element("li", prose(sentence), data_check=code_of(sentence) or False)


def code_of(sentence: str) -> str:
    return sentence.code if isinstance(sentence, Remark) else ""

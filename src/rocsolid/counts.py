"""Counts with their nouns, as sentences have them."""

from __future__ import annotations


def counted(count: float, noun: str) -> str:
    """A count with its noun, such as "2 rows"; a sum of weights is a float.

    >>> counted(1, "positive"), counted(1200, "negative"), counted(1e6 + 0.5, "query")
    ('1 positive', '1,200 negatives', '1,000,000.5 queries')
    """
    count = count.item() if hasattr(count, "item") else count
    if count != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("query") else f"{noun}s"
    return f"{count:,{'.10g' if isinstance(count, float) else ''}} {noun}"


def both_classes(n_pos: float, n_neg: float, between: str = " and ") -> str:
    """The sizes of the classes in a sentence.

    >>> both_classes(1, 2000)
    '1 positive and 2,000 negatives'
    """
    return f"{counted(n_pos, 'positive')}{between}{counted(n_neg, 'negative')}"

"""The alternatives to a score that its value is compared with, if these are not a random score."""

from __future__ import annotations

from typing import Any

References = tuple[tuple[str, float], ...]
"""Each alternative with its value, such as treating none with a net benefit of 0."""


def references_of(valued: Any) -> References:
    return getattr(valued, "references", ())


def best_reference(references: References) -> str:
    """The name of the alternative with the highest value.

    >>> best_reference((("treating none", 0.0), ("treating all", -0.1)))
    'treating none'
    """
    return max(references, key=lambda reference: reference[1])[0]


def listed(references: References, decimals: int = 4) -> list[str]:
    """Each alternative with its value in brackets."""
    return [
        f"{name} ({value:.{decimals}f})" if value else f"{name} (0)" for name, value in references
    ]


def against_references(limits: Any, references: References) -> str:
    """The decision of an interval about each alternative, in words.

    >>> from rocsolid.results.interval import Interval
    >>> limits = Interval(-0.07, -0.05, 0.95, "wald")
    >>> print(against_references(limits, (("treating none", 0.0), ("treating all", -0.1))))
    It is better than treating all (-0.1000) and worse than treating none (0).
    """
    named = dict(zip(listed(references, limits.decimals), references, strict=True))
    better = [text for text, (_, value) in named.items() if limits.low > value]
    worse = [text for text, (_, value) in named.items() if limits.high < value]
    included = [text for text in named if text not in {*better, *worse}]
    decided = [
        f"{word} than {' and than '.join(texts)}"
        for word, texts in (("better", better), ("worse", worse))
        if texts
    ]
    sentences = [f"It is {' and '.join(decided)}."] if decided else []
    if included:
        sentences.append(
            f"These rows do not decide whether it is better than {' or than '.join(included)}."
        )
    return " ".join(sentences)


def references_in_words(references: References) -> str:
    """A sentence with the value of each alternative.

    >>> references_in_words((("treating none", 0.0), ("treating all", -0.1)))
    'For comparison: treating none (0), treating all (-0.1000).'
    """
    return f"For comparison: {', '.join(listed(references))}."

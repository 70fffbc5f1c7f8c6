"""What an AUC is, in a sentence."""

from __future__ import annotations


def auc_in_words(*, lower_is_better: bool) -> str:
    """The direction is said, as a reader of the page may not know that low scores mean positive.

    >>> print(auc_in_words(lower_is_better=True))
    Low scores mean positive here: the AUC is the probability that a positive example is scored
    below a negative one; chance alone gives one half.
    """
    begin = "Low scores mean positive here: the" if lower_is_better else "The"
    side = "below" if lower_is_better else "above"
    return (
        f"{begin} AUC is the probability that a positive example is scored {side} a negative one; "
        "chance alone gives one half."
    )

"""What a picture gives away about labels: a sentence that stands in the file of every picture."""

from __future__ import annotations

from collections.abc import Iterable

from rocsolid.binary.precision_recall import PrecisionRecall
from rocsolid.binary.roc import Roc

VALUES = (
    "This picture shows values with intervals: each is an equation about the labels for somebody "
    "with the scores. How many labels follow was not counted."
)
COUNTS = (
    "This picture shows how many positives have ranks within each bin: each count is an equation "
    "about the labels for somebody with the scores. How many labels follow was not counted."
)
EXPOSURES = (
    "This picture shows how far the labels of rows follow from what was released, as somebody with "
    "the scores can compute it. It saves them the work."
)
NO_DATA = "This picture is drawn from formulas and shows no data: it gives away no label."


def exact_curves(curves: Iterable[Roc | PrecisionRecall], what: str = "exact ROC curves") -> str:
    """How many labels can be read off curves that are drawn corner by corner.

    Rows of one class that no row of the other is tied with are certain.

    >>> from rocsolid.binary.roc import roc
    >>> print(exact_curves([roc([0, 1, 0, 1], [1, 2, 2, 3])]))
    This picture shows exact ROC curves: somebody with the scores can read at least 2 of 4 labels
    off it for certain. Do not publish it where the labels are not public.
    """
    found = [(one.counts.pos, one.counts.neg) for one in curves if not one.weighted]
    certain = [int((pos + neg)[(pos == 0) | (neg == 0)].sum()) for pos, neg in found]
    rows = [int(pos.sum() + neg.sum()) for pos, neg in found]
    some = "all labels but those of tied rows"
    if found:
        most = max(range(len(found)), key=certain.__getitem__)
        some = f"at least {certain[most]:,} of {rows[most]:,} labels"
    return (
        f"This picture shows {what}: somebody with the scores can read {some} off it for certain. "
        "Do not publish it where the labels are not public."
    )

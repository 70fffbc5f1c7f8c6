"""What the items on a report page reveal about the labels, besides the AUC."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.results import Interval
from rocsolid.results.card import Carded
from rocsolid.results.interval import VALUE, Read
from rocsolid.results.plain import one_line

Gives = Literal["nothing", "equation", "every label"]
Item = Literal[
    "auc",
    "class sizes",
    "ties",
    "std_error",
    "interval",
    "certified interval",
    "partial areas",
    "other measures",
    "segments",
    "folds",
    "rank bins",
    "band",
    "positive ranks",
    "path",
    "operating points",
    "differences",
    "sample sizes",
    "fingerprint",
    "keyed fingerprint",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """The information that one published item reveals to a reader who has the scores."""

    item: str
    gives: Gives
    sentence: str


@dataclass(frozen=True, slots=True)
class PageLeaks(Carded):
    """The information that a page reveals, item by item."""

    findings: tuple[Finding, ...]

    @property
    def every_label(self) -> bool:
        """Whether some item reveals every label of untied scores."""
        return any(finding.gives == "every label" for finding in self.findings)

    @property
    def equations(self) -> tuple[str, ...]:
        """The items that exclude labelings."""
        return tuple(finding.item for finding in self.findings if finding.gives == "equation")

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(finding.sentence for finding in self.findings)

    __repr__ = one_line

    def __str__(self) -> str:
        return "\n".join(f"{finding.item}: {finding.sentence}" for finding in self.findings)


def page(published: Collection[Item | Interval] | None = None) -> PageLeaks:
    """Return what the published items reveal about the labels; ``None`` means all items.

    ``published`` may also contain intervals, which reveal no more than the inputs that their
    methods declare. The names "interval" and "certified interval" represent an interval by any
    method. The reader is assumed to have the score of each row. Each statement holds for any data;
    `count` and `exposure` measure how much one AUC reveals about one table.

    >>> leaks = page(["auc", "std_error", "fingerprint"])
    >>> leaks.every_label, leaks.equations
    (False, ('auc', 'std_error'))
    >>> page(["path"]).every_label
    True
    >>> from rocsolid.intervals.guarantees import hinge
    >>> print(page([hinge(0.8, 100, 100)]))
    certified interval (hinge): It is computed from the class sizes and the value, and adds nothing
    to them.
    """
    items = get_args(Item) if published is None else tuple(published)
    return PageLeaks(
        tuple(_of_interval(i) if isinstance(i, Interval) else _finding(i) for i in items)
    )


def _finding(name: Item) -> Finding:
    if name not in _FINDINGS:
        raise InputError(
            "the page has no such item",
            where="published",
            value=name,
            fix="give an interval, or one of " + ", ".join(_FINDINGS),
        )
    return Finding(name, *_FINDINGS[name])


def _of_interval(interval: Interval) -> Finding:
    kind = "certified interval" if interval.certified else "interval"
    item = f"{kind} ({interval.method})"
    read = " and ".join(words for name, words in _READS.items() if name in interval.reads)
    if interval.reads <= VALUE:
        return Finding(item, "nothing", f"It is computed from {read}, and adds nothing to them.")
    return Finding(
        item, "equation", f"It is computed from {read}: a further equation besides the value."
    )


_READS: dict[Read, str] = {
    "sizes": "the class sizes",
    "value": "the value",
    "variance": "its estimated variance",
    "covariance": "the estimated variance of the difference",
    "placements": "the placement of each row of the smaller class among the larger",
    "curve": "the curve",
    "weights": "the weight of each class",
    "clusters": "the rows of each class in each cluster",
    "folds": "the value and the class sizes of each fold",
    "rows": "the rows one by one",
}


_FINDINGS: dict[Item, tuple[Gives, str]] = {
    "auc": (
        "equation",
        "An exact AUC is one linear equation in the labels for each number of positives. A rounded "
        "AUC bounds the same sum, and hides nothing if it has enough decimals.",
    ),
    "class sizes": (
        "equation",
        "The number of positives is one linear equation, and turns an AUC into a sum of ranks.",
    ),
    "ties": (
        "equation",
        "The number of tied pairs is an equation on the classes inside the blocks of tied scores; "
        "without tied scores it is 0 and reveals nothing.",
    ),
    "std_error": (
        "equation",
        "The standard error is a further equation, on the squares of the ranks. At full precision "
        "it rules out most of the labelings that the AUC leaves.",
    ),
    "interval": (
        "equation",
        "Most intervals determine the standard error and reveal as much. An interval from the "
        "value and the class sizes alone adds nothing. Each method declares its inputs: pass "
        "the interval itself instead of its name.",
    ),
    "certified interval": (
        "equation",
        "The information depends on the method. Many methods use the value and the class sizes "
        "alone and add nothing. Methods that use the placement of each row, weights or clusters "
        "add an equation. Pass the interval itself instead of its name.",
    ),
    "partial areas": (
        "equation",
        "A partial area is a further equation, on the rows inside its region.",
    ),
    "other measures": ("equation", "Any further measure of the same scores is a further equation."),
    "segments": (
        "equation",
        "Each segment with an AUC and class sizes of its own is a separate, smaller problem: its "
        "labels are as exposed as those of any data set of that size.",
    ),
    "folds": (
        "equation",
        "The value and the class sizes of each fold are equations on the rows of that fold alone, "
        "and folds are disjoint: each is a separate, smaller problem, like a segment. A mean over "
        "folds alone is one equation on all rows.",
    ),
    "rank bins": (
        "equation",
        "The histogram of the positives' ranks counts positives between two cuts: one equation for "
        "each bin. It reveals every label if no scores are tied and the bins outnumber the "
        "negatives.",
    ),
    "band": (
        "every label",
        "A band determines the curve at its grid points. If the grid is finer than one over the "
        "number of negatives, it determines the whole curve.",
    ),
    "positive ranks": (
        "every label",
        "The ranks of the positives reveal every label, up to the order of rows with tied scores.",
    ),
    "path": (
        "every label",
        "The corners of the curve reveal every label, up to the order of rows with tied scores: an "
        "upward step is a positive, a sideways step a negative. A plot with fewer corners reveals "
        "the number of positives between the corners that it shows.",
    ),
    "operating points": (
        "equation",
        "The rates at a threshold are the numbers of positives and negatives above it: an equation "
        "for each threshold, and its interval follows from them.",
    ),
    "differences": (
        "equation",
        "The interval or the p-value of a difference determines its standard error, a "
        "further equation on both rankings. Certified limits of a difference depend on how often "
        "two scores disagree, which is another equation.",
    ),
    "sample sizes": (
        "equation",
        "The interval at other sample sizes determines the two parts of the variance of the AUC, "
        "for the positives and for the negatives. They reveal more than the standard error.",
    ),
    "fingerprint": (
        "nothing",
        "The fingerprint covers the scores of the whole table and nothing else; it is the same "
        "for all labels.",
    ),
    "keyed fingerprint": (
        "nothing",
        "A fingerprint of the labels under a secret key reveals nothing to readers without the "
        "key; readers with the key can test guessed labels against it.",
    ),
}

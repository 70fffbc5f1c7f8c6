"""What a report page says about the labels, beside the AUC itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from rocsolid.errors import InputError

Gives = Literal["nothing", "equation", "every label"]
Item = Literal[
    "auc",
    "class sizes",
    "ties",
    "std_error",
    "interval",
    "certified interval",
    "partial areas",
    "weights or clusters",
    "segments",
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
    """What one published item tells somebody who knows the scores."""

    item: Item
    gives: Gives
    sentence: str


@dataclass(frozen=True, slots=True)
class PageLeaks:
    """What a page gives away, item by item."""

    findings: tuple[Finding, ...]

    @property
    def every_label(self) -> bool:
        """Whether some item spells out the labels of untied scores."""
        return any(finding.gives == "every label" for finding in self.findings)

    @property
    def equations(self) -> tuple[Item, ...]:
        """The items that each rule labelings out."""
        return tuple(finding.item for finding in self.findings if finding.gives == "equation")

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(finding.sentence for finding in self.findings)

    def __str__(self) -> str:
        return "\n".join(f"{finding.item}: {finding.sentence}" for finding in self.findings)


def page(published: Collection[Item] | None = None) -> PageLeaks:
    """What follows about the labels from the items that are published; ``None`` means all.

    The reader is taken to know the scores, row by row, as a participant knows a submission. Each
    statement is a property of the item, whatever the data; `count` and `exposure` say how much one
    AUC gives away of one table. The tests check every statement by trying all labelings.

    >>> leaks = page(["auc", "std_error", "fingerprint"])
    >>> leaks.every_label, leaks.equations
    (False, ('auc', 'std_error'))
    >>> page(["path"]).every_label
    True
    """
    names = get_args(Item) if published is None else tuple(published)
    for name in names:
        if name not in _FINDINGS:
            raise InputError(
                "the page has no such item",
                where="published",
                value=name,
                fix="one of " + ", ".join(_FINDINGS),
            )
    return PageLeaks(tuple(Finding(name, *_FINDINGS[name]) for name in names))


_FINDINGS: dict[Item, tuple[Gives, str]] = {
    "auc": (
        "equation",
        "An exact AUC is one linear equation in the labels for each number of positives; a rounded "
        "one bounds the same sum, and loses nothing if it has enough decimals.",
    ),
    "class sizes": (
        "equation",
        "The number of positives is one linear equation, and turns an AUC into a sum of ranks.",
    ),
    "ties": (
        "equation",
        "The number of tied pairs is an equation on the classes inside the blocks of tied scores; "
        "without tied scores it is 0 and says nothing.",
    ),
    "std_error": (
        "equation",
        "The standard error is a further equation, on the squares of the ranks. At full precision "
        "it rules out most of the labelings that the AUC leaves.",
    ),
    "interval": (
        "equation",
        "A calibrated interval can be turned back into the standard error, so it says as much.",
    ),
    "certified interval": (
        "nothing",
        "A certified interval is computed from the AUC and the class sizes, and adds nothing to "
        "them.",
    ),
    "partial areas": (
        "equation",
        "A partial area is a further equation, on the rows inside its region, and so is each of "
        "its intervals, the certified one too.",
    ),
    "weights or clusters": (
        "equation",
        "Where rows are weighted or clustered, the certified interval is computed from sums over "
        "the rows of each class too: a further equation.",
    ),
    "segments": (
        "equation",
        "Each segment with an AUC and class sizes of its own is a smaller problem of its own: its "
        "labels are exposed as those of so few rows are.",
    ),
    "rank bins": (
        "equation",
        "The histogram of the positives' ranks counts positives between two cuts: an equation a "
        "bin, and every label where the bins outnumber the negatives and no scores are tied.",
    ),
    "band": (
        "every label",
        "A band is computed from the curve at its grid points and can be turned back into it; "
        "where the grid is finer than one over the number of negatives, that is the whole curve.",
    ),
    "positive ranks": (
        "every label",
        "The ranks of the positives give every label, up to the order of rows with tied scores.",
    ),
    "path": (
        "every label",
        "The corners of the curve give every label, up to the order of rows with tied scores: an "
        "upward step is a positive, a sideways step a negative. A drawing with fewer corners gives "
        "the number of positives between those it keeps.",
    ),
    "operating points": (
        "equation",
        "The rates at a threshold are the numbers of positives and negatives above it: an equation "
        "for each threshold, and its interval follows from them.",
    ),
    "differences": (
        "equation",
        "The interval or the p-value of a difference of two AUCs can be turned back into its "
        "standard error, a further equation on both rankings at once.",
    ),
    "sample sizes": (
        "equation",
        "How an interval narrows with more rows follows from the two parts of the variance of the "
        "AUC, that of the positives and that of the negatives: more than the standard error says.",
    ),
    "fingerprint": (
        "nothing",
        "The fingerprint covers scores and weights alone; it is the same whatever the labels.",
    ),
    "keyed fingerprint": (
        "nothing",
        "A fingerprint of the labels under a secret key says nothing to those without the key; "
        "those who hold it can test guessed labels against it.",
    ),
}

"""What publishing a page gives away, as plain data, and the coarse curve of a public page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.report.cells import Cells
from rocsolid.results.plain import Plain, written


@dataclass(frozen=True, slots=True)
class LeakReport(Plain):
    """The kind of the page (``public`` or private) and what it tells about the labels.

    ``banner`` stands above everything else: the kind, and what to do or not to do. ``verdict`` is
    the answer in a sentence, ``readers`` say who can learn what, ``tables`` hold the figures and
    ``uncounted`` what they leave out. Every page has one, and where nothing is computed, such as
    for data that were made up, it says why. ``likeliest`` is the probability of the likeliest
    label, or at most or about that, where it was computed.
    """

    public: bool
    banner: str
    verdict: str
    readers: tuple[str, ...] = ()
    tables: tuple[Cells, ...] = ()
    uncounted: tuple[str, ...] = ()
    likeliest: float | None = None
    _json = "public banner verdict readers tables uncounted"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        tables = [written(table, "caption heads rows") for table in self.tables]
        likeliest = {} if self.likeliest is None else {"likeliest": self.likeliest}
        return Plain.to_dict(self) | {"tables": tables} | likeliest


MADE_UP = LeakReport(
    public=True,
    banner="Made-up data: nothing here is about real rows.",
    verdict="All labels and scores on this page were drawn at random or chosen as an example, so "
    "it gives away nothing about anybody.",
)

COLLECTIONS = LeakReport(
    public=False,
    banner="Figures from collections: beside made-up data this page has averages over the queries "
    "of the collections that it names. If their relevance grades are not public, read below what "
    "it gives away before you publish it.",
    verdict="Each average is an equation in the relevance grades for somebody who has the ranked "
    "lists. How many grades follow from all of them together was not counted.",
)

REVIEW_FORM = LeakReport(
    public=False,
    banner="Form for reviewers: it may name the rows whose labels follow from the outputs under "
    "review. Do not hand it to the recipients of these outputs.",
    verdict="It is computed from the outputs that it names and the scores, as a recipient could do "
    "it; rocsolid read no hidden label for it. It saves a recipient the work.",
)


EXACT_FIGURES = LeakReport(
    public=False,
    banner="Private page: its figures are exact. If the labels or outcomes are not public, read "
    "below what they give away before you publish it.",
    verdict="For somebody with the scores each value, limit and p-value is an equation in the "
    "labels or outcomes. How many of these follow from all of them together was not counted.",
    uncounted=("Other publications on the same rows.",),
)

PLANNED = LeakReport(
    public=True,
    banner="Planning figures: they rest on what was assumed of rows to come.",
    verdict="They give nothing away, except that the variances of a pilot, where one was given, "
    "follow from its labels.",
)


@dataclass(frozen=True, slots=True, eq=False)
class CoarseCurve:
    """A curve at a few cuts. The rates are made from rounded counts, and ``decimals`` fit them."""

    score: str
    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    text: str
    decimals: int = 2

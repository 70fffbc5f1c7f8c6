"""What publishing a page gives away, as plain data, and the coarse curve of a public page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from rocsolid.report.cells import Cells
from rocsolid.results.kinds import holds
from rocsolid.results.plain import Plain


@dataclass(frozen=True, slots=True)
class LeakReport(Plain):
    """The kind of the page (``public`` or private) and what it tells about the labels.

    ``banner`` stands above everything else, and says what to do or not to do. Every page has such a
    report, and where nothing is computed, such as for data that were made up, it says why.
    """

    public: Annotated[bool, "Whether the output may be shown to anybody."]
    banner: Annotated[str, "Which kind of output this is."]
    verdict: Annotated[str, "The answer in a sentence."]
    readers: Annotated[tuple[str, ...], "Who can learn what."] = ()
    tables: Annotated[tuple[Cells, ...], "The figures."] = ()
    uncounted: Annotated[tuple[str, ...], "What they leave out."] = ()
    likeliest: Annotated[
        float | None,
        float,
        holds(exclusiveMinimum=0, maximum=1),
        "Probability of the likeliest label: exact, at most, or about; see verdict.",
    ] = None
    _json = "public banner verdict readers tables uncounted likeliest?"


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

"""What is declared of weights and clusters; without it, nothing can be certified of them."""

from __future__ import annotations

from typing import Literal

from rocsolid.errors import InputError, UnsoundError
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import UndeclaredDesign
from rocsolid.summaries.binary_summary import BinarySummary

Design = Literal["fixed"] | None
"""``"fixed"``: weights, and how many rows of each class a cluster has, were fixed by the design,
so that knowing them says nothing about the scores."""


def check_design(design: Design) -> None:
    if design not in (None, "fixed"):
        raise InputError(
            "unknown design",
            where="design",
            value=design,
            fix='write design="fixed" if the weights and the sizes of the clusters were fixed '
            "without regard to the scores, or leave it out",
        )


def certifiable(summary: BinarySummary, design: Design) -> bool:
    """Whether such rows can have a certified interval under what is declared.

    McDiarmid's bounds are about the expectation of the estimate given weights and sizes. That is
    not the AUC of the population if weights depend on the scores within a class, or if the scores
    of clusters depend on their sizes. The data cannot rule this out, so it has to be declared.
    Equal weights need it too: where heavy rows are rare, a sample without one has weights that are
    all equal.
    """
    return design == "fixed" or (summary.squared_shares is None and not summary.evened)


def undeclared(summary: BinarySummary, design: Design) -> list[Remark]:
    """Why there is no certified interval, and what to declare."""
    return [] if certifiable(summary, design) else [UndeclaredDesign(*_needed(summary))]


def _needed(summary: BinarySummary) -> tuple[str, str]:
    """What would make a certificate wrong, and what the design had to fix."""
    if summary.clusters is None:
        what, fixed = "weights that go with the scores", "the weights were"
    elif summary.weighted or summary.evened:
        what, fixed = "weights or sizes of clusters that go with the scores", "both were"
    else:
        what, fixed = "sizes of clusters that go with the scores", "the sizes were"
    return what, fixed


def refuse_undeclared(summary: BinarySummary, design: Design, name: str) -> None:
    """Refuse a guarantee requested by name where nothing can be certified."""
    if not certifiable(summary, design):
        raise UnsoundError(
            f"No certified interval, as it would be wrong for {_needed(summary)[0]}",
            where="interval",
            value=name,
            fix='say design="fixed" if the design fixed them, or use interval="auto"',
        )

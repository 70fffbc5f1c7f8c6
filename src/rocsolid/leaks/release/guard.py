"""Refusing submissions that are made to ask about single labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import RocsolidError


class RefusedSubmission(RocsolidError):
    """A submission that is no attempt to rank; nothing about the labels was computed."""


def check_ranking(doubled: NDArray[np.int64], most_tied: float = 0.5) -> None:
    """Refuse a constant, a two-valued or a mostly tied submission.

    One row alone on top of the rest, all tied, asks for that row's label; two values ask for the
    number of positives in a set. The reason given depends on the scores only. This stops the
    plainest probes, not a patient attacker: rankings without any tie give every label away too.

    >>> check_ranking(np.array([2, 4, 6, 8]))
    >>> check_ranking(np.array([3, 3, 6, 8]), most_tied=0.4)
    Traceback (most recent call last):
    rocsolid.leaks.release.guard.RefusedSubmission: 2 of 4 rows have the same score (scores).
    Fix: submit scores that rank the rows.
    """
    sizes = np.unique(doubled, return_counts=True)[1]
    if len(sizes) == 1:
        raise _refused("all rows have the same score")
    if len(sizes) == 2:
        raise _refused("the scores take two values only")
    if sizes.max() > most_tied * len(doubled):
        raise _refused(f"{sizes.max()} of {len(doubled)} rows have the same score")


def _refused(what: str) -> RefusedSubmission:
    return RefusedSubmission(what, where="scores", fix="submit scores that rank the rows")

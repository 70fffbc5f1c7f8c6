"""The bracket that pair counts give."""

from __future__ import annotations

from rocsolid.checks import flag
from rocsolid.errors import OneClassError
from rocsolid.results import Bracket
from rocsolid.summaries.cells import KnownPairs
from rocsolid.summaries.fingerprint import Fingerprint


def bracket(
    pairs: KnownPairs, lower_is_better: bool, omitted: int, fingerprint: Fingerprint
) -> Bracket:
    """Known wins at least, known wins and all unknown pairs at most.

    >>> bracket(KnownPairs(2, 4, 11, 1), True, 0, Fingerprint(1)).low
    0.1875
    """
    check_classes(pairs.n_pos, pairs.n_neg)
    flag(lower_is_better, "lower_is_better")
    doubled = pairs.doubled_wins
    if lower_is_better:
        doubled = 2 * (pairs.n_pos * pairs.n_neg - pairs.unknown) - doubled
    return Bracket(doubled, pairs.unknown, pairs.n_pos, pairs.n_neg, omitted, str(fingerprint))


def check_classes(n_pos: int, n_neg: int) -> None:
    """Rows of one class are legal until a number is asked for that needs both."""
    if n_pos and n_neg:
        return
    raise OneClassError(
        f"there is no {'negative' if n_pos else 'positive'} row yet, so the AUC is not defined",
        where=f"{n_pos:,} positives, {n_neg:,} negatives",
        fix="add rows of both classes, or the sketch of a part that has them",
    )

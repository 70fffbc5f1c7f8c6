"""Which search settles a system of linear rows: by its size and by how much is left open."""

from __future__ import annotations

import math

from rocsolid.leaks.fincke_pohst import enumerate_box
from rocsolid.leaks.meet_in_middle import SearchOutcome, meet_in_middle
from rocsolid.leaks.posterior import joint_posterior
from rocsolid.leaks.system import System
from rocsolid.leaks.window import window

_LATTICE_LABELS = 256
_MEET_LABELS = 44
_FEW = math.log(100)  # where fewer labelings than this are expected, the lattice is the faster


def settle(question: System, work: int) -> SearchOutcome:
    """Try the searches in turn until one covers everything or two labelings are found."""
    if work <= 0:
        return SearchOutcome((), False, 0)
    expected = joint_posterior(question)
    many = expected.log_count > _FEW
    meet = question.free <= _MEET_LABELS
    best = SearchOutcome((), False, 0)
    if many:
        if meet:
            best = _better(best, meet_in_middle(question, work))
        if not _settled(best):
            best = _better(best, window(question, expected.probability, work // 2))
    if question.free <= _LATTICE_LABELS and not _settled(best):
        best = _better(best, enumerate_box(question, work - best.work))
    if meet and not many and not _settled(best):
        best = _better(best, meet_in_middle(question, work - best.work))
    return best


def _settled(found: SearchOutcome) -> bool:
    return found.complete or len(found.labelings) >= 2


def _better(old: SearchOutcome, new: SearchOutcome) -> SearchOutcome:
    """The new answer, with the labelings and the work of both."""
    if new.complete:
        return SearchOutcome(new.labelings, True, old.work + new.work, new.count, new.positive)
    distinct = {y.tobytes(): y for y in (*old.labelings, *new.labelings)}
    return SearchOutcome(tuple(distinct.values())[:2], False, old.work + new.work)

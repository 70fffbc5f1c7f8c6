"""``rs.explain_published``: what gives the number that somebody printed."""

from __future__ import annotations

from typing import Any

from rocsolid.errors import InputError
from rocsolid.evaluation.explain_difference import facts, short_name, tied_share
from rocsolid.evaluation.judged_files import judged_files
from rocsolid.graded.by_profile import by_profile, head_of, limits, mean_of, measure_of
from rocsolid.graded.profiles import profile as named
from rocsolid.graded.reproduce import PrintedNumber, ways
from rocsolid.inputs.trec import Duplicates
from rocsolid.results import Reproduction

_NEAREST = 3


def explain_published(
    qrels: Any,
    run: Any,
    published: Any,
    *,
    measure: str = "ndcg@10",
    profile: Any = "trec_eval-9",
    duplicates: Duplicates = "raise",
) -> Reproduction:
    """Which tool, which convention or which count of queries gives a published number.

    ``published`` is the number as text, with the digits that were printed: "0.5440" has four. What
    is tried: all profiles; the conventions of ``profile`` switched one at a time (the rank column
    as the order of ties, and unjudged documents taken out, among them); and means over other counts
    of queries (some more that count 0, one left out, one counted 0). Pairs of conventions are tried
    where nothing else fits. The other arguments are those of `rocsolid.explain`.

    >>> qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}, "q3": {"a": 0, "b": 2}}
    >>> run = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}, "q3": {"a": 2, "b": 1}}
    >>> found = explain_published(qrels, run, "0.6577")
    >>> print(f"{found.value:.4f}: {found.ways[0].how}")
    0.8770: 1 query more in the mean, counting 0 (times 3/4)
    """
    base = named(profile)
    number = PrintedNumber(published)
    judged, audit = judged_files(qrels, run, duplicates, ranks=True)
    one = measure_of(measure, base)
    base.check_measure(head_of(one))
    if not one.range[0] <= number.value <= one.range[1]:
        raise InputError(
            f"{one.name} lies between {one.range[0]:g} and {one.range[1]:g}",
            where="published",
            value=number.text,
            fix="write a share and no percentage: 0.544",
        )
    start = by_profile(judged, measure, base)
    queries = audit.in_run + len(audit.not_judged)
    found, tried = ways(judged, measure, base, number, queries)
    nearest = sorted(tried, key=lambda way: abs(way.value - number.value))[:_NEAREST]
    return Reproduction(
        measure=short_name(one.name),
        published=number.text,
        profile=base.name,
        value=start.mean,
        counted=start.counted,
        ways=tuple(found),
        nearest=() if found else tuple(nearest),
        tried=len(tried),
        tied=tied_share(audit, base.precision),
        worst=mean_of(start.worst),
        best=mean_of(start.best),
        notes=(*limits(judged, base), *facts(audit)),
    )

"""``rs.explain``: why two numbers on the same files differ, or how a published number arose."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from rocsolid.errors import InputError
from rocsolid.graded.attribution import PrintedNumber, switches, ways
from rocsolid.graded.by_profile import Judged, by_profile, head_of, limits, mean_of, measure_of
from rocsolid.graded.profiles import profile as named
from rocsolid.inputs.trec import Audit, Duplicates, judge, read_qrels, read_run
from rocsolid.remarks.remark import Remark
from rocsolid.results import Explanation, Reproduction

_DIGITS = 4


@overload
def explain(
    qrels: Any,
    run: Any,
    *,
    measure: str = "ndcg@10",
    profile: Any = "trec_eval-9",
    vs: Any = None,
    published: None = None,
    duplicates: Duplicates = "raise",
) -> Explanation: ...


@overload
def explain(
    qrels: Any,
    run: Any,
    *,
    measure: str = "ndcg@10",
    profile: Any = "trec_eval-9",
    published: Any,
    duplicates: Duplicates = "raise",
) -> Reproduction: ...


def explain(
    qrels: Any,
    run: Any,
    *,
    measure: str = "ndcg@10",
    profile: Any = "trec_eval-9",
    vs: Any = None,
    published: Any = None,
    duplicates: Duplicates = "raise",
) -> Explanation | Reproduction:
    """Explain why two tools differ on these files, one convention after another.

    ``qrels`` and ``run`` are sources of `rocsolid.read_runs`. ``profile`` and ``vs`` are
    "trec_eval-9", "trec_eval-9-c" (with its option -c), "trec_eval-10", "trec_eval-10-c", "gdeval",
    "sklearn" (the default of ``vs``), "lightgbm", "xgboost", "letor", or your own `Profile`.
    Starting from ``profile``, the conventions that differ are switched to ``vs`` in a fixed order:
    missing queries, empty queries, gain, discount, ties, ideal list, unjudged documents, float
    precision of the scores, negative grades, lists shorter than the cut-off. A gain or a discount
    in the measure's name ("ndcg[exp2]@10") is the same for both tools.

    The effect of a switch depends on the order, so each switch also has its effect if it comes
    first and if it comes last.

    >>> qrels = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}}
    >>> run = {"q1": {"a": 0.5, "b": 0.5}}
    >>> print(explain(qrels, run, profile="trec_eval-9-c", vs="lightgbm"))
    nDCG@10, 2 judged queries: trec_eval-9-c counts 2, lightgbm 1
                                                 value   change    alone     last
    as trec_eval-9-c                            0.2398
    missing queries: count 0 → left out         0.4796  +0.2398  +0.2398        0
    gain: linear → exp2                         0.5213  +0.0417  +0.0208        0
    ties: greater id first → order of the file  0.8262  +0.3049  +0.1403  +0.3691
    ideal list: all judged → retrieved only     1.0000  +0.1738  +0.0757  +0.1738
    as lightgbm                                 1.0000  +0.7602
    These conventions differ, but without effect on these files: empty queries: count 0 → ...
    ...

    With ``published``, the function finds the tool, convention or number of queries that gives a
    number, passed as text with its printed digits: "0.5440" has four. The function tries all
    profiles; the conventions of ``profile`` switched one at a time (including ties by the rank
    column, and unjudged documents removed); and means over other numbers of queries (more queries
    that count 0, one left out, one counted 0). The function tries pairs of conventions if nothing
    else fits.

    >>> qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}, "q3": {"a": 0, "b": 2}}
    >>> run = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}, "q3": {"a": 2, "b": 1}}
    >>> reproduced = explain(qrels, run, published="0.6577")
    >>> print(f"{reproduced.value:.4f}: {reproduced.ways[0].how}")
    0.8770: 1 query more in the mean, counting 0 (times 3/4)
    """
    if published is None:
        return _difference(
            qrels, run, measure, profile, "sklearn" if vs is None else vs, duplicates
        )
    if vs is not None:
        raise InputError(
            "a published number is searched for in all tools",
            where="vs",
            value=vs,
            fix="pass vs= to compare two tools, or published= to explain a number",
        )
    return _reproduction(qrels, run, published, measure, profile, duplicates)


def _difference(
    qrels: Any, run: Any, measure: str, profile: Any, vs: Any, duplicates: Duplicates
) -> Explanation:
    first, second = named(profile), named(vs)
    judged, audit = judged_files(qrels, run, duplicates)
    for each in (first, second):
        each.check_measure(head_of(measure_of(measure, each)))
    start, end = by_profile(judged, measure, first), by_profile(judged, measure, second)
    steps, queries = switches(judged, measure, first, second)
    digits = max(_DIGITS, *(p.digits or _DIGITS for p in (first, second)))
    return Explanation(
        measure=short_name(start.measure.name),
        profile=first.name,
        vs=second.name,
        value=start.mean,
        other=end.mean,
        counted=start.counted,
        other_counted=end.counted,
        judged_queries=len(judged.zero.qids),
        switches=steps,
        queries=queries,
        tied=tied_share(audit, first.precision),
        worst=mean_of(start.worst),
        best=mean_of(start.best),
        digits=digits,
        notes=(*limits(judged, first), *limits(judged, second), *facts(audit)),
    )


def facts(audit: Audit) -> tuple[Remark, ...]:
    return tuple(one.says(f"{one[0].upper()}{one[1:]}.") for one in audit.beside_ties)


def tied_share(audit: Audit, precision: str) -> float:
    tied = audit.tied_float32 if precision == "float32" else audit.tied
    return float(np.divide(tied, audit.documents)) if audit.documents else 0.0


def short_name(name: str) -> str:
    """Remove the conventions that the profiles set.

    >>> short_name("nDCG[linear,log2]@10"), short_name("AP")
    ('nDCG@10', 'AP')
    """
    head, bracket, rest = name.partition("[")
    return f"{head}{rest.partition(']')[2]}" if bracket else name


_NEAREST = 3


def _reproduction(
    qrels: Any, run: Any, published: Any, measure: str, profile: Any, duplicates: Duplicates
) -> Reproduction:
    base = named(profile)
    number = PrintedNumber(published)
    judged, audit = judged_files(qrels, run, duplicates, ranks=True)
    measured = measure_of(measure, base)
    base.check_measure(head_of(measured))
    if not measured.range[0] <= number.value <= measured.range[1]:
        raise InputError(
            f"{measured.name} lies between {measured.range[0]:g} and {measured.range[1]:g}",
            where="published",
            value=number.text,
            fix="write a share, not a percentage: 0.544",
        )
    start = by_profile(judged, measure, base)
    queries = audit.in_run + len(audit.not_judged)
    fitting, tried = ways(judged, measure, base, number, queries)
    nearest = sorted(tried, key=lambda way: abs(way.value - number.value))[:_NEAREST]
    return Reproduction(
        measure=short_name(measured.name),
        published=number.text,
        profile=base.name,
        value=start.mean,
        counted=start.counted,
        ways=tuple(fitting),
        nearest=() if fitting else tuple(nearest),
        tried=len(tried),
        tied=tied_share(audit, base.precision),
        worst=mean_of(start.worst),
        best=mean_of(start.best),
        notes=(*limits(judged, base), *facts(audit)),
    )


def judged_files(
    qrels: Any, run: Any, duplicates: Duplicates, *, ranks: bool = False
) -> tuple[Judged, Audit]:
    """The run's documents with their grades, for both treatments of grades below 0; and an audit.

    >>> judged, audit = judged_files({"q": {"a": -1, "b": 1}}, {"q": {"a": 2.0}}, "raise")
    >>> judged.zero.relevance, judged.unjudged.relevance, judged.negative
    (array([0., 1.]), array([nan,  1.]), 1)
    """
    ranked = read_run(run, duplicates=duplicates)
    zero = read_qrels(qrels, negative="zero", duplicates=duplicates)
    judged = judge(ranked, zero, ranks=ranks)
    if not zero.negative:
        return Judged(judged.rows, judged.rows), judged.audit
    unjudged = read_qrels(qrels, negative="unjudged", duplicates=duplicates)
    return (
        Judged(judged.rows, judge(ranked, unjudged, ranks=ranks).rows, zero.negative),
        judged.audit,
    )

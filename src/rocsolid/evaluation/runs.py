"""Evaluate TREC runs: from files to means over queries and comparisons in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.answer.answer import Answer
from rocsolid.comparison.build import DEFAULT, OF_QUERIES, PairKeywords
from rocsolid.errors import InputError
from rocsolid.evaluation.query_answer import runs_answer
from rocsolid.evaluation.query_estimates import measured_systems
from rocsolid.evaluation.query_numbers import RunsNumbers
from rocsolid.graded.by_profile import Judged, limits, measures_of, refuse, rows_of
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.graded.estimate import MeasuredQueries, measured
from rocsolid.graded.profile import MissingQueries, Profile
from rocsolid.graded.profiles import conventions
from rocsolid.inputs.graded_rows import Negative, Unjudged
from rocsolid.inputs.run_names import named_runs
from rocsolid.inputs.trec import Audit, Duplicates, Qrels, judge, read_qrels
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.parameters import Empty
from rocsolid.remarks.remark import Remark
from rocsolid.results.framed import library_of
from rocsolid.summaries.groups import Ties

__all__ = ["evaluate_runs"]
_DEPTH = 10  # where the audit takes the share of judged documents if no measure has a cut-off


def evaluate_runs(
    qrels: Any,
    runs: Mapping[str, Any] | Sequence[Any] | str,
    measures: str | Sequence[str] = "ndcg@10",
    *,
    duplicates: Duplicates = "raise",
    profile: str | Profile | None = None,
    ties: Ties | None = None,
    missing: MissingQueries | None = None,
    empty: Empty | None = None,
    unjudged: Unjudged | None = None,
    negative: Negative | None = None,
    relevant: float | None = None,
    interval: str = "auto",
    level: float = 0.95,
    test: str = DEFAULT,
    adjust: str = OF_QUERIES["adjust"],
    margin: float | None = None,
    resamples: int = OF_QUERIES["resamples"],
    seed: int = 0,
) -> Answer:
    """Evaluate every run by every measure, audit each run, and compare all pairs.

    ``qrels`` and the runs are sources of `rocsolid.read_runs`; runs without names are named after
    their files. Each run is read, measured and released before the next one. ``profile`` sets the
    conventions of a tool, such as "trec_eval-9"; other keywords override it. Without a profile,
    ties are averaged, a query that a run lacks counts as 0, a query without a relevant document is
    left out for all, an unjudged document counts as not relevant, and a negative grade is an error.
    ``relevant`` is the lowest relevant grade, for measures that need one. The other keywords are
    those of `rocsolid.ndcg`, `rocsolid.read_runs` and `rocsolid.compare`.

    >>> qrels = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d2": 0}}
    >>> runs = {"a": {"q1": {"d1": 3, "d2": 2}, "q2": {"d1": 1, "d2": 0}},
    ...         "b": {"q1": {"d2": 3, "d3": 2}, "q2": {"d2": 1, "d1": 0}}}
    >>> found = evaluate_runs(qrels, runs, ["ndcg@10", "P_1"])
    >>> [(name, round(one.value, 4)) for name, one in found.measures[0].estimates.items()]
    [('a', 0.8801), ('b', 0.4354)]
    """
    named = named_runs(runs)
    convention = conventions(
        profile, ties=ties, missing=missing, empty=empty, unjudged=unjudged, negative=negative,
        relevant=relevant,
    )  # fmt: skip
    options = EstimateOptions(interval, level)
    pairs: PairKeywords = {
        "test": test, "adjust": adjust, "margin": margin, "resamples": resamples, "seed": seed,
    }  # fmt: skip
    judgements = read_qrels(qrels, negative=convention.negative, duplicates=duplicates)
    chosen = measures_of(measures, convention, float(np.max(judgements.grade)))
    audits: dict[str, Audit] = {}
    notes: list[Remark] = []
    by_measure: dict[str, dict[str, MeasuredQueries]] = {name: {} for name in chosen}
    for name, source in named.items():
        audits[name], run_notes, each = _one_run(
            source, judgements, name, list(chosen.values()), convention, duplicates
        )
        notes += [each_note.of(name) for each_note in run_notes]
        for measure, values in zip(chosen, each, strict=True):
            by_measure[measure][name] = values
    try:
        systems = tuple(
            measured_systems(name, values, options, convention, pairs)
            for name, values in by_measure.items()
        )
    except InputError as error:
        if error.where != "relevance":
            raise
        raise InputError(error.what, where=judgements.source, fix=error.fix) from error
    numbers = RunsNumbers(
        source=judgements.source, queries=judgements.queries, audits=audits, measures=systems,
        notes=tuple(notes), library=library_of(qrels),
        settings={
            **convention.settings, "duplicates": duplicates, "relevant": convention.relevant,
            "interval": interval, "level": level, **pairs,
        },
    )  # fmt: skip
    return runs_answer(numbers)


def _one_run(
    source: Any,
    qrels: Qrels,
    name: str,
    measures: list[GradedMeasure],
    profile: Profile,
    duplicates: Duplicates,
) -> tuple[Audit, tuple[Remark, ...], list[MeasuredQueries]]:
    cuts = {measure.cutoff.rule for measure in measures if isinstance(measure.cutoff.rule, int)}
    ties = profile.ties
    judged = judge(
        source,
        qrels,
        name=name,
        duplicates=duplicates,
        depths=sorted(cuts) or [_DEPTH],
        ranks=ties == "rank",
    )
    if ties == "rank" and judged.rows.rank is None:
        raise InputError(
            "ties cannot be broken by the rank column",
            where=name,
            value=judged.audit.no_rank,
            fix="choose another rule for ties: average, trec or input",
        )
    both = Judged(judged.rows, judged.rows)
    refuse(both, profile)
    # a query that is to be left out is left out for all runs, so it stays until all are known
    rows, _ = rows_of(both, replace(profile, missing="zero"))
    return judged.audit, limits(both, profile), measured(rows, measures, ties)

"""Score columns compared in a source that an engine reduces where it is."""

from __future__ import annotations

from dataclasses import replace

from rocsolid.comparison.asked import Asked
from rocsolid.comparison.of_summaries import check_closed_form, compare_paired, compare_segments
from rocsolid.engines.capabilities import require
from rocsolid.engines.engine import Engine, Segment
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.table_comparison import TableComparison
from rocsolid.results import Comparison
from rocsolid.summaries.binary_summary import BinarySummary

_LEAST = 2  # rows of each class that a segment needs to be compared


def compare_source(engine: Engine, asked: Asked) -> TableComparison:
    """`compare_table` where no row comes here: DeLong's test of AUCs, from exact sums alone."""
    columns = engine.columns
    require(engine.name, "comparison")
    check_closed_form(asked)
    if columns.by:
        require(engine.name, "segments")
    elif columns.weight is not None or columns.cluster is not None:
        require(engine.name, "comparison with weights or clusters")
    engine.check()
    asked = replace(asked, pos_label=engine.pos_label)
    if columns.by:
        return _by_segment(engine, asked)
    paired, lacking = engine.paired()
    summaries = {
        name: _whole(engine.summary(name, complete=True), engine.source) for name in columns.scores
    }
    missing = engine.missing() if lacking else {}
    found = compare_paired(paired, summaries, asked, omitted=lacking, missing=missing)
    return TableComparison(engine.source, columns.label, engine.rows, (), {None: found})


def _whole(part: Segment, source: str) -> BinarySummary:
    if part.summary is None:  # an engine has refused such a source already
        raise OneClassError("a class has no row, so there is nothing to compare", where=source)
    return part.summary


def _by_segment(engine: Engine, asked: Asked) -> TableComparison:
    columns = engine.columns
    if columns.cluster is not None and not engine.clusters_apart():
        raise shared_cluster(columns.cluster)
    found: dict[str | None, Comparison] = {}
    skipped: list[tuple[str, str, str]] = []
    for score in columns.scores:
        parts: dict[str, BinarySummary] = {}
        omitted: dict[str, int] = {}
        for part in engine.segments(score):
            key = ", ".join(str(value) for value in part.key)
            reason = _not_comparable(part)
            if reason is not None or part.summary is None:
                skipped.append((score, key, reason or "a class has a total weight of zero"))
                continue
            parts[key], omitted[key] = part.summary, part.omitted
        if len(parts) < 2:
            raise OneClassError(
                "fewer than two segments have two rows of each class, so nothing can be compared",
                where=", ".join(columns.by),
                fix="choose larger segments",
            )
        found[score] = compare_segments(parts, asked, omitted)
    return TableComparison(
        engine.source, columns.label, engine.rows, columns.by, found, tuple(skipped)
    )


def shared_cluster(name: str) -> UnsoundError:
    """The error for a cluster with rows in two segments."""
    return UnsoundError(
        "a cluster has rows in two segments, so the segments are not independent",
        where=f"column {name!r}",
        fix="compare segments that share no cluster",
    )


def _not_comparable(part: Segment) -> str | None:
    for word, count in (("positive", part.n_pos), ("negative", part.n_neg)):
        if count < _LEAST:
            return f"it has {'no' if count == 0 else 'one'} {word} row"
    return None

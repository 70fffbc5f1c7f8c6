"""Score columns compared in a source that an engine reduces where it is."""

from __future__ import annotations

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
        return _by_segment(engine, asked)
    if columns.weight is not None or columns.cluster is not None:
        raise UnsoundError(
            f"the {engine.name} engine compares rows of equal weight without clusters",
            where="sample_weight" if columns.cluster is None else "cluster",
            fix="compare in memory",
        )
    engine.check()
    paired, lacking = engine.paired()
    if lacking:
        raise UnsoundError(
            f"{lacking:,} rows lack a score, and scores are compared on the same rows",
            where=engine.source,
            fix="select the rows that have every score, or compare in memory",
        )
    summaries = {name: _whole(engine.summary(name), engine.source) for name in columns.scores}
    found: dict[str | None, Comparison] = {None: compare_paired(paired, summaries, asked)}
    return TableComparison(engine.source, columns.label, engine.rows, (), found)


def _whole(part: Segment, source: str) -> BinarySummary:
    if part.summary is None:  # an engine has refused such a source already
        raise OneClassError("a class has no row, so there is nothing to compare", where=source)
    return part.summary


def _by_segment(engine: Engine, asked: Asked) -> TableComparison:
    columns = engine.columns
    if columns.cluster is not None:
        raise UnsoundError(
            f"the {engine.name} engine does not look whether a cluster lies in two segments, which "
            "would make them dependent",
            where="cluster",
            fix="compare in memory",
        )
    engine.check()
    found: dict[str | None, Comparison] = {}
    skipped: list[tuple[str, str, str]] = []
    for score in columns.scores:
        parts: dict[str, BinarySummary] = {}
        for part in engine.segments(score):
            key = ", ".join(str(value) for value in part.key)
            reason = _not_comparable(part)
            if reason is not None or part.summary is None:
                skipped.append((score, key, reason or "a class has a total weight of zero"))
                continue
            parts[key] = part.summary
        if len(parts) < 2:
            raise OneClassError(
                "fewer than two segments have two rows of each class, so nothing can be compared",
                where=", ".join(columns.by),
                fix="choose larger segments",
            )
        found[score] = compare_segments(parts, asked)
    return TableComparison(
        engine.source, columns.label, engine.rows, columns.by, found, tuple(skipped)
    )


def _not_comparable(part: Segment) -> str | None:
    for word, count in (("positive", part.n_pos), ("negative", part.n_neg)):
        if count < _LEAST:
            return f"it has {'no' if count == 0 else 'one'} {word} row"
    return None

"""Sensitivity at a specificity, and specificity at a sensitivity, as measures to compare by."""

from __future__ import annotations

from collections.abc import Callable

from rocsolid.binary.area import rate_at
from rocsolid.binary.estimate import Options
from rocsolid.comparison.measure import Measure
from rocsolid.engines.memory import summarise
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.results import Estimate, Interval
from rocsolid.summaries.mirrored import mirrored
from rocsolid.summaries.score_counts import ScoreCounts

NAMES = {"sensitivity": "specificity", "specificity": "sensitivity"}
"""What is read off the curve, and the rate at which it is."""


def rate_measure(rate: str, at: float) -> Measure:
    """The height of the completed curve at a specificity, or its specificity at a height.

    Between two corners the curve is straight, and where it is vertical or flat the better end
    counts; pROC's `coords` reads the same. No formula without a density gives its variance, so it
    is compared by the bootstrap.

    >>> measure = rate_measure("sensitivity", 0.9)
    >>> measure.name, measure.influence
    ('sensitivity(specificity=0.9)', None)
    """
    other = NAMES[rate]
    if not 0.0 < at < 1.0:
        raise InputError(
            f"the {other} must lie strictly between 0 and 1", where=f"{rate} at {other}", value=at
        )
    name = f"{rate}({other}={at:g})"

    def value(table: ScoreCounts) -> float:
        return 1.0 - rate_at(mirrored(table) if rate == "sensitivity" else table, at)

    def estimate(rows: BinaryRows, options: Options) -> Estimate:
        return _estimate(rows, options, name, rate, other, at, value)

    return Measure(name, estimate, None, table=lambda _: value)


def _estimate(
    rows: BinaryRows, options: Options, name: str, rate: str, other: str, at: float,
    value: Callable[[ScoreCounts], float],
) -> Estimate:  # fmt: skip
    """The value alone; what is known of it comes from the resamples."""
    summary = summarise(rows)
    return Estimate(
        value=value(ScoreCounts.from_arrays(rows.positive, rows.score, rows.weight)),
        interval=Interval(0.0, 1.0, options.level, "none"),
        certified=None,
        std_error=None,
        n_pos=summary.n_pos,
        n_neg=summary.n_neg,
        ties=summary.ties,
        measure=name,
        settings={
            other: at,
            "alternative": options.alternative,
            "pos_label": options.pos_label,
            "lower_is_better": options.lower_is_better,
            "nan": options.nan,
            "omitted": rows.omitted,
            "weighted": summary.weighted,
            "clusters": summary.clusters,
        },
        fingerprint=str(summary.fingerprint),
        meaning=f"At a {other} of {at:g} the {rate} is {{value}}.",
        chance=1.0 - at,
    )

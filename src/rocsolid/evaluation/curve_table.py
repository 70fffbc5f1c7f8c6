"""A score column of a table as a curve: its operating points, readings, band and smooth curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rocsolid.binary.best_threshold import Criterion
from rocsolid.binary.curve_reading import CurveReading
from rocsolid.binary.operating_point import OperatingPoint
from rocsolid.binary.roc import Roc, roc_of_rows
from rocsolid.binary.smoothing.models import SmoothMethod
from rocsolid.binary.smoothing.smooth_roc import SmoothRoc
from rocsolid.inputs import TextLabel, binary_rows, pos_label_from_text, positives, read_table
from rocsolid.inputs import scores as valid_scores
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.remarks.muting import Checked
from rocsolid.results.plain import written

Band = Literal["pointwise", "dkw", "equal-local-levels"]
USUAL = (0.05, 0.1, 0.2)  # false-positive rates to read at where nothing else is requested


@dataclass(frozen=True, slots=True, eq=False)
class TableCurve(Checked):
    """The curve of one score column with what was asked of it; ``smooth`` and ``band`` may be."""

    source: str
    label: str
    score: str
    rows: int
    omitted: int
    level: float
    roc: Roc
    readings: tuple[CurveReading, ...]
    points: tuple[OperatingPoint, ...]
    band: RocBand | None
    smooth: SmoothRoc | None

    @property
    def gives_away(self) -> str:
        """What the printed numbers tell somebody who holds the scores; the drawn curve tells more.

        A band or a smooth curve is made of the whole curve, so it counts as that.
        """
        if self.band is not None or self.smooth is not None:
            return (
                "To somebody with the scores the limits of the curve spell out most labels: keep "
                "this output as private as the labels."
            )
        facts = ["the AUC", "the class sizes"]
        if self.points:
            facts.append("how many positives stand above each threshold")
        if self.readings:
            facts.append("the curve at each rate")
        return (
            f"To somebody with the scores this output tells {', '.join(facts[:-1])} and "
            f"{facts[-1]}: each is an equation about the labels."
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable. The corners are not part of it."""
        return {
            **written(self, "source label score rows omitted"),
            "n_pos": int(self.roc.counts.n_pos),
            "n_neg": int(self.roc.counts.n_neg),
            **written(self, "auc=roc.auc readings points band smooth gives_away"),
        }


@dataclass(frozen=True, slots=True)
class CurveQuestion:
    """What a curve is asked: readings at ``fpr`` and ``tpr``, operating points, and lines.

    ``threshold`` are points that were fixed beforehand; those of ``best`` are chosen here.
    """

    fpr: Sequence[float] = ()
    tpr: Sequence[float] = ()
    threshold: Sequence[float] = ()
    best: Sequence[Criterion] = ()
    prevalence: float | None = None
    cost_ratio: float | None = None
    band: Band | None = None
    smooth: SmoothMethod | None = None


def curve_table(
    data: Any,
    asked: CurveQuestion = CurveQuestion(),
    *,
    label: str,
    score: str,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> TableCurve:
    """One score column as a curve. ``data`` is whatever `rocsolid.evaluate` reads.

    Without any request the curve is read at false-positive rates of 5, 10 and 20 percent.

    >>> table = {"y": [0, 0, 1, 1, 0, 1], "s": [1, 2, 3, 4, 5, 6]}
    >>> best = CurveQuestion(best=["youden"])
    >>> curve_table(table, best, label="y", score="s").points[0].threshold
    3.0
    """
    table = read_table(data, labels=[label], numbers=[score], keys=[])
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, table[label])
    rows = binary_rows(
        positives(table[label], pos_label=pos_label, name=f"column {label!r}", rows=table.rows),
        valid_scores(
            table[score],
            name=f"column {score!r}",
            rows=table.rows,
            nan="raise" if nan == "raise" else "allow",
        ),
        lower_is_better=lower_is_better,
        nan=nan,
    )
    roc = roc_of_rows(rows, lower_is_better=lower_is_better)
    if not (asked.fpr or asked.tpr or asked.threshold or asked.best):
        asked = replace(asked, fpr=USUAL)
    drawn: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed}
    weighed = {"prevalence": asked.prevalence, "cost_ratio": asked.cost_ratio}
    return TableCurve(
        table.source,
        label,
        score,
        len(table),
        rows.omitted,
        level,
        roc,
        tuple(
            replace(one, warnings=(*one.warnings, *table.warnings))
            for one in (
                *(roc.reading(fpr=at, **drawn) for at in asked.fpr),
                *(roc.reading(tpr=at, **drawn) for at in asked.tpr),
            )
        ),
        tuple(
            replace(one, warnings=(*one.warnings, *table.warnings))
            for one in (
                *(
                    roc.at(threshold=at, prevalence=asked.prevalence, level=level)
                    for at in asked.threshold
                ),
                *(roc.best(by, **weighed, level=level) for by in asked.best),
            )
        ),
        None if asked.band is None else roc.band(kind=asked.band, level=level),
        None if asked.smooth is None else roc.smooth(asked.smooth),
    )

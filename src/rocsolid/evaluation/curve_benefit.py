"""The net benefit of a score column at requested thresholds, with its decision curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocsolid.binary.decision_curve import DecisionCurve
from rocsolid.binary.estimate import Options
from rocsolid.binary.roc import Roc
from rocsolid.dataclass import dataclass
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.guarantees.completed_curve import Prevalence
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.net_benefit import NetBenefit
from rocsolid.pictures.decision import decision_picture
from rocsolid.report.blocks import TextBlock
from rocsolid.report.frame import Large
from rocsolid.report.text import Cells, number, span
from rocsolid.results import percent
from rocsolid.results.card import CardRow
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.results.plain import Plain


@dataclass(frozen=True, slots=True)
class Benefit(Plain):
    """``treat_all`` has the net benefit of treating all rows at each requested threshold."""

    estimates: tuple[Estimate, ...]
    treat_all: tuple[float, ...]
    curve: DecisionCurve

    @property
    def intervals(self) -> list[Interval]:
        both = [
            each for estimate in self.estimates for each in (estimate.interval, estimate.certified)
        ]
        return [interval for interval in both if interval is not None]


def benefit_of(
    rows: BinaryRows, roc: Roc, thresholds: Sequence[float], prevalence: float | None, level: float
) -> Benefit:
    of: Prevalence = "rows" if prevalence is None else prevalence
    options = Options(level=level)
    scored = ScoredRows(rows)
    estimates = [
        NetBenefit(threshold, prevalence=of).estimate(scored, options) for threshold in thresholds
    ]
    named = roc.net_benefit(thresholds, prevalence=of, level=level)
    return Benefit(
        tuple(estimates), tuple(named.treat_all.tolist()),
        roc.net_benefit(prevalence=of, level=level),
    )  # fmt: skip


def benefit_block(benefit: Benefit, level: float) -> TextBlock:
    first = benefit.estimates[0]
    heads = ["threshold", "net benefit", percent(level)]
    if first.certified is not None:
        heads.append("certified")
    rows = []
    for estimate, of_all in zip(benefit.estimates, benefit.treat_all, strict=True):
        known = [each for each in (estimate.interval, estimate.certified) if each is not None]
        limits = (span(each.low, each.high) for each in known)
        threshold = f"{estimate.settings['threshold']:g}"
        rows.append((threshold, number(estimate.value), *limits, number(of_all)))
    text = str(benefit.curve)
    useful = () if benefit.curve.low is None else (f"{text[0].upper()}{text[1:]}.",)
    how = f"Intervals: {first.interval.method} (calibrated)"
    if first.certified is not None:
        how += f"; {first.certified.method} (certified, at a threshold fixed beforehand)"
    of = first.settings["prevalence"]
    stated = () if isinstance(of, str) else (f"Prevalence {of:g}, not the share of these rows.",)
    return TextBlock(
        "",
        Cells("", (*heads, "treat all"), tuple(rows)),
        (*stated, *useful),
        tuple(dict.fromkeys(text for estimate in benefit.estimates for text in estimate.warnings)),
        (f"{how}. Treating none has a net benefit of 0.",),
    )


def benefit_rows(benefit: Benefit) -> list[CardRow]:
    rows = []
    for estimate in benefit.estimates:
        low, high = estimate.interval
        of = estimate.settings["prevalence"]
        name = f"net benefit at threshold {estimate.settings['threshold']:g}"
        name += "" if isinstance(of, str) else f" and prevalence {of:g}"
        limits = f"{percent(estimate.interval.level)} {span(low, high)}"
        rows.append(CardRow(name, estimate.value, number(estimate.value), limits, (low, high)))
    return rows


def benefit_drawn(benefits: Mapping[str, Benefit]) -> tuple[Large, ...]:
    if not benefits:
        return ()
    curves = {name: benefit.curve for name, benefit in benefits.items()}
    picture = decision_picture(next(iter(curves.values())) if len(curves) == 1 else curves)
    first = next(iter(curves.values()))
    every = range(4, len(first.threshold), 5)
    rows = tuple(
        (f"{first.threshold[i]:.2f}", *(f"{curve.value[i]:.4f}" for curve in curves.values()),
         f"{first.treat_all[i]:.4f}")
        for i in every
    )  # fmt: skip
    names = ("net benefit",) if len(curves) == 1 else tuple(curves)
    return (Large(picture, Cells(picture.title, ("threshold", *names, "treat all"), rows)),)

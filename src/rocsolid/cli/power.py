"""``rocsolid plan power``, ``precision`` and ``difference``: rows for a test or an interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from cyclopts import Parameter

from rocsolid.binary.area import Region
from rocsolid.cli.columns import PilotOptions
from rocsolid.cli.forms import CheckedForms
from rocsolid.cli.lists import (
    N_NEG,
    N_POS,
    Alternative,
    AucB,
    Correlation,
    ExpectedAuc,
    Flag,
    HalfWidth,
    Interval,
    Level,
    Margin,
    Measure,
    Null,
    Power,
    Prevalence,
    keywords,
)
from rocsolid.cli.output import Screen
from rocsolid.cli.power_page import Plan, power_page
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.measures.named import measure_of
from rocsolid.measures.partial_area import PartialArea
from rocsolid.plan import auc_difference_power, auc_power, auc_precision, pilot
from rocsolid.plan.pilot import Pilot


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SizeOptions:
    n_pos: Annotated[float | None, N_POS] = None
    n_neg: Annotated[float | None, N_NEG] = None
    prevalence: Prevalence | None = None
    level: Level | None = None

    def given(self) -> dict[str, Any]:
        """The options as keywords of `rocsolid.plan`."""
        return keywords(self)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PowerOptions(SizeOptions):
    """A test that is planned."""

    power: Power | None = None
    null: Null | None = None
    alternative: Alternative = "two-sided"
    measure: Measure = "auc"

    def given(self) -> dict[str, Any]:
        options = super().given()
        del options["measure"]
        return options

    @property
    def region(self) -> Region | None:
        measure = measure_of(self.measure)
        if measure.region is None and not measure.pairwise:
            raise InputError(
                "without a pilot, plans are for the AUC and for partial areas",
                where="--measure",
                value=self.measure,
                fix="write auc or partial_auc(fpr<=0.1); to compare two scores by other "
                "measures pass rocsolid plan difference a --table with --label and --score "
                "twice",
            )
        if isinstance(measure, PartialArea) and measure.scale != "raw":
            raise InputError(
                "the power is the same on every scale of a partial area",
                where="--measure",
                value=self.measure,
                fix="omit the scale",
            )
        return measure.region


def power(
    *,
    auc: ExpectedAuc | None = None,
    plan: PowerOptions = PowerOptions(),
    test: str | None = None,
    forms: CheckedForms = CheckedForms(),
) -> int:
    """Plan a test of one AUC: omit the power, the rows or the AUC to find it.

    If a class size is omitted, half of the rows are positive unless --prevalence is given.

    Example: `rocsolid plan power --auc 0.73 --n-pos 41 --n-neg 72`

    Example: `rocsolid plan power --auc 0.9 --null 0.8 --power 0.8 --prevalence 0.2`

    Parameters
    ----------
    test
        "score", or the interval that must leave out the null value: "auto", "logit-t", "delong",
        "newcombe5".
    """
    options: dict[str, Any] = {"auc": auc, "test": test, **_rates(plan.region), **plan.given()}
    planned = auc_power(**options)
    known = {**options, "auc": planned.auc}
    return _show(
        planned, forms, lambda n_pos, n_neg: auc_power(**_with_rows(known, n_pos, n_neg)).power
    )


def precision(
    *,
    auc: ExpectedAuc,
    half_width: HalfWidth | None = None,
    interval: Interval = "auto",
    plan: SizeOptions = SizeOptions(),
    forms: CheckedForms = CheckedForms(),
) -> int:
    """Plan the width of an AUC's interval: omit the width or the rows to find it.

    Example: `rocsolid plan precision --auc 0.9 --half-width 0.03 --prevalence 0.2`
    """
    options: dict[str, Any] = {"auc": auc, "interval": interval, **plan.given()}
    return _show(
        auc_precision(half_width=half_width, **options),
        forms,
        lambda n_pos, n_neg: auc_precision(**_with_rows(options, n_pos, n_neg)).half_width,
    )


def difference(
    *,
    auc_a: float | None = None,
    auc_b: AucB | None = None,
    plan: PowerOptions = PowerOptions(),
    margin: Margin | None = None,
    equivalence: Flag = False,
    unpaired: Flag = False,
    correlation: Correlation | None = None,
    difference: float | None = None,
    rows: PilotOptions = PilotOptions(),
    forms: CheckedForms = CheckedForms(),
) -> int:
    """Plan a test of two AUCs: omit the power, the rows or an AUC to find it.

    A pilot gives AUCs, variances and covariance: --table, --label, and --score for model a and for
    model b. With a pilot --measure may be any that has a variance formula, such as pr_auc or
    precision@5%. With --cluster the plan is in clusters like the pilot's, tested by t.

    Example: `rocsolid plan difference --auc-a 0.85 --auc-b 0.8 --power 0.8 --correlation 0.5`

    Example: `rocsolid plan difference --auc-a 0.8 --n-pos 99 --n-neg 300 --power 0.8 --unpaired`

    Parameters
    ----------
    auc_a
        The AUC of model a that you expect.
    equivalence
        With --margin: plan two one-sided tests that the two differ by less.
    unpaired
        The models are evaluated on two independent samples of the same size.
    difference
        With a pilot: the difference a − b to plan for, which overrides the pilot's.
    """
    past = _pilot(rows, plan.measure)
    options: dict[str, Any] = {
        "auc_a": auc_a,
        "auc_b": auc_b,
        "margin": margin,
        "equivalence": equivalence,
        "paired": not unpaired,
        "correlation": correlation,
        "pilot": past,
        "difference": difference,
        **({} if past is not None else _rates(plan.region)),
        **plan.given(),
    }
    planned = auc_difference_power(**options)
    known = options
    if past is None:
        known = options | {"auc_a": planned.auc_a, "auc_b": planned.auc_b}
    return _show(
        planned,
        forms,
        lambda n_pos, n_neg: auc_difference_power(**_with_rows(known, n_pos, n_neg)).power,
    )


def _pilot(rows: PilotOptions, measure: str) -> Pilot | None:
    if not rows.given:
        return None
    labels, read = rows.read(
        2,
        InputError("half a pilot", fix="pass --table, --label and --score twice (models a and b)"),
    )
    return pilot(
        read[labels.label],
        {name: read[name] for name in rows.scores or ()},
        measure=measure,
        cluster=None if rows.cluster is None else read[rows.cluster],
        pos_label=labels.typed(read[labels.label]),
    )


def _rates(region: Region | None) -> dict[str, Any]:
    return {} if region is None else {"fpr": region.fpr, "tpr": region.tpr}


def _with_rows(known: Mapping[str, Any], n_pos: float, n_neg: float) -> dict[str, Any]:
    left = {name: value for name, value in known.items() if name not in ("power", "prevalence")}
    return {**left, "n_pos": n_pos, "n_neg": n_neg}


def _show(planned: Plan, forms: CheckedForms, reached: Callable[[float, float], float]) -> int:
    forms.check()
    planned = forms.muted(planned)
    forms.show(
        planned,
        lambda: _print(planned),
        page=lambda command: power_page(planned, reached, command=command),
    )
    return 0


def _print(planned: Plan) -> None:
    screen = Screen()
    screen.words(str(planned))
    if planned.solved_for not in ("n_pos", "n_neg"):
        screen.words(f"{planned.solved_for} = {getattr(planned, planned.solved_for):.6g}")
    screen.notes(planned.warnings)

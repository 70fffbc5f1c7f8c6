"""``rocsolid plan power``, ``precision`` and ``difference``: rows for a test or an interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from rocsolid.binary.partial_area import Region
from rocsolid.cli.columns import PilotOptions
from rocsolid.cli.forms import PageForms
from rocsolid.cli.options import (
    N_NEG,
    N_POS,
    Alternative,
    ExpectedAuc,
    Flag,
    HalfWidth,
    Interval,
    Level,
    Margin,
    Measure,
    Null,
    Prevalence,
    Spread,
    keywords,
)
from rocsolid.cli.power_page import Plan, power_page
from rocsolid.errors import InputError
from rocsolid.measures.named import measure_of
from rocsolid.measures.partial_area import PartialArea
from rocsolid.plan import auc_difference_power, auc_power, auc_precision, pilot
from rocsolid.plan.pilot import Pilot


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SizeOptions:
    """The rows of a plan, and what its intervals or tests may get wrong.

    Parameters
    ----------
    variance
        The formula for the variance of an AUC. Default: "binormal", or "obuchowski" for a test
        against 0.5.
    solve
        "level" to find the level. To find anything else leave it out.
    """

    n_pos: Annotated[float | None, N_POS] = None
    n_neg: Annotated[float | None, N_NEG] = None
    prevalence: Prevalence | None = None
    level: Level | None = None
    spread: Spread | None = None
    variance: Literal["binormal", "obuchowski", "hanley-mcneil"] | None = None
    solve: Literal["level"] | None = None

    def given(self) -> dict[str, Any]:
        """As keywords of `rocsolid.plan`, where a level of ``None`` is to be found."""
        said = keywords(self)
        return said if said.pop("solve", None) is None else {"level": None, **said}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PowerOptions(SizeOptions):
    """A test that is planned.

    Parameters
    ----------
    power
        The probability of finding a difference that is there.
    """

    power: float | None = None
    null: Null | None = None
    alternative: Alternative = "two-sided"
    measure: Measure = "auc"

    def given(self) -> dict[str, Any]:
        said = super().given()
        del said["measure"]
        return said

    @property
    def region(self) -> Region | None:
        """The region of a partial area, None for the AUC."""
        found = measure_of(self.measure)
        if found.region is None and not found.pairwise:
            raise InputError(
                "without a pilot, plans are for the AUC and for partial areas",
                where="--measure",
                value=self.measure,
                fix="write auc or partial_auc(fpr<=0.1); to compare two scores by other measures "
                "give rocsolid plan difference a --table with --label and --score twice",
            )
        if isinstance(found, PartialArea) and found.scale != "raw":
            raise InputError(
                "the power is the same on every scale of a partial area",
                where="--measure",
                value=self.measure,
                fix="leave the scale out",
            )
        return found.region


def power(
    *,
    auc: ExpectedAuc | None = None,
    plan: PowerOptions = PowerOptions(),
    test: str | None = None,
    forms: PageForms = PageForms(),
) -> int:
    """Plan a test of one AUC: leave out the power, the rows, the AUC or the level to find it.

    If a class size is left out, half of the rows are positive; override that by --prevalence.

    Example: `rocsolid plan power --auc 0.73 --n-pos 41 --n-neg 72`

    Example: `rocsolid plan power --auc 0.9 --null 0.8 --power 0.8 --prevalence 0.2`

    Parameters
    ----------
    test
        "score", or the interval that must leave out the null value: "auto", "logit-t", "delong",
        "newcombe5".
    """
    asked: dict[str, Any] = {"auc": auc, "test": test, **_rates(plan.region), **plan.given()}
    found = auc_power(**asked)
    known = {**asked, "auc": found.auc, "level": found.level}
    return _show(found, forms, lambda n_pos, n_neg: auc_power(**_at(known, n_pos, n_neg)).power)


def precision(
    *,
    auc: ExpectedAuc,
    half_width: HalfWidth | None = None,
    interval: Interval = "auto",
    plan: SizeOptions = SizeOptions(),
    forms: PageForms = PageForms(),
) -> int:
    """Plan the width of an AUC's interval: leave out the width, the rows or the level to find it.

    Example: `rocsolid plan precision --auc 0.9 --half-width 0.03 --prevalence 0.2`
    """
    asked: dict[str, Any] = {"auc": auc, "interval": interval, **plan.given()}
    found = auc_precision(half_width=half_width, **asked)
    known = {**asked, "level": found.level}
    return _show(
        found, forms, lambda n_pos, n_neg: auc_precision(**_at(known, n_pos, n_neg)).half_width
    )


def difference(
    *,
    auc_a: float | None = None,
    auc_b: float | None = None,
    plan: PowerOptions = PowerOptions(),
    margin: Margin | None = None,
    equivalence: Flag = False,
    unpaired: Flag = False,
    correlation: float | None = None,
    auc_correlation: float | None = None,
    difference: float | None = None,
    b_per_a: float = 1.0,
    rows: PilotOptions = PilotOptions(),
    forms: PageForms = PageForms(),
) -> int:
    """Plan a test of two AUCs: leave out the power, the rows, an AUC or the level to find it.

    A pilot gives AUCs, variances and covariance: --table, --label, and --score for model a and for
    model b. With a pilot --measure may be any that has a variance formula, such as pr_auc or
    precision@5%.

    Example: `rocsolid plan difference --auc-a 0.85 --auc-b 0.8 --power 0.8 --correlation 0.5`

    Example: `rocsolid plan difference --auc-a 0.8 --n-pos 99 --n-neg 300 --power 0.8 --unpaired`

    Parameters
    ----------
    auc_a
        The AUC of model a that you expect.
    auc_b
        The AUC of model b that you expect.
    equivalence
        With --margin: plan two one-sided tests that the two differ by less.
    unpaired
        The models are evaluated on two independent samples.
    correlation
        The correlation of the two scores among positives and among negatives.
    auc_correlation
        The correlation of the two estimated AUCs, instead of --correlation.
    difference
        With a pilot: the difference a − b to plan for, which overrides the pilot's.
    b_per_a
        With --unpaired: the rows of sample b for each row of sample a. --n-pos and --n-neg count
        those of sample a.
    """
    tried = _pilot(rows, plan.measure)
    asked: dict[str, Any] = {
        "auc_a": auc_a,
        "auc_b": auc_b,
        "margin": margin,
        "equivalence": equivalence,
        "paired": not unpaired,
        "correlation": correlation,
        "auc_correlation": auc_correlation,
        "pilot": tried,
        "difference": difference,
        "b_per_a": b_per_a,
        **({} if tried is not None else _rates(plan.region)),
        **plan.given(),
    }
    found = auc_difference_power(**asked)
    known = {**asked, "level": found.level}
    if tried is None:
        known |= {"auc_a": found.auc_a, "auc_b": found.auc_b}
    return _show(
        found, forms, lambda n_pos, n_neg: auc_difference_power(**_at(known, n_pos, n_neg)).power
    )


def _pilot(rows: PilotOptions, measure: str) -> Pilot | None:
    if not rows.given:
        return None
    labels, read = rows.read(
        2,
        InputError("half a pilot", fix="give --table, --label and --score twice (models a and b)"),
    )
    return pilot(
        read[labels.label],
        {name: read[name] for name in rows.scores or ()},
        measure=measure,
        pos_label=labels.typed(read[labels.label]),
    )


def _rates(region: Region | None) -> dict[str, Any]:
    return {} if region is None else {"fpr": region.fpr, "tpr": region.tpr}


def _at(known: Mapping[str, Any], n_pos: float, n_neg: float) -> dict[str, Any]:
    """The same plan, for what these rows reach."""
    left = {name: value for name, value in known.items() if name not in ("power", "prevalence")}
    return {**left, "n_pos": n_pos, "n_neg": n_neg}


def _show(found: Plan, forms: PageForms, reached: Callable[[float, float], float]) -> int:
    """The sentence, the number that was solved for, and what to know before relying on it."""
    forms.check()
    found = forms.muted(found)
    forms.show(
        found,
        lambda: _print(found),
        page=lambda command: power_page(found, reached, command=command),
    )
    return 0


def _print(found: Plan) -> None:
    print(found)  # noqa: T201 -- the answer
    if found.solved_for not in ("n_pos", "n_neg"):
        print(f"{found.solved_for} = {getattr(found, found.solved_for):.6g}")  # noqa: T201
    for warning in dict.fromkeys(found.warnings):
        print(f"note: {warning}")  # noqa: T201

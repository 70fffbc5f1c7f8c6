"""``rocsolid plan power`` and ``precision``: rows for a test or an interval of one AUC."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.binary.partial_area import Region
from rocsolid.cli.output import print_json
from rocsolid.errors import InputError
from rocsolid.measures.named import measure_of
from rocsolid.measures.partial_area import PartialArea
from rocsolid.plan import AucPower, AucPrecision, DifferencePower, auc_power, auc_precision

Alternative = Literal["two-sided", "greater", "less"]
Variance = Literal["binormal", "obuchowski", "hanley-mcneil"]
Flag = Annotated[bool, Parameter(negative=())]
Found = AucPower | DifferencePower | AucPrecision


def power(
    *,
    auc: float | None = None,
    power: float | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    alpha: float | None = None,
    ratio: float | None = None,
    null: float = 0.5,
    alternative: Alternative = "two-sided",
    measure: str = "auc",
    spread: float = 1.0,
    test: str | None = None,
    variance: Variance | None = None,
    solve: Literal["alpha"] | None = None,
    json: Flag = False,
) -> int:
    """Power of a test of one AUC, or the rows, AUC or alpha that it takes: leave out one of them.

    Example: `rocsolid plan power --auc 0.73 --n-pos 41 --n-neg 72`

    Example: `rocsolid plan power --auc 0.9 --null 0.8 --power 0.8 --ratio 4`

    Parameters
    ----------
    auc
        The AUC that you expect.
    power
        The probability of finding it.
    n_pos
        The number of positives.
    n_neg
        The number of negatives.
    alpha
        The probability of a false alarm, 0.05 unless given.
    ratio
        Negatives for one positive, where a size is left out; 1 unless given.
    null
        The AUC to test against.
    alternative
        "greater" to look for an AUC above the null only, "less" for one below.
    measure
        What is tested: "auc", or a partial area such as "partial_auc(fpr<=0.1)".
    spread
        The positives' standard deviation over the negatives', for normal scores.
    test
        "score", or the interval of rocsolid.auc that should leave out the null: "auto",
        "logit-t", "delong", "newcombe5".
    variance
        What the AUC varies by.
    solve
        "alpha" to find alpha; anything else is found by leaving it out.
    json
        Print JSON in place of the sentence.
    """
    region = region_of(measure)
    found = auc_power(
        auc=auc,
        power=power,
        n_pos=n_pos,
        n_neg=n_neg,
        alpha=unless_solved(alpha, 0.05, solve),
        ratio=ratio,
        null=null,
        alternative=alternative,
        fpr=None if region is None else region.fpr,
        tpr=None if region is None else region.tpr,
        spread=spread,
        test=test,
        variance=variance,
    )
    return show(found, json)


def precision(
    *,
    auc: float,
    half_width: float | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    level: float | None = None,
    ratio: float | None = None,
    interval: Literal["auto", "delong", "logit-t", "newcombe5", "hanley-mcneil"] = "auto",
    variance: Variance = "binormal",
    spread: float = 1.0,
    solve: Literal["level"] | None = None,
    json: Flag = False,
) -> int:
    """Width of an interval of an AUC, or the rows or level that it takes: leave out one of them.

    Example: `rocsolid plan precision --auc 0.9 --half-width 0.03 --ratio 4`

    Parameters
    ----------
    auc
        The AUC that you expect.
    half_width
        Half of the interval's width.
    n_pos
        The number of positives.
    n_neg
        The number of negatives.
    level
        The level of the interval, 0.95 unless given.
    ratio
        Negatives for one positive, where a size is left out; 1 unless given.
    interval
        The interval of rocsolid.auc.
    variance
        What the AUC varies by.
    spread
        The positives' standard deviation over the negatives', for normal scores.
    solve
        "level" to find the level; anything else is found by leaving it out.
    json
        Print JSON in place of the sentence.
    """
    found = auc_precision(
        auc=auc,
        half_width=half_width,
        n_pos=n_pos,
        n_neg=n_neg,
        level=unless_solved(level, 0.95, solve),
        ratio=ratio,
        interval=interval,
        variance=variance,
        spread=spread,
    )
    return show(found, json)


def unless_solved(value: float | None, default: float, solve: str | None) -> float | None:
    """What was given; else the default, or nothing where it is to be found."""
    return default if value is None and solve is None else value


def region_of(name: str) -> Region | None:
    """The region of a partial area, None for the AUC."""
    found = measure_of(name)
    if found.region is None and not found.pairwise:
        raise InputError(
            "plans are for the AUC and for partial areas",
            where="--measure",
            value=name,
            fix="write auc, or partial_auc(fpr<=0.1)",
        )
    if isinstance(found, PartialArea) and found.scale != "raw":
        raise InputError(
            "the power is the same on every scale of a partial area",
            where="--measure",
            value=name,
            fix="leave the scale out",
        )
    return found.region


def show(found: Found, json: bool) -> int:
    """The sentence, the number that was solved for, and what to know before relying on it."""
    if json:
        print_json(found.to_dict())
        return 0
    print(found)  # noqa: T201 -- the answer
    if found.solved_for not in ("n_pos", "n_neg"):
        print(f"{found.solved_for} = {getattr(found, found.solved_for):.6g}")  # noqa: T201
    for warning in found.warnings:
        print(f"note: {warning}")  # noqa: T201
    return 0

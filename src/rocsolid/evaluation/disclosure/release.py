"""One released AUC, or several releases on the same labels, as the data of a disclosure review."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rocsolid.evaluation.disclosure.shared import (
    ALONE,
    CURVE,
    LEDGER,
    PRIOR,
    ExposedRows,
    decimal_places,
    exposed_rows,
    judged,
)
from rocsolid.leaks import count, plan
from rocsolid.leaks.exposure import Exposure
from rocsolid.leaks.joint import Joint
from rocsolid.leaks.labeling_count import LabelingCount, number_text
from rocsolid.leaks.released import read_number
from rocsolid.report.cells import Cells
from rocsolid.report.disclosure import Disclosure, Pairs


def roundings(
    auc: Fraction | str,
    rows: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
    **shared: Any,
) -> list[tuple[int, LabelingCount]]:
    """What the same release would give away with fewer decimals, from four down to one.

    >>> [(digits, round(found.surprise_bits)) for digits, found in roundings("1387/1440", 76)]
    [(4, 57), (3, 53), (2, 48), (1, 46)]
    """
    value, half_unit = read_number(auc, decimals)
    coarser = (d for d in (4, 3, 2, 1) if Fraction(1, 2 * 10**d) > half_unit)
    return [
        (d, count(round(value, d), rows, n_pos=n_pos, decimals=d, known=known, **shared))
        for d in coarser
    ]


def released_decimals(auc: Fraction | str, decimals: int | None = None) -> int | None:
    """To how many decimals the value was rounded; None if it is exact.

    >>> released_decimals("0.963"), released_decimals("3/4"), released_decimals("0.9", 2)
    (3, None, 2)
    """
    half_unit = read_number(auc, decimals)[1]
    return round(-math.log10(2 * half_unit)) if half_unit else None


def review_release(
    counted: LabelingCount,
    output: Pairs,
    *,
    exposure: Exposure | None = None,
    rows: ExposedRows | None = None,
    rounded: Sequence[tuple[int, LabelingCount]] = (),
    decimals: int | None = None,
    limit: float | None = None,
    command: str = "",
) -> Disclosure:
    """One released AUC. With ``exposure``, what it says row by row; ``rows`` are the rows shown."""
    verdict = [
        f"Of {counted.entropy_before:,.2f} label bits, {counted.entropy_left:,.2f} are left: the "
        f"surprise of this very value is {counted.surprise_bits:,.2f} bits."
    ]
    if exposure is not None:
        verdict.insert(0, _forced(exposure))
    verdict += judged("The surprise", counted.surprise_bits, limit)
    mitigation = [_rounding(counted, rounded, limit), *_budget(counted, decimals), CURVE, LEDGER]
    return Disclosure(
        title="Disclosure review: a released AUC",
        lead="What one released AUC tells about the labels behind it, to someone with the scores.",
        output=output,
        verdict=" ".join(verdict),
        risk=(
            ("Labelings that fit", number_text(counted)),
            ("Possible numbers of positives", f"{len(counted.support):,}"),
            ("How it was counted", _method(counted.method, counted.relative_error)),
            *(_exposed(exposure) if exposure is not None else ()),
        ),
        risk_tables=exposed_rows(rows),
        mitigation=tuple(mitigation),
        mitigation_tables=(_rounded(rounded),) if rounded else (),
        assumptions=(PRIOR, ALONE),
        command=command,
    )


def _forced(exposure: Exposure) -> str:
    unknown = exposure.unknown
    if exposure.forced:
        return f"{exposure.certain:,} of {unknown:,} unknown labels are certain."
    if exposure.forced_complete:
        return (
            f"None of {unknown:,} unknown labels is certain from this release alone, which does "
            "not show that they are safe."
        )
    return f"None of {unknown:,} unknown labels was found to be certain; that is not settled."


def _exposed(exposure: Exposure) -> Pairs:
    bits = exposure.bits[exposure.labels].sum() / max(1, exposure.unknown)
    return (
        ("Labels that are certain", f"{exposure.certain:,}"),
        ("Bits left about a label by itself", f"{bits:.3f} on average"),
        ("How the rows were judged", _method(exposure.method, exposure.error)),
    )


def _rounding(
    counted: LabelingCount, rounded: Sequence[tuple[int, LabelingCount]], limit: float | None
) -> str:
    most = counted.surprise_bits / 2 if limit is None else limit
    halve, keep = ("halve", "halves"), ("keep", "keeps")
    verb, verbs = halve if limit is None else keep
    aim = "the surprise" if limit is None else f"the surprise within {limit:g} bits"
    if limit is not None and counted.surprise_bits <= limit:
        return "The value as it is stays within the limit; fewer decimals give away less."
    for digits, coarser in rounded:
        if coarser.surprise_bits <= most:
            return (
                f"Rounding on the server to {decimal_places(digits)} {verbs} {aim}: "
                f"{coarser.surprise_bits:,.2f} bits."
            )
    least = (
        f"Even rounding to one decimal does not {verb} {aim}"
        if rounded
        else "A coarser rounding was not tried"
    )
    return f"{least}: release the value to fewer people, or not at all."


def _budget(found: LabelingCount, decimals: int | None) -> list[str]:
    shared = found.n_units is not None
    if len(found.support) != 1 or found.n_known or shared or decimals == 0:
        return []
    budget = plan(found.n, found.support[0], decimals, per_day=1, days=1)
    part = f"{100 * budget.share:.3g} % of the label bits"
    if not budget.safe_releases:
        return [f"Already one release of this precision can give away more than {part}."]
    return [
        f"A budget of {budget.safe_releases:,} releases of this precision on these labels, this "
        f"one included, keeps what is released within {part}, whatever is scored."
    ]


def _rounded(rounded: Sequence[tuple[int, LabelingCount]]) -> Cells:
    rows = tuple(
        (decimal_places(digits), number_text(found), f"{found.surprise_bits:,.2f}")
        for digits, found in rounded
    )
    heads = ("Released to", "Labelings that fit", "Surprise in bits")
    return Cells("The same value with fewer decimals.", heads, rows)


def _method(method: str, error: float) -> str:
    return method if method == "exact" else f"{method}, off by {error:.1g}"


def review_joint(
    joint: Joint,
    output: Pairs,
    *,
    rows: ExposedRows | None = None,
    limit: float | None = None,
    command: str = "",
) -> Disclosure:
    """Several releases on the same labels."""
    most = joint.surprise_bits
    told = "is" if joint.surprise_exact else "is at most"
    verdict = [
        joint.explain(),
        f"The surprise of these very values together {told} {most:,.2f} of "
        f"{joint.entropy_before:,.2f} label bits.",
        *judged("The surprise" if joint.surprise_exact else "This bound", most, limit),
    ]
    mitigation = [
        "Release no further score on these labels."
        if joint.verdict == "unique"
        else "Judge every further release together with these.",
        "Fewer decimals, on the server, make more labelings fit; try them here before release. "
        "They slow recovery down and do not stop it.",
        CURVE,
        LEDGER,
    ]
    kind = "" if joint.exact else " Approximate, by maximum entropy."
    return Disclosure(
        title="Disclosure review: several releases on the same labels",
        lead="What the releases tell together, to someone with all the scores.",
        output=output,
        verdict=" ".join(verdict),
        risk=(
            ("Verdict", joint.verdict),
            ("Labelings that fit", "not counted" if joint.count is None else f"{joint.count:,}"),
            ("Partial labelings looked at", f"{joint.work:,}"),
        ),
        risk_tables=exposed_rows(rows, kind),
        mitigation=tuple(mitigation),
        assumptions=(
            PRIOR,
            ALONE,
            "Unique needs a complete search, ambiguous needs two labelings in "
            "hand; undetermined is no evidence of safety.",
        ),
        command=command,
    )

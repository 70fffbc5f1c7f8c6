"""Pages of a disclosure review: one release, several, a log, or a planned leaderboard."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.leaks.counting import count
from rocsolid.leaks.evidence import range_ends, read_number
from rocsolid.leaks.exposure import Exposure
from rocsolid.leaks.joint import Joint
from rocsolid.leaks.labeling_count import LabelingCount, number_text
from rocsolid.leaks.plan import Plan, plan
from rocsolid.leaks.replay import Replay
from rocsolid.pictures.exposed import bits_picture, exposed_picture
from rocsolid.report.document import Disclosure, Pairs
from rocsolid.report.frame import Large
from rocsolid.report.text import Cells
from rocsolid.results.card import Card, CardRow


@dataclass(frozen=True, slots=True)
class ExposedRows:
    """Rows by name, the probability of a right guess of each label, and whether it is certain.

    ``named_by`` describes the names: "line of a.csv, counting the header".
    """

    named_by: str
    rows: tuple[tuple[str, float, bool], ...]


SHOWN = 10
PRIOR = (
    "The recipient is assumed to know the scores of all rows and how the value was computed. "
    "All labelings that fit count as equally likely; a reader who trusts the scores, or knows "
    "the people behind the rows, can infer more than this page states."
)
ALONE = (
    "Only the items under Output are counted. Everything else published about the same labels "
    "adds to them: other scores and segments, standard errors, curves, counts."
)
CURVE = (
    "Publish no curve, path, band or ranks of the positives with it: combined with the scores "
    "they reveal labels."
)
LEDGER = (
    "Keep one record of every release on these labels and limit their total, not each release "
    "separately."
)


def judged(what: str, bits: float, limit: float | None) -> list[str]:
    """Compare bits with a limit; ``what`` states whether they are revealed or the most possible."""
    if limit is None:
        return []
    if bits > limit:
        return [f"{what} is above the limit of {limit:g} bits."]
    return [f"{what} is within the limit of {limit:g} bits, which is a choice, not a proof."]


def exposed_rows(exposed: ExposedRows | None, note: str = "") -> tuple[Cells, ...]:
    if exposed is None or not exposed.rows:
        return ()
    heads = (exposed.named_by, "probability that a guess of its label is right")
    cells = tuple((name, _share(p, certain)) for name, p, certain in exposed.rows)
    return (Cells("The most exposed rows. The page shows no label." + note, heads, cells),)


def _share(probability: float, certain: bool) -> str:
    if certain:
        return "1 (certain)"
    return ">0.9999" if probability > 0.9999 else f"{probability:.4f}"


_RELEASED = "as released"


def _bits(told: float, total: float, limit: float | None) -> Card:
    shown = min(told, total)
    row = CardRow("", shown, f"{shown:,.1f}")
    if limit is not None:
        words = f"{'above' if told > limit else 'within'} the limit of {limit:g} bits"
        row = replace(row, state="worse" if told > limit else "better", word=words)
    return Card(f"of {total:,.1f} label bits revealed", rows=(row,))


def _drawn(
    rows: ExposedRows | None, told: Mapping[str, float], total: float, limit: float | None
) -> tuple[Large, ...]:
    exposed = (
        [] if rows is None or not rows.rows else [Large(exposed_picture(rows.rows, rows.named_by))]
    )
    bits = [] if total <= 0.0 else [Large(bits_picture(told, total, limit))]
    return (*exposed, *bits)


def decimal_places(digits: int | None) -> str:
    if digits is None:
        return "exact"
    return counted(digits, "decimal")


def roundings(
    auc: Fraction | str,
    rows: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
    **shared: Any,
) -> list[tuple[int, LabelingCount]]:
    """Count the bits that the same release would reveal with fewer decimals, from four to one.

    >>> [(digits, round(found.surprise_bits)) for digits, found in roundings("1387/1440", 76)]
    [(4, 57), (3, 53), (2, 48), (1, 46)]
    """
    if range_ends(auc):
        return []
    value, half_unit = read_number(auc, decimals)
    coarser = (d for d in (4, 3, 2, 1) if Fraction(1, 2 * 10**d) > half_unit)
    return [
        (d, count(round(value, d), rows, n_pos=n_pos, decimals=d, known=known, **shared))
        for d in coarser
    ]


def released_decimals(auc: Fraction | str, decimals: int | None = None) -> int | None:
    """To how many decimals the value was rounded; None if it is exact, 0 for a range.

    >>> released_decimals("0.963"), released_decimals("3/4"), released_decimals("0.9", 2)
    (3, None, 2)
    """
    if range_ends(auc):
        return 0
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
    """Review one released AUC; ``exposure`` adds a row-by-row analysis, and ``rows`` are shown."""
    verdict = [
        f"This value reveals {counted.surprise_bits:,.2f} of the {counted.entropy_before:,.2f} "
        f"label bits; {counted.entropy_left:,.2f} are left."
    ]
    if exposure is not None:
        verdict.insert(0, _forced(exposure))
    verdict += judged("The number of bits revealed", counted.surprise_bits, limit)
    mitigation = [_rounding(counted, rounded, limit), *_budget(counted, decimals), CURVE, LEDGER]
    return Disclosure(
        title="Disclosure review: a released AUC",
        lead="The information about labels in one released AUC, for someone with the scores.",
        output=output,
        verdict=" ".join(verdict),
        risk=(
            ("Labelings that fit", number_text(counted)),
            ("Possible numbers of positives", f"{len(counted.support):,}"),
            ("Method of counting", _method(counted.method, counted.relative_error)),
            *(_exposed(exposure) if exposure is not None else ()),
        ),
        card=_bits(counted.surprise_bits, counted.entropy_before, limit),
        large=_drawn(
            rows,
            {
                _RELEASED: counted.surprise_bits,
                **{decimal_places(d): one.surprise_bits for d, one in rounded},
            },
            counted.entropy_before,
            limit,
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
    return (
        f"None of {unknown:,} unknown labels was found to be certain, but the search was not "
        "complete."
    )


def _exposed(exposure: Exposure) -> Pairs:
    bits = exposure.bits[exposure.labels].sum() / max(1, exposure.unknown)
    return (
        ("Labels that are certain", f"{exposure.certain:,}"),
        ("Bits left about a single label", f"{bits:.3f} on average"),
        ("Method for the rows", _method(exposure.method, exposure.error)),
    )


def _rounding(
    counted: LabelingCount, rounded: Sequence[tuple[int, LabelingCount]], limit: float | None
) -> str:
    most = counted.surprise_bits / 2 if limit is None else limit
    halve, keep = ("halve", "halves"), ("keep", "keeps")
    verb, verbs = halve if limit is None else keep
    aim = "the bits revealed" if limit is None else f"the bits revealed within {limit:g} bits"
    if limit is not None and counted.surprise_bits <= limit:
        return "The value stays within the limit unchanged; fewer decimals reveal less."
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
        return [f"A single release of this precision can already reveal more than {part}."]
    return [
        f"A budget of {counted(budget.safe_releases, 'release')} of this precision on these "
        f"labels, including this one, keeps the total within {part}, whatever is scored."
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
    most = joint.surprise_bits
    revealed = "reveal" if joint.surprise_exact else "reveal at most"
    verdict = [
        joint.explain(),
        f"These values together {revealed} {most:,.2f} of {joint.entropy_before:,.2f} label bits.",
        *judged(
            "The number of bits revealed" if joint.surprise_exact else "This bound", most, limit
        ),
    ]
    mitigation = [
        "Release no further score on these labels."
        if joint.verdict == "unique"
        else "Review every further release together with these.",
        "Fewer decimals, rounded on the server, make more labelings fit; try them here before "
        "release. They slow the recovery of labels but do not stop it.",
        CURVE,
        LEDGER,
    ]
    kind = "" if joint.exact else f" {joint.probabilities}"
    return Disclosure(
        title="Disclosure review: several releases on the same labels",
        lead=(
            "The information about labels in all releases together, for someone with all the "
            "scores."
        ),
        output=output,
        verdict=" ".join(verdict),
        risk=(
            ("Verdict", joint.verdict),
            ("Labelings that fit", "not counted" if joint.count is None else f"{joint.count:,}"),
            ("Partial labelings examined", f"{joint.work:,}"),
        ),
        card=_bits(most, joint.entropy_before, limit),
        large=_drawn(rows, {"together": most}, joint.entropy_before, limit),
        risk_tables=exposed_rows(rows, kind),
        mitigation=tuple(mitigation),
        assumptions=(
            PRIOR,
            ALONE,
            "Unique requires a complete search, and ambiguous requires two labelings; "
            "undetermined is no evidence of safety.",
        ),
        command=command,
    )


def review_replay(
    replay: Replay, source: str, *, limit: float | None = None, command: str = ""
) -> Disclosure:
    accounts = tuple(
        (a.account, f"{a.releases:,}", f"{a.most_bits:,.1f}", ", ".join(a.signs) or "none")
        for a in replay.accounts[:SHOWN]
    )
    signs = tuple(
        (r.account, r.time, f"{r.score:g}", ", ".join(r.signs)) for r in replay.suspects[:SHOWN]
    )
    tables = [
        Cells(
            f"Accounts with the most releases ({len(accounts):,} of {len(replay.accounts):,}).",
            ("Account", "Releases", "Most bits", "Signs of probing"),
            accounts,
        )
    ]
    if signs:
        text = f"Releases with signs of probing ({len(signs):,} of {len(replay.suspects):,})."
        tables.append(Cells(text, ("Account", "Time", "Score", "Signs"), signs))
    return Disclosure(
        title="Disclosure review: a submission log",
        lead="The information about the hidden labels that the released scores can have revealed.",
        output=(
            ("Hidden labels", _hidden(replay)),
            ("Log", source),
            ("Released", f"{len(replay.releases):,} AUCs, {decimal_places(replay.decimals)}"),
        ),
        verdict=" ".join([f"{replay}.", *judged("The most", replay.most_bits, limit)]),
        risk=(
            ("Label bits", f"{replay.label_bits:,.1f}"),
            ("The most that all releases can have revealed", f"{replay.most_bits:,.1f} bits"),
            (
                ("On average, if every submission was a random ranking"),
                f"{replay.average_bits:,.1f} bits",
            ),
            ("Releases with signs of probing", f"{len(replay.suspects):,}"),
        ),
        card=_bits(replay.most_bits, replay.label_bits, limit),
        large=_drawn(
            None,
            {
                "all releases, at most": replay.most_bits,
                **{a.account: a.most_bits for a in replay.accounts[:SHOWN]},
            },
            replay.label_bits,
            limit,
        ),
        risk_tables=tuple(tables),
        mitigation=(
            "Examine the releases with signs of probing. A sign is a reason to look, not a proof.",
            "If all label bits may have been revealed, use labels without any released score "
            "for the final ranking.",
            LEDGER,
        ),
        assumptions=(
            "The class sizes are assumed to be known. The bits are bounds on what was revealed, "
            "not on what was understood; correlated submissions revealed less.",
            ALONE,
        ),
        command=command,
    )


def _hidden(found: Plan | Replay) -> str:
    if found.units == found.n:
        return f"{found.n:,}, of which {found.n_pos:,} positive"
    units, rows = counted(found.units, "unit"), counted(found.n, "row")
    return f"{units} of {rows}, of which {found.n_pos:,} positive"


def _named(measure: str) -> str:
    return "the AUC" if measure == "auc" else measure


def review_plan(plan: Plan, *, limit: float | None = None, command: str = "") -> Disclosure:
    attacks = tuple(
        (name, f"{attack.releases:,}", f"{attack.days:,}", f"{attack.days_pooled:,}")
        for name, attack in (
            ("Queries that target labels on purpose", plan.deliberate),
            ("Submits ordinary models", plan.passive),
        )
    )
    by_decimals = tuple(
        (decimal_places(digits), f"{bits:.2f}") for digits, bits in plan.by_decimals
    )
    enough = plan.enough_decimals
    return Disclosure(
        title="Disclosure review: a leaderboard before launch",
        lead="The information about the hidden labels that the planned releases can reveal.",
        output=(
            ("Hidden labels", _hidden(plan)),
            ("Released", f"{_named(plan.measure)}, {decimal_places(plan.decimals)}"),
            (
                "Releases",
                f"{plan.per_day:,} a day for {counted(plan.days, 'day')} to "
                f"{counted(plan.teams, 'team')}: {plan.releases:,}",
            ),
        ),
        verdict=" ".join(
            [
                plan.verdict,
                *judged("The most that all planned releases can reveal", plan.most_bits, limit),
            ]
        ),
        risk=(
            ("Label bits", f"{plan.label_bits:,.1f}"),
            ("The most that all planned releases can reveal", f"{plan.most_bits:,.1f} bits"),
            (
                ("On average, if every submission is a random ranking"),
                f"{plan.average_bits:,.1f} bits",
            ),
        ),
        card=_bits(plan.most_bits, plan.label_bits, limit),
        large=_drawn(
            None,
            {
                "planned, at most": plan.most_bits,
                "planned, on average": plan.average_bits,
                "one release, at most": plan.most_bits_each,
            },
            plan.label_bits,
            limit,
        ),
        risk_tables=(
            Cells(
                f"Until every label is known: {plan.deliberate.basis}; {plan.passive.basis}.",
                ("Participant", "Releases", "Days for one team", "Days if all teams pool"),
                attacks,
            ),
        ),
        mitigation=(
            f"A total budget of {plan.safe_releases:,} releases keeps the disclosure within "
            f"{100 * plan.share:.3g} % of the label bits, whatever is submitted.",
            "Even rounding to one decimal does not keep the planned releases within that."
            if enough is None
            else f"Rounding on the server to {decimal_places(enough)} keeps the planned releases "
            "within that.",
            f"Rounding to {decimal_places(plan.lossless_decimals)} loses no information about a "
            "ranking without ties; a page that rounds its input hides nothing.",
            "Refuse submissions with only two values or mostly ties, release only improvements, "
            "or add noise with a stated privacy guarantee; measure the defence on the labels "
            "before launch.",
            LEDGER,
        ),
        mitigation_tables=(
            Cells(
                "The average information in one random ranking.",
                ("Released to", "Average bits"),
                by_decimals,
            ),
        ),
        assumptions=plan.assumptions,
        command=command,
    )

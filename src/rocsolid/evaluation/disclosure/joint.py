"""Several releases on the same labels, as the data of a disclosure review."""

from __future__ import annotations

from rocsolid.evaluation.disclosure.shared import (
    ALONE,
    CURVE,
    LEDGER,
    PRIOR,
    ExposedRows,
    exposed_rows,
    judged,
)
from rocsolid.leaks import Joint
from rocsolid.report.disclosure import Disclosure, Pairs


def review_joint(
    found: Joint,
    output: Pairs,
    *,
    rows: ExposedRows | None = None,
    limit: float | None = None,
    command: str = "",
) -> Disclosure:
    """Several releases on the same labels."""
    most = found.surprise_bits
    told = "is" if found.surprise_exact else "is at most"
    verdict = [
        found.explain(),
        f"The surprise of these very values together {told} {most:,.2f} of "
        f"{found.entropy_before:,.2f} label bits.",
        *judged("The surprise" if found.surprise_exact else "This bound", most, limit),
    ]
    mitigation = [
        "Release no further score on these labels."
        if found.verdict == "unique"
        else "Judge every further release together with these.",
        "Fewer decimals, on the server, make more labelings fit; try them here before release. "
        "They slow recovery down and do not stop it.",
        CURVE,
        LEDGER,
    ]
    kind = "" if found.exact else " Approximate, by maximum entropy."
    return Disclosure(
        title="Disclosure review: several releases on the same labels",
        lead="What the releases tell together, to someone with all the scores.",
        output=output,
        verdict=" ".join(verdict),
        risk=(
            ("Verdict", found.verdict),
            ("Labelings that fit", "not counted" if found.count is None else f"{found.count:,}"),
            ("Partial labelings looked at", f"{found.work:,}"),
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

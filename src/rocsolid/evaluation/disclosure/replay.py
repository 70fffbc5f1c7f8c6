"""A log of releases, as the data of a disclosure review."""

from __future__ import annotations

from rocsolid.evaluation.disclosure.shared import (
    ALONE,
    LEDGER,
    SHOWN,
    decimal_places,
    judged,
)
from rocsolid.leaks import Replay
from rocsolid.report.cells import Cells
from rocsolid.report.disclosure import Disclosure


def review_replay(
    found: Replay, source: str, *, limit: float | None = None, command: str = ""
) -> Disclosure:
    """A log of releases, after the fact."""
    accounts = tuple(
        (a.account, f"{a.releases:,}", f"{a.most_bits:,.1f}", ", ".join(a.signs) or "none")
        for a in found.accounts[:SHOWN]
    )
    signs = tuple(
        (r.account, r.time, f"{r.score:g}", ", ".join(r.signs)) for r in found.suspects[:SHOWN]
    )
    tables = [
        Cells(
            f"Accounts that heard most ({len(accounts):,} of {len(found.accounts):,}).",
            ("Account", "Releases", "Most bits", "Signs of probing"),
            accounts,
        )
    ]
    if signs:
        text = f"Releases with signs of probing ({len(signs):,} of {len(found.suspects):,})."
        tables.append(Cells(text, ("Account", "Time", "Score", "Signs"), signs))
    return Disclosure(
        title="Disclosure review: a submission log",
        lead="What the scores that were released can have told about the hidden labels.",
        output=(
            ("Hidden labels", f"{found.n:,}, of which {found.n_pos:,} positive"),
            ("Log", source),
            ("Released", f"{len(found.releases):,} AUCs, {decimal_places(found.decimals)}"),
        ),
        verdict=" ".join([f"{found}.", *judged("The most", found.most_bits, limit)]),
        risk=(
            ("Label bits", f"{found.label_bits:,.1f}"),
            ("Most that all releases can have given away", f"{found.most_bits:,.1f} bits"),
            ("On average, if every one was a random ranking", f"{found.average_bits:,.1f} bits"),
            ("Releases with signs of probing", f"{len(found.suspects):,}"),
        ),
        risk_tables=tuple(tables),
        mitigation=(
            "Look at the releases with signs of probing. A sign is a reason to look, no proof.",
            "Once all label bits may have been told, use labels that no score was released on for "
            "the final ranking.",
            LEDGER,
        ),
        assumptions=(
            "The class sizes are taken to be known. The bits are bounds on what was "
            "given away, not on what was understood; correlated submissions gave away less.",
            ALONE,
        ),
        command=command,
    )

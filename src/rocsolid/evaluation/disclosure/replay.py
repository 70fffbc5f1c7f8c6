"""A leaderboard before its launch, or its log, as the data of a disclosure review."""

from __future__ import annotations

from rocsolid.evaluation.disclosure.shared import ALONE, LEDGER, SHOWN, decimal_places, judged
from rocsolid.leaks.plan import Plan
from rocsolid.leaks.replay import Replay
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
            ("Hidden labels", _hidden(found)),
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


def _hidden(found: Plan | Replay) -> str:
    if found.units == found.n:
        return f"{found.n:,}, of which {found.n_pos:,} positive"
    return f"{found.units:,} units of {found.n:,} rows, of which {found.n_pos:,} positive"


def _named(measure: str) -> str:
    return "the AUC" if measure == "auc" else measure


def review_plan(found: Plan, *, limit: float | None = None, command: str = "") -> Disclosure:
    """A leaderboard before its launch."""
    attacks = tuple(
        (name, f"{attack.releases:,}", f"{attack.days:,}", f"{attack.days_pooled:,}")
        for name, attack in (
            ("Asks for labels on purpose", found.deliberate),
            ("Submits ordinary models", found.passive),
        )
    )
    by_decimals = tuple(
        (decimal_places(digits), f"{bits:.2f}") for digits, bits in found.by_decimals
    )
    enough = found.enough_decimals
    return Disclosure(
        title="Disclosure review: a leaderboard before launch",
        lead="What the planned releases can tell about the hidden labels.",
        output=(
            ("Hidden labels", _hidden(found)),
            ("Released", f"{_named(found.measure)}, {decimal_places(found.decimals)}"),
            (
                "Releases",
                f"{found.per_day:,} a day for {found.days:,} days to {found.teams:,} teams: "
                f"{found.releases:,}",
            ),
        ),
        verdict=" ".join(
            [
                found.verdict,
                *judged("The most that all planned releases can give away", found.most_bits, limit),
            ]
        ),
        risk=(
            ("Label bits", f"{found.label_bits:,.1f}"),
            ("Most that all planned releases can give away", f"{found.most_bits:,.1f} bits"),
            ("On average, if every one is a random ranking", f"{found.average_bits:,.1f} bits"),
        ),
        risk_tables=(
            Cells(
                f"Until every label is known: {found.deliberate.basis}; {found.passive.basis}.",
                ("Participant", "Releases", "Days for one team", "Days if all teams pool"),
                attacks,
            ),
        ),
        mitigation=(
            f"A budget of {found.safe_releases:,} releases in all keeps what is released within "
            f"{100 * found.share:.3g} % of the label bits, whatever is submitted.",
            "Even rounding to one decimal does not keep the planned releases within that."
            if enough is None
            else f"Rounding on the server to {decimal_places(enough)} keeps the planned releases "
            "within that.",
            f"Rounding to {decimal_places(found.lossless_decimals)} loses nothing to a ranking "
            "without ties; a page that rounds what it received hides nothing.",
            "Refuse submissions with two values or mostly ties, release improvements only, or add "
            "noise with a stated privacy; measure the defence on the labels before launch.",
            LEDGER,
        ),
        mitigation_tables=(
            Cells(
                "What one random ranking gives away on average.",
                ("Released to", "Average bits"),
                by_decimals,
            ),
        ),
        assumptions=found.assumptions,
        command=command,
    )

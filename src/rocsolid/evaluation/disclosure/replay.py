"""A leaderboard before its launch, or its log, as the data of a disclosure review."""

from __future__ import annotations

from rocsolid.evaluation.disclosure.shared import ALONE, LEDGER, SHOWN, decimal_places, judged
from rocsolid.leaks.plan import Plan
from rocsolid.leaks.replay import Replay
from rocsolid.report.cells import Cells
from rocsolid.report.disclosure import Disclosure


def review_replay(
    replay: Replay, source: str, *, limit: float | None = None, command: str = ""
) -> Disclosure:
    """A log of releases, after the fact."""
    accounts = tuple(
        (a.account, f"{a.releases:,}", f"{a.most_bits:,.1f}", ", ".join(a.signs) or "none")
        for a in replay.accounts[:SHOWN]
    )
    signs = tuple(
        (r.account, r.time, f"{r.score:g}", ", ".join(r.signs)) for r in replay.suspects[:SHOWN]
    )
    tables = [
        Cells(
            f"Accounts that heard most ({len(accounts):,} of {len(replay.accounts):,}).",
            ("Account", "Releases", "Most bits", "Signs of probing"),
            accounts,
        )
    ]
    if signs:
        text = f"Releases with signs of probing ({len(signs):,} of {len(replay.suspects):,})."
        tables.append(Cells(text, ("Account", "Time", "Score", "Signs"), signs))
    return Disclosure(
        title="Disclosure review: a submission log",
        lead="What the scores that were released can have told about the hidden labels.",
        output=(
            ("Hidden labels", _hidden(replay)),
            ("Log", source),
            ("Released", f"{len(replay.releases):,} AUCs, {decimal_places(replay.decimals)}"),
        ),
        verdict=" ".join([f"{replay}.", *judged("The most", replay.most_bits, limit)]),
        risk=(
            ("Label bits", f"{replay.label_bits:,.1f}"),
            ("Most that all releases can have given away", f"{replay.most_bits:,.1f} bits"),
            ("On average, if every one was a random ranking", f"{replay.average_bits:,.1f} bits"),
            ("Releases with signs of probing", f"{len(replay.suspects):,}"),
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


def review_plan(plan: Plan, *, limit: float | None = None, command: str = "") -> Disclosure:
    """A leaderboard before its launch."""
    attacks = tuple(
        (name, f"{attack.releases:,}", f"{attack.days:,}", f"{attack.days_pooled:,}")
        for name, attack in (
            ("Asks for labels on purpose", plan.deliberate),
            ("Submits ordinary models", plan.passive),
        )
    )
    by_decimals = tuple(
        (decimal_places(digits), f"{bits:.2f}") for digits, bits in plan.by_decimals
    )
    enough = plan.enough_decimals
    return Disclosure(
        title="Disclosure review: a leaderboard before launch",
        lead="What the planned releases can tell about the hidden labels.",
        output=(
            ("Hidden labels", _hidden(plan)),
            ("Released", f"{_named(plan.measure)}, {decimal_places(plan.decimals)}"),
            (
                "Releases",
                f"{plan.per_day:,} a day for {plan.days:,} days to {plan.teams:,} teams: "
                f"{plan.releases:,}",
            ),
        ),
        verdict=" ".join(
            [
                plan.verdict,
                *judged("The most that all planned releases can give away", plan.most_bits, limit),
            ]
        ),
        risk=(
            ("Label bits", f"{plan.label_bits:,.1f}"),
            ("Most that all planned releases can give away", f"{plan.most_bits:,.1f} bits"),
            ("On average, if every one is a random ranking", f"{plan.average_bits:,.1f} bits"),
        ),
        risk_tables=(
            Cells(
                f"Until every label is known: {plan.deliberate.basis}; {plan.passive.basis}.",
                ("Participant", "Releases", "Days for one team", "Days if all teams pool"),
                attacks,
            ),
        ),
        mitigation=(
            f"A budget of {plan.safe_releases:,} releases in all keeps what is released within "
            f"{100 * plan.share:.3g} % of the label bits, whatever is submitted.",
            "Even rounding to one decimal does not keep the planned releases within that."
            if enough is None
            else f"Rounding on the server to {decimal_places(enough)} keeps the planned releases "
            "within that.",
            f"Rounding to {decimal_places(plan.lossless_decimals)} loses nothing to a ranking "
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
        assumptions=plan.assumptions,
        command=command,
    )

"""``rocsolid leak plan``: what a leaderboard's releases will give away, before its launch."""

from __future__ import annotations

from rocsolid.cli.leak.output import ReviewForms
from rocsolid.cli.leak.question import HiddenPositives, HiddenRows, ServerDecimals
from rocsolid.cli.screen import print_table, print_words
from rocsolid.evaluation.disclosure import review_plan
from rocsolid.leaks import plan as plan_releases


def plan(
    *,
    hidden: HiddenRows = HiddenRows(),
    n_pos: HiddenPositives,
    decimals: ServerDecimals = None,
    measure: str = "auc",
    per_day: int = 5,
    days: int = 90,
    teams: int = 1,
    forms: ReviewForms = ReviewForms(),
) -> int:
    """How many scores a leaderboard can release before the hidden labels are known.

    --fail-above counts the most bits that all planned releases can give away.

    Example: `rocsolid leak plan --table scores.csv --cluster patient --n-pos 20 --decimals 2`

    Example: `rocsolid leak plan --n 512 --n-pos 256 --decimals 4 --per-day 5 --days 90 --teams 20`

    Parameters
    ----------
    measure
        What is released: auc, or precision, recall or lift at a cut, such as precision@100.
    per_day
        Releases to a team per day.
    days
        How long the leaderboard is open.
    teams
        The number of teams; they may share what they see.
    """
    n, shared = hidden.read_rows()
    planned = plan_releases(
        n, n_pos, decimals, measure=measure, per_day=per_day, days=days, teams=teams,
        **shared,
    )  # fmt: skip

    def show() -> None:
        print_words(planned.verdict)
        print_words("")
        print_table(
            ["until every label is known", "releases", "days, one team", "days, pooled"],
            [
                [name, f"{attack.releases:,}", f"{attack.days:,}", f"{attack.days_pooled:,}"]
                for name, attack in (
                    ("asks for labels on purpose", planned.deliberate),
                    ("submits ordinary models", planned.passive),
                )
            ],
        )
        print_words("")
        print_table(
            ["decimals", "average bits a release"],
            [[str(digits), f"{bits:.2f}"] for digits, bits in planned.by_decimals],
        )

    return forms.finish(
        planned,
        show,
        review=lambda command: review_plan(planned, limit=forms.fail_above, command=command),
        what="the most that can be given away",
        bits=planned.most_bits,
    )

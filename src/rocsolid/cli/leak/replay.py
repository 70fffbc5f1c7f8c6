"""``rocsolid leak replay``: what the releases in a submission log revealed."""

from __future__ import annotations

from rocsolid.cli.leak.question import Decimals, HiddenPositives, HiddenRows, ReviewForms
from rocsolid.cli.lists import TableFile
from rocsolid.cli.output import print_table, print_words
from rocsolid.cli.progress import progress_bar
from rocsolid.evaluation.disclosure import review_replay
from rocsolid.leaks import replay as replay_log
from rocsolid.leaks.replay import Replay

_SHOWN = 20


def replay(
    log: TableFile,
    /,
    *,
    hidden: HiddenRows = HiddenRows(),
    n_pos: HiddenPositives,
    decimals: Decimals = None,
    profile: str = "plain",
    forms: ReviewForms = ReviewForms(),
) -> int:
    """What a submission log revealed about the labels, and which releases look like probing.

    The log has one release per row. rs.leaks.replay in Python also reads logs with other columns,
    and the submitted files. --fail-above limits the most bits that all releases together can have
    revealed.

    Example: `rocsolid leak replay log.csv --n 40 --n-pos 20`

    Parameters
    ----------
    profile
        Whose export it is: plain (columns time, account, score, submission), codabench, evalai,
        kaggle-leaderboard, meta-kaggle or kaggle-submissions.
    """
    n, shared = hidden.read_rows()
    with progress_bar("replaying the log"):
        replayed = replay_log(log, n=n, n_pos=n_pos, decimals=decimals, profile=profile, **shared)
    return forms.finish(
        replayed,
        lambda: _show(replayed),
        review=lambda command: review_replay(
            replayed, log, limit=forms.fail_above, command=command
        ),
        what="the most that can be revealed",
        bits=replayed.most_bits,
    )


def _show(replayed: Replay) -> None:
    print_words(f"{replayed}.")
    print_words("")
    print_table(
        ["account", "releases", "most bits", "signs of probing"],
        [
            [a.account, f"{a.releases:,}", f"{a.most_bits:,.1f}", ", ".join(a.signs)]
            for a in replayed.accounts[:_SHOWN]
        ],
    )
    if replayed.suspects:
        print_words("")
        print_table(
            ["release", "account", "score", "signs of probing"],
            [
                [r.time, r.account, f"{r.score:g}", ", ".join(r.signs)]
                for r in replayed.suspects[:_SHOWN]
            ],
        )
        print_words("A sign is a reason to look, not a proof; --json lists and explains all signs.")

"""``rocsolid leak replay``: what the releases in a submission log gave away."""

from __future__ import annotations

from rocsolid.cli.leak.output import ReviewForms
from rocsolid.cli.leak.question import Decimals, HiddenPositives, HiddenRows
from rocsolid.cli.options import TableFile
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import print_table, print_words
from rocsolid.evaluation.disclosure import review_replay
from rocsolid.leaks import read_submissions
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
    time_column: str | None = None,
    account_column: str | None = None,
    score_column: str | None = None,
    submission_column: str | None = None,
    submissions: str | None = None,
    submissions_score: str = "score",
    submissions_key: str | None = None,
    forms: ReviewForms = ReviewForms(),
) -> int:
    """What a submission log gave away about the labels, and what looks like probing.

    The log has one release a row. --fail-above counts the most bits that all releases together can
    have given away.

    Example: `rocsolid leak replay log.csv --n 40 --n-pos 20`

    Parameters
    ----------
    profile
        Whose export it is: plain (columns time, account, score, submission), codabench, evalai,
        kaggle-leaderboard, meta-kaggle or kaggle-submissions.
    time_column
        The column of times, where it is not the profile's.
    account_column
        The column of accounts or teams.
    score_column
        The column of released AUCs.
    submission_column
        The column that names the submissions.
    submissions
        A folder with a file of scores for each submission that the log names, to compare rankings.
    submissions_score
        The column of scores in these files.
    submissions_key
        The column that says which row is which, if the files are not in one order.
    """
    named = {
        "time": time_column,
        "account": account_column,
        "score": score_column,
        "submission": submission_column,
    }
    n, shared = hidden.read_rows()
    with progress_bar("replaying the log"):
        vectors = (
            None
            if submissions is None
            else read_submissions(submissions, score=submissions_score, key=submissions_key)
        )
        found = replay_log(
            log,
            n=n,
            n_pos=n_pos,
            decimals=decimals,
            profile=profile,
            columns={kind: name for kind, name in named.items() if name is not None},
            submissions=vectors,
            **shared,
        )
    return forms.finish(
        found,
        lambda: _show(found),
        review=lambda command: review_replay(found, log, limit=forms.fail_above, command=command),
        what="the most that can be given away",
        bits=found.most_bits,
    )


def _show(found: Replay) -> None:
    print_words(f"{found}.")
    print_words("")
    print_table(
        ["account", "releases", "most bits", "signs of probing"],
        [
            [a.account, f"{a.releases:,}", f"{a.most_bits:,.1f}", ", ".join(a.signs)]
            for a in found.accounts[:_SHOWN]
        ],
    )
    if found.suspects:
        print_words("")
        print_table(
            ["release", "account", "score", "signs of probing"],
            [
                [r.time, r.account, f"{r.score:g}", ", ".join(r.signs)]
                for r in found.suspects[:_SHOWN]
            ],
        )
        print_words("A sign is a reason to look, no proof; --json explains each and has them all.")

"""``rocsolid leak replay``: what the releases in a submission log gave away."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.leak.output import Flag, finish, print_table, print_words
from rocsolid.cli.progress import progress_bar
from rocsolid.evaluation.disclosure import review_replay
from rocsolid.leaks import Replay, read_submissions
from rocsolid.leaks import replay as replay_log

_SHOWN = 20


def replay(
    log: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    n: int,
    n_pos: int,
    decimals: int | None = None,
    profile: str = "plain",
    time_column: str | None = None,
    account_column: str | None = None,
    score_column: str | None = None,
    submission_column: str | None = None,
    submissions: str | None = None,
    submissions_score: str = "score",
    submissions_key: str | None = None,
    fail_above: float | None = None,
    json: Flag = False,
    html: str | None = None,
) -> int:
    """What the scores in a submission log told about the labels, and what looks like probing.

    Example: `rocsolid leak replay log.csv --n 40 --n-pos 20`

    Parameters
    ----------
    log
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file, one release a row; `-` reads standard
        input.
    n
        The number of hidden labels.
    n_pos
        How many of them are positive.
    decimals
        To how many decimals the scores were rounded; by default the most that any has.
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
        A folder with the submitted scores, a file for each submission that the log names. Only with
        it can rankings be compared.
    submissions_score
        The column of scores in these files.
    submissions_key
        The column that says which row is which, if the files are not in one order.
    fail_above
        End with code 1 if the most that all releases together can have given away is above this
        many bits.
    json
        Print JSON, with every release, in place of the tables.
    html
        Write a page for a disclosure review to this file as well.
    """
    named = {
        "time": time_column,
        "account": account_column,
        "score": score_column,
        "submission": submission_column,
    }
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
        )
    return finish(
        found.to_dict(),
        lambda: _show(found),
        json=json,
        html=html,
        page=lambda command: review_replay(found, log, limit=fail_above, command=command),
        what="the most that can be given away",
        bits=found.most_bits,
        fail_above=fail_above,
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

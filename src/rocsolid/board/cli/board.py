"""``rocsolid board``: a leaderboard in one file."""

from __future__ import annotations

import json as texts
import warnings
from fractions import Fraction
from typing import Annotated, Any

from cyclopts import App, Parameter

from rocsolid.board import Leaderboard
from rocsolid.board import verify as verify_record
from rocsolid.board.answers import bits_text, winner
from rocsolid.board.receipts import Receipt, Verification
from rocsolid.cli.app import FINDING
from rocsolid.cli.columns import LabelOptions
from rocsolid.cli.lists import File, Flag, Json, Out, Score, TableFile, option, shown
from rocsolid.cli.output import json_text, print_json, print_table, print_words, tell, write_text
from rocsolid.counts import both_classes, counted
from rocsolid.errors import InputError
from rocsolid.inputs import read_table

BoardFile = Annotated[
    File, Parameter(help="The board (a file or a PostgreSQL address), as secret as the labels.")
]
Team = Annotated[str, Parameter(help="The name of a team.")]

board = App(name="board", **shown("board"))


@board.command
def init(
    file: BoardFile,
    table: TableFile,
    /,
    *,
    labels: LabelOptions,
    id: Annotated[str, option("id")],
    score: Score = "score",
    defence: str | None = None,
    most_bits: float | None = None,
    rho: float | None = None,
    per_account: int | None = None,
    public_rows: str | None = None,
    sign: Flag = False,
    json: Json = False,
) -> int:
    """Make a board from the labels, and print the commitment to publish before the contest.

    Example: `rocsolid board init ecg.board labels.csv --label ill --id id`

    Parameters
    ----------
    defence
        The rounding or noise of answers, such as "Rounded(2)". Default: a Ladder, which reports
        only improvements by a step of about one standard error.
    most_bits
        The most bits that all answers together may reveal.
    rho
        The most privacy (zCDP) that all answers together may cost; a defence with noise needs it.
    per_account
        The most answers to one team.
    public_rows
        The share of the rows that answers use, drawn at random in each class, or a column with
        public or private. The private rows decide the final standings.
    sign
        Sign receipts (Ed25519), so that anyone can check them before the labels are revealed.
    """
    column = read_table(table, labels=[labels.label])[labels.label]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with Leaderboard.create(
            file,
            table,
            label=labels.label,
            id=id,
            score=score,
            defence=defence,
            pos_label=labels.typed(column),
            most_bits=most_bits,
            rho=rho,
            per_account=per_account,
            public=_share(public_rows),
            sign=sign,
        ) as made:
            facts = made.to_dict()
    if json:
        print_json(facts)
        return 0
    rows, private = facts["n_pos"] + facts["n_neg"], facts["private_rows"]
    kept = f", {private:,} more for the end" if private else ""
    print_words(
        f"{file}: {counted(rows, 'row')}{kept}, {facts['defence']}. "
        "Publish this before the contest:"
    )
    tell(facts["commitment"])
    for warning in warned:
        print_words(f"note: {warning.message}")
    return 0


@board.command
def submit(
    file: BoardFile, table: TableFile, /, *, team: Team, out: Out | None = None, json: Json = False
) -> int:
    """Print the answer to a team's scores.

    The same ranking gets the same answer, which is neither counted nor charged again. An answer
    that follows from earlier answers to any team costs no bits. --out writes the receipt, for the
    team to keep.

    Example: `rocsolid board submit ecg.board scores.csv --team ann --out ann-1.json`
    """
    with Leaderboard(file) as opened:
        given = opened.submit(team, table)
    if out is not None:
        write_text(out, json_text(given.to_dict()))
    if json:
        print_json(given.to_dict())
    else:
        print_words(f"{given.team}: {_answered(given)} (answer {given.number:,})")
    return 0


@board.command
def standings(file: BoardFile, /, *, final: Flag = False, json: Json = False) -> int:
    """Print the standings, their uncertainty and the used budgets. All of it may be published.

    Limits and possible places hold simultaneously at 95 %, after all answers so far.

    Example: `rocsolid board standings ecg.board`

    Parameters
    ----------
    final
        Print the final standings alone; an error before `rocsolid board close`.
    """
    with Leaderboard(file) as opened:
        facts = opened.to_dict()
    if final and not facts["closed"]:
        raise InputError(
            "the contest is not over, so there are no final standings",
            where="--final",
            fix="close the board with `rocsolid board close`",
        )
    if json:
        print_json(facts)
        return 0
    if final:
        _print_final(facts)
        return 0
    print_words(
        f"{counted(facts['answers'], 'answer')} by {facts['defence']} on "
        f"{both_classes(facts['n_pos'], facts['n_neg'])}; "
        f"revealed: {bits_text(facts)}" + ("; closed" if facts["closed"] else "") + ".\n"
    )
    _print_standings("answer", facts["standings"])
    if facts["final"]:
        print_words("")
        _print_final(facts)
    return 0


@board.command
def close(file: BoardFile, /) -> int:
    """End the contest permanently, and print the final standings. The labels stay secret.

    The board then accepts no file and no choice. `rocsolid board export --reveal` publishes the
    labels.

    Example: `rocsolid board close ecg.board`
    """
    with Leaderboard(file) as opened:
        opened.end()
        facts = opened.to_dict()
    _print_final(facts)
    return 0


@board.command
def choose(file: BoardFile, /, *, team: Team, answer: int | None = None) -> int:
    """Choose the submission of a team that counts in the final standings, instead of its best.

    The command lists all answers of the team. An answer may repeat the number of an earlier file,
    so equal answers can belong to files that are not equally good.

    Example: `rocsolid board choose ecg.board --team ann --answer 1`

    Parameters
    ----------
    answer
        The number of the answer, from its receipt. Without a number, nothing is chosen.
    """
    with Leaderboard(file) as opened:
        if answer is not None:
            opened.choose(team, answer)
        receipts, chosen = opened.receipts(team), opened.choices().get(team)
    if answer is not None:
        print_words(f"{team}: answer {answer:,} counts.\n")
    print_table(
        ["answer", "value", "what it is", "chosen"],
        [
            [
                f"{receipt.number:,}",
                f"{float(Fraction(receipt.value)):g}",
                receipt.meaning,
                "yes" if receipt.number == chosen else "",
            ]
            for receipt in receipts
        ],
    )
    return 0


@board.command
def export(file: BoardFile, /, *, out: Out, reveal: Flag = False) -> int:
    """Write the record of a board: every answer, the chain through them, and the places.

    Example: `rocsolid board export ecg.board --out record.json`

    Parameters
    ----------
    reveal
        Add the labels, the key and all rankings, so that anyone can check everything. Revealing
        closes the board permanently.
    """
    with Leaderboard(file) as opened:
        record = opened.record(reveal=reveal)
        write_text(out, json_text(record))
    tell(f"Record: {out}, {counted(record['answers'], 'answer')}.")
    if reveal:
        tell(
            f"The record reveals {counted(len(record['revealed']['ids']), 'label')}, the key and "
            "every ranking. The board is closed permanently."
        )
    return 0


@board.command
def verify(
    record: File,
    /,
    *,
    receipt: Annotated[list[str] | None, Parameter(negative=())] = None,
    commitment: str | None = None,
    json: Json = False,
) -> int:
    """Check that labels, answers and places of a record are consistent; exit code 1 if not.

    Example: `rocsolid board verify record.json --receipt ann-1.json`

    Parameters
    ----------
    record
        The output of `rocsolid board export`.
    receipt
        A receipt to look for; repeat the option for more.
    commitment
        The commitment that the host published before the contest.
    """
    verification = verify_record(
        _read(record), receipts=[_read(path) for path in receipt or ()], commitment=commitment
    )
    if json:
        print_json(verification.to_dict())
    else:
        _print_checks(verification)
    return 0 if verification.holds else FINDING


@board.command
def replay(file: BoardFile, /, *, json: Json = False) -> int:
    """Print, for the host only, the bits that the answers revealed and suspected probes.

    Example: `rocsolid board replay ecg.board`
    """
    with Leaderboard(file) as opened:
        replayed = opened.replay()
    if json:
        print_json(replayed.to_dict())
        return 0
    print_words(f"{replayed}.\n")
    print_table(
        ["release", "account", "score", "signs of probing"],
        [
            [suspect.time, suspect.account, f"{suspect.score:g}", ", ".join(suspect.signs)]
            for suspect in replayed.suspects
        ],
    )
    return 0


@board.command
def token(
    file: BoardFile, /, *, team: Team | None = None, host: Flag = False, json: Json = False
) -> int:
    """Print a new token for `rocsolid serve`, once; the board keeps only its hash.

    The new token replaces the previous one.

    Example: `rocsolid board token ecg.board --team ann`

    Parameters
    ----------
    host
        A token for the host's page.
    """
    if (team is None) != host:
        raise InputError("a token is for a team or for the host", fix="give --team or --host")
    with Leaderboard(file) as opened:
        access = opened.access
        made = access.issue_to_host() if team is None else access.issue(team)
    if json:
        print_json({"team": team, "token": made})
    else:
        tell(made)
    return 0


def _answered(receipt: Receipt) -> str:
    return f"{float(Fraction(receipt.value)):g}, {receipt.meaning}"


def _share(public: str | None) -> float | str | None:
    """Convert a number to a share; any other text names a column."""
    try:
        return None if public is None else float(public)
    except ValueError:
        return public


def _print_final(facts: dict[str, Any]) -> None:
    if not facts["private_rows"]:
        print_words(
            "All rows were answered, so these standings are the final ones. Limits account for "
            "what teams learned from the answers.\n"
        )
        _print_standings("answer", facts["standings"])
        return
    print_words(
        f"Final standings, by the AUC on {counted(facts['private_rows'], 'private row')} of each "
        f"team's chosen answer, or else its best: {winner(facts['final'])}.\n"
    )
    _print_standings("AUC", facts["final"])
    if facts["final_bits"] is not None:
        print_words(
            "\nNo answer used the private rows, so the limits need no correction for reuse. Values "
            "are rounded until the labels are revealed. They reveal at most "
            f"{facts['final_bits']:.1f} bits about the private labels."
        )


def _print_standings(answer: str, rows: list[dict[str, Any]]) -> None:
    heads = ["place", "team", answer, "answers", "limits", "possible places"]
    print_table(heads, [_row(standing) for standing in rows])


def _row(standing: dict[str, Any]) -> list[str]:
    limits = places = "none"
    if standing["low"] is not None:
        limits = f"{standing['low']:.4f} to {standing['high']:.4f}"
        places = f"{standing['best_place']} to {standing['worst_place']}"
    return [
        str(standing["place"]),
        standing["team"],
        f"{standing['value']:g}",
        str(standing["answers"]),
        limits,
        places,
    ]


def _print_checks(verification: Verification) -> None:
    words = {True: "yes", False: "NO", None: "not checked"}
    for check in verification.checks:
        print_words(f"{words[check.passed]}: {check.question} ({check.found})")
    print_words(f"\n{verification}.")


def _read(path: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            document = texts.load(file)
    except ValueError as error:
        raise InputError("this is not JSON", where=path, fix="name a file of the board") from error
    if not isinstance(document, dict):
        raise InputError("this is neither a record nor a receipt", where=path)
    return document

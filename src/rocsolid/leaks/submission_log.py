"""A host's submission log as one table: time, account, score and submission."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs import read_table, scores

PROFILES: Mapping[str, Mapping[str, str]] = {
    "plain": {"time": "time", "account": "account", "score": "score", "submission": "submission"},
    # the organiser's "Download as CSV" has no score; join one as "Score"
    "codabench": {
        "time": "Created When",
        "account": "Owner",
        "score": "Score",
        "submission": "Submission ID",
    },
    # all_submissions.csv links to the result file and has no score; join one as "Score"
    "evalai": {
        "time": "Submitted At",
        "account": "Team Name",
        "score": "Score",
        "submission": "id",
    },
    # older leaderboard downloads have a row for each improvement; newer downloads have a row for
    # each team, dated "LastSubmissionDate", and are no log
    "kaggle-leaderboard": {
        "time": "SubmissionDate",
        "account": "TeamName",
        "score": "Score",
        "submission": "",
    },
    # Submissions.csv of the Meta Kaggle data set
    "meta-kaggle": {
        "time": "SubmissionDate",
        "account": "TeamId",
        "score": "PublicScoreFullPrecision",
        "submission": "Id",
    },
    # one team's own list, `kaggle competitions submissions --csv`
    "kaggle-submissions": {
        "time": "date",
        "account": "",
        "score": "publicScore",
        "submission": "ref",
    },
}
"""Column names by source. A host may have changed its exports since."""

_FORMATS = ("%m/%d/%Y %H:%M:%S", "%m/%d/%Y", "%m/%d/%y %H:%M:%S", "%Y-%m-%d %H:%M")


@dataclass(frozen=True, slots=True)
class Log:
    """The scored rows in order of time. ``submission`` names each row's submission, or is empty."""

    time: tuple[datetime, ...]
    account: tuple[str, ...]
    score: NDArray[np.float64]
    submission: tuple[str, ...]
    unscored: int


def read_log(
    source: Any,
    *,
    profile: str = "plain",
    columns: Mapping[str, str] | None = None,
    with_submissions: bool = False,
) -> Log:
    """Read a log; rows without a score (failed submissions) are counted and omitted.

    The arguments are those of `replay`. A time without a zone is read as UTC.

    >>> log = read_log({"time": ["2024-05-02", "2024-05-01 10:00"], "account": ["a", "b"],
    ...                 "score": [0.8, 0.7]})
    >>> log.account, log.score
    (('b', 'a'), array([0.7, 0.8]))
    """
    names = _columns(profile, columns, with_submissions)
    kept = [names[k] for k in ("time", "account", "submission") if names[k]]
    table = read_table(source, numbers=[names["score"]], keys=kept)
    score = table[names["score"]].astype(np.float64)
    scored = ~np.isnan(score)
    wrong = scored & ~((score >= 0) & (score <= 1))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(
            "an AUC lies in [0, 1]",
            where=f"column {names['score']!r}, {table.rows.name([row])}",
            value=float(score[row]),
            fix="name the column of the AUC, as a share and not in percent",
        )
    time = [
        _time(value, f"column {names['time']!r}, {table.rows.name([row])}")
        for row, value in enumerate(table[names["time"]])
    ]
    rows = sorted(np.flatnonzero(scored).tolist(), key=lambda r: (time[r], r))
    if not rows:
        raise InputError("no row has a score", where=table.source, fix="name the score's column")

    def texts(kind: str, otherwise: str) -> tuple[str, ...]:
        if not names[kind]:
            return (otherwise,) * len(rows)
        values = table[names[kind]]
        return tuple(str(values[r]) for r in rows)

    return Log(
        time=tuple(time[r] for r in rows),
        account=texts("account", "one account"),
        score=score[rows],
        submission=texts("submission", ""),
        unscored=len(score) - len(rows),
    )


def read_submissions(
    folder: str | os.PathLike[str], *, score: str = "score", key: str | None = None
) -> dict[str, NDArray[Any]]:
    """Return the score vectors in a folder, by file name without its extension.

    With ``key``, rows are sorted by that column, which must contain the same keys in every file.
    Without ``key``, all files must list the rows in the same order.
    """
    path = Path(folder)
    if not path.is_dir():
        raise InputError("there is no such folder", value=str(folder), fix="check the path")
    submissions: dict[str, NDArray[Any]] = {}
    keys: NDArray[Any] | None = None
    for file in sorted(p for p in path.iterdir() if p.is_file()):
        table = read_table(file, numbers=[score], keys=[] if key is None else [key])
        values = scores(table[score], name=f"column {score!r}", rows=table.rows)
        if key is not None:
            order = np.argsort(table[key], kind="stable")
            values, own = values[order], table[key][order]
            if keys is not None and not np.array_equal(keys, own):
                raise InputError("the keys differ from those in the earlier files", where=file.name)
            keys = own
        submissions[file.stem] = values
    return submissions


def _columns(
    profile: str, columns: Mapping[str, str] | None, with_submissions: bool
) -> dict[str, str]:
    if profile not in PROFILES:
        raise InputError(
            "this export is not known",
            where="profile",
            value=profile,
            fix=f"use one of {', '.join(PROFILES)}, or name the columns",
        )
    names = dict(PROFILES[profile])
    for kind, name in (columns or {}).items():
        if kind not in names:
            raise InputError(
                "a log has no such column",
                where="columns",
                value=kind,
                fix=f"use {', '.join(names)}",
            )
        names[kind] = name
    if not with_submissions:
        names["submission"] = ""
    elif not names["submission"]:
        raise InputError(
            "this export does not name the submissions",
            where="profile",
            value=profile,
            fix="name the column: columns={'submission': ...}",
        )
    return names


def _time(value: Any, where: str) -> datetime:
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[us]").item()
    moment = value if isinstance(value, datetime) else _read_time(str(value), where)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _read_time(text: str, where: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for form in _FORMATS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    raise InputError(
        "this is not a time", where=where, value=text, fix="write it like 2024-05-31 14:00:00"
    )

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from rocsolid import InputError
from rocsolid.leaks.submission_log import PROFILES, read_log, read_submissions

# the first lines of exports, as the hosts' own code writes their headers
EXPORTS = {
    "plain": "time,account,score,submission\n2024-05-01T12:00:00Z,ann,0.81,s1\n",
    "codabench": "Submission ID,File Name,Owner,Created When,Status,Phase,Score\n"
    "s1,a.zip,ann,2024-05-01T12:00:00.000000Z,Finished,Final,0.81\n"
    "s2,b.zip,bob,2024-05-01T13:00:00.000000Z,Failed,Final,\n",
    "evalai": "id,Team Name,Team Members,Challenge Phase,Status,Submitted At,Score\n"
    "s1,ann,a|b,Test,finished,05/01/2024 12:00:00,0.81\n",
    "kaggle-leaderboard": "TeamId,TeamName,SubmissionDate,Score\n1,ann,2024-05-01 12:00:00,0.81\n",
    "meta-kaggle": "Id,TeamId,SubmissionDate,PublicScoreLeaderboardDisplay,PublicScoreFullPrecision"
    "\ns1,ann,05/01/2024 12:00:00,0.8,0.81\n",
    "kaggle-submissions": "ref,fileName,date,description,status,publicScore,privateScore\n"
    "s1,submission.csv,2024-05-01 12:00:00.000000,first,SubmissionStatus.COMPLETE,0.81,\n",
}


@pytest.mark.parametrize("profile", list(PROFILES))
def test_each_export_is_read(profile: str, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(EXPORTS[profile])
    named = bool(PROFILES[profile]["submission"])
    log = read_log(path, profile=profile, with_submissions=named)
    assert log.time == (datetime(2024, 5, 1, 12, tzinfo=UTC),)
    assert log.account == (("one account",) if profile == "kaggle-submissions" else ("ann",))
    assert log.score.tolist() == [0.81]
    assert log.submission == (("s1",) if named else ("",))
    assert log.unscored == (1 if profile == "codabench" else 0)


def test_rows_are_put_in_order_of_time_and_zones_are_kept() -> None:
    log = read_log(
        {
            "when": ["2024-05-01 12:00", "2024-05-01T13:00+02:00", "2024-05-01"],
            "account": ["a", "b", "c"],
            "score": [0.5, 0.6, 0.7],
        },
        columns={"time": "when"},
    )
    assert log.account == ("c", "b", "a")
    dates = np.array(["2024-05-02", "2024-05-01"], dtype="datetime64[D]")
    assert read_log({"time": dates, "account": [1, 2], "score": [0, 1]}).account == ("2", "1")


def test_what_cannot_be_read_is_named() -> None:
    log = {"time": ["2024-05-01"], "account": ["a"], "score": [0.5]}
    with pytest.raises(InputError, match=r"this export is not known: 'codalab'.*use one of plain"):
        read_log(log, profile="codalab")
    with pytest.raises(InputError, match="a log has no such column: 'team'"):
        read_log(log, columns={"team": "account"})
    with pytest.raises(InputError, match=r"an AUC lies in \[0, 1\]: 81\.0"):
        read_log({**log, "score": [81]})
    with pytest.raises(InputError, match="this is not a time: 'yesterday'"):
        read_log({**log, "time": ["yesterday"]})
    with pytest.raises(InputError, match="no row has a score"):
        read_log({**log, "score": [float("nan")]})
    with pytest.raises(InputError, match="does not name the submissions"):
        read_log(log, profile="kaggle-leaderboard", with_submissions=True)


def test_score_vectors_come_from_a_folder_in_one_order(tmp_path: Path) -> None:
    (tmp_path / "s1.csv").write_text("id,score\nb,0.2\na,0.1\n")
    (tmp_path / "s2.csv").write_text("id,score\na,0.4\nb,0.3\n")
    found = read_submissions(tmp_path, key="id")
    assert {k: v.tolist() for k, v in found.items()} == {"s1": [0.1, 0.2], "s2": [0.4, 0.3]}
    assert read_submissions(tmp_path)["s1"].tolist() == [0.2, 0.1]
    (tmp_path / "s3.csv").write_text("id,score\na,0.4\nc,0.3\n")
    with pytest.raises(InputError, match="the keys differ from those in the earlier files"):
        read_submissions(tmp_path, key="id")
    with pytest.raises(InputError, match="there is no such folder"):
        read_submissions(tmp_path / "nowhere")

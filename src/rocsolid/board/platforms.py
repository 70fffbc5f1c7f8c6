"""Entry points for the scoring programs of three platforms."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.board.leaderboard import Leaderboard
from rocsolid.board.score_file import numbered, scores_of
from rocsolid.counts import counted
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import positives, read_table
from rocsolid.inputs.row_ids import row_ids
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import Binned, Defence, Exact, Past, Rounded, check_ranking, submission

_FORGETFUL = (Exact, Rounded, Binned)


def evalai(
    boards: Mapping[str, str | PathLike[str]], *, split: str = "test_split"
) -> Callable[..., dict[str, Any]]:
    """Return the function ``evaluate`` for a worker of EvalAI's remote evaluation.

    The worker runs on your own machine. ``boards`` maps the code name of each phase to a board. The
    team name is the platform's team number. In the challenge's ``evaluate.py``:

        from rocsolid.board import evalai
        evaluate = evalai({"test": "/srv/ecg.board"})
    """

    def evaluate(
        user_submission_file: str,
        phase_codename: str,
        test_annotation_file: str | None = None,  # noqa: ARG001 -- the labels are in the board
        **kwargs: Any,
    ) -> dict[str, Any]:
        if phase_codename not in boards:
            raise InputError("there is no board for this phase", value=phase_codename)
        team = kwargs["submission_metadata"]["participant_team"]
        with Leaderboard(boards[phase_codename]) as board:
            receipt = board.submit(str(team), user_submission_file)
        answer = {"AUC": float(Fraction(receipt.value))}
        return {"result": [{split: answer}], "submission_result": receipt.to_dict()}

    return evaluate


def codabench(
    *,
    label: str,
    id: str = "id",
    score: str = "score",
    defence: Defence,
    pos_label: Any = None,
    root: str | PathLike[str] = "/app",
) -> float:
    """Score a submission to a Codabench competition, and write the answer to the output folder.

    The program reads one file of labels in ``input/ref`` and one file of scores in ``input/res``,
    and writes ``output/scores.json`` and ``output/detailed_results.html``. Every submission gets a
    new container, so the defence must work without memory and noise: `Rounded` or `Binned`. There
    is no ledger, so limit the number of submissions on the platform.
    """
    _check_forgetful(defence, "Codabench")
    folder = Path(root)
    table = read_table(_only_file(folder / "input" / "ref"), labels=[label], keys=[id])
    positive = positives(table[label], pos_label=pos_label, name=f"column {label!r}")
    ids = row_ids(table[id], f"column {id!r}")
    file = _only_file(folder / "input" / "res")
    values = scores_of(file, numbered(ids), key=id, score=score)
    answer = _answer(positive, values, defence)
    output = folder / "output"
    output.mkdir(exist_ok=True)
    (output / "scores.json").write_text(json.dumps({"auc": answer}), encoding="utf-8")
    message = f"AUC {answer:g}, released by {defence!r} for {counted(len(ids), 'row')}."
    (output / "detailed_results.html").write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Score</title>'
        f"<p>{escape(message)}</p></html>\n",
        encoding="utf-8",
    )
    return answer


def hugging_face(
    params: Any, *, defence: Defence, label: str, download: Callable[..., str]
) -> dict[str, dict[str, float]]:
    """Compute the scores that ``metric.py`` returns in a Hugging Face competition.

    ``solution.csv`` has the columns ``params.submission_id_col``, ``label`` and ``split`` (public
    or private). A submission has its scores in the column ``label``. ``download`` returns the path
    of a file in the competition's data set. Nothing is stored between submissions, so the defence
    must work without memory and noise. The defence protects both splits because the platform stores
    the scores of both.

        from functools import partial
        from huggingface_hub import hf_hub_download
        from rocsolid.board import hugging_face
        from rocsolid.leaks.release import Rounded

        def compute(params):
            get = partial(hf_hub_download, repo_id=params.competition_id, token=params.token,
                          repo_type="dataset")
            return hugging_face(params, defence=Rounded(2), label="target", download=get)
    """
    _check_forgetful(defence, "a Hugging Face competition")
    key = params.submission_id_col
    solution = read_table(download(filename="solution.csv"), labels=[label], keys=[key, "split"])
    positive = positives(solution[label], name=f"column {label!r}")
    ids = row_ids(solution[key], f"column {key!r}")
    name = f"submissions/{params.team_id}-{params.submission_id}.csv"
    values = scores_of(download(filename=name), numbered(ids), key=key, score=label)
    answers = {}
    for split in ("public", "private"):
        rows = solution["split"].astype(str) == split
        answers[f"{split}_score"] = {"auc": _answer(positive[rows], values[rows], defence)}
    return answers


def _check_forgetful(defence: Defence, platform: str) -> None:
    if not isinstance(defence, _FORGETFUL):
        raise UnsoundError(
            f"this defence uses earlier answers or noise, and {platform} stores nothing between "
            "submissions",
            where="defence",
            value=repr(defence),
            fix="use Rounded or Binned, or run a board on your own machine",
        )


def _answer(positive: NDArray[np.bool_], values: NDArray[Any], defence: Defence) -> float:
    doubled = doubled_ranks(values)
    check_ranking(doubled)
    return float(defence.answer(submission(positive, doubled), Past()).value)


def _only_file(folder: Path) -> Path:
    files = [
        file
        for file in sorted(folder.iterdir())
        if file.is_file() and file.name != "metadata" and not file.name.startswith(".")
    ]
    if len(files) != 1:
        raise InputError(
            f"{len(files)} files instead of one",
            where=str(folder),
            fix="put one table in this folder, such as scores.csv",
        )
    return files[0]

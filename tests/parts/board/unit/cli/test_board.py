from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from rocsolid.board import Leaderboard
from rocsolid.cli.app import app, run


@pytest.fixture(autouse=True)
def contest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(6)
    ill = np.arange(90) % 3 == 0
    words = np.where(ill, "yes", "no")
    Path("labels.csv").write_text(
        "id,ill,word\n" + "".join(f"r{i},{int(ill[i])},{words[i]}\n" for i in range(90))
    )
    for name, skill in (("scores", 2.0), ("other", 0.5)):
        values = rng.normal(size=90) + skill * ill
        Path(f"{name}.csv").write_text(
            "id,score\n" + "".join(f"r{i},{values[i]}\n" for i in rng.permutation(90))
        )
    assert run(shlex.split("board init ecg.board labels.csv --label ill --id id")) == 0
    assert run(shlex.split("board submit ecg.board scores.csv --team ann --out ann-1.json")) == 0
    assert run(shlex.split("board export ecg.board --out record.json")) == 0


def out(capsys: pytest.CaptureFixture[str], command: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(["board", *shlex.split(command)]) == code
    return " ".join(capsys.readouterr().out.split())


def test_a_contest_from_the_first_to_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "submit ecg.board other.csv --team bob").startswith("bob: 0.")
    shown = out(capsys, "standings ecg.board")
    assert "2 answers by Ladder('0.1') on 30 positives and 60 negatives" in shown
    assert shown.index("ann") < shown.index("bob")
    assert out(capsys, "verify record.json --receipt ann-1.json").endswith(
        "1 could not be checked."
    )
    out(capsys, "export ecg.board --out all.json --reveal")
    commitment = json.loads(Path("record.json").read_text())["commitment"]
    words = f"verify all.json --receipt ann-1.json --commitment {commitment}"
    assert out(capsys, words).endswith("the record holds: 7 checks passed.")
    assert "NO" in out(capsys, f"verify all.json --commitment {'0' * 64}", 1)
    assert json.loads(out(capsys, "verify all.json --json"))["holds"] is True
    out(capsys, "submit ecg.board other.csv --team cid", 2)
    assert "2 releases to 2 accounts" in out(capsys, "replay ecg.board")
    assert json.loads(out(capsys, "replay ecg.board --json"))["submissions_seen"] is True


@pytest.mark.parametrize("public", ["0.4", "part"])
def test_a_split_has_final_standings(capsys: pytest.CaptureFixture[str], public: str) -> None:
    lines = Path("labels.csv").read_text().splitlines()
    parts = ["part", *(("public", "private")[i % 5 > 1] for i in range(90))]
    both = "\n".join(f"{line},{part}" for line, part in zip(lines, parts, strict=True))
    Path("split.csv").write_text(both)
    made = (
        f"init two.board split.csv --label ill --id id --public-rows {public} --defence Rounded(3)"
    )
    assert "two.board: 36 rows, 54 more for the end, Rounded(3)." in out(capsys, made)
    for name in ("scores", "other"):
        out(capsys, f"submit two.board {name}.csv --team ann")
    listed = out(capsys, "choose two.board --team ann")
    assert listed.count("the AUC of this file, rounded to 3 decimals") == 2
    assert "yes" not in listed
    chosen = out(capsys, "choose two.board --team ann --answer 2")
    assert chosen.startswith("ann: answer 2 counts.")
    assert chosen.endswith("the AUC of this file, rounded to 3 decimals yes")
    out(capsys, "choose two.board --team ann --answer 3", 2)
    assert "Final" not in out(capsys, "standings two.board")
    assert out(capsys, "export two.board --out hidden.json") == "Record: hidden.json, 2 answers."
    assert out(capsys, "export two.board --out all.json --reveal") == (
        "Record: all.json, 2 answers. "
        "The record reveals 90 labels, the key and every ranking. "
        "The board is closed permanently."
    )
    shown = " ".join(out(capsys, "standings two.board").split())
    assert "on 54 private rows of each team's chosen answer, or else its best:" in shown
    said = out(capsys, "verify all.json")
    assert "yes: the final standings are those of the private rows (54 private rows)" in said
    schema = json.loads(out(capsys, "standings two.board --json"))
    assert schema["final"][0]["team"] == "ann"


def test_a_contest_is_closed_and_won_without_its_labels(capsys: pytest.CaptureFixture[str]) -> None:
    out(capsys, "init two.board labels.csv --label ill --id id --public-rows 0.4")
    for team, name in (("ann", "scores"), ("bob", "other")):
        out(capsys, f"submit two.board {name}.csv --team {team}")
    assert run(shlex.split("board standings two.board --final")) == 2
    assert "the contest is not over" in " ".join(capsys.readouterr().err.split())
    closed = out(capsys, "close two.board")
    assert "by the AUC on 54 private rows of each team's chosen answer" in closed
    assert "or else its best: ann wins with 0." in closed
    assert "They reveal at most 13.3 bits about the private labels." in closed
    for command in ("standings two.board --final", "standings two.board"):
        assert closed in out(capsys, command)
    out(capsys, "submit two.board scores.csv --team cid", 2)
    out(capsys, "choose two.board --team ann --answer 1", 2)
    out(capsys, "export two.board --out record.json")
    assert json.loads(Path("record.json").read_text())["revealed"] is None
    facts = json.loads(out(capsys, "standings two.board --json"))
    assert (facts["closed"], facts["labels_revealed"], len(facts["final"])) == (True, False, 2)
    out(capsys, "close ecg.board")
    final = out(capsys, "standings ecg.board --final")
    assert final.startswith("All rows were answered, so these standings are the final ones.")
    assert "ann" in final


@pytest.mark.parametrize("defence", ["Rounded(2)", "Gaussian(0.01)", None])
def test_what_is_shown_is_what_the_schema_says(
    capsys: pytest.CaptureFixture[str], defence: str | None
) -> None:
    named = "" if defence is None else f'--defence "{defence}" --rho 1 --most-bits 100'
    made = out(
        capsys, f"init two.board labels.csv --label word --pos-label yes --id id {named} --json"
    )
    out(capsys, "submit two.board scores.csv --team ann")
    capsys.readouterr()
    assert run(["schema", "board"]) == 0
    schema = json.loads(capsys.readouterr().out)
    for text in (made, out(capsys, "standings two.board --json")):
        found: dict[str, Any] = json.loads(text)
        jsonschema.validate(found, schema, jsonschema.Draft202012Validator)
        assert found.keys() == schema["properties"].keys()
        for one in found["standings"]:
            assert one.keys() == schema["$defs"]["standing"]["properties"].keys()
    with Leaderboard("two.board") as board:
        assert (board.to_dict()["n_pos"], board.to_dict()["n_neg"]) == (30, 60)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("init ecg.board labels.csv --label ill --id id", "already exists"),
        ("init b labels.csv --label il --id id", "the nearest name"),
        ("init b labels.csv --label ill --id id --defence Nothing()", "not a defence of a board"),
        ("submit none.board scores.csv --team ann", "no such ledger"),
        ("submit ecg.board labels.csv --team ann", "no column 'score'"),
        ("token ecg.board", "give --team or --host"),
        ("token ecg.board --team ann --host", "give --team or --host"),
        ("token ecg.board --team ''", "1 to 100 characters"),
        ("token ecg.board --team ' '", "1 to 100 characters"),
        ("token ecg.board --team 'ann '", "Fix: write 'ann'."),
        ("token ecg.board --team Ann", "looks like the name of the team 'ann'"),
        ("token ecg.board --team 'ᴀn ⲛ'", "looks like the name of the team 'ann'"),
        ("submit ecg.board scores.csv --team ''", "1 to 100 characters"),
        ("choose ecg.board --team '' --answer 1", "no answer with this number"),
        ("verify ecg.board", "not JSON"),
        ("verify ann-1.json", "not the record of a board"),
    ],
)
def test_bad_requests_end_with_2(
    command: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(["board", *shlex.split(command)]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


VERBS = ["init", "submit", "standings", "close", "export", "verify", "replay", "token"]


@pytest.mark.parametrize("verb", VERBS)
def test_the_example_of_the_help_runs(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    app(["board", verb, "--help"], result_action="return_value")
    text = " ".join(capsys.readouterr().out.split())
    example = shlex.split(text.split("Example: rocsolid ")[1].split(" ╭")[0])
    assert example[:2] == ["board", verb]
    if verb == "init":
        Path("ecg.board").unlink()
    assert run(example) == 0

from __future__ import annotations

import importlib.util
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from contest import labels
from starlette.testclient import TestClient

from rocsolid import InputError
from rocsolid.board import Leaderboard
from rocsolid.board.serve.app import application
from rocsolid.board.serve.settings import ServerSettings
from rocsolid.cli.app import app, run


def read(tmp_path: Path, text: str) -> ServerSettings:
    path = tmp_path / "board.toml"
    path.write_text(text)
    return ServerSettings.read(path)


def test_what_is_not_said_has_a_default(tmp_path: Path) -> None:
    found = read(tmp_path, 'title = "A"\nboard = "a.board"\n')
    assert found == ServerSettings(title="A", board=str(tmp_path / "a.board"))
    assert (found.host, found.port, found.teams) == ("127.0.0.1", 8000, None)
    text = """
        title = "A"
        board = "postgresql:///ecg"
        teams = ["ann", "bob"]
        [limits]
        upload_bytes = 5
        uploads_per_minute = 6
        [listen]
        host = "0.0.0.0"
        port = 80
    """
    assert read(tmp_path, text) == ServerSettings(
        title="A",
        board="postgresql:///ecg",
        teams=("ann", "bob"),
        upload_bytes=5,
        uploads_per_minute=6,
        host="0.0.0.0",
        port=80,
    )


def test_the_file_on_the_page_is_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[5] / "docs" / "host.md").read_text("utf-8")
    found = read(tmp_path, page.split("```toml\n")[1].split("```")[0])
    least = ServerSettings(
        title=found.title,
        board=found.board,
        teams=("ann", "bob"),
        deadline=datetime(2027, 3, 1, 12, tzinfo=UTC),
        about="Find the ill.",
    )
    assert found == least  # what it says beyond these are the defaults
    Leaderboard.create(found.board, labels(20), label="ill", id="id").close()
    with TestClient(application(found)) as client:
        assert "Find the ill." in client.get("/").text


def test_the_least_file_of_the_help_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app(["serve", "--help"], result_action="return_value")
    text = " ".join(capsys.readouterr().out.split())
    lines = re.findall(r'(?:title|board) = "[^"]*"', text)
    found = read(tmp_path, "\n".join(lines))
    assert found == ServerSettings(title="ECG challenge", board=str(tmp_path / "ecg.board"))
    Leaderboard.create(found.board, labels(20), label="ill", id="id").close()
    with TestClient(application(found)) as client:
        assert client.get("/health").json() == {"status": "ok"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = A", "line 1"),
        ('title = "A"', "a setting is missing (board)"),
        ('title = "A"\nboard = "b"\ntaems = []', "did you mean teams"),
        ('title = "A"\nboard = "b"\nteams = "ann"', "a list of names: 'ann' (teams)"),
        ('title = "A"\nboard = "b"\nteams = ["ann", ""]', "the name of a team"),
        ('title = ""\nboard = "b"', "(title)"),
        ('title = "A"\nboard = "b"\nabout = 3', "is a text: 3 (about)"),
        ('title = "A"\nboard = "b"\ndeadline = "soon"', "a time with a time zone: 'soon'"),
        ('title = "A"\nboard = "b"\ndeadline = 2027-03-01T12:00:00', "a time with a time zone"),
        ('title = "A"\nboard = 3', "is a text: 3 (board)"),
        ('title = "A"\nboard = "b"\nlimits = 3', "([limits])"),
        ('title = "A"\nboard = "b"\n[limits]\nupload = 3', "did you mean upload_bytes"),
        ('title = "A"\nboard = "b"\n[limits]\nupload_bytes = 0', "0 ([limits] upload_bytes)"),
        ('title = "A"\nboard = "b"\n[listen]\nport = true', "True ([listen] port)"),
        ('title = "A"\nboard = "b"\n[listen]\nport = 70000', "from 1 to 65,535"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("no.board", "there is no such ledger"),
        ("postgresql://host:hush@127.0.0.1:1/ecg", "127.0.0.1:1/ecg"),
    ],
)
def test_a_server_without_its_board_says_so_once(
    tmp_path: Path, board: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.toml"
    path.write_text(f'title = "A"\nboard = "{board}"\n')
    assert run(["serve", str(path)]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert "Traceback" not in shown
    assert "hush" not in shown


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert run(["serve", "board.toml"]) == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert "which are not installed" in shown
    assert "'uvicorn>=" in shown


@pytest.mark.slow
def test_the_command_line_takes_an_address(
    postgresql: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"r{i},{i % 2},{i * 7 % 20}\n" for i in range(20))
    table = tmp_path / "t.csv"
    table.write_text(f"id,ill,score\n{rows}")
    for words in (
        ["init", postgresql, str(table), "--label", "ill", "--id", "id"],
        ["submit", postgresql, str(table), "--team", "ann"],
        ["standings", postgresql],
        ["export", postgresql, "--out", str(tmp_path / "r.json"), "--reveal"],
        ["verify", str(tmp_path / "r.json")],
    ):
        assert run(["board", *words]) == 0
    assert "the record holds" in capsys.readouterr().out

"""Advice about boards that can be followed where it is read."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from rocsolid import InputError
from rocsolid.board.score_file import numbered, scores_of
from rocsolid.cli.app import run


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.toml").write_text('title = "A"\nboard = "none.board"\n')


def test_a_server_without_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "board.toml"]) == 2
    assert "`rocsolid board init` makes a board" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("wrong", ["taken", "--port 99999", "--host no.such.host.invalid"])
def test_a_server_that_cannot_listen_says_so_first(
    wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("uvicorn")
    Path("labels.csv").write_text("id,y\n" + "".join(f"{i},{i % 2}\n" for i in range(8)))
    assert run(["board", "init", "none.board", "labels.csv", "--label", "y", "--id", "id"]) == 0
    capsys.readouterr()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        wrong = f"--port {other.getsockname()[1]}" if wrong == "taken" else wrong
        assert run(["serve", "board.toml", *wrong.split()]) == 2
    out, err = capsys.readouterr()
    assert "http://" not in out + err
    assert "no server can listen there" in err


def test_a_submission() -> None:
    ids = ["a", "b"]
    for source, said in (
        ({"id": ids, "risk": [1, 2]}, "name the two columns 'id' and 'score'"),
        ({"id": ids, "score": [1.0, float("nan")]}, "give each row a score"),
        ({"id": ["a", "x" * 2 * 10**6], "score": [1, 2]}, "unknown rows: 'xxx"),
    ):
        with pytest.raises(InputError) as caught:
            scores_of(source, numbered(ids), key="id", score="score")
        assert said in str(caught.value)
        assert "omit" not in str(caught.value)
        assert len(str(caught.value)) < 1000

"""Bars beside a table: each at its place on a common axis, and only where there is room."""

from __future__ import annotations

import math
from typing import Any

import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.cli.output import with_bars
from rocsolid.report.text import Bar, Cells

CELLS = Cells("", ("score", "value"), (("a", "0.5"), ("b", "0.9")))


@pytest.mark.parametrize("width", [20, 31, 48])
def test_every_sign_is_at_its_place(width: int) -> None:
    bars = [Bar(0.5, (0.4, 0.6), (0.2, 0.8)), Bar(0.9, (0.85, 0.95))]
    room = width + len("score") + len("value") + 2 * 2
    found = with_bars(CELLS, bars, room, mark=0.7)
    assert found.heads[:2] == CELLS.heads
    head, (first, second) = found.heads[2], (row[2] for row in found.rows)
    assert {len(head), len(first), len(second)} == {width}
    assert (head[:4], head[-4:]) == ("0.20", "0.95")
    inside = width - 3

    def at(value: float) -> int:
        return 1 + round((value - 0.2) / 0.75 * inside)

    assert (first[0], first[-1]) == ("|", "|")
    assert first[at(0.5)] == second[at(0.9)] == "o"
    assert set(first[at(0.2) : at(0.4)]) == set(first[at(0.6) + 1 : at(0.8) + 1]) == {"-"}
    assert set(first[at(0.4) : at(0.6) + 1]) == {"=", "o"}
    assert set(first[at(0.8) + 1 : -1]) <= {" "}
    assert second[at(0.7)] == ":"
    assert "-" not in second
    assert ("certified" in head) == (width >= 44)


def test_there_are_none_without_room_or_anything_to_compare() -> None:
    bars = [Bar(0.5, (0.4, 0.6)), Bar(0.85, (0.8, 0.9))]
    assert with_bars(CELLS, bars, 34 - 1) is CELLS
    assert with_bars(CELLS, bars, 34) is not CELLS
    one = Cells("", CELLS.heads, CELLS.rows[:1])
    assert with_bars(one, bars[:1], 200) is one
    assert with_bars(CELLS, [Bar(0.5, (0.5, 0.5))] * 2, 200) is CELLS
    assert with_bars(CELLS, [Bar(math.nan, (math.nan, math.nan))] * 2, 200) is CELLS


def test_a_wide_terminal_shows_them(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.csv"
    table.write_text(
        "y,a,b\n" + "".join(f"{i % 2},{i % 7 + 3 * (i % 2)},{i % 5}\n" for i in range(90))
    )
    for verb in ("evaluate", "compare"):
        for columns in ("80", "140"):
            monkeypatch.setenv("COLUMNS", columns)
            assert run([verb, str(table), "--label", "y", "--score", "a", "--score", "b",
                        "--more"]) == 0  # fmt: skip
            out = capsys.readouterr().out
            assert out.startswith("a has the highest AUC: 0."), out
            drawn = 0 if columns == "80" else 2  # values, differences
            assert out.count("o value, = interval, - certified") == drawn
            assert not (verb == "compare" and columns == "140") or ":" in out.split("p adj.")[1]
            lines = [line for line in out.splitlines() if line.endswith("|")]
            assert len(lines) == (0, 2, 3)[drawn]
            assert all(line.count("o") >= 1 and "=" in line for line in lines)


def test_the_answer_comes_first(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t.csv"
    table.write_text("y,a\n" + "".join(f"{i % 2},{i % 7 + 3 * (i % 2)}\n" for i in range(90)))
    run(["evaluate", str(table), "--label", "y", "--score", "a"])
    auc = rs.auc([i % 2 for i in range(90)], [i % 7 + 3 * (i % 2) for i in range(90)])
    first = capsys.readouterr().out.split("\n\n")[0]
    assert first == (
        f"a: AUC {auc.value:.4f} (95 % interval {auc.low:.4f} – {auc.high:.4f}). It ranks better "
        "than chance."
    )

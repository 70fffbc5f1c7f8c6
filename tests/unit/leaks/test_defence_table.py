"""The table of defences of the benchmarks, recomputed."""

from __future__ import annotations

import functools
import random
from pathlib import Path

import numpy as np
import pytest

from rocsolid.leaks import release
from rocsolid.leaks.release import budget, ladder, thresholdout
from rocsolid.leaks.release.defence import discrete_gaussian, discrete_laplace
from rocsolid.leaks.simulate import simulate

LABELS = np.arange(60) % 3 == 0
PAGE = Path(__file__).parents[3] / "benchmarks" / "board.md"


def rows() -> list[tuple[str, int, int, str]]:
    """Defence, labels right after 80 and after 300 releases, and the attack."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| defence |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        defence, _, _, few, many, attack = (cell.strip() for cell in line.strip("|").split("|"))
        found.append((defence.strip("`"), int(few), int(many), attack))
    return found


@pytest.fixture(autouse=True)
def seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Noise that comes from the operating system otherwise."""
    bits, rng = random.Random(1).getrandbits, np.random.default_rng(1)
    for module in (budget, ladder, thresholdout):
        monkeypatch.setattr(
            module, "discrete_laplace", functools.partial(discrete_laplace, randbits=bits)
        )
    monkeypatch.setattr(
        budget, "discrete_gaussian", functools.partial(discrete_gaussian, randbits=bits)
    )
    monkeypatch.setattr(ladder, "_generator", lambda: rng)


@pytest.mark.parametrize(("text", "few", "many", "attack"), rows())
def test_a_row_of_the_table(text: str, few: int, many: int, attack: str) -> None:
    defence = eval(text, vars(release).copy())  # our own page
    after = [simulate(LABELS, defence=defence, queries=queries).worst for queries in (80, 300)]
    # another linear algebra can turn a guess near a tie
    assert abs(after[0].guessed_right - few) <= 2
    assert abs(after[1].guessed_right - many) <= 2
    assert attack in (after[1].name, "none")
    assert (attack == "none") == (many <= 40)


def test_every_defence_is_in_the_table() -> None:
    named = {text.split("(")[0] for text, *_ in rows()}
    defences = {
        name
        for name, kind in vars(release).items()
        if isinstance(kind, type) and hasattr(kind, "answer") and name not in ("Defence", "Placed")
    }
    assert named == defences

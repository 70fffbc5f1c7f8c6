"""``--card FILE``."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from rocsolid.cli.app import run

ROWS = "y,a,b,site\n" + "".join(
    f"{i % 2},{i % 2 + i % 7},{i % 5},{'n' if i < 40 else 's'}\n" for i in range(80)
)


@pytest.fixture(name="scores")
def _scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text(ROWS)
    Path("policy.toml").write_text(
        'label = "y"\n[[rule]]\nscore = "a"\nmeasure = "auc"\nat_least = 0.3\n'
    )
    return "s.csv --label y --score a"


@pytest.mark.parametrize(
    "command",
    [
        "evaluate {}", "evaluate {} --fold site", "compare {} --score b", "compare {} --by site",
        "curve {}", "certify {}", "watch {} --state w.json", "gate policy.toml s.csv",
        "concordance s.csv --outcome y --score a",
    ],
)  # fmt: skip
def test_a_verb_writes_its_card(
    command: str, scores: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command.format(scores).split(), "--card", "c.svg"]) in (0, 3)
    assert "Card: c.svg\n" in capsys.readouterr().out
    assert ElementTree.parse("c.svg").getroot().get("width") == "1200"


def test_a_public_card_is_made_of_the_published_numbers(
    scores: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = f"evaluate {scores} --public --max-exposed 80 --max-posterior 1 --card c.svg"
    assert run(command.split()) == 0
    assert "Card: c.svg\n" in capsys.readouterr().out
    assert ", rounded." in Path("c.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("card", "words"),
    [("c.pdf", "a card must be an SVG or PNG file"), ("s.csv.svg", ""), ("page.svg", "overwrite")],
)
def test_what_is_no_card_is_refused_before_the_work(
    card: str, words: str, scores: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = run([*f"evaluate {scores} --html page.svg --card".split(), card])
    assert status == (2 if words else 0)
    assert words in capsys.readouterr().err
    assert Path(card).exists() is not bool(words)

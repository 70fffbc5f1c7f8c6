"""What a refused command advises can be typed as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rocsolid.cli.app import as_options, run


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ([], "Fix: name the positive label, such as --pos-label yes."),
        (["--pos-label", "Yes"], "Fix: use one that occurs, such as --pos-label yes."),
        (["--pos-label", "yes"], "leave these rows out with --nan omit."),
        (
            ["--pos-label", "yes", "--nan", "omit", "--cluster", "id", "--interval", "hinge"],
            "use --interval one of",
        ),
        (["--labl", "ill"], "See rocsolid evaluate --help."),
    ],
)
def test_advice_is_in_options(
    words: list[str], advice: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,ill,risk\n1,yes,0.5\n2,no,\n3,no,0.25\n")
    label = [] if "--labl" in words else ["--label", "ill"]
    assert run(["evaluate", str(path), *label, "--score", "risk", *words]) == 2
    assert advice in capsys.readouterr().err


@pytest.mark.parametrize(
    ("advice", "typed"),
    [
        ("say lower_is_better=True.", "say --lower-is-better."),
        (
            "say pos_label='very good', or pos_label=2.",
            "say --pos-label 'very good', or --pos-label 2.",
        ),
        ("name it with pos_label=...; all others", "name it with --pos-label ...; all others"),
        ("give sizes=3, or lower_is_better=False", "give sizes=3, or lower_is_better=False"),
    ],
)
def test_only_what_the_command_has_is_said_anew(advice: str, typed: str) -> None:
    assert as_options(advice, ["--pos-label", "--lower-is-better"]) == typed


KEYWORD = re.compile(r"\b[a-z]+(?:_[a-z]+)*=(?:['\"]|True|False|None)")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--cluster", "patient"],
        ["--fold", "fold"],
        ["--within", "fold"],
        ["--lower-is-better", "--interval", "bootstrap-percentile"],
    ],
)
def test_no_line_shows_python(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A warning that advises an option names it in words, on the page too."""
    rows = [(i % 2, i * 37 % 61 + 9 * (i % 2), i * 23 % 59, i % 3, i // 5) for i in range(90)]
    path, page = tmp_path / "a.csv", tmp_path / "a.html"
    lines = ["ill,risk,lab,fold,patient", *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines))
    scores = ["--label", "ill", "--score", "risk", "--score", "lab"]
    assert run(["evaluate", str(path), *scores, *words, "--more", "--html", str(page)]) == 0
    read = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", page.read_text("utf-8"), flags=re.DOTALL)
    for text in (capsys.readouterr().out, read.replace("&quot;", '"')):
        assert not KEYWORD.search(text), KEYWORD.search(text)

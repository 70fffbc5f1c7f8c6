"""``rocsolid evaluate --public``: every output is rounded, or refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from rocsolid.cli.app import run as run_app


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    """So few rows that no labelings are drawn for their page."""
    return table(tmp_path, 90)


def table(folder: Path, rows: int) -> Path:
    rng = np.random.default_rng(3)
    lines = ["ill,risk,lab"]
    for i in range(rows):
        y = i % 3 == 0
        lines.append(f"{int(y)},{rng.normal() + y:.6f},{rng.normal() + y:.6f}")
    file = folder / "scores.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def run(capsys: pytest.CaptureFixture[str], scores: Path, *more: str) -> tuple[int, str, str]:
    code = run_app(["evaluate", str(scores), "--label", "ill", "--score", "risk", *more])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_terminal_shows_rounded_numbers_and_the_kind(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, _ = run(capsys, table(tmp_path, 150), "--public")
    assert code == 0
    assert "Public report: rounded to 2 decimals" in " ".join(out.split())
    result, verdict = out.split("Public report")
    assert not re.search(r"0\.\d{3}", result)
    assert "The likeliest label has a probability of 0.9" in " ".join(verdict.split())


def test_json_and_page_are_of_the_same_rounded_numbers(
    capsys: pytest.CaptureFixture[str], scores: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    code, out, _ = run(capsys, scores, "--public", "--json", "--html", str(page))
    assert code == 0
    found = json.loads(out)
    assert found["public"] is True
    html = page.read_text(encoding="utf-8")
    assert f"{found['results'][0]['value']:.2f}" in html
    assert "Public report:" in html
    assert str(tmp_path) not in html
    assert str(tmp_path) not in out


@pytest.mark.parametrize("option", [["--plot", "x.png"], ["--qid", "lab"]])
def test_what_has_no_public_form_is_refused(
    capsys: pytest.CaptureFixture[str], scores: Path, option: list[str]
) -> None:
    code, out, err = run(capsys, scores, "--public", *option)
    assert code == 2
    assert out == ""
    assert f"{option[0]} has no public form" in err
    assert "leave" in err


@pytest.mark.parametrize(
    "words",
    ["runs qrels.txt a.run", "compare t.csv --label y --score s", "gate p.toml t.csv",
     "curve t.csv --label y --score s", "certify t.csv --label y --score s"],
)  # fmt: skip
def test_a_verb_without_a_public_form_names_the_verb_that_has_one(
    capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert run_app([*words.split(), "--public"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"rocsolid {words.split()[0]} has no public form" in said
    assert "rocsolid evaluate TABLE --label COLUMN --score COLUMN --public" in said


def test_the_limit_of_likely_labels_is_an_option(
    capsys: pytest.CaptureFixture[str], scores: Path
) -> None:
    code, out, err = run(capsys, scores, "--public", "--max-posterior", "0.7")
    assert (code, out) == (1, "")
    assert "none likelier than 0.7" in err
    assert "--max-posterior" in err
    code, out, err = run(capsys, scores, "--public", "--max-posterior", "0.4")
    assert (code, out) == (2, "")
    assert "above one half" in err
    code, out, err = run(capsys, scores, "--max-posterior", "0.9")
    assert (code, out) == (2, "")
    assert "add --public" in err


def test_a_refused_run_says_which_files_are_from_before(
    capsys: pytest.CaptureFixture[str], scores: Path, tmp_path: Path
) -> None:
    """Before: the old page stood there, and nothing said that it was not the new one."""
    page, card = tmp_path / "page.html", tmp_path / "card.svg"
    page.write_text("an older page", encoding="utf-8")
    forms = ["--public", "--html", str(page), f"--card={card}"]
    code, out, err = run(capsys, scores, *forms, "--max-posterior", "0.7")
    assert (code, out) == (1, "")
    assert page.read_text(encoding="utf-8") == "an older page"
    said = "".join(err.split())
    assert f"{page}isfromanearlierrun:thisonedidnotwriteit" in said
    assert str(card) not in said
    assert not card.exists()
    code, _, err = run(capsys, scores, *forms)
    assert (code, err) == (0, "")
    assert "Public report" in page.read_text(encoding="utf-8")


@pytest.fixture
def named(tmp_path: Path) -> Path:
    scores = table(tmp_path, 45)
    first, *rows = scores.read_text(encoding="utf-8").splitlines()
    lines = [f"id,{first}", *(f"p{number},{row}" for number, row in enumerate(rows))]
    scores.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return scores


@pytest.mark.slow
def test_a_ledger_takes_json_pages_and_lists_as_publications_of_the_same_rows(
    capsys: pytest.CaptureFixture[str], named: Path, tmp_path: Path
) -> None:
    ledger = tmp_path / "pages.ledger"
    options = ["--ledger", str(ledger), "--id", "id"]
    code, _, err = run(capsys, named, "--public", *options)
    assert code == 2
    assert "an empty file starts a ledger" in err
    ledger.touch()
    code, out, _ = run(capsys, named, "--public", *options, "--json")
    assert code == 0
    assert "earlier publication" not in json.loads(out)["audit"]["verdict"]
    first = ledger.read_bytes()
    code, out, _ = run(capsys, named, "--public", *options)
    assert code == 0
    assert ledger.read_bytes() == first  # the same numbers again
    listing = ["publish", str(named), "--label", "ill", "--score", "lab", *options]
    assert run_app([*listing, "--max-posterior", "1"]) == 0
    assert ledger.read_bytes() == first  # a private list
    out = capsys.readouterr().out
    assert "best" in out
    assert run_app([*listing, "--max-posterior", "1", "--choose", "1"]) == 0
    out = capsys.readouterr().out
    assert "Together with an earlier publication" in " ".join(out.split())
    assert ledger.read_bytes() != first


def test_a_page_without_one_row_is_refused(
    capsys: pytest.CaptureFixture[str], named: Path, tmp_path: Path
) -> None:
    ledger, page = tmp_path / "pages.ledger", tmp_path / "page.html"
    ledger.touch()
    options = ["--public", "--ledger", str(ledger), "--id", "id", "--max-posterior", "1"]
    assert run(capsys, named, *options)[0] == 0
    lines = named.read_text(encoding="utf-8").splitlines()
    named.write_text("\n".join([lines[0], *lines[2:]]) + "\n", encoding="utf-8")
    code, out, err = run(capsys, named, *options, "--html", str(page))
    assert (code, out) == (1, "")
    assert not page.exists()
    assert "1 of 45 labels could be certain" in err
    named.write_text("\n".join([lines[0], *map(str.upper, lines[1:])]) + "\n", encoding="utf-8")
    code, _, err = run(capsys, named, *options)
    assert code == 2
    assert "an earlier publication in the ledger has this name as 'p0': 'P0'" in err


def test_a_ledger_is_for_public_output_of_a_file(
    capsys: pytest.CaptureFixture[str], named: Path, tmp_path: Path
) -> None:
    ledger = tmp_path / "pages.ledger"
    ledger.touch()
    code, _, err = run(capsys, named, "--ledger", str(ledger), "--id", "id")
    assert code == 2
    assert "--public" in err
    code, _, err = run(capsys, named, "--public", "--ledger", str(ledger))
    assert code == 2
    assert "needs the names of the rows" in err
    options = ["--public", "--ledger", str(ledger), "--id"]
    code, _, err = run(capsys, named, *options, "idd")
    assert code == 2
    assert "'idd'" in err

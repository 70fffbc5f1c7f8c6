from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from rocsolid.cli.app import run
from rocsolid.errors import RocsolidError
from site_links import Links, broken_links


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tour") / "new" / "site"
    assert run(["study", "all", "--quick", "--out", str(folder)]) == 0
    return folder


@pytest.mark.slow
def test_every_link_leads_somewhere_and_none_outside(site: Path) -> None:
    assert broken_links(site) == []
    targets = {t for page in site.rglob("*.html") for t in Links(page.read_text("utf-8")).targets}
    assert not [target for target in targets if ":" in target or target.startswith("/")]
    assert {"bounds/bounds.html#figure-1", "../index.html", "../ranks/ranks.html"} <= targets


def test_the_folder_has_pages_tables_and_json(site: Path) -> None:
    assert {entry.name for entry in site.iterdir()} == {
        *("index.html", "index.json", "bounds", "pauc", "ndcg", "labelings", "ranks", "learn")
    }
    for name in ("bounds", "labelings", "ranks"):
        assert (site / name / f"{name}.json").is_file()
    assert (site / "labelings" / "section_6.csv").read_text("utf-8").startswith("n,n_pos,")


def test_published_numbers_come_out_but_for_the_conjecture(site: Path) -> None:
    items = json.loads((site / "index.json").read_text("utf-8"))["items"]
    made = {(item["document"], item["name"]): item["agrees"] for item in items}
    different = [key for key, agrees in made.items() if agrees is False]
    assert different == [("Whitehill 2019", "Section 6, conjecture")]
    assert [key for key, agrees in made.items() if agrees is None] == [
        ("Wang et al. 2013", f"Figure {i}, real lists") for i in range(1, 5)
    ]


def test_every_page_says_how_to_make_it_and_where_it_is(site: Path) -> None:
    text = (site / "pauc" / "pauc.html").read_text("utf-8")
    assert "rocsolid study pauc --quick --out pauc" in text
    assert '<a href="../pauc/pauc.html" aria-current="page">Partial areas</a>' in text


def test_a_failure_is_said_and_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise RocsolidError("it went wrong")

    for name in ("bounds", "pauc", "ndcg", "labelings", "learn"):
        monkeypatch.setattr(importlib.import_module("rocsolid.theory.study.tour.tour"), name, fail)
    monkeypatch.chdir(tmp_path)
    assert run(["study", "all", "--quick"]) == 1
    out = capsys.readouterr().out
    assert "failed: pauc: it went wrong." in out
    assert str(Path("tour") / "index.html") in out
    assert broken_links(tmp_path / "tour") == []
    assert run(["study", "all", "--quick", "--json"]) == 1
    assert set(json.loads(capsys.readouterr().out)["failed"]) == {
        *("bounds", "pauc", "ndcg", "labelings", "learn")
    }


def test_what_cannot_be_used_ends_with_2_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "site")]
    assert run(["study", "all", "--letor", str(tmp_path / "none"), *out]) == 2
    assert "does not exist" in capsys.readouterr().err
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert run(["study", "all", "--quick", "--out", str(tmp_path / "file")]) == 2
    assert "the folder cannot be created" in capsys.readouterr().err


def test_the_two_new_studies_print_and_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, words in (("labelings", "657,488"), ("ranks", "diagonal")):
        folder = tmp_path / name
        assert run(["study", name, "--quick", "--out", str(folder)]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        assert "\\n" not in captured.out  # lines that were sent through as one
        assert str(folder) in captured.out
        assert words in captured.out or words in (folder / f"{name}.html").read_text("utf-8")
        assert (folder / f"{name}.json").is_file()
        assert run(["study", name, "--quick", "--json"]) == 0
        json.loads(capsys.readouterr().out)

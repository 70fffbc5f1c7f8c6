from __future__ import annotations

import importlib
import json
import operator
from pathlib import Path
from typing import Any

import pytest

import rocsolid as rs
from rocsolid.errors import InputError, RocsolidError
from rocsolid.theory.study import tour
from rocsolid.theory.study.tour import Tour
from rocsolid.theory.study.tour.catalogue import DOCUMENTS, ENTRIES, MISSING
from site_links import broken_links

RUNNER = importlib.import_module(
    "rocsolid.theory.study.tour.tour"
)  # its name is also the function's
NAMES = ("bounds", "pauc", "ndcg", "labelings", "ranks", "learn")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Tour:
    """Only one study can be made; one stumbles over its data, the others over themselves."""

    def stumble(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("<b>division</b> by zero")

    def refuse(*_: Any, **__: Any) -> Any:
        raise RocsolidError("no such <data>", fix="bring some")

    for name in ("bounds", "pauc", "labelings", "learn"):
        monkeypatch.setattr(RUNNER, name, stumble)
    monkeypatch.setattr(RUNNER, "ndcg", refuse)
    return tour(quick=True)


def test_a_study_that_fails_leaves_the_others(broken: Tour) -> None:
    assert list(broken.studies) == ["ranks"]
    assert broken.failed["ndcg"] == "no such <data>. Fix: bring some."
    assert broken.failed["pauc"].startswith("ZeroDivisionError: ")
    made = {item.entry.study for item in broken.items if item.agrees is not None}
    assert made == {"ranks"}
    failed = next(item for item in broken.items if item.entry.study == "pauc")
    assert (failed.verdict, failed.agrees) == ("not made", None)
    assert "the study failed" in failed.words


def test_every_page_is_there_whatever_failed(broken: Tour, tmp_path: Path) -> None:
    pages = broken.pages("rocsolid study all")
    assert set(pages) == {"index.html", *(f"{name}/{name}.html" for name in NAMES)}
    for place, text in pages.items():
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(text, encoding="utf-8")
        assert "Content-Security-Policy" in text
        assert "<script" not in text
        assert "<b>division" not in text
    assert broken_links(tmp_path) == []
    assert "This study failed" in pages["pauc/pauc.html"]


def test_progress_names_each_study_and_ends_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[str, float, int]] = []

    def half(*_: Any, progress: Any, **__: Any) -> Any:
        progress(1, 2)
        raise RocsolidError("enough")

    for name in NAMES:
        monkeypatch.setattr(RUNNER, name, half)
    tour(quick=True, progress=lambda *told: said.append(told))
    assert list(dict.fromkeys(name for name, _, _ in said)) == list(NAMES)
    assert [done for _, done, _ in said] == sorted(done for _, done, _ in said)
    assert ("pauc", 1.5, 6) in said
    assert said[-1] == ("learn", 6.0, 6)


@pytest.mark.parametrize("data", [{"letor": "none.gz"}, {"clef": "nowhere"}])
def test_data_that_are_not_there_are_refused_at_once(data: dict[str, str]) -> None:
    (option,) = data
    with pytest.raises(InputError, match="does not exist") as caught:
        tour(**data, progress=lambda *_: pytest.fail("work was begun"))  # type: ignore[arg-type]
    assert caught.value.where == option


def test_the_command_of_a_page_makes_that_page() -> None:
    found = Tour({}, {}, {"clef": "a folder", "letor": "x.gz"}, 3, True)
    assert found.command("bounds") == "rocsolid study bounds --quick --seed 3 --out bounds"
    assert found.command("ndcg") == (
        "rocsolid study ndcg --clef 'a folder' --learned --quick --seed 3 --out ndcg"
    )
    assert found.command("learn").startswith("rocsolid study learn --letor x.gz --clef 'a folder'")
    assert Tour({}, {}, {}, 0, False).command("learn") == "rocsolid study learn --out learn"


def test_every_function_that_is_named_exists() -> None:
    for entry in ENTRIES:
        last = rs.__name__
        for name in entry.function.replace("(…)", "").replace(";", ",").split(", "):
            if not name.startswith("rs.") and "of every" in name:
                continue
            full = name if name.startswith("rs.") else f"{last}.{name}"
            last = full.rpartition(".")[0]
            path = full.removeprefix("rs.")
            if path not in ("roc.path", "roc.positive_ranks"):
                assert operator.attrgetter(path)(rs) is not None


def test_the_catalogue_speaks_of_every_document() -> None:
    numbers = [document.number for document in DOCUMENTS]
    assert numbers == [
        "Agarwal et al. 2005",
        "Maurer and Pontil 2020",
        "Wang et al. 2013",
        "Whitehill 2019",
        "blog of 2011",
    ]
    assert {entry.document for entry in ENTRIES} == set(numbers)
    assert {missing.document for missing in MISSING} <= set(numbers)
    assert len({(entry.document, entry.name) for entry in ENTRIES}) == len(ENTRIES)


def test_what_was_not_given_is_listed_with_its_option(broken: Tour) -> None:
    data = json.loads(json.dumps(broken.to_dict(), allow_nan=False))
    assert any("--clef" in text for text in data["left_out"])
    assert any("--letor" in text for text in data["left_out"])
    real = [item for item in data["items"] if "real lists" in item["name"]]
    assert len(real) == 4
    assert all(item["agrees"] is None and "--clef" in item["words"] for item in real)

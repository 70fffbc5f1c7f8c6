"""The table of the statements of the five documents: every place exists, every check holds."""

from __future__ import annotations

import importlib
import importlib.util
import math
import re
import tomllib
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.theory import asymptotics, guarantees
from rocsolid.theory.study.tour.catalogue import DOCUMENTS

DOCS = Path(__file__).parents[3] / "docs"
TABLE = tomllib.loads((DOCS / "evidence" / "items.toml").read_text("utf-8"))["document"]
ITEMS = [(document["name"], item) for document in TABLE for item in document["items"]]
KEYS = {"item", "where", "verdict", "why", "holds", "check"}
NAMES = {
    "rs": rs, "g": guarantees, "a": asymptotics, "np": np, "math": math,
    "y": np.array([0, 0, 1, 0, 1, 0, 1, 1]), "s": np.array([1.0, 2, 2, 4, 5, 6, 7, 8]),
}  # fmt: skip


def by_item(pair: Any) -> str | None:
    return pair["item"] if isinstance(pair, dict) else None


def imported(name: str) -> Any:
    """The object of a name; a package may leave a module to be imported."""
    first, *rest = name.split(".")
    try:
        return reduce(getattr, rest, importlib.import_module(first))
    except AttributeError:
        return importlib.import_module(name)


def anchors(page: str) -> set[str]:
    text = re.sub(r"^```.*?^```", "", (DOCS / page).read_text("utf-8"), flags=re.M | re.S)
    heads = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_document_is_there_and_no_item_twice() -> None:
    assert [document["name"] for document in TABLE][:4] == [one.number for one in DOCUMENTS][:4]
    assert len(TABLE) == len(DOCUMENTS)
    names = [(document, item["item"]) for document, item in ITEMS]
    assert len(set(names)) == len(names) >= 108


@pytest.mark.parametrize(("document", "item"), ITEMS, ids=by_item)
def test_what_is_not_whole_has_a_reason(document: str, item: dict[str, Any]) -> None:
    assert item.keys() <= KEYS, document
    assert item.get("verdict", "part") in ("part", "none")  # "whole" is not written
    assert ("verdict" in item) == bool(item.get("why"))
    assert item["where"]


@pytest.mark.parametrize(("document", "item"), ITEMS, ids=by_item)
def test_every_place_exists(document: str, item: dict[str, Any]) -> None:
    for place in item["where"]:
        page, _, anchor = place.partition("#")
        if page.endswith(".md"):
            assert (DOCS / page).is_file(), document
            assert not anchor or anchor in anchors(page), place
        else:
            assert imported(place) is not None
    for page, anchor in re.findall(r"\]\(([\w-]+\.md)#([^)]+)\)", item.get("holds", "")):
        assert anchor in anchors(f"theorems/{page}")


CHECKED = [pair for pair in ITEMS if "check" in pair[1]]


@pytest.mark.parametrize(("document", "item"), CHECKED, ids=by_item)
def test_every_check_holds(document: str, item: dict[str, Any]) -> None:
    assert eval(item["check"], dict(NAMES)), (document, item["check"])


def test_a_place_that_is_not_there_is_noticed() -> None:
    with pytest.raises(ModuleNotFoundError):
        imported("rocsolid.theory.guarantees.no_such_bound")
    assert "no-such-theorem" not in anchors("theorems/ndcg.md")


def test_the_pages_have_every_item() -> None:
    spec = importlib.util.spec_from_file_location("pages_of_items", DOCS / "declared_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    lines = module.statements().splitlines()
    assert len([line for line in lines if line.startswith("| ")]) == len(ITEMS) + 1
    differences = module.differences()
    assert differences.count("](") == sum("holds" in item for _, item in ITEMS) == 9
    for document, item in ITEMS:
        assert item.get("holds", "") in differences
        start = f"| {document} | {module._cell(item['item'])} |"
        (line,) = (line for line in lines if line.startswith(start))
        assert item.get("why", "whole").replace("|", r"\|") in line

"""The theorem pages: no statement of the source documents is missing, no test is made up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "theorems"
STATEMENTS = {  # kind -> numbers, as the document counts them
    "auc-bounds": {
        "definition": (1, 14, 15),
        "lemma": (2, 23, 25),
        "theorem": (3, 5, 8, 9, 10, 13, 16, 17, 19, 22, 24, 26, 27, 28),
        "corollary": (6, 7, 11, 12, 18),
    },
    "weighted-areas": {
        "proposition": (1, 6, 10),
        "theorem": (2, 3, 7, 8, 9),
        "corollary": (4,),
        "lemma": (5, 11, 12),
    },
    "ndcg": {"definition": (1, 2, 3, 4, 5), "lemma": (1, 2, 3, 4), "theorem": tuple(range(1, 15))},
    "labelings": {"proposition": (1, 2, 3), "theorem": (1,)},
}
PAGES = sorted(FOLDER.glob("*.md"))
WORDS = {  # what a reader of the document would look for
    "auc-bounds": (
        *("Wilcoxon", "expected ranking accuracy", "positive skew", "large deviation"),
        "uniform convergence",
    ),
    "ndcg": ("canonical",),
    "labelings": ("oracle", "truncated simplex"),
    "positive-ranks": ("order-agnostic",),
}


def numbers(text: str, kind: str) -> set[int]:
    """Those in "Theorem 5", "Theorems 7, 8 and 9" and "Theorems 10 to 13"."""
    found: set[int] = set()
    words = rf"(?:{kind}|{kind[:-1] + 'ie' if kind.endswith('y') else kind})s?"
    for listed in re.findall(rf"{words} (\d+(?:(?:, | and | to )\d+)*)", text, re.IGNORECASE):
        found |= {int(number) for number in re.findall(r"\d+", listed)}
        for first, last in re.findall(r"(\d+) to (\d+)", listed):
            found |= set(range(int(first), int(last) + 1))
    return found


@pytest.mark.parametrize("page", STATEMENTS)
def test_every_statement_is_there(page: str) -> None:
    text = (FOLDER / f"{page}.md").read_text("utf-8")
    for kind, wanted in STATEMENTS[page].items():
        assert set(wanted) <= numbers(text, kind), kind


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_test_that_is_named_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    named = 0
    for file, names in re.findall(r"`(tests/[\w/]+\.py)`\s*(?:,\s*)?(?:\(([^)]*)\))?", text):
        source = (ROOT / file).read_text("utf-8")
        for name in re.findall(r"`(test_\w+)`", names):
            assert f"\ndef {name}(" in source, f"{file}: {name}"
            named += 1
    assert named >= 3 or page.stem == "index"
    stray = {file for file in re.findall(r"`(tests/\S+)`", text) if not (ROOT / file).exists()}
    assert not stray


def test_every_section_has_its_check() -> None:
    """Each heading has the test that checks it, but for steps of proofs without a function."""
    for page in PAGES:
        text = page.read_text("utf-8")
        lowest = "##" if page.stem in ("labelings", "positive-ranks") else "###"
        for section in re.split(rf"^{lowest} ", text, flags=re.MULTILINE)[1:]:
            own = re.split(r"^## ", section, flags=re.MULTILINE)[0]
            heading = own.partition("\n")[0]
            without = heading.startswith("Theorem 9")
            assert ("Checked:" in own) != without, f"{page.stem}: {heading}"


@pytest.mark.parametrize("page", STATEMENTS)
def test_every_picture_is_drawn(page: str, docs_site: Path) -> None:
    text = (FOLDER / f"{page}.md").read_text("utf-8")
    shown = re.findall(r"!\[[^\]]{40,}\]\((\S+\.svg)\)", text)
    assert shown
    for name in shown:
        assert (docs_site / "_images" / name).read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize("page", WORDS)
def test_a_page_has_the_words_of_its_document(page: str) -> None:
    text = " ".join((FOLDER / f"{page}.md").read_text("utf-8").split()).lower()
    assert [word for word in WORDS[page] if word.lower() not in text] == []

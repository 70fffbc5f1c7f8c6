"""Plain words: phrases that are not used, and how long the docs may be."""

from __future__ import annotations

import functools
import re
import statistics
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

DECIDED_AGAINST = {  # as a pattern -> what to write
    r"told apart": "significantly different, separated, distinguished",
    r"\btell(?:s|ing)?\b(?: \S+){0,4} apart\b": "separate",
    r"\bbut for (?:a|the|rounding|those|these|all|one|two)\b": "except",
    r"\bbut for \d": "except",
    r"\b(?:is|are|was|were) told\b": "knows, is given",
    r"\bunless (?:told|you say|you ask|asked)\b": "by default",
    r"(?<!one\.)\basked for\b": "requested",
    r"\basks for (?:a|an|the|more|non-inferiority)\b": "needs, requests",
    r"\b[Tt]o mind\b": "limits",
    r"\b(?:is|are) dear\b": "is expensive, takes many rows",
    r"\bas dear\b": "the cost of",
    r"\bleaves? the house\b": "is sent, is published",
    r"\bdocument 00\d": "author and year",
    r"\bof theirs\b": "their",
    r"\blean(?:s|ed)? on\b": "rely on",
    r"\bspeaks? of\b": "is about",
    r"\b(?:says?|said) nothing of\b": "says nothing about",
    r"\bturn(?:s|ed)? round\b": "reverse",
    r"\b(?:is|are) honest for\b": "hold for",
    r"\btime and again\b": "repeatedly",
    r"\bgives? rise to\b": "causes",
    r"\bhang(?:s)? on\b": "depend on",
    r"\bwhat (?:\w+ ){1,3}says of\b": "what it says about",
    r"\bfewer resamples are the first ones\b": "",
    r"\bto no avail\b": "",
    r"\bby and by\b": "",
    r"\bthere(?:of|upon|by)\b": "",
    r"\bhitherto\b|\bwherefore\b|\bwhence\b": "",
    r"\bstands? in the stead\b": "",
}

MOST_WORDS = 30_000  # the README, all pages and theorems: code, tables and comments included
MEDIAN_SENTENCE = 18


def sources() -> list[Path]:
    package = (ROOT / "src").rglob("*")
    code = [path for path in package if path.suffix in {".py", ".json", ".html", ".js", ".css"}]
    return [*code, *DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def flat(text: str) -> str:
    """Text without line breaks, comment signs, and the seams of strings over several lines."""
    text = re.sub(r'"\s*\n\s*f?"', "", text)
    return re.sub(r"\s*\n\s*(?:#:? |> |// )?", " ", text)


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_no_end_of_a_sentence_is_left_over(page: Path) -> None:
    """A line that begins in lower case after a full stop is what an edit forgot."""
    prose = re.sub(r"^ *```.*?^ *```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert re.findall(r"[^.]\.\n[a-z].*", prose) == []
    assert re.findall(r"^\|.*\n(?=[^|\n])", prose, re.MULTILINE) == []  # it would be a row


@functools.cache
def texts() -> dict[Path, str]:
    """All that somebody may read, flat."""
    return {path: flat(path.read_text("utf-8")) for path in sources()}


def pages() -> list[Path]:
    return [ROOT / "README.md", *DOCS.rglob("*.md")]


def sentences(text: str) -> list[str]:
    """The prose of a page: no code, tables, headings or pictures."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    lines = [
        "" if re.match(r"(?:#|\||>>>|    |!\[)", line) else re.sub(r"^- ", "\n", line)
        for line in text.splitlines()
    ]
    blocks = re.split(r"\n\s*\n", "\n".join(lines))
    found = [one for block in blocks for one in re.split(r"(?<=[.!?:])\s+", block.strip())]
    return [one for one in found if len(one.split()) > 2]


@pytest.mark.parametrize("pattern", DECIDED_AGAINST)
def test_nobody_writes_it(pattern: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: …{text[max(0, hit.start() - 40) : hit.end() + 20]}…"
        for path, text in texts().items()
        for hit in re.finditer(pattern, text)
    ]
    assert not found, f"write: {DECIDED_AGAINST[pattern] or 'something else'}\n" + "\n".join(found)


def test_a_phrase_over_two_lines_is_found() -> None:
    texts = ("are not told\n    apart.", '"are told "\n        "apart"', "# are told\n# apart")
    assert all("told apart" in flat(text) for text in texts)


def test_the_pages_stay_short() -> None:
    words = {
        page.relative_to(ROOT).as_posix(): len(page.read_text("utf-8").split()) for page in pages()
    }
    assert sum(words.values()) <= MOST_WORDS, sorted(words.items(), key=lambda item: -item[1])[:10]


def test_the_readme_is_one_look() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 90
    assert len(text[: text.index("pip install")].split()) < 40  # what it is, and how to have it
    assert len(text.partition("**Similar tools**")[2].partition("\n\n")[0].splitlines()) <= 5


def test_sentences_stay_short() -> None:
    lengths = [len(one.split()) for page in pages() for one in sentences(page.read_text())]
    assert len(lengths) > 500
    assert statistics.median(lengths) <= MEDIAN_SENTENCE

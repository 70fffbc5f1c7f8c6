"""The bibliography: keys, BibTeX that parses, and every source in the package."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path

import pytest

from rocsolid.citations import Work, entries_of
from rocsolid.citations.bibliography import SOFTWARE, WORKS, by_key
from rocsolid.citations.cite import _MEASURES, named, shortened
from rocsolid.parts import PARTS, present

_spec = importlib.util.spec_from_file_location("sources", Path(__file__).parent / "sources.py")
assert _spec is not None
assert _spec.loader is not None
sources = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(sources)

REQUIRED = {
    "article": {"author", "title", "journal", "year", "volume", "pages"},
    "book": {"author", "title", "publisher", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "techreport": {"author", "title", "institution", "year"},
    "misc": {"author", "title"},
}


def parsed(bibtex: str) -> dict[str, tuple[str, dict[str, str]]]:
    """A plain BibTeX reader: key -> kind and fields; braces must balance."""
    found = {}
    for kind, key, body in re.findall(r"^@(\w+)\{([^,\s]+),\n(.*?)^\}$", bibtex, re.S | re.M):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", body, re.M))
        for text in fields.values():
            depth = 0
            for sign in text:
                depth += {"{": 1, "}": -1}.get(sign, 0)
                assert depth >= 0
            assert depth == 0
        assert len(fields) == len(body.strip().splitlines())
        found[key] = kind, fields
    return found


@pytest.mark.parametrize("entry", [*WORKS, SOFTWARE], ids=lambda entry: entry.key)
def test_every_entry_is_bibtex_with_what_its_kind_needs(entry: Work) -> None:
    assert entry.bibtex.isascii()
    ((key, (kind, fields)),) = parsed(entry.bibtex).items()
    assert (key, kind) == (entry.key, entry.kind)
    assert set(fields) >= REQUIRED[kind]
    assert set(fields) == set(entry.fields)
    assert re.fullmatch(r"[a-z]+\d*[a-z]?", key)
    if entry is not SOFTWARE:
        assert re.fullmatch(r"1[89]\d\d|20[0-2]\d", fields["year"])
        assert fields["year"] in key
        assert all("," in one for one in entry.fields["author"].split(" and ")) or key in (
            "student1908",
            "konstantin2011",
        )
    if "pages" in fields:
        assert re.fullmatch(r"[\d:]+(--[\d:]+)?", fields["pages"])


def test_keys_and_short_names_are_unique() -> None:
    for name in ("key", "short", "full"):
        of = [getattr(entry, name) for entry in (*WORKS, SOFTWARE)]
        assert len(set(of)) == len(of)


@pytest.mark.slow
def test_every_source_in_the_package_names_works_that_are_known() -> None:
    found = list(sources.texts())
    assert len(found) > 60
    for where, text in found:
        spans = [(start, end) for start, end, _ in named(text)]
        spans += [hit.span() for hit in sources.NO_WORK.finditer(text)]
        for year in sources.YEAR.finditer(text):
            known = any(a <= year.start() < b for a, b in spans)
            assert known, f"{where}: the bibliography in rocsolid.citations lacks a work: {text}"
        assert entries_of(text) != (SOFTWARE,)


@pytest.mark.slow
def test_a_source_keeps_all_but_the_long_references() -> None:
    for _, text in sources.texts():
        short = shortened(text)
        assert short.count("(") == short.count(")"), text
        assert not re.search(r"\)-\d", short)
        for _, _, entry in named(text):
            assert entry.short in short


def cites() -> dict[str, tuple[str, ...]]:
    """What every class in the package says of itself: the words, and the keys of works."""
    return {
        f"{path.stem}.{node.name}": ast.literal_eval(each.value)
        for path in sources.ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "_cites"
    }


def test_works_meant_by_measures_and_classes_exist() -> None:
    classes = cites()
    # none lost its works on the way
    assert len(classes) >= (33 if len(dict(present())) == len(PARTS) else 20)
    for _, keys in (*_MEASURES, *((words, keys) for words, *keys in classes.values())):
        assert keys
        assert all(by_key(key).key == key for key in keys)
    assert all(words[0].isupper() for words, *_ in classes.values())


def test_names_that_begin_alike_are_told_apart() -> None:
    one = "Obuchowski and McClish, Statistics in Medicine 16 (1997), 1529-1542"
    assert [entry.key for entry in entries_of(one)] == ["obuchowskimcclish1997"]
    assert [entry.key for entry in entries_of("Efron and Tibshirani 1993, section 13.3")] == [
        "efrontibshirani1993"
    ]
    assert entries_of("Hoeffding 1948") == (SOFTWARE,)


def test_a_title_keeps_its_capitals_and_its_accents() -> None:
    assert "{ROC}" in by_key("agarwal2005").bibtex
    assert 'J{\\"a}rvelin' in by_key("jarvelin2002").bibtex
    assert "Järvelin" in by_key("jarvelin2002").full
    assert by_key("angelopoulos2023a").short == "Angelopoulos et al. (2023a)"

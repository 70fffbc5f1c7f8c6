"""The site: it builds without a warning, and its reference leaves out no public name."""

from __future__ import annotations

import html
import importlib.util
import re
import tomllib
import types
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rocsolid as rs
from rocsolid.cli.app import VERBS

ROOT = Path(__file__).parents[3]
READ_ON_A_FORGE = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
]


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "rocsolid_reference_pages", ROOT / "docs" / "reference_pages.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def public_names() -> list[str]:
    """`rs.auc`, `rs.leaks.count`, `rs.leaks.release.Gate`, …: whatever stands in an ``__all__``."""

    def inside(path: str, module: Any) -> list[str]:
        found = []
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, types.ModuleType) and hasattr(value, "__all__"):
                found += inside(f"{path}.{name}", value)
            elif not isinstance(value, types.ModuleType):
                found.append(f"{path}.{name}")
        return found

    return [name for name in inside("rs", rs) if name != "rs.__version__"]


def entries(hook: ModuleType) -> list[str]:
    found = re.findall(
        r"^`+\{py:(?:function|class|data)\} (rs\.[\w.]+)",
        "\n".join(hook.pages().values()),
        re.MULTILINE,
    )
    return list(map(str, found))


def test_the_reference_has_every_public_name(hook: ModuleType) -> None:
    assert len(public_names()) > 200
    assert set(public_names()) <= set(entries(hook))
    assert len(entries(hook)) == len(set(entries(hook)))


def test_every_entry_says_what_it_is(hook: ModuleType) -> None:
    listed = set(re.findall(r"\{py:obj\}`\w+ <(rs\.[\w.]+)>`", hook.overview()))
    assert set(public_names()) <= listed
    constants = {"COVERAGE_METHODS", "METHODS", "Measure"}
    text = "\n".join(hook.pages().values())
    silent = set(re.findall(r"\{py:\w+\} (rs\.[\w.]+).*\n\n", text))
    assert not {name for name in silent if name.split(".")[-1] not in constants}
    assert not re.search(r" at 0x[0-9a-f]+>|_empty\b", "\n".join(hook.pages().values()))


def test_every_parameter_has_a_meaning(hook: ModuleType) -> None:
    """And no meaning stands in the file for nobody."""
    bare, used = [], set()
    for _, members, _ in hook.sections().values():
        for path, value in members:
            if not isinstance(value, types.FunctionType):
                continue
            for one in hook.parameters_of(value):
                if not hook.meaning_of(path, one.name, value.__doc__ or ""):
                    bare.append(f"{path}: {one.name}")
                used |= {(title, one.name) for title in titles(hook, path)}
    assert bare == []
    meanings = hook.MEANINGS.items()
    inside = {(t, n) for t, texts in meanings if isinstance(texts, dict) for n in texts}
    assert (inside | {("", n) for n, text in meanings if isinstance(text, str)}) <= used
    assert (
        '- <span id="pos_label"></span>`pos_label`: The label that counts as positive'
        in hook.pages()["parameters"]
    )
    own = hook.meaning_of("rs.theory.guarantees.tau", "scores", "")
    assert own == "The scores of all rows."
    assert hook.meaning_of("rs.leaks", "unheard", "First this. ``unheard`` is that.").endswith(
        "that."
    )


def titles(hook: ModuleType, path: str) -> list[str]:
    return ["", *(title for title in hook.MEANINGS if f"{path}.".startswith(f"{title}."))]


def test_each_parameter_has_one_description_with_its_type(hook: ModuleType) -> None:
    pages, checked = hook.pages(), 0
    for page, (_, members, _) in hook.sections().items():
        listed = re.findall(r'^- <span id="[\w.]+-\w+"></span>(.*)', pages[page], re.MULTILINE)
        assert len(listed) == len(set(listed))
        for path, value in members:
            if not isinstance(value, types.FunctionType):
                continue
            (signature,) = re.findall(rf"^`+\{{py:function\}} {path}\(.*", pages[page], re.M)
            for one in hook.parameters_of(value):
                file, _, anchor = hook.LINKS[path].get(one.name, "").partition("#")
                text = pages[file.removesuffix(".html") or page]
                mark = f'- <span id="{anchor}"></span>`{one.name}'
                assert not anchor or text.count(mark) == 1, (path, one.name)
                typed = f"{one.name}: {hook._kind(one)}"
                assert (
                    not hook._kind(one)
                    or typed in signature
                    or f"{mark[: -len(one.name)]}{typed}`" in text
                )
                checked += bool(anchor)
    assert checked > 1_000


def test_members_without_a_docstring_are_listed(hook: ModuleType) -> None:
    text = hook.pages()["two-classes"]
    assert '<span id="rs.ScoreCounts.n_pos"></span>`n_pos: int | float`' in text
    assert re.search(r"^- `value: float`\. The value", hook.pages()["results"], re.M)


def test_an_argument_is_described_once_among_the_commands(hook: ModuleType) -> None:
    text = hook.pages()["command-line"]
    described = re.findall(r"^\* `(?:-|[A-Z]).*\n(?: .*\n)*", text, re.MULTILINE)
    assert len(described) == len(set(described)) > 190
    (part,) = re.findall(r"### rocsolid board close\n.*?(?=\n###)", text, re.DOTALL)
    assert "Also [`FILE`](#rocsolid-board-init)." in part


def test_every_parameter_of_a_signature_links_to_its_description(
    hook: ModuleType, docs_site: Path
) -> None:
    """Each description stands once, in the signature's own entry or where the parameter links."""
    assert hook.pages()["parameters"].count("`alternative: Alternative`") == 1
    text = (docs_site / "reference" / "guarantees.html").read_text("utf-8")
    (signature,) = re.findall(r'<dt class="sig[^>]*id="rs.guarantees.kl".*?</dt>', text, re.S)
    assert '<a href="parameters.html#alternative">' in signature
    (own,) = re.findall(r'<a href="#([\w.-]+-auc)">', signature)
    assert text.count(f'<span id="{own}"></span>') == 1


def words(page: str) -> int:
    """The words of the main text, without code, signatures, scripts and drawings.

    Highlighted code has a tag around each sign, which would count as words.
    """
    main = re.search(r"<article\b.*?</article>", page, re.DOTALL)
    code = r"<(script|style|svg|pre)\b.*?</\1>|<dt class=\"sig.*?</dt>"
    text = re.sub(code, " ", main[0] if main else page, flags=re.DOTALL)
    return sum(
        any(map(str.isalnum, word)) for word in html.unescape(re.sub(r"<[^>]+>", " ", text)).split()
    )


def test_the_site_stays_short(docs_site: Path) -> None:
    """Without the sample pages, which the commands write."""
    counts = {
        page.relative_to(docs_site).as_posix(): words(page.read_text("utf-8"))
        for page in docs_site.rglob("*.html")
        if page.parent.name not in {"examples", "_static"}
    }
    assert sum(counts.values()) <= 90_000, sorted(counts.items(), key=lambda one: -one[1])[:20]


def test_an_entry_links_the_pages_that_use_it(hook: ModuleType) -> None:
    text = hook.pages()["two-classes"]
    (entry,) = re.findall(
        r"py:function\} rs\.multiclass_auc\(.*?^Examples: (.*?)$", text, re.M | re.S
    )
    assert "](/labels.md)" in entry
    assert "](/leaks.md)" not in entry


def test_every_command_is_there(hook: ModuleType) -> None:
    for verb in VERBS:
        assert f"\n## rocsolid {verb}\n" in hook.pages()["command-line"]


def test_the_site_has_every_page_and_no_program(docs_site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        assert (docs_site / page.relative_to(ROOT / "docs").with_suffix(".html")).exists()
    assert {file.name for file in (docs_site / "examples").iterdir()} == {
        "report.html", "public.html", "review.html", "runs.html"
    }  # fmt: skip
    assert not list(docs_site.rglob("*.py"))


def test_every_page_is_in_the_contents() -> None:
    contents = tomllib.loads((ROOT / "docs" / "contents.toml").read_text("utf-8"))
    listed = [name for one in contents["section"] for name in (one.get("page"), *one["pages"])]
    pages = [file.relative_to(ROOT / "docs") for file in (ROOT / "docs").rglob("*.md")]
    found = [page.with_suffix("").as_posix() for page in pages]
    assert sorted(found) == sorted(["index", *filter(None, listed)])
    assert set(contents["search"]) == set(found) - {"index"}
    assert set(contents["queries"].values()) <= set(found)


@pytest.mark.parametrize("page", READ_ON_A_FORGE, ids=lambda page: page.stem)
def test_links_work_where_nothing_is_built(page: Path) -> None:
    """On a forge there are the files of the repository; what the site adds hides in a comment."""
    text = re.sub(r"<!--.*?-->|^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        there = page.parent / file if file else page
        if "://" in target:
            continue
        assert there.is_file(), target
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there.read_text("utf-8")), target


def anchors(text: str) -> set[str]:
    """As forges make them of headings: lower case, spaces as hyphens, no other signs."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", ["guarantees", "theorems/auc-bounds", "theorems/ndcg"])
def test_formulas_are_set(page: str, docs_site: Path) -> None:
    text = (docs_site / f"{page}.html").read_text("utf-8")
    assert text.count("<math ") >= 4
    assert text.count("<math ") == text.count("</math>")
    assert "<merror" not in text
    assert not re.search(r"\\(?:frac|sqrt|hat|le)\b", text)

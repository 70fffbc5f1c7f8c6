"""The site: ``python docs/build.py FOLDER``. Warnings are errors.

The pages, with what the code writes of itself, are laid out in a folder that lasts for the build:
the tree stays as it was, and two builds can run at once. What follows ``<!--site`` in a page, up to
``-->``, is on the site alone: it shows or links what exists there only. So are its pictures.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import declared_pages
import example_pages
import heat_maps
import page_pictures
import plot_pictures
import reference_pages
import theorem_pictures
from sphinx.cmd.build import build_main

FOLDER = Path(__file__).parent
CONTENTS: dict[str, Any] = tomllib.loads((FOLDER / "contents.toml").read_text("utf-8"))


def main(target: str) -> int:
    with tempfile.TemporaryDirectory(prefix="rocsolid-docs-") as name:
        stage = Path(name) / "docs"
        lay_out(stage)
        options = ["-q", "-W", "--keep-going", "-b", "html", "-d", f"{name}/doctrees"]
        return build_main([*options, str(stage), target])


def lay_out(stage: Path) -> None:
    """Everything that Sphinx reads."""
    shutil.copytree(FOLDER, stage, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    shutil.copy(FOLDER / "conf.py", stage)
    written = {
        plot_pictures.FOLDER: plot_pictures.pictures()
        | page_pictures.pictures()
        | heat_maps.pictures(),
        theorem_pictures.FOLDER: theorem_pictures.pictures(),
        f"extra/{example_pages.FOLDER}": example_pages.pages(),
    }
    for folder, files in written.items():
        (stage / folder).mkdir(parents=True, exist_ok=True)
        for file, content in files.items():
            (stage / folder / file).write_bytes(content)
    (stage / "reference").mkdir()
    for page, text in reference_pages.pages().items():
        (stage / "reference" / f"{page}.md").write_text(text, "utf-8")
    _append(stage / "reference.md", reference_pages.overview())
    _append(stage / "json.md", declared_pages.json_fields(reference_pages.fields_of_results()))
    _append(stage / "study.md", declared_pages.reproduced())
    _append(stage / "study.md", declared_pages.statements())
    _append(stage / "theorems" / "index.md", declared_pages.differences())
    (stage / "formulas.md").write_text(declared_pages.formulas(), "utf-8")
    (stage / "checks").mkdir()
    for code, text in reference_pages.checks().items():
        # in no table of contents: the theme's folded ones have no name for a screen reader
        page = f"---\norphan: true\n---\n{text}"
        (stage / "checks" / f"{code}.md").write_text(page, "utf-8")
    (stage / "checks.md").write_text(reference_pages.list_of_checks(), "utf-8")
    searched: dict[str, list[str]] = CONTENTS["search"]
    for file in stage.rglob("*.md"):
        page = file.relative_to(stage).with_suffix("").as_posix()
        file.write_text(on_site(file.read_text("utf-8"), searched.get(page, [])), "utf-8")
    _replace_lists(stage / "index.md")
    landing = [_landing(stage, section) for section in CONTENTS["section"]]
    _append(stage / "index.md", _toctree(landing))


def on_site(text: str, searched: list[str]) -> str:
    """A page as the site has it, and found there by what readers search for."""
    text = re.sub(r"<!--site\s(.*?)-->", r"\1", text, flags=re.DOTALL)
    text = re.sub(r"<!--picture ([\w-]+)-->", _picture, text)
    # doctest wants an empty line between an output and the end of its block; no reader does
    text = re.sub(r"\n\n```$", "\n```", text, flags=re.MULTILINE)
    return "".join(f"```{{index}} !{words}\n```\n" for words in searched) + text


def _replace_lists(file: Path) -> None:
    """Links between the marks of cards are cards on the site: a forge shows them as a list."""
    text = re.sub(
        r"<!--cards-->(.*?)<!--end-->",
        lambda found: _grid(file.parent, re.findall(r"\]\(([\w/-]+)\.md\)", found[1])),
        file.read_text("utf-8"),
        flags=re.DOTALL,
    )
    file.write_text(text, "utf-8")


def _picture(named: re.Match[str]) -> str:
    words = page_pictures.alternatives()[named[1]]
    return f"![{words}]({plot_pictures.FOLDER}/{named[1]}.svg)"


def _landing(stage: Path, section: dict[str, Any]) -> str:
    """The page of a section, which leads to its pages."""
    pages = list(section["pages"])
    name = section.get("page") or section["title"].lower().replace(" ", "-")
    if name == "reference":
        pages += ["formulas", "checks", *(f"reference/{page}" for page in reference_pages.pages())]
    if "page" not in section:
        (stage / f"{name}.md").write_text(
            f"# {section['title']}\n\n{_grid(stage, pages)}\n", "utf-8"
        )
    _append(stage / f"{name}.md", _toctree(f"/{page}" for page in pages))
    return name


def _grid(stage: Path, pages: list[str]) -> str:
    cards = [_card(page, (stage / f"{page}.md").read_text("utf-8")) for page in pages]
    return "\n".join(["::::{grid} 1 2 2 3", ":gutter: 3", "", *cards, "::::"])


def _card(page: str, text: str) -> str:
    """A page by its title, with the first sentence below it."""
    title, _, rest = text[text.index("# ") + 2 :].partition("\n")
    first = next(part for part in rest.split("\n\n") if re.match(r"\s?[\w*\[]|\s?`[^`]", part))
    first = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", first.replace("\n", " ").strip())
    first = re.split(r"(?<=[.?]) ", first)[0].removesuffix(":")
    return f":::{{grid-item-card}} {title}\n:link: {page}\n:link-type: doc\n\n{first}\n:::\n"


def _toctree(pages: Any) -> str:
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"


def _append(file: Path, text: str) -> None:
    file.write_text(file.read_text("utf-8") + text, "utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Every link of a folder of pages, and where it leads."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path


class Links(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "href" and tag == "a":
                self.targets.append(value or "")
            if name == "id":
                self.anchors.append(value or "")


def broken_links(folder: Path) -> list[str]:
    """Links of all pages below a folder that lead nowhere in it, or to an anchor that is not there.

    An identifier that occurs twice on a page counts as broken too: a link to it is ambiguous.
    """
    pages = {page: Links(page.read_text("utf-8")) for page in sorted(folder.rglob("*.html"))}
    found = []
    for page, links in pages.items():
        found += [f"{page}: {name} twice" for name in _twice(links.anchors)]
        for target in links.targets:
            file, _, anchor = target.partition("#")
            there = (page.parent / file).resolve() if file else page
            if there not in pages or (anchor and anchor not in pages[there].anchors):
                found.append(f"{page}: {target}")
    return found


def _twice(names: list[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})

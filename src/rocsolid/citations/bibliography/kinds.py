"""Constructors of entries: one function for each kind of work."""

from __future__ import annotations

from rocsolid.citations.entry import Work


def article(
    key: str,
    author: str,
    title: str,
    journal: str,
    year: int,
    volume: str = "",
    pages: str = "",
    *,
    doi: str = "",
    letter: str = "",
    also: tuple[str, ...] = (),
) -> Work:
    fields = _fields(
        author=author, title=title, journal=journal, year=str(year), volume=volume, pages=pages,
        doi=doi,
    )  # fmt: skip
    return Work(key, "article", fields, letter, also)


def paper(
    key: str, author: str, title: str, booktitle: str, year: int, pages: str = "", *, doi: str = ""
) -> Work:
    """A paper in proceedings, or a chapter."""
    fields = _fields(
        author=author, title=title, booktitle=booktitle, year=str(year), pages=pages, doi=doi
    )
    return Work(key, "inproceedings", fields)


def book(key: str, author: str, title: str, publisher: str, year: int) -> Work:
    return Work(
        key, "book", _fields(author=author, title=title, publisher=publisher, year=str(year))
    )


def report(
    key: str, author: str, title: str, institution: str, year: int, number: str = ""
) -> Work:
    fields = _fields(
        author=author, title=title, institution=institution, year=str(year), number=number
    )
    return Work(key, "techreport", fields)


def preprint(key: str, author: str, title: str, year: int, arxiv: str, *, letter: str = "") -> Work:
    fields = _fields(author=author, title=title, year=str(year), howpublished=f"arXiv:{arxiv}")
    return Work(key, "misc", fields, letter)


def post(key: str, author: str, title: str, year: int, howpublished: str) -> Work:
    fields = _fields(author=author, title=title, year=str(year), howpublished=howpublished)
    return Work(key, "misc", fields)


def _fields(**fields: str) -> dict[str, str]:
    return {name: text for name, text in fields.items() if text}

"""One figure or table of a document: where it is made again, and whether it comes out the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from rocsolid.results.plain import written
from rocsolid.theory.study.table import Tables

Data = Literal["", "clef", "letor"]


@dataclass(frozen=True, slots=True)
class Check:
    """Whether what came out is what was published, and in words what was compared.

    ``numbers`` is false where none are printed, and what the document says about its figure was
    looked for instead.
    """

    agrees: bool
    words: str
    numbers: bool = True


@dataclass(frozen=True, slots=True)
class TourItem:
    """An item of the catalogue. ``check`` is given the study that has made it.

    ``needs`` names data that have to be brought along. ``anchor`` is its place on the page of the
    study.
    """

    document: str
    name: str
    about: str
    study: str
    anchor: str
    function: str
    check: Callable[[Tables], Check]
    needs: Data = ""


@dataclass(frozen=True, slots=True)
class Item:
    """What became of an entry: its check, or in ``why_not`` why it was not made."""

    entry: TourItem
    check: Check | None
    why_not: str = ""

    @property
    def agrees(self) -> bool | None:
        """None where it was not made."""
        return None if self.check is None else self.check.agrees

    @property
    def words(self) -> str:
        return self.why_not if self.check is None else self.check.words

    @property
    def page(self) -> str:
        """Where it stands, from the folder of the site; the study's page if it was not made."""
        page = f"{self.entry.study}/{self.entry.study}.html"
        return page if self.agrees is None else f"{page}#{self.entry.anchor}"

    @property
    def verdict(self) -> str:
        if self.check is None:
            return "not made"
        if not self.check.agrees:
            return "no"
        return "yes" if self.check.numbers else "in words"

    def to_dict(self) -> dict[str, Any]:
        return {
            **written(self.entry, "document name about"),
            "command": f"rocsolid study {self.entry.study}",
            "function": self.entry.function,
            **written(self, "page agrees"),
            "numbers": None if self.check is None else self.check.numbers,
            "words": self.words,
        }

"""The texts that a result can be read as, made from its blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rocsolid.remarks.muting import Checked

if TYPE_CHECKING:
    from rocsolid.report.blocks import TextBlock


class TextForms(Checked, ABC):
    """A result that says itself in blocks; each form writes all of them."""

    __slots__ = ()

    @abstractmethod
    def _blocks(self, *, paper: bool) -> Iterable[TextBlock]:
        """What the result says, from the top down; ``paper`` leaves out what a paper has no room
        for."""

    def answer(self) -> tuple[str, ...]:
        """A sentence or two that the page and the command line begin with."""
        return ()

    def to_markdown(self) -> str:
        """The tables as Markdown, with what they rest on and warnings below them."""
        from rocsolid.report.blocks import as_markdown

        return as_markdown(self._blocks(paper=False))

    def to_latex(self) -> str:
        """The tables as LaTeX, for the booktabs package; notes stand below them."""
        from rocsolid.report.blocks import as_latex

        return as_latex(self._blocks(paper=True))


class BlockPages(TextForms):
    """Such a result whose page says the same blocks."""

    __slots__ = ()

    def blocks(self) -> Iterable[TextBlock]:
        """What it says, from the top down."""
        return self._blocks(paper=False)

    def to_html(self, *, title: str = "", command: str = "") -> str:
        """The same as one HTML text, complete in itself, to be written as UTF-8."""
        from rocsolid.report.blocks_page import as_html

        return as_html(self.blocks(), title=title, command=command, verdict=self.answer())

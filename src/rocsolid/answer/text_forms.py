"""The forms that a result can be read in, each made from its blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rocsolid.remarks.muting import Checked
from rocsolid.report.blocks import LATEX, MARKDOWN, NOTEBOOK, PAGE, Form, TextBlock

if TYPE_CHECKING:
    from rocsolid.report.data import Page


class TextForms(Checked, ABC):
    """A result that says itself in blocks; each form renders all of them and knows no result."""

    __slots__ = ()

    @abstractmethod
    def blocks(self, form: Form = MARKDOWN) -> Iterable[TextBlock]:
        """What the result says, from the top down, as far as the form has room for it."""

    def answer(self) -> tuple[str, ...]:
        """A sentence or two that the page and the command line begin with."""
        return ()

    def _page(self, _title: str, _command: str) -> Page | None:
        """What a page has beside the blocks: curves, facts, what it gives away."""
        return None

    def to_markdown(self) -> str:
        """The tables as Markdown, with what they rest on and warnings below them."""
        from rocsolid.report.blocks import as_markdown

        return as_markdown(self.blocks(MARKDOWN))

    def to_latex(self) -> str:
        """The tables as LaTeX, for the booktabs package; notes stand below them."""
        from rocsolid.report.blocks import as_latex

        return as_latex(self.blocks(LATEX))

    def to_html(self, *, title: str = "", command: str = "") -> str:
        """One self-contained page, to be written as UTF-8: it loads nothing.

        ``title`` is that of the data unless given; ``command`` is shown as the way to make the page
        again.
        """
        from rocsolid.report.blocks_page import as_html
        from rocsolid.report.page import render

        page = self._page(title, command)
        if page is not None:
            return render(page, self.blocks(PAGE))
        return as_html(self.blocks(PAGE), title=title, command=command, verdict=self.answer())

    def _repr_html_(self) -> str:
        from rocsolid.report.notebook import blocks_output

        return blocks_output(self.blocks(NOTEBOOK), self.answer())

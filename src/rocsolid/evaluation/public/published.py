"""What `Evaluation.public` returns: what may be shown, and the forms in which it is."""

from __future__ import annotations

from rocsolid.evaluation.public.page import public_page
from rocsolid.evaluation.public.public_numbers import PublicNumbers
from rocsolid.evaluation.public.tables import as_latex, as_markdown
from rocsolid.report import render


class Published(PublicNumbers):
    """Everything that a public page says; ``audit`` says what that gives away.

    ``coarseness`` is what the page has less than the finest one. ``curves`` are in the order of the
    scores that have one. ``left_out`` are sentences on what is not published. ``asked`` is how many
    segments there are. ``forms`` says of each part log₂ of how many forms it could take, all
    labelings with the same class sizes considered.
    """

    __slots__ = ()

    def to_html(self, *, title: str = "") -> str:
        """The public page."""
        return render(public_page(self, title=title))

    def to_markdown(self) -> str:
        """The published results as Markdown tables, with what they give away."""
        return as_markdown(self)

    def to_latex(self) -> str:
        """The published results as LaTeX tables, for the booktabs package."""
        return as_latex(self)

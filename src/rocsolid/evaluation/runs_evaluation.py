"""What `evaluate_runs` returns: its numbers, and the forms in which they are read."""

from __future__ import annotations

from rocsolid.evaluation.runs_numbers import RunsNumbers


class RunsEvaluation(RunsNumbers):
    """Runs by several measures: ``audits`` in the order given, each measure's runs best first.

    ``notes`` say where a profile's tool would have refused the files.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        from rocsolid.evaluation.notebook import runs_output

        return runs_output(self)

    def to_html(self, *, title: str = "", command: str = "") -> str:
        """One self-contained page: the audit, every measure with its intervals, the differences."""
        from rocsolid.evaluation.runs_page import runs_page

        return runs_page(self, title=title, command=command)

    def to_markdown(self) -> str:
        """The tables as Markdown, with what they rest on below them."""
        from rocsolid.evaluation.runs_tables import as_markdown

        return as_markdown(self)

    def to_latex(self) -> str:
        """The values and the differences as LaTeX tables, for the booktabs package."""
        from rocsolid.evaluation.runs_tables import as_latex

        return as_latex(self)

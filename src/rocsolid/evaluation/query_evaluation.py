"""What `rocsolid.evaluate` returns for measures of queries, and the forms in which it is read."""

from __future__ import annotations

from rocsolid.evaluation.query_numbers import QueryNumbers


class QueryEvaluation(QueryNumbers):
    """Scores by several measures of queries: each measure's scores best first, all pairs compared.

    ``scores`` are in the order given. A segment is made of whole queries. ``notes`` say where a
    profile's tool would have refused the table. ``distinction`` says which discount and cut-off of
    nDCG tell the two best scores apart, where that was asked for.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        from rocsolid.evaluation.notebook import queries_output

        return queries_output(self)

    def to_html(self, *, title: str = "", command: str = "") -> str:
        """One self-contained page: every measure, the differences, the segments, the queries."""
        from rocsolid.evaluation.query_page import query_page

        return query_page(self, title=title, command=command)

    def to_markdown(self) -> str:
        """The tables as Markdown, with what they rest on below them."""
        from rocsolid.evaluation.query_tables import as_markdown

        return as_markdown(self)

    def to_latex(self) -> str:
        """The values, the differences and the segments as LaTeX tables, for booktabs."""
        from rocsolid.evaluation.query_tables import as_latex

        return as_latex(self)

"""What `rs.evaluate` with ``qid`` and `evaluate_runs` return: numbers in the forms to be read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rocsolid.answer.text_forms import TextForms
from rocsolid.evaluation.query_numbers import QueryNumbers, RunsNumbers
from rocsolid.report.blocks import MARKDOWN
from rocsolid.results.framed import Framed

if TYPE_CHECKING:
    from rocsolid.report.blocks import Form, TextBlock


class QueryEvaluation(QueryNumbers, TextForms, Framed):
    """Scores by several measures of queries: each measure's scores best first, all pairs compared.

    ``scores`` are in the order given. A segment is made of whole queries. ``notes`` say where a
    profile's tool would have refused the table. ``distinction`` says which discount and cut-off of
    nDCG separate the two best scores, where that was requested.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        from rocsolid.evaluation.notebook import queries_output

        return queries_output(self)

    def blocks(self, form: Form = MARKDOWN) -> Iterable[TextBlock]:
        from rocsolid.evaluation.query_blocks import query_blocks

        return query_blocks(self, paper=form.paper)

    def answer(self) -> tuple[str, ...]:
        """By the first measure: the highest, and which others it is significantly better than."""
        from rocsolid.evaluation.query_tables import verdict_of_runs

        return verdict_of_runs(self.measures[0])

    def to_html(self, *, title: str = "", command: str = "") -> str:
        """One self-contained page: every measure, the differences, the segments, the queries."""
        from rocsolid.evaluation.query_page import query_page

        return query_page(self, title=title, command=command)


class RunsEvaluation(RunsNumbers, TextForms, Framed):
    """Runs by several measures: ``audits`` in the order given, each measure's runs best first.

    ``notes`` say where a profile's tool would have refused the files.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        from rocsolid.evaluation.notebook import runs_output

        return runs_output(self)

    def blocks(self, form: Form = MARKDOWN) -> Iterable[TextBlock]:
        from rocsolid.evaluation.query_blocks import runs_blocks

        return runs_blocks(self, paper=form.paper)

    def answer(self) -> tuple[str, ...]:
        """By the first measure: the highest, and which others it is significantly better than."""
        from rocsolid.evaluation.query_tables import verdict_of_runs

        return verdict_of_runs(self.measures[0])

    def to_html(self, *, title: str = "", command: str = "") -> str:
        """One self-contained page: the audit, every measure with its intervals, the differences."""
        from rocsolid.evaluation.query_page import runs_page

        return runs_page(self, title=title, command=command)

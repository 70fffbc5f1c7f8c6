"""What `rocsolid.evaluate` returns: its numbers, and the forms in which they are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rocsolid.answer.text_forms import TextForms
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers
from rocsolid.report.blocks import MARKDOWN
from rocsolid.results.framed import Framed

if TYPE_CHECKING:
    from rocsolid.evaluation.public.ladder import PublicEvaluation
    from rocsolid.report.blocks import Form, TextBlock


class Evaluation(EvaluationNumbers, TextForms, Framed):
    """The estimates of all scores over all rows and in each segment, with what was left out.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1, 0, 1, 1], "risk": [0.1, 0.6, 0.4, 0.8, 0.3]}
    >>> print(rs.evaluate(table, label="y", scores="risk").to_markdown())
    the table: 5 rows, label y.
    <BLANKLINE>
    | score | AUC | 95 % | certified | positives | negatives |
    |:--|--:|--:|--:|--:|--:|
    | risk | 0.8333 | ... | ... | 3 | 2 |
    ...
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        from rocsolid.evaluation.notebook import evaluation_output

        return evaluation_output(self)

    def blocks(self, form: Form = MARKDOWN) -> Iterable[TextBlock]:  # noqa: ARG002
        from rocsolid.evaluation.evaluation_tables import evaluation_blocks

        return evaluation_blocks(self)

    def public(
        self, *, max_exposed: int = 0, max_posterior: float = 0.95, max_bits: float | None = None
    ) -> PublicEvaluation:
        """What may be shown to people who are not to learn the labels, and what that gives away.

        Rounded numbers, a coarse curve and an audit of them, as plain results with ``to_dict()``
        and ``to_html()``. It is the finest page from which no more than ``max_exposed`` labels are
        certain or likelier than ``max_posterior``, and that tells at most ``max_bits`` about the
        labels on average; ``left_out`` says what was withheld for that.
        `rocsolid.errors.ExposedError` is raised where there is no such page. It never says that
        publishing is safe.
        """
        from rocsolid.evaluation.public.ladder import publish

        return publish(
            self, max_exposed=max_exposed, max_posterior=max_posterior, max_bits=max_bits
        )

    def to_html(self, *, title: str = "", command: str = "", public: bool = False) -> str:
        """One self-contained page: the answer in words, curves, ranks, the table, the methods.

        It shows exact curves and the place of every positive: read it as a page that discloses
        the labels to whoever has the scores, and it says so itself. With ``public`` the numbers
        are rounded, limits outward, the curve is drawn at a few rounded points, and path,
        thresholds, ranks, bands, fingerprints and the ``command`` are left out; the page then says
        what it still gives away, and where it would make a label certain it is made coarser, as
        `public` says. ``title`` is the source of the data unless given (on a public
        page without its folders); ``command`` is shown as the way to make the page again.
        """
        if public:
            return self.public().to_html(title=title)
        from rocsolid.evaluation.page import page_of
        from rocsolid.report import render

        return render(page_of(self, title=title, command=command))

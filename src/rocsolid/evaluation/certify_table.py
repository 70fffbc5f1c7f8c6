"""Score columns of a table with a limit below each that holds with proof."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any, TypedDict, Unpack

from rocsolid.binary.design import Design
from rocsolid.engines.at_hand import check_room
from rocsolid.engines.engine import Columns
from rocsolid.engines.opening import open_engine
from rocsolid.errors import InputError
from rocsolid.evaluation.certificate_page import certificates_page
from rocsolid.evaluation.column_names import column_names
from rocsolid.inputs import TextLabel, pos_label_from_text, positives, read_table, sample_weights
from rocsolid.inputs.grades import grades
from rocsolid.learners.certificate import CertifiedGrid, certify_grid
from rocsolid.learners.certificate.scores_of import every_score
from rocsolid.measures.named import of_lists
from rocsolid.remarks.muting import Checked
from rocsolid.results import Alternative
from rocsolid.results.plain import attributes, one_line
from rocsolid.weights import Weight


@dataclass(frozen=True, slots=True, eq=False)
class TableCertificates(Checked):
    """The certificates of a table's score columns, which hold all at once.

    ``at_least`` is what the limit of the best one was asked to reach, if anything was.
    """

    source: str
    label: str
    rows: int
    grid: CertifiedGrid
    at_least: float | None = None

    __repr__ = one_line

    def __str__(self) -> str:
        text = str(self.grid) if len(self.grid) > 1 else str(self.grid.certificate)
        return f"{text}\n{self.decision}" if self.decision else text

    @property
    def reached(self) -> bool | None:
        """Whether the limit of the best score reaches what was asked; ``None`` if nothing was."""
        return None if self.at_least is None else self.grid.certificate.low >= self.at_least

    @property
    def decision(self) -> str:
        """The same in words; empty if nothing was asked."""
        return "" if self.at_least is None else self.grid.certificate.reaches(self.at_least)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            **attributes(self, "source label rows"),
            **self.grid.to_dict(),
            **attributes(self, "at_least reached decision"),
        }

    def to_html(self, *, title: str = "", command: str = "") -> str:
        """One self-contained page, to be written as UTF-8."""
        return certificates_page(
            self.grid,
            title=title or f"Certificate: {self.source}",
            command=command,
            decision=self.decision,
        )


class CertifyKeywords(TypedDict, total=False):
    """The keywords of `rocsolid.learners.certify_grid` that do not name rows."""

    measure: str | Weight
    level: float
    candidates: int | None
    bound: str
    alternative: Alternative
    design: Design
    lower_is_better: bool
    independent: bool


def certify_table(
    data: Any,
    *,
    label: str,
    scores: str | Sequence[str],
    qid: str | None = None,
    sample_weight: str | None = None,
    cluster: str | None = None,
    pos_label: Any = None,
    at_least: float | None = None,
    **how: Unpack[CertifyKeywords],
) -> TableCertificates:
    """Certify columns of scores; several of them are candidates, and ln of their number is charged.

    ``data`` is whatever `rocsolid.evaluate` reads, and the other arguments name its columns; the
    rest is as in `rocsolid.learners.certify`. The scores must come from scorers that were not
    fitted on these rows, which a table cannot show: ``independent=True`` asserts it. ``at_least``
    requests a decision: whether the limit of the best score reaches it.

    >>> table = {"y": [0, 1] * 50, "s": [i % 2 + i / 50 for i in range(100)]}
    >>> print(certify_table(table, label="y", scores="s"))
    AUC 0.8800, certified at least 0.7...
    """
    _check_bar(at_least, how.get("alternative", "greater"))
    names = column_names(scores, "scores")
    keys = [name for name in (qid, cluster) if name is not None]
    weights = [] if sample_weight is None else [sample_weight]
    columns = Columns(label, tuple(names), tuple(keys), sample_weight)
    with closing(open_engine(data, columns)) as engine:
        check_room(engine, columns)
    table = read_table(data, labels=[label], numbers=[*names, *weights], keys=keys)
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, table[label])
    by_query = of_lists(how.get("measure", "auc"), queries=qid is not None)
    if by_query and pos_label is not None:
        raise InputError(
            "a measure of ranked lists reads grades, which have no positive label",
            where="pos_label",
            value=pos_label,
            fix="leave it out",
        )
    name = f"column {label!r}"
    y = (
        grades(table[label], unjudged="raise", rows=table.rows)
        if by_query
        else positives(table[label], pos_label=pos_label, name=name, rows=table.rows)
    )
    found = {each: every_score(table[each], f"column {each!r}", table.rows) for each in names}
    grid = certify_grid(
        found,
        y=y,
        qid=None if qid is None else table[qid],
        sample_weight=None
        if sample_weight is None
        else sample_weights(
            table[sample_weight], len(table), name=f"column {sample_weight!r}", rows=table.rows
        ),
        cluster=None if cluster is None else table[cluster],
        **how,
    )
    return TableCertificates(
        table.source, label, len(table), grid.warned(*table.warnings), at_least
    )


def _check_bar(at_least: float | None, alternative: Alternative) -> None:
    if at_least is None:
        return
    if isinstance(at_least, bool) or not isinstance(at_least, Real) or not isfinite(at_least):
        raise InputError("what a limit is to reach is a number", where="at_least", value=at_least)
    if alternative == "less":
        raise InputError(
            "an upper limit does not say that anything is reached",
            where="at_least",
            value=at_least,
            fix='use alternative="greater" or "two-sided"',
        )

"""Certify score columns, and pages of certificates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import field, replace
from math import isfinite
from numbers import Real
from typing import Any, Unpack

import numpy as np

from rocsolid._version import __version__
from rocsolid.answer.answer import Answer, AnswerKind
from rocsolid.answer.entry import Entry
from rocsolid.certificates.certificate import Certificate, rounded_down, rounded_up
from rocsolid.certificates.of_scorer import CertifiedGrid, certify_grid, ranked
from rocsolid.certificates.scores_of import every_score
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Columns, Reading
from rocsolid.engines.in_memory import InMemory, check_room, open_engine
from rocsolid.engines.outcomes import MOST
from rocsolid.errors import InputError
from rocsolid.evaluation.certify_elsewhere import (
    CertifyKeywords,
    CertifyTableKeywords,
    certificates_need_rows,
    certify_lists,
    certify_outcomes,
    certify_scores,
    default_intervals,
)
from rocsolid.evaluation.page_notes import interval_notes, without_methods
from rocsolid.evaluation.path_leaks import distinct, item_cells
from rocsolid.inputs.binary import (
    TextLabel,
    binary_rows,
    pos_label_from_text,
    positives,
    sample_weights,
)
from rocsolid.inputs.graded_rows import grades
from rocsolid.inputs.tables import read_table
from rocsolid.leaks.page_leaks import Item
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.concordance import of_outcomes, refuse_for_outcomes
from rocsolid.measures.named import of_lists
from rocsolid.parameters import column_names
from rocsolid.pictures.lanes import limits_picture
from rocsolid.report.blocks import BRIEF, PAGE, Form, TextBlock
from rocsolid.report.data import LeakReport, Page
from rocsolid.report.frame import Large
from rocsolid.report.html import render
from rocsolid.report.text import Cells, measure_title
from rocsolid.results import Alternative, percent
from rocsolid.results.card import Card, CardRow
from rocsolid.results.framed import library_of
from rocsolid.results.interval import Interval
from rocsolid.results.standing import State


def certificate_page(certificate: Certificate, *, title: str = "", command: str = "") -> str:
    """Render one certificate as a self-contained HTML text, to be written as UTF-8.

    >>> from rocsolid.certificates import certify
    >>> page = certificate_page(certify([3, 1, 2, 0], y=[1, 0, 1, 0]))
    >>> page.startswith("<!doctype html>"), "hinge" in page
    (True, True)
    """
    one = {certificate.scorer: certificate}
    grid = CertifiedGrid(one, certificate.scorer)
    return render(certificates_page(grid, title=title, command=command))


def certificates_page(
    grid: CertifiedGrid,
    *,
    title: str = "",
    command: str = "",
    decision: str = "",
    at_least: float | None = None,
    calibrated: Mapping[str, Interval] | None = None,
) -> Page:
    """The page of several certificates; ``calibrated`` intervals are drawn next to the limits."""
    best = grid.certificate
    title_ = measure_title(best.measure)
    return Page(
        title=title or f"Certificate: {best.measure} of {grid.best}",
        verdict=certified_verdict(grid, decision),
        lead=_lead(grid),
        card=_card(grid, decision),
        large=(Large(limits_picture(grid.certificates, calibrated, title_, at_least)),),
        notes=tuple(interval_notes(one.interval for one in grid.certificates.values())),
        facts=_facts(grid),
        command=command,
        leaks=_leaks(grid),
    )


def _leaks(grid: CertifiedGrid) -> LeakReport:
    every = list(grid.certificates.values())
    values = "One value" if len(every) == 1 else f"{len(every):,} values"
    two_classes = "n_pos" in grid.certificate.counts
    about = "labels" if two_classes else "grades"
    items: list[Item | Interval] = ["auc", "class sizes", "fingerprint"] if two_classes else []
    return LeakReport(
        public=False,
        banner="Certificate: it shows a measure and its limit, but no curve, threshold or rank. "
        "If the labels are not public, read below what it reveals before you publish it.",
        verdict=f"{values} with the limits: for someone with the scores each is an equation in "
        f"the {about}. The number of {about} that follow was not counted; for an AUC, "
        "rocsolid leak count counts them.",
        tables=(item_cells([*items, *distinct([one.interval for one in every])]),),
        uncounted=("Other publications on the same rows.",),
    )


def certified_verdict(grid: CertifiedGrid, decision: str) -> tuple[str, ...]:
    best = grid.certificate
    title = measure_title(best.measure)
    if best.vacuous:
        return (f"{grid.best}: {title} {best._in_short()}. These rows are too few for any limit.",)
    chance = f"It is {best._verdict_text}." if best.verdict else ""
    sentence = f"{grid.best}: {title} {best._in_short()}, guaranteed at {percent(best.level)}."
    return tuple(filter(None, (sentence, decision or chance)))


def _lead(grid: CertifiedGrid) -> tuple[str, ...]:
    best = grid.certificate
    joint = f"All {len(grid):,} limits hold jointly, so the best candidate may be picked: "
    joint += f"{grid.best}."
    return (
        f"A certificate is a limit for the {best.measure} in the population of the rows. At "
        f"least {percent(best.level)} of samples of such rows give a correct limit, at every "
        "sample size and for every distribution that meets the assumptions below.",
        *([joint] if len(grid) > 1 else []),
    )


def _card(grid: CertifiedGrid, decision: str) -> Card:
    best = grid.certificate
    digits, upper = best.interval.decimals, best.settings.get("alternative") == "less"
    end = rounded_up(best.high, digits) if upper else rounded_down(best.low, digits)
    states: dict[str, State] = {"better than chance": "better", "worse than chance": "worse"}
    row = CardRow(
        grid.best, best.high if upper else best.low, end,
        f"value {best.value:.{digits}f}, {percent(best.level)}",
        state=states.get(best.verdict, "open") if best.verdict else "",
        word=best._verdict_text or decision, detail=decision if best.verdict else "",
    )  # fmt: skip
    limit = f"guaranteed {'upper' if upper else 'lower'} limit, {measure_title(best.measure)}"
    return Card(limit, rows=(row,))


def _facts(grid: CertifiedGrid) -> tuple[tuple[str, str], ...]:
    best = grid.certificate
    sizes = [(_WORDS[name], f"{count:,}") for name, count in best.counts.items()]
    many = len(grid) > 1
    prints = [
        (f"Fingerprint of the scores{f' of {name}' if many else ''}", one.scores)
        for name, one in grid.certificates.items()
    ]
    return (
        *sizes,
        ("Probability of a wrong limit", f"{1.0 - best.level:.12g}"),
        ("Candidates charged for", f"{best.candidates:,}"),
        *([("Fingerprint of the features", best.data)] if best.data else []),
        *prints,
        ("rocsolid", __version__),
        ("NumPy", np.__version__),
    )


_WORDS = {
    "n_pos": "Positives", "n_neg": "Negatives", "n_queries": "Queries", "n_rows": "Rows",
    "n_outcomes": "Different outcomes",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class CertifiedRows:
    """The certificates of a table's score columns, which hold jointly.

    ``at_least`` is the bar for the best limit, and ``calibrated`` are the default intervals.
    """

    label: str
    rows: int
    grid: CertifiedGrid
    at_least: float | None = None
    calibrated: Mapping[str, Interval] = field(default_factory=dict)

    @property
    def reached(self) -> bool | None:
        return None if self.at_least is None else self.grid.certificate.low >= self.at_least

    @property
    def decision(self) -> str:
        return "" if self.at_least is None else self.grid.certificate.reaches(self.at_least)


def _verdict(answer: Answer) -> tuple[str, ...]:
    return certified_verdict(answer.grid, answer.decision)


def _page(answer: Answer, title: str, command: str) -> Page:
    title = title or f"Certificate: {answer.source}"
    return certificates_page(
        answer.grid, title=title, command=command, decision=answer.decision,
        at_least=answer.at_least, calibrated=answer.calibrated,
    )  # fmt: skip


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    best = answer.grid.certificate
    rows = tuple(
        (name, f"{one.value:.{one.interval.decimals}f}",
         rounded_down(one.low, one.interval.decimals), one._verdict_text)
        for name, one in ranked(answer.grid.certificates)
    )  # fmt: skip
    heads = ("score", measure_title(best.measure), "at least", "verdict")
    if len(rows) > 1 or not form.narrow:
        yield TextBlock("", Cells(f"{answer.source}: {counted(answer.rows, 'row')}.", heads, rows))
    if form.name == BRIEF.name:
        yield TextBlock(said=(best._basis_text,), notes=best.warnings, methods=best.sentences()[:1])
        return
    features = f"features {best.data}, " if best.data else ""
    fingerprint = f"Fingerprint: {features}scores {best.scores}."
    if form is PAGE:  # its methods and fingerprints are in a part of their own
        said = (without_methods(text, [best.interval]) for text in best.sentences())
        yield TextBlock(said=tuple(said))
        return
    yield TextBlock(said=best.sentences(), methods=(fingerprint,))


CERTIFIED = AnswerKind(
    "source label rows best=grid.best certificates=grid.certificates at_least reached decision",
    _blocks, _verdict, _page,
)  # fmt: skip


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
    **keywords: Unpack[CertifyTableKeywords],
) -> Answer:
    """Certify columns of scores; several are candidates, at the cost of the log of their number.

    ``data`` is any source of `rocsolid.evaluate`, and the other arguments name its columns; the
    rest is as in `rocsolid.learners.certify`. The scorers must not have been fitted on these rows,
    which a table cannot show: ``independent=True`` asserts it. ``at_least`` requests a decision:
    whether the limit of the best score reaches it.

    >>> table = {"y": [0, 1] * 50, "s": [i % 2 + i / 50 for i in range(100)]}
    >>> print(certify_table(table, label="y", scores="s"))
    s: AUC 0.8800, certified at least 0.7...
    """
    reading = Reading(keywords.pop("memory", None), keywords.pop("threads", None))
    how: CertifyKeywords = keywords
    _check_bar(at_least, how.get("alternative", "greater"))
    names = column_names(scores, "scores")
    keys = [name for name in (qid, cluster) if name is not None]
    weights = [] if sample_weight is None else [sample_weight]
    scale = of_outcomes(how.get("measure", "auc"))
    columns = Columns(
        label, tuple(names), (), sample_weight, cluster, pos_label,
        how.get("lower_is_better", False), nan="omit", ordered=scale is not None,
    )  # fmt: skip
    if scale is not None:
        refuse_for_outcomes(qid=qid, pos_label=pos_label)

    def answered(
        grid: CertifiedGrid, rows: int, source: str, calibrated: Mapping[str, Interval] = {}
    ) -> Answer:
        certified = CertifiedRows(label, rows, grid, at_least, calibrated)
        results = [Entry(name, one.measure, None, one) for name, one in ranked(grid.certificates)]
        notes = (certified.decision,) if certified.decision else ()
        return Answer(
            CERTIFIED, source, results, notes=notes, basis=certified, library=library_of(data)
        )

    with closing(open_engine(data, columns, reading)) as engine:
        if not isinstance(engine, InMemory):
            if scale is not None:
                few = engine.few_outcomes(MOST)
                ordered_grid = certify_outcomes(engine, scale, **how) if few else None
                if ordered_grid is not None:
                    return answered(ordered_grid, engine.rows, engine.source)
            elif not certificates_need_rows(columns, qid, **how):
                calibrated: Mapping[str, Interval] = {}
                if qid is not None:
                    grid, count = certify_lists(engine, qid, **how)
                else:
                    (grid, calibrated), count = certify_scores(engine, **how), engine.rows
                return answered(grid, count, engine.source, calibrated)
            check_room(engine, replace(columns, by=() if qid is None else (qid,)))
    ordered = scale is not None
    labels, numbers = ([], [label]) if ordered else ([label], [])
    table = read_table(data, labels=labels, numbers=[*numbers, *names, *weights], keys=keys)
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, table[label])
    by_query = of_lists(how.get("measure", "auc"), queries=qid is not None)
    if by_query and pos_label is not None:
        raise InputError(
            "a measure of ranked lists uses grades, which have no positive label",
            where="pos_label",
            value=pos_label,
            fix="leave it out",
        )
    name = f"column {label!r}"
    y = (
        table[label]
        if ordered
        else grades(table[label], unjudged="raise", rows=table.rows)
        if by_query
        else positives(table[label], pos_label=pos_label, name=name, rows=table.rows)
    )
    ranked_by = {each: every_score(table[each], f"column {each!r}", table.rows) for each in names}
    grid = certify_grid(
        ranked_by,
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
    grid = grid.warned(*table.warnings)
    calibrated = {}
    if not (by_query or ordered) and sample_weight is None and cluster is None:
        low = how.get("lower_is_better", False)
        rows = {name: binary_rows(y, s, lower_is_better=low) for name, s in ranked_by.items()}
        scored = {name: ScoredRows(own) for name, own in rows.items()}
        calibrated = default_intervals(scored, how)
    return answered(grid, len(table), table.source, calibrated)


def _check_bar(at_least: float | None, alternative: Alternative) -> None:
    if at_least is None:
        return
    if isinstance(at_least, bool) or not isinstance(at_least, Real) or not isfinite(at_least):
        raise InputError("the bar for a limit must be a number", where="at_least", value=at_least)
    if alternative == "less":
        raise InputError(
            "an upper limit cannot show that a bar is reached",
            where="at_least",
            value=at_least,
            fix='use alternative="greater" or "two-sided"',
        )

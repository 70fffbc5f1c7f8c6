"""Certificates as one page: the limit large, what it rests on, and how to know the data again."""

from __future__ import annotations

import numpy as np

from rocsolid._version import __version__
from rocsolid.certificates import Certificate, CertifiedGrid
from rocsolid.certificates.certificate import rounded_down, rounded_up
from rocsolid.certificates.grid import ranked
from rocsolid.evaluation.page_notes import interval_notes, without_methods
from rocsolid.evaluation.path_leaks import distinct, item_cells
from rocsolid.leaks.page_leaks import Item
from rocsolid.report import Page, ScoreSummary, render
from rocsolid.report.leak_data import LeakReport
from rocsolid.report.text import measure_title
from rocsolid.results import Interval, percent


def certificate_page(certificate: Certificate, *, title: str = "", command: str = "") -> str:
    """One certificate as one HTML text, complete in itself, to be written as UTF-8.

    >>> from rocsolid.certificates import certify
    >>> page = certificate_page(certify([3, 1, 2, 0], y=[1, 0, 1, 0]))
    >>> page.startswith("<!doctype html>"), "hinge" in page
    (True, True)
    """
    one = {certificate.scorer: certificate}
    grid = CertifiedGrid(one, certificate.scorer)
    return render(certificates_page(grid, title=title, command=command))


def certificates_page(
    grid: CertifiedGrid, *, title: str = "", command: str = "", decision: str = ""
) -> Page:
    """The candidates in the order of their limits, the best one in full, and what was decided."""
    best = grid.certificate
    return Page(
        title=title or f"Certificate: {best.measure} of {grid.best}",
        verdict=certified_verdict(grid, decision),
        lead=_lead(grid),
        answers=tuple(_answer(name, one) for name, one in ranked(grid.certificates)),
        notes=tuple(interval_notes(one.interval for one in grid.certificates.values())),
        facts=_facts(grid),
        command=command,
        leaks=_leaks(grid),
    )


def _leaks(grid: CertifiedGrid) -> LeakReport:
    """Values and limits; of lists these are about relevance, of rows about labels."""
    every = list(grid.certificates.values())
    values = "One value" if len(every) == 1 else f"{len(every):,} values"
    of_lists = "n_queries" in grid.certificate.counts
    about = "relevance grades" if of_lists else "labels"
    items: list[Item | Interval] = [] if of_lists else ["auc", "class sizes", "fingerprint"]
    return LeakReport(
        public=False,
        banner="Certificate: it shows a measure and its limit, and no curve, threshold or rank. "
        "If the labels are not public, read below what that gives away before you publish it.",
        verdict=f"{values} with the limits: for somebody with the scores each is an equation in "
        f"the {about}. How many {about} follow was not counted; rocsolid leak count does "
        "for an AUC.",
        tables=(item_cells([*items, *distinct([one.interval for one in every])]),),
        uncounted=("Other publications on the same rows.",),
    )


def certified_verdict(grid: CertifiedGrid, decision: str) -> tuple[str, ...]:
    """The limit of the best one, and what was decided, or where chance stands."""
    best = grid.certificate
    title = measure_title(best.measure)
    if best.vacuous:
        return (f"{grid.best}: {title} {best.in_short()}. These rows are too few for any limit.",)
    chance = f"It is {best.verdict}." if best.verdict else ""
    said = f"{grid.best}: {title} {best.in_short()}, guaranteed at {percent(best.level)}."
    return tuple(filter(None, (said, decision or chance)))


def _lead(grid: CertifiedGrid) -> tuple[str, ...]:
    best = grid.certificate
    return (
        f"A certificate is a limit for the {best.measure} in the population that the rows come "
        f"from. At least {percent(best.level)} of samples of such rows give a limit that is right, "
        "at every sample size and for every distribution that meets the assumptions below.",
        *(
            (f"All {len(grid):,} limits hold at once, so the best one may be picked: {grid.best}.",)
            if len(grid) > 1
            else ()
        ),
    )


def _answer(name: str, certificate: Certificate) -> ScoreSummary:
    first, second, *others = (
        without_methods(text, [certificate.interval]) for text in certificate.sentences()
    )
    decimals = certificate.interval.decimals
    return ScoreSummary(
        name,
        certificate.value,
        float(rounded_down(certificate.low, decimals)),
        float(rounded_up(certificate.high, decimals)),
        certificate.level,
        (second, " ".join([first, *others])),
        certificate.measure,
        decimals,
    )


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
        ("Allowed to fail with probability", f"{1.0 - best.level:.12g}"),
        ("Candidates charged for", f"{best.candidates:,}"),
        *([("Fingerprint of the features", best.data)] if best.data else []),
        *prints,
        ("rocsolid", __version__),
        ("NumPy", np.__version__),
    )


_WORDS = {"n_pos": "Positives", "n_neg": "Negatives", "n_queries": "Queries"}

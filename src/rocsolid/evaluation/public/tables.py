"""What is published of an evaluation as Markdown and LaTeX, made from that alone."""

from __future__ import annotations

from collections.abc import Iterator

from rocsolid.evaluation.public.page import PUBLIC_FORMS
from rocsolid.evaluation.public.public_numbers import PublicNumbers
from rocsolid.evaluation.public.rounded import RoundedInterval, RoundedResult
from rocsolid.report.cells import Cells
from rocsolid.report.latex import latex_table
from rocsolid.report.markdown import escape, markdown_points, markdown_table
from rocsolid.results import percent


def result_cells(published: PublicNumbers) -> Cells:
    """The rounded results; class sizes are empty where they are left out."""
    keys = list(dict.fromkeys(name for r in published.results for name in (r.by or {})))
    first = published.results[0]
    rows = tuple(
        (
            result.score,
            result.measure,
            *("all" if result.by is None else str(result.by[name]) for name in keys),
            result.text,
            _limits(result, result.interval),
            "none known" if result.certified is None else _limits(result, result.certified),
            *("" if size is None else f"{size:,}" for size in (result.n_pos, result.n_neg)),
        )
        for result in published.results
    )
    names = ("score", "measure", *keys)
    values = ("value", percent(first.interval.level), "certified", "positives", "negatives")
    said = f"{published.source}: {published.n_rows:,} rows, label {published.label}, rounded."
    return Cells(said, (*names, *values), rows, names=len(names))


def as_markdown(published: PublicNumbers) -> str:
    """What it gives away, the tables, what to mind, and what is left out."""
    audit = published.audit
    parts = [] if audit is None else [escape(audit.banner), escape(audit.verdict)]
    parts += [markdown_table(cells) for cells in _tables(published)]
    parts += markdown_points(_notes(published))
    return "\n\n".join(parts) + "\n"


def as_latex(published: PublicNumbers) -> str:
    """The same tables; the caption of the first holds what it gives away and what to mind."""
    first, *rest = _tables(published)
    audit = published.audit
    said = [first.caption] if audit is None else [first.caption, audit.banner, audit.verdict]
    caption = " ".join([*said, *_notes(published)])
    tables = [Cells(caption, first.heads, first.rows, first.names), *rest]
    return "\n\n".join(latex_table(cells) for cells in tables) + "\n"


def _tables(published: PublicNumbers) -> Iterator[Cells]:
    yield result_cells(published)
    yield from PUBLIC_FORMS["told_apart"](published, "")
    for score, counts in published.curves:
        above = zip(counts.above, counts.low, counts.high, strict=True)
        yield Cells(
            f"{score}: between how many and how many positives stand above a few cuts of the rows.",
            ("rows above", "positives above"),
            tuple((f"{rows:,}", f"{low:,} to {high:,}") for rows, low, high in above),
            names=0,
        )
    if published.audit is not None:
        yield from published.audit.tables


def _notes(published: PublicNumbers) -> list[str]:
    audit = published.audit
    said = () if audit is None else (*audit.readers, *audit.uncounted)
    return [*_warnings(published), *said, *PUBLIC_FORMS["left_out"](published, "")]


def _limits(result: RoundedResult, limits: RoundedInterval) -> str:
    return f"{limits.low:.{result.decimals}f} – {limits.high:.{result.decimals}f}"


def _warnings(published: PublicNumbers) -> list[str]:
    where: dict[str, list[str]] = {}
    for result in published.results:
        by = "".join(f", {name} = {value}" for name, value in (result.by or {}).items())
        for warning in result.warnings:
            where.setdefault(warning, []).append(f"{result.score}{by}")
    return [f"{'; '.join(names)}: {warning}" for warning, names in where.items()]

"""What is published of an evaluation as Markdown and LaTeX, made from that alone."""

from __future__ import annotations

from collections.abc import Iterator

from rocsolid.evaluation.evaluation_tables import result_cells, warnings_of
from rocsolid.evaluation.public.page import PUBLIC_FORMS
from rocsolid.evaluation.public.public_numbers import PublicNumbers
from rocsolid.report.blocks import TextBlock
from rocsolid.report.cells import Cells


def public_blocks(published: PublicNumbers, *, paper: bool) -> Iterator[TextBlock]:
    """What it gives away, the tables, the warnings, and what is left out."""
    audit = published.audit
    verdict = () if audit is None else (audit.banner, audit.verdict)
    told = () if audit is None else (*audit.readers, *audit.uncounted)
    notes = (*warnings_of(published.results), *told, *PUBLIC_FORMS["left_out"](published, ""))
    if paper:
        yield TextBlock("", _results(published), verdict, notes)
    else:
        yield TextBlock(said=verdict)
        yield TextBlock(cells=_results(published))
    for cells in PUBLIC_FORMS["told_apart"](published, ""):
        yield TextBlock(cells=cells)
    for score, counts in published.curves:
        above = zip(counts.above, counts.low, counts.high, strict=True)
        caption = f"{score}: between how many and how many positives stand above a few cuts of the "
        heads = ("rows above", "positives above")
        rows = tuple((f"{rows:,}", f"{low:,} to {high:,}") for rows, low, high in above)
        yield TextBlock(cells=Cells(f"{caption}rows.", heads, rows, names=0))
    if audit is not None:
        for cells in audit.tables:
            yield TextBlock(cells=cells)
    if not paper:
        yield TextBlock(notes=notes)


def _results(published: PublicNumbers) -> Cells:
    said = f"{published.source}: {published.n_rows:,} rows, label {published.label}, rounded."
    segments = dict.fromkeys(name for r in published.results for name in (r.by or {}))
    return result_cells(published.results, said, named=True, segments=tuple(segments))

"""Small tables as LaTeX, for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rocsolid.report.cells import Cells
from rocsolid.visible import visible

_MINUS = re.compile(r"(?<![\w.)-])-(?=\.?\d)")
_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "−": r"$-$",
    "–": "--",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "χ": r"$\chi$",
    "²": r"$^2$",
    "…": r"\ldots{}",
    "\N{NO-BREAK SPACE}": "~",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def latex_table(cells: Cells, notes: Iterable[str] = ()) -> str:
    """A table float for the booktabs package; the sentence is its caption, notes stand below.

    >>> print(latex_table(Cells("Means.", ("run", "ndcg@10"), (("bm25_b", "-0.5060"),))))
    \\begin{table}
      \\centering
      \\caption{Means.}
      \\begin{tabular}{lr}
        \\toprule
        run & ndcg@10 \\\\
        \\midrule
        bm25\\_b & $-$0.5060 \\\\
        \\bottomrule
      \\end{tabular}
    \\end{table}
    """
    columns = "".join("l" if i < cells.names else "r" for i in range(len(cells.heads)))
    inside = ["\\toprule", _line(cells.heads), "\\midrule", *map(_line, cells.rows), "\\bottomrule"]
    lines = [
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{escape(cells.caption)}}}",
        f"  \\begin{{tabular}}{{{columns}}}",
        *(f"    {line}" for line in inside),
        "  \\end{tabular}",
        *(f"  \\par\\smallskip\\footnotesize {escape(_minus(text))}" for text in notes),
        "\\end{table}",
    ]
    return "\n".join(lines)


def escape(text: str) -> str:
    """Text that LaTeX sets as it is; controls and line breaks are written out.

    >>> print(escape("95 % of a_b"))
    95 \\% of a\\_b
    """
    return "".join(_SIGNS.get(sign, sign) for sign in visible(text))


def _line(row: tuple[str, ...]) -> str:
    return f"{' & '.join(escape(_minus(cell)) for cell in row)} \\\\"


def _minus(text: str) -> str:
    """A minus before a number is one, and no hyphen."""
    return _MINUS.sub("−", text)

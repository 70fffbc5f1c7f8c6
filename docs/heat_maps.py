"""Tables of shares as pictures: coverage around .95, false alarms around .05.

``pictures/coverage-….svg`` and ``pictures/alarms-….svg`` are drawn from the table in
``benchmarks/`` that names them in a comment: a page that shows one cannot say anything else.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from rocsolid.pictures.lists import NO_DATA
from rocsolid.pictures.theme import LIGHT, drawing, saved

FOLDER = "pictures"
NOMINAL = {"coverage": 0.95, "alarms": 0.05}
REACH = 0.1  # from the nominal share to the deepest colour
DEEPEST = 0.6  # so that ink can be read on it


@functools.cache
def pictures() -> dict[str, bytes]:
    """What is in each file."""
    shown = r"\(pictures/((coverage|alarms)-\S+\.svg)\)[\s\S]*?\n((?:\|.*\n)+)"
    return {
        file: drawn(table, kind)
        for page in sorted((Path(__file__).parents[1] / "benchmarks").glob("*.md"))
        for file, kind, table in re.findall(shown, page.read_text("utf-8"))
    }


def drawn(table: str, kind: str) -> bytes:
    """The columns of shares of a table in Markdown; those before them name the rows."""
    lines = [line[1:-1].split("|") for line in table.splitlines()]
    heads, _, *rows = [[cell.strip() for cell in line] for line in lines]
    shares = [i for i, cell in enumerate(rows[0]) if share_of(cell) is not None]
    named = [", ".join(row[: shares[0]]) for row in rows]
    with drawing(None, 7.0, 0.7 + 0.27 * len(rows), NO_DATA) as ax:
        for y, row in enumerate(rows):
            for x, i in enumerate(shares):
                share = share_of(row[i])
                assert share is not None, row
                ax.barh(y, 1.0, 1.0, x - 0.5, color=colour(share, kind), edgecolor=LIGHT.paper)
                ax.text(x, y, f"{share:.3f}"[1:], ha="center", va="center", color=LIGHT.ink)
        ax.set_xticks(range(len(shares)), [heads[i] for i in shares])
        ax.set_yticks(range(len(rows)), named)
        ax.set(xlim=(-0.5, len(shares) - 0.5), ylim=(len(rows) - 0.5, -0.5))
        ax.tick_params(length=0, labeltop=True, labelbottom=False)
        ax.grid(visible=False)
        ax.spines[:].set_visible(False)
    return saved(ax, "svg")


def share_of(cell: str) -> float | None:
    """The share that begins a cell: "**0.102**", "0.940 (0 of 91)"."""
    found = re.match(r"(?:\*\*)?([01]\.\d{3})", cell)
    return float(found[1]) if found else None


def colour(share: float, kind: str) -> str:
    """Orange where a method fails, blue where it is on the safe side, pale near its level."""
    safe = (share - NOMINAL[kind]) * (1.0 if kind == "coverage" else -1.0)
    return LIGHT.mixed(0 if safe > 0 else 1, DEEPEST * min(abs(safe) / REACH, 1.0))

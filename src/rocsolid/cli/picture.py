"""A picture beside what a verb prints: what is refused before any work, and the file."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from rocsolid.cli.output import refuse_overwriting, write_bytes
from rocsolid.errors import InputError, require_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = (".png", ".svg", ".pdf")


def check_picture(table: str, path: str) -> None:
    """The file must be one of three kinds and not the table, and matplotlib must be there."""
    if PurePath(path).suffix.lower() not in KINDS:
        raise InputError(
            "a picture is a PNG, SVG or PDF file",
            where="--plot",
            value=path,
            fix=f"name a file that ends in {', '.join(KINDS[:-1])} or {KINDS[-1]}",
        )
    refuse_overwriting(table, path, "--plot")
    require_matplotlib("--plot")


def write_picture(path: str, ax: Axes) -> str:
    """The whole figure of these axes, as the kind of file that the name ends in; what it gives."""
    from rocsolid.plots.picture import Picture, saved

    write_bytes(path, saved(ax, PurePath(path).suffix.lower().lstrip(".")))
    figure = ax.figure.figure
    return figure.gives if isinstance(figure, Picture) else ""

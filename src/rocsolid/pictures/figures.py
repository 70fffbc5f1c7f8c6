"""A figure that is saved to the same bytes each time, and the axes that a picture is drawn on."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import PurePath
from typing import Any

from matplotlib import rcParams, style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rocsolid.errors import InputError
from rocsolid.pictures.colours import LIGHT, Look, look_on, settings

_DATED = {"svg": "Date", "pdf": "CreationDate"}
_TITLED = ("png", "svg", "pdf")
_DESCRIBED = {"png": "Description", "svg": "Description", "pdf": "Subject"}
_DOTS = 200  # an inch of a picture in pixels


class PictureFigure(Figure):
    """A figure in the style of the reports; a notebook shows it as it stands.

    ``gives`` says what it gives away about labels, in the file too. ``look`` is dark where the
    session's figures are.
    """

    gives: str = ""
    look: Look = LIGHT

    def savefig(self, fname: Any, **options: Any) -> None:
        """As matplotlib's, but without the date, and whatever the settings of the session."""
        kind = options.get("format") or _suffix(fname)
        metadata: dict[str, Any] = {_DATED[kind]: None} if kind in _DATED else {}
        title = "; ".join(ax.get_title(loc="left") for ax in self.axes)
        if kind in _TITLED and title:
            metadata["Title"] = title
        if kind in _DESCRIBED and self.gives:
            metadata[_DESCRIBED[kind]] = self.gives
        options["metadata"] = {**metadata, **(options.get("metadata") or {})}
        for ax in self.axes:  # the layout moves on from where it was left; it starts afresh here
            place = ax.get_subplotspec()
            if place is not None:
                ax.set_position(place.get_position(self))
                ax.set_in_layout(True)
        with _settings(self.look):
            super().savefig(fname, **options)

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=_DOTS / 2)
        return file.getvalue()


@contextmanager
def drawing(ax: Axes | None, width: float, height: float, gives: str) -> Iterator[Axes]:
    """The axes that were given, or those of a new picture of that size in inches.

    ``gives`` is what the picture gives away about labels.
    """
    if ax is not None:
        if not isinstance(ax, Axes):
            raise InputError(
                "a picture is drawn on matplotlib axes",
                where="ax",
                value=type(ax).__name__,
                fix="give axes, such as those of figure.subplots(), or leave ax out",
            )
        yield ax
        return
    look = look_on(rcParams["figure.facecolor"])
    with _settings(look):
        picture = PictureFigure(figsize=(width, height), dpi=_DOTS, layout="constrained")
        picture.gives, picture.look = gives, look
        yield picture.subplots()


def saved(ax: Axes, kind: str) -> bytes:
    """The whole figure of these axes as the content of a file of that kind.

    >>> with drawing(None, 2, 2, "Nothing.") as ax:
    ...     _ = ax.plot([0, 1], [0, 1])
    >>> saved(ax, "png")[1:4], saved(ax, "svg") == saved(ax, "svg")
    (b'PNG', True)
    """
    file = io.BytesIO()
    ax.figure.figure.savefig(file, format=kind)
    return file.getvalue()


def _settings(look: Look) -> AbstractContextManager[None]:
    """matplotlib's own defaults with ours on top, whatever else the session has set."""
    return style.context(["default", settings(look)])


def _suffix(fname: Any) -> str:
    if isinstance(fname, str | os.PathLike):
        return PurePath(os.fsdecode(fname)).suffix.lower().lstrip(".") or "png"
    return "png"

"""The appearance of pictures: colours of the HTML report, and settings of a figure."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import PurePath
from typing import Any, Literal

from matplotlib import rcParams, style
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.figure import Figure
from matplotlib.typing import ColorType

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError


@dataclass(frozen=True, slots=True)
class Look:
    """The colours on a light or a dark background, with the contrast of text."""

    ink: str
    muted: str
    rule: str
    faint: str
    paper: str
    colours: tuple[str, ...]

    def colour(self, index: int) -> str:
        return self.colours[index % len(self.colours)]

    def mixed(self, index: int, share: float) -> str:
        """A colour with that opacity on the background.

        >>> LIGHT.mixed(0, 0.0), LIGHT.mixed(0, 1.0)
        ('#ffffff', '#0b5fa5')
        """
        pairs = zip(to_rgb(self.colour(index)), to_rgb(self.paper), strict=True)
        red, green, blue = (share * full + (1.0 - share) * ground for full, ground in pairs)
        return to_hex((red, green, blue))


LIGHT = Look(
    ink="#191d23",
    muted="#59616c",
    rule="#dcdfe3",
    faint="#eceef0",
    paper="#ffffff",
    colours=("#0b5fa5", "#bd4b00", "#00765a", "#8a3f8f", "#755c00", "#4a5563"),
)
DARK = Look(
    ink="#e7e9ec",
    muted="#a3abb6",
    rule="#343a42",
    faint="#23282e",
    paper="#13161a",
    colours=("#6db4f0", "#f29a5c", "#4fc9a6", "#d79bdc", "#d8bf62", "#aab6c5"),
)

BAND = 0.14
"""The opacity of a band."""

INTERVAL = 0.72
"""The opacity of an interval: the contrast of each colour is still 3 to 1."""


def settings(look: Look) -> dict[str, object]:
    return {
        # matplotlib's own font, so that a picture is the same on every machine
        "font.family": "DejaVu Sans",
        "font.size": 9.0,
        "text.color": look.ink,
        "axes.titlesize": 10.5,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.titlepad": 10.0,
        "axes.labelcolor": look.muted,
        "axes.edgecolor": look.rule,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.grid": True,
        "grid.color": look.faint,
        "grid.linewidth": 0.8,
        "xtick.color": look.rule,
        "ytick.color": look.rule,
        "xtick.labelcolor": look.muted,
        "ytick.labelcolor": look.muted,
        "legend.facecolor": look.paper,
        "legend.edgecolor": look.paper,
        "legend.framealpha": 0.8,
        "legend.fancybox": False,
        "figure.constrained_layout.h_pad": 0.1,
        "figure.constrained_layout.w_pad": 0.1,
        "figure.facecolor": look.paper,
        "axes.facecolor": look.paper,
        "savefig.facecolor": look.paper,
        # otherwise the names inside an SVG are random
        "svg.hashsalt": "rocsolid",
    }


def look_of(axes: Axes) -> Look:
    own = axes.get_facecolor()
    return look_on(own if to_rgba(own)[3] >= 0.5 else axes.figure.figure.get_facecolor())


def look_on(ground: ColorType) -> Look:
    """The colours for that background.

    >>> look_on("black") is DARK, look_on("0.9") is LIGHT
    (True, True)
    """
    red, green, blue, _ = to_rgba(ground)
    return DARK if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.4 else LIGHT


def dashes(index: int) -> Literal["-", "--", "-.", ":"]:
    """Solid for three lines, dashed for the next three and so on: six colours may look alike.

    >>> dashes(2), dashes(3), dashes(6)
    ('-', '--', '-.')
    """
    kinds: tuple[Literal["-", "--", "-.", ":"], ...] = ("-", "--", "-.", ":")
    return kinds[index // 3 % len(kinds)]


_DATED = {"svg": "Date", "pdf": "CreationDate"}
_TITLED = ("png", "svg", "pdf")
_DESCRIBED = {"png": "Description", "svg": "Description", "pdf": "Subject"}
_DOTS = 200  # an inch of a picture in pixels


class PictureFigure(Figure):
    """A figure in the style of the reports, which a notebook displays.

    ``gives`` states what it reveals about labels, also in the file. ``look`` is dark if the
    session's figures are.
    """

    gives: str = ""
    look: Look = LIGHT

    def savefig(self, fname: Any, **options: Any) -> None:
        """Save as matplotlib does, but without the date and with fixed settings."""
        kind = options.get("format") or _suffix(fname)
        metadata: dict[str, Any] = {_DATED[kind]: None} if kind in _DATED else {}
        title = "; ".join(ax.get_title(loc="left") for ax in self.axes)
        if kind in _TITLED and title:
            metadata["Title"] = title
        if kind in _DESCRIBED and self.gives:
            metadata[_DESCRIBED[kind]] = self.gives
        options["metadata"] = {**metadata, **(options.get("metadata") or {})}
        for ax in self.axes:  # the layout depends on the last positions, so these are reset
            place = ax.get_subplotspec()
            if place is not None:
                ax.set_position(place.get_position(self))
                ax.set_in_layout(True)
        with settings_of(self.look):
            super().savefig(fname, **options)

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=_DOTS / 2)
        return file.getvalue()


@contextmanager
def drawing(ax: Axes | None, width: float, height: float, gives: str) -> Iterator[Axes]:
    """The given axes, or those of a new figure of that size in inches.

    ``gives`` states what the picture reveals about labels.
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
    with settings_of(look):
        picture = PictureFigure(figsize=(width, height), dpi=_DOTS, layout="constrained")
        picture.gives, picture.look = gives, look
        yield picture.subplots()


def saved(ax: Axes, kind: str) -> bytes:
    """The whole figure of these axes as the contents of a file.

    >>> with drawing(None, 2, 2, "Nothing.") as ax:
    ...     _ = ax.plot([0, 1], [0, 1])
    >>> saved(ax, "png")[1:4], saved(ax, "svg") == saved(ax, "svg")
    (b'PNG', True)
    """
    file = io.BytesIO()
    ax.figure.figure.savefig(file, format=kind)
    return file.getvalue()


def settings_of(look: Look) -> AbstractContextManager[None]:
    return style.context(["default", settings(look)])


def _suffix(fname: Any) -> str:
    if isinstance(fname, str | os.PathLike):
        return PurePath(os.fsdecode(fname)).suffix.lower().lstrip(".") or "png"
    return "png"

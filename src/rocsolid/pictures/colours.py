"""The look of a picture: the colours of the HTML report, and the settings of a figure of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.typing import ColorType


@dataclass(frozen=True, slots=True)
class Look:
    """The colours on a light or a dark ground.

    Those of lines have the contrast of text. Three of them in a row, which share their dashes, are
    distinguished with any kind of colour vision.
    """

    ink: str
    muted: str
    rule: str
    faint: str
    paper: str
    colours: tuple[str, ...]

    def colour(self, index: int) -> str:
        """The colour of the line with this number; after six they start again."""
        return self.colours[index % len(self.colours)]

    def mixed(self, index: int, share: float) -> str:
        """That share of a colour on the ground.

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
"""How much of its colour the area of a band has."""

INTERVAL = 0.72
"""How much of its colour an interval has: the contrast of each colour is still 3 to 1."""


def settings(look: Look) -> dict[str, object]:
    """matplotlib's settings for a figure of ours on that ground."""
    return {
        # the font that matplotlib brings, so that a picture is the same on every machine
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
        # without it the names inside an SVG are random, and so are its bytes
        "svg.hashsalt": "rocsolid",
    }


def look_of(axes: Axes) -> Look:
    """The colours that can be seen on these axes."""
    own = axes.get_facecolor()
    return look_on(own if to_rgba(own)[3] >= 0.5 else axes.figure.figure.get_facecolor())


def look_on(ground: ColorType) -> Look:
    """The colours that can be seen on that ground.

    >>> look_on("black") is DARK, look_on("0.9") is LIGHT
    (True, True)
    """
    red, green, blue, _ = to_rgba(ground)
    return DARK if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.4 else LIGHT


def dashes(index: int) -> Literal["-", "--", "-.", ":"]:
    """Three whole lines, three broken ones and so on: not everybody sees six colours.

    >>> dashes(2), dashes(3), dashes(6)
    ('-', '--', '-.')
    """
    kinds: tuple[Literal["-", "--", "-.", ":"], ...] = ("-", "--", "-.", ":")
    return kinds[index // 3 % len(kinds)]

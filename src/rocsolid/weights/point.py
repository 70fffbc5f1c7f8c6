from __future__ import annotations

from typing import Literal, get_args

from rocsolid.arguments import one_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.weights.weight import Polyline, check_positive

Side = Literal["both", "left", "right"]


@dataclass(frozen=True)
class Point(Polyline):
    """A tent of area one over [centre−reach, centre+reach], cut to [0, 1]."""

    fpr: float
    width: float
    side: Side = "both"

    def points(self) -> list[tuple[float, float]]:
        shift = {"left": -0.5, "both": 0.0, "right": 0.5}[self.side] * self.width
        centre = self.fpr + shift
        reach = self.width if self.side == "both" else self.width / 2
        left, right = max(centre - reach, 0.0), min(centre + reach, 1.0)
        # heights at the ends of [0, 1], for a tent of height one
        at_left, at_right = 1 - (centre - left) / reach, 1 - (right - centre) / reach
        at_left, at_right = (at_left if left == 0.0 else 0.0), (at_right if right == 1.0 else 0.0)
        area = (centre - left) * (1 + at_left) / 2 + (right - centre) * (1 + at_right) / 2
        return [
            (0.0, at_left / area),
            (left, at_left / area),
            (centre, 1 / area),
            (right, at_right / area),
            (1.0, at_right / area),
        ]


def point(fpr: float, width: float, *, side: Side = "both") -> Point:
    """Return a tent of area one at a false-positive rate: A_W tends to roc(fpr) as width→0.

    The tent extends by ``width`` to each side that it covers. A_W of the tent on the ``left`` is at
    most roc(fpr), and on the ``right`` at least. The Lipschitz constant is 1/width² (4/width² on
    one side), and larger if an end of [0, 1] cuts the tent (Maurer and Pontil 2020, Theorem 2,
    remark 3).

    >>> w = point(0.1, 0.05)
    >>> round(w.l1_norm, 12), round(w.sup_norm, 9), round(w.lipschitz, 6)
    (1.0, 20.0, 400.0)
    """
    if not 0.0 <= fpr <= 1.0:
        raise InputError("fpr must lie in [0, 1]", value=fpr)
    one_of(side, get_args(Side), "side")
    check_positive(width, "width")
    room = {"both": 1.0, "left": fpr, "right": 1.0 - fpr}[side]
    if width > room:
        raise InputError(
            "the tent does not fit into [0, 1]",
            where=f"side {side}, fpr {fpr}",
            value=width,
            fix=f"use a width of at most {room:g}" if room > 0 else "use the other side",
        )
    return Point(float(fpr), float(width), side)

"""The ways to smooth a ROC curve, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from rocsolid.binary.smoothing.binormal import BinormalCurve, fit_line
from rocsolid.binary.smoothing.density import RULE, Kernel, fit_density
from rocsolid.binary.smoothing.likelihood import LikelihoodFit, fit_likelihood
from rocsolid.summaries.score_counts import ScoreCounts

SmoothMethod = Literal["binormal", "binormal-ml", "density"]
SmoothCurve = BinormalCurve | Kernel
Fit = SmoothCurve | LikelihoodFit


class SmoothingModel(NamedTuple):
    """How a curve is fitted, and what must be true for it to be the right one."""

    fit: Callable[[ScoreCounts], Fit]
    assumption: str


_BINORMAL = "some increasing transform of the scores makes both classes normal"
MODELS: dict[str, SmoothingModel] = {
    "binormal": SmoothingModel(fit_line, _BINORMAL),
    "binormal-ml": SmoothingModel(fit_likelihood, _BINORMAL),
    "density": SmoothingModel(
        fit_density, f"densities smooth on the scale of the scores; bandwidth {RULE}"
    ),
}


def curve_of(fit: Fit) -> SmoothCurve:
    return fit.curve if isinstance(fit, LikelihoodFit) else fit


def assumptions(method: str) -> tuple[str, ...]:
    """What a smooth curve and its intervals assume."""
    return ("rows independent", f"model: {MODELS[method].assumption}")

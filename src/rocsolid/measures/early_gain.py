"""Areas under the gain curve: all of it, and with a weight that falls exponentially (BEDROC)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.cumulative_gain import (
    GainBlocks,
    bedroc_scale,
    blocks_of,
    effective,
    exponential,
)
from rocsolid.binary.estimate import Options, Wording
from rocsolid.binary.inference import plain_certificate
from rocsolid.binary.top_estimate import TopValue, top_estimate
from rocsolid.binary.warnings import uneven
from rocsolid.engines.memory import score_counts
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.measure_parameters import MeasureParameter, settings_of
from rocsolid.intervals.guarantees.completed_curve import bedroc_of
from rocsolid.intervals.guarantees.gain_area import gain_area_of
from rocsolid.measures.picture import Picture
from rocsolid.measures.scored import Scored
from rocsolid.measures.top_measure import PREVALENCE, TopMeasure
from rocsolid.results import Estimate
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts

_MOST = 500.0


def _alpha(value: str, text: str) -> float:
    try:
        alpha = float(value)
    except ValueError:
        raise _refused(text) from None
    if not 0.0 < alpha <= _MOST:
        raise _refused(text)
    return alpha


ALPHA = MeasureParameter("alpha", "how steeply the weight falls, at most 500", "20", _alpha)


@dataclass(frozen=True, slots=True)
class EarlyGain(TopMeasure):
    """The area under the gain curve (``alpha`` None), or BEDROC with its weight exp(−alpha·x).

    The gain curve is the share of the positives among the best share x of the rows; its area is
    π/2 + (1−π)·AUC with π the share of positives. BEDROC is that of Truchon and Bayly (2007), 0 to
    1, where most of the weight is on the best 1/alpha of the rows.

    >>> EarlyGain(20.0).name, EarlyGain(None).name
    ('bedroc(20)', 'gain')
    """

    alpha: float | None

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return (PREVALENCE,) if self.alpha is None else (ALPHA, PREVALENCE)

    @property
    def words(self) -> str:
        if self.alpha is None:
            return "the area under the cumulative gain curve"
        return "an area under the gain curve that weighs the top of the list most"

    @property
    def picture(self) -> Picture:
        return "gain"

    @property
    def stem(self) -> str:
        return "gain" if self.alpha is None else "bedroc"

    @property
    def options(self) -> tuple[str, ...]:
        return () if self.alpha is None else (f"{self.alpha:g}",)

    def found(self, rows: BinaryRows, summary: BinarySummary | None = None) -> TopValue:  # noqa: ARG002
        blocks, block = blocks_of(rows)
        alpha = self.alpha
        falls = exponential(alpha) if alpha is not None else (_rest, _of_rest)

        def value(table: ScoreCounts) -> float:
            part = GainBlocks.of(table)
            mean = part.mean(falls[1])
            if alpha is None:
                return mean
            a, b, *_ = bedroc_scale(alpha, float(part.pos.sum()) / part.total)
            return min(max(a * mean - b, 0.0), 1.0)

        def pulls() -> NDArray[np.float64]:
            up, down = blocks.slopes(*falls)
            slope = np.where(rows.positive, up[block], down[block])
            known = np.where(rows.positive, m, total - m)
            pull = known * (slope - blocks.mean(falls[1]) * rows.positive) / m
            if alpha is None:
                return np.asarray(pull)
            a, _, da, db = bedroc_scale(alpha, m / total)
            moved = known * (rows.positive - m / total) / total
            return np.asarray(a * pull + (da * blocks.mean(falls[1]) - db) * moved)

        m, total = float(blocks.pos.sum()), blocks.total
        trials = effective(rows, rows.positive.astype(np.float64))
        bottom = top = 0.5 * m / total
        if alpha is None:  # a linear image of the AUC
            trials = min(trials, effective(rows, (~rows.positive).astype(np.float64)))
            top = 1.0 - bottom
        else:
            bottom, top = 0.0, 1.0
        now = value(score_counts(rows))
        return TopValue(
            now, trials, pulls, value, self.prevalence, bottom, top, of_auc=alpha is None
        )

    def worded(self, rows: BinaryRows, scored: Scored, options: Options) -> Estimate:
        top, chance = self.found(rows), 0.5
        meaning = "The area under the cumulative gain curve is {value}."
        if self.alpha is not None:
            blocks = blocks_of(rows)[0]
            a, b, *_ = bedroc_scale(self.alpha, float(blocks.pos.sum()) / blocks.total)
            chance = a * float(exponential(self.alpha)[1](np.ones(1))[0]) - b
            meaning = f"BEDROC with alpha {self.alpha:g} is {{value}}; a perfect score has 1."
        wording = Wording(self.name, meaning, chance, {"alpha": self.alpha})
        summary, delta = scored.summary, 1.0 - options.level
        certified, classes, alpha = None, summary.classes, self.alpha
        side, prevalence = options.alternative, self.prevalence
        if classes is not None and alpha is not None:
            certified = Deferred(
                lambda: bedroc_of(classes, alpha, delta, side, prevalence=prevalence)
            )
        elif classes is not None:
            certified = Deferred(
                lambda: gain_area_of(
                    lambda share: plain_certificate(summary, 1.0 - share, side),
                    summary.n_pos, summary.n_neg, delta, side, prevalence=prevalence,
                )
            )  # fmt: skip
        doubts = tuple(uneven(summary)) if top.of_auc else ()
        return top_estimate(rows, summary, scored.omitted, top, certified, options, wording, doubts)


def _rest(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1.0 - x


def _of_rest(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return x - 0.5 * x**2


def parse(text: str, inside: str | None) -> EarlyGain:
    """From ``gain`` or ``bedroc(20)``.

    >>> parse("gain", None).name, parse("bedroc(80.5)", "80.5").name
    ('gain', 'bedroc(80.5)')
    """
    words, settings = settings_of(inside, text, ALPHA, PREVALENCE)
    rates = [ALPHA.read(word, text) for word in words]
    if "alpha" in settings:
        rates.append(settings.pop("alpha"))
    gain = text.strip().startswith("gain")
    known = isinstance(settings.get("prevalence", "rows"), float)
    if known or len(rates) != (0 if gain else 1):
        raise _refused(text)
    return EarlyGain(None if gain else rates[0], **settings)


def _refused(text: str) -> InputError:
    return InputError(
        "not a valid measure", where="measure", value=text, fix="write gain, or bedroc(20)"
    )

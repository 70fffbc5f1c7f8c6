"""Where the normal approximation of a plan is not to be trusted, with the figures.

How far a prediction is off depends on how many rows of the smaller class are expected on the wrong
side of a typical row of the other, k·min(A, 1−A), or of the cut: `BinaryMeasure.misplaced`. The
figures are the largest differences between predicted and simulated power over some hundred settings
drawn at random with 5 to 900 rows a class (``benchmarks/power_study.py --sweep``).
"""

from __future__ import annotations

from dataclasses import replace

from rocsolid.plan.curve import WHOLE
from rocsolid.plan.pair import ValuePair
from rocsolid.plan.rejection import AreaTest, RejectionRates
from rocsolid.remarks.plans import (
    FewOnWrongSide,
    OtherDefault,
    ShortInterval,
    SmallPilot,
    WrongSide,
)
from rocsolid.remarks.remark import Remark

# fewer misplaced rows than this: by how much the power has been off at most
OF_ONE = ((1.0, 0.6), (2.0, 0.18), (5.0, 0.08))
OF_TWO = ((1.0, 0.18), (2.0, 0.15), (5.0, 0.06))
OF_TOP = ((5.0, 0.23),)
FEW_FOR_WIDTH = 2.0
DIFFERENT = 0.02
WRONG = 0.05


def doubts_of_power(
    tested: AreaTest, auc: float, alpha: float, n_pos: float, n_neg: float
) -> tuple[Remark, ...]:
    """What to know before a plan for one area is relied upon."""
    largest = tested.region.maximum
    shares = [tested.area(at) / largest for at in (auc, tested.null)]
    (a, b), (c, d) = tested.region.fpr, tested.region.tpr
    smaller = min(n_pos * (d - c), n_neg * (b - a))
    reached = tested.power(auc, alpha, n_pos, n_neg)
    doubts = [*_misplaced(smaller, shares, OF_ONE), *_wrong_side(reached)]
    if tested.test == "score" and tested.region == WHOLE:
        default = replace(tested, test="auto", variance="binormal")
        power = default.power(auc, min(alpha, 0.5), n_pos, n_neg).right
        if abs(power - reached.right) > DIFFERENT:
            doubts.append(OtherDefault(power))
    return tuple(doubts)


def doubts_of_difference(
    pair: ValuePair,
    values: tuple[float, float],
    reached: RejectionRates,
    n_pos: float,
    n_neg: float,
) -> tuple[Remark, ...]:
    """What to know before a plan for a difference is relied upon."""
    area = pair.measure.pairwise or pair.measure.region is not None
    fewer = min(pair.b_per_a, 1.0)
    count = min(pair.measure.misplaced(value, n_pos * fewer, n_neg * fewer) for value in values)
    said = [*_few(f"{count:.2g} rows", count, OF_TWO if area else OF_TOP), *_wrong_side(reached)]
    if pair.pilot is not None and min(pair.pilot.n_pos, pair.pilot.n_neg) < 30:
        said.append(SmallPilot(pair.pilot.n_pos, pair.pilot.n_neg))
    return tuple(said)


def doubts_of_precision(
    auc: float, interval: str, n_pos: float, n_neg: float
) -> tuple[Remark, ...]:
    """What to know before a planned width is relied upon."""
    count = min(n_pos, n_neg) * min(auc, 1.0 - auc)
    if count >= FEW_FOR_WIDTH or interval not in ("delong", "logit-t"):
        return ()
    return (ShortInterval(count),)


def _misplaced(
    smaller: float, shares: list[float], figures: tuple[tuple[float, float], ...]
) -> list[Remark]:
    count = smaller * min(min(share, 1.0 - share) for share in shares)
    return _few(f"{count:.2g} of {smaller:.0f} rows of the smaller class", count, figures)


def _few(what: str, count: float, figures: tuple[tuple[float, float], ...]) -> list[Remark]:
    for below, off in figures:
        if count < below:
            return [FewOnWrongSide(what, below, off)]
    return []


def _wrong_side(reached: RejectionRates) -> list[Remark]:
    share = reached.wrong / max(reached.right + reached.wrong, 1e-300)
    if share <= WRONG:
        return []
    return [WrongSide(share)]

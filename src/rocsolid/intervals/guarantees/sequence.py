from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs import binary_rows
from rocsolid.intervals.guarantees.checks import FIXED_SCORER, check_alternative, check_level
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import BatchesOfOneClass, Drift, NoLimitsYet, OutsideLimits
from rocsolid.results import Alternative, Estimate, Interval
from rocsolid.results.card import Carded
from rocsolid.results.plain import attributes, one_line
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.score_counts import ScoreCounts

METHOD = "confidence sequence"
SOURCE = (
    "Ville 1939, for the reverse martingale of U-statistics (Berk 1966), stitched over epochs; "
    "at the start of each, the hinge bound"
)
ASSUMPTIONS = (
    "rows independent, and rows of one class identically distributed, in all batches alike",
    "when to look and when to stop may depend on anything seen so far",
    FIXED_SCORER,
)
FIRST = 10  # rows of the smaller class before which the limits are the whole range
GROWTH = 1.3  # how much that class grows from one epoch to the next
SORTED = 1e-6  # a smaller probability of the batches of one class is no chance
POWER = 1.4  # epoch j may fail with probability δ/(ζ(1.4)·(j+1)^1.4)


@dataclass(frozen=True, slots=True)
class AfterLook:
    """The value and the limits from all batches so far, after one batch."""

    batch: int
    value: float
    low: float
    high: float

    @classmethod
    def many(cls, stored: Any) -> tuple[AfterLook, ...]:
        """Read the looks that `to_dict` stored; JSON has no NaN, so null stands for NaN."""
        return tuple(
            cls(batch, math.nan if value is None else value, low, high)
            for batch, value, low, high in stored
        )

    def plain(self) -> list[Any]:
        value = None if math.isnan(self.value) else self.value
        return [self.batch, value, self.low, self.high]


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Carded):
    """The data seen so far, and the interval that all of it allows.

    ``add`` returns the state after one more batch. ``looks`` contains the interval after each
    batch. ``one_class`` counts the batches of one class, and their positives and negatives.
    ``to_dict`` and ``from_dict`` store and restore a state. A stored state contains every
    distinct score with its counts of positives and negatives: keep it as private as the data.
    """

    level: float = 0.95
    alternative: Alternative = "two-sided"
    lower_is_better: bool = False
    batches: int = 0
    counts: ScoreCounts | None = None
    low: float = 0.0
    high: float = 1.0
    looks: tuple[AfterLook, ...] = ()
    one_class: tuple[int, int, int] = (0, 0, 0)

    __repr__ = one_line

    def __str__(self) -> str:
        batches = f"{self.batches:,} batch{'' if self.batches == 1 else 'es'}"
        if self.n_pos and self.n_neg:
            return f"after {batches}: {self.estimate}"
        rows = both_classes(self.n_pos, self.n_neg, ", ")
        return f"after {batches}: {rows}, no AUC yet"

    @property
    def n_pos(self) -> int:
        return 0 if self.counts is None else int(self.counts.n_pos)

    @property
    def n_neg(self) -> int:
        return 0 if self.counts is None else int(self.counts.n_neg)

    @property
    def drifted(self) -> bool:
        """True if the intervals of different times exclude each other.

        While the batches come from one distribution, this has probability at most 1 − ``level``.
        """
        return self.low > self.high

    @property
    def interval(self) -> Interval:
        """The intersection of the intervals after all batches; after a drift, the whole range."""
        low, high = (0.0, 1.0) if self.drifted else (self.low, self.high)
        return Interval(
            low, high, self.level, METHOD, certified=True, assumptions=ASSUMPTIONS, source=SOURCE
        )

    @property
    def estimate(self) -> Estimate:
        """The AUC of all rows so far, with the interval of the sequence as its only interval."""
        if self.counts is None or not (self.n_pos and self.n_neg):
            raise InputError(
                "there is no AUC yet: rows of both classes have not been seen",
                where=both_classes(self.n_pos, self.n_neg, ", "),
                fix="add more rows",
            )
        placements = RangePlacements.of(self.counts).placements
        moments = placements.moments
        variance = float(np.asarray(moments.variance))
        return Estimate(
            value=placements.auc,
            interval=self.interval,
            certified=self.interval,
            std_error=None if math.isnan(variance) else math.sqrt(variance),
            n_pos=self.n_pos,
            n_neg=self.n_neg,
            ties=placements.tied_pairs,
            ratio=placements.ratio,
            warnings=self._warnings(),
            settings={
                "interval": METHOD,
                **attributes(self, "alternative lower_is_better batches"),
            },
        )

    def _warnings(self) -> tuple[Remark, ...]:
        power = log10_of_one_class(self.n_pos, self.n_neg, *self.one_class[1:])
        limit = math.log10(SORTED) - self.batches * math.log10(3.0)
        if power <= limit:
            return (*self._of_limits(), BatchesOfOneClass(self.one_class[0], self.batches, power))
        return self._of_limits()

    def _of_limits(self) -> tuple[Remark, ...]:
        if self.drifted:
            return (Drift(self.low, self.high),)
        if min(self.n_pos, self.n_neg) < FIRST:
            return (NoLimitsYet(FIRST),)
        if (
            self.counts is not None
            and RangePlacements.of(self.counts).placements.auc not in self.interval
        ):
            return (OutsideLimits(),)
        return ()

    def add(
        self,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: Any = None,
        nan: Literal["raise", "omit"] = "raise",
    ) -> Sequence:
        """Return the state after one more batch of rows, which may have one class only."""
        rows = binary_rows(
            y_true, y_score, pos_label=pos_label, lower_is_better=self.lower_is_better, nan=nan
        )
        batch = ScoreCounts.from_arrays(rows.positive, rows.score)
        counts = batch if self.counts is None else self.counts + batch
        new, before = (int(batch.n_pos), int(batch.n_neg)), self.one_class
        one_class = before if all(new) else (before[0] + 1, before[1] + new[0], before[2] + new[1])
        grown = replace(self, counts=counts, batches=self.batches + 1, one_class=one_class)
        smaller = min(grown.n_pos, grown.n_neg)
        auc = RangePlacements.of(counts).placements.auc if smaller else math.nan
        if smaller >= FIRST:
            low, high = _limits(auc, smaller, 1.0 - self.level, self.alternative)
            grown = replace(grown, low=max(low, self.low), high=min(high, self.high))
        look = AfterLook(grown.batches, float(auc), grown.low, grown.high)
        return replace(grown, looks=(*self.looks, look))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data to store the sequence; infinite scores become text."""
        state = attributes(self, "level alternative lower_is_better batches low high")
        state["looks"] = [look.plain() for look in self.looks]
        state["one_class"] = list(self.one_class)
        if self.counts is not None:
            score = self.counts.score
            state["score_type"] = str(score.dtype)
            state["score"] = [s if math.isfinite(s) else str(s) for s in score.tolist()]
            state["pos"] = self.counts.pos.tolist()
            state["neg"] = self.counts.neg.tolist()
        return state

    @classmethod
    def from_dict(cls, state: Mapping[str, Any]) -> Sequence:
        """Restore a sequence from the result of `to_dict`."""
        if not isinstance(state, Mapping):
            raise InputError(
                "the state of a sequence is a dictionary",
                value=type(state).__name__,
                fix="give what Sequence.to_dict() returned",
            )
        try:
            counts = None
            if "score" in state:
                kind = np.dtype(state["score_type"])
                scores = [float(s) if isinstance(s, str) else s for s in state["score"]]
                counts = ScoreCounts(
                    np.array(scores, dtype=kind),
                    np.array(state["pos"], dtype=np.int64),
                    np.array(state["neg"], dtype=np.int64),
                )
            start = sequence(
                level=state["level"],
                alternative=state["alternative"],
                lower_is_better=state["lower_is_better"],
            )
            return replace(
                start, batches=state["batches"], counts=counts, low=state["low"],
                high=state["high"], looks=AfterLook.many(state.get("looks", ())),
                one_class=tuple(state.get("one_class", (0, 0, 0))),
            )  # fmt: skip
        except (KeyError, TypeError) as error:
            problem = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            raise InputError(
                f"this is not the state of a sequence: {problem}",
                fix="give what Sequence.to_dict() returned",
            ) from None


def sequence(
    *, level: float = 0.95, alternative: Alternative = "two-sided", lower_is_better: bool = False
) -> Sequence:
    """Watch an AUC while rows arrive; all intervals hold together with probability ``level``.

    You may look after every batch and stop for any reason. The AUC of a growing sample is a reverse
    martingale, so the hinge bound on the AUC of the first k rows of the smaller class also bounds
    all later AUCs. Epoch j begins at k = ⌈10·1.3^j⌉ rows of the smaller class and uses
    δ/(ζ(1.4)(j+1)^1.4), which sums to δ. Intervals of different times are intersected. The order of
    the rows must not depend on the scores. If the distribution changes, ``drifted`` may become
    true.

    >>> rng = np.random.default_rng(0)
    >>> watch = sequence()
    >>> for _ in range(5):
    ...     y = np.arange(100) % 2
    ...     watch = watch.add(y, y + rng.normal(size=100))
    >>> print(watch.estimate)
    AUC 0.7991, [0.6890, 0.8845] at 95 % (confidence sequence), certified [0.6890, 0.8845] at 95 %
    (confidence sequence), 250 positives, 250 negatives
    >>> Sequence.from_dict(watch.to_dict()).interval == watch.interval
    True
    """
    check_level(level)
    check_alternative(alternative)
    return Sequence(level, alternative, lower_is_better)


def log10_of_one_class(n_pos: int, n_neg: int, pos: int, neg: int) -> float:
    """Return the common logarithm of the probability that given rows have given classes.

    Of all rows in random order, ``pos`` given rows are positive and ``neg`` given rows are
    negative. With b batches there are at most 3^b patterns of batches that hold positives alone,
    negatives alone, or both. The probability is therefore below ε/3^b for some pattern with a
    probability of at most ε.

    >>> 10 ** log10_of_one_class(2, 2, 2, 0)
    0.1666...
    """
    others, left = n_pos + n_neg - pos - neg, n_pos - pos
    return (_log_choose(others, left) - _log_choose(n_pos + n_neg, n_pos)) / math.log(10.0)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _limits(
    auc: float, smaller: int, delta: float, alternative: Alternative
) -> tuple[float, float]:
    from scipy.special import zeta

    epoch = _epoch(smaller)
    share = delta / (float(zeta(POWER)) * (epoch + 1) ** POWER)
    low, high = hinge_limits(auc, _begins(epoch), share, alternative)
    return float(low), float(high)


def _begins(epoch: int) -> int:
    return math.ceil(FIRST * GROWTH**epoch)


def _epoch(smaller: int) -> int:
    """Return the last epoch that has begun; logarithms alone would err by one at the borders."""
    epoch = max(int(math.log(smaller / FIRST, GROWTH)) - 1, 0)
    while _begins(epoch + 1) <= smaller:
        epoch += 1
    return epoch

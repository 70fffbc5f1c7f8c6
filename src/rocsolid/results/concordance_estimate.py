"""A concordance with its intervals, and results over folds."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import Annotated, Literal

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.remarks.muting import Checked
from rocsolid.results.comparison import Comparison, Difference
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Certified, Interval, Valued, percent
from rocsolid.results.json_schema import Count, Keywords, ScoresFingerprint, StdError, Warnings
from rocsolid.results.plain import Plain, one_line

NAMES = {
    "concordance": "Concordance",
    "somers_d": "Somers' D",
    "gini": "Gini",
    "vus": "Volume under the surface",
}


@dataclass(frozen=True, slots=True)
class ConcordanceEstimate(Valued, Plain, Checked):
    """The share of pairs with different outcomes that a score orders correctly; a tie counts half.

    ``measure`` is "concordance", 2C − 1 under the names "somers_d" and "gini", or "vus", the share
    of chains of rows, one of each outcome, in the right order.
    """

    value: Annotated[float, "The value of these rows."]
    interval: Interval
    certified: Certified
    std_error: StdError
    rows: Annotated[Count, "Rows."]
    outcomes: Annotated[Count, "Distinct outcomes."]
    pairs: Annotated[Count, "Pairs of rows with different outcomes."]
    ties: Annotated[Count, "Pairs with equal scores among these."]
    measure: Annotated[str, Literal["concordance", "somers_d", "gini", "vus"], "The scale."] = (
        "concordance"
    )
    ratio: tuple[int, int] | None = None
    warnings: Warnings = ()
    settings: Keywords = field(default_factory=dict)
    fingerprint: ScoresFingerprint = ""
    _columns = "rows outcomes tied"
    _json = (
        "measure value low high level method assumptions=interval.assumptions certified "
        "std_error exact rows outcomes pairs ties warnings settings fingerprint"
    )

    @property
    def exact(self) -> Fraction | None:
        """The value as a ratio of whole numbers, such as 3/4; ``None`` for weighted rows."""
        return None if self.ratio is None else Fraction(*self.ratio)

    @property
    def concordance(self) -> float:
        """The value on the scale from 0 to 1: the concordance, or the volume."""
        return 0.5 + self.value / 2.0 if self.measure in ("somers_d", "gini") else self.value

    @property
    def tied(self) -> float:
        """The share of the pairs that have the same score."""
        return self.ties / self.pairs

    @property
    def _title(self) -> str:
        return NAMES[self.measure]

    @property
    def basis(self) -> str:
        """The rows behind the value."""
        return f"{self.rows:,} rows with {self.outcomes:,} different outcomes"

    @property
    def _sets(self) -> str:
        if self.measure == "vus":
            return f"all chains of {self.outcomes:,} rows, one of each outcome"
        return f"{self.pairs:,} pairs of rows with different outcomes"

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{NAMES[self.measure]} {self.value:.4f}, {self.interval}"
        if self.certified is not None:
            text += f", certified {self.certified}"
        return f"{text}, {self.basis}"

    def explain(self) -> str:
        """Describe the result in a short paragraph."""
        tied = ", with equal scores in random order"
        ties = (tied if self.measure == "vus" else ", a tie counting as half") if self.ties else ""
        sentences = [
            f"Of {self._sets}, the score orders {100 * self.concordance:.3g} % correctly{ties}."
        ]
        for interval in dict.fromkeys((self.interval, self.certified)):
            if interval is not None:
                kind = "certified interval" if interval.certified else "interval"
                sentences.append(
                    f"The {percent(interval.level)} {kind} for {NAMES[self.measure]} in the "
                    f"whole population is {interval.low:.4f} to {interval.high:.4f} "
                    f"({interval.method}); {interval._promise}."
                )
        return " ".join([*sentences, *self.warnings])


@dataclass(frozen=True, slots=True, eq=False)
class FoldedComparison(Comparison):
    """A comparison of learners, with the corrected resampled t-test of each pair.

    ``corrected_t`` has the test of Nadeau and Bengio, which uses only the differences between
    folds. The intervals of that test are usually wider.
    """

    corrected_t: Annotated[
        tuple[Difference, ...],
        "The corrected resampled t-test for each pair of learners; empty if not applicable.",
    ] = ()
    _json = f"{Comparison._json} corrected_t"

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [Comparison.__str__(self)]
        lines += [f"Beside it, {pair.method}: {pair}" for pair in self.corrected_t]
        return "\n".join(lines)


MEAN = (
    "The mean of folds ranks the rows of each fold by the model that was trained without them, "
    "and averages over folds: it estimates how well these models rank new rows on average."
)
POOLED = (
    "Pooling ranks all rows together, although different models scored them: it estimates how "
    "well a positive scored by one of these models ranks against a negative scored by another. "
    "This value is usually lower, by 0.005 to 0.01 with 30 positives, because the models have "
    "different scales."
)


@dataclass(frozen=True, slots=True)
class Fold(Plain):
    """One fold: its name, its value and its class sizes."""

    name: Annotated[str, "The fold's key, with the repeat if there are several."]
    value: Annotated[float, "The value of its rows."]
    n_pos: Annotated[Count, "Its positives."]
    n_neg: Annotated[Count, "Its negatives."]
    _json = "fold=name value n_pos n_neg"


@dataclass(frozen=True, slots=True)
class FoldedEstimate(Estimate):
    """The mean over folds, with an interval for the models of these folds.

    ``interval`` and ``certified`` are for the mean true value of the models that the folds tested;
    ``learner`` is for the expected value of a model that is fitted on as many fresh rows.
    ``pooled`` estimates another quantity, the value of all rows in one ranking. ``n_pos`` and
    ``n_neg`` count rows once per repeat.
    """

    learner: Annotated[
        Interval | None, "The interval for a model fitted on fresh rows; null if there is none."
    ] = None
    pooled: Annotated[
        Estimate | None,
        ("The estimate from all rows in one ranking, a different quantity; null if not computed."),
    ] = None
    folds: Annotated[tuple[Fold, ...], "Each fold."] = ()
    _json = f"{Estimate._json} learner pooled folds"
    _columns = "learner pooled folds"
    _narrow = ""
    _title = "mean of folds"

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{Estimate.__str__(self)}, {counted(len(self.folds), 'fold')}"
        if self.learner is not None and self.pooled is not None:
            text += f"\nlearner {self.learner}"
            text += f"\npooled {self._number(self.pooled.value)}, {self.pooled.interval}"
        return text

    def sentences(self) -> tuple[str, ...]:
        sentences = [
            f"{MEAN} Here it is {self._number(self.value)}; the {percent(self.level)} interval "
            f"for the mean true value of these {len(self.folds)} models is "
            f"{self._ends(self.interval)} ({self.interval.method}); {self.interval._promise}."
        ]
        if self.learner is not None:
            sentences.append(
                "The interval for a model fitted on as many fresh rows is "
                f"{self._ends(self.learner)} ({self.learner.method})."
            )
        if self.certified is not None:
            sentences.append(
                "The certified interval for the mean true value of these models is "
                f"{self._ends(self.certified)} ({self.certified.method}); "
                f"{self.certified._promise}."
            )
        if self.pooled is not None:
            sentences.append(f"{POOLED} Here it is {self._number(self.pooled.value)}.")
        return (*sentences, *self.warnings)

    def _ends(self, interval: Interval) -> str:
        return f"{self._number(interval.low)} to {self._number(interval.high)}"

"""A concordance with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Literal

from rocsolid.remarks.muting import Checked
from rocsolid.results.interval import Certified, Interval, percent
from rocsolid.results.kinds import Count, Keywords, ScoresFingerprint, StdError, Warnings
from rocsolid.results.plain import Plain, one_line
from rocsolid.results.valued import Valued

NAMES = {"concordance": "Concordance", "somers_d": "Somers' D", "gini": "Gini"}
"""The scales, and how each is written."""


@dataclass(frozen=True, slots=True)
class ConcordanceEstimate(Valued, Plain, Checked):
    """The share of the pairs with different outcomes that a score orders right, a tie being half.

    ``measure`` is "concordance", or 2C − 1 under the names "somers_d" and "gini".
    """

    value: Annotated[float, "The value of these rows."]
    interval: Interval
    certified: Certified
    std_error: StdError
    rows: Annotated[Count, "Rows."]
    outcomes: Annotated[Count, "Distinct outcomes."]
    pairs: Annotated[Count, "Pairs of rows with different outcomes."]
    ties: Annotated[Count, "Those among them with equal scores."]
    measure: Annotated[str, Literal["concordance", "somers_d", "gini"], "On which scale."] = (
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
        """The value as a ratio of whole numbers, such as 3/4; ``None`` where it is none."""
        return None if self.ratio is None else Fraction(*self.ratio)

    @property
    def concordance(self) -> float:
        """The value on the scale from 0 to 1, whichever was requested."""
        return self.value if self.measure == "concordance" else 0.5 + self.value / 2.0

    @property
    def tied(self) -> float:
        """The share of the pairs that have the same score."""
        return self.ties / self.pairs

    @property
    def _title(self) -> str:
        return NAMES[self.measure]

    @property
    def basis(self) -> str:
        """The rows that it comes from."""
        return f"{self.rows:,} rows with {self.outcomes:,} different outcomes"

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{NAMES[self.measure]} {self.value:.4f}, {self.interval}"
        if self.certified is not None:
            text += f", certified {self.certified}"
        return f"{text}, {self.basis}"

    def explain(self) -> str:
        """The result as a short paragraph in plain words."""
        ties = ", a tie counting as half" if self.ties else ""
        sentences = [
            f"Of {self.pairs:,} pairs of rows with different outcomes, the score orders "
            f"{100 * self.concordance:.3g} % right{ties}."
        ]
        for interval in dict.fromkeys((self.interval, self.certified)):
            if interval is not None:
                kind = "certified interval" if interval.certified else "interval"
                sentences.append(
                    f"The {percent(interval.level)} {kind} for {NAMES[self.measure]} in the whole "
                    f"population lies between {interval.low:.4f} and {interval.high:.4f} "
                    f"({interval.method}); {interval.promise}."
                )
        return " ".join([*sentences, *self.warnings])

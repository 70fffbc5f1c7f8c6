"""The certificate of a scorer: its value, a certified limit, and the assumptions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from rocsolid.counts import both_classes, counted
from rocsolid.dataclass import dataclass
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval, percent
from rocsolid.results.card import Carded
from rocsolid.results.equivalence import telling
from rocsolid.results.interval import WithLimits
from rocsolid.results.plain import one_line, written


@dataclass(frozen=True, slots=True)
class Certificate(WithLimits, Checked, Carded):
    """A measure of a scorer on rows it had not seen, with a certified limit.

    With probability at least ``level`` over such rows, the measure in their population is at least
    ``low``, for every distribution that meets the ``assumptions``. ``value`` is the measure on
    these rows. ``high`` is the end of the range unless an upper limit was requested. ``candidates``
    is the number of scorers from which these rows may have chosen: each has (1 −
    ``level``)/``candidates``, which adds ln K to a bound's exponent.

    ``independence`` states how it is known that the scorer was not fitted on these rows. ``data``
    and ``scores`` are fingerprints of the features and of the scores, which do not contain labels
    and do not depend on the order of the rows.
    """

    measure: str
    value: float
    interval: Interval
    candidates: int
    counts: Mapping[str, int]
    scorer: str
    independence: str
    data: str
    scores: str
    chance: float | None = None
    warnings: tuple[Remark, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def bound(self) -> str:
        """The name of the guarantee."""
        return self.interval.method

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions of the lower limit."""
        return self.interval.assumptions

    @property
    def vacuous(self) -> bool:
        """True if the limit excludes no possible value."""
        return self.interval.vacuous

    @property
    def verdict(self) -> str:
        """One of "vacuous", "better than chance", "not better than chance", "worse than chance".

        The verdict is empty for lists and net benefits, and for an upper limit that is not below
        chance.
        """
        if self.vacuous:
            return "vacuous"
        if self.chance is None:
            return ""
        if self.settings.get("alternative") == "less":
            return "worse than chance" if self.high < self.chance else ""
        return "better than chance" if self.low > self.chance else "not better than chance"

    @property
    def _verdict_text(self) -> str:
        """The verdict in print, where a limit at most at chance is no proof of a poor scorer."""
        return self.verdict.replace("not better", "not shown to be better")

    def __float__(self) -> float:
        return self.value

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{self.measure} {self._number(self.value)}, certified {self._limits()}"
        text += f" at {percent(self.level)} ({self.bound})"
        if self.candidates > 1:
            text += f", one of {self.candidates:,} candidates"
        text += f", {self._sizes()}"
        if self.verdict:
            text += f", {self._verdict_text}"
        known = self.independence.partition(":")[0].partition(",")[0]
        return text if known in ("checked", "by a split") else f"{text}, independence {known}"

    def _in_short(self) -> str:
        """Return the value and the limit alone, such as "0.8123, at least 0.7801"."""
        return f"{self._number(self.value)}, {self._limits()}"

    def reaches(self, bar: float) -> str:
        """State whether the lower limit is at least ``bar``, with enough digits to show it."""
        limit = telling(self.low, bar, self.interval.decimals, rounded_down)
        kept = "reached" if self.low >= bar else "not reached"
        return f"At least {bar} was requested: {kept}, the certified limit is {limit}."

    def explain(self) -> str:
        """Return the certificate as a short paragraph in plain words."""
        return " ".join(self.sentences())

    @property
    def _basis_text(self) -> str:
        return f"Assumptions: {'; '.join(self.assumptions)}."

    def sentences(self) -> tuple[str, ...]:
        """Return the explanation by sentence: value, limit, cost of the choice, assumptions."""
        sentences = [
            f"On {self._sizes()} the {self.measure} of {self.scorer} is "
            f"{self._number(self.value)}.",
            self._promise(),
        ]
        if self.candidates > 1:
            sentences.append(
                f"The limits of all {self.candidates:,} candidates hold at once, so these rows may "
                f"choose among them: the choice adds ln {self.candidates:,} = "
                f"{math.log(self.candidates):.2f} to the exponent."
            )
        if self.verdict == "not better than chance":
            sentences.append("A scorer that ranks at random is not ruled out.")
        sentences.append(self._basis_text)
        sentences.append(f"{self.independence[0].upper()}{self.independence[1:]}.")
        return (*sentences, *self.warnings)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        first = "measure value low high level bound vacuous verdict candidates"
        rest = (
            "scorer assumptions source=interval.source independence data_fingerprint=data "
            "scores_fingerprint=scores warnings settings"
        )
        return {
            **written(self, first),
            "log_candidates": math.log(self.candidates),
            **self.counts,
            **written(self, rest),
            "data_fingerprint": self.data or None,
        }

    def _promise(self) -> str:
        level = percent(self.level)
        if self.vacuous:
            return (
                f"At {level} the bound {self.bound} is vacuous: there are too few rows for any "
                "limit."
            )
        return (
            f"In the population of these rows, the {self.measure} is {self._limits()} "
            f"({self.bound}): at least {level} of such samples yield a correct limit, whatever the "
            "distribution."
        )

    def _limits(self) -> str:
        bottom, top = self.interval.range
        decimals = self.interval.decimals
        low, high = rounded_down(self.low, decimals), rounded_up(self.high, decimals)
        if self.high >= top:
            return f"at least {low}"
        return f"at most {high}" if self.low <= bottom else f"between {low} and {high}"

    def _number(self, value: float) -> str:
        return f"{value:.{self.interval.decimals}f}"

    def _sizes(self) -> str:
        if "n_queries" in self.counts:
            return counted(self.counts["n_queries"], "query")
        if "n_outcomes" in self.counts:
            rows, outcomes = self.counts["n_rows"], self.counts["n_outcomes"]
            return f"{counted(rows, 'row')} with {outcomes:,} different outcomes"
        n_pos, n_neg = self.counts["n_pos"], self.counts["n_neg"]
        return both_classes(n_pos, n_neg)


def rounded_down(limit: float, decimals: int) -> str:
    """Return a lower limit as text, rounded down so that it is still valid.

    >>> rounded_down(0.95829, 4), rounded_up(0.95821, 4)
    ('0.9582', '0.9583')
    """
    return str(Decimal(limit).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_FLOOR))


def rounded_up(limit: float, decimals: int) -> str:
    return str(Decimal(limit).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_CEILING))

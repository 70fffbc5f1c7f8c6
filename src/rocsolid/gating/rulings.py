"""Rulings on rules, differences from stored results, and facts about the rows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from rocsolid.answer.entry import segment_text
from rocsolid.binary.estimate import Options
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.gating.policy import Rule
from rocsolid.gating.quantity import Quantity, Side
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.delimited import listed
from rocsolid.intervals.guarantees.sequence import Sequence
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.measures.whole_area import WholeArea
from rocsolid.remarks.remark import Remark
from rocsolid.results.interval import Interval
from rocsolid.results.json_schema import FloatOrNaN, Rank, SegmentOrAll, holds
from rocsolid.results.plain import Plain, one_line

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True, eq=False)
class StoredResults:
    """Output of ``rocsolid evaluate --json`` or ``rocsolid runs --json``, by score."""

    source: str
    by_key: Mapping[Key, Mapping[str, Any]]

    @classmethod
    def read(cls, path: Path) -> StoredResults:
        return cls._of(_json(path), path)

    @classmethod
    def baseline(cls, path: Path, score: str, *, lower_is_better: bool) -> StoredResults:
        """Read stored results, or the state that ``rocsolid watch`` wrote for one score.

        The limits of a watched score hold however often the batches were inspected.
        """
        plain = _json(path)
        if not isinstance(plain, dict) or "batches" not in plain:
            return cls._of(plain, path)
        if "parts" in plain:
            raise InputError(
                "the state of a watched difference has no value of one score",
                where=str(path),
                fix=f"give the state of {score} watched alone, or what rocsolid evaluate --json "
                "prints",
            )
        names = plain.get("watched", {}).get("scores", [score])
        if names != [score]:
            raise InputError(
                f"the state is for {listed(names)}, not for {score!r}",
                where=str(path),
                fix=f"give the state of {score}",
            )
        try:
            watched = Sequence.from_dict(plain)
            estimate = watched.estimate
        except InputError as error:
            raise InputError(
                error.what, where=f"{path}, {error.where}" if error.where else str(path),
                fix=error.fix,
            ) from None  # fmt: skip
        if watched.drifted:
            raise InputError(
                "the watched batches have drifted, so they cannot be a baseline",
                where=str(path),
                fix="give a state begun after the change",
            )
        if watched.lower_is_better != lower_is_better:
            raise InputError(
                "the policy and the state interpret the score in opposite directions",
                where=str(path),
                fix=f"write lower_is_better = {str(watched.lower_is_better).lower()}",
            )
        return cls(path.name, {(score, "auc", ""): estimate.to_dict()})

    @classmethod
    def _of(cls, plain: Any, path: Path) -> StoredResults:
        results = plain.get("results") if isinstance(plain, dict) else None
        if not isinstance(results, list):
            raise InputError(
                "these are not stored results",
                where=str(path),
                fix="give what rocsolid evaluate --json prints"
                " (no_drift_against takes the state of rocsolid watch too)",
            )
        try:
            results_by_key = {
                (
                    result.get("score") or result["run"],
                    result["measure"],
                    segment_key(result.get("by")),
                ): result
                for result in results
            }
        except (KeyError, AttributeError, TypeError) as error:
            raise InputError(f"a stored result lacks {error}", where=str(path)) from None
        return cls(path.name, results_by_key)

    def has(self, score: str) -> bool:
        return any(name == score for name, _, _ in self.by_key)

    def result(
        self, score: str, measure: str, by: Mapping[str, Any] | None, place: str
    ) -> Mapping[str, Any]:
        of_measure = {
            key: entry for key, entry in self.by_key.items() if key[:2] == (score, measure)
        }
        if not of_measure:
            names = sorted({f"{measure} of {name}" for name, measure, _ in self.by_key})
            raise InputError(
                f"there is no {measure} of {score} in the stored results",
                where=f"{place}, {self.source}",
                fix=f"the results contain {listed(names, 5)}",
            )
        stored = of_measure.get((score, measure, segment_key(by)))
        if stored is None or stored.get("value") is None:
            there = [segment_text(json.loads(key)).lstrip(", ") for _, _, key in of_measure if key]
            but = f"; they contain {listed(there, 5)}" if there else ", only all rows"
            raise UnsoundError(
                f"the stored results have no such segment{but}",
                fix="store results of each segment (rocsolid evaluate --by --json)",
            )
        return stored


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"the stored results cannot be read: {error.strerror}", where=str(path)
        ) from None
    except ValueError as error:
        raise InputError(f"the stored results are not JSON: {error}", where=str(path)) from None


def segment_key(by: Mapping[str, Any] | None) -> str:
    return "" if by is None else json.dumps(dict(by), sort_keys=True, default=str)


@dataclass(frozen=True)
class StoredDifference:
    """A quantity minus a stored one, with unknown covariance.

    Calibrated: the standard deviation of a difference is at most the sum of the two standard
    deviations, so the distance to the limit is the sum of the two distances at the same error.
    Normal quantiles scale the stored half-width to this error. Certified: the errors add up (a
    union bound). The stored limit uses the error of its own level, so a baseline stored at 0.95
    leaves no error for a gate at 0.95.
    """

    new: Quantity
    old: Mapping[str, Any]
    span: tuple[float, float]

    @property
    def value(self) -> float:
        return self.new.value - float(self.old["value"])

    @property
    def std_error(self) -> float | None:
        return self.new.std_error

    @property
    def basis(self) -> str:
        return f"{self.new.basis}, against a stored result"

    @property
    def doubts(self) -> tuple[Remark, ...]:
        return self.new.doubts

    def limit(self, side: Side, error: float, *, certified: bool) -> Interval | None:
        reach = self._reach(side, error, certified=certified)
        mine = self.new.limit(
            side, error - self._spent() if certified else error, certified=certified
        ) if reach is not None else None  # fmt: skip
        if mine is None or reach is None:
            return None
        old = float(self.old["value"])
        low, high = self.span
        return replace(
            mine,
            low=max(mine.low - old - reach, low) if side == "greater" else low,
            high=min(mine.high - old + reach, high) if side == "less" else high,
            level=1.0 - error,
            method=f"{mine.method}, less a stored limit",
            range=self.span,
        )

    def fixed(self, side: Side, error: float, *, certified: bool) -> float:
        return self._reach(side, error, certified=certified) or 0.0

    def _spent(self) -> float:
        return 1.0 - float(self.old["certified"]["level"])

    def _reach(self, side: Side, error: float, *, certified: bool) -> float | None:
        from scipy.special import ndtri

        stored = self.old.get("certified") if certified else self.old
        end = "high" if side == "greater" else "low"
        if stored is None or stored.get(end) is None or stored.get("method") == "none":
            return None
        free = {"greater": "high", "less": "low"}
        alternative = (self.old.get("settings") or {}).get("alternative", "two-sided")
        if free.get(alternative) == end:
            return None
        far = abs(float(stored[end]) - float(self.old["value"]))
        if certified:
            return far if self._spent() < error else None
        tail = (1.0 - float(stored["level"])) / (2.0 if alternative == "two-sided" else 1.0)
        return far * float(ndtri(error) / ndtri(tail))


Verdict = Literal["pass", "fail", "undecided"]
ORDER: tuple[Verdict, ...] = ("fail", "undecided", "pass")


@dataclass(frozen=True, slots=True)
class Ruling(Plain):
    """The ruling on one rule in one segment: the decision, its limits, and what would decide it.

    ``interval`` is one of the limits, and ``bars`` are the values that the limits must reach.
    """

    rule: Annotated[Rank, "The number of the rule in the policy."]
    text: Annotated[str, "The rule in words."]
    by: Annotated[dict[str, Any] | None, SegmentOrAll]
    verdict: Annotated[Verdict, "What was decided."]
    value: Annotated[
        FloatOrNaN, "The estimate, the difference, or the fact; null if there is none."
    ]
    low: Annotated[FloatOrNaN, "The one-sided lower limit, if it was used; otherwise null."]
    high: Annotated[FloatOrNaN, "The one-sided upper limit, if it was used; otherwise null."]
    needed: Annotated[str, "The condition on the limits."]
    why: Annotated[str, "The ruling as a sentence."]
    more: Annotated[
        int | None,
        holds(minimum=1),
        "The number of further rows or queries that would probably decide; null if nothing is "
        "open, or if no number would decide.",
    ] = None
    undecided: Annotated[
        str | None, "The reason why the rule is open and a remedy; null if the rule is decided."
    ] = None
    shown: str = ""
    interval: Interval | None = None
    bars: tuple[float, ...] = ()
    scale: str = ""
    _json = "rule text verdict value low high needed why more_rows=more undecided by method"

    @property
    def method(self) -> str | None:
        """The method of the limits, or ``None`` for a ruling without limits."""
        return None if self.interval is None else self.interval.method

    @property
    def segment(self) -> str:
        return segment_text(self.by).lstrip(", ")

    @property
    def name(self) -> str:
        return f"{self.text} [{self.segment}]" if self.by else self.text

    @property
    def brief(self) -> str:
        return f"{self.rule}. {self.name}"

    @property
    def number_text(self) -> str:
        return f"{self.rule} [{self.segment}]" if self.by else str(self.rule)

    @property
    def place(self) -> str:
        """The number of the rule, with its segment or else its words."""
        return f"{self.rule}. {self.segment or self.text}"

    @property
    def limits(self) -> str:
        low, high = (number(end) for end in (self.low, self.high))
        if low and high:
            return f"{low} to {high}"
        return f"at least {low}" if low else f"at most {high}" if high else self.shown

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.verdict.upper()} rule {self.rule}: {self.name}: {self.why}"


def number(value: float, decimals: int = 4) -> str:
    return "" if math.isnan(value) else f"{value:.{decimals}f}"


def more_units(more: int, unit: str, rows: int, clusters: int | None) -> str:
    """Describe a number of further rows, with the clusters that contain them on average.

    >>> more_units(1000, "rows", 300, 60), more_units(10, "queries", 50, None)
    ('1,000 more rows (200 clusters)', '10 more queries')
    """
    text = f"{more:,} more {unit}"
    return (
        text
        if clusters is None
        else f"{text} ({counted(math.ceil(more * clusters / rows), 'cluster')})"
    )


COUNTED_ROWS = 200_000  # the most rows whose labelings are counted
PRINTED = 4


def enough_positives(rule: Rule, positives: int, by: dict[str, Any] | None) -> Ruling:
    lacking = max(math.ceil(rule.value) - positives, 0)
    why = counted(positives, "positive")
    if lacking:
        why += f", {lacking:,} fewer than required"
    return _fact(rule, by, "fail" if lacking else "pass", positives, why, f"{positives:,}")


def bits_released(rule: Rule, rows: BinaryRows) -> Ruling:
    """Decide a rule about the bits that the four-decimal AUC and the class sizes reveal.

    The bits are for a reader who has the scores, as in ``rocsolid leak count``.
    """
    from rocsolid.leaks import count

    if measure_of(rule.measure) != WholeArea() or rows.weight is not None:
        raise UnsoundError(
            "bits are counted only for the AUC of rows without weights",
            fix="leave weights or the rule out",
        )
    if len(rows) > COUNTED_ROWS:
        raise UnsoundError(f"bits are counted for up to {COUNTED_ROWS:,} rows: use rocsolid leak")
    estimate = WholeArea().estimate(ScoredRows(rows), Options())
    bits = count(f"{estimate.value:.{PRINTED}f}", rows.score, n_pos=estimate.n_pos).surprise_bits
    why = (
        f"the AUC to {PRINTED} decimals reveals {bits:.2f} bits about the labels to someone "
        "who has the scores and the class sizes"
    )
    return _fact(rule, None, "pass" if bits <= rule.value else "fail", bits, why, f"{bits:.2f}")


def _fact(
    rule: Rule, by: dict[str, Any] | None, verdict: Verdict, value: float, why: str, shown: str
) -> Ruling:
    nan = math.nan
    sign = "at least" if rule.condition == "positives_at_least" else "at most"
    needed = f"{sign} {rule.value:g}"
    return Ruling(
        rule.number, str(rule), by, verdict, value, nan, nan, needed, f"{why}.", shown=shown
    )

"""One rule of a policy: what is asked of which score, checked before any row is read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

from rocsolid.arguments import nearest
from rocsolid.errors import InputError
from rocsolid.inputs.wanted import listed

Condition = Literal[
    "at_least", "not_worse_than", "better_than", "within", "positives_at_least", "bits_at_most",
    "no_drift_against",
]  # fmt: skip
EVIDENCE = ("calibrated", "certified")
SEGMENTS = ("each", "worst")
_OF_ESTIMATES = ("measure", "score", "segments", "evidence")
CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "at_least": _OF_ESTIMATES,
    "not_worse_than": (*_OF_ESTIMATES, "margin"),
    "better_than": _OF_ESTIMATES,
    "within": (*_OF_ESTIMATES, "of"),
    "positives_at_least": ("score", "segments"),
    "bits_at_most": ("score", "measure"),
    "no_drift_against": _OF_ESTIMATES,
}
"""Each condition, and what else may stand in its rule."""
_NAMED = ("not_worse_than", "better_than", "no_drift_against")  # their value is text
_NEEDED = {"not_worse_than": ("margin", 0.01), "within": ("of", '"old"')}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. ``value`` is its bar or margin, ``other`` the score or the file to compare with.

    What is estimated must lie between ``bars``; ``inclusive`` says whether the lower one itself
    will do.
    """

    number: int
    condition: Condition
    measure: str
    score: str
    value: float
    other: str
    segments: Literal["", "each", "worst"]
    evidence: Literal["calibrated", "certified"]

    @classmethod
    def of(cls, number: int, given: Any, evidence: str, measure: str = "auc") -> Rule:
        """From a table of a policy; ``evidence`` and ``measure`` hold where the rule says nothing.

        >>> given = {"score": "new", "not_worse_than": "old", "margin": 0.01}
        >>> print(Rule.of(1, given, "calibrated"))
        auc of new not worse than old by 0.01
        """
        place = f"rule {number}"
        if not isinstance(given, Mapping):
            raise InputError("a rule is a table", where=place, fix="write [[rule]] above it")
        conditions = [key for key in given if key in CONDITIONS]
        if len(conditions) != 1:
            what = "a rule has one condition" if conditions else "the rule has no condition"
            near = next(filter(None, (nearest(key, CONDITIONS) for key in given)), None)
            raise InputError(
                what,
                where=place,
                value=conditions or sorted(given),
                fix="write one [[rule]] for each"
                if conditions
                else f"did you mean {near}?"
                if near
                else f"write one of {_all(CONDITIONS)}",
            )
        (condition,) = conditions
        known = (condition, *CONDITIONS[condition])
        for key in given:
            if key not in known:
                raise _unknown(key, known, place, condition)
        needed = _NEEDED.get(condition)
        if needed is not None and needed[0] not in given:
            key, example = needed
            raise InputError(
                f"{condition} needs {key}", where=place, fix=f"add {key} = {example} to the rule"
            )
        bar = given.get("margin" if condition == "not_worse_than" else condition, 0.0)
        value = 0.0 if condition in ("better_than", "no_drift_against") else _number(bar, place)
        if condition in ("not_worse_than", "within") and not value > 0.0:
            raise InputError(
                "a margin is above 0", where=place, value=value, fix="write one such as 0.01"
            )
        texts = {"measure": given.get("measure", measure), "score": given.get("score", "")}
        named = condition if condition in _NAMED else "of"
        if named in known:
            texts[named] = given[named]
        elif condition == "positives_at_least" and "score" not in given:
            del texts["score"]  # of all rows
        for key, text in texts.items():
            if key not in given and key == "measure":
                continue  # lists have no usual one, which the policy checks
            if not isinstance(text, str) or not text:
                raise InputError(
                    f"{key} is a name" if key in given else f"the rule names no {key}",
                    where=place,
                    value=text,
                    fix=f'write {key} = "new"',
                )
        return cls(
            number,
            condition,
            texts["measure"].strip(),
            texts.get("score", ""),
            value,
            texts.get(named, ""),
            _one_of(given.get("segments", ""), ("", *SEGMENTS), "segments", place),
            _one_of(given.get("evidence", evidence), EVIDENCE, "evidence", place),
        )

    @property
    def estimated(self) -> bool:
        """Whether it is about a number of the population, which rows only estimate."""
        return self.condition not in ("positives_at_least", "bits_at_most")

    @property
    def against_score(self) -> bool:
        return self.condition in ("not_worse_than", "better_than", "within")

    @property
    def alarm(self) -> bool:
        """Whether it passes unless something is shown."""
        return self.condition == "no_drift_against"

    @property
    def bars(self) -> tuple[float, float]:
        """What the value, or the difference, must lie between."""
        lower = {"at_least": self.value, "better_than": 0.0, "no_drift_against": 0.0}
        upper = {"within": self.value, "no_drift_against": 0.0}
        return lower.get(self.condition, -self.value), upper.get(self.condition, math.inf)

    @property
    def inclusive(self) -> bool:
        return self.condition == "at_least"

    @property
    def sides(self) -> int:
        """How many one-sided tests may show that it is broken."""
        if not self.estimated:
            return 0
        return 2 if self.condition in ("within", "no_drift_against") else 1

    def __str__(self) -> str:
        of = f"{self.measure} of {self.score}"
        text = {
            "at_least": f"{of} at least {self.value:g}",
            "not_worse_than": f"{of} not worse than {self.other} by {self.value:g}",
            "better_than": f"{of} better than {self.other}",
            "within": f"{of} within {self.value:g} of {self.other}",
            "positives_at_least": f"at least {self.value:,.0f} positives",
            "bits_at_most": f"{of} releases at most {self.value:g} bits",
            "no_drift_against": f"{of} has not drifted from {self.other}",
        }[self.condition]
        text += {"": "", "each": " in each segment", "worst": " in the worst segment"}[
            self.segments
        ]
        return text + (", certified" if self.estimated and self.evidence == "certified" else "")


def _number(value: Any, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise InputError(
            "a bar or a margin is a number", where=place, value=value, fix="write one such as 0.8"
        )
    return float(value)


def _one_of(value: Any, known: tuple[str, ...], key: str, place: str) -> Any:
    if value in known:
        return value
    raise InputError(
        f"unknown {key}",
        where=place,
        value=value,
        fix=f"write one of {listed([one for one in known if one])}",
    )


def _unknown(key: str, known: tuple[str, ...], place: str, condition: str) -> InputError:
    near = "margin" if key == "by" and "margin" in known else nearest(key, known)
    fix = f"did you mean {near}?" if near else f"leave it out; beside it stand {_all(known[1:])}"
    return InputError(f"a rule with {condition} has no such key", where=place, value=key, fix=fix)


def _all(names: Any) -> str:
    return ", ".join(names)

"""Policies and their rules, checked before any row is read."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from numbers import Real
from pathlib import Path
from typing import Any, Literal

from rocsolid.arguments import flag, nearest, whole
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.delimited import listed
from rocsolid.measures.concordance import of_outcomes
from rocsolid.parameters import PARAMETERS, REQUIRED, refuse_pairs
from rocsolid.remarks.remark import checks

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
"""The conditions, with the other keys that each one allows."""
_NAMED = ("not_worse_than", "better_than", "no_drift_against")  # conditions with a text value
_NEEDED = {"not_worse_than": ("margin", 0.01), "within": ("of", '"old"')}


@dataclass(frozen=True, slots=True)
class Rule:
    """``value`` is its bar or margin, and ``other`` is the score or file of a comparison. The
    estimate must lie between ``bars``.
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
        """Read a table of a policy; ``evidence`` and ``measure`` are its defaults.

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
            del texts["score"]  # without a score, the rule counts all rows
        for key, text in texts.items():
            if key not in given and key == "measure":
                continue  # the policy checks it: lists have no default measure
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
        return self.condition not in ("positives_at_least", "bits_at_most")

    @property
    def against_score(self) -> bool:
        return self.condition in ("not_worse_than", "better_than", "within")

    @property
    def alarm(self) -> bool:
        return self.condition == "no_drift_against"

    @property
    def bars(self) -> tuple[float, float]:
        lower = {"at_least": self.value, "better_than": 0.0, "no_drift_against": 0.0}
        upper = {"within": self.value, "no_drift_against": 0.0}
        return lower.get(self.condition, -self.value), upper.get(self.condition, math.inf)

    @property
    def inclusive(self) -> bool:
        return self.condition == "at_least"

    @property
    def sides(self) -> int:
        """The number of one-sided tests that can show that the rule is broken."""
        two_sided = self.condition in ("within", "no_drift_against")
        return (2 if two_sided else 1) if self.estimated else 0

    def __str__(self) -> str:
        of = f"{self.measure} of {self.score}"
        text = {
            "at_least": f"{of} at least {self.value:g}",
            "not_worse_than": f"{of} not worse than {self.other} by {self.value:g}",
            "better_than": f"{of} better than {self.other}",
            "within": f"{of} within {self.value:g} of {self.other}",
            "positives_at_least": f"at least {counted(round(self.value), 'positive')}",
            "bits_at_most": f"{of} releases at most {self.value:g} bits",
            "no_drift_against": f"{of} has not drifted from {self.other}",
        }[self.condition]
        if self.segments:
            text += f" in {'each' if self.segments == 'each' else 'the worst'} segment"
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
        fix=f"write one of {listed([name for name in known if name])}",
    )


def _unknown(key: str, known: tuple[str, ...], place: str, condition: str) -> InputError:
    near = "margin" if key == "by" and "margin" in known else nearest(key, known)
    fix = f"did you mean {near}?" if near else f"remove the key; the others are {_all(known[1:])}"
    return InputError(f"a rule with {condition} has no such key", where=place, value=key, fix=fix)


def _all(names: Any) -> str:
    return ", ".join(names)


COLUMNS = ("label", "qid", "fold", "repeat", "sample_weight", "frequency", "cluster")
READING = (
    *COLUMNS, "pos_label", "lower_is_better", "nan", "design", "profile", "qrels", "order",
)  # fmt: skip
_OPTIONS = (*READING, "by", "runs", "level", "evidence", "seed", "mute", "rule")


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings for reading a table, the level, and the rules for `rocsolid.gate`.

    ``reading`` has the keys of `READING`. ``runs`` maps names to run files. ``folder`` is the base
    of relative file names. ``mute`` contains the codes of checks whose sentences are left out.
    """

    name: str
    folder: Path
    rules: tuple[Rule, ...]
    by: tuple[str, ...]
    level: float
    seed: int
    reading: Mapping[str, Any]
    runs: Mapping[str, str]
    mute: frozenset[str] = frozenset()

    @classmethod
    def read(cls, source: Any, measure: str = "") -> Policy:
        """Read a policy from a TOML file or a mapping with the same content.

        ``measure`` is the measure of values by unit, for rules about such values instead of a
        table.

        >>> policy = Policy.read({"label": "ill", "rule": [{"score": "new", "at_least": 0.8}]})
        >>> print(*policy.rules)
        auc of new at least 0.8
        """
        return source if isinstance(source, Policy) else cls.of(*cls.content(source), measure)

    @staticmethod
    def content(source: Any) -> tuple[Mapping[str, Any], Path]:
        """The settings as written, and their file; an empty path for a mapping."""
        if isinstance(source, Mapping):
            return source, Path()
        if not isinstance(source, str | os.PathLike):
            raise InputError(
                "a policy is a TOML file or a mapping",
                where="policy",
                value=type(source).__name__,
                fix="rocsolid gate --init writes an example policy",
            )
        path = Path(source)
        try:
            return tomllib.loads(path.read_text(encoding="utf-8")), path
        except OSError as error:
            raise InputError(
                f"the policy cannot be read: {error.strerror}",
                where=str(path),
                fix="rocsolid gate --init writes an example policy",
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError(
                f"the policy is not TOML: {error}", where=str(path),
                fix="pass the policy before the table; rocsolid gate --init writes an example",
            ) from None  # fmt: skip

    @classmethod
    def of(cls, given: Mapping[str, Any], path: Path, measure: str = "") -> Policy:
        name, folder = path.name or "the policy", path.parent
        for key in given:
            if key not in _OPTIONS:
                near = nearest(str(key), _OPTIONS)
                fix = f"did you mean {near}?" if near else f"use {', '.join(_OPTIONS)}"
                raise InputError("a policy has no such option", where=name, value=key, fix=fix)
        level, by = given.get("level", _default("level")), given.get("by", [])
        runs, mute = given.get("runs", {}), given.get("mute", [])
        rules, evidence = given.get("rule", []), given.get("evidence", EVIDENCE[0])
        if not isinstance(rules, list) or not rules:
            raise InputError(
                "the policy has no rule", where=name, fix='write [[rule]], score = "new", '
                "at_least = 0.8",
            )  # fmt: skip
        for valid, what, value, fix in (
            (
                isinstance(level, float) and 0.5 <= level < 1.0,
                "level must lie in [0.5, 1)", level, "write level = 0.95",
            ),
            (
                isinstance(by, str) or _are_texts(by),
                "by names columns", by, 'write by = "region" or a list',
            ),
            (
                isinstance(runs, Mapping) and _are_texts(list(runs.values())),
                "runs are files by name", runs, 'write runs = { new = "new.run" }',
            ),
            (_are_texts(mute), "mute lists codes of checks", mute, 'write mute = ["ROC401"]'),
        ):  # fmt: skip
            if not valid:
                raise InputError(what, where=name, value=value, fix=fix)
        flag(given.get("lower_is_better", False), "lower_is_better")
        seed = whole(given.get("seed", _default("seed")), "seed", 0)
        usual = measure or ("" if runs or given.get("qid") else "auc")
        policy = cls(
            name,
            folder,
            tuple(
                Rule.of(number, rule, evidence, usual) for number, rule in enumerate(rules, start=1)
            ),
            (by,) if isinstance(by, str) else tuple(by),
            level,
            seed,
            {key: given.get(key, _default(key)) for key in READING},
            dict(runs),
            checks.known(mute),
        )
        policy._check(measure)
        return policy

    def _check(self, measure: str) -> None:
        if measure:
            self._check_units(measure)
        for key in COLUMNS:
            if not isinstance(self.reading[key], str | None):
                raise InputError(
                    f"{key} is the name of a column", where=self.name, value=self.reading[key]
                )
        if bool(self.runs) != bool(self.reading["qrels"]):
            raise InputError(
                "runs and qrels belong together",
                where=self.name,
                fix='write both: qrels = "qrels.txt", runs = { new = "new.run" }',
            )
        if not (self.runs or self.reading["label"] or measure):
            raise InputError(
                "the policy names no label", where=self.name, fix='write label = "ill"'
            )
        self._check_kind()
        if not any(rule.score for rule in self.rules):
            raise InputError(
                "no rule names a score", where=self.name, fix='add score = "new" to one of them'
            )
        for rule in self.rules:
            if self.of_queries and rule.estimated and not rule.measure:
                raise InputError(
                    "the rule names no measure, and ranked lists have no default measure",
                    where=f"rule {rule.number}",
                    fix='write measure = "ndcg@10"',
                )
            if rule.segments and not self.by:
                raise InputError(
                    "the rule applies to segments, but the policy has none",
                    where=f"rule {rule.number}",
                    fix='write by = "region" at the top of the policy',
                )
            if (self.runs or self.reading["qid"]) and not (rule.estimated or rule.alarm):
                raise InputError(
                    f"{rule.condition} requires labels of two classes",
                    where=f"rule {rule.number}",
                    fix="leave the rule out, or qid and qrels",
                )

    def _check_units(self, measure: str) -> None:
        for key in (*COLUMNS, "by", "runs"):
            if self.reading.get(key) or getattr(self, key, None):
                raise InputError(
                    f"{key} is for a table, and these are values by unit", where=self.name,
                    fix=f"leave {key} out",
                )  # fmt: skip
        for rule in self.rules:
            if not rule.estimated or rule.alarm:
                raise InputError(
                    f"{rule.condition} is for a table, and these are values by unit",
                    where=f"rule {rule.number}", value=str(rule),
                    fix="use at_least, not_worse_than, better_than or within",
                )  # fmt: skip
            if rule.measure != measure:
                raise InputError(
                    f"values by unit are of {measure!r}, so rules must be about this measure",
                    where=f"rule {rule.number}", value=str(rule), fix="leave measure out",
                )  # fmt: skip

    def _check_kind(self) -> None:
        fold = self.option("fold")
        if fold and self.runs:
            raise InputError(
                "folds require labels of two classes, not run files", where=self.name,
                value=fold, fix="leave fold or runs out",
            )  # fmt: skip
        kind = {"qid": self.option("qid") or self.runs or None}
        if kind["qid"] and self.option("cluster"):
            raise InputError(
                "a policy about queries treats queries as independent", where=self.name,
                value=self.option("cluster"), fix="leave cluster out",
            )  # fmt: skip
        refuse_pairs(**{name: self.option(name) for name in READING} | kind)
        for rule in self.rules:
            if fold and rule.alarm:
                raise InputError(
                    "a drift is tested for one model, not for the models of several folds",
                    where=f"rule {rule.number}",
                    fix="leave the rule out, or fold",
                )

    @property
    def of_queries(self) -> bool:
        return bool(self.runs or self.reading["qid"])

    @property
    def of_outcomes(self) -> bool:
        """Whether a rule is about ordered outcomes, as then all rules must be."""
        named = (rule.measure for rule in self.rules if rule.estimated)
        return any(of_outcomes(measure) is not None for measure in named)

    @property
    def files(self) -> tuple[Path, ...]:
        named = [rule.other for rule in self.rules if rule.alarm]
        named += [*self.runs.values(), self.reading["qrels"]]
        return tuple(self.folder / name for name in named if name)

    @property
    def sides(self) -> int:
        return sum(rule.sides for rule in self.rules)

    def option(self, key: str) -> Any:
        return self.reading[key] if self.reading[key] != "" else None


def _default(key: str) -> Any:
    default = PARAMETERS[key].default
    return None if default is REQUIRED else default


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)

"""A policy: how a table is read, and the rules that its scores must meet."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocsolid.arguments import flag, nearest, whole
from rocsolid.errors import InputError
from rocsolid.evaluation.option_pairs import refuse_pairs
from rocsolid.gating.rule import EVIDENCE, Rule
from rocsolid.remarks.registry import checks

COLUMNS = {
    "label": "", "qid": "", "fold": "", "repeat": "", "sample_weight": "", "frequency": "",
    "cluster": "",
}  # fmt: skip
READING = {
    **COLUMNS, "pos_label": None, "lower_is_better": False, "nan": "raise", "design": None,
    "profile": None, "qrels": "", "order": "any",
}  # fmt: skip
"""How rows are read, with what holds where a policy says nothing."""
_OPTIONS = (*READING, "by", "runs", "level", "evidence", "seed", "mute", "rule")


@dataclass(frozen=True, slots=True)
class Policy:
    """How a table is read, the level, and the rules; `rocsolid.gate` decides by it.

    ``reading`` has the keys of `READING`. ``runs`` are run files by name, where the rules are about
    those. ``folder`` is where the files that it names are looked for. The sentences of the checks
    to ``mute`` are left out.
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
        """From a TOML file, or from the same as a mapping.

        ``measure`` is that of values by unit, where rules are about those and not about a table.

        >>> policy = Policy.read({"label": "ill", "rule": [{"score": "new", "at_least": 0.8}]})
        >>> print(*policy.rules)
        auc of new at least 0.8
        """
        if isinstance(source, Policy):
            return source
        if isinstance(source, Mapping):
            return cls._of(source, "the policy", Path(), measure)
        if not isinstance(source, str | os.PathLike):
            raise InputError(
                "a policy is a TOML file or a mapping",
                where="policy",
                value=type(source).__name__,
                fix="rocsolid gate --init writes one to start from",
            )
        path = Path(source)
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(
                f"the policy cannot be read: {error.strerror}",
                where=str(path),
                fix="rocsolid gate --init writes one to start from",
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError(f"the policy is not TOML: {error}", where=str(path)) from None
        return cls._of(given, path.name, path.parent, measure)

    @classmethod
    def _of(cls, given: Mapping[str, Any], name: str, folder: Path, measure: str) -> Policy:
        for key in given:
            if key not in _OPTIONS:
                near = nearest(str(key), _OPTIONS)
                fix = f"did you mean {near}?" if near else f"use {', '.join(_OPTIONS)}"
                raise InputError("a policy has no such option", where=name, value=key, fix=fix)
        level = given.get("level", 0.95)
        if isinstance(level, bool) or not isinstance(level, float) or not 0.5 <= level < 1.0:
            raise InputError(
                "level must lie in [0.5, 1)", where=name, value=level, fix="write level = 0.95"
            )
        evidence = given.get("evidence", EVIDENCE[0])
        rules = given.get("rule", [])
        if not isinstance(rules, list) or not rules:
            raise InputError(
                "the policy has no rule", where=name, fix='write [[rule]], score = "new", '
                "at_least = 0.8",
            )  # fmt: skip
        by = given.get("by", [])
        if not (isinstance(by, str) or (isinstance(by, list) and all(map(_is_text, by)))):
            raise InputError(
                "by names columns", where=name, value=by, fix='write by = "region" or a list'
            )
        runs = given.get("runs", {})
        if not (isinstance(runs, Mapping) and all(map(_is_text, runs.values()))):
            raise InputError(
                "runs are files by name",
                where=name,
                value=runs,
                fix='write runs = { new = "new.run" }',
            )
        mute = given.get("mute", [])
        if not (isinstance(mute, list) and all(map(_is_text, mute))):
            raise InputError(
                "mute has codes of checks", where=name, value=mute, fix='write mute = ["ROC401"]'
            )
        flag(given.get("lower_is_better", False), "lower_is_better")
        whole(given.get("seed", 0), "seed", 0)
        usual = measure or ("" if runs or given.get("qid") else "auc")
        policy = cls(
            name,
            folder,
            tuple(
                Rule.of(number, rule, evidence, usual) for number, rule in enumerate(rules, start=1)
            ),
            (by,) if isinstance(by, str) else tuple(by),
            level,
            given.get("seed", 0),
            {key: given.get(key, default) for key, default in READING.items()},
            dict(runs),
            checks.known(mute),
        )
        policy._check(measure)
        return policy

    def _check(self, measure: str) -> None:
        if measure:
            self._check_units(measure)
        for key in COLUMNS:
            if not isinstance(self.reading[key], str):
                raise InputError(
                    f"{key} is the name of a column", where=self.name, value=self.reading[key]
                )
        if bool(self.runs) != bool(self.reading["qrels"]):
            raise InputError(
                "runs are judged by qrels, and qrels are for runs",
                where=self.name,
                fix='write both: qrels = "qrels.txt", runs = { new = "new.run" }',
            )
        if not (self.runs or self.reading["label"] or measure):
            raise InputError(
                "the policy names no label", where=self.name, fix='write label = "ill"'
            )
        self._check_folds()
        if not any(rule.score for rule in self.rules):
            raise InputError(
                "no rule names a score", where=self.name, fix='add score = "new" to one of them'
            )
        for rule in self.rules:
            if self.of_queries and rule.estimated and not rule.measure:
                raise InputError(
                    "the rule names no measure, and ranked lists have no usual one",
                    where=f"rule {rule.number}",
                    fix='write measure = "ndcg@10"',
                )
            if rule.segments and not self.by:
                raise InputError(
                    "the rule is about segments, and no column names any",
                    where=f"rule {rule.number}",
                    fix='write by = "region" at the top of the policy',
                )
            if (self.runs or self.reading["qid"]) and not (rule.estimated or rule.alarm):
                raise InputError(
                    f"{rule.condition} is for labels of two classes",
                    where=f"rule {rule.number}",
                    fix="leave the rule out, or qid and qrels",
                )

    def _check_units(self, measure: str) -> None:
        """Values by unit have no columns, and one measure."""
        for key in (*COLUMNS, "by", "runs"):
            if self.reading.get(key) or getattr(self, key, None):
                raise InputError(
                    f"{key} is for a table, and these are values by unit", where=self.name,
                    fix=f"leave {key} out",
                )  # fmt: skip
        for rule in self.rules:
            if rule.measure != measure or not rule.estimated or rule.alarm:
                raise InputError(
                    f"values by unit are of {measure!r}, and rules are about them alone",
                    where=f"rule {rule.number}",
                    value=str(rule),
                    fix="leave measure out; use at_least, not_worse_than, better_than or within",
                )

    def _check_folds(self) -> None:
        """Folds are of labels of two classes, each row of which has been scored once a repeat."""
        names = ("fold", "repeat", "order", "qid", "frequency", "nan", "design")
        refuse_pairs(**{name: self.option(name) for name in names})
        if not self.option("fold"):
            return
        if self.runs:
            raise InputError(
                "folds are for labels of two classes, not for run files", where=self.name,
                value=self.option("fold"), fix="leave fold or runs out",
            )  # fmt: skip
        for rule in self.rules:
            if rule.alarm:
                raise InputError(
                    "a drift is shown by one model, not by those of several folds",
                    where=f"rule {rule.number}",
                    fix="leave the rule out, or fold",
                )

    @property
    def of_queries(self) -> bool:
        return bool(self.runs or self.reading["qid"])

    @property
    def files(self) -> tuple[Path, ...]:
        """Those that it names: judgements, runs, and what is compared with."""
        named = [rule.other for rule in self.rules if rule.alarm]
        named += [*self.runs.values(), self.reading["qrels"]]
        return tuple(self.folder / name for name in named if name)

    @property
    def sides(self) -> int:
        """One-sided tests of all rules over all rows."""
        return sum(rule.sides for rule in self.rules)

    def option(self, key: str) -> Any:
        """How rows are read; an empty name is none."""
        return self.reading[key] if self.reading[key] != "" else None


def _is_text(value: Any) -> bool:
    return isinstance(value, str)

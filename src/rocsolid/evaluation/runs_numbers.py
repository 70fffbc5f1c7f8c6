"""The numbers of evaluated runs: audits, estimates by measure and run, and comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocsolid.graded.estimate import RESIDUAL_SHOWS
from rocsolid.inputs.trec import Audit
from rocsolid.results import QueryEstimate
from rocsolid.results.one_line import one_line
from rocsolid.results.query_comparison import QueryComparison

_BY_QUERY = ("qids", "per_query")


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredRuns:
    """One measure of all runs, the best first.

    ``asked`` is its name as it was asked for; the estimates have the full one. ``comparison`` is
    ``None`` for a single run or query. ``said`` are sentences about queries left out for all.
    ``noun`` is what one of them is called: columns of a table are scores.
    """

    asked: str
    estimates: Mapping[str, QueryEstimate]
    comparison: QueryComparison | None
    said: tuple[str, ...] = ()
    noun: str = "run"

    @property
    def full_name(self) -> str:
        return next(iter(self.estimates.values())).measure

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to mind: of the comparison, then of single runs; one sentence for several alike."""
        of: dict[str, list[str]] = {}
        for name, one in self.estimates.items():
            for warning in one.warnings:
                if not any(rival in warning for rival in one.others):
                    of.setdefault(warning, []).append(name)
        compared = self.said if self.comparison is None else self.comparison.warnings
        alone = [
            text if len(names) == len(self.estimates) else f"{', '.join(names)}: {text}"
            for text, names in of.items()
        ]
        return tuple(dict.fromkeys((*compared, *self._beside(), *alone)))

    def _beside(self) -> tuple[str, ...]:
        """The residuals, and values by the other gain: whether it orders the runs alike."""
        values: dict[str, dict[str, float]] = {}
        residual: dict[str, float] = {}
        for name, one in self.estimates.items():
            for other, value in one.others.items():
                if other == f"{one.measure} residual":
                    residual[name] = value
                elif value != one.value:
                    values.setdefault(other, {})[name] = value
        said = []
        if max(residual.values(), default=0.0) > RESIDUAL_SHOWS:
            said.append(f"Unjudged and unlisted documents could add up to {_shown(residual)}.")
        for rival, found in values.items():
            shown = _shown(found)
            ordered = list(found.values()) == sorted(found.values(), reverse=True)
            order = "" if ordered or len(found) < 2 else ", in another order"
            said.append(
                f"With grades other than 0 and 1 the gain matters: {rival} is {shown}{order}."
            )
        return tuple(said)


@dataclass(frozen=True, slots=True, eq=False)
class RunsNumbers:
    """What pages, tables and audits are made from; `RunsEvaluation` has the forms as well."""

    qrels: str
    queries: tuple[str, ...]
    audits: Mapping[str, Audit]
    measures: tuple[MeasuredRuns, ...]
    notes: tuple[str, ...]
    settings: Mapping[str, Any]

    @property
    def runs(self) -> tuple[str, ...]:
        """The names, best first by the first measure."""
        return tuple(self.measures[0].estimates)

    __repr__ = one_line

    def __str__(self) -> str:
        parts = [str(audit) for audit in self.audits.values()]
        for one in self.measures:
            lines = [f"{name}: {estimate}" for name, estimate in one.estimates.items()]
            parts.append("\n".join([*lines, *([str(one.comparison)] if one.comparison else [])]))
        return "\n\n".join(parts)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable. ``measure`` is named as it was asked for."""
        return {
            "qrels": self.qrels,
            "queries": len(self.queries),
            "runs": [{"name": name, "audit": one.to_dict()} for name, one in self.audits.items()],
            "results": [
                _result(one, name, per_query) for one in self.measures for name in one.estimates
            ],
            "comparisons": [
                compared(one, one.comparison) for one in self.measures if one.comparison
            ],
            "notes": list(self.notes),
            "settings": dict(self.settings),
        }


def _shown(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in values.items())


def _result(one: MeasuredRuns, run: str, per_query: bool) -> dict[str, Any]:
    found = one.estimates[run].to_dict()
    full = {"run": run, **found, "measure": one.asked, "full_name": one.full_name}
    return {k: v for k, v in full.items() if per_query or k not in _BY_QUERY}


def compared(one: MeasuredRuns, comparison: QueryComparison) -> dict[str, Any]:
    """The comparison as plain data, with the measure as it was asked for; the values stand apart.

    >>> from rocsolid.comparison.queries import compare
    >>> found = compare({"a": [0.2, 0.9, 0.3], "b": [0.1, 0.5, 0.4]}, measure="AP")
    >>> list(compared(MeasuredRuns("map", found.estimates, found), found))[:3]
    ['measure', 'full_name', 'compared']
    """
    found = {"measure": one.asked, "full_name": one.full_name}
    rest = comparison.to_dict()
    return {**found, **{k: v for k, v in rest.items() if k not in ("measure", "estimates")}}

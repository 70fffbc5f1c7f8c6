"""One row of any table of results: which score, which measure, which segment, and what came out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from rocsolid.markup import Markup
from rocsolid.results.card import card
from rocsolid.results.interval import Interval
from rocsolid.results.plain import one_line, plain_segment
from rocsolid.results.valued import Valued


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is no estimate; the ``counts`` of its rows or queries are attributes too."""

    reason: str
    counts: Mapping[str, int] = field(default_factory=dict)

    def __getattr__(self, name: str) -> int:
        if name.startswith("__") or name in Refused.__slots__ or name not in self.counts:
            raise AttributeError(name)
        return self.counts[name]

    def to_dict(self) -> dict[str, Any]:
        return {"reason": self.reason, **self.counts}


@dataclass(frozen=True, slots=True)
class Entry(Valued):
    """A score by a measure, over all rows (``by`` is ``None``) or in one segment.

    ``result`` is an estimate, or `Refused`; what is true
    of it is true of the entry: ``value``, ``interval``, ``explain()``. ``names`` are further keys
    of its JSON, and attributes.
    """

    score: str
    measure: str
    by: Mapping[str, Any] | None
    result: Any
    names: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in Entry.__slots__:  # as it is made from a pickle
            raise AttributeError(name)
        return self.names[name] if name in self.names else getattr(self.result, name)

    @property
    def asked(self) -> str:
        """The measure as it was requested, where ``measure`` names every convention."""
        return str(self.names.get("measure", self.measure))

    @property
    def where(self) -> str:
        """The score and its segment."""
        return f"{self.score}{segment_text(self.by)}".removeprefix(", ")

    @property
    def value(self) -> float:  # type: ignore[override]
        return float(self.result.value)

    @property
    def interval(self) -> Interval:  # type: ignore[override]
        return self.result.interval  # type: ignore[no-any-return]

    @property
    def certified(self) -> Interval | None:  # type: ignore[override]
        return self.result.certified  # type: ignore[no-any-return]

    @property
    def refused(self) -> bool:
        return isinstance(self.result, Refused)

    __repr__ = one_line

    def __str__(self) -> str:
        if not self.refused:
            return str(self.result)
        of = "" if self.measure in ("", "auc") else f" of {self.measure}"
        return f"no estimate{of}, {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        by = plain_segment(self.by)
        if not self.refused:
            return {"score": self.score, "by": by, **self.result.to_dict(), **self.names}
        names = {"score": self.score, "measure": self.measure}
        return {**{k: v for k, v in names.items() if v}, "by": by, **self.result.to_dict()}

    def _repr_html_(self) -> Markup:
        measure = "AUC" if self.measure == "auc" else self.measure
        return card(self.result, measure, self.where, self.result.basis, self.result.warnings)


def segment_text(by: Mapping[str, Any] | None) -> str:
    """A segment as it follows the name of a score.

    >>> segment_text({"site": "a"})
    ', site = a'
    """
    return "" if by is None else "".join(f", {name} = {value}" for name, value in by.items())


class Later(Sequence[Entry]):
    """Entries that are put together when they are read, and then kept: an attribute of another."""

    def __init__(self, owner: object, name: str) -> None:
        self._owner, self._name = owner, name
        self._made: Sequence[Entry] | None = None

    @property
    def _entries(self) -> Sequence[Entry]:
        if self._made is None:
            self._made = getattr(self._owner, self._name)
        return self._made

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<{len(self):,} entries>"

    @overload
    def __getitem__(self, index: int) -> Entry: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...

    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        return self._entries[index]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

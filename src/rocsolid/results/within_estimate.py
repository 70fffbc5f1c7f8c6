"""A value over some of the pairs: within groups, and between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from rocsolid.results.estimate import Estimate, extended
from rocsolid.results.json_schema import Count, ZeroToOne
from rocsolid.results.plain import one_line


@dataclass(frozen=True, slots=True)
class PairsEstimate(Estimate):
    """A value over some of the pairs of a positive and a negative: ``share`` of all."""

    pairs: Annotated[
        float | None,
        "Pairs; of weighted rows the sum of their weights, the heaviest row of a class having 1; "
        "null where no pairs are counted.",
    ] = None
    share: Annotated[
        ZeroToOne | None, "Their share of all pairs; null where no pairs are counted."
    ] = None
    _json = f"{Estimate._json} pairs share"
    _columns = "share"
    _narrow = ""

    __repr__ = one_line

    @property
    def tied(self) -> float:
        """The share of these pairs that have the same score."""
        return self.ties / self.pairs if self.pairs and not self.settings["weighted"] else math.nan


@dataclass(frozen=True, slots=True)
class WithinEstimate(Estimate):
    """A value over all rows, and over pairs within and between groups.

    ``within`` counts groups as requested. Where they count by their pairs, the value is
    ``within.share * within + between.share * between``, exactly. ``difference`` is within less
    between. ``between`` is ``None`` where no two groups make a pair, or the measure is not about
    pairs.
    """

    within: Annotated[
        PairsEstimate | None, "Among rows of the same group; null where there are none."
    ] = None
    between: Annotated[
        PairsEstimate | None, "Among rows of different groups; null where there are none."
    ] = None
    difference: Annotated[
        Estimate | None, "Within less between; null where one of them is missing."
    ] = None
    groups: Annotated[Count, "Groups with rows of both classes."] = 0
    _json = f"{Estimate._json} within between difference groups"

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [Estimate.__str__(self)]
        for name, value in (("within", self.within), ("between", self.between)):
            if value is not None:
                share = "" if value.share is None else f", {value.share:.1%} of the pairs"
                sure = "" if value.certified is None else f", certified {value.certified}"
                lines.append(f"{name} {value._number(value.value)}, {value.interval}{sure}{share}")
        if self.difference is not None:
            lines.append(
                f"within − between {self.difference.value:+.4f}, {self.difference.interval}"
            )
        return "\n".join(lines)

    @property
    def parts(self) -> tuple[Estimate, ...]:
        """The value over all rows and those of some of the pairs, each with a name of its own."""
        parts = [part.pairs or 0 for part in (self.within, self.between) if part is not None]
        pairs = sum(parts) or None
        whole = extended(PairsEstimate, self, pairs=pairs, share=None if pairs is None else 1.0)
        return (whole, *(part for part in (self.within, self.between) if part is not None))

    def sentences(self) -> tuple[str, ...]:
        own = Estimate.sentences(self)
        return (
            *own[: len(own) - len(self.warnings)],
            *(text for part in self.parts[1:] for text in part.sentences()),
            *(() if self.difference is None else self.difference.sentences()),
            *self.warnings,
        )

"""Which conventions, or which count of queries, give a published number."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True)
class OtherValue(Plain):
    """A value that the same files can have, and how it arises.

    ``kind`` is "profile" (a tool as it is), "queries" (another number of queries in the mean) or
    "conventions" (``changes`` of them switched in the profile that one started from).
    """

    kind: str
    how: str
    value: float
    changes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction(Plain, Checked):
    """The ways to a published number, the simplest first.

    A way fits if it is the published number once rounded to its digits. ``tried`` counts all that
    were tried: with few digits some fit by chance, so a way is a candidate and no proof. Without
    any, ``nearest`` are those that come closest.
    """

    measure: str
    published: str
    profile: str
    value: float
    counted: int
    ways: tuple[OtherValue, ...]
    nearest: tuple[OtherValue, ...]
    tried: int
    tied: float
    worst: float
    best: float
    notes: tuple[Remark, ...] = ()

    def number(self, value: float) -> str:
        """A value with a digit more than was published."""
        return f"{value:.{len(self.published.partition('.')[2]) + 1}f}"

    def sentences(self) -> tuple[str, ...]:
        """What a reader should know beside the ways, a sentence each."""
        sentences = [f"{self.tried:,} values were tried; what fits is a candidate and no proof."]
        if self.worst != self.best:
            sentences.append(
                f"Documents that share their score: {100 * self.tied:.3g} %. Over all their orders "
                f"{self.profile} could give anything from {self.number(self.worst)} to "
                f"{self.number(self.best)}."
            )
        return (*sentences, *self.notes)

    __repr__ = one_line

    def __str__(self) -> str:
        head = (
            f"{self.measure}: published {self.published}, {self.number(self.value)} as "
            f"{self.profile} over {self.counted:,} queries"
        )
        title = f"Ways to {self.published}" if self.ways else f"No way to {self.published}. Nearest"
        found = [f"  {w.how}: {self.number(w.value)}" for w in self.ways or self.nearest]
        return "\n".join([head, f"{title}:", *found, *self.sentences()])

    def explain(self) -> str:
        """The finding as a short paragraph in plain words."""
        if not self.ways:
            finding = f"No convention or count of queries tried gives {self.published}."
        else:
            finding = f"{self.published} is what comes of this: {self.ways[0].how}."
            if len(self.ways) > 1:
                finding += f" Other ways that fit: {len(self.ways) - 1}."
        head = f"{self.measure} is {self.number(self.value)} as {self.profile} has it."
        return " ".join([head, finding, *self.sentences()])

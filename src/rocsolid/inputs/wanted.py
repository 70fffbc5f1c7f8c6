"""The columns that are wanted from a table, and what each is wanted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rocsolid.arguments import nearest
from rocsolid.errors import InputError, short
from rocsolid.inputs.fold_columns import fold_like, unnamed_folds
from rocsolid.remarks.remark import Remark


@dataclass(frozen=True, slots=True)
class Wanted:
    """Column names: labels, numbers (scores, weights), keys that group rows.

    With ``suspect``, a column that looks like folds of a cross-validation is read as well.
    """

    labels: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    suspect: bool = False

    def __post_init__(self) -> None:
        for name in (*self.labels, *self.numbers, *self.keys):
            if not isinstance(name, str):
                raise InputError("a column is named by text", value=name, fix="give one name")

    @property
    def names(self) -> list[str]:
        """Every name once, however many uses it has."""
        return list(dict.fromkeys([*self.labels, *self.numbers, *self.keys]))

    def read(self, present: Sequence[str]) -> list[str]:
        """The names, and those of columns that look like folds."""
        return [*self.names, *self.suspects(present)]

    def suspects(self, present: Iterable[str]) -> list[str]:
        """The columns that are named like folds, and not wanted."""
        found = fold_like(present) if self.suspect else []
        return [name for name in found if name not in self.names]

    def warned(self, folds: Iterable[str]) -> tuple[Remark, ...]:
        """What is said of such columns, or where no folds are wanted of a score's name."""
        if not self.suspect:
            return ()
        return unnamed_folds(folds, [] if fold_like(self.names) else self.numbers)

    def check(self, present: Sequence[str], source: str) -> None:
        """All wanted columns are there, each once.

        >>> Wanted(numbers=("scroe",)).check(["y", "score"], "a.csv")
        Traceback (most recent call last):
        rocsolid.errors.InputError: there is no column 'scroe'; the columns are 'y' and 'score'
        (a.csv). Fix: use 'score', the nearest name.
        """
        counts = Counter(present)
        for name in self.names:
            if counts[name] == 0:
                raise _missing(name, list(counts), source)
            if counts[name] > 1:
                raise InputError(
                    f"{counts[name]} columns have the same name",
                    where=source,
                    value=name,
                    fix="give each column its own name",
                )


def listed(values: Sequence[object], limit: int = 20) -> str:
    """Values as they are written in Python, the last after "and"; what is long is cut.

    >>> print(listed([1, 2, "a"]), listed([1, 2, 3], limit=2), sep="; ")
    1, 2 and 'a'; 1, 2 and 1 more
    """
    shown = [short(value) for value in values[:limit]]
    if len(values) > limit:
        return f"{', '.join(shown)} and {len(values) - limit:,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _missing(name: str, present: list[str], source: str) -> InputError:
    near = nearest(name, present)
    several = [part.strip() for part in name.split(",")]
    if len(several) > 1 and set(several) <= set(present):
        fix = f"these are {len(several)} columns: name each of them by itself"
    elif near is not None:
        fix = f"use {near!r}, the nearest name"
    elif len(present) == 1 and (mark := next((m for m in "\t|" if m in present[0]), None)):
        kind = "a .tsv file" if mark == "\t" else "commas between cells"
        fix = f"the header has one cell, with {mark!r} in it: write {kind}"
    else:
        fix = "use one of these names"
    has = "columns are" if len(present) > 1 else "only column is"
    return InputError(
        f"there is no column {name!r}; the {has} {listed(present)}", where=source, fix=fix
    )

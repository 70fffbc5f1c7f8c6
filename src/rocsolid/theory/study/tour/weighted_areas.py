"""The items of the catalogue and their checks, for two documents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.results.plain import written
from rocsolid.theory.study.ranks_tables import PUBLISHED_PATH
from rocsolid.theory.study.tables_2005 import StudyTable, Tables

Data = Literal["", "clef", "letor"]


@dataclass(frozen=True, slots=True)
class Check:
    """The agreement of a result with its publication, and what was compared.

    ``numbers`` is false if the document prints no numbers; the check then covers its statement
    about the figure.
    """

    agrees: bool
    words: str
    numbers: bool = True


@dataclass(frozen=True, slots=True)
class TourItem:
    """An item of the catalogue. ``check`` receives the study that reproduces the item.

    ``needs`` names required data. ``anchor`` is the item's anchor on the study's page.
    """

    document: str
    study: str
    name: str
    about: str
    anchor: str
    function: str
    check: Callable[[Tables], Check]
    needs: Data = ""


@dataclass(frozen=True, slots=True)
class Item:
    """The result for an entry: its check, or in ``why_not`` why it is missing."""

    entry: TourItem
    check: Check | None
    why_not: str = ""

    @property
    def agrees(self) -> bool | None:
        return None if self.check is None else self.check.agrees

    @property
    def words(self) -> str:
        return self.why_not if self.check is None else self.check.words

    @property
    def page(self) -> str:
        """The item's link from the folder of the site, or the page of its study."""
        page = f"{self.entry.study}/{self.entry.study}.html"
        return page if self.agrees is None else f"{page}#{self.entry.anchor}"

    @property
    def verdict(self) -> str:
        if self.check is None:
            return "not made"
        if not self.check.agrees:
            return "no"
        return "yes" if self.check.numbers else "in words"

    def to_dict(self) -> dict[str, Any]:
        return {
            **written(self.entry, "document name about"),
            "command": f"rocsolid study {self.entry.study}",
            "function": self.entry.function,
            **written(self, "page agrees"),
            "numbers": None if self.check is None else self.check.numbers,
            "words": self.words,
        }


def _bars(tables: Tables) -> Check:
    rows = tables["bars"].rows
    labels = " ".join(str(row[1]) for row in rows)
    return Check(
        labels == "1 0 1 1 0 0 0", f"classes by falling score 1 0 1 1 0 0 0; here {labels}"
    )


def _path(tables: Tables) -> Check:
    moves = ", ".join(str(row[1]) for row in tables["path"].rows[1:])
    area = tables["area"].column("value")
    return Check(
        moves == PUBLISHED_PATH and bool(np.allclose(area, 10 / 12, rtol=1e-14)),
        f"moves {PUBLISHED_PATH}, area 10/12; here {moves}, area {area[0]:.4f}",
    )


def _same(table: StudyTable, ours: str, theirs: str) -> Check:
    computed, printed = table.column(ours), table.column(theirs)
    texts = (", ".join(f"{value:g}" for value in values) for values in (printed, computed))
    return Check(bool(np.array_equal(computed, printed)), "{}; here {}".format(*texts))


def _ranks(tables: Tables) -> Check:
    return _same(tables["ranks"], "rank", "published_rank")


def _vectors(tables: Tables) -> Check:
    return _same(tables["vectors"], "rank", "published_rank")


def _polynomial(tables: Tables) -> Check:
    table, prints = tables["polynomial"], [row[1] for row in tables["fingerprints"].rows]
    sorted_same = all(row[1] == row[2] and row[4] == row[5] for row in table.rows)
    identified = prints[0] == prints[1] != prints[2]
    return Check(
        sorted_same and identified,
        "the post states: equal for equal numbers in any order, and only for these; here "
        f"coefficients and values after sorting are {_as(sorted_same)}, the fingerprint is "
        f"{_as(prints[0] == prints[1])}, and for another sample it is "
        f"{_as(prints[0] == prints[2])}",
        numbers=False,
    )


def _as(same: bool) -> str:
    return "the same" if same else "another one"


def _random(tables: Tables) -> Check:
    table = tables["monte_carlo"]
    chance = table.column("error") / table.column("standard_error")
    same = np.array_equal(table.column("mean"), table.column("mean_again"))
    return Check(
        bool(np.all(chance < 4.0)) and same,
        f"the mean should tend to the integral; here it is at most {chance.max():.1f} standard "
        f"errors away, and with the same seed it is {_as(bool(same))}",
        numbers=False,
    )


_ranks_item = partial(TourItem, "blog of 2011", "ranks")
POSITIVE_RANKS_ENTRIES = (
    _ranks_item(
        "Tables of bars", "seven chocolate bars, their classes and scores",
        "bars", "rs.roc", _bars,
    ),
    _ranks_item(
        "Pictures of the curve", "the ROC square and the path in it",
        "path", "rs.roc(…).path, rs.auc", _path,
    ),
    _ranks_item(
        "Table of ranks", "ranks of the very good bars",
        "ranks", "rs.roc(…).positive_ranks", _ranks,
    ),
    _ranks_item(
        "Ranks of single positives", "first, in the middle and last of five",
        "ranks", "rs.roc(…).positive_ranks", _vectors,
    ),
    _ranks_item(
        "Order-agnostic polynomials", "one value for numbers in any order",
        "polynomial", "fingerprint of every result", _polynomial,
    ),
    _ranks_item(
        "Pseudorandom generators", "a mean over seeded numbers",
        "random", "seed= of every method that draws", _random,
    ),
)  # fmt: skip


def _proposition_1(tables: Tables) -> Check:
    table = tables["proposition_1"]
    n, mean = table.column("n"), table.column("plug_in")
    above = mean - 0.25
    return Check(
        bool(np.all((above > 0.0) & (above < n**-0.5)) and np.all(np.diff(mean) < 0.0)),
        f"the estimate tends to 1/4 instead of 1/2; its mean is {mean[0]:.3f} at n = {n[0]:,.0f} "
        f"and {mean[-1]:.4f} at {n[-1]:,.0f}",
    )


WEIGHTED_AREAS_ENTRIES = (
    TourItem(
        "Maurer and Pontil 2020", "pauc", "Proposition 1",
        "an estimate of a partial area that stays wrong",
        "proposition-1", "rs.partial_auc", _proposition_1,
    ),
)  # fmt: skip

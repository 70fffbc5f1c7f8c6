"""Options for the released values and prior knowledge, shared by several verbs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

from rocsolid.cli.forms import PageForms
from rocsolid.cli.lists import N_POS, OUTPUT
from rocsolid.cli.output import print_error, print_table, print_words
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.evaluation.disclosure.release import review_plan
from rocsolid.inputs.arrays import scores
from rocsolid.inputs.rows import Rows
from rocsolid.inputs.tables import Table, read_table
from rocsolid.leaks.plan import plan as plan_releases
from rocsolid.report.document import Disclosure, render_disclosure

RELEASED = Parameter(
    help="The released value: exact as a fraction such as 1387/1440; 0.963 means all values that "
    "round to it, 0.7-0.8 a range with both ends, 0.7-<0.8 a range without the upper end."
)
Hidden = Annotated[int, Parameter(help="The number of rows.")]
HiddenPositives = Annotated[int, N_POS]
Decimals = Annotated[
    int | None,
    Parameter(help="The decimals that values were rounded to, if not those that are written."),
]
ServerDecimals = Annotated[
    int | None,
    Parameter(help="The decimals that the server rounds to; by default values are exact."),
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SharedLabels:
    """Rows that share a label: one label is then one unknown bit, however many rows it has.

    Parameters
    ----------
    cluster
        The column that says which rows share a label, such as the patient.
    frequency
        The column that says how many rows each row stands for. Numbers of positives count those.
    """

    cluster: str | None = None
    frequency: str | None = None

    @property
    def given(self) -> bool:
        return self.cluster is not None or self.frequency is not None

    def read(self, table: Table) -> dict[str, Any]:
        shared = {"shares_label": self.cluster, "frequency": self.frequency}
        return {key: table[name] for key, name in shared.items() if name is not None}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class HiddenRows(SharedLabels):
    """The number of rows with hidden labels, or the rows themselves if some share a label.

    Parameters
    ----------
    table
        In place of --n: a table of the rows with the columns of --cluster and --frequency.
    """

    n: Hidden | None = None
    table: str | None = None

    def read_rows(self) -> tuple[int, dict[str, Any]]:
        if (self.n is None) == (self.table is None) or (self.table is None) == self.given:
            raise InputError(
                "either --n or --table is needed, and not both",
                fix="pass --n; or --table with --cluster, --frequency or both",
            )
        if self.table is None:
            assert self.n is not None
            return self.n, {}
        read = read_table(
            self.table,
            numbers=[] if self.frequency is None else [self.frequency],
            keys=[] if self.cluster is None else [self.cluster],
        )
        return len(read), self.read(read)


@dataclass(frozen=True)
class ScoredTable:
    scores: tuple[NDArray[Any], ...]
    known: dict[int, float]
    shared: dict[str, Any]
    rows: Rows
    source: str

    def __len__(self) -> int:
        return len(self.scores[0])

    @property
    def named_by(self) -> str:
        """The names of rows: lines of a text file, rows of a binary file."""
        return f"{self.rows.noun}{self.rows.note}"

    def row_names(self, positions: Sequence[int]) -> dict[int, str]:
        ascending = sorted(positions)
        number = self.rows.number
        shown = ascending if number is None else number(ascending)
        return {row: str(name) for row, name in zip(ascending, shown, strict=True)}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class KnownLabels:
    """Prior knowledge about the labels.

    Parameters
    ----------
    n_pos
        The number of positives if the reader knows it, or a range such as 30-40.
    known
        The column of labels that the reader knows: 0, 1, or empty.
    """

    n_pos: str | None = None
    decimals: Decimals = None
    known: str | None = None

    def options(self, scored: ScoredTable | None = None) -> dict[str, Any]:
        """The keyword arguments of the library's functions."""
        known, shared = (None, {}) if scored is None else (scored.known, scored.shared)
        return {"n_pos": positives(self.n_pos), "decimals": self.decimals, "known": known} | shared


def read_scored(
    table: str, columns: Sequence[str], known: str | None, shared: SharedLabels = SharedLabels()
) -> ScoredTable:
    read = read_table(
        table,
        numbers=[*columns, *(name for name in (known, shared.frequency) if name is not None)],
        keys=[] if shared.cluster is None else [shared.cluster],
    )
    values = tuple(scores(read[c], name=f"column {c!r}", rows=read.rows) for c in columns)
    labels: dict[int, float] = {}
    if known is not None:
        column = read[known].astype(np.float64)
        wrong = ~np.isnan(column) & (column != 0) & (column != 1)
        if wrong.any():
            raise InputError(
                "a known label must be 0 or 1",
                where=read.rows.where(f"column {known!r}", wrong),
                value=float(column[wrong][0]),
                fix="leave the cells of unknown labels empty",
            )
        rows = np.flatnonzero(~np.isnan(column))
        labels = dict(zip(rows.tolist(), column[rows].tolist(), strict=True))
    return ScoredTable(values, labels, shared.read(read), read.rows, read.source)


def positives(text: str | None) -> int | range | None:
    """Parse a number, or a range that includes both ends.

    >>> positives("40"), positives("30-40"), positives(None)
    (40, range(30, 41), None)
    """
    if text is None:
        return None
    try:
        first, dash, last = text.partition("-")
        return range(int(first), int(last) + 1) if dash else int(first)
    except ValueError:
        raise InputError(
            "not a number of positives", value=text, fix="write it like 40, or 30-40 for a range"
        ) from None


def described(
    released: str, labels: KnownLabels, scored: ScoredTable | None, n: int, score: str
) -> list[tuple[str, str]]:
    where = f"{score} in {scored.source}" if scored is not None else "all different, not given"
    decimals = (
        "" if labels.decimals is None else f", rounded to {counted(labels.decimals, 'decimal')}"
    )
    return [
        ("Released", f"AUC {released}{decimals}"),
        ("Scores", f"{where}, {n:,} rows"),
        ("Number of positives", "not told" if labels.n_pos is None else labels.n_pos),
        ("Labels known from elsewhere", f"{0 if scored is None else len(scored.known):,}"),
    ]


FINDING = 1


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class ReviewForms(PageForms):
    """The printed form, a page for a disclosure review, and a limit.

    Parameters
    ----------
    fail_above
        End with exit code 1 if more than this many bits are given away (counted as said above).
    """

    fail_above: float | None = None

    def finish(
        self,
        result: Any,
        words: Callable[[], None],
        *,
        review: Callable[[str], Disclosure],
        bits: float,
        what: str = "the number of bits revealed",
        data: dict[str, Any] | None = None,
    ) -> int:
        """Write the page, print the answer, and compare the bits with the limit.

        ``what`` names the bits: those that the released values reveal, or the most that any values
        can reveal; ``data`` is the JSON, if it differs from the result's own.
        """
        limit = self.fail_above
        if limit is not None and not limit >= 0:
            raise InputError("a limit must be at least 0 bits", where="--fail-above", value=limit)
        self.show(
            result, words, page=lambda command: render_disclosure(review(command)), plain=data
        )
        if limit is not None and bits > limit:
            print_error(f"{what} is {bits:,.2f} bits, above the limit of {limit:g}")
            return FINDING
        return 0


def plan(
    *,
    hidden: HiddenRows = HiddenRows(),
    n_pos: HiddenPositives,
    decimals: ServerDecimals = None,
    measure: str = "auc",
    per_day: int = 5,
    days: int = 90,
    teams: int = 1,
    forms: ReviewForms = ReviewForms(),
) -> int:
    """How many scores a leaderboard can release before the hidden labels are known.

    --fail-above limits the most bits that all planned releases can reveal.

    Example: `rocsolid leak plan --table scores.csv --cluster patient --n-pos 20 --decimals 2`

    Example: `rocsolid leak plan --n 512 --n-pos 256 --decimals 4 --per-day 5 --days 90 --teams 20`

    Parameters
    ----------
    measure
        What is released: auc, or precision, recall or lift at a cut, such as precision@100.
    per_day
        Releases to a team per day.
    days
        How long the leaderboard is open.
    teams
        The number of teams; they may share what they see.
    """
    n, shared = hidden.read_rows()
    planned = plan_releases(
        n, n_pos, decimals, measure=measure, per_day=per_day, days=days, teams=teams,
        **shared,
    )  # fmt: skip

    def show() -> None:
        print_words(planned.verdict)
        print_words("")
        print_table(
            ["until every label is known", "releases", "days, one team", "days, pooled"],
            [
                [name, f"{attack.releases:,}", f"{attack.days:,}", f"{attack.days_pooled:,}"]
                for name, attack in (
                    ("targets labels on purpose", planned.deliberate),
                    ("submits ordinary models", planned.passive),
                )
            ],
        )
        print_words("")
        print_table(
            ["decimals", "average bits a release"],
            [[str(digits), f"{bits:.2f}"] for digits, bits in planned.by_decimals],
        )

    return forms.finish(
        planned,
        show,
        review=lambda command: review_plan(planned, limit=forms.fail_above, command=command),
        what="the most that can be revealed",
        bits=planned.most_bits,
    )

"""Why two tools differ on the same files, one convention after the other."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True)
class Switch(Plain):
    """One convention, switched from the first tool's side to the second's.

    ``value`` is the measure once this convention and all before it are switched, and ``change``
    what this one did to it. ``alone`` is what it does if no other is switched, ``last`` what it
    does if all others are switched before it.
    ``queries`` counts those whose value changed, or that began or ceased to count; ``counted``
    queries count afterwards.
    """

    convention: str
    label: str
    before: str
    after: str
    value: float
    change: float
    alone: float
    last: float
    queries: int
    counted: int

    @property
    def matters(self) -> bool:
        """Whether it changed anything: on the way, alone or last."""
        return self.queries > 0 or self.alone != 0.0 or self.last != 0.0

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.label}: {self.before} → {self.after}"


@dataclass(frozen=True, slots=True)
class MovedQuery(Plain):
    """A query's value with each tool (``None``: left out), and its part in the difference.

    ``effect`` is what the mean of the first tool would change by if this query alone counted as
    with the second; ``label`` is the convention that moved the query most.
    """

    qid: str
    value: float | None
    other: float | None
    effect: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(Plain, Checked):
    """Why ``profile`` and ``vs`` give different values of a measure on the same files.

    ``switches`` lead from ``value`` to ``other`` one convention at a time, in a fixed order; after
    the last the remaining difference is zero, as everything is switched. Where conventions act on
    the same queries, the effect of each depends on the order, so each also has its effect if it
    comes first (``alone``) or ``last``. ``queries`` are those that moved most. ``worst`` and
    ``best`` bound the first tool's value over all orders of the ``tied`` share of documents.
    """

    measure: str
    profile: str
    vs: str
    value: float
    other: float
    counted: int
    other_counted: int
    judged_queries: int
    switches: tuple[Switch, ...]
    queries: tuple[MovedQuery, ...]
    tied: float
    worst: float
    best: float
    digits: int
    notes: tuple[Remark, ...] = ()
    _json = (
        "measure profile vs value other difference counted other_counted judged_queries "
        "switches queries tied worst best notes"
    )

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.other - self.value

    def number(self, value: float) -> str:
        """A value with the digits that the tools print."""
        return f"{value:.{self.digits}f}"

    def signed(self, change: float) -> str:
        """A change with the same digits, or its size where these would show nothing.

        >>> from dataclasses import replace
        >>> one = Explanation(measure="P@1", profile="a", vs="b", value=0.0, other=0.0, counted=1,
        ...     other_counted=1, judged_queries=1, switches=(), queries=(), tied=0.0, worst=0.0,
        ...     best=0.0, digits=4)
        >>> one.signed(-0.25), one.signed(0.0), one.signed(2e-7)
        ('-0.2500', '0', '+2e-07')
        """
        if change == 0.0:
            return "0"
        shown = f"{change:+.{self.digits}f}"
        return shown if float(shown) != 0.0 else f"{change:+.0e}"

    @property
    def counts(self) -> str:
        """How many queries each mean is over."""
        if self.counted == self.other_counted == self.judged_queries:
            return f"{self.counted:,} judged queries"
        return (
            f"{self.judged_queries:,} judged queries: {self.profile} counts {self.counted:,}, "
            f"{self.vs} {self.other_counted:,}"
        )

    @property
    def mattering(self) -> tuple[Switch, ...]:
        """The switches that change anything on these files."""
        return tuple(switch for switch in self.switches if switch.matters)

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """The table, its heads first."""
        table: list[tuple[str, str, str, str, str]] = []
        table.append(("", "value", "change", "alone", "last"))
        table.append((f"as {self.profile}", self.number(self.value), "", "", ""))
        for one in self.mattering:
            change, alone, last = map(self.signed, (one.change, one.alone, one.last))
            table.append((str(one), self.number(one.value), change, alone, last))
        total = self.signed(self.difference)
        table.append((f"as {self.vs}", self.number(self.other), total, "", ""))
        return table

    def sentences(self) -> tuple[str, ...]:
        """The sentences that the table does not hold."""
        sentences = []
        idle = [str(switch) for switch in self.switches if not switch.matters]
        if idle:
            sentences.append(f"Different, but without effect on these files: {'; '.join(idle)}.")
        if len(self.mattering) > 1:
            sentences.append(
                "The conventions were switched in this order; another order would share the "
                "difference otherwise. Each alone is what it does first, each last what it does "
                "after all others; where these differ, conventions act on the same queries."
            )
        if self.worst != self.best:
            sentences.append(
                f"Documents that share their score: {100 * self.tied:.3g} %. Over all their orders "
                f"{self.profile} could give anything from {self.number(self.worst)} to "
                f"{self.number(self.best)}."
            )
        return (*sentences, *self.notes)

    __repr__ = one_line

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(row[0]) for row in rows)
        lines = [f"{self.measure}, {self.counts}"]
        lines += [f"{a:{width}}{b:>8}{c:>9}{d:>9}{e:>9}".rstrip() for a, b, c, d, e in rows]
        return "\n".join([*lines, *self.sentences()])

    def explain(self) -> str:
        """The difference as a short paragraph in plain words."""
        if not self.mattering:
            head = f"{self.profile} and {self.vs} agree on these files: {self.number(self.value)}."
            return " ".join([head, *self.sentences()])
        head = (
            f"{self.measure} is {self.number(self.value)} as {self.profile} has it and "
            f"{self.number(self.other)} as {self.vs} has it."
        )
        most = max(self.mattering, key=lambda one: abs(one.change))
        cause = f"The largest step, {self.signed(most.change)}, is {most}."
        return " ".join([head, cause, *self.sentences()])

"""What every plan says of the rows of each class."""

from __future__ import annotations

from rocsolid.plan.unknown import rounded_up


class ClassSizes:
    """Real-valued class sizes, and the whole rows that they come to."""

    __slots__ = ()

    n_pos: float
    n_neg: float

    @property
    def prevalence(self) -> float:
        """The share of positives among the rows."""
        return self.n_pos / (self.n_pos + self.n_neg)

    @property
    def rows_pos(self) -> int:
        return rounded_up(self.n_pos)

    @property
    def rows_neg(self) -> int:
        return rounded_up(self.n_neg)

    @property
    def rows(self) -> int:
        """All rows (of unpaired samples: of sample a), each class rounded up."""
        return self.rows_pos + self.rows_neg

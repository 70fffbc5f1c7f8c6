"""Shares of random draws, with limits, and what they would be on data of their own."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.results.plain import Plain

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Share(Plain):
    """A share of draws, with limits at 95 %.

    The limits of Clopper and Pearson are about the draws: what more of them from the same data
    would show. They do not know how other data would differ, except where the draws are the queries
    themselves.
    """

    value: float
    low: float
    high: float
    draws: int

    @classmethod
    def of(cls, hits: int, draws: int) -> Share:
        """From independent draws.

        >>> print(Share.of(190, 200))
        95.0 % [91.0 %, 97.6 %]
        """
        low, high = clopper_pearson(hits, draws, (1.0 - LEVEL) / 2.0)
        return cls(hits / draws, float(low), float(high), draws)

    def on_new_data(self, overlap: float) -> Share:
        """How many new samples would have the sign, if the difference on all data is the true one.

        A sample that holds the share f of the data agrees with them more often than a new one, in
        the end because it is the data. For means of many items the probability is Φ(z/√(1−f)) where
        it would be Φ(z), and this turns it back. An approximation, and the limits with it.

        What is measured against the true sign needs no such correction: a sample of independent
        items is as good as a new one, on average over data. But the data's own sign is all that
        there is, and it is chance where the rankers do not differ: then ``value`` at half of the
        data is above 95 % in 9 cases of 100, the corrected one in 2 to 4. The price is that it is
        low on average: .88 where .92 is true, in samples of 200 of 400 items.

        >>> print(Share.of(380, 400).on_new_data(0.5))
        87.8 % [84.4 %, 90.7 %]
        """
        from scipy.special import ndtr, ndtri

        shrink = (1.0 - overlap) ** 0.5
        value, low, high = (
            # a share of 0 or 1 stays, whatever the overlap
            p if p in (0.0, 1.0) else float(ndtr(ndtri(p) * shrink))
            for p in (self.value, self.low, self.high)
        )
        return Share(value, low, high, self.draws)

    def __str__(self) -> str:
        return f"{self.value:.1%} [{self.low:.1%}, {self.high:.1%}]".replace("%", " %")

"""What a measure sees: the gains of ranked lists, with their ties and their ideal lists."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.query_lists import QueryLists
from rocsolid.summaries.tied_blocks import TiedBlocks

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RankedGains:
    """The gains of some lists as the rows of a matrix, best document first.

    ``gain`` is 0 beyond a list's ``length``, and for a document that was not judged. ``pool`` are
    the gains that an ideal list is made of, in any order, padded with 0: those of all documents of
    the query, in the list or not. ``judged`` marks the cells of ``gain`` that somebody judged, and
    is ``None`` if all were; ``assessed`` counts the judged documents of the whole query (``None``:
    those of the list). ``tied`` is ``None`` if each list has one order only; otherwise the
    documents of each block stand worst first, whatever order they came in.
    """

    gain: _FLOATS
    length: _INT
    pool: _FLOATS
    tied: TiedBlocks | None = None
    judged: NDArray[np.bool_] | None = None
    assessed: _INT | None = None
    _of_pool: dict[str, _FLOATS] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, lists: QueryLists, gain: _FLOATS, judged: NDArray[np.bool_] | None) -> RankedGains:
        """From the gain of each row of the data (0 where not judged) and which were judged."""
        pool, listed = np.take(gain, lists.row), lists.listed
        width = lists.row.shape[1]
        if int(lists.size.min()) < width:
            pool[~lists.real] = 0.0
        return cls(
            pool if int(lists.length.min()) == width else np.where(listed, pool, 0.0),
            lists.length,
            pool,
            judged=None if judged is None else judged[lists.row] & listed,
            assessed=(
                lists.size
                if judged is None
                else np.count_nonzero(judged[lists.row] & lists.real, axis=1)
            ),
        )

    def __len__(self) -> int:
        return len(self.length)

    @property
    def width(self) -> int:
        """The number of columns; ranks run from 1 to it."""
        return int(self.gain.shape[1])

    @property
    def mean_gain(self) -> _FLOATS:
        """The expected gain at each rank over all orders of tied documents.

        The expectation of any measure that is a sum of gain times a weight of the rank is the same
        sum over these, exactly, cut-offs inside a block included.
        """
        return self.gain if self.tied is None else self.tied.means(self.gain)

    @property
    def ideal(self) -> _FLOATS:
        """The gains of the pool, largest first; sorted once for all orders of the same lists."""
        if "ideal" not in self._of_pool:
            self._of_pool["ideal"] = np.sort(self.pool, axis=1)[:, ::-1]
        return self._of_pool["ideal"]

    @property
    def positives(self) -> _INT:
        """The number of documents in the pool that gain anything."""
        return np.asarray(np.count_nonzero(self.pool, axis=1))

    @property
    def others(self) -> _INT:
        """The number of documents of the query, in the list or not, judged to gain nothing."""
        return (self.length if self.assessed is None else self.assessed) - self.positives

    @property
    def retrieved_only(self) -> RankedGains:
        """The same lists, whose ideals are made of their own documents alone."""
        return replace(self, pool=self.gain, _of_pool={})

    def lists(self, which: NDArray[np.intp]) -> RankedGains:
        """Some of the lists."""
        return RankedGains(
            self.gain[which],
            self.length[which],
            self.pool[which],
            None if self.tied is None else self.tied.within(which),
            None if self.judged is None else self.judged[which],
            None if self.assessed is None else self.assessed[which],
        )

    def with_ties(self, tied: TiedBlocks) -> RankedGains:
        """The same lists with the order of tied documents left open: worst first."""
        if self.judged is None:
            return replace(self, gain=tied.sorted_within(self.gain), tied=tied)
        # of no gain, a document that was judged is worse than one that nobody judged
        key = np.where((self.gain == 0.0) & self.judged, -1.0, self.gain)
        key = tied.sorted_within(key)
        return replace(self, gain=np.maximum(key, 0.0), tied=tied, judged=key != 0.0)

    def worst_first(self) -> RankedGains:
        """The one order of each list in which the worst of tied documents come first."""
        return replace(self, tied=None)

    def best_first(self) -> RankedGains:
        """The one order of each list in which the best of tied documents come first."""
        if self.tied is None:
            return self
        return replace(
            self,
            gain=self.tied.turned(self.gain),
            judged=None if self.judged is None else self.tied.turned(self.judged),
            tied=None,
        )

"""The gains of ranked lists, with ties and ideal lists, and formulas of measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of
from rocsolid.dataclass import dataclass
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.discounts.discount import Discount
from rocsolid.gains.gain import Gain, exp2, linear
from rocsolid.summaries.groups import QueryLists, TiedBlocks

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RankedGains:
    """The gains of some lists as the rows of a matrix, best document first.

    ``gain`` is 0 beyond a list's ``length`` and for unjudged documents. ``pool`` contains the gains
    of all documents of the query, in the list or not, in any order, padded with 0. ``judged`` marks
    the judged cells of ``gain`` (``None``: all). ``assessed`` counts the judged documents of the
    whole query (``None``: of the list). ``tied`` is ``None`` if each list has only one order;
    otherwise the documents of each block are sorted worst first.
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
        pool, listed = np.take(gain, lists.row), lists.listed
        width = lists.row.shape[1]
        if int(lists.size.min()) < width:
            pool[~lists.real] = 0.0
        known = None if judged is None else judged[lists.row]
        return cls(
            pool if int(lists.length.min()) == width else np.where(listed, pool, 0.0),
            lists.length,
            pool,
            judged=None if known is None else known & listed,
            assessed=lists.size if known is None else np.count_nonzero(known & lists.real, axis=1),
        )

    def __len__(self) -> int:
        return len(self.length)

    @property
    def width(self) -> int:
        """The number of columns; ranks run from 1 to this number."""
        return int(self.gain.shape[1])

    @property
    def mean_gain(self) -> _FLOATS:
        """The expected gain at each rank over all orders of tied documents."""
        return self.gain if self.tied is None else self.tied.means(self.gain)

    @property
    def ideal(self) -> _FLOATS:
        """The gains of the pool in descending order, sorted once for all orders of the lists."""
        if "ideal" not in self._of_pool:
            self._of_pool["ideal"] = np.sort(self.pool, axis=1)[:, ::-1]
        return self._of_pool["ideal"]

    @property
    def positives(self) -> _INT:
        """The number of documents in the pool with a gain above 0."""
        return np.asarray(np.count_nonzero(self.pool, axis=1))

    @property
    def others(self) -> _INT:
        """The number of documents of the query, in the list or not, judged to have gain 0."""
        return (self.length if self.assessed is None else self.assessed) - self.positives

    @property
    def retrieved_only(self) -> RankedGains:
        """The lists with ideal lists of their own documents only."""
        return replace(self, pool=self.gain, _of_pool={})

    def lists(self, which: NDArray[np.intp]) -> RankedGains:
        return RankedGains(
            self.gain[which],
            self.length[which],
            self.pool[which],
            None if self.tied is None else self.tied.within(which),
            None if self.judged is None else self.judged[which],
            None if self.assessed is None else self.assessed[which],
        )

    def with_ties(self, tied: TiedBlocks) -> RankedGains:
        """Return the lists with tied documents in no fixed order, sorted worst first."""
        if self.judged is None:
            return replace(self, gain=tied.sorted_within(self.gain), tied=tied)
        # with gain 0, a judged document ranks below an unjudged one
        key = np.where((self.gain == 0.0) & self.judged, -1.0, self.gain)
        key = tied.sorted_within(key)
        return replace(self, gain=np.maximum(key, 0.0), tied=tied, judged=key != 0.0)

    def worst_first(self) -> RankedGains:
        """Return the lists in the order with the worst of tied documents first."""
        return replace(self, tied=None)

    def best_first(self) -> RankedGains:
        """Return the lists in the order with the best of tied documents first."""
        if self.tied is None:
            return self
        return replace(
            self,
            gain=self.tied.turned(self.gain),
            judged=None if self.judged is None else self.tied.turned(self.judged),
            tied=None,
        )


def discounted(gain: _FLOATS, discount: Discount, last: _INT) -> _FLOATS:
    """Return Σ gain·D(r) over the ranks r = 1, …, ``last`` ≥ 1 of each row.

    DCG of Järvelin and Kekäläinen (2002). The sum is in the order of ranks, so a list has the same
    value to the last bit in any matrix.

    >>> from rocsolid.discounts import zipf
    >>> discounted(np.array([[2.0, 3.0, 9.0]]), zipf(), np.array([2]))
    array([3.5])
    """
    last = np.minimum(last, gain.shape[1])
    width = int(last.max())
    values = discount.values(width)
    if len(gain) == 1:  # NumPy would sum a single column in another order
        sums: _FLOATS = np.cumsum(gain[:, :width] * values, axis=1)[:, -1]
        return sums
    # lists as columns: adding row to row follows the order of ranks and is fastest
    terms = np.multiply(gain[:, :width].T, values[:, None], order="C")
    if int(last.min()) < width:
        terms[np.arange(width)[:, None] >= last] = 0.0
    return np.asarray(np.add.reduce(terms, axis=0))


def ranks_read(cutoff: Cutoff, lists: RankedGains) -> _INT:
    """Return the requested cut-off of each list, which may exceed the length of the list.

    The cut-off of an empty list is 1, so that its ideal list is not empty.

    >>> from rocsolid.discounts import frac
    >>> empty = RankedGains(np.zeros((1, 3)), np.array([0]), np.ones((1, 3)))
    >>> ranks_read(Cutoff(10), empty), ranks_read(Cutoff(), empty), ranks_read(frac(0.5), empty)
    (array([10]), array([3]), array([1]))
    """
    if cutoff.rule is None:
        return np.full(len(lists), lists.width)
    if isinstance(cutoff.rule, int):
        return np.full(len(lists), cutoff.rule)
    lengths, which = np.unique(lists.length, return_inverse=True)
    depths = [cutoff.asked(int(n)) if n else 1 for n in lengths]
    return np.asarray(depths, dtype=np.int64)[which]


Ideal = Literal["judged", "retrieved"]


def check_ideal(ideal: Ideal) -> None:
    one_of(ideal, get_args(Ideal), "ideal")


def dcg_formula(discount: Discount, cutoff: Cutoff) -> Callable[[RankedGains], NDArray[np.float64]]:
    """Return Σ G(y) D(r) over the ranks down to the cut-off; NaN without a relevant document."""

    def dcg(lists: RankedGains) -> NDArray[np.float64]:
        gained = discounted(lists.mean_gain, discount, ranks_read(cutoff, lists))
        return np.where(lists.positives == 0, np.nan, gained)

    return dcg


def ndcg_formula(
    discount: Discount, cutoff: Cutoff, ideal: Ideal
) -> Callable[[RankedGains], NDArray[np.float64]]:
    """Return the DCG divided by the DCG of the ideal list with the same cut-off; NaN if the ideal
    gain is 0.
    """

    def ndcg(lists: RankedGains) -> NDArray[np.float64]:
        read = ranks_read(cutoff, lists)
        gained = discounted(lists.mean_gain, discount, read)
        pool = lists if ideal == "judged" else lists.retrieved_only
        most = discounted(pool.ideal, discount, read)
        none = most == 0.0
        share = gained / np.where(none, 1.0, most)
        # a mean over ties can exceed the ideal by its last bit
        return np.where(none, np.nan, np.minimum(share, 1.0))

    return ndcg


def survival(lists: RankedGains) -> _FLOATS:
    """Return P(still reading after each rank), if a document stops the reader with chance ``gain``.

    In a block of b tied documents, P(still reading after j of them) is the mean of the product of q
    = 1−gain over all sets of j documents, e_j(q)/C(b, j) with e_j the elementary symmetric
    polynomial.

    >>> from rocsolid.summaries.groups import TiedBlocks
    >>> gain = np.array([[0.0, 1.0, 1.0]])
    >>> tied = TiedBlocks.of(np.array([[True, False, True]]))
    >>> survival(RankedGains(gain, np.array([3]), gain, tied))
    array([[0.5, 0. , 0. ]])
    """
    q: _FLOATS = 1.0 - lists.gain
    tied = lists.tied
    if tied is None:
        return np.asarray(np.cumprod(q, axis=1), dtype=np.float64)
    flat = q.ravel()
    within = flat.copy()
    for size in np.unique(tied.size[tied.size > 1]).tolist():
        starts = tied.start[tied.size == size]
        cells = starts[:, None] + np.arange(size)
        within[cells] = _mean_products(flat[cells])
    # The reader enters a block after passing all blocks above. The probability after a block is
    # that of its last cell: a new product could differ in its last bit, and a list would then count
    # a stop in its padding.
    through = within[tied.start + tied.size - 1]
    before = _products_before(through, tied.row)
    return tied.spread(before) * within.reshape(q.shape)


def _mean_products(q: _FLOATS) -> _FLOATS:
    """Return, for each row, the mean product over all sets of 1, 2, …, b of its b numbers.

    A number q more turns the means p_j of n numbers into ((n+1−j)·p_j + j·q·p_{j−1})/(n+1).
    """
    rows, size = q.shape
    means: _FLOATS = np.zeros((rows, size + 1))
    means[:, 0] = 1.0
    for n in range(size):
        j = np.arange(1, n + 2)
        means[:, 1 : n + 2] = (
            (n + 1 - j) * means[:, 1 : n + 2] + j * q[:, n : n + 1] * means[:, : n + 1]
        ) / (n + 1)
    return means[:, 1:]


def _products_before(through: _FLOATS, row: NDArray[np.int64]) -> _FLOATS:
    """Return the product of ``through`` over the blocks above each block in the same row."""
    begins = np.flatnonzero(np.diff(row, prepend=-1))
    place = np.arange(len(row)) - np.repeat(begins, np.diff(begins, append=len(row)))
    matrix: _FLOATS = np.ones((int(row[-1]) + 1, int(place.max()) + 2))
    matrix[row, place + 1] = through
    return np.asarray(np.cumprod(matrix, axis=1)[row, place], dtype=np.float64)


def cutoff_in_name(cutoff: Cutoff) -> str:
    return f"@{cutoff.name}" if cutoff.name else ""


def rival_of(gain: Gain) -> Gain | None:
    """Return the other gain that tools use under the same name, which differs from grade 2 on.

    >>> rival_of(linear()).name, rival_of(exp2()).name
    ('exp2', 'linear')
    """
    return exp2() if gain == linear() else linear() if gain == exp2() else None


def found_by(lists: RankedGains, rank: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the expected number of relevant documents among the first ``rank`` of each list.

    >>> lists = RankedGains(np.array([[1.0, 0.0, 1.0]]), np.array([3]), np.array([[1.0, 0.0, 1.0]]))
    >>> [float(found_by(lists, np.array([rank]))[0]) for rank in (0, 1, 3, 10)]
    [0.0, 1.0, 2.0, 2.0]
    """
    through = np.cumsum(lists.mean_gain, axis=1)
    at = np.minimum(rank, lists.width)
    count: NDArray[np.float64] = through[np.arange(len(lists)), np.maximum(at, 1) - 1]
    return np.where(at > 0, count, 0.0)


Reach = Discount | Literal["first", "all"] | None
"""The ranks that matter in a long list of n documents.

A discount D: the value is Σ gain·D(rank) over a function of the grades alone. "first": documents
beyond rank r move the value by at most 1/r. "all": another document instead of one of the n moves
the value by at most C·ln n/n. ``None``: not known.
"""

Formula = Callable[[RankedGains], NDArray[np.float64]]
"""A value for each list, NaN for a query without a relevant document."""


@dataclass(frozen=True, slots=True)
class GradedMeasure:
    """A measure of ranked lists: its name, gain, formula and range.

    ``formula`` returns a value for each list, averaged exactly over the orders of tied documents,
    and NaN if undefined. ``name`` contains every convention of the value, such as
    ``nDCG[linear,log2]@10``. ``gain`` converts grades to the input of the formula. ``cutoff`` is
    the number of ranks that the formula uses. ``meaning`` is a sentence about the mean over
    queries, with a placeholder ``{value}``. ``range`` may be infinite. ``rival`` is the measure
    with the other gain, and ``residual`` the possible contribution of documents that nobody judged
    or listed; a measure has at most one of the two. ``without`` names what an undefined query
    lacks. ``reach`` describes the ranks that matter in a long list.
    """

    name: str
    gain: Gain
    formula: Formula
    meaning: str
    cutoff: Cutoff
    range: tuple[float, float] = (0.0, 1.0)
    rival: GradedMeasure | None = None
    without: str = "relevant document"
    residual: GradedMeasure | None = None
    reach: Reach = None

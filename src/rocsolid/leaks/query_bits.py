"""The expected bits of one released AUC, and the attack by chosen submissions.

Hosts can use the attack to measure the risk of their own releases. The caller computes the answers;
the attack submits nothing anywhere.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, RocsolidError

# The normal limit is used above this many sine evaluations. Its error is then about 1e-6 bits,
# unless one class is tiny.
_EXACT_WORK = 20_000_000


def query_bits(n: int, n_pos: int, decimals: int | None) -> tuple[float, bool]:
    """Return the expected information of one untied random ranking, and whether it is exact.

    The ranking does not depend on the labels, the class sizes are known, and all labelings are
    equally likely before the release, so the information is the entropy of the released value.
    ``decimals=None`` releases the exact AUC. The counts are the coefficients of a Gaussian binomial
    (Whitehill 2019's v), with rounding below 1e-9 bits; for large sizes they come from the normal
    limit.

    >>> round(query_bits(100, 50, None)[0], 2), round(query_bits(100, 50, 3)[0], 2)
    (9.23, 7.88)
    """
    n_neg = n - n_pos
    pairs = n_pos * n_neg
    if pairs * min(n_pos, n_neg) > _EXACT_WORK:
        return _normal_bits(n, n_pos, decimals), False
    share = rank_sum_shares(n, n_pos)
    if loses_by_rounding(pairs, decimals):
        assert decimals is not None
        # integers: 10^decimals < pairs here, so that nothing overflows
        order = np.arange(pairs + 1)
        cell = (2 * order * 10**decimals + pairs) // (2 * pairs)
        share = np.bincount(cell, weights=share).astype(np.float64)
    return entropy(share), True


def loses_by_rounding(pairs: int, decimals: int | None) -> bool:
    """Return whether rounding merges values of an untied ranking: not if n₀·n₁ ≤ 10^decimals.

    >>> loses_by_rounding(100, 2), loses_by_rounding(101, 2)
    (False, True)
    """
    return decimals is not None and pairs > 10**decimals


@functools.lru_cache(maxsize=4)
def rank_sum_shares(n: int, n_pos: int) -> NDArray[np.float64]:
    """Return the share of labelings with each number of misranked pairs, 0 to n₀·n₁.

    The characteristic function of the Mann-Whitney count is ∏ i·sin((n₀+i)x) / ((n₀+i)·sin(ix)). On
    a grid whose size is a prime above n no denominator is zero. The absolute error is about 1e-16:
    sufficient for an entropy, not for the count in a far tail.

    >>> rank_sum_shares(4, 2) * 6
    array([1., 1., 2., 1., 1.])
    """
    small, large = sorted((n_pos, n - n_pos))
    pairs = small * large
    size = _prime_above(max(n, pairs))
    k = np.arange(size // 2 + 1)
    wave = np.ones(len(k))
    for i in range(1, small + 1):
        j = large + i
        with np.errstate(invalid="ignore"):  # 0/0 at k = 0, where every factor is 1
            factor = i * _sine(j * k, size) / (j * _sine(i * k, size))
        factor[0] = 1.0
        wave *= factor
    turn = np.exp(-1j * np.pi * (k * pairs % (2 * size)) / size)
    density: NDArray[np.float64] = np.fft.irfft(wave * turn, size)[: pairs + 1]
    # a share below the rounding noise is too rare to affect the entropy
    share = np.where(density > 1e-17, density, 0.0)
    share.flags.writeable = False  # shared with later callers
    return share


def share_below(n: int, n_pos: int, edges: Sequence[int]) -> NDArray[np.float64]:
    """Return the share of labelings with fewer correctly ordered pairs than each edge.

    Ranks are untied. The shares are exact, or for large sizes from the normal limit.

    >>> share_below(4, 2, [1, 4, 5]) * 6
    array([1., 5., 6.])
    """
    n_neg = n - n_pos
    pairs = n_pos * n_neg
    if pairs * min(n_pos, n_neg) > _EXACT_WORK:
        spread = math.sqrt(pairs * (n + 1) / 6)
        return np.array([0.5 * math.erfc((pairs / 2 - e + 0.5) / spread) for e in edges])
    below = np.append(0.0, np.cumsum(rank_sum_shares(n, n_pos)))
    share: NDArray[np.float64] = below[np.clip(edges, 0, pairs + 1)]
    return share


def _sine(multiple: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """Return sin(π·multiple/size), reduced in integers first."""
    sine: NDArray[np.float64] = np.sin(np.pi * (multiple % (2 * size)) / size)
    return sine


def _prime_above(n: int) -> int:
    candidate = n + 1
    while any(candidate % d == 0 for d in range(2, math.isqrt(candidate) + 1)):
        candidate += 1
    return candidate


def _normal_bits(n: int, n_pos: int, decimals: int | None) -> float:
    """Return the entropy of a normal law on the lattice of counts, less the entropy within cells.

    A cell of the rounding contains ⌊w⌋ or ⌊w⌋+1 counts, w = n₀·n₁/10^decimals on average, which are
    about equally likely while the cell is narrow compared with the spread.
    """
    pairs = n_pos * (n - n_pos)
    variance = pairs * (n + 1) / 12
    bits = 0.5 * math.log2(2 * math.pi * math.e * variance)
    if not loses_by_rounding(pairs, decimals):
        return bits
    assert decimals is not None
    width = pairs / 10**decimals
    if width > math.sqrt(variance):  # few cells: add them up
        return _cell_bits(0.5, math.sqrt(variance) / pairs, decimals)
    whole = int(width)
    more = width - whole
    inside = (1 - more) * whole * math.log2(whole)
    inside += more * (whole + 1) * math.log2(whole + 1)
    return float(bits - inside / width)


def _cell_bits(mean: float, sd: float, decimals: int) -> float:
    step = 10.0**-decimals
    edges = (np.arange(10**decimals + 2) - 0.5) * step
    below = np.array([0.5 * (1 + math.erf((e - mean) / (sd * math.sqrt(2)))) for e in edges])
    return entropy(np.diff(below))


def entropy(share: NDArray[np.float64]) -> float:
    """Return the entropy in bits."""
    seen = share[share > 0]
    return max(0.0, float(-(seen * np.log2(seen)).sum()))


class ChosenQueries:
    """Choose score vectors whose exact AUCs determine every label.

    The first query ranks one row above all others, which are tied. The AUC is ½ + 1/(2·n₁) if the
    row is positive and ½ − 1/(2·n₀) otherwise, so one answer reveals the class sizes and one label.
    Each later query ranks a few unknown rows separately, above all other unknown rows in one tied
    block. With n₁ known, the answer is the sum of the positive rows' rank distances to the block.
    Rows with known labels separate these rows, so that all sums differ.

    The attack rejects an answer that no labeling has.

    >>> labels = np.array([1, 0, 0, 1, 0])
    >>> attack = ChosenQueries(5)
    >>> while not attack.done:
    ...     scores = attack.next_scores()
    ...     above = np.sign(scores[labels == 1][:, None] - scores[labels == 0])
    ...     attack.answer(Fraction(int((above + 1).sum()), 2 * above.size))
    >>> attack.known, attack.queries
    (array([1, 0, 0, 1, 0], dtype=int8), 2)
    """

    def __init__(self, n: int) -> None:
        if n != int(n) or n < 2:
            raise InputError("an AUC needs at least two rows", where="n", value=n)
        self._n = int(n)
        self._known = np.full(self._n, -1, dtype=np.int8)
        self._n_pos: int | None = None
        self._separate: NDArray[np.intp] | None = None  # the separately ranked rows, from the top
        self._block = np.arange(self._n)
        self._scores = np.zeros(self._n)
        self._queries = 0

    @property
    def known(self) -> NDArray[np.int8]:
        """1 or 0 where the label is known, −1 elsewhere."""
        return self._known.copy()

    @property
    def n_pos(self) -> int | None:
        """The number of positives, known after the first answer."""
        return self._n_pos

    @property
    def queries(self) -> int:
        """The number of answers used."""
        return self._queries

    @property
    def done(self) -> bool:
        """Whether every label is known."""
        return bool((self._known >= 0).all())

    def next_scores(self) -> NDArray[np.float64]:
        """Return the scores to submit next, which do not change before their answer."""
        if self.done:
            raise RocsolidError("every label is known; there is nothing left to ask")
        if self._separate is None:
            self._lay_out()
        return self._scores.copy()

    def answer(self, auc: Fraction) -> None:
        """Process the exact AUC of the scores from `next_scores`."""
        if self._separate is None:
            raise RocsolidError("no query is open", fix="call next_scores() first")
        auc = Fraction(auc)
        if self._n_pos is None:
            self._first_answer(auc)
        else:
            self._read_sum(auc, self._n_pos)
        self._separate = None
        self._queries += 1
        self._complete()

    def _lay_out(self) -> None:
        unknown = np.flatnonzero(self._known < 0)
        if self._n_pos is None:
            self._separate, self._block = unknown[:1], unknown[1:]
            self._scores = np.zeros(self._n)
            self._scores[0] = 1.0
            return
        spacers = np.flatnonzero(self._known >= 0)
        offsets = _most_rows(len(unknown), len(spacers))
        taken = len(offsets)
        self._separate, self._block = unknown[:taken], unknown[taken:]
        top = len(spacers) + taken
        places = top - np.array(offsets)
        others = np.setdiff1d(np.arange(1, top + 1), places)
        self._scores = np.zeros(self._n)
        self._scores[self._separate] = places
        self._scores[spacers] = others

    def _first_answer(self, auc: Fraction) -> None:
        positive = auc > Fraction(1, 2)
        gap = abs(auc - Fraction(1, 2))
        size = 1 / (2 * gap) if gap else Fraction(0)
        if size.denominator != 1 or not 0 < size < self._n:
            raise _impossible(auc)
        self._n_pos = int(size) if positive else self._n - int(size)
        self._known[0] = positive

    def _read_sum(self, auc: Fraction, n_pos: int) -> None:
        assert self._separate is not None
        known = self._known >= 0
        # doubled midranks: the block has the lowest ranks, all other rows are untied
        doubled = 2 * (len(self._block) + self._scores.astype(np.int64))
        doubled[self._block] = len(self._block) + 1
        total = 2 * auc * n_pos * (self._n - n_pos) + n_pos * (n_pos + 1)
        positives = known & (self._known == 1)
        left = n_pos - int(positives.sum())
        rest = total - int(doubled[positives].sum()) - left * (len(self._block) + 1)
        sums = subset_sums(doubled[self._separate] - (len(self._block) + 1))
        size = subset_sums(np.ones(len(self._separate), dtype=np.int64))
        fits = (size <= left) & (left - size <= len(self._block))
        subsets = np.flatnonzero(fits & (sums == int(rest)))
        if rest.denominator != 1 or len(subsets) != 1:
            raise _impossible(auc)
        self._known[self._separate] = int(subsets[0]) >> np.arange(len(self._separate)) & 1

    def _complete(self) -> None:
        """If every row of one class is known, label the other unknown rows with the other class."""
        assert self._n_pos is not None
        unknown = self._known < 0
        left = self._n_pos - int((self._known == 1).sum())
        if left in (0, int(unknown.sum())):
            self._known[unknown] = left > 0


def subset_sums(weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sum of every subset; subset s contains weight i if bit i of s is set.

    >>> subset_sums(np.array([1, 10]))
    array([ 0,  1, 10, 11])
    """
    sums = np.zeros(1, dtype=np.int64)
    for weight in weights:
        sums = np.concatenate([sums, sums + weight])
    return sums


def _most_rows(unknown: int, spacers: int) -> list[int]:
    """Return the distances from the top for the largest number of rows with distinct subset sums.

    The distances are terms of the Conway-Guy sequence, whose sums are distinct at the tightest top
    (Bohman 1996); other tops are checked here.
    """
    offsets = [0]
    while len(offsets) < unknown:
        longer = [*offsets, _conway_guy(len(offsets))]
        if longer[-1] >= spacers + len(longer):
            break
        block = unknown - len(longer)
        weight = block + 1 + 2 * (spacers + len(longer) - 1 - np.array(longer))
        sums = np.sort(subset_sums(weight))
        if not (np.diff(sums) > 0).all():
            break
        offsets = longer
    return offsets


def _conway_guy(k: int) -> int:
    """Return term k of the Conway-Guy sequence: 0, 1, 2, 4, 7, 13, 24, 44, 84, 161, 309, 594, …

    >>> [_conway_guy(k) for k in range(9)]
    [0, 1, 2, 4, 7, 13, 24, 44, 84]
    """
    terms = [0, 1]
    while len(terms) <= k:
        j = len(terms) - 1
        # r is the nearest integer to √(2j)
        r = round((2 * j) ** 0.5)
        terms.append(2 * terms[j] - terms[j - r])
    return terms[k]


def _impossible(auc: Fraction) -> RocsolidError:
    return RocsolidError(
        "no labeling that fits the answers so far has this AUC",
        value=auc,
        fix="answer with the exact AUC, as a Fraction",
    )

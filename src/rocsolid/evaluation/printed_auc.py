"""The AUCs that two class sizes allow and that round to printed digits."""

from __future__ import annotations

import math
from fractions import Fraction

from rocsolid.counts import both_classes, counted
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.printed_digits import READINGS, Digits, between, written_in_full
from rocsolid.leaks import count
from rocsolid.leaks.evidence import released
from rocsolid.leaks.gaussian import log2_comb

_LISTED = 3  # fractions, before only the first and the last are named
MOST_COUNTED = 1_000_000  # rows whose labelings are counted within seconds


@dataclass(frozen=True, slots=True)
class PrintedAuc:
    """Twice the wins of every AUC of m positives and n negatives that is printed as ``text``.

    ``digits`` is "rounded" if such an AUC rounds to the text (a half may round either way), "cut"
    if only truncation produces the text, and ``None`` if no AUC of these sizes fits.
    """

    text: str
    m: int
    n: int
    wins: range
    digits: Digits | None

    @property
    def decimals(self) -> int:
        return len(self.text.partition(".")[2]) or 4

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest such AUC; without one, the range that the digits allow."""
        if self.wins:
            return self._value(self.wins[0]), self._value(self.wins[-1])
        low, high = between(self.text, "rounded").floats()
        return max(low, 0.0), min(high, 1.0)

    @property
    def untied(self) -> range:
        return range(self.wins.start + self.wins.start % 2, self.wins.stop, 2)

    @property
    def n_fractions(self) -> int:
        """The number of AUCs that fit; for large classes ``len`` would overflow."""
        return self.wins.stop - self.wins.start

    @property
    def fractions(self) -> tuple[str, ...]:
        wins = self.wins
        shown = wins if self.n_fractions <= _LISTED else (wins[0], wins[-1])
        return tuple(self._fraction(win, self._places) for win in shown)

    @property
    def _places(self) -> int:
        return max(4, self.decimals + 1)

    def rest(self) -> str:
        first, last = self.untied[0], self.untied[-1]
        if first == last:
            return self._fraction(first, self._places)
        ends = f"{self._fraction(first, self._places)} to {self._fraction(last, self._places)}"
        return f"one of {(last - first) // 2 + 1} fractions, {ends}"

    def nearest(self) -> tuple[str, ...]:
        below = math.floor(2 * between(self.text, "rounded").low * self.m * self.n)
        return tuple(self._fraction(win, self.decimals) for win in (below, below + 1))

    def sentence(self) -> str:
        sizes = both_classes(self.m, self.n)
        pairs = f"{sizes} ({counted(self.m * self.n, 'pair')})"
        if not self.wins:
            return (
                f"An AUC of {self.text} is not possible with {pairs}, unless it is weighted, "
                "smoothed or a mean of several."
            )
        if self.n_fractions <= _LISTED:
            which = ", ".join(self._fraction(w, self._places) + self._half(w) for w in self.wins)
        else:
            which = f"one of {self.n_fractions} fractions, {' to '.join(self.fractions)}"
        needs = "is possible" if self.untied else "needs a tie"
        cut = ", if its last digits were truncated and not rounded" if self.digits == "cut" else ""
        return f"An AUC of {self.text} {needs} with {pairs}{cut}: {which}."

    def _value(self, win: int) -> float:
        return win / (2 * self.m * self.n)

    def _fraction(self, win: int, decimals: int) -> str:
        pairs, value = self.m * self.n, f"{self._value(win):.{decimals}f}"
        if win % 2:
            return f"{win}/{2 * pairs} = {value} (with a tie)"
        return f"{win // 2}/{pairs} = {value}"

    def _half(self, win: int) -> str:
        ends, value = between(self.text, "rounded"), Fraction(win, 2 * self.m * self.n)
        if self.digits == "cut" or ends.low == ends.high or value not in ends:
            return ""
        return " (a half, rounded down)" if value == ends.high else " (a half, rounded up)"


def printed_auc(text: str, m: int, n: int, readings: tuple[Digits, ...] = READINGS) -> PrintedAuc:
    """Interpret the text as rounded if that fits, or else as truncated.

    >>> auc = printed_auc(".87", 4, 2)
    >>> auc.fractions, auc.digits
    (('7/8 = 0.8750',), 'rounded')
    >>> print(auc.sentence())
    An AUC of .87 is possible with 4 positives and 2 negatives (8 pairs): 7/8 = 0.8750 (a half, ...
    """
    released(text)  # refuses what is no AUC
    for digits in readings:
        wins = _wins(text, digits, m, n)
        if wins:
            return PrintedAuc(text, m, n, wins, digits)
    return PrintedAuc(text, m, n, range(0), None)


def _wins(text: str, digits: Digits, m: int, n: int) -> range:
    auc, pairs = between(text, digits), 2 * m * n
    last = math.floor(auc.high * pairs)
    if digits == "cut" and auc.low < auc.high and not written_in_full(text):
        last = math.ceil(auc.high * pairs) - 1  # the next number, .88 after .87, is printed as such
    return range(max(0, math.ceil(auc.low * pairs)), min(pairs, last) + 1)


def bits_given_away(auc: PrintedAuc) -> float | None:
    """The bits that the AUC reveals with untied scores; ``None`` if they cannot be counted."""
    if auc.digits != "rounded" or not auc.untied or auc.m + auc.n > MOST_COUNTED:
        return None
    value = float(auc.text) if written_in_full(auc.text) else auc.text
    left = count(value, auc.m + auc.n, n_pos=auc.m).log2
    return log2_comb(auc.m + auc.n, auc.m) - left

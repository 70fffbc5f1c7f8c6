from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field, replace
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.binary_summary import Board

_FLOATS = NDArray[np.float64]
_LEAST = 1e-30  # of the largest chance: below it, a chance at either end is dropped
_SIDE, _LINES = 64, 32  # numbers of wins, and of added wins, in a matrix
_FEW = 8  # coins that are averaged without matrices
_TOGETHER = 32  # rows after which chances are scaled and their ends dropped


class _Block(NamedTuple):
    """``rows`` of the smaller class that beat ``start`` rows more than their place, or tie with
    ``tied`` columns."""

    start: int
    rows: int
    tied: int


def won_pairs(board: Board) -> _FLOATS:
    """Return the chance of w won pairs, w = 0 … k, in a random matching; a coin decides each tie.

    Row i = 1 … k, in ascending order, beats c_i of n ≥ k columns, after n−k rows that beat nothing.
    The number of matchings with w wins is h_w in

        Π_i (x + b_i) = Σ_w h_w·C(x+w, n),   b_i = c_i − (place of row i) + 1

    (Goldman, Joichi and White 1975; docs/theorems/matchings.md). As

        (x+b)·C(x+s, d) = (b−s+d)·C(x+s+1, d+1) + (1+s−b)·C(x+s, d+1)

    a factor after d others adds a win to s wins with the chance (b−s+d)/(d+1), which is not
    negative in the order of `_order`: there each product is that of a curve. Ties: with e ~ Bin(D,
    ½) heads, a block of g rows that tie with D columns has the factors (x+b+e) … (x+b+e−g+1), and
    the number of added wins is hypergeometric. For one row the mean over e is b + D/2.

    Only positive numbers are added, so each chance has a relative error of about k roundings. A
    chance far below the largest, at either end, is dropped, which makes tails smaller.

    >>> won_pairs(Board(np.array([0, 2]), np.array([0, 0]), 3)).round(4)  # 2 of 3 columns lose
    array([0.3333, 0.6667, 0.    ])
    >>> won_pairs(Board(np.array([0, 0]), np.array([2, 2]), 2))  # all tied: two coins
    array([0.25, 0.5 , 0.25])
    """
    return laws_of([board])[0]


def laws_of(boards: Sequence[Board]) -> list[_FLOATS]:
    """Return `won_pairs` of boards of one size; factors that all boards begin with are multiplied
    once."""
    orders = [_order(board) for board in boards]
    shared = min(map(len, orders))
    for order in orders[1:]:
        pairs = enumerate(zip(orders[0][:shared], order, strict=False))
        shared = next((at for at, (one, other) in pairs if one != other), shared)
    columns, rows = boards[0].columns, len(boards[0].below)
    most = 0  # factorials are needed only for blocks of several rows
    if any(len(order) < rows for order in orders):
        most = columns + max(int(board.tied.max()) for board in boards)
    product = _Product(columns - rows, _log_factorials(most))
    product.multiply(orders[0][:shared])
    laws = []
    for order in orders:
        whole = replace(product, single_rows=product.single_rows.copy())
        whole.multiply(order[shared:])
        laws.append(whole.law(rows))
    return laws


@dataclass(slots=True)
class _Product:
    """The product of the factors of ``passed`` rows: a chance for each number of wins from
    ``first`` on."""

    passed: int
    log_factorials: _FLOATS
    first: int = 0
    chance: _FLOATS = field(default_factory=lambda: np.ones(1))
    scale: float = 1.0
    turn: int = 0
    single_rows: list[tuple[float, int]] = field(default_factory=list)
    """b and the rows before, of rows that are not yet in ``chance``."""

    def multiply(self, blocks: Sequence[_Block]) -> None:
        passed, scale, single_rows = self.passed, self.scale, self.single_rows
        for turn, (start, rows, tied) in enumerate(blocks, start=self.turn + 1):
            if rows == 1:
                single_rows.append((start + tied / 2.0, passed))
                scale *= passed + 1.0
            else:
                self._add(single_rows)
                self.first, self.chance = _with_block(
                    self.first, self.chance, _Block(start, rows, tied), passed, self.log_factorials
                )
            passed += rows
            if turn % _TOGETHER == 0 or scale > 1e200:
                self._add(single_rows)
                chance = self.chance / scale
                scale = 1.0
                kept = np.flatnonzero(chance > _LEAST * chance.max())
                self.first += int(kept[0])
                self.chance = chance[kept[0] : kept[-1] + 1]
        self.passed, self.scale, self.turn = passed, scale, self.turn + len(blocks)

    def law(self, rows: int) -> _FLOATS:
        self._add(self.single_rows)
        law = np.zeros(rows + 1)
        kept = self.chance[: rows + 1 - self.first]
        law[self.first : self.first + len(kept)] = kept / self.scale
        return law

    def _add(self, single_rows: list[tuple[float, int]]) -> None:
        self.chance = _with_rows(self.first, self.chance, single_rows)
        single_rows.clear()


def _order(board: Board) -> list[_Block]:
    """Return the blocks in an order in which no chance is negative.

    A row starts at its height, the columns passed less the rows passed, and ends one lower. Rows
    that end above the highest height so far wait and follow in descending order.
    """
    below, tied = board.below, board.tied
    k = len(below)
    same = (tied[1:] > 0) & (below[1:] == below[:-1]) & (tied[1:] == tied[:-1])
    starts = np.flatnonzero(np.append(True, ~same))
    sizes = np.diff(starts, append=k)
    heights = below[starts] - starts - (board.columns - k)
    blocks = [
        _Block(*numbers)
        for numbers in zip(heights.tolist(), sizes.tolist(), tied[starts].tolist(), strict=True)
    ]
    highest, taken, put_off = 0, [], []
    for block in blocks:
        start, rows, columns = block
        if start + columns - rows > highest:  # the height at which the block ends
            put_off.append(block)
        else:
            taken.append(block)
            highest = max(highest, start)
    return taken + put_off[::-1]


def _with_rows(first: int, chance: _FLOATS, rows: list[tuple[float, int]]) -> _FLOATS:
    """Multiply the factors of single rows, each with its b and the number of factors before it."""
    if not rows:
        return chance
    b, passed = (np.array(numbers)[:, None] for numbers in zip(*rows, strict=True))
    size = len(chance) + len(rows)
    held = first + np.arange(float(size))
    product = np.zeros(size)
    product[: len(chance)] = chance
    won = np.empty(size)
    for lose, win in zip(held + (1.0 - b), (b + passed) - held, strict=True):
        np.multiply(product, win, out=won)
        product *= lose
        product[1:] += won[:-1]
    return product


def _with_block(
    first: int, chance: _FLOATS, block: _Block, passed: int, log_factorial: _FLOATS
) -> tuple[int, _FLOATS]:
    rows, tied = block.rows, block.tied
    heads = _likely(tied, 0.5, 0.5)
    coins = np.exp(_log_binomial(log_factorial, tied, heads) - tied * math.log(2.0))
    # a hypergeometric chance depends on s − e alone
    highest = passed + block.start + int(heads[-1]) - first
    good = highest - np.arange(len(chance) + len(heads) - 1)
    least, added = _hypergeometric(good, passed, rows, log_factorial)
    law = np.zeros(len(chance) + len(added) - 1)
    for place, moved in enumerate(_averaged(added, coins) * chance):
        law[place : place + len(moved)] += moved
    return first + least, law


def _hypergeometric(
    good: NDArray[np.intp], passed: int, rows: int, log_factorial: _FLOATS
) -> tuple[int, _FLOATS]:
    """Return the chances that ``rows`` draws take a of the ``good`` among ``passed + rows``.

    ``good`` falls by one from column to column; a line is a number a, from the first number on.
    """
    every = passed + rows
    possible = np.clip(good, 0, every)
    high, low = int(possible[0]), int(possible[-1])
    more = _likely(rows, low / every, high / every)
    least = int(more[0])
    # both factorials of numbers left depend on the sum of line and column alone
    left = high - least - np.arange(high - low + len(more))
    counts = np.clip(left, 0, passed)
    left_over = -log_factorial[counts] - log_factorial[passed - counts]
    left_over[left != counts] = -math.inf
    distinct = np.arange(high, low - 1, -1)
    logs = sliding_window_view(left_over, len(distinct)) + (
        log_factorial[distinct] + log_factorial[every - distinct] - log_factorial[every]
    )
    logs += (_log_binomial(log_factorial, rows, more) + log_factorial[passed])[:, None]
    chances = np.exp(logs, out=logs)
    chances /= chances.sum(axis=0)  # the factorials have fewer digits than their quotient
    if len(distinct) < len(good):
        chances = chances[:, high - possible]
    return least, chances


def _averaged(lines: _FLOATS, coins: _FLOATS) -> _FLOATS:
    """Return Σ_e lines[:, s + e]·coins[e] for each s; the coins are the same in both orders.

    A product has at most 2¹⁸ factors, which OpenBLAS multiplies in one thread.
    """
    size = lines.shape[1] - len(coins) + 1
    if len(coins) <= _FEW:
        out = np.zeros((len(lines), size))
        for start, coin in enumerate(coins.tolist()):
            out += coin * lines[:, start : start + size]
        return out
    blocks = -(-size // _SIDE)
    padded = np.zeros((len(lines), blocks * _SIDE + len(coins) - 1))
    padded[:, : lines.shape[1]] = lines
    total = np.zeros((len(lines), blocks, _SIDE))
    zeros = np.zeros(_SIDE - 1)
    for start in range(0, len(coins), _SIDE):
        some = coins[start : start + _SIDE]
        wide = _SIDE + len(some) - 1
        around = np.concatenate([zeros, some, zeros])
        shifted = np.ascontiguousarray(sliding_window_view(around, wide)[::-1].T)
        windows = sliding_window_view(padded[:, start:], wide, axis=1)[:, ::_SIDE][:, :blocks]
        for line in range(0, len(lines), _LINES):
            few = windows[line : line + _LINES].transpose(1, 0, 2)
            total[line : line + _LINES] += (few @ shifted).transpose(1, 0, 2)
    return total.reshape(len(lines), -1)[:, :size]


def _likely(size: int, least: float, most: float) -> NDArray[np.intp]:
    """Return all but e^{−72} of the counts of ``size`` draws whose chance is between two bounds."""
    reach = 6.0 * math.sqrt(size)  # Hoeffding's inequality, which holds without replacement too
    low, high = math.floor(size * least - reach), math.ceil(size * most + reach)
    return np.arange(max(low, 0), min(high, size) + 1)


def _log_factorials(most: int) -> _FLOATS:
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(most + 1) + 1.0))


def _log_binomial(log_factorial: _FLOATS, size: int, part: NDArray[np.intp]) -> _FLOATS:
    return np.asarray(log_factorial[size] - log_factorial[part] - log_factorial[size - part])

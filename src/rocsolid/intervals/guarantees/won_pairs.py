from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from rocsolid.summaries.binary_summary import Board

_FLOATS = NDArray[np.float64]
_LEAST = 1e-30  # of the largest chance: below it, a chance at either end is dropped
_EMPTY: _FLOATS = np.empty(0)
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
    k, passed = len(board.below), board.columns - len(board.below)
    first, chance = 0, np.ones(1)  # of ``first`` wins and more
    scale = 1.0
    log_factorials = _EMPTY
    single_rows: list[tuple[float, int]] = []  # b and the rows before, not yet in ``chance``
    for turn, block in enumerate(_order(board), start=1):
        if block.rows == 1:
            single_rows.append((block.start + block.tied / 2.0, passed))
            scale *= passed + 1.0
        else:
            if not log_factorials.size:
                log_factorials = _log_factorials(board.columns + int(board.tied.max()))
            chance = _with_rows(first, chance, single_rows)
            single_rows = []
            first, chance = _with_block(first, chance, block, passed, log_factorials)
        passed += block.rows
        if turn % _TOGETHER == 0 or scale > 1e200:
            chance = _with_rows(first, chance, single_rows)
            single_rows = []
            chance /= scale
            scale = 1.0
            kept = np.flatnonzero(chance > _LEAST * chance.max())
            first, chance = first + int(kept[0]), chance[kept[0] : kept[-1] + 1]
    chance = _with_rows(first, chance, single_rows)
    law = np.zeros(k + 1)
    kept_chance = chance[: k + 1 - first]
    law[first : first + len(kept_chance)] = kept_chance / scale
    return law


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
    held = first + np.arange(len(chance))
    # a hypergeometric chance depends on s − e alone
    gap = np.arange(held[0] - heads[-1], held[-1] - heads[0] + 1)
    every = passed + rows
    good = np.clip(passed + block.start - gap, 0, every)
    more = _likely(rows, good.min() / every, good.max() / every)
    left, right = good[:, None] - more, (every - good)[:, None] - (rows - more)
    possible = (left >= 0) & (right >= 0)
    logs = log_factorial[good][:, None] - log_factorial[np.where(possible, left, 0)]
    logs += log_factorial[every - good][:, None] - log_factorial[np.where(possible, right, 0)]
    logs += _log_binomial(log_factorial, rows, more) + (
        log_factorial[passed] - log_factorial[every]
    )
    hypergeometric = np.where(possible, np.exp(np.minimum(logs, 0.0)), 0.0)
    windows = sliding_window_view(hypergeometric, len(heads), axis=0)
    added = windows @ coins[::-1] * chance[:, None]
    law = np.zeros(len(held) + len(more) - 1)
    for place in range(len(more)):
        law[place : place + len(held)] += added[:, place]
    return first + int(more[0]), law


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

"""Resamples in blocks of a fixed size, each from a stream of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.binary.resampling.schemes import Drawn, Sampler
from rocsolid.summaries.side_by_side import blocks_side_by_side
from rocsolid.summaries.stream import stream

_CELLS = 1 << 22  # rows times resamples of a block: more do not make it faster
_LEAST, _MOST = 16, 1024


def in_blocks(
    sampler: Sampler,
    resamples: int,
    seed: int,
    measure: Callable[[Drawn], NDArray[np.float64]],
    *,
    threads: bool = True,
) -> NDArray[np.float64]:
    """What ``measure`` makes of every block of resamples, a row of numbers for each resample.

    A block's size depends on the number of rows alone, and its stream on the seed and the number of
    the block. So the numbers are the same with two threads or one, and a smaller number of
    resamples is the beginning of a larger one. A ``measure`` of many short steps holds Python's
    lock, and is faster with one thread.
    """
    whole(resamples, "resamples")
    whole(seed, "seed", 0)
    rows = len(sampler.pos) + len(sampler.neg)
    columns = min(max(_CELLS // rows, _LEAST), _MOST)
    blocks = -(-int(resamples) // columns)

    def one(block: int) -> NDArray[np.float64]:
        drawn = sampler.draw(stream(int(seed), block), columns)
        return measure(drawn.first(int(resamples) - block * columns))

    work = rows * int(resamples) if threads else 0
    return np.concatenate(blocks_side_by_side(one, blocks, work))

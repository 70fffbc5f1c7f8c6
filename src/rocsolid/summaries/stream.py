"""The one source of randomness: a seeded, counter-based stream."""

from __future__ import annotations

import numpy as np

from rocsolid.arguments import whole


def stream(seed: int, *key: int) -> np.random.Generator:
    """An independent generator for each path of integers under one seed.

    Philox is counter-based: the numbers depend on the seed and the path alone, never on the order
    in which generators are made, nor on the number of threads that use them.

    >>> stream(0, 1).integers(100) == stream(0, 1).integers(100)
    np.True_
    >>> stream(0, 1).integers(1 << 60) == stream(0, 2).integers(1 << 60)
    np.False_
    """
    whole(seed, "seed", 0)
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(int(seed), spawn_key=key)))

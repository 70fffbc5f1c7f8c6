"""The bracket on long streams made to hurt it: it always holds, and its width is as stated.

Everything is seeded and the bracket is certain, so no false alarm is possible.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs

ROWS = 1_200_000  # more than two blocks of a sketch
SITES, SITE_ROWS = 1000, 400
SIZE = 10_000  # 397 buckets
BUCKETS = (SIZE - 60) // 25

Stream = tuple[NDArray[np.bool_], NDArray[np.float64]]


def _rows(rng: np.random.Generator, share: float = 0.5, shift: float = 1.0) -> Stream:
    y = rng.random(ROWS) < share
    return y, rng.normal(size=ROWS) + shift * y


def _drifting(rng: np.random.Generator) -> Stream:
    y, s = _rows(rng)
    return y, s + np.linspace(0.0, 40.0, ROWS)


def _zooming(rng: np.random.Generator) -> Stream:
    """Each block of rows lies in a small part of the last bucket of the one before."""
    y, s = _rows(rng)
    scale = np.repeat(10.0 ** -np.arange(8), ROWS // 8)
    return y, s * scale


def _giant_tie(rng: np.random.Generator) -> Stream:
    y, s = _rows(rng)
    return y, np.where(rng.random(ROWS) < 0.5, 0.25, s)


def _all_magnitudes(rng: np.random.Generator) -> Stream:
    y, s = _rows(rng)
    with np.errstate(over="ignore", under="ignore"):
        s = np.sign(s) * np.exp(s * 400)
    return y, np.where(rng.random(ROWS) < 0.01, np.copysign(np.inf, s), s)


def _sorted_by(key: Callable[[Stream], NDArray[np.generic]]) -> Callable[..., Stream]:
    def rows(rng: np.random.Generator) -> Stream:
        y, s = _rows(rng)
        order = np.argsort(key((y, s)), kind="stable")
        return y[order], s[order]

    return rows


# how many times the width of equal buckets of unseparated classes, 1/BUCKETS, is allowed
STREAMS: dict[str, tuple[Callable[[np.random.Generator], Stream], float]] = {
    "random order": (_rows, 0.95),
    "no signal": (lambda rng: _rows(rng, shift=0.0), 1.2),
    "one positive in a hundred": (lambda rng: _rows(rng, share=0.01), 1.0),
    "nearly separated": (lambda rng: _rows(rng, shift=6.0), 0.01),
    "ascending": (_sorted_by(lambda rows: rows[1]), 0.95),
    "descending": (_sorted_by(lambda rows: -rows[1]), 0.95),
    "positives last": (_sorted_by(lambda rows: rows[0]), 0.95),
    "positives first": (_sorted_by(lambda rows: ~rows[0]), 0.95),
    "drifting": (_drifting, 1.3),
    "zooming": (_zooming, 1.2),
    "giant tie": (_giant_tie, 0.25),
    "all magnitudes": (_all_magnitudes, 0.75),
}


@pytest.mark.parametrize("name", STREAMS)
def test_the_bracket_holds_and_is_as_narrow_as_stated(name: str) -> None:
    make, factor = STREAMS[name]
    y, s = make(np.random.default_rng(1))
    sketch = rs.Sketch(size=SIZE)
    for start in range(0, ROWS, 100_000):
        sketch.update(y[start : start + 100_000], s[start : start + 100_000])
    found, exact = sketch.auc(), rs.auc(y, s)
    assert found.low <= exact.value <= found.high
    assert found.width <= factor / BUCKETS
    assert found.fingerprint == exact.fingerprint
    assert sketch.refine().update(y, s).auc().exact == exact.exact


def _sent(part: rs.Sketch) -> rs.Sketch:
    return rs.Sketch.from_bytes(part.to_bytes())


def _in_turn(parts: list[rs.Sketch]) -> rs.Sketch:
    return sum(map(_sent, parts), rs.Sketch(size=SIZE))


def _by_pairs(parts: list[rs.Sketch]) -> rs.Sketch:
    while len(parts) > 1:
        rest = parts[-1:] if len(parts) % 2 else []
        parts = [a + b for a, b in zip(parts[::2], parts[1::2], strict=False)] + rest
    return parts[0]


def _by_pairs_sent_each_time(parts: list[rs.Sketch]) -> rs.Sketch:
    """The hardest way: a table is cut down to its size ten times."""
    while len(parts) > 1:
        rest = parts[-1:] if len(parts) % 2 else []
        parts = [_sent(a + b) for a, b in zip(parts[::2], parts[1::2], strict=False)] + rest
    return parts[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("merge", "factor"), [(_in_turn, 1.05), (_by_pairs, 1.2), (_by_pairs_sent_each_time, 2.4)]
)
def test_a_thousand_sites_merged(
    merge: Callable[[list[rs.Sketch]], rs.Sketch], factor: float
) -> None:
    """Each site is another population, so that none is typical."""
    rng = np.random.default_rng(2)
    y = rng.random(SITES * SITE_ROWS) < 0.3
    site = np.repeat(np.arange(SITES), SITE_ROWS)
    s = rng.normal(size=len(y)) + y + rng.normal(size=SITES)[site]
    one_pass, exact = rs.Sketch(size=SIZE).update(y, s).auc(), rs.auc(y, s)
    merged = merge([rs.Sketch(size=SIZE).update(y[site == i], s[site == i]) for i in range(SITES)])
    found = merged.auc()
    assert (found.n_pos, found.n_neg) == (exact.n_pos, exact.n_neg)
    assert found.fingerprint == exact.fingerprint
    assert found.low <= exact.value <= found.high
    assert found.width <= factor * one_pass.width
    assert merged.refine().update(y, s).auc().exact == exact.exact

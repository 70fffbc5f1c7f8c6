"""The exact counts for linear functions against arrangements with all their faces, in integers.

The faces of hyperplanes through the origin, as sign vectors, are what composing the rays' sign
vectors generates (X∘Y is X, and Y where X is zero), together with zero: the covectors of an
oriented matroid. The rays are the lines where d − 1 independent hyperplanes meet. Nothing is
sampled or rounded.
"""

from __future__ import annotations

from itertools import combinations
from math import comb, exp

import numpy as np
import pytest
from numpy.typing import NDArray

from rocsolid.theory.guarantees.psi import (
    linear_orderings,
    linear_rank_matrices,
    linear_rank_matrices_with_ties,
)
from rocsolid.theory.guarantees.shatter import log_faces_general, log_regions

Integers = NDArray[np.int64]


def faces(normals: Integers) -> Integers:
    """Every sign vector (sign(w·normal) over the normals) that some w in R^d has."""
    d = normals.shape[1]
    assert np.linalg.matrix_rank(normals) == d  # otherwise there are no rays
    rays = np.array(
        [ray for chosen in combinations(normals, d - 1) if (ray := line(chosen, d)).any()]
    )
    cocircuits = np.unique(
        np.sign(np.concatenate([rays, -rays]) @ normals.T).astype(np.int8), axis=0
    )
    found = np.zeros((1, len(normals)), dtype=np.int8)
    seen = {found.tobytes()}
    new = found
    while len(new):
        composed = np.where(new[:, None] == 0, cocircuits[None], new[:, None])
        composed = np.unique(composed.reshape(-1, len(normals)), axis=0)
        new = np.array([row for row in composed if row.tobytes() not in seen], dtype=np.int8)
        seen.update(row.tobytes() for row in new)
        if len(new):
            found = np.concatenate([found, new])
    return found


def line(normals: tuple[Integers, ...], d: int) -> Integers:
    """The generalised cross product: at right angles to d − 1 vectors, zero if dependent."""
    if d == 1:
        return np.array([1])
    minors = [
        np.linalg.det(np.delete(np.array(normals), axis, axis=1).astype(float)) for axis in range(d)
    ]
    return np.array([round((-1) ** axis * minor) for axis, minor in enumerate(minors)])


def points(count: int, d: int, seed: int) -> Integers:
    return np.random.default_rng(seed).integers(-40, 41, (count, d))


def bipartite_faces(m: int, n: int, d: int, seed: int) -> Integers:
    x = points(m + n, d, seed)
    return faces((x[:m, None] - x[None, m:]).reshape(m * n, d))


def counts(signs: Integers) -> tuple[int, int]:
    return int((signs != 0).all(axis=1).sum()), len(signs)


@pytest.mark.parametrize(
    ("m", "n", "d", "strict", "tied"),
    [
        (3, 3, 1, 2, 3),
        (3, 3, 2, 18, 37),
        (2, 5, 2, 20, 41),
        (4, 4, 2, 32, 65),
        (3, 3, 3, 74, 291),
        (4, 4, 3, 242, 963),
        (2, 2, 3, 14, 51),  # d = N − 1: every rank matrix
        (3, 3, 4, 168, 1129),
    ],
)
def test_counts_are_those_of_an_arrangement(m: int, n: int, d: int, strict: int, tied: int) -> None:
    assert counts(bipartite_faces(m, n, d, seed=1)) == (strict, tied)
    assert linear_rank_matrices(m, n, d) == strict
    assert linear_rank_matrices_with_ties(m, n, d) == tied


@pytest.mark.parametrize(("m", "n"), [(1, 4), (2, 3), (3, 4), (2, 5), (5, 2)])
@pytest.mark.parametrize("d", [2, 3])
def test_counts_at_other_sizes(m: int, n: int, d: int) -> None:
    found = counts(bipartite_faces(m, n, d, seed=m + 10 * n))
    assert found == (linear_rank_matrices(m, n, d), linear_rank_matrices_with_ties(m, n, d))


def test_in_the_plane_there_are_twice_and_four_times_the_pairs() -> None:
    for m in range(1, 6):
        for n in range(2, 6):
            assert linear_rank_matrices(m, n, 2) == 2 * m * n
            assert linear_rank_matrices_with_ties(m, n, 2) == 4 * m * n + 1


@pytest.mark.parametrize("d", [2, 3])
def test_special_positions_give_no_more(d: int) -> None:
    grid = np.array(list(np.ndindex(*(2,) * d)) * 2)[:6]
    for order in np.random.default_rng(0).permuted(np.tile(np.arange(6), (10, 1)), axis=1):
        x = grid[order]
        normals = (x[:3, None] - x[None, 3:]).reshape(9, d)
        strict, tied = counts(faces(normals[normals.any(axis=1)]))
        assert strict <= linear_rank_matrices(3, 3, d)
        assert tied <= linear_rank_matrices_with_ties(3, 3, d)


@pytest.mark.parametrize(("count", "d"), [(3, 2), (4, 2), (5, 3), (6, 3), (4, 3), (5, 4)])
def test_orderings_are_the_regions_of_all_differences(count: int, d: int) -> None:
    x = points(count, d, seed=count)
    signs = faces(np.array([a - b for a, b in combinations(x, 2)]))
    assert linear_orderings(count, d) == counts(signs)[0]


@pytest.mark.parametrize(
    ("hyperplanes", "d"), [(1, 1), (1, 2), (5, 2), (3, 3), (6, 3), (7, 3), (5, 4)]
)
def test_regions_and_faces_in_general_position(hyperplanes: int, d: int) -> None:
    if hyperplanes < d:
        expected = (2**hyperplanes, 3**hyperplanes)
    else:
        expected = counts(faces(points(hyperplanes, d, seed=hyperplanes)))
    assert round(exp(log_regions(hyperplanes, d))) == expected[0]
    assert round(exp(log_faces_general(hyperplanes, d))) == expected[1]


def test_affine_functions_on_the_line_give_4n_plus_1() -> None:
    # Agarwal et al. 2005, §4.4: s(F˘, N) for linear functions on R and N ≥ 2
    for n in range(2, 30):
        assert round(exp(log_faces_general(n, 2))) == 4 * n + 1
    assert (
        1 + 2 * comb(9, 1) + 2 * comb(9, 1) == 37
    )  # 9 points: nothing, 18 open, 18 through a point

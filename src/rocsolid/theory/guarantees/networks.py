"""Networks of rectified linear units: the rankings they can produce, and their norms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import is_number, whole
from rocsolid.errors import InputError
from rocsolid.theory.guarantees.gaussian_complexity import GaussianComplexity
from rocsolid.theory.guarantees.shatter import UserClass, log_regions

_FLOATS = NDArray[np.float64]


def networks(widths: Sequence[int]) -> UserClass:
    """Return the class of networks of rectified linear units with the given layer widths.

    The network has d inputs, layers of h₁, …, h_L units, and one output. Layer by layer, the
    weights are divided into parts with the same active units on the 2k rows of k pairs (Bartlett,
    Harvey, Liaw and Mehrabian 2019); the first layer makes (2Σ_{l≤d} C(2k−1, l))^h₁ parts (Cover
    1965). In a part, the inputs of layer l are polynomials of degree l in its W_l weights and the
    earlier weights, and the output has degree L + 1 in all W weights; `log_polynomial_signs` counts
    their signs. `weighted_uniform_curve` uses the patterns of f(x) > t and f(x) < t on N rows,
    where t is one more weight of the output.

    >>> round(networks([5, 8]).log_sign_patterns(10_000), 1)
    826.9
    """
    sizes = [whole(width, "widths") for width in widths]
    if len(sizes) < 2:
        raise InputError(
            "a network has inputs and at least one layer of units", where="widths", value=widths
        )
    inputs, *layers = sizes

    def in_layers(rows: int) -> tuple[float, int]:
        total = layers[0] * log_regions(rows, inputs + 1)
        weights = layers[0] * (inputs + 1)
        for depth, (before, units) in enumerate(itertools.pairwise(layers), start=2):
            weights += units * (before + 1)
            total += log_polynomial_signs(units * rows, depth, weights)
        return total, weights + layers[-1]

    def of_output(rows: int, places: int, constants: int) -> float:
        # >0 and <0 at each place, which also tells a tie
        total, weights = in_layers(rows)
        signs = log_polynomial_signs(2 * places, len(layers) + 1, weights + constants)
        return total + min(signs, places * math.log(3))

    return UserClass(
        sign_patterns=lambda pairs: of_output(2 * pairs, pairs, 0),
        threshold_patterns=lambda rows: of_output(rows, rows, 1),
        symmetric=True,
    )


def semialgebraic(weights: int, polynomials: int, degree: int) -> UserClass:
    """Return a class in which polynomials in the weights decide every comparison of scores.

    The signs of at most ``polynomials`` polynomials, of at most ``degree`` in the weights, decide
    which of two rows has the higher score or that they tie, and likewise for a row and a threshold,
    which counts as one more weight (Goldberg and Jerrum 1995). The signs are counted as in
    `networks`.

    >>> nearest = semialgebraic(5, 1, 1)  # −‖x − c‖² compares by functions that are linear in c
    >>> round(nearest.log_sign_patterns(10_000), 1)
    50.6
    """
    size, each = whole(weights, "weights"), whole(polynomials, "polynomials")
    power = whole(degree, "degree")

    def patterns(places: int, numbers: int) -> float:
        signs = log_polynomial_signs(2 * each * places, power, numbers)
        return min(signs, places * math.log(3))

    return UserClass(
        sign_patterns=lambda pairs: patterns(pairs, size),
        threshold_patterns=lambda rows: patterns(rows, size + 1),
    )


def log_polynomial_signs(polynomials: int, degree: int, variables: int) -> float:
    """Return ln of 2(2eMq/p)^p, a bound on the sign patterns of M polynomials, at most 2^M.

    The polynomials have degree at most q in p ≤ M variables. A sign pattern lists the polynomials
    above 0 (Warren 1968; Anthony and Bartlett 1999, Theorem 8.3).

    >>> round(math.exp(log_polynomial_signs(2, 1, 5))), round(log_polynomial_signs(100, 2, 5), 2)
    (4, 27.6)
    """
    most = polynomials * math.log(2)
    if variables >= polynomials:
        return most
    ratio = 2 * math.e * polynomials * degree / variables
    return min(most, math.log(2) + variables * math.log(ratio))


def path_norm(coefficients: Sequence[_FLOATS], intercepts: Sequence[_FLOATS]) -> float:
    """Return the path norm of a network of rectified linear units, which `network_spread` uses.

    A unit of the first layer counts ‖(weights, constant)‖, a later unit Σ|weight|·(count of the
    input unit) + |constant|; the output's constant does not count. Layers have the form of
    scikit-learn's ``coefs_`` and ``intercepts_``.

    >>> path_norm([np.array([[3.0]]), np.array([[2.0]])], [np.array([4.0]), np.array([9.0])])
    10.0
    """
    first, *later = coefficients
    lengths: _FLOATS = np.sqrt((first**2).sum(axis=0) + intercepts[0] ** 2)
    for weights, constants in zip(later[:-1], intercepts[1:-1], strict=True):
        lengths = np.abs(weights).T @ lengths + np.abs(constants)
    return float((np.abs(later[-1]).T @ lengths).item())


def network_spread(hidden: int, radius: float) -> float:
    """Return 2^(L+1)·√(R² + 1), for networks of L layers of rectified linear units, path norm 1.

    Linear functions of (x, 1) have Rademacher complexity √((R²+1)/k), which max(0, ·) does not
    raise (contraction, Ledoux and Talagrand 1991). Every layer, and the two rows of a pair, at most
    double it (Bartlett and Mendelson 2002; Neyshabur, Tomioka and Srebro 2015).

    >>> round(network_spread(1, 2.0), 3)
    8.944
    """
    if not (is_number(radius) and 0.0 < radius < math.inf):
        raise InputError("the radius must be above zero and finite", where="radius", value=radius)
    return float(2 ** (whole(hidden, "hidden") + 1)) * math.sqrt(radius**2 + 1.0)


def gaussian_network(norm: float, hidden: int, radius: float, rows: int) -> GaussianComplexity:
    """Return B·2^L·√(R² + 1)·√N, for networks of L layers of rectified linear units.

    B bounds the path norm (`path_norm`), and ‖x‖ ≤ R. Linear functions of (x, 1) of norm 1 have
    √(N(R² + 1)) at most. A layer maps a class to the convex hull of ±max(0, h). Because max(0, ·)
    is a contraction, E sup Σγᵢ·max(0, h(xᵢ)) ≤ E sup Σγᵢ·h(xᵢ) (Sudakov and Fernique), and the sign
    at most doubles the supremum, because h = 0 is in the class.

    Reference: Maurer and Pontil 2020, Remark 2 after Theorem 3.

    >>> print(gaussian_network(1.0, 1, 2.0, 10_000))
    G(H) at most 447.2 for 10,000 rows (path norm)
    """
    size = whole(rows, "rows")
    if not (is_number(norm) and 0.0 < norm < math.inf):
        raise InputError("the path norm must be above zero and finite", where="norm", value=norm)
    bound = norm * network_spread(hidden, radius) / 2.0 * math.sqrt(size)
    return GaussianComplexity(bound, bound, size, "path norm")

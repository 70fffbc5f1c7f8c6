"""The samplers against the laws that they claim, by chi-square; seeded."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from scipy.special import chdtrc

from rocsolid.leaks.release.defence import (
    _below,
    _bernoulli_exp,
    discrete_gaussian,
    discrete_laplace,
)

DRAWS = 20_000
# the false-alarm rate of each of the nine tests below, if the seeds were drawn anew
LEVEL = 1e-4


def _p_value(draws: list[int], log_weight: dict[int, float]) -> float:
    """Pearson's chi-square; cells of fewer than 10 expected draws are put together."""
    total = math.fsum(math.exp(w) for w in log_weight.values())
    seen = Counter(draws)
    cells, rest = [], [0.0, 0.0]
    for x, w in log_weight.items():
        expected = DRAWS * math.exp(w) / total
        if expected >= 10:
            cells.append((seen[x], expected))
        else:
            rest = [rest[0] + seen[x], rest[1] + expected]
    cells.append((rest[0], rest[1] + 1e-9))
    assert sum(c for c, _ in cells) == DRAWS  # nothing falls outside the table
    cells = [c for c in cells if c[1] > 1]
    return float(chdtrc(len(cells) - 1, sum((c - e) ** 2 / e for c, e in cells)))


@pytest.mark.parametrize("scale", ["1/3", "1", "7/2", "40"])
def test_discrete_laplace_has_its_law(scale: str) -> None:
    bits = random.Random(f"laplace {scale}").getrandbits
    b = Fraction(scale)
    draws = [discrete_laplace(b, randbits=bits) for _ in range(DRAWS)]
    reach = math.ceil(60 * b)
    assert _p_value(draws, {x: -abs(x) / float(b) for x in range(-reach, reach + 1)}) > LEVEL


@pytest.mark.parametrize("variance", ["1/5", "1", "10", "1234/5"])
def test_discrete_gaussian_has_its_law(variance: str) -> None:
    bits = random.Random(f"gaussian {variance}").getrandbits
    v = Fraction(variance)
    draws = [discrete_gaussian(v, randbits=bits) for _ in range(DRAWS)]
    reach = math.ceil(12 * math.sqrt(v)) + 1
    law = {x: -(x**2) / float(2 * v) for x in range(-reach, reach + 1)}
    assert _p_value(draws, law) > LEVEL


@pytest.mark.parametrize(("num", "den"), [(0, 1), (1, 3), (1, 1), (7, 2)])
def test_a_coin_that_shows_heads_with_an_exponential_probability(num: int, den: int) -> None:
    bits = random.Random(f"coin {num}/{den}").getrandbits
    heads = sum(_bernoulli_exp(num, den, bits) for _ in range(DRAWS))
    p = math.exp(-num / den)
    # five standard deviations: a false alarm in about two million
    assert abs(heads - DRAWS * p) <= 5 * math.sqrt(DRAWS * p * (1 - p))


def test_a_uniform_integer_below_one_draws_no_bits() -> None:
    assert _below(1, lambda _: pytest.fail("no bits are needed")) == 0


def test_the_operating_system_is_the_default_source() -> None:
    draws = {discrete_laplace(Fraction(10**6)) for _ in range(50)}
    assert len(draws) > 40
    assert len({discrete_gaussian(Fraction(10**12)) for _ in range(50)}) > 40

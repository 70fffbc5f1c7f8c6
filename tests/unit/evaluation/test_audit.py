"""An audit of a printed AUC, against every labeling of a few rows."""

from __future__ import annotations

import itertools
import json
import math
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.intervals.calibrated.tails import quantile
from rocsolid.intervals.calibrated.variance_limits import std_error_limits

SIZES = [(2, 2), (2, 5), (3, 4), (5, 3), (4, 4)]


def curves(m: int, n: int, ties: bool) -> list[tuple[float, float]]:
    """AUC and DeLong's standard error, by definition, for every order of the rows."""
    found = []
    for wins in itertools.product(range(2 * n + 1 if ties else n + 1), repeat=m):
        if any(b > a for a, b in itertools.pairwise(wins)):
            continue
        half = np.array(wins) / (2 if ties else 1)  # negatives below each positive
        places = np.arange(n)
        won = np.clip(half[:, None] - places, 0, 1)  # a positive may tie with one negative
        found.append(
            (won.mean(), (won.mean(1).var(ddof=1) / m + won.mean(0).var(ddof=1) / n) ** 0.5)
        )
    return found


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_no_order_has_an_error_beyond_the_limits(m: int, n: int) -> None:
    for ties in (False, True):
        for auc, error in curves(m, n, ties):
            low, high = std_error_limits(auc, m, n)
            assert error <= high + 1e-12
            assert ties or error >= low - 1e-12


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_the_largest_error_is_reached(m: int, n: int) -> None:
    reached = {
        (round(a, 9)) for a, e in curves(m, n, False) if e > std_error_limits(a, m, n)[1] - 1e-9
    }
    assert {round(i / min(m, n), 9) for i in range(1, min(m, n))} <= reached


def test_the_smallest_error_is_nearly_reached() -> None:
    n = 400
    wins = np.arange(n, 0, -1)  # the area of a straight line from corner to corner
    won = np.clip(wins[:, None] - np.arange(n), 0, 1)
    error = (won.mean(1).var(ddof=1) / n + won.mean(0).var(ddof=1) / n) ** 0.5
    low, high = std_error_limits(won.mean(), n, n)
    assert low <= error < 1.01 * low < 0.9 * high


@pytest.mark.parametrize(("m", "n"), [(5, 6), (3, 3), (2, 7)])
@pytest.mark.parametrize("digits", [1, 2, 3])
def test_a_value_is_possible_if_some_count_of_pairs_is_printed_so(
    m: int, n: int, digits: int
) -> None:
    unit = Decimal(1).scaleb(-digits)
    printed = {
        str((Decimal(w) / (2 * m * n)).quantize(unit, ROUND_HALF_UP)) for w in range(2 * m * n + 1)
    }
    for number in range(0, 10**digits + 1, 7 if digits == 3 else 1):
        text = str(Decimal(number).scaleb(-digits))
        found = rs.audit(text, n_pos=m, n_neg=n)
        if text in printed:
            assert found.possible, text
        elif not found.possible:
            assert len(found.nearest) == 2


def test_the_bits_are_those_of_the_labelings_that_fit() -> None:
    fits = sum(
        abs(sum(p - i for i, p in enumerate(chosen)) / 30 - 0.8333) < 5e-5
        for chosen in itertools.combinations(range(11), 5)
    )
    found = rs.audit("0.8333", n_pos=5, n_neg=6)
    assert found.bits == pytest.approx(math.log2(math.comb(11, 5) / fits))


def about(found: object, name: str) -> bool:
    return next(one.possible for one in found.findings if one.about == name)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("ci", "possible"),
    [
        ((".77", ".93"), True),
        ((".86", ".93"), False),  # without the AUC
        ((".60", ".99"), False),  # too wide
        ((".849", ".851"), False),  # too narrow
        ((".75", "1.02"), False),  # an AUC above 1
    ],
)
def test_an_interval(ci: tuple[str, str], possible: bool) -> None:
    assert about(rs.audit(".85", n_pos=50, n_neg=50, ci=ci), "ci") is possible


def test_intervals_and_p_values_of_real_scores_are_possible() -> None:
    """DeLong's own numbers, rounded, are never called impossible: ties, sizes, digits."""
    rng = np.random.default_rng(5)
    z = quantile(0.95, "two-sided")
    for _ in range(60):
        m, n = rng.integers(4, 40, 2)
        y = np.repeat([1, 0], [m, n])
        a = np.round(y * rng.uniform(0, 3) + rng.normal(size=m + n), 3)
        b = np.round(a + rng.normal(size=m + n), 3)
        digits = int(rng.integers(2, 5))
        pair = rs.compare(y, {"a": a, "b": b}, test="delong")
        one, two = pair.estimates["a"], pair.estimates["b"]
        error = one.std_error
        ci = [f"{limit:.{digits}f}" for limit in (one.value - z * error, one.value + z * error)]
        if float(ci[0]) < 0 or float(ci[1]) > 1:
            ci = None
        found = rs.audit(
            f"{one.value:.{digits}f}", n_pos=int(m), n_neg=int(n), ci=ci,
            vs=f"{two.value:.{digits}f}", p=f"{pair.pairs[0].p_value:.{digits}f}",
        )  # fmt: skip
        assert found.possible, found


def test_a_p_value_above_all_tests() -> None:
    found = rs.audit(".90", n_pos=50, n_neg=50, vs=".60", p=".80")
    assert not about(found, "p")
    assert about(rs.audit(".90", n_pos=50, n_neg=50, vs=".60", p=".001"), "p")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    command = "audit --auc .845 --n-pos 5 --n-neg 6 --ci .60 .99 --vs .80 --p .7 --errors 6"
    assert run([*command.split(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    same = rs.audit(".845", n_pos=5, n_neg=6, ci=(".60", ".99"), vs=".80", p=".7", errors=6)
    assert found == same.to_dict() | {"possible": False}
    assert run(command.split()) == 0
    assert "An AUC of .845 is not possible with 5 positives" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p": ".3"}, "AUC that it compares with"),
        ({"ci": (".9", ".8")}, "lower limit"),
        ({"n_pos": 1}, "at least 2"),
        ({"level": 1.5}, "between 0 and 1"),
        ({"vs": ".5", "p": "3"}, "between 0 and 1"),
    ],
)
def test_what_cannot_be_asked(options: dict, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.audit(".8", **({"n_pos": 5, "n_neg": 6} | options))

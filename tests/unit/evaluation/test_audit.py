"""An audit of a printed AUC, against every labeling of a few rows."""

from __future__ import annotations

import itertools
import json
import math
import tracemalloc
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.printed_auc import printed_auc
from rocsolid.intervals.calibrated.standard_error import quantile, std_error_limits

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
            limits = std_error_limits(auc, m, n)
            assert limits.tied - 1e-12 <= error <= limits.most + 1e-12
            assert ties or error >= limits.untied - 1e-12


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_the_largest_error_is_reached(m: int, n: int) -> None:
    reached = {
        (round(a, 9)) for a, e in curves(m, n, False) if e > std_error_limits(a, m, n).most - 1e-9
    }
    assert {round(i / min(m, n), 9) for i in range(1, min(m, n))} <= reached


def test_the_smallest_error_is_nearly_reached() -> None:
    n = 400
    wins = np.arange(n, 0, -1)  # the area of a straight line from corner to corner
    won = np.clip(wins[:, None] - np.arange(n), 0, 1)
    error = (won.mean(1).var(ddof=1) / n + won.mean(0).var(ddof=1) / n) ** 0.5
    limits = std_error_limits(won.mean(), n, n)
    assert limits.untied <= error < 1.01 * limits.untied < 0.9 * limits.most


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
        ((".87", ".93"), False),  # without the AUC
        ((".60", ".99"), False),  # beyond any method
        ((".849", ".851"), False),  # narrower than any, with ties too
        ((".75", "1.02"), False),  # not as far up as down
    ],
)
def test_an_interval(ci: tuple[str, str], possible: bool) -> None:
    named = rs.audit(".85", n_pos=50, n_neg=50, ci=ci, method="delong")
    assert about(named, "ci") is possible is named.possible
    far = ci in [(".87", ".93"), (".60", ".99")]
    assert rs.audit(".85", n_pos=50, n_neg=50, ci=ci).possible is not far


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
            vs=f"{two.value:.{digits}f}", p=f"{pair.pairs[0].p_value:.{digits}f}", method="delong",
        )  # fmt: skip
        assert found.possible, found


def test_a_p_value_above_all_of_delongs_tests() -> None:
    """An adjusted or one-sided one can be as large, so that it accuses a named method only."""
    large = {"n_pos": 50, "n_neg": 50, "vs": ".60", "p": ".80"}
    assert not about(rs.audit(".90", **large, method="delong"), "p")
    assert "one-sided" in rs.audit(".90", **large).findings[-1].text
    assert rs.audit(".90", **large).possible
    assert about(rs.audit(".90", **large | {"p": ".001"}, method="delong"), "p")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    command = "audit --auc .845 --n-pos 5 --n-neg 6 --ci .60 .99 --vs .80 --p .7 --errors 6"
    assert run([*command.split(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    same = rs.audit(".845", n_pos=5, n_neg=6, ci=(".60", ".99"), vs=".80", p=".7", errors=6)
    assert found == same.to_dict() | {"possible": False}
    named = "audit --auc .80 --n-pos 5 --n-neg 6 --ci .60 .99 --method exact --json"
    assert run(named.split()) == 0  # whatever is found
    assert [each["method"] for each in json.loads(capsys.readouterr().out)["methods"]] == ["exact"]
    assert run(command.split()) == 0
    assert "An AUC of .845 is not possible with 5 positives" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p": ".3"}, "AUC that is compared"),
        ({"ci": (".9", ".8")}, "lower limit"),
        ({"n_pos": 1}, "at least 2"),
        ({"level": 1.5}, "between 0 and 1"),
        ({"vs": ".5", "p": "3"}, "between 0 and 1"),
        ({"method": "pROC"}, "method"),
    ],
)
def test_what_cannot_be_asked(options: dict, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.audit(".8", **({"n_pos": 5, "n_neg": 6} | options))


@pytest.mark.parametrize(
    ("auc", "sizes", "digits", "fractions", "text"),
    [
        (".87", (4, 2), "rounded", ["7/8 = 0.8750"], "7/8 = 0.8750 (a half, rounded down)."),
        (".88", (4, 2), "rounded", ["7/8 = 0.8750"], "7/8 = 0.8750 (a half, rounded up)."),
        (".85", (3, 7), "cut", ["18/21 = 0.8571"], "if its last digits were truncated and not"),
        (".8", (3, 3), "rounded", 2, "7/9 = 0.7778, 15/18 = 0.8333 (with a tie)."),
        ("0.21", (2, 7), "rounded", ["3/14 = 0.2143"], "is possible"),
        ("0.25", (5, 6), "rounded", ["15/60 = 0.2500 (with a tie)"], "needs a tie"),
        (".85", (50, 50), "rounded", 51, "one of 51 fractions, 4225/5000 = 0.8450 (with a tie) to"),
        (25 / 30, (5, 6), "rounded", 1, "25/30"),
    ],
)
def test_the_fractions_that_fit(
    auc: str | float, sizes: tuple[int, int], digits: str, fractions: list[str] | int, text: str
) -> None:
    m, n = sizes
    printed = rs.audit(auc, n_pos=m, n_neg=n)
    assert printed.possible
    assert printed.digits == digits
    if isinstance(fractions, list):
        assert list(printed.fractions) == fractions
        fractions = len(fractions)
    assert printed.n_fractions == fractions
    assert text in printed.findings[0].text
    assert (printed.bits is None) == (digits == "cut" or "needs" in printed.findings[0].text)


@pytest.mark.parametrize(
    ("auc", "m", "n"), [(".9999", 3, 3), ("0.849", 5, 4), (".82", 2, 6), ("0.9", 20, 20)]
)
def test_no_number_is_truncated_to_the_one_below_it(auc: str, m: int, n: int) -> None:
    """9/9 is printed as 1.0000 and 17/20 as 0.850, whether rounded or truncated."""
    printed = printed_auc(auc, m, n, ("cut",))
    places = len(auc.partition(".")[2])
    low = Fraction(auc)
    high = low + Fraction(1, 10**places)
    assert list(printed.wins) == [
        win for win in range(2 * m * n + 1) if low <= Fraction(win, 2 * m * n) < high
    ]
    assert printed_auc("5/6", 5, 6, ("cut",)).fractions == ("25/30 = 0.83333",)


def test_an_auc_just_below_1_is_impossible_for_few_rows() -> None:
    printed = rs.audit(".9999", n_pos=3, n_neg=3)
    assert not printed.possible
    assert printed.digits is None


def test_the_bits_name_the_fractions_that_they_rest_on() -> None:
    assert rs.audit(".87", n_pos=4, n_neg=2).bits_rest_on == "7/8 = 0.8750"
    rest = rs.audit(".85", n_pos=50, n_neg=50).bits_rest_on
    assert rest == "one of 25 fractions, 2113/2500 = 0.8452 to 2137/2500 = 0.8548"


def test_an_impossible_auc_gets_no_intervals_and_its_printed_one_is_judged() -> None:
    printed = rs.audit(".845", n_pos=5, n_neg=6, ci=(".6", ".99"))
    assert printed.intervals == printed.fractions == ()
    assert printed.half_widths is printed.least_with_ties is printed.bits is printed.digits is None
    assert [finding.possible for finding in printed.findings] == [False, True]
    assert "judged for every number that is printed .845" in printed.findings[1].text
    narrow = rs.audit(".845", n_pos=5, n_neg=6, ci=(".86", ".95"))
    assert [finding.possible for finding in narrow.findings] == [False, False]
    assert {method.verdict for method in narrow.methods} == {"impossible"}


@pytest.mark.parametrize("sizes", [(5, 3_000_000_000), (2_000_000_000, 3_000_000_000), (2**33, 2)])
def test_large_classes_take_no_array_of_all_rows(sizes: tuple[int, int]) -> None:
    m, n = sizes
    tracemalloc.start()
    try:
        printed = rs.audit(".8", n_pos=m, n_neg=n, ci=(".7", ".9"), vs=".7", p=".2", errors=m // 2)
        assert tracemalloc.get_traced_memory()[1] < 1e8
    finally:
        tracemalloc.stop()
    assert printed.possible
    assert printed.bits is None
    assert "takes too long" in printed.sentences()[-1]


def test_the_largest_p_value_of_delongs_tests() -> None:
    """The errors of both AUCs add up, whatever the correlation."""
    error = sum(std_error_limits(auc, 20, 20).most for auc in (0.9, 0.7))
    text = rs.audit("9/10", n_pos=20, n_neg=20, vs="7/10", p=".1").findings[-1].text
    assert f"at most {math.erfc(0.2 / error / 2**0.5):.4f} " in text


@pytest.mark.parametrize("ci", [(".849", ".93"), (".77", ".852")])
def test_the_default_is_not_narrower_than_any_scores_allow(ci: tuple[str, str]) -> None:
    assert not rs.audit(".850", n_pos=50, n_neg=50, ci=ci, method="auto").possible
    assert rs.audit(".850", n_pos=50, n_neg=50, ci=(".77", ".93"), method="auto").possible

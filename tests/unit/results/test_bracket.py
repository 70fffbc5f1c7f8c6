"""A bracket prints and rounds outwards, and says what it is and what it is not."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rocsolid.results import Bracket


@st.composite
def brackets(draw: st.DrawFn) -> Bracket:
    m, n = draw(st.integers(1, 10**9)), draw(st.integers(1, 10**9))
    unknown = draw(st.one_of(st.integers(0, 5), st.integers(0, m * n)))
    unknown = min(unknown, m * n)
    return Bracket(draw(st.integers(0, 2 * (m * n - unknown))), unknown, m, n)


@given(brackets())
def test_every_number_is_rounded_outwards(bracket: Bracket) -> None:
    pairs = 2 * bracket.n_pos * bracket.n_neg
    low = Fraction(bracket.doubled_wins, pairs)
    high = low + Fraction(bracket.unknown, pairs // 2)
    if bracket.unknown:
        assert Fraction(bracket.low) <= low
        assert Fraction(bracket.high) >= high
        assert 0 <= bracket.low <= bracket.value <= bracket.high <= 1
        words = str(bracket).split()
        assert words[1::2][:2] == ["from", "to"]
        assert Fraction(Decimal(words[2])) <= low
        assert Fraction(Decimal(words[4])) >= high
        assert bracket.exact is None
    else:
        assert bracket.low == bracket.high == bracket.value == float(low)
        assert bracket.exact == low
    assert float(bracket) == bracket.value
    assert bracket.value in bracket


def test_digits_follow_the_width() -> None:
    assert str(Bracket(1_600_000, 3, 1_000, 1_000)) == (
        "AUC from 0.8000000 to 0.8000030 for certain (half-width 1.5e-06), 1,000 positives, "
        "1,000 negatives"
    )


def test_words() -> None:
    assert Bracket(13, 0, 2, 4).explain() == (
        "The AUC of these 2 positives and 4 negatives is 13/16, or 0.8125, exactly: the order of "
        "every pair is known. This range is not a confidence interval: it tells nothing about rows "
        "outside the sample."
    )
    assert "1 of the 8 pairs of a positive and a negative is in one bucket, so its order" in (
        Bracket(11, 1, 2, 4).explain()
    )
    assert "2 of the 8 pairs of a positive and a negative are in one bucket, so their" in (
        Bracket(11, 2, 2, 4).explain()
    )
    nothing = Bracket(0, 8, 2, 4)
    assert nothing.vacuous
    assert nothing.explain().startswith("Nothing is known about the AUC of these 2 positives")
    assert "vacuous" in str(nothing)
    assert not Bracket(1, 7, 2, 4).vacuous


def test_plain_data() -> None:
    facts = Bracket(11, 1, 2, 4, omitted=3, fingerprint="ab").to_dict()
    assert json.loads(json.dumps(facts)) == {
        "measure": "auc", "value": 0.75, "low": 0.6875, "high": 0.8125, "width": 0.125,
        "certain": True, "exact": None, "n_pos": 2, "n_neg": 4, "unknown_pairs": 1,
        "omitted": 3, "fingerprint": "ab",
    }  # fmt: skip
    assert Bracket(13, 0, 2, 4).to_dict()["exact"] == "13/16"

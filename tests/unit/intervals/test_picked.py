"""The winner's interval: known numbers where nobody is near, and how it widens."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit
from scipy.stats import norm, truncnorm

from rocsolid.intervals.estimate_options import picked
from rocsolid.results.comparison import Winner


def won(values: list[float], df: float = np.inf, level: float = 0.95, **options: object) -> Winner:
    names = [f"{k}" for k in range(len(values))]
    known: dict[str, object] = {"logits": False, **options}
    return picked(names, np.array(values), np.eye(len(values)), df, level, **known)


@pytest.mark.parametrize(("count", "level"), [(2, 0.95), (2, 0.8), (12, 0.95)])
def test_a_clear_winner_has_the_interval_of_the_paper(count: int, level: float) -> None:
    """A normal estimate that is cut off at the simultaneous limit of a tenth of the error.

    By Andrews, Kitagawa and McCloskey (2024), section 4: β = α/10 for the simultaneous interval,
    and (α − β)/(1 − β) for the interval within it, halved for two sides.
    """
    alpha = 1.0 - level
    beta = alpha / 10.0
    reach = norm.isf((1.0 - (1.0 - beta) ** (1.0 / count)) / 2.0)
    half = truncnorm(-reach, reach).isf((alpha - beta) / (1.0 - beta) / 2.0)
    found = won([100.0, *range(count - 1)], level=level)
    assert found.value - found.low == pytest.approx(half, abs=1e-6)
    assert found.high - found.value == pytest.approx(half, abs=1e-6)


@pytest.mark.parametrize("values", [[3.0, 2.5, 0.0], [9.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
@pytest.mark.parametrize("df", [3.0, 9.0, 40.0])
def test_few_degrees_of_freedom_widen_it_as_student_has_it(values: list[float], df: float) -> None:
    """Errors are as if each were larger by Student's quantile over the normal one."""
    wider = stdtrit(df, 0.975) / ndtri(0.975)
    names = ["0", "1", "2"]
    same = picked(names, np.array(values), np.eye(3) * wider**2, np.inf, 0.95, logits=False)
    found = won(values, df)
    assert (found.low, found.high) == pytest.approx((same.low, same.high), abs=1e-9)
    assert found.high - found.low > 1.02 * (won(values).high - won(values).low)


def test_the_nearer_the_others_the_lower_it_reaches() -> None:
    lows = [found.value - found.low for found in (won([x, 0.0]) for x in (5.0, 2.0, 1.0, 0.2))]
    assert lows == sorted(lows)
    assert lows[-1] > 1.2 * lows[0]


def test_it_prints_the_value_and_the_interval_alone() -> None:
    """Three scores of nearly one value: a corrected value would lie below every one of them."""
    found = won([0.7699, 0.7688, 0.7561])
    assert str(found) == (
        "0 has the highest value, 0.7699; corrected for picking the best: "
        f"[{found.low:.4f}, {found.high:.4f}] at 95 %"
    )
    assert set(found.to_dict()) == {"name", "value", "low", "high", "level", "method"}

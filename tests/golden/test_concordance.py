"""Concordances that R gives: Hmisc 4.8.0 and survival 3.5.3 under R 4.2.2 (Debian 12), 15 digits.

    rcorr.cens(s, y)                      C Index, Dxy, Relevant Pairs, Concordant
    concordance(y ~ s), weights = w, cluster = c      concordance, sqrt(var), count

R's standard error is the root of the sum of squared influences; ours divides each square by 1 − h,
h being the share of the pairs that the row or cluster takes part in.
"""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs

AT = np.arange(24)
OUTCOME = (7 * AT * AT + 3 * AT) % 5
SCORE = (5 * AT * AT + 2 * AT) % 11 + 2 * OUTCOME
WEIGHT = (AT % 4 + 1) / 2
CLUSTER = AT % 8


def test_harrells_c_and_somers_d() -> None:
    found = rs.concordance(OUTCOME, SCORE)
    assert found.value == pytest.approx(0.93513513513513513, abs=1e-15)
    d = rs.concordance(OUTCOME, SCORE, scale="somers_d")
    assert d.value == pytest.approx(0.87027027027027026, abs=1e-15)
    assert 2 * found.pairs == 370  # Hmisc counts each pair twice
    assert found.pairs == 172 + 11 + 2
    assert found.ties == 2
    assert found.exact is not None
    assert found.exact * 370 == 346


@pytest.mark.parametrize(
    ("more", "value", "error"),
    [
        ({}, 0.935135135135135132, 0.036285186250170097),
        ({"sample_weight": WEIGHT}, 0.930093776641091274, 0.043812274010061859),
        ({"cluster": CLUSTER}, 0.935135135135135132, 0.021811976705079682),
    ],
)
def test_value_and_plain_standard_error(more: dict, value: float, error: float) -> None:
    from rocsolid.binary.concordance import OrderedRows
    from rocsolid.inputs.models import outcome_rows

    found = rs.concordance(OUTCOME, SCORE, **more)
    assert found.value == pytest.approx(value, abs=1e-15)
    influences = OrderedRows.of(outcome_rows(OUTCOME, {"s": SCORE}, **more)).spread("s").influences
    assert float(np.sum(influences**2)) ** 0.5 == pytest.approx(error, abs=1e-15)
    assert found.std_error is not None
    assert error < found.std_error < 1.2 * error

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtri

import rocsolid as rs
from rocsolid import InputError
from rocsolid.intervals.guarantees.hoeffding import kl_lower

after_reuse = rs.guarantees.after_reuse
AT = ndtri((np.arange(1000) + 0.5) / 1000)
SCORES = (AT + math.sqrt(2) * ndtri(0.85), AT)
AUC = rs.auc(np.repeat([1, 0], 1000), np.concatenate(SCORES)).value


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("scores", [None, SCORES])
def test_it_is_the_certificate_at_a_share_of_delta(alternative, scores) -> None:
    for bits in (0, 3.7, 20):
        found = after_reuse(AUC, 1000, 1000, bits, 0.1, alternative, scores=scores)
        plain = rs.guarantees.best(AUC, 1000, 1000, 0.1 / 2**bits, alternative, scores=scores)
        assert (found.low, found.high) == (plain.low, plain.high)
        assert (found.level, found.certified, found.reads) == (0.9, True, plain.reads)
        assert "except for the counted answers" in " ".join(found.assumptions)
        assert "scorer fixed before this data was seen" not in found.assumptions
    keys = {entry.key for entry in rs.cite(found).entries}
    assert "blum2015" in keys


def test_the_widths_of_the_reference_and_with_the_scores() -> None:
    """The hinge at an AUC of .85, 1000 + 1000 rows; from the scores it is shorter."""
    for bits, hinge, scored in [(0, 0.053, 0.0515), (20, 0.127, 0.1035), (40, 0.172, 0.137)]:
        plain = after_reuse(0.85, 1000, 1000, bits)
        assert plain.width == pytest.approx(hinge, abs=5e-4)
        assert after_reuse(AUC, 1000, 1000, bits, scores=SCORES).width < scored


def test_beyond_what_a_double_can_hold() -> None:
    some = [after_reuse(0.85, 300, 500, bits) for bits in (0, 100, 326, 328, 1000, 1e6)]
    for short, long in itertools.pairwise(some):
        assert long.low < short.low
        assert long.high > short.high
    assert [one.method.split()[0] for one in some[2:4]] == ["hinge", "kl"]
    nats = math.log(2 / 0.05) + 328 * math.log(2)
    low = kl_lower(np.array([0.85]), np.array([nats / 300]))[0]
    assert some[3].low == pytest.approx(low, rel=1e-12)
    assert some[-1].vacuous or some[-1].width > 0.99999
    with_scores = after_reuse(AUC, 1000, 1000, 400, scores=SCORES)
    assert with_scores.method == "kl after 400 bits"


@pytest.mark.parametrize("bits", [-1, math.nan, math.inf, "3", None, True])
def test_bits_are_a_number(bits) -> None:
    with pytest.raises(InputError, match=r"bits must be at least 0.*log2 of the number"):
        after_reuse(0.8, 100, 100, bits)


@pytest.mark.parametrize(
    "arguments",
    [(1.2, 9, 9, 500), (0.5, 0, 9, 500), (0.5, 9, 9, 500, 0), (0.5, 9, 9, 500, 0.1, "x")],
)
def test_the_rest_is_checked_also_where_no_other_method_does(arguments) -> None:
    with pytest.raises(InputError):
        after_reuse(*arguments)

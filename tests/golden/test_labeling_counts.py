"""Numbers of labelings from Whitehill 2019 and from SciPy's exact Mann-Whitney law."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from misranked_pairs import labelings_by_recursion
from rocsolid.leaks import count
from rocsolid.leaks.gaussian import gaussian_sum

PAPER = {  # section 6: n -> N₁ (one of each pair n₁, n − n₁ and its partner), w(n, 1387/1440)
    76: ((36, 40), 657488),
    77: ((32, 45), 654344),
    78: ((30, 48), 650822),
    84: ((24, 60), 622952),
    92: ((20, 72), 572728),
    98: ((18, 80), 529382),
    106: ((16, 90), 468686),
}


@pytest.mark.parametrize("n", PAPER)
def test_the_table_of_the_paper(n: int):
    sizes, total = PAPER[n]
    found = count("1387/1440", n)
    assert (found.support, found.count) == (sizes, total)
    assert found.exact


def test_there_is_no_other_support_below_the_threshold():
    assert [n for n in range(2, 108) if count("1387/1440", n).support] == list(PAPER)


@pytest.mark.parametrize("n", range(108, 127))
def test_beyond_the_table_by_two_routes(n: int):
    found = count("1387/1440", n)
    assert found.by_n_pos == labelings_by_recursion(Fraction(1387, 1440), n)


def test_the_first_number_beyond_the_table():
    # not in the paper: by the recursion and the product of cyclotomic polynomials alike
    assert count("1387/1440", 108).count == 759_219_864
    assert count("1387/1440", 126).count == 647_810_198


def test_the_story_of_four_examples():
    found = count("0.75", [0.2, 0.5, 0.9, 0.1], decimals=2)
    assert found.by_n_pos == {2: 1}
    assert "Every label is determined" in found.explain()


@pytest.mark.parametrize(("n_neg", "n_pos"), [(4, 3), (8, 12), (25, 25), (30, 10)])
def test_scipys_exact_mann_whitney_law(n_neg: int, n_pos: int):
    pairs = n_neg * n_pos
    for u in range(0, pairs + 1, max(1, pairs // 12)):
        x, y = _ranking(n_neg, n_pos, u)
        scipy_p = mannwhitneyu(y, x, alternative="less", method="exact").pvalue
        ours = gaussian_sum(n_neg, n_pos, 0, u) / math.comb(n_neg + n_pos, n_pos)
        assert scipy_p == pytest.approx(ours, rel=1e-11)


def test_scipy_says_zero_from_1030_rows_on():
    # C(1030, 515) is beyond the largest double, and SciPy 1.17 divides by it
    n_neg = n_pos = 515
    x, y = _ranking(n_neg, n_pos, 1000)
    p = gaussian_sum(n_neg, n_pos, 0, 1000) / Fraction(math.comb(1030, 515))
    assert 1e-280 < float(p) < 1e-270
    assert mannwhitneyu(y, x, alternative="less", method="exact").pvalue == 0.0


def test_scipys_exact_law_leaves_out_ties():
    scores = [1, 1, 2, 2, 3, 3]  # positives 1, 3, 3: AUC 13/18
    truth = sum(count(Fraction(u, 18), scores, n_pos=3).count or 0 for u in range(13, 19)) / 20
    scipy_p = mannwhitneyu([1, 3, 3], [1, 2, 2], alternative="greater", method="exact").pvalue
    assert truth == 0.3
    assert scipy_p == 0.35


def _ranking(n_neg: int, n_pos: int, u: int) -> tuple[np.ndarray, np.ndarray]:
    """Distinct scores of negatives and positives with ``u`` pairs in which the positive wins."""
    ranks = np.arange(n_pos)
    rest = u
    for i in range(n_pos - 1, -1, -1):
        move = min(n_neg, rest)
        ranks[i] += move
        rest -= move
    return np.setdiff1d(np.arange(n_neg + n_pos), ranks), ranks

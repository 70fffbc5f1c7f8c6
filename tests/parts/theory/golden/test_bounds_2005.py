"""What Agarwal et al. (JMLR 6, 2005) say about their figures, and their numbers at given sizes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from rocsolid.theory.study import bounds
from rocsolid.theory.study.bounds import BoundsStudy
from rocsolid.theory.study.tables_2005 import TABLE_3


@pytest.fixture(scope="module")
def study() -> BoundsStudy:
    return bounds()


def test_figure_1_is_corollary_6_and_equations_11_13_14(study: BoundsStudy) -> None:
    table = study["figure_1"]
    m, n = table.column("n_pos"), table.column("n_neg")
    np.testing.assert_array_equal(m + n, table.column("n"))
    np.testing.assert_array_equal(m, table.column("n") * table.column("positive_fraction"))
    mcdiarmid = np.sqrt(math.log(200) * (m + n) / (2 * m * n))
    np.testing.assert_allclose(table.column("mcdiarmid"), mcdiarmid)
    sigma = np.sqrt(1 / (4 * np.minimum(m, n)))
    np.testing.assert_allclose(table.column("chebyshev"), sigma / math.sqrt(0.01))
    np.testing.assert_allclose(table.column("normal"), 2.5758293035489 * sigma)
    np.testing.assert_allclose(
        table.column("hoeffding-blocks"), np.sqrt(math.log(200) / (2 * np.minimum(m, n)))
    )


def test_figure_1_shows_what_the_paper_says_and_more(study: BoundsStudy) -> None:
    """McDiarmid is tighter than Chebyshev and looser than the normal approximation."""
    table = study["figure_1"]
    order = ("chebyshev", "mcdiarmid", "hoeffding-blocks", "kl", "hinge")
    for wider, tighter in itertools.pairwise(order):
        assert np.all(table.column(wider) >= table.column(tighter) - 1e-12)
    assert np.all(table.column("mcdiarmid") > table.column("normal"))


def test_figure_2_is_four_at_one_half_and_grows(study: BoundsStudy) -> None:
    table = study["figure_2"]
    fraction, factor = table.column("positive_fraction"), table.column("factor")
    assert factor[fraction == 0.5] == 4.0
    np.testing.assert_allclose(factor, 1 / (fraction * (1 - fraction)))
    assert np.all(np.diff(factor[fraction <= 0.5]) < 0)


def test_figure_3_is_the_two_printed_formulas(study: BoundsStudy) -> None:
    table = study["figure_3"]
    m, n = table.column("n_pos"), table.column("n_neg")
    ours = np.sqrt(8 * (m + n) * (math.log(3) + math.log(400)) / (m * n))
    np.testing.assert_allclose(table.column("rank-shatter"), ours)
    theirs = 2 * np.sqrt((np.log(8 * m + 1) + math.log(1200)) / m)
    theirs += 2 * np.sqrt((np.log(8 * n + 1) + math.log(1200)) / n)
    np.testing.assert_allclose(table.column("Freund et al."), theirs)
    meaningful = table.column("Freund et al.") < 0.5
    assert meaningful.any()
    assert np.all(ours[meaningful] < theirs[meaningful])
    assert np.all(table.column("block-VC") < ours)


def test_the_experiment_has_the_rows_of_table_3(study: BoundsStudy) -> None:
    table = study["experiment"]
    sizes = [(int(m), int(n)) for _, m, n, *_ in table.rows]  # type: ignore[call-overload]
    assert tuple(sizes) == TABLE_3
    assert {m + n for m, n in sizes} == {100, 200, 300, 400}
    assert {m / (m + n) for m, n in sizes} == {0.5, 0.2, 0.1}


def test_the_experiment_shows_what_the_paper_says(study: BoundsStudy) -> None:
    """The bound is loose, and rises and falls with the sample sizes as the test AUC does."""
    table = study["experiment"]
    m, n = table.column("n_pos"), table.column("n_neg")
    training, test = table.column("training_auc"), table.column("test_auc")
    low = table.column("corollary_18_low")
    log_r = 20 * np.log(2 * math.e * (2 * m) * (2 * n) / 20)
    np.testing.assert_allclose(
        training - low, np.sqrt(8 * (m + n) * (log_r + math.log(400)) / (m * n))
    )
    assert np.all(low < table.column("regions_low"))
    assert np.all(table.column("regions_low") < table.column("block_vc_low"))
    assert np.all(training > test)
    assert np.all(table.column("test_hinge_low") < test)
    assert np.all(test < table.column("test_hinge_high"))
    assert np.all(table.column("pac_bayes_low") < table.column("pac_bayes_auc"))
    ranks = np.argsort(np.argsort(low)), np.argsort(np.argsort(test))
    assert np.corrcoef(*ranks)[0, 1] > 0.5

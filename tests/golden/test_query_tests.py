"""Tests and plans over queries against SciPy's statistics and R's stats package."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest
from scipy import stats

import rocsolid as rs

RNG = np.random.default_rng(0)
A, B, C = RNG.beta(2, 3, size=(3, 25))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_student_and_welch(alternative: str) -> None:
    for paired in (True, False):
        b = B if paired else B[:17]
        pair = rs.queries.compare(
            {"a": A, "b": b},
            paired=paired,
            alternative=alternative,  # type: ignore[arg-type]
            range=None,
        ).pairs[0]
        run = stats.ttest_rel if paired else stats.ttest_ind
        expected = run(A, b, alternative=alternative, **({} if paired else {"equal_var": False}))
        assert pair.statistic == pytest.approx(expected.statistic)
        assert pair.p_value == pytest.approx(expected.pvalue)
        assert pair.df == pytest.approx(expected.df)
        low, high = expected.confidence_interval(0.95)
        assert (pair.low, pair.high) == pytest.approx((low, high))


def test_sign_flips_of_few_queries() -> None:
    a, b = A[:11], B[:11]
    for alternative in ("two-sided", "greater", "less"):
        expected = stats.permutation_test(
            (a, b),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            alternative=alternative,
        )
        pair = rs.queries.compare(
            {"a": a, "b": b},
            test="sign-flip",
            alternative=alternative,  # type: ignore[arg-type]
        ).pairs[0]
        assert pair.p_value == pytest.approx(expected.pvalue)


def test_one_mean() -> None:
    low, high = stats.ttest_1samp(A, 0.0).confidence_interval(0.9)
    found = rs.queries.average(A, level=0.9, interval="t")
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.std_error == pytest.approx(stats.sem(A))


R = r"""
f <- function(x) paste0("[", paste(sprintf("%.15g", x), collapse=","), "]")
m <- as.matrix(read.table(file("stdin")))
n <- nrow(m)
gg <- anova(lm(m ~ 1), idata = data.frame(s = factor(1:3)), X = ~1, test = "Spherical")
own <- oneway.test(y ~ g, data.frame(y = as.vector(m), g = factor(rep(1:3, each = n))))
p <- c(.01, .04, .03, .2)
sizes <- sapply(c(.2, .5, .8), function(e)
  power.t.test(delta = e, sd = 1, power = .8, type = "paired", tol = 1e-13)$n)
one <- power.t.test(delta = .3, sd = 1, power = .9, type = "paired", alternative = "one.sided",
  tol = 1e-13)$n
anova <- power.anova.test(groups = 5, n = 60, between.var = var(c(-.05, 0, 0, 0, .05)),
  within.var = .04)$power
cat(sprintf('{"gg": %s, "welch": %s, "sizes": %s, "one": %s, "anova": %s}',
  f(c(gg[1, "F"], gg[1, "G-G Pr"])),
  f(c(own$statistic, own$parameter, own$p.value)), f(sizes), f(one), f(anova)))
"""


def test_against_r(rscript: str) -> None:
    """oneway.test, power.t.test, power.anova.test and a repeated-measures ANOVA of R's stats."""
    table = "\n".join(" ".join(f"{v:.17g}" for v in row) for row in zip(A, B, C, strict=True))
    out = subprocess.run(
        [rscript, "-e", R], input=table, capture_output=True, text=True, check=True
    )
    expected = json.loads(out.stdout)
    systems = {"a": A, "b": B, "c": C}
    joint = rs.queries.compare(systems, range=None).omnibus.to_dict()
    assert [joint["statistic"], joint["p_value"]] == pytest.approx(expected["gg"])
    assert joint["df2"] == pytest.approx(24 * joint["df"])
    apart = rs.queries.compare(systems, paired=False).omnibus.to_dict()
    statistic, df, df2, p = expected["welch"]
    assert apart["df"] == df
    assert [apart[key] for key in ("statistic", "df2", "p_value")] == pytest.approx(
        [statistic, df2, p]
    )
    sizes = [
        rs.plan.query_power(difference=effect, sd=1, power=0.8).queries
        for effect in (0.2, 0.5, 0.8)
    ]
    assert sizes == pytest.approx(expected["sizes"], rel=1e-6)
    one = rs.plan.query_power(difference=0.3, sd=1, power=0.9, alternative="greater").queries
    assert one == pytest.approx(expected["one"][0], rel=1e-6)
    anova = rs.plan.query_anova(systems=5, difference=0.1, sd=0.2, queries=60).power
    assert anova == pytest.approx(expected["anova"][0], rel=1e-6)


def test_textbook_sizes() -> None:
    """Effect sizes of .2, .5 and .8 at α = .05 and power .8 need 199, 34 and 15 pairs.

    As G*Power 3.1 prints for "Means: difference between two dependent means (matched pairs)".
    """
    found = [rs.plan.query_power(difference=e, sd=1, power=0.8).topics for e in (0.2, 0.5, 0.8)]
    assert found == [199, 34, 15]

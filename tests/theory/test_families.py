"""False alarms of families: unlike scores, and systems that rarely win; and of places.

Each count may exceed its claim by chance once in ten million runs (the seeds are fixed).
"""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtr
from scipy.stats import f as f_distribution
from scipy.stats import studentized_range

from rocsolid.comparison.adjust import adjusted, default_adjustment, default_test, holm_steps
from rocsolid.comparison.compared import Compared, Outcome, Question, t_test
from rocsolid.comparison.omnibus import anova_type, hotelling_f
from rocsolid.comparison.ranks import _Joint, _Studentised, errors
from rocsolid.comparison.rows import ComparedRows
from rocsolid.comparison.sign_flip import Systems
from rocsolid.inputs import BinaryRows
from rocsolid.measures.whole_area import WholeArea
from rocsolid.results.comparison import DRAWS
from rocsolid.summaries.strata import Parts

ALARM = 1e-7
_FLOATS = NDArray[np.float64]
AUC = WholeArea()


def too_many(count: int, repeats: int, probability: float) -> bool:
    return count > 0 and bool(bdtrc(count - 1, repeats, probability) < ALARM)


def shift_for(scale: float, auc: float) -> float:
    """How far positives of this spread lie above standard normal negatives at an AUC."""
    from scipy.special import ndtri

    shift = float(ndtri(auc)) * math.sqrt(1.0 + scale**2)
    assert ndtr(shift / math.sqrt(1.0 + scale**2)) == pytest.approx(auc)
    return shift


def unlike_scores(rng: np.random.Generator, m: int, n: int, k: int) -> ComparedRows:
    """Binormal scores of one AUC whose positives spread three times as much, or as little."""
    y, common = np.arange(m + n) < m, rng.normal(size=m + n)
    rows, estimates = {}, {}
    for i in range(k):
        scale = (1.0, 3.0, 0.3)[i % 3]
        noise = math.sqrt(0.8) * common + math.sqrt(0.2) * rng.normal(size=m + n)
        score = np.where(y, scale * noise + shift_for(scale, 0.85), noise)
        rows[f"s{i}"] = BinaryRows(y, score)
        value = float(AUC.influence(rows[f"s{i}"])[y].mean())
        estimates[f"s{i}"] = SimpleNamespace(value=value, n_pos=m, n_neg=n, warnings=())
    return ComparedRows.of(AUC, rows, estimates, paired=True)  # type: ignore[arg-type]


def by_default(compared: Compared, resamples: int) -> tuple[Outcome, float, float]:
    """The default test, its smallest adjusted p-value, and the p-value of all equal."""
    question = Question(0.0, "two-sided", 0.95, 0, (-1.0, 1.0), resamples)
    test, _ = default_test(compared, question)
    outcome = test(compared, question)
    together = adjusted(default_adjustment(outcome), outcome, question)
    return outcome, float(np.fmin.reduce(together.p_values)), outcome.joint()[0].p_value


@pytest.mark.slow
def test_a_family_of_unlike_scores() -> None:
    """Twelve scores of one AUC, 20 + 400 rows: Student's t with Holm's steps finds far too many."""
    rng, repeats = np.random.default_rng(1), 100
    plain = of_all = family = joint = places = 0
    for _ in range(repeats):
        compared = unlike_scores(rng, 20, 400, 12)
        question = Question(0.0, "two-sided", 0.95, 0)
        p = np.array([pair.p_value for pair in t_test(compared, question).tested])
        plain += bool(np.nanmin(holm_steps(p)) < 0.05)
        of_all += hotelling_f(compared)[0].p_value < 0.05
        outcome, smallest, all_equal = by_default(compared, 999)
        assert outcome.test == "bootstrap-t"
        family += smallest < 0.05
        joint += all_equal < 0.05
        places += bool(_Studentised.of(outcome).all_proven(0.05).any())
    assert plain > 0.07 * repeats
    assert of_all > 0.07 * repeats
    for what, count in {"family": family, "all equal": joint, "places": places}.items():
        assert not too_many(count, repeats, 0.05), what


@pytest.mark.slow
@pytest.mark.parametrize(("queries", "chance"), [(100, 0.05), (50, 0.1)])
def test_two_systems_of_which_one_wins_rarely(queries: int, chance: float) -> None:
    """Equal means: Student's t finds a tenth and more, all of them where wins happen to lack."""
    rng, repeats, plain, default = np.random.default_rng(2), 300, 0, 0
    for _ in range(repeats):
        steady = 0.05 + 0.6 * rng.beta(2.0, 3.0, queries)
        rare = steady + 0.3 * ((rng.random(queries) < chance) - chance)
        systems = Systems.of({"steady": steady, "rare": rare}, range=(-1.0, 1.0))
        question = Question(0.0, "two-sided", 0.95, 0, (-2.0, 2.0))
        plain += t_test(systems, question).tested[0].p_value < 0.05
        default += by_default(systems, 999)[1] < 0.05
    assert plain > 0.07 * repeats
    assert not too_many(default, repeats, 0.05)


def test_like_scores_keep_student() -> None:
    """Where classes are large and scores alike, the default is the t test with Holm's steps."""
    rng = np.random.default_rng(3)
    y, common = np.arange(1100) < 100, rng.normal(size=1100)
    rows = {
        name: BinaryRows(y, common + rng.normal(size=1100) + 1.5 * y) for name in ("a", "b", "c")
    }
    estimates = {
        name: SimpleNamespace(value=float(AUC.influence(one)[y].mean()), n_pos=100, n_neg=1000)
        for name, one in rows.items()
    }
    compared = ComparedRows.of(AUC, rows, estimates, paired=True)  # type: ignore[arg-type]
    outcome, *_ = by_default(compared, 99)
    assert (outcome.test, default_adjustment(outcome)) == ("delong-t", "holm")


@pytest.mark.parametrize("count", [3, 6])
def test_the_first_place_is_proven_at_tukeys_distance(count: int) -> None:
    """Independent values of one variance: the critical value is Tukey's studentised range / √2."""
    critical = studentized_range.ppf(0.95, count, np.inf) / math.sqrt(2.0)
    covariance = np.eye(count)
    error = np.full((count, count), math.sqrt(2.0))
    draws = errors(covariance, DRAWS)
    for reach, proven in ((0.97 * critical, False), (1.03 * critical, True)):
        observed = np.zeros((count, count))
        observed[0, 1], observed[1, 0] = reach, -reach
        assert _Joint(observed, draws, error).all_proven(0.05)[0, 1] == proven


def test_the_anova_type_test_of_alike_values() -> None:
    """Values with one variance and no correlation: F on k − 1 and (k − 1)ν degrees of freedom."""
    k, nu, variance = 4, 11.0, 0.01
    values = np.array([0.0, 0.2, 0.1, -0.1])
    apart = np.full((k - 1, k - 1), variance) + variance * np.eye(k - 1)
    found = anova_type(values[1:] - values[0], Parts((apart,), (nu,)), np.zeros((k - 1, k - 1)))
    statistic = float(np.sum((values - values.mean()) ** 2) / ((k - 1) * variance))
    assert found.statistic == pytest.approx(statistic)
    assert (found.df, found.df2) == pytest.approx((k - 1, (k - 1) * nu))
    assert found.p_value == pytest.approx(f_distribution.sf(statistic, k - 1, (k - 1) * nu))

"""The theorems on the sign of a difference, for every declared measure."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import rocsolid as rs
from rocsolid.discounts.discount import Discount
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.measures.named import measure_of
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics.distinguishing.measure_theory import (
    AreaNorms,
    proven_items,
    reach_of,
    sign_verdict,
)
from rocsolid.theory.asymptotics.distinguishing.sampled_measures import (
    Declared,
    QueryRows,
    declared,
    sampled_values,
)

EVERY = [
    declared([row.example], queries=row.of == "queries")[0]
    for row in rs.measures.table()
    if row.of != "outcomes"
] + list(
    declared(["ap", "rr", "err", "p", "recall", "success", "ndcg[ideal=retrieved]"], queries=True)
)


def value(measure: Declared, labels: np.ndarray, score: np.ndarray) -> float:
    n = len(labels)
    time = np.arange(1, n + 1, dtype=np.int32)[None, :]
    return float(sampled_values(QueryRows(labels, (score,)), time, [(0, n)], [measure]).item())


def of_reach(kind: str) -> list[Declared]:
    return [measure for measure in EVERY if reach_of(measure) == kind]


def test_no_declared_measure_is_without_an_answer_by_accident() -> None:
    unknown = {measure.name for measure in EVERY if reach_of(measure) is None}
    assert unknown == {
        "sensitivity(specificity=0.9)", "specificity(sensitivity=0.9)", "precision(recall=0.8)",
        "ppv(sensitivity=0.9, prevalence=0.02)", "success", "nDCG[linear,log2,ideal=retrieved]",
        "net_benefit@0.2",  # of probabilities, not of ranks
    }  # fmt: skip


@pytest.mark.parametrize("measure", of_reach("all"), ids=lambda measure: measure.name)
def test_another_item_moves_the_value_by_the_order_of_ln_n_over_n(measure: Declared) -> None:
    """The constant: 2(2 + H_n)/(R − 1) for R = .3n is below 8·ln n/n; shares of x rows add 1/x."""
    narrow = {"lift@10%": 35.0, "enrichment@1%": 400.0, "precision@5%": 20.0}
    random = stream(70)
    for n in (60, 800):
        labels = (random.random(n) < 0.3) * 1.0
        score = random.normal(size=n) + labels
        before = value(measure, labels, score)
        for at in (int(np.argmax(score)), int(np.argmin(score)), 0):
            for label, place in ((1.0, 9.0), (0.0, 9.0), (1.0, -9.0), (0.0, -9.0)):
                other, moved = labels.copy(), score.copy()
                other[at], moved[at] = label, place
                change = abs(value(measure, other, moved) - before)
                assert change <= narrow.get(measure.name, 8.0) * math.log(n) / n


@pytest.mark.parametrize("measure", of_reach("first"), ids=lambda measure: measure.name)
def test_documents_beyond_a_rank_hardly_move_a_value_of_few_ranks(measure: Declared) -> None:
    """Except by the number of relevant ones, the same for both rankers: recall and AP at a cut-off
    are compared as shares of it."""
    random = stream(71)
    n, last = 400, 150
    labels = (random.random(n) < 0.4) * 1.0
    score = -np.arange(n, dtype=float)
    turned = np.concatenate([score[:last], score[last:][::-1]])
    assert value(measure, labels, turned) == pytest.approx(
        value(measure, labels, score), abs=1.0 / last
    )


@pytest.mark.parametrize(
    "measure", [m for m in EVERY if isinstance(reach_of(m), Discount)], ids=lambda m: m.name
)
def test_a_discount_is_the_measure_up_to_a_factor_of_the_grades(measure: GradedMeasure) -> None:
    random = stream(72)
    labels = random.integers(0, 3, 40).astype(float)
    discount = reach_of(measure)
    assert isinstance(discount, Discount)
    first, second = random.normal(size=(2, 40))
    k = measure.cutoff.of(40)

    def dcg(score: np.ndarray) -> float:
        gains = measure.gain(labels[np.argsort(-score)])
        return float((gains * discount.values(40))[:k].sum())

    ratio = value(measure, labels, first) / value(measure, labels, second)
    assert ratio == pytest.approx(dcg(first) / dcg(second), rel=1e-12)


def test_the_verdicts() -> None:
    assert sign_verdict("first", 0.1).verdict == "no"
    yes = sign_verdict("all", 0.1)
    assert (yes.verdict, yes.ahead) == ("yes", "a")
    assert sign_verdict("all", -0.1).ahead == "b"
    assert sign_verdict(None, 0.1).verdict == "unknown"


def test_the_proven_size_of_the_auc_in_closed_form() -> None:
    """e^(−mnΔ²/(2(m+n))) ≤ .05 with m = πN and n = (1−π)N."""
    norms = AreaNorms.of(measure_of("auc"))
    assert norms is not None
    for share, gap in ((0.5, 0.1), (0.1, -0.03), (0.8, 0.5)):
        exact = 2 * math.log(20) / (share * (1 - share) * gap**2)
        assert proven_items(gap, norms, [share]) == math.ceil(exact)
        assert proven_items(gap, norms, [share] * 4) == math.ceil(exact / 4)


@given(
    st.sampled_from([1.0 / 16, 0.1, 0.2, 0.4]),
    st.sampled_from([0.05, 1e-3, 1e-6]),
    st.sampled_from([0.02, 0.3, 0.7, 0.98]),
)
def test_the_proven_size_is_enough_where_one_class_decides(
    gap: float, delta: float, share: float
) -> None:
    """A row of one class is +1 or −1 against every row of the other, so the difference is a mean
    of independent signs: the exact probability of a wrong or no sign is at most δ."""
    items = proven_items(gap, AreaNorms(1.0, 1.0, 0.0), [share], delta)
    for deciding in (math.floor(share * items), math.floor((1 - share) * items)):
        assert binom.cdf(deciding // 2, deciding, (1 + gap) / 2) <= delta


def test_the_proven_size_is_not_twice_what_is_needed_where_the_bound_is_sharp() -> None:
    """Of .02 positives only these decide; at δ = 1e-30 the bound is sharp but for a root."""
    items = proven_items(0.1, AreaNorms(1.0, 1.0, 0.0), [0.02], 1e-30)
    assert binom.cdf(int(0.02 * items / 1.3) // 2, int(0.02 * items / 1.3), 0.55) > 1e-30


@pytest.mark.parametrize(
    "name",
    ["auc", "partial_auc(fpr<=0.1)", "partial_auc(fpr<=0.5)", "partial_auc(0.2<=fpr<=0.4)",
     "weighted_auc(power(2))", "weighted_auc(power(0.5))", "partial_auc(tpr>=0.9)"],
)  # fmt: skip
@pytest.mark.parametrize("count", [1, 2, 7, 40, 300])
def test_the_bias_of_an_area_is_at_most_its_bound(name: str, count: int) -> None:
    """E ψ(F̂) − ψ(F), exactly, for a positive with the false-positive rate F."""
    measure = measure_of(name)
    norms = AreaNorms.of(measure)
    weight = rs.weights.step(0, 1) if name == "auc" else measure.over
    assert norms is not None
    assert weight is not None
    tolerance = 1e-9
    largest = 0.0
    for rate in np.linspace(0.0, 1.0, 41):
        k = np.arange(count + 1)
        chances = binom.pmf(k, count, rate)
        psi = weight.integral(1.0 - k / count)
        bias = abs(float(chances @ psi) - float(weight.integral(1.0 - rate)))
        assert bias <= norms.bias(count) + tolerance
        largest = max(largest, bias)
    if name in ("partial_auc(fpr<=0.5)", "weighted_auc(power(2))"):
        assert largest > 0.51 * norms.bias(count)


def test_the_proven_size_of_a_partial_area_by_its_formula() -> None:
    norms = AreaNorms.of(measure_of("partial_auc(fpr<=0.1)"))
    assert norms is not None
    items = proven_items(0.02, norms, [0.2])
    for size, enough in ((items - 1, False), (items, True)):
        m, n = 0.2 * size, 0.8 * size
        noise = math.sqrt(2 * math.log(20) * (0.01 / m + 1 / n))
        assert (1 / (2 * math.sqrt(n)) + noise < 0.02) == enough


def test_a_weight_over_true_positive_rates_exchanges_the_classes() -> None:
    fpr, tpr = (
        AreaNorms.of(measure_of(f"partial_auc({text})")) for text in ("fpr<=0.1", "tpr>=0.9")
    )
    assert fpr is not None
    assert tpr is not None
    assert proven_items(0.01, fpr, [0.2]) == proven_items(0.01, tpr, [0.8])
    assert proven_items(0.01, fpr, [0.2]) != proven_items(0.01, tpr, [0.2])


def test_the_scale_of_a_partial_area() -> None:
    for scale, factor in (("raw", 1.0), ("mean", 10.0), ("mcclish", 0.5 / 0.095)):
        norms = AreaNorms.of(measure_of(f"partial_auc(fpr<=0.1, scale={scale})"))
        assert norms is not None
        assert norms.scale == pytest.approx(factor, rel=1e-9)
    assert AreaNorms.of(measure_of("partial_auc(fpr<=0.1, tpr>=0.5)")) is None
    assert AreaNorms.of(measure_of("pr_auc")) is None

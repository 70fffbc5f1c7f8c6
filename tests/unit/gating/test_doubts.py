"""A doubt about few or dominating clusters: the certified limits decide, or nothing does."""

import json
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.intervals.guarantees.clustered import squared_shares
from rocsolid.summaries.binary_summary import BinarySummary

DOMINATED = [60] + [1] * 30
FEW = [30] * 5
ENOUGH = [3] * 40


def table(sizes: list[int], seed: int = 3) -> dict[str, Any]:
    """Rows in clusters; ``a`` ranks far better than ``b``."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    ill = np.arange(len(cluster)) % 2
    noise = rng.normal(size=(2, len(ill)))
    return {"who": cluster, "ill": ill, "a": ill + noise[0], "b": 0.1 * ill + noise[1]}


def items(sizes: list[int], **more: Any) -> rs.Sample:
    rng = np.random.default_rng(5)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    values = {"a": rng.random(len(cluster)) < 0.85, "b": rng.random(len(cluster)) < 0.3}
    return rs.Sample({name: v.astype(float) for name, v in values.items()}, cluster=cluster, **more)


def ruling(data: Any, rule: dict[str, Any], **policy: Any) -> Any:
    columns = {} if isinstance(data, rs.Sample) else {"label": "ill", "cluster": "who"}
    (only,) = rs.gate({**columns, **policy, "rule": [{"score": "a", **rule}]}, data).rulings
    return only


RULES: list[dict[str, Any]] = [{"better_than": "b"}, {"at_least": 0.51}]


@pytest.mark.parametrize("sizes", [DOMINATED, FEW], ids=["dominated", "few"])
@pytest.mark.parametrize("rule", RULES, ids=["difference", "value"])
def test_rows_without_a_certified_limit_are_undecided_with_the_reason_and_the_fix(
    sizes: list[int], rule: dict[str, Any]
) -> None:
    found = ruling(table(sizes), rule)
    assert found.verdict == "undecided"
    assert f"{len(sizes)} clusters" in found.undecided
    assert found.undecided.endswith(
        'add clusters, or write design = "fixed" if the design fixed the class sizes and weights'
    )


@pytest.mark.parametrize("sizes", [DOMINATED, FEW], ids=["dominated", "few"])
@pytest.mark.parametrize("rule", RULES, ids=["difference", "value"])
def test_certified_limits_decide_rows_in_doubt(sizes: list[int], rule: dict[str, Any]) -> None:
    found = ruling(table(sizes), rule, design="fixed")
    certified = ruling(table(sizes), rule, design="fixed", evidence="certified")
    assert found.interval.certified
    assert (found.low, found.high) == (certified.low, certified.high)
    assert f"{len(sizes)} clusters" in found.why
    assert "clusters" not in certified.why


@pytest.mark.parametrize("rule", RULES, ids=["difference", "value"])
def test_folds_follow_the_same_rule(rule: dict[str, Any]) -> None:
    """Folds of whole clusters have no certified limits."""
    for sizes in (DOMINATED, FEW, [3] * 90):
        data = table(sizes)
        data["fold"] = np.minimum(data["who"], 1) if sizes is DOMINATED else data["who"] % 5
        found = ruling(data, rule, fold="fold")
        if len(sizes) == 90:
            assert found.verdict == "pass"
        else:
            assert found.verdict == "undecided"
            assert f"{len(sizes)} clusters" in found.undecided
            assert found.undecided.endswith("is known; to decide it, add clusters")


@pytest.mark.parametrize("rule", RULES, ids=["difference", "value"])
@pytest.mark.parametrize("sizes", [DOMINATED, FEW, [3] * 90], ids=["dominated", "few", "enough"])
def test_repeats_follow_the_same_rule(sizes: list[int], rule: dict[str, Any]) -> None:
    data = table(sizes)
    fold = np.minimum(data["who"], 1) if sizes is DOMINATED else data["who"] % 5
    twice = {name: np.tile(column, 2) for name, column in data.items()}
    twice |= {"fold": np.tile(fold, 2), "run": np.repeat([0, 1], len(fold))}
    found = ruling(twice, rule, fold="fold", repeat="run")
    if len(sizes) == 90:
        assert found.verdict == "pass"
    else:
        assert found.verdict == "undecided"
        assert f"{len(sizes)} clusters" in found.undecided


def test_a_cluster_that_fills_its_fold_is_the_reason_of_a_wide_interval() -> None:
    data = table([100] + [1] * 200)
    fold = np.where(data["who"] == 0, 0, data["who"] % 5)
    found = rs.cross_validated(data["ill"], data["a"], fold=fold, cluster=data["who"])
    assert found.interval.width > 0.8
    assert "201 clusters as uneven as these count as about" in found.warnings[0]


ORDERED = ["vus", "concordance"]
LARGE = [200] + [4] * 50


def graded(sizes: list[int]) -> dict[str, Any]:
    """The rows of `table` with three outcomes."""
    data = table(sizes)
    grade = np.arange(len(data["ill"])) % 3
    noise = data["a"] - data["ill"]
    return {"who": data["who"], "ill": grade, "a": grade + noise, "b": 0.1 * grade + data["b"]}


@pytest.mark.parametrize("measure", ORDERED)
@pytest.mark.parametrize("sizes", [LARGE, [90] + [1] * 40, FEW], ids=["half", "most", "few"])
def test_ordered_outcomes_follow_the_same_rule(sizes: list[int], measure: str) -> None:
    data = graded(sizes)
    for rule in RULES:
        found = ruling(data, {"measure": measure, **rule})
        assert found.verdict == "undecided"
        assert f"{len(sizes)} clusters" in found.undecided
        assert "to decide it, add clusters" in found.undecided
        fixed = ruling(data, {"measure": measure, **rule}, design="fixed")
        certified = {"measure": measure, "evidence": "certified", **rule}
        assert fixed.low == ruling(data, certified, design="fixed").low
    enough = ruling(graded(ENOUGH), {"measure": measure, "better_than": "b"})
    assert enough.verdict == "pass"


@pytest.mark.parametrize("sizes", [LARGE, FEW], ids=["dominated", "few"])
def test_a_comparison_has_the_doubt_of_the_rows_for_every_measure(sizes: list[int]) -> None:
    data = graded(sizes)
    of_two = {**data, "ill": data["ill"] > 0}
    names = {"label": "ill", "scores": ["a", "b"], "cluster": "who"}
    need = "the tests and intervals need about 30"
    doubt = f"Only 5 clusters: {need}"
    if sizes is LARGE:
        doubt = f"51 clusters as uneven as these count as about 4 of equal size: {need}"
    measures = ["vus", "auc"] if sizes is LARGE else ["vus", "concordance", "auc"]
    for measure in measures:
        rows = of_two if measure == "auc" else data
        for design, advice in ((None, ""), ("fixed", "; rely on the certified intervals")):
            answer = rs.compare(rows, measure=measure, design=design, **names)
            (compared,) = answer.comparisons.values()
            assert f"{doubt}{advice}." in compared.warnings
            first = "With so little data the certified intervals" if advice else "The data are too"
            assert answer.answer()[1].startswith(first)
            assert "not shown to be better" in answer.answer()[1]


@pytest.mark.parametrize("scale", ORDERED)
def test_a_cluster_that_is_most_of_an_outcome_counts_as_one(scale: Any) -> None:
    """With outcomes that are constant within clusters, a large one has most of the variance."""
    rng = np.random.default_rng(11)
    sizes = np.array([200] + [4] * 200)
    for count, words in ((201, "201 clusters as uneven as these count as about 1 "), (200, "")):
        cluster = np.repeat(np.arange(count), sizes[-count:])
        grade = rng.integers(0, 3, count)[cluster]
        score = grade + rng.normal(size=len(grade))
        found = rs.concordance(grade, score, scale=scale, cluster=cluster)
        assert any(words in text for text in found.warnings) == bool(words)
    assert not found.warnings


def test_a_cluster_in_too_many_pairs_is_the_reason_and_not_the_number_of_rows() -> None:
    data = graded([100] + [1] * 100)
    scores = {name: data[name] for name in "ab"}
    with pytest.raises(rs.UnsoundError, match="one row or cluster is part of so many pairs"):
        rs.compare(data["ill"], scores, measure="concordance", cluster=data["who"])
    found = ruling(data, {"measure": "concordance", "better_than": "b"})
    assert "101 clusters as uneven as these count as about 4 of equal size" in found.undecided


@pytest.mark.parametrize("rule", RULES, ids=["difference", "value"])
def test_enough_equal_clusters_keep_calibrated_limits(rule: dict[str, Any]) -> None:
    for data in (table(ENOUGH), items(ENOUGH)):
        found = ruling(data, rule)
        assert found.verdict == "pass"
        assert not found.interval.certified


@pytest.mark.parametrize("rule", RULES, ids=["difference", "value"])
def test_items_follow_the_same_rule(rule: dict[str, Any]) -> None:
    dominated = ruling(items(DOMINATED), rule)
    assert dominated.verdict == "undecided"
    assert "31 clusters as uneven as these count as about 2 of equal size" in dominated.undecided
    assert dominated.undecided.endswith("add clusters")
    few = ruling(items(FEW), rule)  # of equal size, so that a certified limit is known
    assert few.interval.certified
    assert "Only 5 clusters" in few.why


def test_a_stored_difference_has_the_doubts_of_the_new_value(tmp_path: Any) -> None:
    stored = tmp_path / "old.json"
    data = table(ENOUGH)
    old = rs.evaluate(data, label="ill", scores="b", cluster="who")
    stored.write_text(json.dumps(old.to_dict()))
    policy = {
        "label": "ill",
        "cluster": "who",
        "rule": [{"score": "a", "not_worse_than": "b", "margin": 0.1}],
    }
    assert rs.gate(policy, data, baseline=stored).verdict == "pass"
    (few,) = rs.gate(policy, table(FEW), baseline=stored).rulings
    assert few.verdict == "undecided"
    assert "Only 5 clusters" in few.undecided


@pytest.mark.parametrize("seed", range(5))
def test_evaluate_and_compare_always_warn_of_few_or_dominating_clusters(seed: int) -> None:
    for sizes, words in ((DOMINATED, "count as about 2"), (FEW, "Only 5"), ([1] * 29, "Only 29")):
        rng = np.random.default_rng(seed)
        cluster = np.repeat(np.arange(len(sizes)), sizes)
        values = {name: rng.random(len(cluster)) for name in "ab"}
        answer = rs.evaluate(rs.Sample(values, cluster=cluster))
        (compared,) = answer.comparisons.values()
        for warnings in (*(entry.warnings for entry in answer.results), compared.warnings):
            assert sum(words in text and "about 30" in text for text in warnings) == 1
    alone = rs.evaluate(rs.Sample({"a": rng.random(90)}, cluster=np.repeat(np.arange(30), 3)))
    assert not any("clusters" in text for text in alone.results[0].warnings)


def test_the_units_of_a_sample_have_their_own_name() -> None:
    cases = rs.Sample({"a": [0.2, 0.4, 0.9, 0.5] * 5}, measure="accuracy", unit="case")
    assert ruling(cases, {"at_least": 0.1}).why.endswith("needed: at least 0.1. 20 cases.")


def test_clusters_count_as_so_many_of_equal_size() -> None:
    def even(pos: list[int], neg: list[int]) -> float:
        shares = squared_shares(pos, neg)
        return BinarySummary.even_clusters.fget(type("S", (), {"squared_shares": shares}))

    assert even([2] * 40, [3] * 40) == pytest.approx(40)
    assert even([5] * 20 + [0] * 20, [0] * 20 + [5] * 20) == pytest.approx(40)
    assert even([60] + [1] * 30, [60] + [1] * 30) == pytest.approx(90**2 / (60**2 + 30))


def test_summaries_of_an_engine_count_the_same_clusters() -> None:
    pytest.importorskip("polars")
    import polars

    data = table(DOMINATED)
    for rule in RULES:
        here = ruling(data, rule)
        there = ruling(polars.DataFrame(data).lazy(), rule)
        assert (here.verdict, here.undecided) == (there.verdict, there.undecided)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [DOMINATED, [150] + [8] * 30], ids=["items", "rows"])
def test_exchangeable_scores_rarely_pass(sizes: list[int]) -> None:
    """At most 16 of 150 pass: P(more | 5 %) = 0.002; a third of them passed by Student's t."""
    rng, passed = np.random.default_rng(17), 0
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    for _ in range(150):
        skill = rng.normal(size=(len(sizes), 2))[cluster]
        if sizes is DOMINATED:
            values = (rng.random(skill.shape) < 1 / (1 + np.exp(-1.5 * skill))).astype(float)
            data: Any = rs.Sample(dict(zip("ab", values.T, strict=True)), cluster=cluster)
        else:
            ill = (rng.random(len(cluster)) < 0.4).astype(int)
            scores = ill[:, None] * (1 + 0.7 * skill) + rng.normal(size=skill.shape)
            data = {"who": cluster, "ill": ill, "a": scores[:, 0], "b": scores[:, 1]}
        passed += ruling(data, {"better_than": "b"}).verdict == "pass"
    assert passed <= 16


@pytest.mark.parametrize(
    "rule",
    [
        {"at_least": 80},
        {"at_least": -0.1},
        {"not_worse_than": "b", "margin": 2},
        {"within": 1.5, "of": "b"},
    ],
)
def test_a_bar_beyond_the_range_of_the_measure_is_bad_input(rule: dict[str, Any]) -> None:
    for data in (table(ENOUGH), items(ENOUGH), items(DOMINATED)):
        with pytest.raises(rs.InputError, match=r"\(rule 1\).*write a number from 0 to 1"):
            ruling(data, rule)
    unbounded = rs.Sample({"a": [1.0, 2.0] * 20, "b": [1.0, 3.0] * 20}, range=None)
    assert ruling(unbounded, {"at_least": 80}).verdict == "fail"
    assert ruling(table(ENOUGH), {"at_least": 1.0}).verdict == "fail"

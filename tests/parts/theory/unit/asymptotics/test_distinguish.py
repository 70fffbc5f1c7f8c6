from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.graded.average_precision import average_precision
from rocsolid.graded.precision import grouped_auc
from rocsolid.theory.asymptotics import choose, distinguish
from rocsolid.theory.asymptotics.distinguishing.at_size import AtSize, Share, smallest
from rocsolid.theory.asymptotics.distinguishing.distinction import Distinction
from rocsolid.theory.asymptotics.distinguishing.distinguish import grid, query_splits

QUERIES, ITEMS = 12, 80


def data(noise_a: float, noise_b: float, seed: int = 0) -> tuple[Any, dict[str, Any], Any]:
    rng = np.random.default_rng(seed)
    relevance = rng.choice([0.0, 1.0, 2.0], QUERIES * ITEMS, p=[0.7, 0.2, 0.1])
    noise = rng.normal(size=(2, len(relevance)))
    scores = {"a": relevance + noise_a * noise[0], "b": relevance + noise_b * noise[1]}
    return relevance, scores, np.repeat(np.arange(QUERIES), ITEMS)


@pytest.fixture(scope="module")
def clear() -> Distinction:
    relevance, scores, qid = data(0.7, 2.5)
    return distinguish(relevance, scores, qid=qid, resamples=100)


@pytest.fixture(scope="module")
def alike() -> Distinction:
    relevance, scores, qid = data(50.0, 50.0, seed=3)
    return distinguish(relevance, scores, qid=qid, resamples=100)


def test_the_values_on_all_data_are_those_of_ndcg(clear: Distinction) -> None:
    relevance, scores, qid = data(0.7, 2.5)
    place = 0
    for discount in ("log2", rs.discounts.power(0.5), rs.discounts.exponential(2)):
        for k in (None, rs.discounts.frac(0.2), 10):
            one = clear.measures[place]
            for found, name in ((one.value_a, "a"), (one.value_b, "b")):
                value = rs.ndcg(relevance, scores[name], qid=qid, discount=discount, k=k).value
                assert found == pytest.approx(value, abs=1e-14)
            place += 1
    assert place == len(clear.measures)


def test_a_clear_difference(clear: Distinction) -> None:
    for one in clear:
        assert one.ahead == "a"
        assert one.verdict == "separates"
        assert one.reached is not None
        assert one.reached <= ITEMS / 2
        assert one.queries_reached is not None
        assert one.lists_ahead is not None
        assert one.lists_ahead.draws == QUERIES
        last = one.items[-1]
        assert (last.n, last.overlap, last.agrees.value) == (ITEMS, 1.0, 1.0)
        assert last.on_new_data is None
        assert last.swaps is None
        assert last.gap == pytest.approx(one.gap)
        settled = [point.settled.value for point in one.items]
        assert settled == sorted(settled)
        assert all(point.settled.value <= point.agrees.value for point in one.items)
    assert clear["1/log(1+r)"] is clear["NDCG with log2"]
    with pytest.raises(KeyError):
        clear["NDCG"]


def test_theory_stands_beside_the_samples(clear: Distinction) -> None:
    assert clear["1/log(1+r)"].limit_a.value == 1.0
    assert clear["1/log(1+r)"].separation.theorem == "Theorem 2"
    fast = clear["2^−r"]
    assert fast.limit_a.value is None
    assert fast.separation.verdict == "no"
    predicted = clear["r^−0.5"].predicted
    assert predicted is not None
    assert predicted.n == clear.sizes
    assert predicted.gap[-1] == pytest.approx(clear["r^−0.5"].gap, abs=0.03)
    assert "only more queries do" in fast.words


def test_the_choice(clear: Distinction, alike: Distinction) -> None:
    good = clear.choose()
    assert good.use
    assert not good.disagree
    assert set(good.use).isdisjoint({"2^−r", "1/log(1+r) @10"})
    assert "Use " in good.words
    assert "2^−r" in good.words
    assert len(good.evidence) == len(clear.measures)
    none = alike.choose()
    assert none.use == ()
    assert "none can be recommended" in none.words
    relevance, scores, qid = data(0.7, 2.5)
    assert choose(relevance, scores, qid=qid, resamples=100) == good


def test_rankers_that_know_nothing_are_not_told_apart(alike: Distinction) -> None:
    for one in alike:
        assert one.verdict in {"not yet", "cannot", "more queries"}
        half = one.half
        assert half is not None
        assert half.swaps is not None
        assert half.swaps.value > 0.1
    assert "whether the true curves differ" in " ".join(one.words for one in alike)


def test_measures_that_disagree() -> None:
    """a: 20 relevant items on top, the other 280 at the end; b: 20 others on top, then all 300."""
    kinds = np.repeat([0, 1, 2], [20, 280, 300])  # relevant, relevant, not relevant
    relevance = np.tile((kinds < 2) * 1.0, 4)
    a = np.tile(np.array([2.0, 0.0, 1.0])[kinds] + np.arange(600) / 1000, 4)
    b = np.where(np.arange(600) < 580, np.array([1.0, 1.0, 0.0])[kinds], 2.0)
    b = np.tile(b + np.arange(600) / 1000, 4)
    found = distinguish(
        relevance,
        {"a": a, "b": b},
        qid=np.repeat(np.arange(4), 600),
        discounts=["log2", rs.discounts.exponential(2)],
        cutoffs=[None],
        resamples=50,
    )
    assert [one.ahead for one in found] == ["b", "a"]
    choice = found.choose()
    assert choice.use == ("1/log(1+r)",)
    assert choice.rest == ("2^−r",)
    assert choice.disagree
    assert "a by 2^−r; b by 1/log(1+r)" in choice.words


def test_the_seed_decides_and_progress_is_told() -> None:
    relevance, scores, qid = data(1.0, 1.3)
    said: list[tuple[int, int]] = []
    first, again, other = (
        distinguish(
            relevance,
            scores,
            qid=qid,
            cutoffs=[None],
            resamples=20,
            seed=seed,
            progress=lambda done, total: said.append((done, total)),
        )
        for seed in (0, 0, 1)
    )
    assert first.to_dict() == again.to_dict()
    assert first.to_dict()["measures"] != other.to_dict()["measures"]
    done = [step for step, _ in said[: 2 * QUERIES]]
    assert done == [ITEMS // 2 * (i + 1) for i in range(2 * QUERIES)]
    assert {total for _, total in said} == {ITEMS * QUERIES}


def test_json_text_and_words(clear: Distinction, alike: Distinction) -> None:
    for found in (clear, alike):
        plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert [one["spoken"] for one in plain["measures"]] == [one.spoken for one in found]
        assert plain["choice"]["words"] == found.choose().words
        assert len(str(found).splitlines()) == 2 + len(found.measures)
        assert found.about in found.explain()
        assert "12 queries of 80 items, grades 0, 1, 2" in found.explain()


def test_one_list_has_no_queries_to_split() -> None:
    relevance, scores, _ = data(0.7, 2.5)
    found = distinguish(relevance, scores, cutoffs=[None], resamples=20)
    assert found.queries == 1
    for one in found:
        assert one.queries == ()
        assert one.lists_ahead is None
        assert one.queries_reached is None
        assert "quer" not in one.words
    assert "queries" not in str(found)


def test_rankers_that_order_alike_have_no_sign() -> None:
    relevance, scores, qid = data(1.0, 1.0)
    found = distinguish(relevance, {"a": scores["a"], "b": 3 * scores["a"]}, qid=qid, resamples=10)
    for one in found:
        assert one.verdict == "equal"
        assert one.ahead is None
        assert one.reached is None
        assert "no difference" in one.words
    assert "None of the measures shows a difference" in found.choose().words


def test_lists_of_different_lengths_unretrieved_and_unjudged_items() -> None:
    """Short queries give all they have; one without a relevant item is left out and counted."""
    relevance = [1, 0, math.nan, 0, 1, 1, 0, 0, 0, 0, 2]
    a = [5, 4, 3, 2, -math.inf, 1, 2, 3, 1, 2, 3]
    b = [1, 2, 3, 4, 5, 3, 2, 1, 1, 2, -math.inf]
    qid = list("xxxxxyyyzzz")
    found = distinguish(relevance, {"a": a, "b": b}, qid=qid, sizes=[1, 4, 5], resamples=10)
    assert found.queries == 3
    assert found.lengths == (3, 3, 5)
    assert found.sizes == (1, 4, 5)
    for one, k in zip(found.measures[:3], (None, rs.discounts.frac(0.2), 10), strict=True):
        assert one.value_b == pytest.approx(rs.ndcg(relevance, b, qid=qid, k=k).value, abs=1e-14)
    assert found.measures[0].items[1].overlap == pytest.approx((4 / 5 + 1 + 1) / 3)
    left = distinguish([*relevance, 0], {"a": [*a, 1], "b": [*b, 1]}, qid=[*qid, "w"], resamples=5)
    assert (left.queries, left.left_out) == (3, 1)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scores": {"a": [1, 2]}}, "two rankers"),
        ({"scores": [1, 2]}, "two rankers"),
        ({"relevance": [0, 0]}, "no item is relevant"),
        ({"discounts": "log2"}, "discounts must be a list"),
        ({"cutoffs": 10}, "cutoffs must be a list"),
        ({"cutoffs": []}, "at least one"),
        ({"sizes": [3]}, "no list has more than 2"),
        ({"sizes": []}, "at least one size"),
        ({"resamples": 1}, "resamples"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], words: str) -> None:
    given = {"relevance": [0, 1], "scores": {"a": [1, 2], "b": [2, 1]}, **changes}
    with pytest.raises(InputError, match=words):
        distinguish(given.pop("relevance"), given.pop("scores"), **given)


def test_the_smallest_size_is_credited_up_to_half_of_the_data_only() -> None:
    def point(n: int, overlap: float, share: float) -> AtSize:
        found = Share(share, share, share, 100)
        return AtSize(n, overlap, 0.1, 0.0, found, found, None, found)

    points = [point(10, 0.1, 0.96), point(20, 0.2, 0.94), point(30, 0.3, 0.95)]
    points += [point(50, 0.5, 0.99), point(90, 0.9, 0.2)]
    assert smallest(points, lambda one: one.agrees) == 30
    assert smallest(points[:3], lambda one: one.agrees) == 30
    assert smallest(points[:2], lambda one: one.agrees) is None
    assert smallest(points[4:], lambda one: one.agrees) is None


def test_shares() -> None:
    share = Share.of(0, 20)
    assert (share.value, share.low) == (0.0, 0.0)
    assert share.high == pytest.approx(1 - 0.025 ** (1 / 20))
    assert Share.of(19, 20).on_new_data(0.0).to_dict() == pytest.approx(Share.of(19, 20).to_dict())
    assert Share.of(20, 20).on_new_data(0.5).value == 1.0


def test_the_grid() -> None:
    assert grid(1) == (1,)
    assert grid(5, 1) == (1, 2, 3, 4, 5)
    assert grid(1000)[-1] == 1000
    assert 500 in grid(1000)
    assert list(grid(12_807)) == sorted(set(grid(12_807)))


def test_query_splits_by_hand() -> None:
    """Of three queries with differences 3, −1 and −1 one has the sign of the mean, and two of
    three pairs have."""
    (points,) = query_splits([np.array([3.0, -1.0, -1.0])], 4000, 0)
    by_n = {point.n: point for point in points}
    assert by_n[1].agrees.low < 1 / 3 < by_n[1].agrees.high
    assert by_n[2].agrees.low < 2 / 3 < by_n[2].agrees.high
    assert by_n[3].agrees.value == 1.0
    swaps = by_n[1].swaps
    assert swaps is not None
    assert swaps.low < 2 / 3 < swaps.high
    assert by_n[2].swaps is None


def test_cut_offs_that_grow_with_the_list() -> None:
    """Faster than ln n: theory settles it. No faster: the sign is right ever more often."""
    relevance, scores, qid = data(0.7, 2.5)
    found = distinguish(
        relevance, scores, qid=qid, discounts=["log2"], cutoffs=[math.sqrt, math.log], resamples=20
    )
    fast, slow = found.measures
    assert (fast.separation.verdict, slow.separation.verdict) == ("yes", "unknown")
    assert "growing lists settle the sign" in fast.words
    assert "right more and more often as lists grow" in slow.words
    assert slow.separation.ahead is not None


MEASURES = ["auc", "partial_auc(fpr<=0.2)", "partial_auc(fpr<=0.2, scale=mean)", "ap", "p@5", "dcg",
            "err", "sensitivity(specificity=0.9)"]  # fmt: skip


@pytest.fixture(scope="module")
def declared_measures() -> Distinction:
    relevance, scores, qid = data(0.7, 2.5)
    return distinguish(relevance, scores, qid=qid, measures=MEASURES, resamples=40)


def test_declared_measures_on_lists(declared_measures: Distinction) -> None:
    relevance, scores, qid = data(0.7, 2.5)
    found = declared_measures
    assert len(found.measures) == len(MEASURES)
    for name, function in (
        ("auc", grouped_auc),
        ("AP", average_precision),
        ("DCG[linear,log2]", rs.dcg),
    ):
        for value, ranker in ((found[name].value_a, "a"), (found[name].value_b, "b")):
            expected = function(relevance, scores[ranker], qid=qid).value
            assert value == pytest.approx(expected, abs=1e-13)
    verdicts = {one.measure: one.separation.verdict for one in found}
    assert verdicts == {
        "auc": "yes", "partial_auc(fpr<=0.2)": "yes", "partial_auc(fpr<=0.2, scale=mean)": "yes",
        "AP": "yes", "P@5": "no", "DCG[linear,log2]": "yes", "ERR[max=2]": "no",
        "sensitivity(specificity=0.9)": "unknown",
    }  # fmt: skip
    assert all(one.ahead == "a" for one in found)
    assert found["AP"].verdict == "separates"
    assert found["P@5"] in [one for one in found if one.verdict in ("separates", "cannot")]


def test_the_proven_number_of_items_stands_beside_the_measured_one(
    declared_measures: Distinction,
) -> None:
    found = declared_measures
    auc, raw, mean = found.measures[:3]
    relevance, _, qid = data(0.7, 2.5)
    shares = np.bincount(qid, relevance >= 1.0) / np.bincount(qid)
    exact = 2 * math.log(20) / auc.gap**2 * np.mean(1 / (shares * (1 - shares))) / QUERIES
    assert auc.proven == math.ceil(exact)
    assert auc.reached is not None
    assert auc.reached < auc.proven
    assert raw.proven == mean.proven
    assert f"{auc.proven:,} items prove the sign" in auc.words
    assert found["AP"].proven is None
    assert found.table[0][-3:] == ("proven items", "theory", "verdict")
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["measures"][0]["proven"] == auc.proven


def test_rows_of_two_classes_and_ndcg_in_one_call() -> None:
    relevance, scores, _ = data(0.7, 2.5)
    labels = relevance >= 1.0
    found = distinguish(
        labels, scores, measures=["precision@10%", rs.weights.power(2)], discounts=["log2"],
        cutoffs=[None], resamples=20,
    )  # fmt: skip
    assert [one.measure for one in found] == [
        "NDCG with log2", "precision@10%", "weighted_auc(power(p=2))",
    ]  # fmt: skip
    assert found.measures[0].limit_a is not None
    assert found.measures[1].limit_a is None
    expected = rs.weighted_auc(labels, scores["b"], weight=rs.weights.power(2)).value
    assert found.measures[2].value_b == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize(
    ("measures", "words"),
    [
        ("auc", "measures must be a list"),
        (["aucc"], "did you mean|nearest"),
        (["auc", "roc_auc"], "requested twice"),
        (["precision@500"], "no query has a value"),
    ],
)
def test_measures_that_are_refused(measures: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        distinguish([0, 1, 1], {"a": [1, 2, 3], "b": [2, 1, 0]}, measures=measures, resamples=2)

"""`rocsolid.compare`: its result, odd input, degenerate scores, and what it refuses."""

from __future__ import annotations

import importlib
import json
from types import FunctionType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocsolid as rs

RNG = np.random.default_rng(0)
Y = np.arange(60) % 3 == 0
A, B, C = (RNG.normal(size=60) + shift * Y for shift in (2.0, 1.8, 0.0))
SCORES = {"a": A, "b": B, "c": C}


def test_the_name_is_the_function_whatever_was_imported() -> None:
    for module in ("comparison", "comparison.models", "comparison.build", "cli.compare"):
        importlib.import_module(f"rocsolid.{module}")
    assert isinstance(rs.compare, FunctionType)


def test_pairs_are_the_earlier_name_less_the_later_one() -> None:
    result = rs.compare(Y, SCORES)
    assert [(p.a, p.b) for p in result.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    for p in result.pairs:
        assert p.difference == result.estimates[p.a].value - result.estimates[p.b].value
        assert p.low < p.difference < p.high
        assert p.certified is not None
        assert p.certified.certified
        assert p.certified.low <= p.difference <= p.certified.high
    assert result.estimates["a"].to_dict() == rs.auc(Y, A).to_dict()
    assert result.groups == (("a", "b"), ("c",))


def test_order_of_names_turns_the_sign_and_nothing_else() -> None:
    (one,), (other,) = (
        rs.compare(Y, {n: SCORES[n] for n in names}).pairs for names in ("ab", "ba")
    )
    assert (one.difference, one.low, one.high) == pytest.approx(
        (-other.difference, -other.high, -other.low), abs=1e-12
    )
    assert one.p_value == pytest.approx(other.p_value, abs=1e-12)
    assert one.certified is not None
    assert other.certified is not None
    assert one.certified.low == pytest.approx(-other.certified.high, abs=1e-12)


def test_order_of_rows_is_nothing() -> None:
    order = RNG.permutation(60)
    one = rs.compare(Y, SCORES).to_dict()
    other = rs.compare(Y[order], {name: s[order] for name, s in SCORES.items()}).to_dict()
    for p, q in zip(one["pairs"], other["pairs"], strict=True):
        assert p["p_value"] == pytest.approx(q["p_value"], rel=1e-9)
        assert p["certified"]["low"] == pytest.approx(q["certified"]["low"], abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_order_of_weighted_rows_is_nothing_beside_a_perfect_score(seed: int) -> None:
    """Weights leave it a variance of some 1e-33 instead of none, or an AUC of 1 − 1e-16."""
    rng = np.random.default_rng(seed)
    weight, order = rng.random(60) + 0.1, rng.permutation(60)
    scores = {"perfect": A + 20.0 * Y, "b": B, "c": C}
    found = rs.compare(Y, scores, sample_weight=weight)
    again = rs.compare(
        Y[order], {name: s[order] for name, s in scores.items()}, sample_weight=weight[order]
    )
    for pair, other in zip(found.pairs, again.pairs, strict=True):
        assert other.std_error == pytest.approx(pair.std_error, rel=1e-9)
        assert (other.low, other.high) == pytest.approx((pair.low, pair.high), rel=1e-9)


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("measure", ["enrichment@10%", "lift@10%", "recall@6"])
def test_scores_with_the_same_rows_on_top_do_not_differ_by_rounding(
    measure: str, clustered: bool
) -> None:
    """Their values differ by 1e-15, with a variance of 1e-30 times the square of their range."""
    rng = np.random.default_rng(3)
    below = np.median(A) > A
    for _ in range(20):
        order = rng.permutation(60)
        scores = {"a": A, "b": A - rng.random(60) * below, "c": C}
        found = rs.compare(
            Y[order], {name: one[order] for name, one in scores.items()}, measure=measure,
            sample_weight=rng.random(60) + 0.4, cluster=order // 2 if clustered else None,
        )  # fmt: skip
        assert abs(found.pairs[0].difference) < 1e-12
        assert found.pairs[0].p_value == 1.0
        assert any({"a", "b"} <= set(group) for group in found.groups)


def test_to_dict_is_json_and_its_keys_are_stable() -> None:
    plain = json.loads(json.dumps(rs.compare(Y, SCORES).to_dict(), allow_nan=False))
    assert list(plain) == [
        "measure", "compared", "level", "estimates", "covariance", "pairs", "groups",
        "non_inferiority", "equivalence", "omnibus", "ranks", "possible_bests", "winner",
        "next_ranks", "warnings", "settings",
    ]  # fmt: skip
    assert list(plain["pairs"][0]) == [
        "a", "b", "difference", "std_error", "low", "high", "level", "interval_method", "statistic",
        "df", "p_value", "p_at_floor", "p_adjusted", "p_adjusted_at_floor", "method", "certified",
    ]  # fmt: skip
    assert plain["settings"] == {
        "test": "delong-t", "adjust": "holm", "paired": True, "null": 0.0,
        "alternative": "two-sided", "resamples": 2000, "seed": 0, "margin": None, "design": None,
        "pos_label": None,
        "lower_is_better": False, "nan": "raise", "omitted": 0, "weighted": False, "clusters": None,
    }  # fmt: skip


def test_it_prints_a_matrix_and_groups() -> None:
    text = str(rs.compare(Y, SCORES))
    assert "AUC, 3 scores on the same 20 positives and 40 negatives" in text
    assert "Not significantly different: a, b." in text
    assert "*" in text.splitlines()[2]
    words = rs.compare(Y, SCORES).explain()
    assert "has the highest AUC" in words
    assert "a is above c by" in words
    many = rs.compare(Y, {f"m{i}": RNG.normal(size=60) for i in range(6)})
    assert len(many.pairs) == 15
    assert "is above" not in many.explain()


def test_identical_and_perfect_scores() -> None:
    result = rs.compare(Y, {"a": A, "again": np.exp(A), "c": C})
    same = result.pairs[0]
    assert (same.difference, same.p_value, same.statistic, same.std_error) == (0.0, 1.0, 0.0, 0.0)
    assert same.interval is same.certified
    assert same.low < 0 < same.high
    assert any("no variance" in w and "p is 1" in w for w in result.warnings)
    assert result.omnibus.df == 1
    assert any("rank 1" in w for w in result.warnings)
    two = rs.compare(Y, {"a": A, "c": C}).omnibus
    assert result.omnibus.p_value == pytest.approx(two.p_value, rel=1e-9)

    perfect = {"one": Y + 0.1 * np.abs(A) / 9, "two": 1.0 * Y, "constant": np.zeros(60)}
    perfect = {name: np.tile(s, 5) for name, s in perfect.items()}
    result = rs.compare(np.tile(Y, 5), perfect, adjust="max-t")
    assert [p.p_adjusted for p in result.pairs[:1]] == [1.0]
    assert np.isnan(result.pairs[1].p_value)
    assert result.pairs[1].low > 0.0, "the certified interval says what the test cannot"
    assert np.isnan(result.omnibus.p_value)
    assert any("no delong-t test is possible" in w for w in result.warnings)
    json.dumps(result.to_dict(), allow_nan=False)
    assert "unknown" in str(result)


def test_missing_scores_leave_out_the_row_for_all() -> None:
    a, b = A.copy(), B.copy()
    a[[1, 2]], b[[2, 3, 4]] = np.nan, np.nan
    keep = ~(np.isnan(a) | np.isnan(b))
    result = rs.compare(Y, {"a": a, "b": b, "c": C}, nan="omit")
    assert result.settings["omitted"] == 4
    assert "4 rows were left out" in result.warnings[0]
    assert "(a: 2, b: 3)" in result.warnings[0]
    there = rs.compare(Y[keep], {n: s[keep] for n, s in (("a", a), ("b", b), ("c", C))})
    assert [p.to_dict() for p in there.pairs] == [p.to_dict() for p in result.pairs]
    with pytest.raises(rs.InputError, match="score 'a'"):
        rs.compare(Y, {"a": a, "c": C})


def test_direction_labels_and_equal_weights() -> None:
    plain = rs.compare(Y, SCORES)
    turned = rs.compare(
        np.where(Y, "ill", "well"),
        {name: -s for name, s in SCORES.items()},
        pos_label="ill",
        lower_is_better=True,
    )
    equal = rs.compare(Y, SCORES, sample_weight=np.full(60, 3.0))
    alone = rs.compare(Y, SCORES, cluster=np.arange(60))
    for other in (turned, equal, alone):
        assert other.covariance == pytest.approx(plain.covariance, rel=1e-9)
    assert alone.pairs[0].df == pytest.approx(plain.pairs[0].df, rel=0.02)
    assert rs.compare(Y, SCORES, cluster=np.arange(60), test="delong").pairs[0].df == 59.0
    warnings = rs.compare(Y, SCORES, cluster=np.arange(60) // 20).warnings
    assert any("Only 3 clusters" in said for said in warnings)


def test_the_certificate_follows_the_kind_of_rows() -> None:
    def method(**options: Any) -> str:
        proven = rs.compare(Y, SCORES, **options).pairs[0].certified
        assert proven is not None
        return proven.method

    assert method() == "difference-matchings"
    assert method(sample_weight=np.linspace(1, 2, 60), design="fixed") == "mcdiarmid (difference)"
    assert method(cluster=np.arange(60) // 2, design="fixed") == "mcdiarmid (difference)"
    assert method(paired=False) == "difference of cuts"


def test_few_rows_are_said() -> None:
    """The count is of misplaced rows, the smaller of both classes: 6 of 50 suffice, 4 do not."""
    y = np.arange(100) < 50
    for lost, said in ((6, False), (4, True)):
        a = 1.0 * y
        a[:lost] = -1.0
        warnings = rs.compare(y, {"a": a, "b": np.arange(100) % 7}).warnings
        assert any(f"a: about {lost}.0 of 50" in w for w in warnings) is said
    area = rs.compare(Y[:45], {n: s[:45] for n, s in SCORES.items()}, measure="partial_auc(fpr<=1)")
    assert "Only 15 positive rows" in area.warnings[0]


def test_margin_null_and_sides() -> None:
    plain = rs.compare(Y, {"a": A, "b": B})
    margin = rs.compare(Y, {"a": A, "b": B}, margin=0.1)
    same = rs.compare(Y, {"a": A, "b": B}, null=-0.1, alternative="greater")
    p, q, r = plain.pairs[0], margin.pairs[0], same.pairs[0]
    assert q.statistic == r.statistic == pytest.approx((p.difference + 0.1) / p.std_error)
    assert q.high == 1.0
    assert margin.groups == ()
    assert (q.p_value < 0.05) == (q.low > -0.1)
    assert "to b at margin 0.1 (one-sided 5 %)" in margin.explain()
    less = rs.compare(Y, {"a": A, "b": B}, alternative="less").pairs[0]
    greater = rs.compare(Y, {"a": A, "b": B}, alternative="greater").pairs[0]
    assert less.p_value + greater.p_value == pytest.approx(1.0)
    assert (less.low, greater.high) == (-1.0, 1.0)


def test_adjustments() -> None:
    raw, holm, joint = (
        np.array([p.p_adjusted for p in rs.compare(Y, SCORES, adjust=how).pairs])
        for how in ("none", "holm", "max-t")
    )
    order = np.argsort(raw)
    expected = np.minimum(np.maximum.accumulate(raw[order] * [3, 2, 1]), 1.0)
    assert holm[order] == pytest.approx(expected)
    assert (joint >= raw).all()
    assert (joint <= 3 * raw + 1e-12).all()
    again = [p.p_adjusted for p in rs.compare(Y, SCORES, adjust="max-t").pairs]
    assert again == joint.tolist()
    alone = rs.compare(Y, {"a": A, "b": B}, adjust="max-t").pairs[0]
    assert alone.p_adjusted == alone.p_value


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"scores": {"a": A}}, "at least two scores"),
        ({"scores": [A, B]}, "must be named"),
        ({"scores": {"a": A, "b": B[:-1]}}, "score 'b' has 59"),
        ({"scores": {1: A, "1": B}}, "two names read the same"),
        ({"measure": "acu"}, "unknown measure"),
        ({"test": "wilcoxon"}, "unknown test"),
        ({"adjust": "bonferroni"}, "unknown adjustment"),
        ({"level": 95}, "level must lie"),
        ({"alternative": "both"}, "unknown alternative"),
        ({"margin": 0.0}, "margin of non-inferiority"),
        ({"margin": 0.1, "null": 0.1}, "a margin tests"),
        ({"null": 1.5}, "null must lie"),
        ({"lower_is_better": "no"}, "must be True or False"),
        ({"nan": "drop"}, '"raise" or "omit"'),
        ({"cluster": [1, 2]}, "columns differ"),
        ({"y_true": np.ones(60)}, "no negative row"),
        ({"y_true": np.arange(60) == 3}, "two independent rows or clusters"),
        ({"scores": {"a": np.full(60, np.nan), "b": B}, "nan": "omit"}, "no row has all"),
    ],
)
def test_what_it_refuses(change: dict[str, Any], says: str) -> None:
    arguments = {"y_true": Y, "scores": SCORES} | change
    with pytest.raises(rs.RocsolidError, match=says):
        rs.compare(arguments.pop("y_true"), arguments.pop("scores"), **arguments)


@pytest.mark.parametrize("name", ["null", "margin"])
def test_text_is_no_null_and_no_margin(name: str) -> None:
    with pytest.raises(rs.InputError, match=name):
        rs.compare(Y, SCORES, **{name: "0.1"})  # type: ignore[arg-type]


@pytest.mark.parametrize("paired", ["no", None, float("nan")])
def test_paired_is_yes_or_no(paired: Any) -> None:
    with pytest.raises(rs.InputError, match="paired must be True or False"):
        rs.compare(Y, SCORES, paired=paired)


def test_unknown_and_empty_tests_of_all_are_said_in_words() -> None:
    apart = rs.compare(Y, {"a": Y * 1.0, "b": Y * 0.0})
    assert "All equal: unknown." in str(apart)
    alike = rs.compare(Y, {"a": A, "b": np.exp(A)})
    assert "The two values are equal and every unit moves both alike" in str(alike)
    unpaired = str(rs.compare(Y, {"a": A, "b": B}, paired=False))
    assert (
        "2 scores on 20 positives and 40 negatives, compared as if each had different rows"
        in unpaired
    )


def test_equal_rates_of_scores_that_rank_differently() -> None:
    middle = float(np.median(A))
    turned = np.where(middle > A, middle + A.min() - A, A)  # the lower half
    alike = rs.compare(Y, {"a": A, "b": turned}, measure="sensitivity(specificity=0.9)")
    assert alike.pairs[0].p_value == 1.0
    assert rs.compare(Y, {"a": A, "b": turned}).pairs[0].difference != 0.0
    assert "The two values are equal and every unit moves both alike" in str(alike)


def test_a_dataframe_names_its_scores() -> None:
    table = pd.DataFrame({"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, 3, 5, 4, 6]})
    y = [0, 0, 1, 0, 1, 1]
    named = rs.compare(y, {"a": table["a"], "b": table["b"]})
    assert rs.compare(y, table).to_dict() == named.to_dict()


def test_the_highest_may_be_two_and_a_difference_is_never_written_as_none() -> None:
    same = rs.compare(Y, {"a": A, "b": A + 1.0, "c": -A})
    assert same.sentences()[0].startswith("Of 3 scores, a and b share the highest AUC (")
    rng = np.random.default_rng(2)
    y = np.arange(2_000) % 2
    score = y + rng.normal(size=2_000)
    other = score.copy()
    order = np.argsort(score)
    at = np.flatnonzero(np.diff(y[order]))[0]  # neighbours of both classes change places
    first, second = order[at : at + 2]
    other[[first, second]] = other[[second, first]]
    found = rs.compare(y, {"a": score, "b": other})
    assert 0 < abs(found.pairs[0].difference) < 5e-5
    said = found.sentences()[1]
    assert "by 0.0000 " not in said
    assert " is above " in said

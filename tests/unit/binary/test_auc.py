from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.inference import NAMES

RNG = np.random.Generator(np.random.Philox(3))
Y = RNG.random(300) < 0.3
S = RNG.normal(size=300) + Y


@pytest.mark.parametrize("interval", NAMES)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_every_method_by_name(interval: str, alternative: Any) -> None:
    result = rs.auc(Y, S, interval=interval, alternative=alternative, level=0.9)
    assert result.low <= result.value <= result.high
    assert interval in result.method
    assert result.level == pytest.approx(0.9)
    assert (result.high == 1.0) == (alternative == "greater")
    assert (result.low == 0.0) == (alternative == "less")
    assert result.interval.assumptions
    assert result.interval.source


def test_the_certificate_is_there_whatever_is_asked_for() -> None:
    for interval in ("auto", "delong", "hinge", "mcdiarmid"):
        certified = rs.auc(Y, S, interval=interval).certified
        assert certified is not None
        assert certified.certified


def test_the_certificate_is_no_narrower_than_what_it_must_be() -> None:
    """At a perfect score the lower limit is (δ/2)^(1/k)."""
    result = rs.auc([0] * 30 + [1] * 20, list(range(50)))
    assert result.certified is not None
    assert result.certified.low == pytest.approx(0.025 ** (1 / 20), abs=1e-9)
    assert result.certified.high == 1.0


@pytest.mark.parametrize("interval", ["newcombe5", "hanley-mcneil", "hinge", "kl", "hoeffding"])
@pytest.mark.parametrize("extra", ["sample_weight", "cluster"])
def test_unsound_with_weights_or_clusters(interval: str, extra: str) -> None:
    values = np.arange(300) % 7 + 1
    with pytest.raises(rs.UnsoundError, match="equal weight only") as caught:
        rs.auc(Y, S, interval=interval, **{extra: values})
    assert caught.value.where == extra
    assert "mcdiarmid" in str(caught.value)


@pytest.mark.parametrize("interval", ["auto", "delong", "logit-t", "mcdiarmid"])
def test_sound_with_weights_and_clusters(interval: str) -> None:
    weight, cluster = RNG.random(300) + 0.1, np.arange(300) // 3
    for extra in (
        {"sample_weight": weight},
        {"cluster": cluster},
        {"sample_weight": weight, "cluster": cluster},
    ):
        result = rs.auc(Y, S, interval=interval, design="fixed", **extra)
        assert result.low < result.value < result.high
        assert result.certified is not None
        assert result.certified.low < result.low or interval == "mcdiarmid"
        assert any("weight" in a or "cluster" in a for a in result.certified.assumptions)


def test_weights_that_are_all_equal_change_nothing_but_what_is_certified() -> None:
    weight = np.full(300, 2.5)
    plain, even = rs.auc(Y, S), rs.auc(Y, S, sample_weight=weight)
    assert even.value == plain.value
    assert even.interval == plain.interval
    assert even.certified is None
    assert rs.auc(Y, S, sample_weight=weight, design="fixed").certified == plain.certified


def test_integer_weights_are_importance_and_not_repetition() -> None:
    weight = np.where(Y, 3.0, 1.0) * (1 + np.arange(300) % 2)
    weighted = rs.auc(Y, S, sample_weight=weight)
    repeated = rs.auc(np.repeat(Y, weight.astype(int)), np.repeat(S, weight.astype(int)))
    assert weighted.value == pytest.approx(repeated.value)
    assert weighted.std_error is not None
    assert repeated.std_error is not None
    assert weighted.std_error > 1.2 * repeated.std_error


def test_a_constant_score_has_an_interval_with_width() -> None:
    result = rs.auc(Y, np.zeros(300))
    assert result.value == 0.5
    assert result.std_error == 0.0
    assert result.high - result.low > 0.05
    assert result.ties == result.n_pos * result.n_neg
    assert any("tied" in warning for warning in result.warnings)


def test_delong_is_refused_where_it_has_no_width() -> None:
    with pytest.raises(rs.UnsoundError, match="auto"):
        rs.auc([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6], interval="delong")


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 5), (5, 1)])
def test_a_class_of_one_row(m: int, n: int) -> None:
    result = rs.auc([1] * m + [0] * n, [2.0] * m + [1.0] * n)
    assert result.value == 1.0
    assert result.std_error is None
    assert 0.0 <= result.low < 1.0
    assert result.high == 1.0
    assert len([w for w in result.warnings if "certified" in w]) == 2
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["std_error"] is None


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1], [True, True, True]])
def test_one_class(labels: list[Any]) -> None:
    with pytest.raises(rs.OneClassError, match=r"no (positive|negative) row.*Fix: "):
        rs.auc(labels, [1, 2, 3])


def test_a_class_without_weight() -> None:
    with pytest.raises(rs.OneClassError, match="negative rows have a total weight of zero"):
        rs.auc([0, 0, 1], [1, 2, 3], sample_weight=[0, 0, 1])


def test_missing_scores_are_refused_or_counted() -> None:
    scores = S.copy()
    scores[[4, 9]] = np.nan
    with pytest.raises(rs.InputError, match="rows 4 and 9"):
        rs.auc(Y, scores)
    result = rs.auc(Y, scores, nan="omit")
    assert result.settings["omitted"] == 2
    assert result.warnings[0].startswith("2 rows were left out")
    assert result.n_pos + result.n_neg == 298


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"interval": "delnog"}, "did|use 'delong'"),
        ({"level": 95}, "strictly between 0 and 1"),
        ({"level": 0.0}, "strictly between 0 and 1"),
        ({"alternative": "bigger"}, "unknown alternative"),
        ({"nan": "drop"}, "unknown nan"),
        ({"level": "0.95"}, "strictly between 0 and 1"),
        ({"lower_is_better": "no"}, "True or False"),
    ],
)
def test_bad_options(bad: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.auc(Y, S, **bad)


def test_a_score_the_wrong_way_round_is_not_turned() -> None:
    result = rs.auc(Y, -S)
    assert result.value < 0.5
    assert any("lower is better" in warning for warning in result.warnings)
    assert rs.auc(Y, -S, lower_is_better=True).value == pytest.approx(rs.auc(Y, S).value)


def test_an_estimate_speaks_and_is_frozen() -> None:
    result = rs.auc(Y, S)
    assert float(result) == result.value
    assert "\n" not in str(result)
    assert f"{result.value:.4f}" in str(result)
    assert "ranked above" in result.explain()
    assert "whatever the distribution" in result.explain()
    with pytest.raises(AttributeError):
        result.value = 0.0  # type: ignore[misc]


def test_json_has_no_nan_and_stable_keys() -> None:
    data = rs.auc(Y, S).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert list(data) == [
        "measure", "value", "low", "high", "level", "method", "assumptions", "certified",
        "std_error", "exact", "n_pos", "n_neg", "ties", "warnings", "settings", "fingerprint",
    ]  # fmt: skip


def test_infinite_scores_are_legal_and_compared() -> None:
    assert rs.auc([0, 1, 0, 1], [-math.inf, math.inf, 0.0, 0.0]).value == 0.875


def test_products_beyond_64_bits_through_the_table() -> None:
    """10¹⁰ rows in each cell: n_pos·n_neg is beyond 2⁶³ and nothing is rounded."""
    from rocsolid.summaries.ranges.range_placements import RangePlacements

    big = 10**10
    table = rs.ScoreCounts(np.array([0.0, 1.0]), np.array([1, 2]) * big, np.array([3, 1]) * big)
    placements = RangePlacements.of(table).placements
    assert placements.ratio == (17 * big**2, 24 * big**2)
    assert placements.auc == 17 / 24
    assert placements.moments.variance > 0


def test_the_fingerprint_ignores_order_labels_and_type() -> None:
    scores = np.array([0.5, 0.25, 2.0, 0.0])
    one = rs.auc([0, 1, 0, 1], scores).fingerprint
    assert one == rs.auc([1, 0, 1, 0], scores).fingerprint
    assert one == rs.auc([0, 1, 1, 0], scores[::-1].astype(np.float32)).fingerprint
    assert one == rs.auc([0, 1, 0, 1], [0.5, 0.25, 2.0, -0.0]).fingerprint
    assert one != rs.auc([0, 1, 0, 1], scores + 1e-16).fingerprint
    assert one == rs.auc([0, 1, 0, 1], scores, sample_weight=[1, 1, 1, 2]).fingerprint
    assert len(one) == 16


def test_the_keyed_fingerprint_covers_labels() -> None:
    key = "0123456789abcdef"
    one = rs.fingerprint([0, 1, 0], [1.0, 2.0, 3.0], key=key)
    assert one == rs.fingerprint([0, 0, 1], [3.0, 1.0, 2.0], key=key.encode())
    assert one != rs.fingerprint([1, 0, 0], [1.0, 2.0, 3.0], key=key)
    assert one != rs.fingerprint([0, 1, 0], [1.0, 2.0, 3.0], key=key + "!")
    with pytest.raises(rs.InputError, match=r"at least 16 bytes.*token_bytes"):
        rs.fingerprint([0, 1], [1, 2], key="short")


def test_weights_that_leave_few_rows_are_warned_of() -> None:
    weight = np.where(Y == 1, 1e-6, 1.0)
    weight[np.flatnonzero(Y == 1)[0]] = 1.0
    said = " ".join(rs.auc(Y, S, sample_weight=weight).warnings)
    assert "the positive rows worth only 1.0 of equal weight" in said
    assert "negative rows" not in said


def test_a_key_must_be_bytes_or_text() -> None:
    with pytest.raises(rs.InputError, match="bytes or text"):
        rs.fingerprint(Y, S, key=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(("tied", "warned"), [(4, False), (5, False), (6, True)])
def test_many_ties_are_more_than_one_pair_in_twenty(tied: int, warned: bool) -> None:
    """Ten by ten rows, of whose 100 pairs so many are tied."""
    negatives = np.arange(10.0)
    positives = np.concatenate([negatives[:tied], np.arange(20.0, 30.0 - tied)])
    found = rs.auc(np.arange(20) >= 10, np.concatenate([negatives, positives]))
    assert found.ties == tied
    assert any("are tied" in text for text in found.warnings) == warned

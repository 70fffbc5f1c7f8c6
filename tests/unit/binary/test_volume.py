"""The volume under the ROC surface of ordered outcomes, in every verb."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.ordered_volume import MOST_OUTCOMES
from rocsolid.certificates import certify_grid
from rocsolid.cli.app import run
from rocsolid.intervals.guarantees import hinge
from rocsolid.summaries.ordered_chains import OrderedChains

RNG = np.random.default_rng(5)
GRADE = RNG.integers(0, 3, 150)
A = np.round(GRADE + RNG.normal(size=150), 1)
B = np.round(GRADE + 2 * RNG.normal(size=150), 1)
CLUSTER = np.arange(150) // 3
TABLE = {"grade": GRADE, "a": A, "b": B, "c": CLUSTER, "w": 1.0 + GRADE, "site": CLUSTER % 2}
NUMBERS = ("value", "low", "high", "std_error")


def test_the_mean_of_exponentials_in_order() -> None:
    """P(X < Y < Z) of exponential times is λx/(λx + λy + λz) · λy/(λy + λz)."""
    rng = np.random.default_rng(0)
    rates, size = np.array([4.0, 2.0, 1.0]), 20_000
    grade = np.repeat([0, 1, 2], size)
    result = rs.concordance(grade, rng.exponential(1.0 / rates[grade]), scale="vus")
    expected = 4 / 7 * 2 / 3
    assert abs(result.value - expected) < 4 * result.std_error
    assert result.low < expected < result.high


def test_the_numbers_of_a_small_table() -> None:
    result = rs.concordance([1, 1, 2, 2, 3, 3], [1, 2, 2, 4, 3, 5], scale="vus")
    assert result.exact == Fraction(5, 8)
    assert (result.measure, result.outcomes, result.rows) == ("vus", 3, 6)
    assert result.certified == hinge(0.625, 2, 2, 1 - 0.95)
    assert "all chains of 3 rows" in result.explain()
    assert "random order" in result.explain()


def test_the_variance_is_the_sum_over_samples_of_the_variance_of_placements() -> None:
    through = OrderedChains.of(GRADE, np.unique(A, return_inverse=True)[1]).through
    parts = [np.var(through[kind == GRADE], ddof=1) / np.sum(kind == GRADE) for kind in range(3)]
    assert rs.concordance(GRADE, A, scale="vus").std_error == pytest.approx(sum(parts) ** 0.5)


def test_two_outcomes_are_the_auc() -> None:
    label = GRADE > 1
    volume, auc = rs.concordance(label, A, scale="vus"), rs.auc(label, A)
    assert [getattr(volume, name) for name in NUMBERS] == [getattr(auc, name) for name in NUMBERS]
    assert volume.measure == "vus"
    certificate = rs.certify(A, y=label, measure="vus")
    assert certificate.low == rs.certify(A, y=label).low
    assert certificate.chance == 0.5


def test_ends_of_the_range_have_an_interval() -> None:
    perfect = rs.concordance(GRADE, GRADE, scale="vus")
    assert (perfect.value, perfect.high, perfect.method) == (1.0, 1.0, "auto (hull)")
    smallest = np.bincount(GRADE).min()
    assert perfect.low == pytest.approx(0.025 ** (1 / smallest))
    assert rs.concordance(GRADE, -GRADE, scale="vus").low == 0.0
    one = rs.concordance([0, 1, 2, 2], [0, 1, 1, 2], scale="vus")
    assert one.std_error is None
    assert 0.0 <= one.low < one.value < one.high <= 1.0
    assert one.warnings[0].code == "ROC115"


def test_one_sided_limits_and_reversed_scores() -> None:
    both = rs.concordance(GRADE, A, scale="vus", level=0.9)
    greater = rs.concordance(GRADE, A, scale="vus", alternative="greater")
    assert (greater.low, greater.high) == (pytest.approx(both.low), 1.0)
    assert rs.concordance(GRADE, A, scale="vus", alternative="less").low == 0.0
    reverse = rs.concordance(GRADE, -A, scale="vus", lower_is_better=True)
    assert reverse.value == rs.concordance(GRADE, A, scale="vus").value


def test_clusters_of_copies_have_the_variance_of_the_rows_alone() -> None:
    alone = rs.concordance(GRADE, A, scale="vus")
    one_each = rs.concordance(GRADE, A, scale="vus", cluster=np.arange(150))
    assert one_each.certified is None
    assert one_each.std_error == pytest.approx(alone.std_error, rel=0.02)
    twice = np.tile(np.arange(150), 2)
    copied = rs.concordance(GRADE[twice], A[twice], scale="vus", cluster=twice)
    assert copied.std_error == pytest.approx(one_each.std_error, rel=1e-9)


def test_every_verb_has_the_same_number(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    expected = {name: rs.concordance(GRADE, TABLE[name], scale="vus") for name in "ab"}
    answer = rs.evaluate(TABLE, label="grade", scores=["a", "b"], measures=["VUS"])
    assert {one.score: one.result for one in answer.results} == expected
    pair = rs.compare(GRADE, {"a": A, "b": B}, measure="vus").pairs[0]
    assert pair.difference == pytest.approx(expected["a"].value - expected["b"].value)
    assert answer.comparisons[None].pairs[0].p_value == pair.p_value
    table = rs.compare(TABLE, label="grade", scores=["a", "b"], measure="volume_under_surface")
    assert table.comparisons[None].pairs[0].p_value == pair.p_value
    path = tmp_path / "t.csv"
    lines = ["grade,a,b", *(",".join(map(str, row)) for row in zip(GRADE, A, B, strict=True))]
    path.write_text("\n".join(lines))
    columns = ["--score", "a", "--score", "b", "--measure", "vus", "--json"]
    for verb in ("evaluate", "compare"):
        assert run([verb, str(path), "--label", "grade", *columns]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed["results"][0]["value"] == expected["a"].value
    assert run(["certify", str(path), "--label", "grade", *columns]) == 0
    printed = json.loads(capsys.readouterr().out)
    certificates = rs.certify(TABLE, label="grade", scores=["a", "b"], measure="vus").grid
    assert printed["certificates"]["a"]["low"] == certificates["a"].low


def test_by_segment_and_by_cluster() -> None:
    answer = rs.evaluate(TABLE, label="grade", scores="a", measures="vus", by="site", cluster="c")
    south = TABLE["site"] == 1
    expected = rs.concordance(GRADE[south], A[south], scale="vus", cluster=CLUSTER[south])
    of_south = next(one for one in answer.results if one.by == {"site": 1})
    assert (of_south.value, of_south.low) == (expected.value, expected.low)


@pytest.mark.parametrize("measure", ["concordance", "vus"])
def test_certificates_are_one_sided_limits(measure: str) -> None:
    certificate = rs.certify(A, y=GRADE, measure=measure)
    estimate = rs.concordance(GRADE, A, scale=measure, alternative="greater")
    assert certificate.value == estimate.value
    assert certificate.low == estimate.certified.low
    assert certificate.chance == (0.5 if measure == "concordance" else pytest.approx(1 / 6))
    assert dict(certificate.counts) == {"n_rows": 150, "n_outcomes": 3}
    assert "150 rows with 3 different outcomes" in str(certificate)
    grid = certify_grid({"a": A, "b": B}, y=GRADE, measure=measure)
    assert grid.best == "a"
    assert grid["a"].low < certificate.low


@pytest.mark.parametrize("measure", ["concordance", "vus"])
def test_rows_of_the_fit_are_refused(measure: str) -> None:
    X = np.column_stack([A, B])
    with pytest.raises(rs.UnsoundError, match="fitted on"):
        rs.certify(lambda X: X[:, 0], X, GRADE, measure=measure, fitted_on=(X, GRADE))


@pytest.mark.parametrize(
    ("verb", "how", "message"),
    [
        (rs.evaluate, {"measures": ["vus", "auc"]}, "with this measure alone"),
        (rs.evaluate, {"measures": "vus", "pos_label": 1}, "labels of two classes"),
        (rs.evaluate, {"measures": "vus", "qid": "c"}, "labels of two classes"),
        (rs.evaluate, {"measures": "vus", "memory": "1 GB"}, "memory is for files"),
        (rs.compare, {"measure": "vus", "memory": "1 GB"}, "memory is for files"),
        (rs.compare, {"measure": "vus", "by": "site"}, "labels of two classes"),
        (rs.compare, {"measure": "vus", "null": 0.1}, "labels of two classes"),
        (rs.certify, {"measure": "vus", "bound": "kl"}, "one guarantee"),
        (rs.certify, {"measure": "vus", "cluster": "c"}, "sizes of clusters"),
        (rs.certify, {"measure": "vus", "sample_weight": "w"}, "for weights that go"),
        (rs.certify, {"measure": "concordance", "sample_weight": "w"}, "for weights that go"),
        (rs.evaluate, {"measures": "vus", "design": "fixd"}, "unknown design"),
        (rs.certify, {"measure": "vus", "qid": "c"}, "labels of two classes"),
    ],
)
def test_what_has_no_form_is_refused(verb: object, how: dict, message: str) -> None:
    with pytest.raises(rs.RocsolidError, match=message):
        verb(TABLE, label="grade", scores=["a", "b"], **how)  # type: ignore[operator]


@pytest.mark.parametrize("measure", ["vus", "concordance"])
def test_certified_intervals_are_left_out_in_every_verb(measure: str) -> None:
    arrays = rs.compare(GRADE, {"a": A, "b": B}, measure=measure, certified=False)
    names = {"label": "grade", "scores": ["a", "b"], "certified": False}
    answers = (
        rs.compare(TABLE, measure=measure, **names),
        rs.evaluate(TABLE, measures=measure, **names),
    )
    comparisons = [arrays, *(next(iter(answer.comparisons.values())) for answer in answers)]
    whole = rs.compare(GRADE, {"a": A, "b": B}, measure=measure)
    for compared in comparisons:
        assert compared.pairs[0].certified is None
        assert {one.certified for one in compared.estimates.values()} == {None}
        assert "certified" not in str(compared)
        assert compared.pairs[0].p_value == whole.pairs[0].p_value
        assert compared.pairs[0].low == whole.pairs[0].low
    assert whole.pairs[0].certified is not None
    assert {entry.certified for answer in answers for entry in answer.results} == {None}


def test_certified_intervals_of_classes_are_left_out() -> None:
    rng = np.random.default_rng(2)
    columns = {name: np.eye(3)[GRADE] + rng.random((150, 3)) for name in "ab"}
    compared = rs.compare(GRADE, columns, certified=False)
    assert compared.pairs[0].certified is None
    assert {one.certified for one in compared.estimates.values()} == {None}
    assert "certified" not in "".join(map(str, compared.estimates.values()))
    assert rs.compare(GRADE, columns).pairs[0].certified is not None


def test_too_many_outcomes() -> None:
    outcome = np.arange(MOST_OUTCOMES + 1)
    with pytest.raises(rs.UnsoundError, match="at most 20 outcomes"):
        rs.concordance(outcome, outcome, scale="vus")
    assert rs.concordance(outcome[1:], outcome[1:], scale="vus").value == 1.0


DESIGNS = [((0, 1, 2), 15, None), ((0, 0.3, 0.6), 40, None), ((0, 1.5, 3), 30, 0)]


@pytest.mark.slow
@pytest.mark.parametrize(("means", "size", "digits"), DESIGNS)
def test_coverage(means: tuple[float, ...], size: int, digits: int | None) -> None:
    """An interval of coverage .95 is below .92 in 400 tables with a chance of .5 %."""
    rng = np.random.default_rng(8)

    def drawn(rows: int) -> tuple[np.ndarray, np.ndarray]:
        grade = np.repeat(np.arange(len(means)), rows)
        score = np.array(means)[grade] + rng.normal(size=len(grade))
        return grade, score if digits is None else np.round(score, digits)

    truth = rs.concordance(*drawn(60_000), scale="vus").value
    calibrated = certified = 0
    for _ in range(400):
        result = rs.concordance(*drawn(size), scale="vus")
        calibrated += result.low <= truth <= result.high
        certified += result.certified.low <= truth <= result.certified.high
    assert calibrated >= 0.92 * 400
    assert certified >= 0.95 * 400


@pytest.mark.slow
def test_false_alarms() -> None:
    """Two scores that are alike, 200 tables: over 20 alarms at 5 % have a chance of .1 %."""
    rng = np.random.default_rng(3)
    grade = np.repeat([0, 1, 2], 25)
    alarms = 0
    for _ in range(200):
        scores = {name: grade + 1.5 * rng.normal(size=75) for name in "ab"}
        alarms += rs.compare(grade, scores, measure="vus").pairs[0].p_value < 0.05
    assert 1 <= alarms <= 20

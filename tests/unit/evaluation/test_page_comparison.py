from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation import scores_compared
from rocsolid.evaluation.page_comparison import page_comparisons
from rocsolid.report.sections import ScoreComparison


def table(rows: int = 400, gaps: int = 0) -> dict[str, Any]:
    """Three scores of like quality and one of noise; ``gaps`` rows lack the first or the third."""
    rng = np.random.default_rng(3)
    y = (rng.random(rows) < 0.3).astype(int)
    base = y + rng.normal(size=rows)
    made = {f"s{i}": base + (0.3 + 0.3 * i) * rng.normal(size=rows) for i in range(3)}
    made["noise"] = rng.normal(size=rows)
    made["s0"][:gaps] = np.nan
    made["s2"][gaps : 2 * gaps] = np.nan
    return {"y": y, **made, "patient": np.arange(rows) // 3, "w": rng.random(rows) + 0.5}


SCORES = ["noise", "s2", "s1", "s0"]


def found(data: dict[str, Any], scores: list[str] = SCORES, **asked: Any) -> ScoreComparison:
    (one,), _, _ = page_comparisons(rs.evaluate(data, label="y", scores=scores, **asked))
    return one


@pytest.mark.parametrize(
    "asked",
    [{}, {"cluster": "patient"}, {"sample_weight": "w"}, {"level": 0.9}, {"lower_is_better": True}],
)
@pytest.mark.parametrize("gaps", [0, 20])
def test_every_number_is_that_of_compare(asked: dict[str, Any], gaps: int) -> None:
    """Whatever the order of the columns, and where rows are missing on those that have all."""
    data = table(gaps=gaps)
    nan: dict[str, Any] = {"nan": "omit"} if gaps else {}
    one = found(data, **asked, **nan)
    columns = {name: data[column] for name, column in asked.items() if isinstance(column, str)}
    plain = {name: value for name, value in asked.items() if not isinstance(value, str)}
    compared = rs.compare(
        data["y"], {name: data[name] for name in SCORES}, **columns, **plain, **nan
    )
    expected = {(pair.a, pair.b): pair for pair in compared.pairs}
    assert one.values == {name: estimate.value for name, estimate in compared.estimates.items()}
    assert list(one.values.values()) == sorted(one.values.values(), reverse=True)
    assert len(one.pairs) == 6
    for pair in one.pairs:
        turn = 1.0 if (pair.a, pair.b) in expected else -1.0
        same = expected[(pair.a, pair.b) if turn > 0 else (pair.b, pair.a)]
        assert pair.difference == pytest.approx(turn * same.difference, abs=1e-15)
        assert pair.difference >= 0.0
        ends = sorted(turn * end for end in (same.low, same.high))
        assert pair.limits == pytest.approx(ends, abs=1e-12)
        assert pair.p_adjusted == pytest.approx(same.p_adjusted, rel=1e-9)
        if same.certified is not None and not same.certified.vacuous:
            ends = sorted(turn * end for end in (same.certified.low, same.certified.high))
            assert pair.certified == pytest.approx(ends, abs=1e-12)
    assert {frozenset(group) for group in one.groups} == {frozenset(g) for g in compared.groups}
    assert one.level == compared.level


def test_pairs_are_in_the_order_of_the_values() -> None:
    one = found(table())
    place = {name: i for i, name in enumerate(one.values)}
    order = [(place[pair.a], place[pair.b]) for pair in one.pairs]
    assert order == sorted(order)
    assert all(a < b for a, b in order)


def test_rows_that_lack_a_score_are_counted() -> None:
    one = found(table(gaps=20), nan="omit")
    assert any("40 rows were left out for every score" in text for text in one.warnings)
    assert any("the same 360 rows" in text for text in one.below)


def test_a_single_score_is_compared_with_nothing() -> None:
    assert page_comparisons(rs.evaluate(table(), label="y", scores="s0")) == ((), (), ())


def test_each_measure_has_its_own() -> None:
    asked = ["auc", "partial_auc(fpr<=0.2)"]
    evaluation = rs.evaluate(table(), label="y", scores=["s0", "noise"], measures=asked)
    shown, notes, _ = page_comparisons(evaluation)
    assert [one.measure for one in shown] == asked
    assert shown[1].decimals == 5  # the region's whole area is 0.2
    assert [note.title for note in notes][:2] == [
        "Differences: delong-t, holm",
        "Certified differences: difference-matchings",
    ]


def test_it_says_why_there_is_no_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = table()
    apart["s0"][::2] = np.nan
    apart["s1"][1::2] = np.nan
    few = table()
    few["s0"][few["y"] == 1] = np.nan
    few["s0"][np.flatnonzero(few["y"])[0]] = 1.0
    none = table()
    positive = np.flatnonzero(none["y"])
    none["s0"][positive[::2]] = np.nan
    none["s1"][positive[1::2]] = np.nan
    for data, why in (
        (apart, "no row has all of the scores"),
        (few, "needs at least two independent rows"),
        (none, "there is no positive row"),
    ):
        one = found(data, ["s0", "s1"], nan="omit")
        assert one.pairs == ()
        assert len(one.sentences) == 1
        assert one.sentences[0].startswith("The scores are not compared: ")
        assert why in one.sentences[0]
    monkeypatch.setattr(scores_compared, "_PAIR_ROWS", 1_000)
    assert "6 pairs on 400 rows take longer than a page should" in found(table()).sentences[0]


def test_sentences_say_who_is_best_and_who_is_alike() -> None:
    two = found(table(), ["noise", "s0"])
    assert two.sentences[0].startswith("Of 2 scores, s0 has the highest AUC")
    assert two.sentences[1].startswith("s0 is above noise by ")
    assert "interval of s0 − noise" in two.sentences[1]
    four = found(table())
    apart = sum(pair.p_adjusted < 0.05 for pair in four.pairs)
    assert f"{apart} of 6 pairs are significantly different." in four.sentences
    same = table()
    same["copy"] = same["s0"]
    alike = found(same, ["s0", "copy", "noise"])
    assert "It is not significantly different from copy." in alike.sentences
    assert ("s0", "copy") in alike.groups
    assert any("shows no variance" in text for text in alike.warnings)


def test_what_was_drawn_and_not_counted_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["rocsolid.intervals.guarantees.best"], "MOST_OF_DIFFERENCES", 0)
    drawn = found(table(12_000), ["s0", "s1"])
    assert any("was counted on a sample of" in text for text in drawn.below)
    assert not any("was counted" in text for text in found(table()).below)


def test_the_order_on_common_rows_turns_every_number() -> None:
    """b is better on the rows that it has, a on those that both have."""
    rng = np.random.default_rng(6)
    y = np.arange(80) % 2
    data: dict[str, Any] = {name: (y + rng.normal(size=80)).round(1) for name in "ab"}
    data["a"][:20] = np.where(y[:20] == 1, -9.0, 9.0)
    data["b"][:20] = np.nan
    alone = rs.evaluate({"y": y, **data}, label="y", scores=["a", "b"], nan="omit")
    assert alone.results[0].value < alone.results[1].value
    (pair,) = found({"y": y, **data}, ["a", "b"], nan="omit").pairs
    both = rs.compare(y, data, nan="omit").pairs[0]
    assert (pair.a, pair.b, pair.difference) == ("a", "b", pytest.approx(both.difference))
    assert pair.difference > 0.1
    assert pair.limits == pytest.approx((both.low, both.high), abs=1e-12)

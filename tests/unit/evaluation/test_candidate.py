"""A page that may be published: its numbers, its results by segment, and other labels."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

import rocsolid as rs
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.lines import falling_units, lines
from rocsolid.evaluation.public.many_pages import RankedRows, limits_stay
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.public.relabelled import as_published, labelings_left, labels_of
from rocsolid.evaluation.public.segments import shown_segments


def candidate(coarseness: Coarseness) -> Candidate:
    rng = np.random.default_rng(5)
    labels = np.arange(240) % 2
    table = {"y": labels, "a": rng.normal(size=240) + labels, "b": rng.normal(size=240) + labels,
             "site": np.arange(240) // 80}  # fmt: skip
    found = rs.evaluate(table, label="y", scores=["a", "b"], by="site")
    return Candidate(as_published(found.basis), coarseness)


def test_each_segment_has_its_own_published_result() -> None:
    page = candidate(Coarseness(2, segments=True))
    segments, shown = page.inside.segments, shown_segments(page.inside)
    assert segments is not None
    assert len(shown) == 3
    for part in page.inside.parts:
        assert page.result(part).by is None
        for group in shown:
            result = page.result(part, group)
            assert (result.score, result.by) == (part.score, segments.key(group))


def test_it_is_the_page_without_an_audit() -> None:
    page = candidate(Coarseness(1, decimals=1))
    published = without_audit(page.evaluation, page.coarseness)
    assert page.text == json.dumps(published.to_dict(), default=str)
    assert [part.score for part in page.inside.parts] == ["a"]
    assert page.inside.segments is None


def test_the_same_labels_give_the_same_page_and_reversed_ones_another() -> None:
    page = candidate(Coarseness(2, segments=True))
    truth, present = labels_of(page.evaluation)
    assert present.all()
    assert page.relabelled(truth).text == page.text
    assert page.relabelled(~truth).text not in ("", page.text)


def test_the_true_labels_are_within_every_line_of_the_page() -> None:
    page = candidate(Coarseness(2, segments=True))
    truth, _ = labels_of(page.evaluation)
    linear = lines(page)
    assert (linear.beyond((linear.weights @ truth)[:, None]) == 0.0).all()
    assert (linear.beyond((linear.weights @ ~truth)[:, None]) > 0.0).all()


def test_limits_stay_only_if_both_and_the_method_are_the_published_ones() -> None:
    page = candidate(Coarseness(1))
    part, options = page.inside.parts[0], page.inside.options
    result, truth = page.result(part), labels_of(page.evaluation)[0]
    moments = RankedRows.of(part).sums(truth[None, :]).moments
    assert limits_stay(moments, result, options).tolist() == [True]
    shown, unit = result.interval, 10.0**-result.decimals
    for other in (
        replace(shown, low=shown.low - unit),
        replace(shown, high=shown.high - unit),
        replace(shown, method="another"),
    ):
        assert limits_stay(moments, replace(result, interval=other), options).tolist() == [False]


def test_labelings_are_counted_up_to_a_total_of_rows() -> None:
    aucs = [(part, "0.75") for part in candidate(Coarseness(2)).evaluation.by_score]
    counted = [labelings_left(aucs, None, most) for most in (239, 240, 479, 480)]
    assert [len(each) for each in counted] == [0, 1, 1, 2]
    assert [(score, text) for score, text, _ in counted[-1]] == [("a", "0.75"), ("b", "0.75")]


def test_units_fall_by_their_highest_score() -> None:
    order, level = falling_units(np.array([1.0, 5.0, 3.0, 3.0]), np.array([0, 1, 0, 2]))
    assert (order.tolist(), level) == ([1, 0, 2], False)
    assert falling_units(np.array([1.0, 5.0, 1.0]), np.array([0, 1, 0]))[1]

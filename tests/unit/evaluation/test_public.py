"""A public report is made of rounded numbers alone."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.page import page_of
from rocsolid.evaluation.public.gaps import gaps_certain
from rocsolid.evaluation.public.page import PUBLIC_FORMS, WITHHELD, public_page
from rocsolid.evaluation.public.segments import SEGMENT_ROWS
from rocsolid.report import Page


def table(n: int = 240, seed: int = 11) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    return {
        "ill": y.astype(int),
        "risk": rng.normal(size=n) + y,
        "lab": np.round(rng.normal(size=n) + 1.2 * y, 1),
        "site": np.array(["north", "south", "tiny"])[
            np.where(np.arange(n) < 9, 2, np.arange(n) % 2)
        ],
        "weight": rng.random(n) + 0.5,
        "patient": np.arange(n) // 2,
    }


def evaluated(**more: Any) -> Any:
    return rs.evaluate(table(), label="ill", scores=["risk", "lab"], **more)


def test_every_field_of_a_page_is_published_by_a_rule_or_withheld_by_one() -> None:
    """A section that somebody adds is withheld until it is decided on, and then this fails."""
    fields = {field.name for field in dataclasses.fields(Page)}
    assert set(PUBLIC_FORMS) | set(WITHHELD) == fields
    assert not set(PUBLIC_FORMS) & set(WITHHELD)


@pytest.mark.slow
def test_a_withheld_field_is_empty_and_said_to_be() -> None:
    evaluation = evaluated(by="site")
    private, public = page_of(evaluation, command="rocsolid x"), public_page(evaluation.public())
    for name, said in WITHHELD.items():
        assert getattr(private, name)
        assert not getattr(public, name)
        assert said in public.left_out


@pytest.mark.slow
def test_what_would_spell_out_labels_is_not_there() -> None:
    evaluation = evaluated(by="site")
    html = evaluation.to_html(public=True, command="rocsolid evaluate secret.csv")
    for part in evaluation.parts:
        assert part.overall.fingerprint not in html
        assert f"{part.overall.value:.4f}" not in html
    for text in ("data-fpr", "data-cut", "secret.csv", 'class="band"', 'class="mark"', "Threshold"):
        assert text not in html
    assert len(max(re.findall(r"\d+\.(\d+)", re.sub(r"<style>.*?</style>", "", html)), key=len)) < 7


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"by": "site"},
        {"measures": ["auc", "partial_auc(fpr<=0.1)", "partial_auc(tpr>=0.9, scale=mcclish)"]},
        {"sample_weight": "weight"},
        {"cluster": "patient"},
        {"interval": "hinge"},
        {"interval": "betting", "alternative": "greater"},
        {"interval": "bootstrap", "resamples": 200},
    ],
)
def test_rounded_limits_hold_what_the_unrounded_ones_hold(more: dict[str, Any]) -> None:
    evaluation = evaluated(**more)
    private = {(r.score, r.measure, str(r.by)): r for r in evaluation.results}
    published = evaluation.public().results
    assert published
    for result in published:
        full = private[result.score, result.measure, str(result.by)]
        unit = 10.0**-result.decimals
        assert abs(result.value - full.value) <= unit / 2 + 1e-12
        pairs = [(result.interval, full.interval)]
        if result.certified is not None:
            pairs.append((result.certified, full.certified))
        for rounded, exact in pairs:
            assert rounded.low <= exact.low
            assert rounded.high >= exact.high
            assert exact.low - rounded.low < 3 * unit  # widened by what a value stands for, too


@pytest.mark.slow
def test_the_certified_interval_of_all_rows_adds_nothing_to_the_value() -> None:
    """Two data sets whose AUCs round alike have the same one, to the last digit."""
    found: dict[float, set[Any]] = {}
    for seed in range(40):
        evaluation = rs.evaluate(table(60, seed), label="ill", scores="risk")
        result = evaluation.public().results[0]
        assert result.certified is not None
        found.setdefault(result.value, set()).add((result.certified.low, result.certified.high))
    assert max(map(len, found.values())) == 1
    assert len(found) < 40


@pytest.mark.slow
def test_small_segments_are_left_out_without_a_reason() -> None:
    published = evaluated(by="site").public()
    shown = {str(r.by) for r in published.results if r.by is not None}
    assert shown == {"{'site': 'north'}", "{'site': 'south'}"}
    assert all(r.n_pos is None for r in published.results if r.by is not None)
    assert "2 of 3 segments are shown" in published.left_out[0]
    assert str(SEGMENT_ROWS) in published.left_out[0]


def swapped(start: Any) -> Any:
    """Exchange a positive and a negative with neighbouring scores, where nothing rounds otherwise.

    The labels differ then, and so do the exact curve and its page.
    """
    order = np.argsort(-start["risk"])
    public = rs.evaluate(start, label="ill", scores="risk").public().to_html()
    for a, b in itertools.pairwise(order):
        if start["ill"][a] != start["ill"][b]:
            labels = start["ill"].copy()
            labels[[a, b]] = labels[[b, a]]
            other = rs.evaluate({**start, "ill": labels}, label="ill", scores="risk")
            if other.public().to_html() == public:
                return other
    raise AssertionError("no exchange leaves the page as it is")


def test_other_labels_give_the_same_public_page_with_its_drawing() -> None:
    start = table()
    other = swapped(start)
    first = rs.evaluate(start, label="ill", scores="risk")
    assert first.public().curves
    assert first.to_html() != other.to_html()


def test_coordinates_are_those_of_the_rounded_counts() -> None:
    published = evaluated().public()
    html = published.to_html()
    lines = re.findall(r'<path d="([^"]*)" class="line"', html)
    assert len(lines) == len(published.curves) == 2
    for line, (_, counts) in zip(lines, published.curves, strict=True):
        numbers = [int(text) for text in re.findall(r"-?\d+", line.replace("-", " -"))]
        assert max(map(abs, numbers)) <= 2000
        fpr, tpr = counts.rates
        assert set(counts.positives.tolist()) <= {counts.step * i for i in range(100)}
        dots = re.findall(r'd="M(\d+) (\d+)h0"', html)
        expected = {
            (str(round(2000 * x)), str(round(2000 * y)))
            for x, y in zip(fpr.tolist(), tpr.tolist(), strict=True)
        }
        assert expected <= set(dots)


def test_json_and_the_page_have_the_same_numbers() -> None:
    published = evaluated(by="site").public()
    plain = json.loads(json.dumps(published.to_dict()))
    assert plain["public"] is True
    assert plain["audit"]["banner"].startswith("Public report")
    html = published.to_html()
    for result in plain["results"]:
        assert f"{result['value']:.{result['decimals']}f}" in html
        assert not {"std_error", "exact", "ties", "fingerprint", "settings"} & set(result)


def test_a_warning_with_figures_about_labels_is_replaced() -> None:
    rough = {**table(), "lab": np.round(table()["lab"])}
    evaluation = rs.evaluate(rough, label="ill", scores="lab")
    assert any("% of the pairs" in text for text in evaluation.results[0].warnings)
    (said,) = evaluation.public().results[0].warnings
    assert said.startswith("More than 5 % of the pairs")


def test_p_values_are_published_by_class_only() -> None:
    published = evaluated().public()
    ((a, b, p),) = published.pairs[0].pairs
    assert (a, b) == ("risk", "lab")
    assert p in {"below 0.001", "below 0.01", "below 0.05", "0.05 or more"}


@pytest.mark.slow
def test_both_kinds_say_which_they_are() -> None:
    evaluation = evaluated()
    assert "<strong>Private report:</strong>" in evaluation.to_html()
    assert "<strong>Public report:</strong>" in evaluation.to_html(public=True)


def test_too_many_rows_to_try_are_said_to_be_uncounted() -> None:
    audit = evaluated().public().audit
    assert audit is not None
    assert any("all numbers of the page together" in text for text in audit.uncounted)
    assert "Whatever a reader believed before" in audit.verdict
    assert "safe" not in audit.banner


def test_without_rows_there_is_no_curve_and_no_count_and_the_rest_is_the_same() -> None:
    """As where an engine adds up the rows where they are."""
    full = evaluated()
    parts = tuple(dataclasses.replace(part, rows=None) for part in full.parts)
    bare = dataclasses.replace(full, parts=parts).public()
    assert not bare.curves
    assert [r.value for r in bare.results] == [r.value for r in full.public().results]
    assert bare.audit is not None
    assert any("for 2 of 2 scores" in text for text in bare.audit.uncounted)


@pytest.mark.slow
def test_a_cut_beside_a_large_block_of_ties_is_left_out() -> None:
    n = 200
    y = np.arange(n) % 2
    score = np.where(np.arange(n) < 155, 0.0, np.arange(n))
    ((_, counts),) = rs.evaluate({"y": y, "s": score}, label="y", scores="s").public().curves
    sizes = np.diff(np.concatenate(([0], counts.above, [n])))
    assert sizes.min() >= n / 10 / 2
    assert counts.above.tolist() == [20, 40]


def with_gaps(*, missing: dict[str, Any]) -> Any:
    data = table()
    for score, rows in missing.items():
        data[score] = np.where(np.isin(np.arange(len(data["ill"])), rows), np.nan, data[score])
    return rs.evaluate(data, label="ill", scores=["risk", "lab"], nan="omit")


def test_a_row_whose_label_the_class_sizes_give_away_is_counted_as_certain() -> None:
    ill = np.flatnonzero(table()["ill"])
    found = with_gaps(missing={"lab": ill[:3]})
    assert gaps_certain(found) == 3
    audit = found.public().audit
    assert audit is not None
    assert "labels for certain" in audit.banner
    assert any("class sizes of their own" in text for text in audit.readers)


def test_both_scores_may_lack_rows_that_the_class_sizes_give_away() -> None:
    ill, well = np.flatnonzero(table()["ill"]), np.flatnonzero(table()["ill"] == 0)
    missing = {"risk": [ill[0], well[0]], "lab": [ill[0], ill[1]]}
    assert gaps_certain(with_gaps(missing=missing)) == 2  # the two rows that differ


def test_gaps_that_hide_the_labels_are_bits_and_none_is_certain() -> None:
    evaluation = with_gaps(missing={"lab": [0, 1, 2, 3, 4, 5, 6]})
    found = evaluation.public()
    assert 0 < found.overall[0].n_pos - found.overall[1].n_pos < 7
    assert dict(found.forms)["lab: class sizes, as other rows lack it"] == 3.0
    assert gaps_certain(evaluation) == 0


@pytest.mark.slow
@pytest.mark.parametrize("public", [False, True])
def test_low_scores_are_said_to_be_the_positive_ones(public: bool) -> None:
    said = "scored below a negative one"
    assert said in evaluated(lower_is_better=True).to_html(public=public)
    assert said not in evaluated().to_html(public=public)

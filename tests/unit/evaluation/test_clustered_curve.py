"""Curves of clustered rows, and several curves in one answer."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

import rocsolid as rs
from rocsolid.binary.clustered_curve import clustered_band, heights
from rocsolid.binary.curve_reading import CurveReading, curve_reading
from rocsolid.cli.app import run
from rocsolid.engines.memory import score_counts
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows, binary_rows
from rocsolid.summaries.score_counts import ScoreCounts


def visits(seed: int, patients: int = 60, of_each: int = 5) -> dict[str, Any]:
    """A patient's visits share the label and most of the score."""
    rng = np.random.default_rng(seed)
    patient = np.repeat(np.arange(patients), of_each)
    ill = patient % 2
    of_patient = rng.normal(size=(2, patients))[:, patient]
    noise = rng.normal(size=(2, len(patient)))
    scores = 1.2 * ill + 0.9 * of_patient + np.sqrt(0.19) * noise
    return {"ill": ill, "a": scores[0], "b": scores[1] - 0.4 * ill, "patient": patient}


TABLE = visits(0)


def of_rows(rows: BinaryRows, axis: Any, rate: float) -> CurveReading:
    return curve_reading(score_counts(rows), axis, rate, 0.95, rows)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=25),
    st.integers(0, 64),
)
def test_the_reading_is_that_of_independent_rows(rows: list[Any], share: int) -> None:
    rate = share / 64.0
    y, score = (np.array(column) for column in zip(*rows, strict=True))
    if y.all() or not y.any():
        return
    curve = rs.roc(y, score)
    for axis in ("fpr", "tpr"):
        alone = of_rows(binary_rows(y, score, cluster=np.arange(len(y))), axis, rate)
        plain = curve.reading(**{axis: rate})
        assert (alone.value, alone.low, alone.high) == pytest.approx(
            (plain.value, plain.low, plain.high), abs=1e-9
        )


def test_heights_by_hand() -> None:
    table = ScoreCounts.from_arrays(np.array([1, 1, 0, 1, 0, 0]) > 0, np.array([3, 2, 2, 2, 1, 0]))
    # corners (0, 1/3), (1/3, 1), (1, 1); the second step is a diagonal of tied rows
    found = heights(table, np.array([0.0, 1 / 6, 1 / 3, 1.0]))
    assert found == pytest.approx([1 / 3, 2 / 3, 1.0, 1.0])


def test_a_reading_of_clusters_is_the_estimate_of_its_measure() -> None:
    y, score = TABLE["ill"], TABLE["a"]
    plain = rs.roc(y, score).reading(fpr=0.2)
    whole = rs.curve(TABLE, label="ill", scores="a", fpr=[0.2], cluster="patient").readings[0]
    assert whole.interval.width > 1.5 * plain.interval.width
    estimate = rs.evaluate(
        TABLE, label="ill", scores="a", measures="sensitivity(specificity=0.8)", cluster="patient"
    ).results[0]
    assert (whole.low, whole.high) == pytest.approx((estimate.low, estimate.high))
    assert (whole.certified, whole.value) == (None, plain.value)
    assert "clusters are independent" in whole.interval.assumptions[0]


def test_a_band_agrees_with_its_readings() -> None:
    rows = binary_rows(TABLE["ill"], TABLE["a"], cluster=TABLE["patient"])
    band = clustered_band(rows, 0.95, 300, 0)
    for axis in ("fpr", "tpr"):
        reading = of_rows(rows, axis, 0.3)
        assert (reading.low, reading.high) == pytest.approx(
            (band.at(**{axis: 0.3}).low, band.at(**{axis: 0.3}).high), abs=0.06
        )
    assert band.to_dict()["certified"] is False
    assert not band.at(fpr=0.3).certified
    assert np.all(np.diff(band.low) >= -1e-12)


@pytest.mark.parametrize(
    ("more", "way_out"),
    [
        ({"best": ["youden"]}, "read the curve at a rate"),
        ({"threshold": [0.5]}, "read the curve at a rate"),
        ({"band": "dkw"}, 'band="pointwise"'),
        ({"smooth": "binormal"}, "leave out smooth"),
    ],
)
def test_what_has_no_limits_by_cluster(more: dict[str, Any], way_out: str) -> None:
    with pytest.raises(UnsoundError, match="these are clustered") as refused:
        rs.curve(TABLE, label="ill", scores="a", cluster="patient", **more)
    assert way_out in str(refused.value)


def test_several_scores_are_a_list_of_curves() -> None:
    both = rs.curve(TABLE, label="ill", scores=["a", "b"], fpr=[0.1])
    alone = [rs.curve(TABLE, label="ill", scores=name, fpr=[0.1]) for name in "ab"]
    assert [curve.score for curve in both.curves] == ["a", "b"]
    assert both.to_dict()["curves"] == [one.to_dict() for one in alone]
    assert len(both.results) == 2
    assert "a: true-positive rate" in str(both)
    assert both.answer() == (*alone[0].answer(), *alone[1].answer())


@pytest.mark.parametrize("more", [[], ["--cluster", "patient"]])
def test_the_command(more: list[str], tmp_path: Any, capsys: Any) -> None:
    file, page, picture = (tmp_path / name for name in ("t.csv", "t.html", "t.svg"))
    rows = zip(*TABLE.values(), strict=True)
    file.write_text("\n".join([",".join(TABLE), *(",".join(map(str, row)) for row in rows)]))
    command = ["curve", str(file), "--label", "ill", "--score", "a", "--score", "b", *more]
    command += ["--resamples", "50", "--html", str(page), "--plot", str(picture)]
    assert run(command) == 0
    said = capsys.readouterr().out
    assert "a: AUC" in said
    assert "b: AUC" in said
    assert run([*command[:-4], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [curve["clusters"] for curve in printed["curves"]] == [60 if more else None] * 2
    text = page.read_text("utf-8")
    assert "The ROC curves of" in text
    assert ("bootstrap-percentile (clusters)" in text) == bool(more)
    assert picture.read_text("utf-8").count("<path") > 10
    assert run(["curve", str(file), "--label", "ill", "--score", "a", *more, "--plot",
                str(picture), "--resamples", "50"]) == 0  # fmt: skip


@pytest.mark.slow
def test_coverage_of_a_reading_of_clusters() -> None:
    """300 data sets of 60 patients; intervals for independent rows are much too short."""
    truth = float(ndtr(1.2 - ndtri(0.8)))
    covered = alone = 0
    for seed in range(300):
        table = visits(100 + seed)
        rows = binary_rows(table["ill"], table["a"], cluster=table["patient"])
        whole = of_rows(rows, "fpr", 0.2)
        plain = rs.roc(table["ill"], table["a"]).reading(fpr=0.2)
        covered += whole.low <= truth <= whole.high
        alone += plain.low <= truth <= plain.high
    # a coverage of .93 or more fails here with a probability below .005 (binomial)
    assert covered >= 267
    assert alone < 240

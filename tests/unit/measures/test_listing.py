"""The listing says of each measure what the verbs themselves say when they are requested it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow.csv import write_csv

import rocsolid as rs
from rocsolid.arguments import spelling
from rocsolid.cli.app import run
from rocsolid.evaluation.certify_table import certify_table
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.evaluation.runs import evaluate_runs
from rocsolid.graded.measure_name import NAMES, measure
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.measures import named
from rocsolid.measures.listed import ListedMeasure

RNG = np.random.default_rng(4)
Y = np.arange(240) % 2
TABLE: dict[str, Any] = {
    "y": Y,
    "a": (0.5 + (Y + RNG.normal(size=240)) / 10).round(2),  # as probabilities
    "b": (0.5 + (Y + RNG.normal(size=240)) / 10).round(2),
    "w": RNG.random(240) + 0.5,
    "c": np.arange(240) // 4,
    "g": np.arange(240) // 4 % 2,
    "grade": Y * RNG.integers(1, 4, 240),
}
DESIGNS = {"weights": {"sample_weight": "w"}, "clusters": {"cluster": "c"}, "segments": {"by": "g"}}
LABELS = {"rows": {"label": "y"}, "outcomes": {"label": "grade"},
          "queries": {"label": "grade", "qid": "c"}}  # fmt: skip
LISTED = rs.measures.table()
OF_ROWS = [one for one in LISTED if one.of == "rows"]
OF_QUERIES = [one for one in LISTED if one.of == "queries"]


def takes(work: Callable[[], Any]) -> bool:
    try:
        work()
    except rs.RocsolidError:
        return False
    return True


def evaluated(one: ListedMeasure, design: dict[str, str]) -> Any:
    of_sample = LABELS[one.of]
    return rs.evaluate(
        TABLE, scores=["a", "b"], measures=one.example, **of_sample,
        **({"resamples": 20} if one.of == "rows" else {}), **design,
    )  # fmt: skip


def certifies(one: ListedMeasure) -> bool:
    of_sample = LABELS[one.of]
    return takes(
        lambda: (
            certify_table(
                TABLE, scores="a", measure=one.example, independent=True, **of_sample
            ).grid.certificate.bound
        )
    )


@pytest.mark.parametrize("one", LISTED, ids=lambda one: one.name)
def test_verbs_designs_and_certificates(one: ListedMeasure) -> None:
    assert "evaluate" in one.verbs
    found = evaluated(one, {}).results[0]
    assert one.example in (found.measure, *one.also) or one.of == "queries"
    for design, options in DESIGNS.items():
        assert takes(lambda options=options: evaluated(one, options)) == (design in one.designs)
    assert certifies(one) == ("certify" in one.verbs) == one.certified
    assert (found.certified is not None or found.interval.certified) <= one.certified


@pytest.mark.parametrize("one", OF_ROWS, ids=lambda one: one.name)
def test_of_rows(one: ListedMeasure, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"label": "y", "scores": ["a", "b"], "measure": one.example, "resamples": 20}
    test = "delong-t" if one.name in ("auc", "partial_auc", "weighted_auc") else "bootstrap"
    assert takes(lambda: compare_table(TABLE, test=test, **asked)) == ("compare" in one.verbs)
    table = tmp_path / "pilot.csv"
    write_csv(pa.table(TABLE), table)
    planned = run(
        ["plan", "difference", "--table", str(table), "--label", "y", "--score", "a", "--score",
         "b", "--power", "0.8", "--measure", one.example]
    ) == 0  # fmt: skip
    assert planned == ("plan" in one.verbs)
    capsys.readouterr()


@pytest.mark.parametrize("one", OF_QUERIES, ids=lambda one: one.name)
def test_of_queries(one: ListedMeasure, tmp_path: Path) -> None:
    qrels = {"q": {"d": 1, "e": 0}, "r": {"d": 0, "e": 1}}
    runs_of = {"run": {"q": {"d": 2.0, "e": 1.0}, "r": {"d": 2.0, "e": 1.0}}}
    assert takes(lambda: evaluate_runs(qrels, runs_of, one.example)) == ("runs" in one.verbs)
    asked = {"label": "grade", "qid": "c", "scores": ["a", "b"], "measure": one.example}
    assert takes(lambda: compare_table(TABLE, **asked)) == ("compare" in one.verbs)
    table = tmp_path / "pilot.csv"
    rng = np.random.default_rng(0)
    columns = {"c": np.arange(600) // 20, "grade": rng.choice([0] * 20 + [1, 2], 600)}
    write_csv(pa.table(columns | {name: rng.normal(size=600) for name in "ab"}), table)
    planned = run(
        ["plan", "queries", str(table), "--label", "grade", "--qid", "c", "--score", "a",
         "--score", "b", "--difference", "0.1", "--power", "0.8", "--measure", one.example]
    ) == 0  # fmt: skip
    assert planned == ("plan" in one.verbs)


def test_every_name_is_listed_once() -> None:
    names = [name for one in OF_ROWS for name in (one.name, *one.also)]
    aliases = [alias for row in named.KINDS.values() for alias in row.aliases]
    assert sorted(names) == sorted([*named.KINDS, *aliases])
    assert len({spelling(name) for name in names}) == len(names)  # each means one measure
    for one in OF_ROWS:
        for alias in one.also:
            if alias not in named.KINDS:  # those have examples of their own
                rest = one.example.removeprefix(one.name)
                assert named.measure_of(f"{alias}{rest}").name == one.example
    names = [name for one in OF_QUERIES for name in (one.name, *one.also)]
    assert sorted(names) == sorted(NAMES)
    for one in OF_QUERIES:
        for alias in one.also:
            cut = "_10" if alias.endswith("_cut") else ""
            assert measure(f"{alias}{cut}").name.partition("@")[0] == measure(one.name).name


def test_a_new_row_is_listed_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"whole": replace(named.KINDS["auc"], aliases=())}
    monkeypatch.setattr(named, "KINDS", MappingProxyType({**named.KINDS, **row}))
    assert next(one for one in rs.measures.table() if one.name == "auc").also[0] == "whole"


def test_the_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["measures", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["measures"]
    assert found == json.loads(json.dumps([one.to_dict() for one in LISTED]))
    assert run(["measures"]) == 0
    words = capsys.readouterr().out
    assert all(one.about.split()[0] in words for one in LISTED)


def _named(listed: ListedMeasure, *settings: str) -> str:
    """The measure with these settings, and with those that it has to have."""
    needed = [one.example for one in listed.parameters if not one.default]
    needed = [one for one in needed if one not in settings]
    inside = ", ".join([*needed, *settings])
    brackets = f"({inside})" if inside else ""
    if listed.of == "queries":
        return f"{listed.name}{brackets}{'@10' if listed.example.endswith('@10') else ''}"
    return listed.example.partition("(")[0] + brackets


def _read(listed: ListedMeasure, *settings: str) -> str:
    text = _named(listed, *settings)
    return measure(text).name if listed.of == "queries" else named.measure_of(text).text


SETTINGS = [
    (listed, parameter) for listed in rs.measures.table() for parameter in listed.parameters
]


@pytest.mark.parametrize(("listed", "parameter"), SETTINGS)
def test_a_declared_setting_is_read_as_declared(
    listed: ListedMeasure, parameter: MeasureParameter
) -> None:
    assert parameter.words
    if parameter.default:
        assert _read(listed, parameter.example) != _read(listed)
        assert _read(listed, f"{parameter.name}={parameter.default}") == _read(listed)
    else:
        assert _read(listed, parameter.example)
        with pytest.raises(rs.InputError):
            _read(replace(listed, parameters=()))
    for alias in parameter.aliases:
        value = parameter.example.rpartition("=")[2]
        setting = f"{alias}={value}"
        assert _read(replace(listed, parameters=()), setting) == _read(listed, parameter.example)


def test_settings_are_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {one.name: one for one in rs.measures.table()}
    assert [one.name for one in listed["partial_auc"].parameters] == ["region", "scale"]
    assert [one.name for one in listed["bedroc"].parameters] == ["alpha", "prevalence"]
    assert [one.name for one in listed["err"].parameters] == ["max"]
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["measures"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    words = "scale=mcclish the area itself, McClish's, or the mean rate; default raw partial_auc"
    assert words in out

"""``certified=False``: no certificate is computed for show, and every other number stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.comparison import rows as comparison_rows
from rocsolid.evaluation.questions import screening

TABLE = screening(900)
SCORES = ["risk", "lab", "points"]
ABOUT_CERTIFICATES = {"certified", "settings", "warnings", "lowest"}


def others(data: Any) -> Any:
    """All that is not about certificates; of an interval of a pair it may stand in for, all."""
    if isinstance(data, dict):
        return {k: others(v) for k, v in data.items() if k not in ABOUT_CERTIFICATES}
    return [others(each) for each in data] if isinstance(data, list) else data


def certified_values(data: Any) -> list[Any]:
    if isinstance(data, dict):
        own = [value for key, value in data.items() if key == "certified"]
        return own + [v for each in data.values() for v in certified_values(each)]
    return [v for each in data for v in certified_values(each)] if isinstance(data, list) else []


def few_misplaced() -> dict[str, Any]:
    """Rows of which so few are misplaced that certificates cut the default interval."""
    rng = np.random.default_rng(2)
    y = np.arange(60) % 3 == 0
    return {"ill": y, "risk": y * 2.0 + rng.normal(size=60), "lab": y * 1.5 + rng.normal(size=60)}


@pytest.mark.parametrize(
    ("table", "how"),
    [
        (TABLE, {"scores": SCORES}),
        (TABLE, {"scores": SCORES, "by": "hospital"}),
        (TABLE, {"scores": "risk", "measures": ["auc", "partial_auc(fpr<=0.1)", "pr_auc"]}),
        (few_misplaced(), {"scores": ["risk", "lab"]}),
    ],
)
def test_all_other_numbers_are_the_same(table: Any, how: dict[str, Any]) -> None:
    with_all, without = (
        rs.evaluate(table, label="ill", certified=given, **how) for given in (True, False)
    )
    data = without.to_dict()
    assert others(data) == others(with_all.to_dict())
    assert set(map(type, certified_values(data["results"]))) <= {type(None), bool}
    assert data["lowest"] == []
    assert all(result.certified is None for result in without.results)


def test_the_default_interval_is_cut_all_the_same() -> None:
    y, score = [1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5]
    table = {"ill": y, "risk": score}
    result = rs.evaluate(table, label="ill", scores="risk", certified=False).results[0]
    assert result.certified is None
    assert result.method == "auto (hull, matchings)"  # cut to the certificate
    assert result.interval == rs.auc(y, score).interval
    assert not any("rely" in text for text in result.warnings)


@pytest.mark.parametrize("how", [{}, {"margin": 0.05}, {"test": "bootstrap"}, {"by": "hospital"}])
def test_a_comparison_without_certificates(how: dict[str, Any]) -> None:
    with_all, without = (
        rs.compare(TABLE, label="ill", scores=SCORES, certified=given, **how)
        for given in (True, False)
    )
    data = without.to_dict()
    assert others(data) == others(with_all.to_dict())
    assert set(map(type, certified_values(data))) <= {type(None), bool}
    arrays = {name: TABLE[name] for name in SCORES}
    alone = rs.compare(TABLE["ill"], arrays, certified=False)
    assert all(pair.certified is None for pair in alone.pairs)
    assert alone.settings["certified"] is False
    assert all(rank.certified is None for rank in alone.ranks.values())


def test_the_interval_that_stands_in_for_none_stays() -> None:
    """Two scores that rank alike have no variance: their interval is the certified one."""
    scores = {"a": TABLE["risk"], "b": 2.0 * TABLE["risk"], "c": TABLE["lab"]}
    with_all, without = (rs.compare(TABLE["ill"], scores, certified=c) for c in (True, False))
    assert without.pairs[0].certified is None
    assert without.pairs[0].interval == with_all.pairs[0].certified
    assert without.warnings == with_all.warnings


def test_nothing_is_computed_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a certificate of a difference was computed")

    monkeypatch.setattr(comparison_rows, "win_sums", refuse)
    monkeypatch.setattr(comparison_rows, "disagreement", refuse)
    arrays = {name: TABLE[name] for name in SCORES}
    json.dumps(rs.compare(TABLE["ill"], arrays, certified=False).to_dict())
    few = {name: column[:150] for name, column in TABLE.items()}
    assert rs.evaluate(few, label="ill", scores=SCORES, certified=False).to_html()


@pytest.mark.parametrize("verb", ["evaluate", "compare"])
def test_no_form_has_a_place_for_it(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, page = tmp_path / "t.csv", tmp_path / "page.html"
    rng, ill = np.random.default_rng(1), np.arange(160) % 2
    rows = np.column_stack([ill, 0.5 * ill[:, None] + rng.normal(size=(160, 3))])
    np.savetxt(table, rows, "%.4g", ",", header=",".join(["ill", *SCORES]), comments="")
    words = [verb, str(table), "--label", "ill", "--no-certified", "--html", str(page)]
    words += [f"--score={name}" for name in SCORES]
    assert run(words) == 0
    shown = capsys.readouterr().out + page.read_text("utf-8")
    shown = shown.replace("--no-certified", "")
    for phrase in ("Certified interval", "certified interval", "none known", "left out"):
        assert phrase not in shown, phrase
    assert run([*words[:5], "--json", *words[7:]]) == 0
    assert set(map(type, certified_values(json.loads(capsys.readouterr().out)))) <= {
        type(None),
        bool,
    }


@pytest.mark.parametrize("beside", ["qid", "fold", "across", "within"])
def test_kinds_without_such_an_option_refuse_it(beside: str) -> None:
    with pytest.raises(rs.InputError, match=r"\(certified\)"):
        rs.evaluate(TABLE, label="ill", scores="risk", certified=False, **{beside: "hospital"})
    with pytest.raises(rs.InputError, match="must be True or False"):
        rs.evaluate(TABLE, label="ill", scores="risk", certified="no")
    with pytest.raises(rs.InputError, match="certified has no meaning"):
        rs.compare([[0, 1]], {"a": [[1, 2]], "b": [[2, 1]]}, measure="ndcg", certified=False)

"""Policies about the concordance or the volume of ordered outcomes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run

RNG = np.random.default_rng(3)
GRADE = RNG.integers(0, 3, 300)
TABLE = {
    "grade": GRADE,
    "new": GRADE + RNG.normal(size=300),
    "old": GRADE + 2 * RNG.normal(size=300),
    "site": np.arange(300) % 2,
    "patient": np.arange(300) // 2,
    "w": RNG.integers(1, 3, 300).astype(float),
}


def decided(rules: list[dict[str, Any]], **policy: Any) -> Any:
    return rs.gate({"label": "grade", "rule": rules, **policy}, TABLE)


@pytest.mark.parametrize("measure", ["vus", "concordance"])
@pytest.mark.parametrize("evidence", ["calibrated", "certified"])
def test_a_floor_is_decided_by_the_limit_of_evaluate(measure: str, evidence: str) -> None:
    limit = rs.concordance(GRADE, TABLE["new"], scale=measure, alternative="greater")  # type: ignore[arg-type]
    low = limit.low if evidence == "calibrated" else limit.certified.low
    assert low > 0.1
    for bar, verdict in ((low - 1e-9, "pass"), (low + 1e-9, "undecided")):
        rule = {"score": "new", "measure": measure, "at_least": bar, "evidence": evidence}
        (ruling,) = decided([rule]).rulings
        assert ruling.verdict == verdict
        assert ruling.value == limit.value
        assert ruling.low == pytest.approx(low)
    failing = {"score": "new", "measure": measure, "at_least": 0.999}
    assert decided([failing]).verdict == "fail"


def test_scores_are_compared_on_the_same_rows() -> None:
    rules = [{"score": "new", "measure": "VUS", "better_than": "old"}]
    found = decided(rules)
    assert found.verdict == "pass"
    pair = rs.compare(
        GRADE, {"new": TABLE["new"], "old": TABLE["old"]}, measure="vus", alternative="greater"
    ).pairs[0]
    assert found.rulings[0].low == pytest.approx(pair.low)
    assert found.rulings[0].value == pytest.approx(pair.difference)
    assert decided([{**rules[0], "evidence": "certified"}]).rulings[0].low == pytest.approx(
        pair.certified.low
    )


def test_segments_weights_and_clusters() -> None:
    rule = {"score": "new", "measure": "vus", "at_least": 0.3, "segments": "each"}
    found = decided([rule], by="site", sample_weight="w", cluster="patient", design="fixed")
    for site, ruling in enumerate(found.rulings):
        inside = TABLE["site"] == site
        alone = rs.concordance(
            GRADE[inside], TABLE["new"][inside], scale="vus", sample_weight=TABLE["w"][inside],
            cluster=TABLE["patient"][inside], alternative="greater",
        )  # fmt: skip
        assert (ruling.by, ruling.value) == ({"site": site}, alone.value)
    assert found.clusters == 150


def test_few_clusters_need_certified_limits() -> None:
    table = {**TABLE, "patient": np.arange(300) % 12}
    rule = {"score": "new", "measure": "concordance", "at_least": 0.5}
    policy = {"label": "grade", "rule": [rule], "cluster": "patient"}
    undecided = rs.gate(policy, table).rulings[0]
    assert undecided.verdict == "undecided"
    assert "12 clusters" in undecided.why
    fixed = rs.gate({**policy, "design": "fixed"}, table).rulings[0]
    certified = rs.concordance(
        GRADE, TABLE["new"], cluster=table["patient"], design="fixed", alternative="greater"
    ).certified
    assert fixed.low == pytest.approx(certified.low)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, policy = tmp_path / "t.csv", tmp_path / "policy.toml"
    rows = zip(GRADE, TABLE["new"], strict=True)
    table.write_text("\n".join(["grade,new", *(f"{g},{s}" for g, s in rows)]))
    policy.write_text('label = "grade"\n[[rule]]\nscore = "new"\nmeasure = "vus"\nat_least = 0.3\n')
    assert run(["gate", str(policy), str(table)]) == 0
    assert "vus of new at least 0.3" in capsys.readouterr().out


VOLUME = {"score": "new", "measure": "vus", "at_least": 0.3}


@pytest.mark.parametrize(
    ("rules", "policy", "words"),
    [
        ([VOLUME, {"score": "new", "at_least": 0.3}], {}, "auc is for labels of two classes"),
        ([VOLUME, {"score": "new", "positives_at_least": 3}], {}, "requires labels of two classes"),
        ([{**VOLUME, "at_least": 1.5}], {}, "is beyond 0 to 1"),
        ([VOLUME], {"pos_label": 1}, "pos_label is not available"),
        ([VOLUME], {"fold": "site"}, "fold is not available"),
    ],
)
def test_rules_of_two_classes_are_refused(
    rules: list[dict[str, Any]], policy: dict[str, Any], words: str
) -> None:
    with pytest.raises(rs.RocsolidError, match=words):
        decided(rules, **policy)


def test_a_rule_reads_the_rows_that_have_its_score() -> None:
    table = TABLE | {"old": np.where(np.arange(300) < 100, np.nan, TABLE["old"])}
    rules = [
        {"score": "new", "measure": "concordance", "at_least": 0.1},
        {"score": "new", "measure": "concordance", "better_than": "old"},
    ]
    of_new, _ = rs.gate({"label": "grade", "nan": "omit", "rule": rules}, table).rulings
    assert of_new.value == rs.concordance(GRADE, TABLE["new"]).value

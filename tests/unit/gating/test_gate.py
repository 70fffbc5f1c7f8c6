"""A gate decides each rule by one-sided limits, all rules under one error budget."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocsolid as rs
from rocsolid import gating
from rocsolid.comparison.models import compare
from rocsolid.evaluation.questions import screening
from rocsolid.gating import Policy
from rocsolid.plan.unknown import times_to_decide

DATA = screening(6_000)
Y = DATA["ill"]


def decided(*rules: dict[str, Any], data: Any = DATA, baseline: Any = None, **options: Any) -> Any:
    policy = {"label": "ill", **options, "rule": list(rules)}
    return rs.gate(policy, data, baseline=baseline)


def test_a_value_passes_fails_or_stays_open_by_its_one_sided_limits() -> None:
    """The limits are those of rs.auc: at α for a pass, at α over all tests for a fail."""
    auc = rs.auc(Y, DATA["lab"], level=0.95, alternative="greater")
    passing = decided({"score": "lab", "at_least": auc.low - 1e-9})
    assert passing.verdict == "pass"
    assert passing.rulings[0].low == auc.low
    assert decided({"score": "lab", "at_least": auc.low + 1e-9}).verdict == "undecided"
    three = [{"score": "risk", "at_least": 0.5}, {"score": "risk", "better_than": "lab"}]
    high = rs.auc(Y, DATA["lab"], level=1 - 0.05 / 3, alternative="less").high
    failing = decided(*three, {"score": "lab", "at_least": high + 1e-9})
    assert failing.tests == 3
    assert [one.verdict for one in failing.rulings] == ["pass", "pass", "fail"]
    assert failing.rulings[2].high == high
    assert failing.verdict == "fail"
    assert decided(*three, {"score": "lab", "at_least": high - 1e-9}).verdict == "undecided"


@pytest.mark.parametrize("evidence", ["calibrated", "certified"])
@pytest.mark.parametrize("measure", ["auc", "partial_auc(fpr<=0.2)", "pr_auc"])
def test_a_difference_has_the_limits_of_compare(evidence: str, measure: str) -> None:
    two = {"risk": DATA["risk"], "points": DATA["points"]}

    def pair(side: Any, level: float) -> Any:
        found = compare(Y, two, measure=measure, alternative=side, level=level).pairs[0]
        return found.certified if evidence == "certified" else found.interval

    low, high = pair("greater", 0.95).low, pair("less", 0.95).high
    rule = {"score": "risk", "measure": measure, "evidence": evidence}
    for margin, better in ((-low + 1e-9, "pass"), (-low - 1e-9, "undecided")):
        if margin > 0:
            one = decided({**rule, "not_worse_than": "points", "margin": margin}).rulings[0]
            assert (one.verdict, one.low) == (better, low)
    reach = max(-low, high)
    both = decided({**rule, "within": reach + 1e-9, "of": "points"}).rulings[0]
    assert (both.verdict, both.low, both.high) == ("pass", low, high)
    assert decided({**rule, "within": reach - 1e-9, "of": "points"}).verdict != "pass"
    worse = pair("less", 0.95).high
    swapped = {"score": "points", "measure": measure, "evidence": evidence}
    lower = decided({**swapped, "better_than": "risk"}).rulings[0]
    assert lower.verdict == ("fail" if pair("greater", 0.95).low >= 0 else "undecided")
    assert worse > 0


def test_within_fails_on_either_side_at_half_the_error() -> None:
    difference = compare(Y, {"risk": DATA["risk"], "lab": DATA["lab"]}, level=0.975,
                         alternative="greater").pairs[0]  # fmt: skip
    margin = difference.low - 1e-9
    for first, second in (("risk", "lab"), ("lab", "risk")):
        found = decided({"score": first, "within": margin, "of": second})
        assert (found.tests, found.verdict) == (2, "fail")
        wider = decided({"score": first, "within": margin + 2e-9, "of": second})
        assert wider.verdict == "undecided"


def test_a_score_that_ranks_as_the_old_one_is_judged_by_certified_limits() -> None:
    data = {**DATA, "same": 2 * DATA["risk"]}
    rule = {"score": "same", "not_worse_than": "risk", "margin": 0.05}
    (one,) = decided(rule, data=data).rulings
    certified = decided({**rule, "evidence": "certified"}, data=data).rulings[0]
    assert one.verdict == "pass"
    assert -0.05 < one.low == certified.low < 0.0
    lists = {"g": [0, 1, 2, 1] * 99, "a": [1, 3, 2, 5] * 99, "q": np.repeat(np.arange(99), 4)}
    lists["b"] = lists["a"]
    rules = [{"measure": "ndcg@3", "score": "a", "within": 0.3, "of": "b"}]
    assert rs.gate({"label": "g", "qid": "q", "rule": rules}, lists).verdict == "pass"


def test_segments_each_and_worst_decide_alike_and_one_class_is_never_a_pass() -> None:
    data = {name: column.copy() for name, column in DATA.items()}
    each = decided({"score": "risk", "at_least": 0.7, "segments": "each"}, by="hospital")
    assert [one.by for one in each.rulings] == [{"hospital": "North"}, {"hospital": "South"}]
    part = data["hospital"] == "South"
    south = rs.auc(Y[part], data["risk"][part], alternative="greater")
    assert each.rulings[1].low == south.low
    worst = decided({"score": "risk", "at_least": 0.7, "segments": "worst"}, by="hospital")
    (one,) = worst.rulings
    assert one.by == {"hospital": "South"}
    assert (worst.verdict, worst.tests) == (each.verdict, each.tests)
    data["hospital"] = np.where(np.arange(len(Y)) == np.flatnonzero(Y == 0)[0], "Lone", "North")
    for segments in ("each", "worst"):
        rule = {"score": "risk", "at_least": 0.51, "segments": segments}
        lone = decided(rule, data=data, by="hospital")
        assert lone.verdict == "undecided"
        (open_one,) = (r for r in lone.rulings if r.verdict == "undecided")
        assert "no positive row" in open_one.why
        assert open_one.by == {"hospital": "Lone"}
    rule = {"score": "risk", "not_worse_than": "lab", "margin": 0.2, "segments": "worst"}
    assert decided(rule, data=data, by="hospital").verdict == "undecided"


def test_clusters_and_weights_have_no_certificate_without_a_design_so_no_pass() -> None:
    data = {**DATA, "patient": np.arange(len(Y)) // 2, "w": 1.0 + np.arange(len(Y)) % 3}
    for columns in ({"cluster": "patient"}, {"sample_weight": "w"}):
        rules = (
            {"score": "risk", "at_least": 0.6, "evidence": "certified"},
            {"score": "risk", "not_worse_than": "lab", "margin": 0.3, "evidence": "certified"},
        )
        assert {r.verdict for r in decided(*rules, data=data, **columns).rulings} == {"undecided"}
        fixed = decided(*rules, data=data, design="fixed", **columns)
        assert fixed.verdict == "pass", str(fixed)
    clustered = decided({"score": "risk", "at_least": 0.6}, data=data, cluster="patient")
    expected = rs.auc(Y, DATA["risk"], cluster=data["patient"], alternative="greater")
    assert clustered.rulings[0].low == expected.low
    weighted = decided(
        {"score": "risk", "better_than": "lab"}, data=data, sample_weight="w", cluster="patient"
    )
    two = {"risk": DATA["risk"], "lab": DATA["lab"]}
    pair = compare(Y, two, sample_weight=data["w"], cluster=data["patient"], alternative="greater")
    assert weighted.rulings[0].low == pair.pairs[0].low


def test_missing_scores_are_left_out_pair_by_pair_in_segments_too() -> None:
    data = {name: column.astype(float) if name in ("risk", "lab") else column
            for name, column in DATA.items()}  # fmt: skip
    data["risk"][::7], data["lab"][::5] = np.nan, np.nan
    rule = {"score": "risk", "not_worse_than": "lab", "margin": 0.1, "segments": "each"}
    found = decided(rule, {"score": "risk", "at_least": 0.6}, data=data, by="hospital", nan="omit")
    kept = ~np.isnan(data["risk"]) & ~np.isnan(data["lab"])
    for ruling in found.rulings[:2]:
        part = kept & (data["hospital"] == ruling.by["hospital"])
        two = {"risk": data["risk"][part], "lab": data["lab"][part]}
        assert ruling.low == compare(Y[part], two, alternative="greater").pairs[0].low
    mine = ~np.isnan(data["risk"])
    one = rs.auc(Y[mine], data["risk"][mine], alternative="greater")
    assert found.rulings[2].low == one.low
    with pytest.raises(rs.InputError, match="missing"):
        decided(rule, data=data, by="hospital")


def test_every_kind_of_source_decides_alike(tmp_path: Path) -> None:
    frame = pd.DataFrame(DATA)
    frame.to_parquet(tmp_path / "t.parquet")
    connection = duckdb.connect()
    sources = [
        str(tmp_path / "t.parquet"), frame, pl.DataFrame(DATA).lazy(),
        connection.from_df(frame),
    ]  # fmt: skip
    rules = (
        {"score": "risk", "not_worse_than": "lab", "margin": 0.01, "segments": "each"},
        {"score": "risk", "measure": "recall@5%", "at_least": 0.2},
    )
    plain = decided(*rules, by="hospital").to_dict()
    for source in sources:
        found = decided(*rules, data=source, by="hospital").to_dict()
        assert found["rulings"] == plain["rulings"]
    connection.close()


LOWEST = math.floor(1e4 * rs.auc(Y, DATA["risk"], alternative="greater").low) / 1e4
STREAMED: list[dict[str, Any]] = [
    {"score": "risk", "at_least": LOWEST},
    {"score": "risk", "at_least": LOWEST + 1e-4},
    {"score": "risk", "at_least": 0.5, "evidence": "certified"},
    {"score": "points", "measure": "partial_auc(fpr<=0.2)", "at_least": 0.1},
    {"score": "lab", "at_least": 0.6, "segments": "worst"},
    {"score": "risk", "better_than": "lab"},
    {"score": "points", "not_worse_than": "risk", "margin": 0.01},
    {"score": "lab", "within": 0.02, "of": "points"},
    {"positives_at_least": 100, "segments": "each"},
    {"score": "lab", "positives_at_least": 1e6},
    {"score": "risk", "measure": "pr_auc", "better_than": "lab"},
    {"score": "risk", "measure": "precision@20%", "better_than": "lab"},
    {"score": "risk", "measure": "sensitivity(specificity=0.9)", "better_than": "lab"},
    {"score": "lab", "measure": "ppv(sensitivity=0.9, prevalence=0.02)", "at_least": 0.02},
]
COLUMNS: list[dict[str, Any]] = [
    {}, {"sample_weight": "w", "design": "fixed"}, {"cluster": "patient"},
    {"cluster": "patient", "sample_weight": "w", "lower_is_better": True},
]  # fmt: skip


def _elsewhere(data: dict[str, Any], kind: str, folder: Path) -> tuple[Any, dict[str, Any]]:
    frame = pd.DataFrame(data)
    if kind == "lazy":
        return pl.from_pandas(frame).lazy(), {}
    if kind == "relation":
        return duckdb.from_df(frame), {}
    frame.to_parquet(folder / "t.parquet")
    return str(folder / "t.parquet"), {"memory": "1GB"}


@pytest.mark.parametrize("columns", COLUMNS, ids=["plain", "weights", "clusters", "both"])
@pytest.mark.parametrize("kind", ["lazy", "relation", "file"])
def test_what_an_engine_reduces_is_decided_as_in_memory(
    kind: str, columns: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocsolid.engines.in_memory.fits", lambda *_: False)
    south = DATA["hospital"] == "South"
    data = {**DATA, "patient": np.arange(len(Y)) // 2 + 9000 * south,
            "w": 1.0 + np.arange(len(Y)) % 3}  # fmt: skip
    # weights and clusters are paired by lazy frames alone, and have no partial areas elsewhere
    here = not columns or kind == "lazy"
    rules = [rule for rule in STREAMED if not (columns and "measure" in rule)]
    policy = {"label": "ill", "by": "hospital", **columns, "rule": rules}
    plain = rs.gate(policy, data)

    def refused(*_: Any) -> None:
        raise AssertionError("rows were collected")

    if here:
        monkeypatch.setattr("rocsolid.gating.evidence.collected", refused)
    source, memory = _elsewhere(data, kind, tmp_path)
    found = rs.gate(policy, source, **memory)
    assert (found.rows, found.verdict, found.tests) == (plain.rows, plain.verdict, plain.tests)
    for one, other in zip(found.rulings, plain.rulings, strict=True):
        assert (one.text, one.by, one.verdict) == (other.text, other.by, other.verdict)
        for name in ("value", "low", "high"):
            expected = pytest.approx(getattr(other, name), rel=1e-9, abs=1e-12, nan_ok=True)
            assert getattr(one, name) == expected, one.text
    if not columns:
        assert {one.verdict for one in found.rulings} == {"pass", "fail", "undecided"}


@pytest.mark.parametrize(
    ("measure", "elsewhere", "here"),
    [
        ("auc", "hinge", "cuts"),
        ("partial_auc(fpr<=0.2)", "weighted-band", "weighted-top"),
        ("weighted_auc(power(1))", "weighted-band", "weighted-rooks"),
        ("partial_auc(0.1<=fpr<=0.2)", "weighted-band", ""),
        ("sensitivity(specificity=0.9)", "Clopper-Pearson", ""),
        ("pr_auc", "rate-bands", ""),
    ],
)
def test_a_rule_that_memory_would_decide_says_so(measure: str, elsewhere: str, here: str) -> None:
    """A bar between the certified limits of streamed rows and of rows in memory."""
    rng = np.random.default_rng(3)
    y = np.arange(12_000) % 2 if measure == "auc" else np.arange(2_400) % 3 // 2
    data = {"y": y, "s": rng.normal(size=len(y)) + 1.2 * y}
    asked: dict[str, Any] = {"label": "y", "scores": "s", "measures": measure}
    relation = duckdb.from_df(pd.DataFrame(data))
    wide, narrow = (
        rs.evaluate(each, **asked, level=0.95, alternative="greater").results[0].certified
        for each in (relation, data)
    )
    assert elsewhere in wide.method
    bar = (wide.low + narrow.low) / 2.0 if here else narrow.low + 1e-6
    rule = {"score": "s", "measure": measure, "at_least": bar, "evidence": "certified"}
    policy = {"label": "y", "rule": [rule]}
    streamed, collected = (rs.gate(policy, each) for each in (relation, data))
    assert streamed.verdict == "undecided"
    assert ("pass a dataframe, or a file without a memory limit" in str(streamed)) == bool(here)
    assert "pass a dataframe" not in str(collected)
    if here:
        assert here in narrow.method
        assert collected.verdict == "pass"


@pytest.mark.parametrize("kind", ["lazy", "relation", "file"])
def test_what_needs_rows_is_decided_from_them_or_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {name: column.astype(float) if name in ("risk", "lab") else column
            for name, column in DATA.items()}  # fmt: skip
    data["risk"][::7], data["lab"][::5] = np.nan, np.nan
    rules: list[list[dict[str, Any]]] = [
        [{"score": "risk", "not_worse_than": "lab", "margin": 0.1, "evidence": "certified"}],
        [{"score": "risk", "better_than": "lab", "segments": "each"}],
        [{"score": "risk", "better_than": "lab"}, {"score": "points", "at_least": 0.6}],
        [{"score": "risk", "at_least": 0.7}, {"score": "lab", "bits_at_most": 20.0}],
        [{"positives_at_least": 90, "segments": "each"}, *STREAMED[:1], *STREAMED[4:5]],
    ]
    monkeypatch.setattr("rocsolid.engines.in_memory.fits", lambda *_: False)
    source, memory = _elsewhere(data, kind, tmp_path)
    for some in rules:
        policy = {"label": "ill", "by": "hospital", "nan": "omit", "rule": some}
        plain, found = rs.gate(policy, data), rs.gate(policy, source, **memory)
        assert found.to_dict()["rulings"] == plain.to_dict()["rulings"]
    monkeypatch.setattr("rocsolid.engines.in_memory.bytes_of_files", lambda *_: 1e12)
    monkeypatch.setattr("rocsolid.engines.in_memory.bytes_of_rows", lambda *_: 1e12)
    policy = {"label": "ill", "by": "hospital", "nan": "omit", "rule": [*STREAMED[:1], *rules[1]]}
    with pytest.raises(rs.InputError, match=r"all rows in memory at once.*rule 2, "):
        rs.gate(policy, source, **memory)


@pytest.mark.parametrize("kind", ["lazy", "relation", "file"])
def test_one_class_is_undecided_wherever_the_rows_are(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocsolid.engines.in_memory.fits", lambda *_: False)
    data = {**DATA, "ill": np.ones_like(Y)}
    source, memory = _elsewhere(data, kind, tmp_path)
    policy = {"label": "ill", "rule": [*STREAMED[:4], STREAMED[5], STREAMED[9]]}
    for found in (rs.gate(policy, data), rs.gate(policy, source, **memory)):
        assert [one.verdict for one in found.rulings[:5]] == ["undecided"] * 5
        assert found.rulings[5].verdict != "pass"


def test_lists_of_files_larger_than_memory_are_decided_as_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    grade, q = rng.integers(0, 3, 900), np.arange(900) // 10
    rows = pd.DataFrame({"grade": grade, "q": q, "a": grade + rng.normal(size=900)})
    rows.to_parquet(tmp_path / "t.parquet")
    rules = [{"measure": "ndcg@5", "score": "a", "at_least": 0.7}]
    policy = {"label": "grade", "qid": "q", "rule": rules}
    plain = rs.gate(policy, tmp_path / "t.parquet").to_dict()
    monkeypatch.setattr("rocsolid.engines.in_memory.fits", lambda *_: False)
    monkeypatch.setattr("rocsolid.evaluation.evaluate_queries.read_table", None)
    assert rs.gate(policy, tmp_path / "t.parquet", memory="1GB").to_dict() == plain
    with pytest.raises(rs.InputError, match="memory and threads are for tables"):
        rs.gate({"qrels": "q", "runs": {"a": "r"}, "rule": rules}, memory="1GB")


def test_queries_and_run_files_decide_by_their_means(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    lines, data = ["q,doc,grade,new,old,half"], []
    for q in range(80):
        for d in range(12):
            grade = int(rng.integers(0, 3))
            new, old = grade + rng.normal(), grade + 2 * rng.normal()
            lines.append(f"q{q},d{d},{grade},{new},{old},{'ab'[q % 2]}")
            data.append((q, d, grade, new, old))
    (tmp_path / "t.csv").write_text("\n".join(lines))
    rules = [
        {"measure": "ndcg@10", "score": "new", "at_least": 0.6},
        {"measure": "ndcg@10", "score": "new", "better_than": "old", "evidence": "certified"},
        {"measure": "map", "score": "new", "not_worse_than": "old", "margin": 0.01},
    ]
    lists = {"label": "grade", "qid": "q", "rule": rules}
    found = rs.gate(lists, str(tmp_path / "t.csv"))
    assert found.unit == "queries"
    assert found.verdict == "pass"
    table = pd.read_csv(tmp_path / "t.csv")
    relevance, qid = table["grade"], table["q"]
    one = rs.ndcg(relevance, table["new"], qid=qid, k=10, alternative="greater")
    assert found.rulings[0].low == pytest.approx(one.low, abs=1e-12)
    pair = rs.compare(
        relevance, {"new": table["new"], "old": table["old"]}, qid=qid, measure="ndcg@10",
        alternative="greater",
    ).pairs[0]  # fmt: skip
    assert found.rulings[1].low == pytest.approx(pair.certified.low, abs=1e-12)
    unknown = {"measure": "dcg@10", "score": "new", "better_than": "old", "evidence": "certified"}
    (open_one,) = rs.gate({**lists, "rule": [unknown]}, str(tmp_path / "t.csv")).rulings
    assert "no limit is known" in open_one.why
    assert open_one.undecided == (
        'no certified limit of dcg@10 is known: write evidence = "calibrated"'
    )
    assert open_one.why.endswith(f"Undecided: {open_one.undecided}.")
    each = [{**rule, "segments": "worst"} for rule in rules]
    by_half = rs.gate({**lists, "by": "half", "rule": each}, str(tmp_path / "t.csv"))
    assert by_half.rulings[0].by is not None
    assert by_half.tests == 6

    (tmp_path / "qrels").write_text("".join(f"q{q} 0 d{d} {g}\n" for q, d, g, _, _ in data))
    for name, at in (("new", 3), ("old", 4)):
        ranked = "".join(f"q{r[0]} Q0 d{r[1]} 1 {r[at]!r} {name}\n" for r in data)
        (tmp_path / f"{name}.run").write_text(ranked.replace("np.float64(", "").replace(")", ""))
    text = "qrels = 'qrels'\nruns = {new = 'new.run', old = 'old.run'}\n"
    for rule in rules:
        body = "\n".join(f"{key} = {json.dumps(value)}" for key, value in rule.items())
        text += f"[[rule]]\n{body}\n"
    (tmp_path / "policy.toml").write_text(text)
    runs = rs.gate(tmp_path / "policy.toml")
    for a, b in zip(runs.rulings, found.rulings, strict=True):
        assert (a.verdict, a.low) == (b.verdict, pytest.approx(b.low, abs=1e-9))
    with pytest.raises(rs.InputError, match="so there is no table"):
        rs.gate(tmp_path / "policy.toml", DATA)


def test_a_stored_baseline_makes_the_interval_of_a_difference_wider(tmp_path: Path) -> None:
    """Its limits are new limit less old limit; certified ones share the error."""
    half = np.arange(len(Y)) % 2 == 0
    old = {name: column[half] for name, column in DATA.items()}
    new = {"ill": Y, "hospital": DATA["hospital"], "v2": DATA["risk"]}
    path = tmp_path / "old.json"

    def stored(level: float) -> Path:
        found = rs.evaluate(old, label="ill", scores="lab", by="hospital", level=level)
        path.write_text(json.dumps(found.to_dict()))
        return path

    rule = {"score": "v2", "not_worse_than": "lab", "margin": 0.01}
    found = decided(rule, data=new, baseline=stored(0.9))
    mine = rs.auc(Y, DATA["risk"], alternative="greater")
    theirs = rs.auc(old["ill"], old["lab"], level=0.9)
    assert found.rulings[0].low == pytest.approx(mine.low - theirs.high, abs=1e-12)
    paired = compare(Y, {"a": DATA["risk"], "b": DATA["lab"]}, alternative="greater").pairs[0]
    assert found.rulings[0].low < paired.low
    half_width = theirs.high - theirs.value
    scaled = decided(rule, data=new, baseline=stored(0.95)).rulings[0]
    at_95 = rs.auc(old["ill"], old["lab"], level=0.95)
    ratio = 1.6448536269514722 / 1.959963984540054
    expected = mine.low - theirs.value - (at_95.high - at_95.value) * ratio
    assert scaled.low == pytest.approx(expected, abs=1e-9)
    assert half_width > 0

    proven = {**rule, "evidence": "certified", "margin": 0.2}
    none = decided(proven, data=new, baseline=stored(0.95)).rulings[0]
    assert (none.verdict, math.isnan(none.low)) == ("undecided", True)
    some = decided(proven, data=new, baseline=stored(0.98)).rulings[0]
    certified_new = rs.auc(Y, DATA["risk"], level=0.97, alternative="greater").certified
    certified_old = rs.auc(old["ill"], old["lab"], level=0.98).certified
    assert certified_new is not None
    assert certified_old is not None
    assert some.low == pytest.approx(certified_new.low - certified_old.high, abs=1e-12)

    rule |= {"margin": 0.2}
    same = rs.evaluate(old, label="ill", scores="risk")
    (tmp_path / "same.json").write_text(json.dumps(same.to_dict()))
    own = decided({"score": "risk", "within": 0.2, "of": "risk"}, baseline=tmp_path / "same.json")
    assert own.verdict == "pass"
    each = decided({**rule, "segments": "each"}, data=new, baseline=path, by="hospital")
    assert [one.verdict for one in each.rulings] == ["pass", "pass"]
    other = {**new, "hospital": np.where(DATA["hospital"] == "North", "North", "East")}
    lacking = decided({**rule, "segments": "each"}, data=other, baseline=path, by="hospital")
    assert [one.verdict for one in lacking.rulings] == ["undecided", "pass"]
    there = "'hospital = North' and 'hospital = South'"
    assert lacking.rulings[0].why == (
        f"the stored results have no such segment; they contain {there}; to decide it, store "
        "results of each segment (rocsolid evaluate --by --json)."
    )
    assert "How many more rows decide every rule is not known." in lacking.summary
    with pytest.raises(rs.InputError, match=r"no pr_auc of lab .* \(rule 1, old.json\)"):
        decided({**rule, "measure": "pr_auc"}, data=new, baseline=path)


def test_no_drift_is_an_alarm_that_stays_silent_unless_a_change_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "base.json"
    path.write_text(json.dumps(rs.evaluate(DATA, label="ill", scores="risk").to_dict()))
    rule = {"score": "risk", "no_drift_against": str(path)}
    same = decided(rule, data=screening(6_000, seed=9))
    assert (same.verdict, same.tests) == ("pass", 2)
    noise = np.random.default_rng(0).normal(size=len(Y))
    drifted = decided(rule, data={**DATA, "risk": DATA["risk"] + noise})
    assert drifted.verdict == "fail"
    few = {name: column[:2] for name, column in DATA.items()}
    few["ill"] = np.array([0, 1])
    assert decided(rule, data=few).verdict in ("undecided", "pass")
    proven = decided({**rule, "evidence": "certified"}, data=DATA)
    assert proven.verdict == "undecided"  # stored at .95, so nothing is left
    with pytest.raises(rs.InputError, match="cannot be read"):
        decided({"score": "risk", "no_drift_against": "nowhere.json"})


def test_a_watched_score_is_a_baseline_for_drift(tmp_path: Path) -> None:
    """The limits are those of the new rows, less those that hold after every batch."""
    path = tmp_path / "risk.watch.json"
    old = screening(6_000, seed=9)
    watched = rs.guarantees.sequence()
    for at in range(0, 6_000, 1_500):
        part = slice(at, at + 1_500)
        watched = watched.add(old["ill"][part], old["risk"][part])
    path.write_text(json.dumps(watched.to_dict()))
    rule = {"score": "risk", "no_drift_against": str(path)}
    (same,) = decided(rule, by="hospital").rulings
    ends = {side: rs.auc(Y, DATA["risk"], alternative=side, level=0.975)
            for side in ("greater", "less")}  # fmt: skip
    assert same.verdict == "pass"
    assert same.low == pytest.approx(ends["greater"].low - watched.interval.high)
    assert same.high == pytest.approx(ends["less"].high - watched.interval.low)
    assert same.value == ends["less"].value - watched.estimate.value
    assert decided(rule, data={**DATA, "risk": -DATA["risk"]}).verdict == "fail"
    by_segment = decided({**rule, "segments": "each"}, by="hospital")
    assert "no such segment, only all rows; to decide it, store" in by_segment.rulings[0].why
    with pytest.raises(rs.InputError, match="no pr_auc of risk in the stored results"):
        decided({**rule, "measure": "pr_auc"})
    with pytest.raises(rs.InputError, match=r"opposite directions .*lower_is_better = false"):
        decided(rule, lower_is_better=True)
    with pytest.raises(rs.InputError, match="no_drift_against takes the state of rocsolid watch"):
        decided(rule, baseline=path)
    path.write_text(json.dumps({**watched.to_dict(), "watched": {"scores": ["lab"]}}))
    with pytest.raises(rs.InputError, match="the state is for 'lab', not for 'risk'"):
        decided(rule)


def test_a_state_that_is_no_baseline_says_what_is(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    drifted = rs.guarantees.sequence().add(Y, DATA["risk"])
    for _ in range(4):
        drifted = drifted.add(Y, -DATA["risk"])
    assert drifted.drifted
    states = {
        "there is no AUC yet.*state.json, 1 positive,": rs.guarantees.sequence().add([1], [2.0]),
        "have drifted.*begun after the change": drifted,
        "a watched difference .*the state of risk watched alone, or what rocsolid evaluate --json":
            rs.guarantees.difference_sequence().add(Y, DATA["risk"], DATA["lab"]),
    }  # fmt: skip
    for says, state in states.items():
        path.write_text(json.dumps(state.to_dict()))
        with pytest.raises(rs.InputError, match=says):
            decided({"score": "risk", "no_drift_against": str(path)})
    path.write_text('{"batches": 3}')
    with pytest.raises(rs.InputError, match=r"not the state of a sequence: .*state.json"):
        decided({"score": "risk", "no_drift_against": str(path)})


def test_facts_about_the_rows_cost_nothing_of_the_budget() -> None:
    count = int(Y.sum())
    found = decided({"positives_at_least": count, "score": "risk"},
                    {"positives_at_least": count + 1})  # fmt: skip
    assert [one.verdict for one in found.rulings] == ["pass", "fail"]
    assert found.tests == 0
    gaps = {**DATA, "lab": np.where(Y == 1, np.nan, DATA["lab"])}
    gaps["lab"][np.flatnonzero(Y)[:9]] = 50.0
    rules = [{"positives_at_least": 10}, {"positives_at_least": 10, "score": "risk"},
             {"score": "lab", "at_least": 0.0}]  # fmt: skip
    lacking = decided(*rules, data=gaps, nan="omit")
    assert [one.verdict for one in lacking.rulings] == ["fail", "pass", "pass"]
    few = {name: column[:60] for name, column in DATA.items()}
    value = rs.auc(few["ill"], few["risk"])
    released = rs.leaks.count(f"{value.value:.4f}", few["risk"], n_pos=value.n_pos).surprise_bits
    rules = [{"score": "risk", "bits_at_most": bits} for bits in (released, released - 1e-6)]
    assert [r.verdict for r in decided(*rules, data=few).rulings] == ["pass", "fail"]
    weighted = decided(rules[0], data={**few, "w": np.arange(60) + 1.0}, sample_weight="w")
    assert weighted.verdict == "undecided"


def test_what_is_open_says_how_many_more_rows_would_decide() -> None:
    few = {name: column[:500] for name, column in DATA.items()}
    (one,) = decided({"score": "lab", "at_least": 0.68}, data=few).rulings
    assert one.verdict == "undecided"
    value = rs.auc(few["ill"], few["lab"])
    low = rs.auc(few["ill"], few["lab"], alternative="greater").low
    assert value.std_error is not None
    times = ((value.value - low + 0.8416212335729143 * value.std_error)
             / (value.value - 0.68)) ** 2  # fmt: skip
    assert one.more == math.ceil((times - 1) * 500)
    assert f"about {one.more:,} more rows" in one.why
    (hopeless,) = decided({"score": "lab", "at_least": value.value}, data=few).rulings
    assert hopeless.more is None
    assert times_to_decide(0.1, 0.2, None, fixed=0.1) is None


def test_the_worst_outcome_decides_and_every_form_says_it() -> None:
    found = decided(
        {"score": "risk", "at_least": 0.99}, {"score": "risk", "at_least": 0.6},
        {"score": "risk", "at_least": rs.auc(Y, DATA["risk"]).value},
    )  # fmt: skip
    assert found.verdict == "fail"
    assert found.summary == "FAIL: 1 fail, 1 undecided, 1 pass of 3."
    assert found.budget.startswith("The decision is wrong with a probability of at most 5 %")
    assert "each of 3 one-sided tests has 1.67 %" in found.budget
    page = found.to_html()
    for text in (str(found), found.to_markdown(), page):
        assert "FAIL: 1 fail" in text
        assert "1.67" in text
    assert "Private page" in page


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"score": "risk", "at_leats": 0.8}, r"no condition.*rule 1.*at_least"),
        ({"score": "risk", "at_least": 0.8, "better_than": "lab"}, "one condition.*rule 1"),
        ({"score": "risk", "at_least": 0.8, "evidnce": "certified"}, r"did you mean evidence\?$"),
        ({"score": "risk", "not_worse_than": "lab"}, r"needs margin.*rule 1.*add margin = 0.01"),
        ({"score": "risk", "within": 0.1}, "needs of.*rule 1"),
        ({"score": "risk", "not_worse_than": "lab", "margin": 0}, "above 0"),
        ({"at_least": 0.8}, "names no score.*rule 1"),
        ({"score": "risk", "at_least": "0.8"}, "is a number.*rule 1"),
        ({"score": "risk", "at_least": True}, "is a number"),
        ({"score": "risk", "at_least": math.nan}, "is a number"),
        ({"score": "rsk", "at_least": 0.8}, r"no column 'rsk'.*rule 1.*use 'risk'"),
        ({"score": "risk", "better_than": "risk"}, "compared with itself.*rule 1"),
        ({"score": "risk", "better_than": "lob"}, r"no column 'lob'.*rule 1"),
        ({"score": "risk", "at_least": 0.8, "measure": "aucc"}, r"unknown measure.*rule 1"),
        (
            {"score": "risk", "at_least": 0.8, "measure": "ndcg@10"},
            "which rows belong to which query: 'ndcg@10' .rule 1.*with qid=",
        ),
        ({"score": "risk", "at_least": "high"}, "is a number: 'high'.*write one such as 0.8"),
        ({"score": "risk", "within": 0, "of": "lab"}, "margin is above 0.*write one such as 0.01"),
        ({"score": "risk", "at_least": 0.8, "segments": "each"}, "but the policy has none.*rule 1"),
        ({"score": "risk", "at_least": 0.8, "segments": "all"}, "unknown segments.*rule 1"),
        ({"score": "risk", "at_least": 0.8, "evidence": "sure"}, "unknown evidence.*rule 1"),
        ({"positives_at_least": 3, "evidence": "certified"}, "no such key.*rule 1"),
        ("at_least", "a rule is a table"),
    ],
)
def test_a_bad_rule_is_one_clear_error(rule: Any, said: str) -> None:
    with pytest.raises(rs.InputError, match=said):
        decided(rule)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ({"rule": [{"score": "a", "at_least": 0.5}]}, "names no label"),
        ({"label": "y", "rules": []}, "did you mean rule"),
        ({"label": "y"}, "no rule"),
        ({"label": "y", "rule": [{"positives_at_least": 5}]}, "no rule names a score"),
        ({"label": "y", "level": 95, "rule": [{"score": "a", "at_least": 0.5}]}, "level must"),
        ({"label": 3, "rule": [{"score": "a", "at_least": 0.5}]}, "name of a column"),
        ({"label": "y", "qrels": "q", "rule": [{"score": "a", "at_least": 0.5}]}, "write both"),
        ({"label": "y", "qid": "q", "rule": [{"score": "a", "bits_at_most": 5}]}, "labels of two"),
        ({"label": "y", "qid": "q", "rule": [{"score": "a", "at_least": 0.5}]}, "names no measure"),
        (
            {"qrels": "q", "runs": {"a": "a"}, "rule": [{"score": "a", "at_least": 0.5}]},
            "names no measure.*rule 1",
        ),
        (
            {"label": "y", "rule": [{"score": "a", "not_worse_than": "b", "by": 0.1}]},
            "did you mean margin",
        ),
        ({"label": "y", "by": 3, "rule": [{"score": "a", "at_least": 0.5}]}, "by names columns"),
        ({"label": "y", "runs": "a", "rule": [{"score": "a", "at_least": 0.5}]}, "files by name"),
        ({"label": "y", "seed": "a", "rule": [{"score": "a", "at_least": 0.5}]}, "seed"),
        ({"label": "y", "lower_is_better": 2, "rule": [{"score": "a", "at_least": 0.5}]}, "lower"),
        (3, "a TOML file or a mapping"),
        ("nowhere.toml", "cannot be read"),
    ],
)
def test_a_bad_policy_is_one_clear_error(policy: Any, said: str) -> None:
    with pytest.raises(rs.InputError, match=said):
        Policy.read(policy)


def test_a_file_that_is_no_toml_says_where(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text("label = ill\n")
    with pytest.raises(rs.InputError, match=r"not TOML.*line 1"):
        Policy.read(path)


def test_the_policy_to_start_from_has_a_whole_one_for_runs(tmp_path: Path) -> None:
    text = Path(gating.__file__).with_name("policy.toml").read_text()
    after = text[text.index("# qrels = ") :]
    (tmp_path / "policy.toml").write_text(after.replace("# ", "").replace("#\n", "\n"))
    (tmp_path / "qrels.txt").write_text("".join(f"q{q} 0 d1 1\n" for q in range(600)))
    for name in ("new", "old"):
        lines = (f"q{q} Q0 d{d} 1 {3 - d} {name}\n" for q in range(600) for d in (1, 2))
        (tmp_path / f"{name}.run").write_text("".join(lines))
    found = rs.gate(tmp_path / "policy.toml")
    assert (found.verdict, found.unit) == ("pass", "queries")


@pytest.mark.parametrize(("queries", "verdict"), [(250, "undecided"), (600, "pass")])
def test_runs_that_never_differ_pass_when_queries_suffice(queries: int, verdict: str) -> None:
    """If a share p of all queries differs by 1, none of n does with probability (1 − p)^n.

    That is α at p = 1 − α^(1/n), about 3/n: no limit that holds for every distribution is nearer.
    """
    lists = {"g": [1, 0] * queries, "a": [2, 1] * queries, "q": np.arange(2 * queries) // 2}
    lists["b"] = lists["a"]
    rule = {"measure": "map", "score": "a", "not_worse_than": "b", "margin": 0.01}
    (one,) = rs.gate({"label": "g", "qid": "q", "rule": [rule]}, lists).rulings
    assert (one.value, one.verdict) == (0.0, verdict)
    assert -one.low >= 1.0 - 0.05 ** (1.0 / queries)

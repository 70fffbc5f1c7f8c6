"""Logs end to end: values, intervals and comparisons, in every form, as the frameworks count."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from scipy.stats import binomtest, ttest_rel

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.cli.schema import schema_of

DATA = Path(__file__).parents[2] / "data" / "logs"
INSPECT = [str(DATA / "large.eval"), str(DATA / "small.eval")]
RUNS: dict[str, list[str]] = {
    "inspect_ai": [*INSPECT, "--measure", "exact"],
    "harness": [str(DATA / "harness" / name) for name in ("large", "small")]
    + ["--measure", "acc_norm"],
    "promptfoo": [str(DATA / "promptfoo.jsonl")],
}
"""The words after the verb for the logs of each framework."""


def written(folder: Path, values: dict[str, list[float]], **more: Any) -> str:
    """A log in JSON Lines; ``more`` are columns of the items."""
    path = folder / "log.jsonl"
    rows = [
        {
            "item": i,
            "model": model,
            "score": score,
            **{name: each[i] for name, each in more.items()},
        }
        for model, scores in values.items()
        for i, score in enumerate(scores)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_clustered_errors_are_those_of_inspect_ai() -> None:
    """`stderr(cluster="cluster")` of inspect_ai 0.3.285, printed in these logs."""
    header = json.loads((DATA / "small.json").read_text("utf-8"))["results"]["scores"]
    exact = next(score["metrics"] for score in header if score["name"] == "exact")
    (small,) = rs.evaluate(str(DATA / "small.json"), measure="exact").results
    assert small.value == pytest.approx(exact["accuracy"]["value"])
    assert small.std_error == pytest.approx(exact["stderr2"]["value"])
    large, other = rs.evaluate(INSPECT, measure="exact").results
    assert large.std_error == pytest.approx(0.16812693617224655)
    assert other.std_error == pytest.approx(small.std_error)
    (epochs,) = rs.evaluate(str(DATA / "epochs.eval"), measure="exact").results
    assert (epochs.value, epochs.std_error) == pytest.approx((0.65, 0.02))


def test_plain_errors_are_those_of_the_frameworks(tmp_path: Path) -> None:
    """What inspect_ai prints of .7 and lm-evaluation-harness of .5, without clusters."""
    for hits, error in ((7, 0.15275252316519464), (5, 1 / 6)):
        (entry,) = rs.evaluate(written(tmp_path, {"m": [1] * hits + [0] * (10 - hits)})).results
        assert entry.std_error == pytest.approx(error)


@pytest.mark.parametrize("hits", [0, 1, 7, 20])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_certified_interval_of_zeros_and_ones_is_exact(
    hits: int, alternative: Any, tmp_path: Path
) -> None:
    path = written(tmp_path, {"m": [1.0] * hits + [0.0] * (20 - hits)})
    (entry,) = rs.evaluate(path, alternative=alternative, level=0.9).results
    exact = binomtest(hits, 20, alternative=alternative).proportion_ci(0.9, "exact")
    assert entry.certified.method == "clopper-pearson"
    assert (entry.certified.low, entry.certified.high) == pytest.approx((exact.low, exact.high))
    assert entry.certified.low <= entry.interval.low <= entry.interval.high <= entry.certified.high
    assert "every value an end of the range, such as 0 or 1" in entry.certified.assumptions


def test_grades_are_certified_by_betting_and_clusters_are_no_longer_binary(tmp_path: Path) -> None:
    (grades,) = rs.evaluate(written(tmp_path, {"m": [0, 0.5, 1] * 8})).results
    assert grades.certified.method == "betting"
    answer = rs.evaluate(written(tmp_path, {"m": [0, 1] * 12}, cluster=[i // 3 for i in range(24)]))
    assert answer.results[0].certified.method == "betting"
    assert answer.to_dict()["unit"] == "cluster"
    (free,) = rs.evaluate(written(tmp_path, {"m": [1, 5, 10] * 8})).results
    assert free.certified is None


def test_a_sample_must_be_binary_to_be_exact() -> None:
    with pytest.raises(rs.InputError, match=r"between the ends of the range: 0.5"):
        rs.Sample({"a": [0, 0.5, 1]}, binary=True)
    (exact,) = rs.Sample({"a": [0, 4] * 8}, range=(0, 4), binary=True).estimates().values()
    wanted = binomtest(8, 16).proportion_ci(0.95, "exact")
    assert (exact.certified.low, exact.certified.high) == pytest.approx(
        (4 * wanted.low, 4 * wanted.high)
    )


def test_a_comparison_is_paired_by_item(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    old = (rng.random(300) < 0.6).astype(float)
    new = np.where(rng.random(300) < 0.1, 1.0 - old, old)
    new[:20] = 1.0
    path = written(tmp_path, {"new": new.tolist(), "old": old.tolist()})
    answer = rs.compare(path)
    (pair,) = answer.comparisons["score"].pairs
    difference = new - old
    assert pair.difference == pytest.approx(difference.mean())
    assert pair.std_error == pytest.approx(difference.std(ddof=1) / math.sqrt(300), rel=0.002)
    assert pair.p_value == pytest.approx(ttest_rel(new, old).pvalue, abs=0.001)
    assert pair.certified.low < pair.interval.low < pair.interval.high < pair.certified.high
    exact = rs.compare(path, test="sign-flip").comparisons["score"].pairs[0]
    ups, downs = int((difference > 0).sum()), int((difference < 0).sum())
    assert exact.p_value == pytest.approx(binomtest(ups, ups + downs).pvalue, abs=0.02)
    spread = rs.plan.query_spread(rs.Sample.of_logs(path).values)
    assert rs.plan.query_power(difference=0.02, sd=spread.difference, power=0.8).queries > 300


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_every_form(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    for verb in ("compare", "evaluate"):
        assert run([verb, *words, "--html", str(page)]) == 0
        text = capsys.readouterr().out
        assert "large has the highest" in text
        html = page.read_text("utf-8")
        assert run([verb, *words, "--markdown"]) == 0
        markdown = capsys.readouterr().out
        assert run([verb, *words, "--latex"]) == 0
        latex = capsys.readouterr().out
        assert run([verb, *words, "--more"]) == 0
        full = capsys.readouterr().out
        for form in (text, markdown, full, latex):
            assert "model" in form
            assert "clusters" in form
            assert "quer" not in form
            assert "system" not in form
        assert "large" in html
        assert "clusters of different sizes have no bounds" in markdown
        for more in ([], ["--per-query"] if verb == "evaluate" else []):
            assert run([verb, *words, "--json", *more]) == 0
            out = capsys.readouterr().out
            assert not re.search(r"queries |query ", out)  # in prose; keys keep their names
            printed = json.loads(out)
            jsonschema.Draft202012Validator(schema_of(verb)).validate(printed)
            assert printed["unit"] == "cluster"
            assert ("per_query" in printed["results"][0]) == bool(more)
            assert printed["comparisons"][0]["estimates"].keys() == {
                entry["score"] for entry in printed["results"]
            }


def test_gate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, {"new": [1] * 95 + [0] * 5, "old": [1] * 60 + [0] * 40})
    policy = tmp_path / "policy.toml"
    policy.write_text(
        'evidence = "certified"\n[[rule]]\nscore = "new"\nat_least = 0.88\n'
        '[[rule]]\nscore = "new"\nbetter_than = "old"\n'
    )
    assert run(["gate", str(policy), path]) == 0
    assert "PASS" in capsys.readouterr().out
    limit = binomtest(95, 100, alternative="greater").proportion_ci(0.95, "exact").low
    rules = [{"score": "new", "at_least": 0.88, "evidence": "certified", "measure": "score"}]
    (ruling,) = rs.gate({"rule": rules}, path).rulings
    assert ruling.low == pytest.approx(limit)
    with pytest.raises(rs.InputError, match="about one scorer"):
        rs.gate({"rule": [*rules, {**rules[0], "measure": "other"}]}, path)
    with pytest.raises(rs.InputError, match="unknown measure"):  # a label: it is a table
        rs.gate({"label": "y", "rule": rules}, path)


@pytest.mark.parametrize("grouped", [False, True])
def test_items_that_are_left_out(
    grouped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model whose failures are missing is first, and every form warns of it."""
    weak = [1, 1, 1, None, None] * 20
    more = {"cluster": [i // 2 for i in range(100)]} if grouped else {}
    path = written(tmp_path, {"weak": weak, "good": [1, 1, 0, 1, 1] * 20}, **more)
    zeros = "With 0 for missing scores: weak 0.6000, good 0.8000, over all"
    for form in ([], ["--more"], ["--markdown"]):
        assert run(["evaluate", path, "--nan", "omit", *form]) == 0
        printed = " ".join(capsys.readouterr().out.split())
        assert zeros in printed
        assert "(weak: 40)" in printed
    document = rs.compare(path, nan="omit").to_dict()
    jsonschema.Draft202012Validator(schema_of("compare")).validate(document)
    estimates = document["comparisons"][0]["estimates"]
    for result in (*document["results"], *estimates.values()):
        assert any(zeros in warning for warning in result["warnings"])
        # of units, of which none is left out; the mean with zeros would be another
        assert not result.keys() & {"n_excluded", "as_zeros", "as_ones"}
    with pytest.raises(rs.InputError, match="40 of 100 items have no score of weak"):
        rs.gate({"rule": [{"score": "weak", "at_least": 0.7}]}, path)


def test_a_policy_says_what_happens_to_items_without_a_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, {"weak": [1, 1, 1, None, None] * 20, "good": [1, 1, 0, 1, 1] * 20})
    policy = {"nan": "omit", "rule": [{"score": "weak", "at_least": 0.7}]}
    decision = rs.gate(policy, path)
    assert decision.verdict == "pass"
    assert decision.rows == 60
    assert [warning.code for warning in decision.warnings] == ["ROC318"]
    assert rs.gate({**policy, "mute": ["ROC318"]}, path).warnings == ()
    file = tmp_path / "policy.toml"
    file.write_text('nan = "omit"\n[[rule]]\nscore = "weak"\nat_least = 0.7\n')
    assert run(["gate", str(file), path]) == 0
    assert "weak: 40" in capsys.readouterr().out


def test_errors_speak_of_items_and_of_the_keys_that_are_wrong(tmp_path: Path) -> None:
    path = written(tmp_path, {"query": [1], "b": [0]})
    with pytest.raises(rs.UnsoundError, match=r"no test over items .*query.* evaluate more items"):
        rs.compare(path)
    policy = {"rule": [{"score": "b", "no_drift_against": "old.json"}]}
    with pytest.raises(rs.InputError, match=r"is for a table.* use at_least") as no:
        rs.gate(policy, path)
    assert "measure" not in str(no.value)


def test_a_policy_may_be_a_pipe(tmp_path: Path) -> None:
    """A pipe can be read once."""
    path = written(tmp_path, {"a": [1] * 50})
    for decide in (
        lambda pipe: run(["gate", pipe, path]) == 0,
        lambda pipe: rs.gate(pipe, path).verdict == "pass",
    ):
        source, sink = os.pipe()
        os.write(sink, b'[[rule]]\nscore = "a"\nat_least = 0.5\n')
        os.close(sink)
        assert decide(f"/dev/fd/{source}")
        os.close(source)


@pytest.mark.parametrize("how", [{}, {"interval": "kl"}, {"alternative": "greater"}])
def test_a_comparison_has_the_estimates_of_the_answer(how: dict[str, Any], tmp_path: Path) -> None:
    """One model has one certified interval, which is exact for zeros and ones."""
    path = written(tmp_path, {"a": [1, 1, 0, 1] * 30, "b": [1, 0, 0, 1] * 30})
    answer = rs.compare(path, level=0.9, **how)
    (compared,) = answer.comparisons.values()
    for entry in answer.results:
        assert compared.estimates[entry.score] is entry.result
        assert entry.certified.method == "clopper-pearson"
    sample = rs.Sample.of_logs(path)
    assert sample.compare().estimates["a"].certified == sample.estimates()["a"].certified


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["compare", INSPECT[0], "--measure", "exact"], "a comparison needs two models"),
        (["compare", *INSPECT], "2 scorers"),
        (["compare", *INSPECT, "--by", "x"], "the option is for tables"),
        (["evaluate", *INSPECT, "--within", "x"], "(--within)"),
        (["evaluate", *INSPECT, "--no-certified"], "(--certified)"),
        (["evaluate", *INSPECT, "--public"], "(--public)"),
        (["evaluate", *INSPECT, "--measure", "a", "--measure", "b"], "one scorer at a time"),
        (["evaluate", *INSPECT, "--label", "x"], "the option --score is missing"),
        (["evaluate", *INSPECT, "--score", "x"], "the option --label is missing"),
        (["compare"], "the option --label is missing"),
        (
            ["evaluate", *INSPECT, "--measure", "exact", "--cluster", "topic"],
            "10 of 10 items have no",
        ),
    ],
)
def test_what_is_refused(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 2
    assert says in capsys.readouterr().err


def test_names_of_models_keep_their_words(tmp_path: Path) -> None:
    """A model named like a word of ranked lists; the words around it change."""
    names = {"query": [0.0, 1.0] * 9, "system b": [1.0, 0.0] * 9}
    answer = rs.evaluate(written(tmp_path, names))
    text = answer.to_markdown()
    assert "| model | score | 95 %" in text
    assert "| query | 0.5000 |" in text
    assert "Not significantly different: query, system b." in text
    assert "18 items" in text
    assert "on the same 18 items" in str(answer)


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "<script>x</script>", "m" * 5000, "\ud800"])
def test_hostile_names(name: str, tmp_path: Path) -> None:
    answer = rs.evaluate(written(tmp_path, {name: [0, 1] * 9, "other": [1, 0] * 9}))
    assert "<script>x" not in answer.to_html()
    assert "\x1b" not in answer.to_markdown()


def test_next_ranks_and_margins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, {"a": [1, 1, 0, 1] * 30, "b": [1, 0, 0, 1] * 30})
    assert run(["compare", path, "--next", "500", "--margin", "0.05", "--more"]) == 0
    text = capsys.readouterr().out
    assert "500" in text
    assert "not inferior" in text

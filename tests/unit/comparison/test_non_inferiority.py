"""A comparison with a margin says what was decided, at which level, in every form."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.results.comparison import Comparison
from rocsolid.results.equivalence import NonInferiority

RNG = np.random.default_rng(4)
Y = np.arange(2_000) % 2
A = Y + RNG.normal(size=2_000)
TABLE = {"y": Y, "a": A + RNG.normal(size=2_000) * 0.1, "b": A, "site": np.arange(2_000) // 1_000}


def _asked(**asked: Any) -> rs.results.Comparison:
    return rs.compare(Y, {"a": TABLE["a"], "b": A}, **asked)


LOW = _asked(margin=0.01).pairs[0].low


@pytest.mark.parametrize("level", [0.95, 0.975])
@pytest.mark.parametrize("beyond", [-2e-6, 2e-6])
def test_the_decision_and_its_level_are_in_words_in_every_form(
    level: float, beyond: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Margins so near the limit that the usual digits would hide on which side it lies."""
    margin = -_asked(margin=0.01, level=level).pairs[0].low + beyond
    found = _asked(margin=margin, level=level)
    (decision,) = found.non_inferiority
    assert decision.shown is (beyond > 0) is (found.pairs[0].p_value < 1 - level)
    words = str(decision)
    verdict = "a is not inferior to b" if beyond > 0 else "a is not shown to be non-inferior to b"
    percent = "5 %" if level == 0.95 else "2.5 %"
    assert words.startswith(f"{verdict} at margin {margin} (one-sided {percent}): ")
    shown = re.search(r"a − b (\S+), against (\S+); adjusted p = (\S+)\.$", words)
    assert shown
    assert (float(shown[1]) > float(shown[2])) is decision.shown
    assert (float(shown[3]) < 1 - level) is decision.shown
    regulators = "Regulators usually require one-sided 2.5 %, which is a level of 0.975."
    texts = [str(found), found.explain()]

    path = tmp_path / "t.csv"
    pd.DataFrame(TABLE).to_csv(path, index=False)
    command = ["compare", str(path), "--label", "y", "--score", "a", "--score", "b"]
    command += ["--margin", repr(margin), "--level", str(level)]
    for form in ([], ["--markdown"], ["--latex"]):
        assert run([*command, "--more", *form]) == 0
        texts.append(" ".join(capsys.readouterr().out.split()))
    for text in texts:
        plain = text.replace("\\%", "%").replace("\\_", "_").replace("$-$", "−").replace("\\-", "-")
        assert verdict in plain
        assert f"one-sided {percent}" in plain.replace("~", " ").replace("\\,", " ")
        assert (regulators in plain) is (level == 0.95)
    assert run([*command, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert one["non_inferiority"] == [
        {"a": "a", "b": "b", "margin": margin, "one_sided_alpha": 1 - level,
         "shown": decision.shown, "words": words},
    ]  # fmt: skip


def test_the_table_of_pairs_shows_on_which_side_of_the_margin_a_limit_lies(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    pd.DataFrame(TABLE).to_csv(path, index=False)
    for margin in (-LOW + 2e-6, -LOW - 2e-6):
        options = ["--label", "y", "--score", "a", "--score", "b", "--margin", repr(margin)]
        assert run(["compare", str(path), "--more", *options]) == 0
        lines = [line.split() for line in capsys.readouterr().out.splitlines()]
        row = next(words for words in lines if words[:2] == ["a", "b"] and words[2] != "a")
        low = float(row[3])
        assert (low > -margin) is (-margin < LOW)
        cell = compare_table(TABLE, label="y", scores=["a", "b"], margin=margin).to_markdown()
        low = float(re.findall(r"\| (\S+) to ", cell)[0])
        assert (low > -margin) is (-margin < LOW)


def test_every_pair_is_decided_after_the_adjustment() -> None:
    third = TABLE["a"] - 0.2 * Y
    found = rs.compare(Y, {"a": TABLE["a"], "b": A, "c": third}, margin=0.003)
    assert len(found.non_inferiority) == 3
    for pair, one in zip(found.pairs, found.non_inferiority, strict=True):
        assert one.shown is (pair.p_adjusted < 0.05)
    by_site = compare_table(TABLE, label="y", scores=["a", "b"], by="site", margin=0.2)
    assert all(len(each.non_inferiority) == 1 for each in by_site.comparisons.values())
    queries = rs.queries.compare({"x": [0.1, 0.5, 0.4], "y": [0.2, 0.5, 0.3]}, margin=0.4)
    assert "x is " in str(queries)
    assert "at margin 0.4 (one-sided 5 %)" in str(queries)


def test_without_a_margin_nothing_is_decided() -> None:
    found = _asked()
    assert found.non_inferiority == ()
    assert found.to_dict()["non_inferiority"] == []
    assert "inferior" not in str(found) + found.explain()


def test_an_unknown_p_shows_nothing() -> None:
    one = NonInferiority("a", "b", 0.1, 0.05, -1.0, math.nan)
    assert not one.shown
    assert "is not shown" in str(one)
    assert "adjusted p unknown" in str(one)


@pytest.mark.parametrize("margin", [0.004, 0.02])
def test_equivalence_is_two_one_sided_tests_of_the_same_pair(margin: float) -> None:
    """Against Student's t written out: the larger p-value of the two sides."""
    found = _asked(margin=margin)
    (one,), pair = found.equivalence, found.pairs[0]
    assert pair.df is not None
    below = stats.t.sf((pair.difference + margin) / pair.std_error, pair.df)
    above = stats.t.cdf((pair.difference - margin) / pair.std_error, pair.df)
    assert one.p_adjusted == pytest.approx(max(below, above), rel=1e-9)
    assert one.high == pytest.approx(_asked(alternative="less").pairs[0].high)
    assert one.low == pair.low
    assert one.shown is (-margin < one.low and one.high < margin)
    verdict = "are" if one.shown else "are not shown to be"
    assert str(one).startswith(
        f"a and b {verdict} equivalent within {margin} (two one-sided tests, 5 % each): 90 % "
        "interval of a − b "
    )
    assert str(one) in str(found)
    assert str(one) in found.explain()
    assert found.to_dict()["equivalence"] == [one.to_dict()]
    assert _asked().equivalence == ()


def test_equivalence_of_several_is_adjusted_by_holm_unless_nothing_is() -> None:
    scores = {"a": TABLE["a"], "b": A, "c": TABLE["a"] - 0.01 * RNG.normal(size=2_000)}
    plain = rs.compare(Y, scores, margin=0.006, adjust="none").equivalence
    held = rs.compare(Y, scores, margin=0.006).equivalence
    p = sorted(one.p_adjusted for one in plain)
    assert min(one.p_adjusted for one in held) == pytest.approx(3 * p[0])
    assert all(a.p_adjusted >= b.p_adjusted for a, b in zip(held, plain, strict=True))
    far = rs.compare(Y, {"a": A, "b": RNG.normal(size=2_000)}, margin=0.1).equivalence
    assert not far[0].shown  # far better is not equivalent
    assert rs.compare(Y, {"a": A, "b": RNG.normal(size=2_000)}, margin=0.1).non_inferiority[0].shown


@pytest.mark.parametrize("test", ["t", "sign-flip"])
def test_systems_over_queries_have_it_too(test: str) -> None:
    x = RNG.random(40)
    values = {"x": x, "y": np.clip(x + RNG.normal(size=40) * 0.01, 0, 1)}
    (one,) = rs.queries.compare(values, margin=0.05, test=test).equivalence
    assert one.shown
    assert -0.05 < one.low < one.high < 0.05
    assert not rs.queries.compare(values, margin=1e-4, test=test).equivalence[0].shown


@pytest.mark.parametrize("rows", [True, False])
def test_scores_that_rank_alike_are_decided_by_the_certified_limits(rows: bool) -> None:
    """As a gate decides them; several pairs together have no limits that hold together."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2_000)
    same = y + rng.normal(size=2_000)

    def compare(names: str, margin: float) -> Comparison:
        if rows:
            return rs.compare(y, dict.fromkeys(names, same), margin=margin)
        return rs.queries.compare(dict.fromkeys(names, rng.random(2_000)), margin=margin)

    for margin, shown in ((0.2, True), (0.0001, False)):
        found = compare("ab", margin)
        assert math.isnan(found.pairs[0].p_adjusted)
        decisions = (found.non_inferiority[0], found.equivalence[0])
        assert [one.shown for one in decisions] == [shown, shown]
        assert all("no p-value, so the limit decides" in str(one) for one in decisions)
        assert found.equivalence[0].high < 0.05
    several = compare("abc", 0.2)
    assert not any(one.shown for one in (*several.non_inferiority, *several.equivalence))
    assert "adjusted p unknown" in str(several.non_inferiority[0])


def test_many_pairs_are_summed_up() -> None:
    values = {f"s{i}": 0.5 + 0.01 * (7 * i % 12) + 0.1 * RNG.uniform(size=50) for i in range(12)}
    found = rs.queries.compare(values, margin=0.05)
    first, *more = found.decided()
    shown = [sum(one.shown for one in each) for each in (found.non_inferiority, found.equivalence)]
    assert len(found.non_inferiority) == 66
    assert 0 < shown[1] < shown[0] < 66
    assert first == (
        f"{shown[0]} of 66 pairs are shown to be non-inferior at margin 0.05 (one-sided 5 %), and "
        f"{shown[1]} to be equivalent within it."
    )
    assert more == ["Regulators usually require one-sided 2.5 %, which is a level of 0.975."]
    del values["s11"]
    assert len(rs.queries.compare(values, margin=0.05).decided()) == 111

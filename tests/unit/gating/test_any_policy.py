"""Policies put together at random: each is decided, or refused in words, and its limits agree.

Whatever rules, measures, weights, clusters, segments and forms are combined, no policy may end in a
traceback or print a number that is none; the verdict is what its limits show, and does not depend
on the file format, on the order of the rows, or on where they are sorted.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pytest

import rocsolid as rs
from any_table import MEASURES, apart, table, write
from rocsolid.cli.app import run

READING = {
    'sample_weight = "w"': 0.2, 'cluster = "g"': 0.2, 'frequency = "f"': 0.15, 'by = "s"': 0.5,
    'design = "fixed"': 0.15, 'nan = "omit"': 0.3, "lower_is_better = true": 0.1,
}  # fmt: skip
CODES = {"pass": 0, "fail": 1, "undecided": 3}
RESAMPLED = ("bootstrap", "resampl", "permut")


def policy(rng: np.random.Generator) -> str:
    lines = ['label = "y"', *(line for line, chance in READING.items() if rng.random() < chance)]
    lines.append(f"level = {rng.choice([0.6, 0.8, 0.95])}")
    segmented = 'by = "s"' in lines
    for _ in range(rng.integers(1, 4)):
        one, other = rng.permutation(list("abc"))[:2]
        bar, margin = rng.choice([0.0, 0.31, 0.52, 0.71, 0.95]), rng.choice([0.01, 0.2, 0.6])
        condition = rng.choice(
            [f"at_least = {bar}", f'better_than = "{other}"', "positives_at_least = 20",
             f'not_worse_than = "{other}"\nmargin = {margin}',
             f'within = {margin}\nof = "{other}"', "bits_at_most = 5"],
            p=[0.4, 0.2, 0.05, 0.15, 0.15, 0.05],
        )  # fmt: skip
        lines += ["[[rule]]", f'score = "{one}"', str(condition)]
        if condition.startswith(("bits", "positives")):
            continue
        lines.append(f'measure = "{rng.choice(MEASURES)}"' if rng.random() < 0.6 else "")
        lines.append('evidence = "certified"' if rng.random() < 0.4 else "")
        if segmented and rng.random() < 0.6:
            lines.append(f'segments = "{rng.choice(["each", "worst"])}"')
    return "\n".join(lines)


def shows(ruling: dict[str, Any], rule: dict[str, Any]) -> None:
    """The limits of a pass lie within the bars, and those of an open rule do not."""
    low, high = ruling["low"], ruling["high"]
    if rule["condition"] in ("bits_at_most", "positives_at_least"):
        assert ruling["verdict"] in ("pass", "fail", "undecided")
        return
    bottom, top, inclusive = rule["bottom"], rule["top"], rule["condition"] == "at_least"
    above = low is not None and (low >= bottom if inclusive else low > bottom)
    below = top == math.inf or (high is not None and high < top)
    if ruling["verdict"] == "pass":
        assert above
        assert below
    elif ruling["verdict"] == "fail":
        under = high is not None and (high < bottom or (high == bottom and not inclusive))
        assert under or (low is not None and low >= top)
    else:
        assert not (above and below)


def unlike(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Where two decisions differ in more than how many rows are missing, which may be resampled."""
    for found in (one, other):
        del found["summary"]
        for ruling in found["rulings"]:
            del ruling["why"]
    for a, b in zip(one["rulings"], other["rulings"], strict=True):
        more = a.pop("more_rows"), b.pop("more_rows")
        if (None in more and more != (None, None)) or (
            None not in more and not math.isclose(*more, rel_tol=0.1)
        ):
            return f"more rows: {more}"
    return apart(one, other)


def asked(text: str) -> list[dict[str, Any]]:
    """The bars of each rule, read off the policy's text by hand."""
    found = []
    for part in text.split("[[rule]]")[1:]:
        keys = dict(line.split(" = ") for line in part.split("\n") if line)
        condition = next(key for key in keys if key not in (
            "score", "measure", "evidence", "segments", "margin", "of"))  # fmt: skip
        bottom, top = -math.inf, math.inf
        if condition == "at_least":
            bottom = float(keys["at_least"])
        elif condition == "better_than":
            bottom = 0.0
        elif condition == "not_worse_than":
            bottom = -float(keys["margin"])
        elif condition == "within":
            bottom, top = -float(keys["within"]), float(keys["within"])
        found.append({"condition": condition, "bottom": bottom, "top": top})
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_policies_are_decided_or_refused(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(["schema", "gate"])
    published = jsonschema.Draft202012Validator(json.loads(capsys.readouterr().out))
    rng, decided = np.random.default_rng([seed, 21]), 0
    for _ in range(25):
        columns = table(rng)
        write(columns, rng)
        text = policy(rng)
        Path("p.toml").write_text(text)
        forms = ["--json", "--junit", "g.xml", "--html", "g.html"]
        code = run(["gate", "p.toml", "t.parquet", *forms])
        out, err = capsys.readouterr()
        what = f"{text}\n{columns}\n{out}\n{err}"
        assert code in (0, 1, 2, 3), what
        if code == 2:
            assert err.strip(), what
            continue
        decided += 1
        found = json.loads(out)
        assert not list(published.iter_errors(found)), what
        assert CODES[found["verdict"]] == code, what
        bars = asked(text)
        for ruling in found["rulings"]:
            try:
                shows(ruling, bars[ruling["rule"] - 1])
            except AssertionError:
                raise AssertionError(f"{ruling}\n{what}") from None
        suite = next(ElementTree.parse("g.xml").iter("testsuite"))
        verdicts = [one["verdict"] for one in found["rulings"]]
        counts = [suite.get(name) for name in ("tests", "failures", "errors")]
        expected = [len(verdicts), verdicts.count("fail"), verdicts.count("undecided")]
        assert counts == [str(count) for count in expected], what
        for form in ([], ["--markdown"]):
            assert run(["gate", "p.toml", "t.parquet", *form]) == code, what
            shown = capsys.readouterr().out
            assert "nan" not in shown.lower(), f"{shown}\n{what}"
        if any(word in out for word in RESAMPLED):
            continue
        for words in (["t.csv"], ["mixed.parquet"], ["t.parquet", "--memory", "200MB"]):
            found = json.loads(out)
            again = run(["gate", "p.toml", *words, "--json"])
            other, err = capsys.readouterr()
            assert again == code, f"{words} {err}\n{what}"
            differs = unlike(found, json.loads(other))
            assert not differs, f"{words} {differs}\n{what}"
    assert decided


def test_a_rule_has_the_limits_of_an_estimate() -> None:
    """One rule spends the whole error: its limit is that of a one-sided interval at the level."""
    rng = np.random.default_rng(4)
    y = rng.random(300) < 0.3
    data = {"y": y.astype(int), "a": rng.normal(size=300) + y, "w": rng.random(300) + 0.1}
    for measure in ("auc", "pr_auc", "precision@10%", "partial_auc(fpr<=0.2)"):
        for weight in (None, "w"):
            asked_for = {"label": "y", "sample_weight": weight or ""}
            rule = {"score": "a", "measure": measure, "at_least": 0.01}
            try:
                (alone,) = rs.evaluate(
                    data, label="y", scores="a", measures=measure, sample_weight=weight,
                    alternative="greater",
                ).results  # fmt: skip
            except rs.RocsolidError:
                continue
            (ruling,) = rs.gate({**asked_for, "rule": [rule]}, data).rulings
            assert ruling.low == pytest.approx(alone.low, abs=1e-12), (measure, weight)

"""Commands put together at random: each one answers, or refuses in words, and the answer is one.

Whatever measures, weights, clusters, segments, folds and forms are combined, no command may end in
a traceback or print a number that is none; its JSON follows the published schema, and does not
depend on the file format, on the order of the rows, or on where they are sorted.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import rocsolid as rs
from rocsolid.cli.app import run

MEASURES = (
    *(one.example for one in rs.measures.table() if one.of == "rows"),
    "partial_auc(recall>=0.8)", "precision@5", "recall@5", "pr_auc(davis-goadrich)",
    "pr_auc(prevalence=classes)",
)  # fmt: skip
"""Every measure of rows that there is, and cuts that small tables have."""
COMMON = {
    "--sample-weight w": 0.25, "--cluster g": 0.25, "--frequency f": 0.15, "--by s": 0.25,
    "--design fixed": 0.15, "--nan omit": 0.2, "--alternative greater": 0.1,
    "--alternative less": 0.1, "--level 0.5": 0.1, "--lower-is-better": 0.1,
}  # fmt: skip
OWN = {
    "evaluate": {
        "--fold k": 0.15, "--interval bootstrap --resamples 50": 0.1, "--across s": 0.1,
    },
    "compare": {
        "--test bootstrap --resamples 50": 0.1, "--test delong": 0.1, "--margin 0.05": 0.15,
        "--adjust max-t": 0.1, "--next 50": 0.1,
    },
}  # fmt: skip
FORMS = ("--json", "--json", "", "--markdown", "--latex", "--html page.html", "--public --json")
DRAWN = ("bootstrap", "resampl", "--next")
"""Words of a command or an answer with random draws, which follow the order of the rows."""


def table(rng: np.random.Generator) -> dict[str, Any]:
    """Rows of any kind: few, of one class, tied, constant, perfect, with a score missing."""
    n = int(rng.choice([2, 3, 5, 8, 12, 30, 80, 200]))
    y = (rng.random(n) < rng.choice([0.5, 0.2, 0.05])).astype(int)
    if rng.random() < 0.85:
        y[:2] = 1, 0

    def score() -> np.ndarray[Any, Any]:
        found = rng.normal(size=n) + y * rng.choice([0.0, 1.0, 3.0, 20.0])
        made = (found, found.round(), np.full(n, 3.7), (found > 0.0).astype(float))
        return made[rng.integers(len(made))]

    columns = {"y": y, "a": score(), "b": score(), "c": score()}
    if rng.random() < 0.1:
        columns["a"][rng.integers(n)] = np.nan
    return columns | {
        "w": rng.random(n) + 0.01,
        "g": np.char.add("g", rng.integers(0, max(2, n // 4), n).astype(str)),
        "s": rng.choice(["u", "v"], n),
        "f": rng.integers(0, 4, n),
        "k": np.arange(n) % rng.choice([2, 3, 5]),
    }


def command(rng: np.random.Generator, rows: int) -> list[str]:
    verb = str(rng.choice(["evaluate", "evaluate", "compare"]))
    scores = "abc"[: rng.integers(1 if verb == "evaluate" else 2, 4)]
    measures = rng.choice(MEASURES, 1 if verb == "compare" else rng.integers(1, 4), replace=False)
    words = [verb, "TABLE", "--label", "y"]
    for option, values in (("--score", scores), ("--measure", measures)):
        words += [word for value in values for word in (option, str(value))]
    for more, chance in (COMMON | OWN[verb]).items():
        if rng.random() < chance:
            words += more.split()
    form = str(rng.choice(FORMS))
    if "--public" in form and (verb == "compare" or rows > 12):
        form = "--json"  # larger tables try many pages
    return words + form.split()


def apart(one: Any, other: Any, at: str = "") -> str:
    """Where two answers differ by more than rounding; the empty text if nowhere."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(key, one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(str(i), *both) for i, both in enumerate(zip(one, other, strict=True))]
    elif isinstance(one, float) and isinstance(other, float | int):
        return (
            "" if math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) else f"{at}: {one} {other}"
        )
    else:
        return "" if one == other else f"{at}: {one!r} {other!r}"
    same = ("source", "engine", "fingerprint")
    return next(
        (found for key, a, b in pairs if key not in same if (found := apart(a, b, f"{at}/{key}"))),
        "",
    )


def answer(words: list[str], path: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = run([path if word == "TABLE" else word for word in words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_commands_answer_or_refuse(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    published = {}
    for verb in OWN:
        run(["schema", verb])
        published[verb] = jsonschema.Draft202012Validator(json.loads(capsys.readouterr().out))
    rng, answered = np.random.default_rng([seed, 7]), 0
    for _ in range(30):
        columns = table(rng)
        rows = pa.table(columns)
        pa.parquet.write_table(rows, "t.parquet")
        pa.csv.write_csv(rows, "t.csv")
        pa.parquet.write_table(rows.take(rng.permutation(len(rows))), "mixed.parquet")
        words = command(rng, len(rows))
        code, out, err = answer(words, "t.parquet", capsys)
        what = f"{' '.join(words)}\n{columns}\n{out}\n{err}"
        assert code in (0, 1, 2), what
        assert bool(err.strip()) or code == 0, what
        assert "nan" not in out.lower().replace('"nan"', ""), what
        if code or "--json" not in words:
            continue
        answered += 1
        found = json.loads(out)
        assert not list(published[words[0]].iter_errors(found)), what
        if any(word in " ".join(words) + out for word in DRAWN):
            continue
        sorted_elsewhere = [] if {"--fold", "--across"} & {*words} else ["--memory", "200MB"]
        for path, more in (("t.csv", []), ("mixed.parquet", []), ("t.parquet", sorted_elsewhere)):
            code, again, err = answer([*words, *more], path, capsys)
            assert code == 0, f"{path} {more}: {err}\n{what}"
            assert not apart(found, json.loads(again)), (
                f"{path} {apart(found, json.loads(again))}\n{what}"
            )
    assert answered

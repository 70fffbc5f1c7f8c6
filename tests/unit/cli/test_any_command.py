"""Commands put together at random: each one answers, or refuses in words, and the answer is one.

Whatever measures, weights, clusters, segments, folds and forms are combined, no command may end in
a traceback or print a number that is none; its JSON follows the published schema, and does not
depend on the file format, on the order of the rows, or on where they are sorted.
"""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from rich.cells import cell_len

from any_table import MEASURES, apart, table, write
from rocsolid.cli.app import run

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
    monkeypatch.setenv("COLUMNS", "80")
    published = {}
    for verb in OWN:
        run(["schema", verb])
        published[verb] = jsonschema.Draft202012Validator(json.loads(capsys.readouterr().out))
    rng, answered = np.random.default_rng([seed, 7]), 0
    for _ in range(30):
        columns = table(rng)
        write(columns, rng)
        words = command(rng, len(columns["y"]))
        code, out, err = answer(words, "t.parquet", capsys)
        what = f"{' '.join(words)}\n{columns}\n{out}\n{err}"
        assert code in (0, 1, 2), what
        assert bool(err.strip()) or code == 0, what
        assert "nan" not in out.lower().replace('"nan"', ""), what
        if code == 0 and not {"--json", "--markdown", "--latex", "--public"} & {*words}:
            for more in ([], ["--more"]):
                _, text, _ = answer([*words, *more], "t.parquet", capsys)
                assert max(map(cell_len, text.splitlines())) <= 78, f"{what}\n{text}"
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

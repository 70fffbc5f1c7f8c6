"""Every verb that reads a table or files, at its limit of memory: the whole answer, or exit code 2.

A child runs under ``ulimit -v`` (the address space) or ``ulimit -d`` (what a process writes to), at
limits from what starts Python to what is enough. What it answers is what it answers without a
limit, and what it refuses for names memory and what to do.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest
from cyclopts import App

from rocsolid import parts
from rocsolid.cli.app import app, run

ROWS, LINES = 300_000, 120_000
TWO = "--label y --score a --score b"
TABLES = {
    "evaluate": f"evaluate TABLE {TWO}",
    "compare": f"compare TABLE {TWO}",
    "concordance": "concordance TABLE --outcome grade --score a",
    "certify": "certify TABLE --label y --score a",
    "curve": "curve TABLE --label y --score a --at-specificity 0.9",
    "gate": "gate policy.toml TABLE",
    "watch": "watch TABLE --label y --score a --state state.json",
    "plan difference": f"plan difference --table TABLE {TWO} --power 0.8",
    "plan labels": "plan labels TABLE --score a --chance p --budget 500",
    "leak count": "leak count TABLE --score a --auc 0.76 --n-pos 90000",
    "leak replay": "leak replay LOG --n 400 --n-pos 120",
    "sketch make": "sketch make TABLE --label y --score a --out a.sketch",
    "sketch show": "sketch show made.sketch TABLE --label y --score a",
}
"""What is run of each verb that reads a table, with ``--json``."""
LISTS = {
    "runs": "runs QRELS RUN RUN2 --measure ndcg",
    "explain": "explain QRELS RUN --as trec_eval-9 --vs sklearn",
    "plan queries": "plan queries QRELS RUN RUN2 --difference 0.03 --power 0.8",
}
"""The same of verbs that read judgements and runs."""
WITHOUT = {
    "audit", "checks", "demo", "leak plan", "lint", "measures", "plan power", "plan precision",
    "plan size", "pool", "schema",
}  # fmt: skip
"""Verbs that read neither."""
# it reads as `evaluate` does, and takes half a minute to judge the pages of so many rows
WITHOUT.add("publish")
WITHOUT.add("qualify")  # it reads no table
WITHOUT.add("leak joint")  # so many unknown labels have no count, and are searched for minutes
if parts.verbs():
    TABLES["board init"] = "board init new.board TABLE --label y --id row --score a"
    TABLES["board submit"] = "board submit made.board TABLE --team ann"
    LISTS["study ndcg"] = "study ndcg --quick --qrels QRELS --run RUN --run RUN2"
    WITHOUT |= {
        *(f"study {name}" for name in ("all", "bounds", "labelings", "learn", "pauc", "ranks")),
        # what they read is the board, which `init` and `submit` have written
        *(f"board {name}" for name in (
            "choose", "close", "export", "replay", "standings", "token", "verify",
        )),
        "serve",
    }  # fmt: skip
DRAWN = {"board init": {"commitment"}, "board submit": {"at", "link", "seal"}}
"""Keys of an answer that are drawn at random, or tell the time."""
SOURCES = ("parquet", "csv", "jsonl", "arrow")
SORTED_ON_DISK = ("evaluate", "compare", "gate", "certify")
"""Verbs that take ``--memory``, by which DuckDB sorts."""
READS_STANDARD_INPUT = ("evaluate", "compare", "certify", "curve", "gate", "watch", "runs")
PIPED = ("TABLE.csv", "RUN.trec")
LIMITS = {
    "RLIMIT_AS": (300, 660, 700, 760, 850, 1000),
    "RLIMIT_DATA": (40, 200, 230, 260, 320, 500),
}
"""In megabytes."""


def leaves(of: App = app, path: tuple[str, ...] = ()) -> Iterator[str]:
    names = [name for name in of.resolved_commands() if not name.startswith("-")]
    for name in names:
        yield from leaves(of[name], (*path, name))
    if not names:
        yield " ".join(path)


def test_no_verb_is_left_out() -> None:
    assert {*TABLES, *LISTS, *WITHOUT} == set(leaves())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("limits")
    rng = np.random.default_rng(1)
    y = rng.random(ROWS) < 0.3
    columns = {
        "y": y.astype(int), "a": rng.normal(size=ROWS) + y, "b": rng.normal(size=ROWS) + 0.9 * y,
        "grade": y + rng.integers(0, 3, ROWS), "p": rng.uniform(0.1, 0.9, ROWS),
        "row": np.arange(ROWS),
    }  # fmt: skip
    write(made, "TABLE", pa.table(columns))
    minutes = [f"2024-05-31 14:{i:02}:00" for i in range(40)]
    log = {"time": minutes, "account": ["ann", "bob"] * 20,
           "score": rng.uniform(0.7, 0.8, 40).round(4)}  # fmt: skip
    write(made, "LOG", pa.table(log))
    query, doc = np.arange(LINES) // 1000, np.arange(LINES) % 1000
    lists = {"qid": query, "doc": doc}
    grade = rng.integers(0, 3, LINES)
    write(made, "QRELS", pa.table(lists | {"relevance": grade}))
    lines = (f"{q} 0 d{d} {g}\n" for q, d, g in zip(query, doc, grade, strict=True))
    (made / "QRELS.trec").write_text("".join(lines))
    for name in ("RUN", "RUN2"):
        score = rng.normal(size=LINES) + grade
        write(made, name, pa.table(lists | {"score": score}))
        lines = (f"{q} Q0 d{d} 1 {s} {name}\n" for q, d, s in zip(query, doc, score, strict=True))
        (made / f"{name}.trec").write_text("".join(lines))
    (made / "policy.toml").write_text('label = "y"\n[[rule]]\nscore = "a"\nat_least = 0.6\n')
    ready = ["sketch make TABLE.csv --label y --score a --out made.sketch"]
    if parts.verbs():
        ready.append("board init made.board TABLE.csv --label y --id row --score a")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        for words in ready:
            assert run(words.split()) == 0
    return made


def write(folder: Path, name: str, table: pa.Table) -> None:
    pa.parquet.write_table(table, folder / f"{name}.parquet")
    pa.csv.write_csv(table, folder / f"{name}.csv")
    pa.feather.write_feather(table, folder / f"{name}.arrow", compression="uncompressed")
    pl.DataFrame(table).write_ndjson(folder / f"{name}.jsonl")


def typed(verb: str, source: str) -> list[str]:
    """The words of a command that reads a kind of file, or sorts Parquet with DuckDB.

    On standard input is the table as CSV, or the run.
    """
    kind = {"duckdb": "parquet", "stdin": "trec" if verb in LISTS else "csv"}.get(source, source)
    words = [f"{word}.{kind}" if word.isupper() or word == "RUN2" else word
             for word in (TABLES | LISTS)[verb].split()]  # fmt: skip
    if source == "stdin":
        words = ["-" if word in PIPED else word for word in words]
    return words + ["--memory", "80MB"] * (source == "duckdb") + ["--json"]


def piped(verb: str, source: str, folder: Path) -> Path:
    """The file on standard input."""
    return folder / PIPED[verb in LISTS] if source == "stdin" else Path(os.devnull)


def answer(verb: str, text: str) -> Any:
    found = json.loads(text)
    return {key: value for key, value in found.items() if key not in DRAWN.get(verb, ())}


ANSWERS: dict[tuple[str, str], Any] = {}
"""What verbs answer to files without a limit."""


def whole_answer(
    verb: str, source: str, folder: Path, patch: pytest.MonkeyPatch, capsys: Any
) -> Any:
    if (verb, source) not in ANSWERS:
        patch.chdir(folder)
        capsys.readouterr()
        with piped(verb, source, folder).open() as file:
            patch.setattr("sys.stdin", file)
            assert run(typed(verb, source)) == 0, capsys.readouterr().err
        ANSWERS[verb, source] = answer(verb, capsys.readouterr().out)
        for name in ("state.json", "new.board", "a.sketch"):
            (folder / name).unlink(missing_ok=True)
    return ANSWERS[verb, source]


def limited(
    verb: str, source: str, folder: Path, limit: str, size: int
) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, in a folder of its own for what it writes."""
    own = folder / "own"
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir()
    for path in folder.iterdir():
        if path.name.startswith("made."):
            shutil.copy(path, own)
        elif path.is_file():
            (own / path.name).symlink_to(path)
    with piped(verb, source, folder).open() as file:
        return subprocess.run(
            [sys.executable, "-m", "rocsolid", *typed(verb, source)],
            cwd=own,
            env={name: value for name, value in os.environ.items() if "NUM_THREADS" not in name},
            preexec_fn=lambda: resource.setrlimit(getattr(resource, limit), (size, size)),
            stdin=file,
            capture_output=True,
            text=True,
            timeout=120,
        )


def cases() -> Iterator[Any]:
    """Each verb and source at one size of one limit in turn; of each verb one case is not slow."""
    count = itertools.count()
    for turn, verb in enumerate(TABLES | LISTS):
        sources = [*["duckdb"] * (verb in SORTED_ON_DISK), *["trec"] * (verb in LISTS), *SOURCES]
        for source in sources:
            case = next(count)
            for place, limit in enumerate(LIMITS):
                size = LIMITS[limit][case % len(LIMITS[limit])]
                soon = source == sources[turn % len(sources)] and place == turn % 2
                if soon or place == (case + case // len(LIMITS[limit])) % 2:
                    yield pytest.param(
                        verb, source, limit, size, marks=[pytest.mark.slow] * (not soon)
                    )
    for verb, size in zip(READS_STANDARD_INPUT, itertools.cycle((1000, 660)), strict=False):
        yield pytest.param(verb, "stdin", "RLIMIT_AS", size, marks=[pytest.mark.slow])


@pytest.mark.parametrize(("verb", "source", "limit", "size"), list(cases()))
def test_the_answer_is_whole_or_memory_is_named(
    verb: str, source: str, limit: str, size: int,
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any,
) -> None:  # fmt: skip
    done = limited(verb, source, folder, limit, size * 10**6)
    what = f"{done.returncode}: {done.stderr}"
    assert "Traceback" not in done.stderr, what
    if done.returncode == 0:
        whole = whole_answer(verb, source, folder, monkeypatch, capsys)
        assert answer(verb, done.stdout) == whole
    else:
        assert done.returncode == 2, what
        message = " ".join(done.stderr.split())
        assert message.startswith("rocsolid: "), what
        assert message.count("rocsolid: ") == 1, what
        assert "memory" in message or "address space" in message, what
        assert "Fix: " in message, what
        assert not done.stdout

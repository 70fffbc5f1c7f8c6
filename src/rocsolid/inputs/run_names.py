"""Names of files that each contain one run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from rocsolid.errors import InputError

_ENDINGS = (
    ".gz", ".run", ".trec", ".txt", ".res", ".results", ".out", ".csv", ".tsv", ".json", ".jsonl",
    ".ndjson", ".parquet", ".pq", ".arrow", ".feather", ".ipc",
)  # fmt: skip
STANDARD_INPUT = "standard input"


def named_runs(runs: Any) -> dict[str, Any]:
    """Runs by name; paths without names are named after their files.

    Files with the same name in different folders are distinguished by parts of their folders.

    >>> list(named_runs(["old/bm25.run.gz", "new/bm25.run.gz", "new/bert.trec"]))
    ['old/bm25', 'new/bm25', 'bert']
    """
    if isinstance(runs, Mapping):
        named = {str(name): run for name, run in runs.items()}
        if not named or len(named) < len(runs):
            raise InputError("every run needs its own name", where="runs", value=list(runs))
        return named
    paths = [runs] if isinstance(runs, str | os.PathLike) else runs
    if (
        not isinstance(paths, Sequence)
        or not paths
        or not all(isinstance(path, str | os.PathLike) for path in paths)
    ):
        raise InputError(
            "the runs must be paths, or named",
            where="runs",
            value=runs,
            fix='pass a list of paths, or a mapping such as {"bm25": "bm25.run"}',
        )
    parts = [_parts(os.fspath(path)) for path in paths]
    for i, folders in enumerate(parts):
        if folders in parts[:i]:
            raise InputError(
                "a run occurs twice, so its two copies have one name",
                where="runs",
                value=os.fspath(paths[i]),
                fix="pass each run once",
            )
    depth = [1] * len(parts)
    while True:
        names = ["/".join(folders[-n:]) for folders, n in zip(parts, depth, strict=True)]
        counts = Counter(names)
        longer = [
            n + (counts[name] > 1 and n < len(folders))
            for name, n, folders in zip(names, depth, parts, strict=True)
        ]
        if longer == depth:
            return dict(zip(names, paths, strict=True))
        depth = longer


def _parts(path: str) -> tuple[str, ...]:
    if path == "-":
        return (STANDARD_INPUT,)
    *folders, name = PurePath(path).parts or (path,)
    for _ in range(2):
        stem, ending = os.path.splitext(name)
        if stem and ending.casefold() in _ENDINGS:
            name = stem
    return (*folders, name)

"""The framework that wrote a file, by its contents."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rocsolid.errors import InputError
from rocsolid.inputs.logs import inspect_log, promptfoo
from rocsolid.inputs.logs.documents import LONGEST_LINE, mapping, parsed, whole
from rocsolid.inputs.logs.jsonl_logs import SAMPLES, of_harness, of_plain, rows
from rocsolid.inputs.logs.logged_answer import LoggedAnswer

_KINDS = "logs of inspect_ai, lm-evaluation-harness and promptfoo, and JSON Lines with the keys "
_KINDS += "item, model and score"


def logged(path: str, cluster: str) -> Iterator[LoggedAnswer]:
    """The answers in a log, or in all logs of a folder.

    ``cluster`` is the key of the cluster in the metadata of an item.
    """
    if os.path.isdir(path):
        for file in _files(path):
            yield from _logged(file, cluster)
    else:
        yield from _logged(path, cluster)


def _files(folder: str) -> list[str]:
    names = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    samples = [path for path in names if SAMPLES.fullmatch(path.name)]
    logs = samples or [path for path in names if path.suffix in (".eval", ".json", ".jsonl")]
    if not logs:
        raise InputError("the folder has no log", where=folder, fix=f"pass {_KINDS}")
    return [str(path) for path in logs]


def _logged(path: str, cluster: str) -> Iterator[LoggedAnswer]:
    try:
        with open(path, "rb") as file:
            first = file.readline(LONGEST_LINE)
            single = not file.read(1 << 16).strip()
    except OSError as error:
        raise InputError(f"the log cannot be read: {error.strerror}", where=path) from None
    if first[:4] == b"PK\x03\x04":
        return inspect_log.of_archive(path, cluster)
    if first.lstrip()[:1] not in (b"{", b"["):
        raise _unknown(path)
    start = first.strip()
    if start.endswith(b"}") and not (single and _of_framework(parsed(start, path))):
        return _of_lines(mapping(parsed(start, path), path), path, cluster)
    return _of_document(whole(path), path, cluster)


def _of_framework(document: Any) -> bool:
    return isinstance(document, Mapping) and bool(document.keys() & {"eval", "results", "scores"})


def _of_lines(first: Mapping[str, Any], path: str, cluster: str) -> Iterator[LoggedAnswer]:
    if {"doc_id", "metrics"} <= first.keys():
        return of_harness(path, cluster)
    if {"testIdx", "provider"} <= first.keys():
        return promptfoo.of_results(rows(path), path, cluster)
    if "item" in first or "score" in first:
        return of_plain(path, cluster)
    raise _unknown(path)


def _of_document(document: Any, path: str, cluster: str) -> Iterator[LoggedAnswer]:
    if not isinstance(document, Mapping):
        raise _unknown(path)
    if "eval" in document:
        return inspect_log.of_document(document, path, cluster)
    results = document.get("results")
    if isinstance(results, Mapping) and "results" in results:
        return promptfoo.of_document(document, path, cluster)
    for key, what, fix in _TOTALS:
        if key in document:
            raise InputError(
                f"{what} has means only, and no value for each item", where=path, fix=fix
            )
    raise _unknown(path)


_TOTALS = (
    (
        "mteb_version", "a result of mteb",
        "save the predictions of a retrieval task and evaluate them with `rocsolid runs`",
    ),
    (
        "configs", "the results file of lm-evaluation-harness",
        "run it with --log_samples and pass the folder or its samples_*.jsonl",
    ),
)  # fmt: skip


def _unknown(path: str) -> InputError:
    return InputError(
        "this is not a log of an evaluation", where=path,
        fix=f"pass {_KINDS}; name the columns of a table with label= and scores=",
    )  # fmt: skip

"""Logs with one JSON object per line: lm-evaluation-harness, and plain items with a score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from rocsolid.errors import InputError
from rocsolid.inputs.logs.documents import lines, mapping, required
from rocsolid.inputs.logs.logged_answer import LoggedAnswer

SAMPLES = re.compile(r"samples_(?P<task>.+?)(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl")
"""The name of a file of samples by lm-evaluation-harness: the task and the time."""


def of_harness(path: str, cluster: str) -> Iterator[LoggedAnswer]:
    """The samples of lm-evaluation-harness (``--log_samples``), in the folder of their model.

    A metric after a filter is named as in the harness's own results: ``exact_match,strict``.
    """
    place = PurePath(path)
    name = SAMPLES.fullmatch(place.name)
    task, model = (name["task"] if name else place.stem), (place.parent.name if name else "")
    for where, sample in lines(path):
        metrics = required(sample, "metrics", list, where)
        after = sample.get("filter", "none")
        suffix = "" if after == "none" else f",{after}"
        if "doc_id" not in sample:
            raise InputError("a sample has no doc_id", where=where)
        document = sample.get("doc")
        yield LoggedAnswer(
            task, str(sample["doc_id"]), model,
            {f"{metric}{suffix}": sample.get(metric) for metric in metrics},
            document.get(cluster) if isinstance(document, Mapping) else None,
            question=str(sample.get("doc_hash", "")),
            again="keep the samples of one run of each task in the folder of a model",
        )  # fmt: skip


_NUMBERED = "number several answers to an item with the key epoch"


def of_plain(path: str, cluster: str) -> Iterator[LoggedAnswer]:
    """Objects with the keys item and score, and if known model, cluster and epoch."""
    for where, row in lines(path):
        for key in ("item", "score"):
            if key not in row:
                raise InputError(
                    f"the object has no key {key!r}", where=where, value=sorted(map(str, row)),
                    fix="write item, model and score for each answer",
                )  # fmt: skip
        epoch = row.get("epoch", 0)
        if isinstance(epoch, bool) or not isinstance(epoch, int):
            raise InputError("an epoch is a whole number", where=where, value=epoch)
        model = str(row.get("model") or "")
        yield LoggedAnswer(
            "", str(row["item"]), model, {"score": row["score"]}, row.get(cluster), epoch,
            again=_NUMBERED if model else f"name the model with the key model; {_NUMBERED}",
        )  # fmt: skip


def rows(path: str) -> Iterator[Any]:
    return (mapping(row, where) for where, row in lines(path))

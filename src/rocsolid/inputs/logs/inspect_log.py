"""Logs of inspect_ai: one JSON document, or a zip archive of JSON documents (``.eval``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rocsolid.errors import InputError
from rocsolid.inputs.logs.archive import Archive
from rocsolid.inputs.logs.documents import mapping, required
from rocsolid.inputs.logs.logged_answer import LoggedAnswer

_SUMMARY = 900  # letters; some versions of inspect_ai cut a text after 1,024, between words


def of_archive(path: str, cluster: str) -> Iterator[LoggedAnswer]:
    """The answers in the summaries of an archive, also of an evaluation that was interrupted."""
    with open(path, "rb") as file:
        archive = Archive(path, file)
        names = archive.names
        head = next((n for n in ("header.json", "_journal/start.json") if n in names), None)
        if head is None:
            raise InputError(
                "the archive is not a log of inspect_ai", where=path, fix="pass a .eval file"
            )
        run = required(mapping(archive.document(head), path), "eval", Mapping, path)
        journal = [name for name in names if re.fullmatch(r"_journal/summaries/\d+\.json", name)]
        for name in ["summaries.json"] if "summaries.json" in names else dict.fromkeys(journal):
            where = f"{path}, {name}"
            samples = archive.document(name)
            if not isinstance(samples, list):
                raise InputError("a list of samples was expected", where=where)
            yield from _answers(run, samples, cluster, where)


def of_document(document: Mapping[str, Any], path: str, cluster: str) -> Iterator[LoggedAnswer]:
    """The answers in a log that is one JSON document."""
    run = required(document, "eval", Mapping, path)
    if not document.get("samples"):
        raise InputError(
            "the log has no samples, so no value for each item",
            where=path,
            fix="run the evaluation again with log_samples",
        )
    return _answers(run, required(document, "samples", list, path), cluster, path)


def _answers(
    run: Mapping[str, Any], samples: Sequence[Any], cluster: str, path: str
) -> Iterator[LoggedAnswer]:
    task, model = str(run.get("task", "")), str(run.get("model", ""))
    dataset = run.get("dataset")
    name = dataset.get("name") if isinstance(dataset, Mapping) else None
    for number, each in enumerate(samples, start=1):
        where = f"{path}, sample {number}"
        sample = mapping(each, where)
        if "id" not in sample:
            raise InputError("a sample has no id", where=where)
        scores = mapping(sample.get("scores") or {}, where)
        metadata = mapping(sample.get("metadata") or {}, where)
        epoch = sample.get("epoch", 1)
        yield LoggedAnswer(
            task, str(sample["id"]), model, dict(_values(scores)), metadata.get(cluster),
            epoch if isinstance(epoch, int) else 1,
            question=_question(sample.get("input")) or str(name or ""), again="pass each log once",
        )  # fmt: skip


def _question(given: Any) -> str:
    """The texts of an input, each as far as the summaries of an archive keep a text."""
    messages = given if isinstance(given, list) else [{"content": given}]
    contents = [each.get("content") for each in messages if isinstance(each, Mapping)]
    texts = [
        part.get("text") if isinstance(part, Mapping) else part
        for content in contents
        for part in (content if isinstance(content, list) else [content])
    ]
    return "\n".join(" ".join(text.split())[:_SUMMARY] for text in texts if isinstance(text, str))


def _values(scores: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The value of each scorer; a scorer with several named values has a scorer for each."""
    for name, score in scores.items():
        value = score.get("value") if isinstance(score, Mapping) else score
        if isinstance(value, Mapping):
            yield from ((f"{name}.{key}", own) for key, own in value.items())
        else:
            yield str(name), value

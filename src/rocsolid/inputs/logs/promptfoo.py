"""Results of promptfoo, as one JSON document or as one JSON object per line."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rocsolid.inputs.logs.documents import mapping, required
from rocsolid.inputs.logs.logged_answer import LoggedAnswer

_ERROR = 2  # the reason of an answer that never came, where 1 is that of a wrong answer


def of_document(document: Mapping[str, Any], path: str, cluster: str) -> Iterator[LoggedAnswer]:
    results = required(required(document, "results", Mapping, path), "results", list, path)
    return of_results((mapping(each, path) for each in results), path, cluster)


def of_results(
    results: Iterable[Mapping[str, Any]], path: str, cluster: str
) -> Iterator[LoggedAnswer]:
    """The answers: an item is what a test inserts into the prompt, so repeats have one item.

    A provider with several prompts is a model for each prompt. An error has no score.
    """
    kept: list[tuple[str, str, str, dict[str, Any], Any]] = []
    prompts: defaultdict[str, set[str]] = defaultdict(set)
    for result in results:
        provider = result.get("provider")
        if isinstance(provider, Mapping):
            provider = provider.get("label") or provider.get("id")
        model, prompt = str(provider or ""), _prompt(result)
        prompts[model].add(prompt)
        test = result.get("testCase")
        test = test if isinstance(test, Mapping) else {}
        metadata = test.get("metadata")
        item = json.dumps(result.get("vars") or test.get("vars") or {}, sort_keys=True)
        named = mapping(result.get("namedScores") or {}, path)
        scores = {"pass": result.get("success"), "score": result.get("score"), **named}
        if result.get("failureReason") == _ERROR:
            scores = dict.fromkeys(scores)
        group = metadata.get(cluster) if isinstance(metadata, Mapping) else None
        description = test.get("description")
        kept.append((f"{description}: {item}" if description else item, model, prompt, scores,
                     group))  # fmt: skip
    answers: Counter[tuple[str, str, str]] = Counter()
    for item, model, prompt, scores, group in kept:
        number = answers[item, model, prompt]
        answers[item, model, prompt] += 1
        name = model if len(prompts[model]) == 1 else f"{model}, {prompt}"
        yield LoggedAnswer("", item, name, scores, group, number, headline="pass")


def _prompt(result: Mapping[str, Any]) -> str:
    prompt = result.get("prompt")
    label = prompt.get("label") if isinstance(prompt, Mapping) else None
    return str(label or result.get("promptIdx", ""))

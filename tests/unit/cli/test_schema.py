"""What --json prints is what the published schemas say, and no more than they say."""

from __future__ import annotations

import copy
import json
import math
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Never, NotRequired, TypedDict

import jsonschema
import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.results.json_schema import ITS_KEYS, Count, FloatOrNaN, holds, json_schema
from rocsolid.results.plain import Plain

VERBS = ("compare", "concordance", "evaluate", "runs")
SEED = np.random.default_rng(5)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Sixty queries of six rows; one site has one class only, another lacks relevant rows."""
    lines = ["ill,grade,risk,lab,site,day,q"]
    for q in range(60):
        site = "abc"[q % 3] if q < 57 else "lone"
        for _ in range(6):
            ill = int(SEED.random() < 0.4) if site != "lone" else 0
            grade = int(SEED.integers(0, 4)) if site != "lone" else 0
            risk, lab = SEED.normal(ill), SEED.normal(0.5 * ill)
            lines.append(f"{ill},{grade},{risk:.1f},{lab:.3f},{site},2024-05-0{1 + q % 2},{q}")
    path = tmp_path_factory.mktemp("schema") / "table.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def few(table: str) -> str:
    """The first rows of the table, of which a public page is soon made."""
    path = Path(table).with_name("few.csv")
    path.write_text("".join(Path(table).read_text().splitlines(keepends=True)[:25]))
    return str(path)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("runs")
    qrels = [f"{q} 0 d{d} {int(SEED.integers(0, 3))}" for q in range(6) for d in range(5)]
    paths = [folder / "qrels.txt"]
    paths[0].write_text("\n".join([*qrels, "6 0 d1 0"]) + "\n")
    for name in ("one", "two"):
        lines = [
            f"{q} Q0 d{d} {d + 1} {SEED.normal():.1f} {name}"
            for q in range(5 if name == "one" else 7)
            for d in range(7)
        ]
        paths.append(folder / f"{name}.run")
        paths[-1].write_text("\n".join(lines) + "\n")
    return [str(path) for path in paths]


PUBLISHED: dict[str, Any] = {}
"""The schemas that were printed so far."""


def published(verb: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    if verb not in PUBLISHED:
        assert run(["schema", verb]) == 0
        PUBLISHED[verb] = json.loads(capsys.readouterr().out)
        jsonschema.Draft202012Validator.check_schema(PUBLISHED[verb])
        assert isinstance(PUBLISHED[verb], dict)
    return copy.deepcopy(PUBLISHED[verb])


def strict(schema: Any) -> Any:
    """The same schema that allows no key which it does not name."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: strict(value) for key, value in schema.items()}
    if isinstance(found.get("properties"), dict) and found.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found


def in_place(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with each definition where it is meant, which takes less than half of the time."""
    definitions = schema.pop("$defs")

    def placed(part: Any) -> Any:
        if isinstance(part, list):
            return [placed(each) for each in part]
        if not isinstance(part, dict):
            return part
        rest = {key: placed(value) for key, value in part.items() if key != "$ref"}
        return (
            placed(definitions[part["$ref"].rpartition("/")[2]]) | rest if "$ref" in part else rest
        )

    whole: dict[str, Any] = placed(schema)
    return whole


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert run([*words, "--json"]) == 0

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(capsys.readouterr().out, parse_constant=refuse)


def check(verb: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    schema = published(verb, capsys)
    found = printed(words, capsys)
    for held in (schema, strict(schema)):
        jsonschema.Draft202012Validator(held).validate(found)
    return found


@pytest.mark.parametrize("verb", [*VERBS, "audit", "gate", "publish"])
def test_a_schema_is_whole_and_holds_nothing_else(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Definitions that verbs share come with each, and those of other verbs do not."""
    found = published(verb, capsys)
    needed = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(found)))
    assert needed == found["$defs"].keys()


TWO = ["--score", "risk", "--score", "lab"]
ROWS: list[list[str]] = [
    TWO,
    [*TWO, "--by", "site", "--by", "day"],
    ["--score", "risk", "--interval", "bootstrap", "--resamples", "50"],
    ["--score", "risk", "--alternative", "greater", "--cluster", "q"],
    ["--score", "risk", "--measure", "partial_auc(fpr<=0.1)", "--measure", "auc"],
]
PUBLIC = [
    [*TWO, "--public", "--max-posterior", "1"],
    ["--score", "risk", "--by", "site", "--public", "--max-posterior", "1"],
]
QUERIES: list[list[str]] = [
    TWO,
    [*TWO, "--by", "site", "--measure", "map", "--measure", "ndcg@3", "--per-query"],
    ["--score", "risk", "--measure", "bpref", "--interval", "hinge"],
    [*TWO, "--profile", "trec_eval-9", "--doc", "lab", "--adjust", "tukey"],
]


@pytest.mark.parametrize(
    "words",
    [*ROWS, *(pytest.param(words, marks=pytest.mark.slow) for words in PUBLIC)],
    ids=" ".join,
)
def test_evaluate(
    words: list[str], table: str, few: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = few if "--public" in words else table
    found = check("evaluate", ["evaluate", rows, "--label", "ill", *words], capsys)
    if "day" in words:
        assert found["skipped"]
        assert found["results"][1]["by"].keys() == {"site", "day"}


@pytest.mark.parametrize(
    "words",
    [TWO, ["--score", "risk", "--by", "site", "--measure", "pr_auc", "--measure", "auc"]],
    ids=" ".join,
)
def test_evaluate_over_folds(
    words: list[str], table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["evaluate", table, "--label", "ill", "--fold", "day", *words]
    found = check("evaluate", asked, capsys)
    assert bool(found["skipped"]) == ("site" in words)
    assert bool(found["comparisons"]) == ("lab" in words)


@pytest.mark.parametrize("words", [[], ["--by", "day"], ["--counts", "groups", *TWO]])
def test_evaluate_within_groups(
    words: list[str], table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own = [] if "lab" in words else ["--score", "risk"]
    found = check(
        "evaluate", ["evaluate", table, "--label", "ill", "--within", "site", *own, *words], capsys
    )
    assert found["results"][0]["within"]["measure"] == "auc within site"
    assert bool(found["comparisons"]) == ("lab" in words)


def test_compare_within_groups(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    check("compare", ["compare", table, "--label", "ill", *TWO, "--within", "site"], capsys)


def test_evaluate_across_groups(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", table, "--label", "ill", "--across", "site", "--cluster", "q", *TWO]
    found = check("evaluate", words, capsys)
    assert [one["skipped"][0]["positives"] for one in found["results"]] == ["lone", "lone"]
    assert [len(one["pairs"]) for one in found["results"]] == [12, 12]


@pytest.mark.parametrize("words", QUERIES, ids=" ".join)
def test_evaluate_over_queries(
    words: list[str], table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["evaluate", table, "--label", "grade", "--qid", "q", *words]
    found = check("evaluate", asked, capsys)
    if "site" in words:
        assert found["skipped"]


@pytest.mark.parametrize(
    "words",
    [
        TWO,
        [*TWO, "--by", "site"],
        [*TWO, "--test", "permutation", "--resamples", "50"],
        [*TWO, "--test", "venkatraman-curves", "--resamples", "50"],
        [*TWO, "--adjust", "max-t", "--margin", "0.1"],
    ],
    ids=" ".join,
)
def test_compare(words: list[str], table: str, capsys: pytest.CaptureFixture[str]) -> None:
    check("compare", ["compare", table, "--label", "ill", *words], capsys)


def test_compare_over_queries(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["compare", table, "--label", "grade", "--qid", "q", *TWO, "--measure", "ndcg@3"]
    found = check("compare", [*asked, "--margin", "0.1", "--next", "20"], capsys)
    assert found["comparisons"][0]["equivalence"]


@pytest.mark.parametrize("words", [["--score", "risk"], [*TWO, "--by", "site"]], ids=" ".join)
def test_concordance(words: list[str], table: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = check("concordance", ["concordance", table, "--outcome", "grade", *words], capsys)
    assert (found["comparison"] is None) == ("lab" not in words)
    assert bool(found["skipped"]) == ("--by" in words)


@pytest.mark.parametrize(
    "words", [[], ["--per-query", "--measure", "map", "--measure", "dcg@3", "--margin", "0.1"]]
)
def test_runs(words: list[str], runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = check("runs", ["runs", *runs, *words], capsys)
    assert ("per_query" in found["results"][0]) == bool(words)


def test_a_single_run_is_compared_with_none(
    runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("runs", ["runs", *runs[:2]], capsys)["comparisons"] == []


def test_an_end_that_nothing_bounds_is_null(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--score", "risk", "--measure", "dcg@3", "--alternative", "greater"]
    asked = ["evaluate", table, "--label", "grade", "--qid", "q", *words]
    assert check("evaluate", asked, capsys)["results"][0]["high"] is None


@pytest.mark.parametrize("words", [[], ["--max-bits", "1"], ["--choose", "2"]], ids=" ".join)
def test_publish(words: list[str], few: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = check("publish", ["publish", few, "--label", "ill", "--score", "risk", *words], capsys)
    assert ("offers" in found) == ("--choose" not in words)
    assert bool(found.get("offers")) == (not words)
    assert ("results" in found) == ("--choose" in words)


def test_what_no_number_says_is_its_text() -> None:
    data = {"y": [0, 1] * 20, "s": list(range(40)), "g": [math.inf] * 20 + [1.5] * 20}
    plain = rs.evaluate(data, label="y", scores="s", by="g").to_dict()
    assert [one["by"] for one in plain["results"]] == [None, {"g": 1.5}, {"g": "inf"}]
    json.dumps(plain, allow_nan=False)


def test_the_schema_refuses_what_is_no_output(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = published("evaluate", capsys)
    found = printed(["evaluate", table, "--label", "ill", "--score", "risk"], capsys)
    for change in ({"results": None}, {"public": True}, {"rows": -1}):
        broken = copy.deepcopy(found) | change
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema, jsonschema.Draft202012Validator)
    del found["results"][0]["value"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, schema, jsonschema.Draft202012Validator)


FREE = ("settings", "distinction")
"""Keys whose value may be any object."""
BY_NAME = ("by", "estimates", "judged_at", "may_be", "next_ranks", "others", "ranks")
"""Keys whose objects have names of scores, columns and so on as keys."""
NAMES = (
    "empty",
    "missing",
    "qids",
    "by",
    "groups",
    "positives",
    "negatives",
    "worst",
    "may_be_worst",
    "may_be",
)
"""Keys with values of columns, which are numbers or texts."""
OPTIONAL = ("likeliest", "per_query", "qids")
CHOSEN = ("about", "compared", "digits", "unit", "verdict")
"""Keys with one of a few values."""
WITHIN = {"level": 1.5, "n_neg": -1, "n_pos": -1, "one_sided_alpha": 2, "p_value": -0.5, "rows": -1}


def broken(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Places of an output with what may not stand there; ``KeyError`` for a key that is missing."""
    above = next((name for name in reversed(path) if isinstance(name, str)), "")
    yield path, {"zz": [[]]} if isinstance(value, list) else [{"zz": [[]]}]
    if above in FREE:
        return
    if isinstance(value, dict):
        for key, each in value.items():
            counts = len(path) > 1 and path[-2] == "segments" and key.startswith("n_")
            if above not in BY_NAME and not counts and key not in OPTIONAL:
                yield (*path, key), KeyError
            yield from broken(each, (*path, key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from broken(each, (*path, place))
    elif not set(path) & set(NAMES):
        if isinstance(value, str):
            yield path, 7
        elif value is not None:
            yield path, "zz"
        if above in CHOSEN and path[0] != "audit" and isinstance(value, str):
            yield path, "zz"
        if above in WITHIN and value is not None:
            yield path, WITHIN[above]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copied = copy.copy(value)
    if len(path) == 1 and new is KeyError:
        del copied[path[0]]
    else:
        copied[path[0]] = changed(value[path[0]], path[1:], new)
    return copied


def valid(schema: dict[str, Any], value: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


def refused(schema: dict[str, Any], value: Any, path: tuple[Any, ...], new: Any) -> bool:
    """Whether the schema refuses a valid value with something new at this path.

    It does if the part around the path does, which is much faster to say. Among several parts that
    may hold, each has to refuse.
    """
    if several := schema.get("oneOf", schema.get("anyOf")):
        other = changed(value, path, new)
        return all(
            refused(part, value, path, new) if valid(part, value) else not valid(part, other)
            for part in several
        )
    below = schema.get("properties", {}).get(path[0], schema.get("items")) if path else None
    if len(path) > 1 and isinstance(below, dict) and "prefixItems" not in schema:
        return refused(below, value[path[0]], path[1:], new)
    return not valid(schema, changed(value, path, new))


def shortened(value: Any) -> Any:
    """The same output with the first and the last value of each list: the others are like them."""
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shortened(each) for each in (value if len(value) <= 2 else [value[0], value[-1]])]
    return value


COMMANDS = {
    "rows": "evaluate TABLE --label ill --score risk --score lab --by site",
    "queries": "evaluate TABLE --label grade --qid q --score risk --score lab --by site",
    "folds": "evaluate TABLE --label ill --fold day --score risk --score lab",
    "groups": "evaluate TABLE --label ill --across site --score risk",
    "within": "evaluate TABLE --label ill --within site --score risk --score lab",
    "public": "evaluate FEW --label ill --score risk --score lab --public --max-posterior 1",
    "publish": "publish FEW --label ill --score risk --max-posterior 1",
    "compare": "compare TABLE --label ill --score risk --score lab --margin 0.1",
    "outcomes": "concordance TABLE --outcome grade --score risk --score lab",
    "runs": "runs RUNS --per-query --measure map --margin 0.1",
    "audit": "audit --auc .845 --n-pos 5 --n-neg 6 --ci .6 .99 --vs .8 --p .7 --errors 6",
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_broken_output_is_refused(
    words: str, table: str, few: str, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Keys that are missing, values of another type, or beyond their range; new keys may come."""
    files = {"TABLE": [table], "FEW": [few], "RUNS": runs}
    asked = [each for word in words.split() for each in files.get(word, [word])]
    found = shortened(printed(asked, capsys))
    schema = in_place(published(asked[0], capsys))
    assert valid(schema, found | {"a_key_to_come": 1})
    places = list(broken(found))
    for path, new in random.Random(7).sample(places, min(len(places), 120)):
        assert refused(schema, found, path, new), (path, new)


class Inside(Plain):
    """Something inside."""

    low: Annotated[FloatOrNaN, "The lower limit."]
    kind: Annotated[str | None, Literal["a", "b"] | None]
    note: str | None
    _json = "low kind note?"


class Around(TypedDict):
    """Something around it.

    More of it."""

    count: Annotated[Count, "How many."]
    low: Never
    pair: tuple[float, float]
    names: NotRequired[dict[str, Annotated[int, holds(maximum=3)]]]
    inside: Annotated[Inside, ITS_KEYS]
    each: list[Inside] | None


def test_types_and_marks_make_the_schema() -> None:
    found = json_schema("around", "rocsolid around", Around)
    assert found["title"] == "rocsolid around --json"
    assert found["required"] == ["count", "pair", "each", "kind"]
    assert found["properties"] == {
        "count": {"type": "integer", "minimum": 0, "description": "How many."},
        "pair": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
        "names": {"type": "object", "additionalProperties": {"type": "integer", "maximum": 3}},
        "each": {"type": ["array", "null"], "items": {"$ref": "#/$defs/inside"}},
        "kind": {"enum": ["a", "b", None]},
        "note": {"type": ["string", "null"]},
    }
    assert found["$defs"]["inside"]["properties"]["low"] == {
        "type": ["number", "null"],
        "description": "The lower limit.",
    }


def test_a_type_that_json_does_not_have_is_refused() -> None:
    class Odd(TypedDict):
        when: complex

    with pytest.raises(TypeError, match="complex"):
        json_schema("odd", "rocsolid odd", Odd)


def test_shared_definitions_are_the_same_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    first: dict[str, Any] = {}
    for verb in VERBS:
        for name, definition in published(verb, capsys)["$defs"].items():
            assert first.setdefault(name, definition) == definition


def test_every_field_says_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in VERBS:
        waiting: list[Any] = [published(verb, capsys)]
        while waiting:
            one = waiting.pop()
            if isinstance(one, list):
                waiting += one
            elif isinstance(one, dict):
                for field in one.get("properties", {}).values():
                    assert "$ref" in field or "const" in field or field["description"]
                waiting += list(one.values())


def test_an_unknown_verb_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "plan"]) == 2
    assert "plan" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "--auc .845 --n-pos 5 --n-neg 6 --ci .6 .99 --vs .8 --p .7 --errors 6",
        "--auc .76 --n-pos 100 --n-neg 100 --ci .701 .822 --method delong",
        "--auc .85 --n-pos 3 --n-neg 7 --ci .6 .99",
        "--auc .8 --n-pos 5 --n-neg 3000000000",
    ],
)
def test_audit(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = check("audit", ["audit", *words.split()], capsys)
    assert bool(found["methods"]) == ("--ci" in words)

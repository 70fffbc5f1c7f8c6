"""Pages generated from declarations in the code: formulas, JSON fields, items of papers."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any

import rocsolid as rs
from rocsolid import parts
from rocsolid.cli.schema import DOCUMENTS, schema_of
from rocsolid.intervals.calibrated.auto import METHODS as OF_AN_AUC
from rocsolid.intervals.guarantees.best import METHODS as CERTIFIED
from rocsolid.intervals.means.mean import METHODS as OF_A_MEAN
from rocsolid.measures.named import KINDS, measure_of
from rocsolid.theory.study.tour.catalogue import ENTRIES, MISSING

ITEMS = Path(__file__).parent / "evidence" / "items.toml"
SCORES = ([0.4, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.5])
FACTS = {  # arguments of a guarantee besides the AUC and the class sizes
    **{name: {"scores": SCORES} for name in ("cuts", "matchings", "best")},
    "berry-esseen": {"variances": (0.05, 0.05)},
    **{name: {"placements": [0.75, 1.0, 1.0, 1.0]} for name in ("e-value", "betting")},
}


def formulas() -> str:
    """List every method with its definition, assumptions and source, the default first."""
    lines = [
        "# Formulas and their sources\n",
        "The tables list the definition, assumptions and source of each method, as declared in the "
        "code. `rs.cite(result)` returns the sources of a result, with BibTeX.\n",
        "## 95 % intervals of an AUC\n",
        *_table(
            (name, _first_sentence(method.limits), method.assumptions, method.source)
            for name, method in OF_AN_AUC.items()
        ),
        "\n## Certified intervals of an AUC\n",
        *_table(_guarantees()),
        "\n## Intervals of a mean over queries\n",
        *_table(
            (name, "certified" if method.certified else "", method.assumptions, method.source)
            for name, method in OF_A_MEAN.items()
        ),
        "\n## Measures of two classes\n",
        "| name | definition | aliases |",
        "|---|---|---|",
        *(
            f"| `{kind.example}` | {_cell(measure_of(kind.example).words)} | "
            f"{', '.join(f'`{alias}`' for alias in kind.aliases)} |"
            for kind in KINDS.values()
        ),
    ]
    return "\n".join(lines) + "\n"


def _table(methods: Iterable[tuple[str, str, tuple[str, ...], str]]) -> Iterator[str]:
    rows = list(methods)
    shared = [one for one in rows[0][2] if all(one in assumptions for _, _, assumptions, _ in rows)]
    yield f"Every method assumes: {_cell('; '.join(shared))}.\n"
    yield "| method | definition | further assumptions | source |"
    yield "|---|---|---|---|"
    for name, words, assumptions, source in rows:
        further = "; ".join(one for one in assumptions if one not in shared)
        yield f"| `{name}` | {_cell(words)} | {_cell(further)} | {_cell(source)} |"


def _guarantees() -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    for name in CERTIFIED:
        interval = rs.guarantees.interval(name, 0.9375, 4, 4, **FACTS.get(name, {}))
        function = getattr(rs.guarantees, name.replace("-", "_"), None)
        words = _first_sentence(function) if function else ""
        certified = "" if interval.certified else "No guarantee. "
        yield name, certified + words, interval.assumptions, interval.source


def reproduced() -> str:
    """List the items of the five documents with the command that recomputes each."""
    return "\n".join(
        [
            "\n## Every item\n",
            "| document | item | command |",
            "|---|---|---|",
            *(
                f"| {item.document} | {_cell(item.name)} | `study {item.study}` |"
                for item in ENTRIES
            ),
            "\n## Left out\n",
            "| document | item | why |",
            "|---|---|---|",
            *(f"| {item.document} | {_cell(item.name)} | {_cell(item.why)} |" for item in MISSING),
            "",
        ]
    )


def statements() -> str:
    """List the statements of the five documents, each with its place and how far it goes."""
    lines = [
        "\n## Every statement\n",
        "| document | statement | where | how far |",
        "|---|---|---|---|",
    ]
    for document in tomllib.loads(ITEMS.read_text("utf-8"))["document"]:
        for item in document["items"]:
            where = ", ".join(map(_place, item["where"]))
            verdict = item.get("verdict", "whole")
            why = f"{verdict}: {item['why']}" if "why" in item else verdict
            lines.append(f"| {document['name']} | {_cell(item['item'])} | {where} | {_cell(why)} |")
    return "\n".join(lines) + "\n"


def differences() -> str:
    """List the statements that hold in another form than the paper has."""
    heads = ["| paper | statement | what holds |", "|---|---|---|"]
    lines = ["\n## What differs from the papers\n", *heads]
    for document in tomllib.loads(ITEMS.read_text("utf-8"))["document"]:
        for item in document["items"]:
            if "holds" in item:
                lines.append(f"| {document['name']} | {_cell(item['item'])} | {item['holds']} |")
    return "\n".join(lines) + "\n"


def _place(place: str) -> str:
    if ".md" not in place:
        return f"`{re.sub('^rocsolid', 'rs', place)}`"
    return f"[{place.partition('.md')[0].rpartition('/')[2]}]({place})"


def json_fields(elsewhere: Container[tuple[str, str]] = ()) -> str:
    """List every JSON field with its meanings, from the schemas that `rocsolid schema` prints.

    ``elsewhere`` contains the names and meanings that the page of results has.
    """
    meanings: dict[str, list[str]] = {}
    for verb in DOCUMENTS | parts.documents():
        for name, field in _fields(schema_of(verb)):
            meaning = field.get("description", "")
            if meaning not in meanings.setdefault(name, []):
                meanings[name].append(meaning)
    own = {
        name: [meaning for meaning in meanings[name] if (name, meaning) not in elsewhere]
        for name in sorted(meanings)
    }
    rows = (f"| `{name}` | {_cell(' / '.join(texts))} |" for name, texts in own.items() if texts)
    results = ", ".join(f"`{name}`" for name, texts in own.items() if not texts)
    link = f"As the field of a [result](reference/results.md): {results}.\n" if results else ""
    return "\n".join(["\n## Fields\n", link, "| field | meaning |", "|---|---|", *rows]) + "\n"


def _fields(schema: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, list):
        for inside in schema:
            yield from _fields(inside)
    elif isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        for inside in schema.values():
            yield from _fields(inside)


def _first_sentence(function: Any) -> str:
    text = " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())
    first = re.split(r"(?<=[.:]) (?=[A-Z`])", text)[0].removeprefix("Return ")
    return first[:1].upper() + first[1:] if first.split(" ")[0].isalpha() else first


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("``", "`").replace("<", "&lt;").replace("*", r"\*")

"""``rocsolid measures``: all measures, and the verbs that accept them."""

from __future__ import annotations

from rocsolid.cli.lists import Json
from rocsolid.cli.output import Screen, print_json
from rocsolid.measures.listed import ListedMeasure, table
from rocsolid.report.text import Cells

_HEADS = ("measure", "what it is")
_OF = {
    "rows": "For rows with labels",
    "outcomes": "For ordered outcomes, such as grades",
    "queries": "For ranked lists, as a mean over queries (with --qid, or for runs)",
}


def measures(*, json: Json = False) -> int:
    """List all measures: names, meaning, verbs that accept them, certified intervals.

    Example: `rocsolid measures`
    """
    listed = table()
    if json:
        print_json({"measures": [measure.to_dict() for measure in listed]})
        return 0
    screen = Screen()
    for of, title in _OF.items():
        screen.print(title, style="bold")
        rows = [measure for measure in listed if measure.of == of]
        examples = tuple((measure.example, measure.about) for measure in rows)
        screen.cells(Cells("", _HEADS, examples, names=2, sentences=True))
        screen.words(_verbs(rows))
        screen.print()
        also = tuple((measure.name, ", ".join(measure.also)) for measure in rows if measure.also)
        screen.cells(Cells("", ("measure", "further names"), also, names=2, sentences=True))
        screen.print()
        if settings := _settings(listed, of):
            heads = ("in brackets", "what it is", "measures")
            screen.cells(Cells("", heads, settings, names=3, sentences=True))
            screen.print()
    screen.words(
        "Case and underscores in names are ignored. certify computes an interval that holds for "
        "every distribution. --json lists the engines that leave the rows where they are."
    )
    return 0


def _settings(listed: tuple[ListedMeasure, ...], of: str) -> tuple[tuple[str, ...], ...]:
    having: dict[tuple[str, str], list[str]] = {}
    for one in listed:
        for setting in one.parameters if one.of == of else ():
            default = f"; default {setting.default}" if setting.default else ""
            key = setting.example, f"{setting.words}{default}"
            having.setdefault(key, []).append(one.name)
    return tuple((*setting, ", ".join(names)) for setting, names in having.items())


def _verbs(rows: list[ListedMeasure]) -> str:
    """Return the verbs, with the measures that a verb does not accept."""
    lacking = {
        verb: [measure.name for measure in rows if verb not in measure.verbs]
        for verb in dict.fromkeys(verb for measure in rows for verb in measure.verbs)
    }
    complete = ", ".join(verb for verb, names in lacking.items() if not names)
    others = (f"{verb}, except {', '.join(names)}" for verb, names in lacking.items() if names)
    return f"Verbs: {'; '.join((complete, *others))}."

"""``rocsolid checks``: every kind of warning and note, by its code."""

from __future__ import annotations

from rocsolid.cli.lists import Json
from rocsolid.cli.output import Screen, print_json, print_words
from rocsolid.remarks.remark import checks as registry
from rocsolid.report.text import Cells


def checks(code: str | None = None, /, *, json: Json = False) -> int:
    """List all checks, the kinds of warnings and notes; or show the page of one check.

    `--mute CODE` omits the sentences of a check from all results.

    Example: `rocsolid checks ROC009`

    Parameters
    ----------
    code
        The check to read about, such as ROC009.
    """
    listed = list(registry) if code is None else [registry[code]]
    if json:
        print_json({"checks": [one.described() for one in listed]})
        return 0
    screen = Screen()
    if code is None:
        rows = tuple((one.code, one.severity, one.title()) for one in listed)
        screen.cells(Cells("", ("check", "severity", "what it says"), rows, 3, sentences=True))
    else:
        screen.print(f"{listed[0].code} ({listed[0].severity})", style="bold")
        print_words(listed[0].page())
    return 0

"""What a reader of a page sees first, and how much of it there is: pixels, words, sheets, bytes."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORDS = "document.body.innerText.match(/[a-z]{2,}/gi).length"  # numbers are looked at, not read
_BOTTOMS = """[...document.querySelectorAll("{}")].filter((e) => e.checkVisibility())
    .map((e) => e.getBoundingClientRect().bottom + scrollY)"""
_VERDICT = _BOTTOMS.format(".answer-line")
_SHOWN = _BOTTOMS.format(".summary .big, main tbody tr, main .facts div, main svg[role=img]")
_SAID = "[...document.querySelectorAll('.answer-line')].map((e) => e.innerText).join(' ')"
_A4 = {"paperWidth": 210 / 25.4, "paperHeight": 297 / 25.4, "preferCSSPageSize": True}


@dataclass(frozen=True, slots=True)
class PageMeasures:
    """``verdict`` is its text; ``ends`` and ``phone`` are where it ends, at 1280 and 360 pixels.

    ``shown`` is where the first number or picture below it ends, None where there is none.
    """

    verdict: str
    ends: float | None
    phone: float | None
    shown: float | None
    words: int
    sheets: int
    size: int


def measured(browser: Any, file: Path) -> PageMeasures:
    """The page at 1280 × 900, at 360 × 740 and on A4."""
    tab = browser.open(file, width=1280, height=900)
    ends, shown = tab.evaluate(_VERDICT), tab.evaluate(_SHOWN)
    verdict, words = tab.evaluate(_SAID), tab.evaluate(WORDS)
    tab.size(360, 740)
    phone = tab.evaluate(_VERDICT)
    tab.size(1280, 900)
    printed = base64.b64decode(tab.call("Page.printToPDF", **_A4)["data"])
    tab.close()
    return PageMeasures(
        verdict,
        max(ends, default=None),
        max(phone, default=None),
        min(shown, default=None),
        words,
        len(re.findall(rb"/Type\s*/Page[^s]", printed)),
        file.stat().st_size,
    )

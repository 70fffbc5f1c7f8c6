"""The threshold explorer in a browser: what tests read off it and do to it."""

from __future__ import annotations

import json
import time
from typing import Any

COUNTS = """JSON.stringify([...document.querySelectorAll('[data-count]')]
    .map((e) => Number(e.textContent.replaceAll(",", ""))))"""
LIMITS = (
    """JSON.stringify([...document.querySelectorAll('[data-limit]')].map((e) => e.textContent))"""
)
TAB = "document.querySelector('.panel [role=tab][aria-selected=true]')"
SEEN = "document.querySelector('.panel [role=tabpanel] > svg:not([hidden])')"
MARKER = f"""(() => {{ const m = {SEEN}.querySelector('.marker'), u = m.dataset.units;
    return [m.getAttribute('cx') / u, m.getAttribute('cy') / u]; }})()"""


def typed(tab: Any, key: str, text: str) -> None:
    tab.evaluate(f"document.querySelector('[data-ask={key}]').focus()")
    tab.evaluate("document.activeElement.select()")
    tab.call("Input.insertText", text=text)


def tab_to(tab: Any, selector: str) -> None:
    """The Tab key, until it has come to what is looked for."""
    here = f"document.activeElement.matches({json.dumps(selector)})"
    for _ in range(100):
        tab.press("Tab")
        if tab.evaluate(here):
            return
    raise AssertionError(f"the Tab key does not come to {selector}")


def keyed(tab: Any, text: str) -> None:
    """Key by key over what the field in focus has, and Enter."""
    everything = {"key": "a", "code": "KeyA", "modifiers": 2, "commands": ["selectAll"]}
    tab.call("Input.dispatchKeyEvent", type="keyDown", **everything)
    for letter in text:
        tab.call("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter)
        tab.call("Input.dispatchKeyEvent", type="keyUp", key=letter)
    tab.press("Enter")


def by_hand(table: dict[str, Any], score: str, cut: float) -> list[int]:
    """Flagged, not flagged and all rows, each as positives, negatives and both."""
    flagged, y = table[score] >= cut, table["y"] == 1
    inside = [int((flagged & y).sum()), int((flagged & ~y).sum())]
    total = [int(y.sum()), int((~y).sum())]
    rows = [inside, [t - i for t, i in zip(total, inside, strict=True)], total]
    return [count for row in rows for count in (*row, sum(row))]


def kept(tab: Any, *parts: str) -> str:
    """The fragment, once it has what was set last."""
    end = time.monotonic() + 10
    fragment = ""
    while not all(part in fragment for part in parts) and time.monotonic() < end:
        time.sleep(0.05)
        fragment = tab.evaluate("location.hash")
    assert all(part in fragment for part in parts)
    return fragment


def seen(tab: Any) -> list[Any]:
    drawn = "getComputedStyle(e).display !== 'none'"
    lines = f"[...{SEEN}.querySelectorAll('.curve')].map((e) => {drawn})"
    return [tab.evaluate(js) for js in (MARKER, f"{TAB}.textContent", f"{SEEN}.textContent", lines)]


def go(tab: Any, fragment: str) -> None:
    tab.evaluate(f"location.hash = {json.dumps(fragment)}")
    tab.evaluate("new Promise((done) => setTimeout(done, 50))")

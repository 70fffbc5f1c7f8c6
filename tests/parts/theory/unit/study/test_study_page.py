"""The page of a study: names cannot break it, and it runs nothing."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np

from rocsolid.pictures.marks import ChartLine, LineChart
from rocsolid.report.data import MADE_UP, Note, Page
from rocsolid.theory.study.study_page import ChartGroup, render_study

HOSTILE = "<script>alert(1)</script>\"'&"


def chart(**changes: str) -> LineChart:
    titles = {"title": "A chart", "x_title": "Rows", "y_title": "Deviation", **changes}
    lines = (ChartLine(titles["title"], np.arange(3.0)),)
    return LineChart(**titles, x=np.array([1.0, 10.0, 100.0]), lines=lines, log_x=True)


def test_names_cannot_break_the_page() -> None:
    of = chart(title=HOSTILE, x_title=HOSTILE, y_title=HOSTILE)
    group = ChartGroup(HOSTILE, (HOSTILE,), (of,))
    page = Page(
        HOSTILE,
        (HOSTILE,),
        (),
        (),
        notes=(Note(HOSTILE, HOSTILE),),
        command=HOSTILE,
        leaks=replace(MADE_UP, banner=HOSTILE, verdict=HOSTILE, readers=(HOSTILE,)),
    )
    text = render_study(page, (group,))
    assert "<script" not in text
    assert html.escape(HOSTILE) in text


def test_the_page_may_run_nothing_at_all() -> None:
    text = render_study(
        Page("T", ("L",), (), (), leaks=MADE_UP), (ChartGroup("G", ("P",), (chart(),)),)
    )
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = html.unescape(found[1])
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert "http://" not in text
    assert "https://" not in text

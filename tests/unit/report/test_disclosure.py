from __future__ import annotations

import html
import re

from rocsolid.report.document import Disclosure, render_disclosure
from rocsolid.report.text import Cells

HOSTILE = "<script>alert(1)</script>\"'&</style><img src=x onerror=alert(1)>"


def review(text: str = "text", **changes: object) -> Disclosure:
    table = Cells(text, (text, text), ((text, text),))
    return Disclosure(
        **{
            "title": text,
            "lead": text,
            "output": ((text, text),),
            "verdict": text,
            "risk": ((text, text),),
            "mitigation": (text,),
            "assumptions": (text,),
            "risk_tables": (table,),
            "mitigation_tables": (table,),
            "command": text,
            **changes,
        }
    )


def test_the_page_may_run_nothing_at_all() -> None:
    text = render_disclosure(review())
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = html.unescape(found[1])
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert "http://" not in text
    assert "https://" not in text


def test_nothing_written_into_it_can_break_it() -> None:
    text = render_disclosure(review(HOSTILE))
    assert "<script" not in text
    assert "<img" not in text
    assert text.count("</style>") == 1
    assert text.count(html.escape(HOSTILE)) >= 14


def test_the_decision_is_left_to_the_reviewer() -> None:
    text = render_disclosure(review())
    form = re.search(r'<dl class="facts form">(.*?)</dl>', text)
    assert form is not None
    assert re.findall(r"<dt>([^<]*)</dt>", form[1]) == [
        "Release, change or refuse", "Reason", "Reviewer", "Date"
    ]  # fmt: skip
    assert re.findall(r"<dd>([^<]*)</dd>", form[1]) == [""] * 4


def test_parts_that_are_not_there_leave_no_trace() -> None:
    bare = render_disclosure(review(risk_tables=(), mitigation_tables=(), command=""))
    assert "<table" not in bare
    assert "Where this page comes from" not in bare
    assert bare == render_disclosure(review(risk_tables=(), mitigation_tables=(), command=""))

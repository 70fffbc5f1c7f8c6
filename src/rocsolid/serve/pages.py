"""The pages of the server, plain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocsolid.board import Receipt
from rocsolid.leaks import Replay
from rocsolid.markup import Markup, element

POLICY = (
    "default-src 'none'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The content security policy, sent as a header with every page."""


def board_page(shown: Mapping[str, Any], title: str) -> str:
    rows = [
        element("tr", *(element("td", str(one[key])) for key in ("place", "team", "value")))
        for one in shown["standings"]
    ]
    return _page(title, element("table", *rows))


def submit_page(title: str, said: str = "", receipt: Receipt | None = None) -> str:
    answer = "" if receipt is None else f"Answer {receipt.number}: {receipt.value}"
    token = element("input", type="password", name="token", aria_label="Token")
    file = element("input", type="file", name="file", aria_label="Scores")
    form = element(
        "form",
        *(token, file, element("button", "Submit")),
        method="post",
        enctype="multipart/form-data",
    )
    return _page(title, element("p", said or answer), form)


def history_page(title: str, team: str, receipts: Sequence[Receipt]) -> str:
    return _page(title, element("p", team), *(element("p", str(one)) for one in receipts))


def host_page(title: str, shown: Mapping[str, Any], replay: Replay, csrf: str, frozen: bool) -> str:
    done = "open" if frozen else "freeze"
    forms = [
        element(
            "form",
            element("input", type="hidden", name="csrf", value=csrf),
            element("button", name),
            method="post",
            action=f"/host/{name}",
        )
        for name in (done, "reveal")
    ]
    return _page(title, element("p", f"{shown['answers']} answers. {replay}"), *forms)


def sign_in_page(title: str, said: str = "") -> str:
    token = element("input", type="password", name="token", aria_label="Token")
    form = element("form", token, element("button", "Sign in"), method="post", action="/host")
    return _page(title, element("p", said), form)


def error_page(title: str, status: int, said: str) -> str:
    return _page(title, element("p", f"{status}: {said}"))


def _page(title: str, *body: Markup) -> str:
    head = element("head", element("meta", charset="utf-8"), element("title", title))
    return f"<!doctype html>\n{element('html', head, element('body', *body), lang='en')}\n"

"""The pages of the server: the standings, a form for teams, their answers, and the host's page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from rocsolid._version import __version__
from rocsolid.board.answers import bits_text, listed_and, winner
from rocsolid.board.receipts import Receipt
from rocsolid.counts import both_classes, counted
from rocsolid.leaks.replay import Replay
from rocsolid.markup import NOTHING, Markup, element, name
from rocsolid.pictures.forest import ForestRow, rows_picture
from rocsolid.pictures.lanes import MOST
from rocsolid.pictures.marks import Axis
from rocsolid.report.data import EXACT_FIGURES, Page
from rocsolid.report.document import asset, digest
from rocsolid.report.frame import Large, first_screen
from rocsolid.report.sections import section
from rocsolid.report.table import axis, forest_scale, line
from rocsolid.report.text import Cells, cells_table, prose, span
from rocsolid.results import percent
from rocsolid.results.card import Card, CardRow

_STYLE = Markup(
    asset("style.css")
    + "nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: 2rem }\n"
    "form { display: grid; gap: 1rem; justify-items: start; max-width: 30rem; margin-top: 1rem }\n"
    "label { display: grid; gap: .25rem; width: 100%; font-weight: 600 }\n"
    "label small { font-weight: 400; color: var(--muted) }\n"
    "label input { width: 100%; min-height: 2.25rem; padding: .25rem "
    ".6rem; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); "
    "color: var(--ink); font: inherit; font-weight: 400 }\n"
    "code { overflow-wrap: anywhere; font-family: var(--mono); font-size: .875rem }\n"
    "pre { max-width: 44rem; white-space: pre-wrap; overflow-wrap: anywhere }\n"
    "main > section .scroll tbody th { min-width: 0 }\n"
    ".rules > * + * { margin-top: .75rem }\n"
)
POLICY = (
    f"default-src 'none'; style-src '{digest(_STYLE)}'; img-src data:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""The content security policy, sent as a header with every page."""
_WITHOUT_HELP: dict[str, Any] = {"required": True, "autocomplete": "off"}


def board_page(shown: Mapping[str, Any], title: str, guide: Markup) -> str:
    """Render the public page: the standings, the rules, the used budgets, and how to check them."""
    rows = shown["standings"]
    teams = counted(len(rows), "team")
    state = (
        " The contest is over, and the labels are revealed."
        if shown["labels_revealed"]
        else " The contest is over."
        if shown["closed"]
        else " The host has paused the board: no answers are given at the moment."
        if shown["frozen"]
        else ""
    )
    lead = (
        f"{teams}, {counted(shown['answers'], 'answer')}. Scores are compared by their AUC on "
        f"{both_classes(shown['n_pos'], shown['n_neg'])}.{_kept(shown)}{state}"
    )
    answers = _standings(rows, shown, "Best answer") if rows else element("p", "No answers yet.")
    parts = [
        _final(shown),
        section("Standings", answers),
        section("Rules" if shown["closed"] else "Take part", guide),
        section("What the answers reveal", _budgets(shown)),
        section("Check it yourself", _how_to_check(shown)),
    ]
    return _page(title, _summary(shown), *parts, lead=lead)


def _summary(shown: Mapping[str, Any]) -> Markup:
    """The first screen: the leading teams, and the limits of every team."""
    rows = shown["final"] or shown["standings"]
    if not rows:
        return NOTHING
    what = "AUC on private rows" if shown["final"] else "Best answer"
    first = rows[0]
    limited = [row for row in rows if row["low"] is not None]
    limits = f"{percent(shown['level'])} {span(first['low'], first['high'])}" if limited else ""
    leaders = listed_and([row["team"] for row in rows if row["place"] == 1])
    lead = CardRow(leaders, first["value"], f"{first['value']:.4g}", limits)
    lanes = [
        ForestRow(row["team"], _within(row), (row["low"], row["high"]), tint=i,
                  words=span(row["low"], row["high"]))
        for i, row in enumerate(limited[:MOST])
    ]  # fmt: skip
    large: tuple[Large, ...] = ()
    if lanes:
        title = f"AUC on new rows, {percent(shown['level'])} limits of all teams at once"
        spoken = ", ".join(f"{lane.text} {lane.words}" for lane in lanes)
        x = Axis.around([end for lane in lanes for end in lane.ends], title="AUC")
        large = (Large(rows_picture(lanes, x, title, f"{spoken}.")),)
    page = Page("", card=Card(what, rows=(lead,)), large=large, leaks=EXACT_FIGURES)
    return first_screen(page)


def submit_page(
    title: str, guide: Markup, closed: bool, message: str = "", receipt: Receipt | None = None
) -> str:
    """Render the forms for teams, or only the form for earlier answers if the board is closed."""
    above = [element("p", message, class_="verdict", role="alert")] if message else []
    if receipt is not None:
        above.append(section("Your answer", _receipts([receipt])))
    submit = element(
        "form",
        _token(),
        element(
            "label",
            "Scores",
            element("small", "CSV or Parquet"),
            element("input", type="file", name="file", required=True),
        ),
        element("button", "Submit"),
        method="post",
        action="/submit",
        enctype="multipart/form-data",
    )
    history = element(
        "form",
        _token(),
        element("button", "Show the answers"),
        NOTHING if closed else element("button", "Download an example file", formaction="/example"),
        method="post",
        action="/history",
    )
    over = element("p", "This board accepts no more files and no more choices.")
    return _page(
        title,
        *above,
        section("The contest is over", over) if closed else section("Submit scores", submit),
        section("Rules", guide),
        section(f"Your team's answers{'' if closed else ', and an example file'}", history),
        NOTHING if closed else _choice(),
    )


def history_page(
    title: str, closed: bool, team: str, receipts: Sequence[Receipt], counts: int | None
) -> str:
    """Render the answers to a team with their receipts; ``counts`` is the counting answer."""
    shown = _receipts(receipts, counts) if receipts else element("p", "There are no answers yet.")
    choice = NOTHING if closed else _choice()
    return _page(title, section("Answers", shown), choice, lead=name(team))


def _choice() -> Markup:
    number = element("input", type="text", inputmode="numeric", name="answer", **_WITHOUT_HELP)
    form = element(
        "form",
        _token(),
        element("label", "Answer", element("small", "by its number"), number),
        element("button", "Choose"),
        method="post",
        action="/choose",
    )
    return section("Choose the file that counts", form)


def host_page(title: str, shown: Mapping[str, Any], audit: Markup, csrf: str) -> str:
    """Render the host's page: revealed bits, the ``audit``, and buttons to pause or end."""
    acts = []
    if shown["labels_revealed"]:
        acts.append(element("p", "The labels are revealed. The record contains everything."))
    elif shown["closed"]:
        acts.append(element("p", "The contest is over. The labels are secret."))
    else:
        frozen = shown["frozen"]
        pause = "Answer again" if frozen else "Pause the board"
        acts += [
            _act("open" if frozen else "freeze", csrf, element("button", pause)),
            _for_good("close", csrf, "To end the contest permanently and show the final standings "
                      "without the labels, type", "Close the contest"),
        ]  # fmt: skip
    if not shown["labels_revealed"]:
        acts.append(
            _for_good("reveal", csrf, "To end the contest permanently and publish the labels, the "
                      "key and all rankings, type", "Reveal the labels")
        )  # fmt: skip
    return _page(
        title,
        section("The contest", element("div", *acts)),
        section("Probing", audit),
        section("What the answers reveal", _budgets(shown)),
        lead="For the host only.",
    )


def audit(replay: Replay) -> Markup:
    """Render the submissions that look like probes."""
    suspects = Cells(
        "Submissions that look like probes.",
        ("Time", "Team", "Answer", "Signs"),
        tuple((o.time, o.account, f"{o.score:g}", ", ".join(o.signs)) for o in replay.suspects),
        names=2,
    )
    return element(
        "div",
        element("p", prose(f"{replay}.")),
        cells_table(suspects)
        if replay.suspects
        else element("p", "No submission looks like a probe."),
    )


def sign_in_page(title: str, message: str = "") -> str:
    form = element("form", _token(), element("button", "Sign in"), method="post", action="/host")
    above = [element("p", message, class_="verdict", role="alert")] if message else []
    return _page(title, *above, section("Sign in as the host", form))


def error_page(title: str, status: int, message: str) -> str:
    return _page(title, section("This did not work", element("p", f"{message} ({status})")))


def _final(shown: Mapping[str, Any]) -> Markup:
    """Render the final standings and the winner, or nothing before the contest is over."""
    final = shown["final"]
    if not final:
        over = shown["closed"] and not shown["private_rows"]
        text = "All rows were answered, so the standings below are the final ones."
        return section("Final standings", element("p", text)) if over else NOTHING
    bits = shown["final_bits"]
    rounded = "" if bits is None else (
        f" Values are rounded and reveal at most {bits:.1f} bits about the private labels."
    )  # fmt: skip
    verdict = prose(f"{winner(final)}.{rounded}")
    table = _standings(final, shown, "AUC on private rows")
    above = element("p", verdict, class_="verdict")
    return section("Final standings", element("div", above, table))


def _standings(rows: Sequence[Any], shown: Mapping[str, Any], value: str) -> Markup:
    final = rows is shown["final"]
    limits = all(standing["low"] is not None for standing in rows)
    drawn = [
        {"measure": "auc", "certified": None, **standing, "value": _within(standing)}
        for standing in rows
        if limits
    ]
    over = forest_scale(drawn) if limits else None
    heads = [
        element("th", "Place", scope="col"),
        element("th", "Team", scope="col"),
        element("th", value, scope="col", class_="figure"),
    ]
    if not final:
        heads.append(element("th", "Answers", scope="col", class_="figure"))
    if over is not None:
        heads += [
            element("th", "AUC on new rows", scope="col", class_="figure"),
            element(
                "th",
                element("span", "Limits drawn", class_="unseen"),
                axis(over),
                scope="col",
                class_="drawn",
            ),
            element("th", "Possible places", scope="col", class_="figure"),
        ]
    body = []
    for row, standing in enumerate(rows):
        cells = [
            element("th", str(standing["place"]), scope="row"),
            element("td", name(standing["team"])),
            element("td", f"{standing['value']:.4g}", class_="figure value"),
        ]
        if not final:
            cells.append(element("td", f"{standing['answers']:,}", class_="figure"))
        if over is not None:
            best, worst = standing["best_place"], standing["worst_place"]
            cells += [
                element("td", span(standing["low"], standing["high"]), class_="figure"),
                element("td", line(drawn[row], over), class_="drawn"),
                element("td", f"{best}" if best == worst else f"{best} – {worst}", class_="figure"),
            ]
        body.append(element("tr", *cells, class_="c0"))
    caption = (
        "Teams are ranked by their chosen submission, or else by the first with their best answer, "
        "on rows that no answer used."
        if final
        else "Teams with the same best answer share a place."
    )
    if limits:
        caption += (
            f" Limits and possible places hold for all teams at once at {percent(shown['level'])}"
            f"{'' if final else ', whatever the teams learned from their answers'}."
        )
    return _table(value, heads, body, caption, "scroll standings")


def _table(
    label: str, heads: list[Markup], body: list[Markup], remark: str, kind: str = "scroll"
) -> Markup:
    """Render a table that scrolls on a narrow page, above a remark that does not scroll."""
    table = element("table", element("thead", element("tr", *heads)), element("tbody", *body))
    box = element("div", table, class_=kind, role="group", tabindex=0, aria_label=label)
    return element("div", box, element("p", prose(remark), class_="remark"))


def _kept(shown: Mapping[str, Any]) -> str:
    if not shown["private_rows"]:
        return ""
    return f" Another {shown['private_rows']:,} rows are held back and decide the final places."


def _within(standing: Mapping[str, Any]) -> float:
    return float(min(max(standing["value"], standing["low"]), standing["high"]))


def _budgets(shown: Mapping[str, Any]) -> Markup:
    facts = {
        "Answers come from": shown["defence"],
        "Answers": f"{shown['answers']:,}",
        "Revealed": bits_text(shown),
    }
    if shown["rho"]:
        limit = shown["rho_budget"]
        facts["Privacy spent (zCDP)"] = f"{shown['rho']:.4g}" + (f" of {limit:g}" if limit else "")
    if shown["releases_per_account"] is not None:
        facts["Answers to one team, at most"] = f"{shown['releases_per_account']:,}"
    rows = [element("div", element("dt", key), element("dd", text)) for key, text in facts.items()]
    meant = (
        f"A bit is the answer to one yes-or-no question. {shown['label_bits']:.1f} bits would "
        "reveal the labels of all rows that answers use. The number above is an upper bound, "
        "on average over the possible labels, on what all readers together learn from all answers. "
        "A single answer can reveal more by chance."
    )
    return element(
        "div", element("dl", *rows, class_="facts"), element("p", meant, class_="remark")
    )


def _how_to_check(shown: Mapping[str, Any]) -> Markup:
    record = element("a", "record of all answers", href="/api/record")
    return element(
        "div",
        element(
            "p",
            "Before its first answer the board committed to its rows, labels and defence. Note "
            "this commitment, and keep your receipts:",
        ),
        element("p", element("code", shown["commitment"])),
        element(
            "p",
            "The ",
            record,
            " is always public. Once the labels are revealed, it shows whether each answer was "
            "right and unchanged:",
        ),
        element(
            "pre",
            "rocsolid board verify record.json --receipt receipt-1.json --commitment "
            f"{shown['commitment'][:8]}…",
            tabindex=0,
        ),
        class_="rules",
    )


def _receipts(receipts: Sequence[Receipt], counts: int | None = None) -> Markup:
    """Render a table of answers with links that save the receipts; mark the counting answer."""
    body = []
    for receipt in receipts:
        text = json.dumps(receipt.to_dict(), indent=2)
        link = element(
            "a",
            "Save",
            element("span", f" the receipt of answer {receipt.number}", class_="unseen"),
            href=f"data:application/json,{quote(text)}",
            download=f"receipt-{receipt.number}.json",
        )
        body.append(
            element(
                "tr",
                element("th", f"{receipt.number:,}", scope="row"),
                element("td", f"{receipt.decimal:.6g}", class_="figure value"),
                element("td", receipt.meaning, "; this file counts" * (receipt.number == counts)),
                element("td", link),
                element("td", receipt.at.replace("T", " ").replace("+00:00", " UTC")),
            )
        )
    heads = [
        element("th", text, scope="col", class_="figure" if text == "Value" else "")
        for text in ("Answer", "Value", "What it is", "Receipt", "Time")
    ]
    advice = "Keep the receipts: they prove what the board answered, and when."
    return _table("Answers and receipts", heads, body, advice)


def _token() -> Markup:
    field = element("input", type="password", name="token", **_WITHOUT_HELP)
    return element("label", "Token", element("small", "from the host of this board"), field)


def _for_good(action: str, csrf: str, what: str, button: str) -> Markup:
    """Render a form that acts only after the word is typed."""
    word = element("input", type="text", name="confirm", pattern=action, **_WITHOUT_HELP)
    return _act(
        action, csrf, element("label", f"{what}: {action}", word), element("button", button)
    )


def _act(action: str, csrf: str, *content: Markup) -> Markup:
    hidden = element("input", type="hidden", name="csrf", value=csrf)
    return element("form", hidden, *content, method="post", action=f"/host/{action}")


def _page(title: str, *parts: Markup, lead: str = "") -> str:
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("link", rel="icon", href="data:,"),
        element("title", title),
        element("style", _STYLE),
    ]
    places = {"/": "Standings", "/submit": "Submit", "/host": "Host"}
    links = [element("a", text, href=path) for path, text in places.items()]
    body = [
        element("nav", *links, aria_label="Pages"),
        element(
            "header",
            element("h1", name(title)),
            element("p", lead, class_="lead") if lead else NOTHING,
        ),
        element("main", *parts),
        element("footer", element("p", f"Made by rocsolid {__version__}.")),
    ]
    whole = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{whole}\n"

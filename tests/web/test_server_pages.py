"""The pages of a running server in a real browser: standings, a submission, receipts, the host."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from contest import labels, served, table

from rocsolid.board import Leaderboard, verify

ROWS = 60
HOSTILE = '<script>document.title="taken"</script>'
OUTSIDE = (
    "[...document.querySelectorAll('body *')].filter(e => e.checkVisibility()"
    " && !e.closest('.scroll, pre, .unseen') && !(e instanceof SVGElement)"
    " && e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)"
    ".map(e => e.outerHTML.slice(0, 200))"
)


@dataclass
class Contest:
    """A server with answers, and what is needed to go on."""

    address: str
    ann: str
    host: str
    scores: Path


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    folder = tmp_path_factory.mktemp("server")
    board = str(folder / "ecg.board")
    file = folder / "scores.csv"
    file.write_bytes(table(ROWS, 7))
    with Leaderboard.create(
        board, labels(ROWS), label="ill", id="id", defence="Rounded(2)", most_bits=200.0, public=0.6
    ) as made:
        ann, host = made.access.issue("ann"), made.access.issue_to_host()
        for seed, team in enumerate((HOSTILE, "bob", "ein sehr langer Name ohne Ende" * 3)):
            name = folder / f"{seed}.csv"
            name.write_bytes(table(ROWS, seed))
            made.submit(team, str(name))
    with served(folder, board) as running:
        yield Contest(running.address, ann, host, file)


def go(tab: Any, action: str) -> None:
    """Do what leads to another page, and wait for that page."""
    tab.evaluate("window.before = true")
    tab.evaluate(action)
    for _ in range(600):
        if tab.evaluate("!window.before && document.readyState === 'complete'"):
            return
        time.sleep(0.02)
    raise TimeoutError(action)


def fill(tab: Any, form: str, token: str) -> None:
    tab.evaluate(f"document.querySelector('{form} [name=token]').value = {json.dumps(token)}")


def text(tab: Any) -> str:
    found: str = tab.evaluate("document.body.innerText")
    return found


def look(tab: Any, axe: str) -> None:
    """At a desk and on a phone, by day and by night."""
    for width in (1280, 360):
        for scheme in ("light", "dark"):
            tab.size(width, 900)
            tab.media("", scheme)
            assert tab.evaluate(OUTSIDE) == [], width
            assert tab.violations(axe) == [], (width, scheme)
    assert tab.complaints() == []
    assert "taken" not in tab.evaluate("document.title")


def test_the_standings_can_be_read_by_everybody(browser: Any, axe: str, contest: Contest) -> None:
    tab = browser.open(contest.address)
    assert HOSTILE in text(tab)
    assert "3 teams, 3 answers" in text(tab)
    rows = tab.evaluate("document.querySelectorAll('.standings tbody tr').length")
    assert rows == tab.evaluate("document.querySelectorAll('.standings tbody svg').length") == 3
    look(tab, axe)


def test_a_team_submits_and_keeps_its_receipt(browser: Any, axe: str, contest: Contest) -> None:
    tab = browser.open(f"{contest.address}/submit")
    look(tab, axe)
    form = 'form[action="/submit"]'
    fill(tab, form, contest.ann)
    document = tab.call("DOM.getDocument")["root"]["nodeId"]
    field = tab.call("DOM.querySelector", nodeId=document, selector="input[type=file]")["nodeId"]
    tab.call("DOM.setFileInputFiles", nodeId=field, files=[str(contest.scores)])
    go(tab, f"document.querySelector('{form} button').click()")
    assert "Your answer" in text(tab)
    look(tab, axe)
    saved = tab.evaluate("document.querySelector('a[download]').href").partition(",")[2]
    receipt = json.loads(unquote(saved))
    assert (receipt["team"], receipt["number"]) == ("ann", 4)
    fill(tab, 'form[action="/history"]', contest.ann)
    go(tab, "document.querySelector('form[action=\"/history\"] button').click()")
    assert tab.evaluate("document.querySelector('header .lead').textContent") == "ann"
    assert tab.evaluate("document.querySelectorAll('tbody tr').length") == 1
    look(tab, axe)
    tab.close()


def test_a_wrong_token_is_refused_in_words(browser: Any, axe: str, contest: Contest) -> None:
    tab = browser.open(f"{contest.address}/submit")
    fill(tab, 'form[action="/history"]', "wrong")
    go(tab, "document.querySelector('form[action=\"/history\"] button').click()")
    assert "this token belongs to no team" in text(tab).lower()
    assert tab.violations(axe) == []


def test_the_host_pauses_and_ends_the_contest(browser: Any, axe: str, contest: Contest) -> None:
    tab = browser.open(f"{contest.address}/host")
    look(tab, axe)
    fill(tab, "form", contest.host)
    go(tab, "document.querySelector('form button').click()")
    assert "Pause the board" in text(tab)
    look(tab, axe)
    press = "document.querySelector('form[action=\"/host/{}\"] button').click()"
    go(tab, press.format("freeze"))
    assert "Answer again" in text(tab)
    assert "has paused the board" in text(browser.open(contest.address))
    go(tab, press.format("open"))
    confirm = "document.querySelector('form[action=\"/host/reveal\"] [name=confirm]')"
    for typed in ("", "yes"):
        tab.evaluate(f"{confirm}.value = '{typed}'")
        tab.evaluate(press.format("reveal"))
        time.sleep(0.2)
        assert "Reveal the labels" in text(tab)
    tab.evaluate(f"{confirm}.value = 'reveal'")
    go(tab, press.format("reveal"))
    assert "The labels are revealed" in text(tab)
    look(tab, axe)
    end = browser.open(contest.address)
    assert "Final standings" in text(end)
    assert len(end.evaluate("[...document.querySelectorAll('.standings')].map(e => e.id)")) == 2
    look(end, axe)
    record = browser.open(f"{contest.address}/api/record")
    assert verify(json.loads(text(record))).holds

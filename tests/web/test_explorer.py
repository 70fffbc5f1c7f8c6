"""The threshold explorer of a private page, by keyboard, in the address, and on public pages."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from explorer_page import COUNTS, LIMITS, by_hand, keyed, tab_to, typed
from rocsolid.intervals.guarantees.roc_band import rate_boxes

NAMES = ["risk", "coarse & <b>"]
ROWS = 700


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    rng = np.random.default_rng(23)
    y = (rng.random(ROWS) < 0.2).astype(int)
    risk = rng.normal(size=ROWS) + y
    return {"y": y, NAMES[0]: risk, NAMES[1]: np.round(-risk, 1)}


@pytest.fixture(scope="module")
def page(table: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("web") / "explored.html"
    found = rs.evaluate(table, label="y", scores=NAMES)
    file.write_text(found.to_html(title="Explored"), encoding="utf-8")
    return file


@pytest.mark.parametrize("order", [0, 1])
def test_the_keyboard_alone_gives_the_counts_of_numpy(
    browser: Any, page: Path, table: dict[str, Any], order: int
) -> None:
    """From the top of the page by Tab, to a score by arrows, to the field, and fifty thresholds."""
    tab = browser.open(page)
    tab_to(tab, ".side input[type=radio]")
    for _ in range(order):
        tab.press("ArrowRight")
    tab_to(tab, "[data-ask=cut]")
    rng = np.random.default_rng(5)
    score = np.asarray(table[NAMES[order]])
    cuts = [*rng.uniform(score.min() - 0.1, score.max() + 0.1, 25), *rng.choice(score, 25)]
    for cut in cuts:
        keyed(tab, repr(float(cut)))
        assert json.loads(tab.evaluate(COUNTS)) == by_hand(table, NAMES[order], cut)
    assert tab.evaluate("document.activeElement.dataset.ask") == "cut"
    assert tab.complaints() == []


@pytest.mark.parametrize("verb", ["evaluate", "curve"])
def test_the_explorer_starts_at_the_threshold_of_the_net_benefit(
    browser: Any, table: dict[str, Any], verb: str, tmp_path: Path
) -> None:
    chance = {"y": table["y"], "p": 1 / (1 + np.exp(1.5 - np.asarray(table["risk"])))}
    if verb == "evaluate":
        measures = ["auc", "net_benefit@0.3", "net_benefit@0.1"]
        answer = rs.evaluate(chance, label="y", scores="p", measures=measures)
    else:
        answer = rs.curve(chance, label="y", scores="p", net_benefit=[0.3, 0.1])
    file = tmp_path / "benefit.html"
    file.write_text(answer.to_html(), encoding="utf-8")
    tab = browser.open(file)
    assert json.loads(tab.evaluate(COUNTS)) == by_hand(chance, "p", 0.3)
    assert tab.complaints() == []


def test_limits_are_those_of_all_thresholds_at_once(
    browser: Any, page: Path, table: dict[str, Any]
) -> None:
    tab = browser.open(page)
    y, score = np.asarray(table["y"]) == 1, np.asarray(table["risk"])
    for cut in (score.max(), 1.0, -0.3, score.min()):
        typed(tab, "cut", repr(float(cut)))
        hits, alarms = (np.array([int((score[rows] >= cut).sum())]) for rows in (y, ~y))
        boxes = rate_boxes(
            hits, alarms, (int(y.sum()), int((~y).sum())), "equal-local-levels", 0.95
        )
        (t0, t1), (f0, f1) = [[float(end[0]) for end in both] for both in boxes]
        p = y.mean()
        wanted = [
            (t0, t1),
            (1 - f1, 1 - f0),
            (p * t0 / (p * t0 + (1 - p) * f1), p * t1 / (p * t1 + (1 - p) * f0)),
            (
                (1 - p) * (1 - f1) / ((1 - p) * (1 - f1) + p * (1 - t0)),
                (1 - p) * (1 - f0) / ((1 - p) * (1 - f0) + p * (1 - t1)),
            ),
        ]
        for said, (low, high) in zip(json.loads(tab.evaluate(LIMITS)), wanted, strict=False):
            shown = [float(end.strip(" <>%\u00a0")) / 100 for end in said.split("–")]
            assert shown == pytest.approx([low, high], abs=6e-4)


def test_goals_costs_and_prevalence_move_it(
    browser: Any, page: Path, table: dict[str, Any]
) -> None:
    tab = browser.open(page)
    typed(tab, "top", "5")
    assert json.loads(tab.evaluate(COUNTS))[2] == ROWS * 5 // 100
    typed(tab, "find", "90")
    found = json.loads(tab.evaluate(COUNTS))
    assert (found[0] - 1) / found[6] < 0.9 <= found[0] / found[6]
    typed(tab, "prevalence", "2")
    value = tab.evaluate("document.querySelector('[data-value=ppv]').textContent")
    tpr, fpr = found[0] / found[6], found[1] / found[7]
    ppv = 0.02 * tpr / (0.02 * tpr + 0.98 * fpr)
    assert float(value.split("\u00a0")[0]) == pytest.approx(100 * ppv, abs=0.06)
    curve = rs.roc(table["y"], table["risk"])
    for miss in (1, 30, 400):
        typed(tab, "miss", str(miss))
        tab.evaluate("document.querySelector('[data-do=best]').click()")
        counts = json.loads(tab.evaluate(COUNTS))
        least = np.min(0.02 * (1 - curve.tpr) * miss + 0.98 * curve.fpr)
        here = 0.02 * (1 - counts[0] / counts[6]) * miss + 0.98 * counts[1] / counts[7]
        assert here == pytest.approx(least)
    typed(tab, "cut", "nonsense")
    assert tab.evaluate("document.activeElement.ariaInvalid") == "true"
    assert json.loads(tab.evaluate(COUNTS)) == counts
    assert tab.complaints() == []


def test_arrows_step_through_thresholds_and_the_address_keeps_them(
    browser: Any, page: Path
) -> None:
    tab = browser.open(page)
    tab.evaluate("document.querySelector('.side input[type=radio]').focus()")
    tab.press("ArrowRight")
    typed(tab, "prevalence", "7")
    typed(tab, "cut", "0.5")
    before = json.loads(tab.evaluate(COUNTS))
    tab.press("ArrowDown")
    after = json.loads(tab.evaluate(COUNTS))
    assert after[2] > before[2]
    tab.evaluate("document.querySelector('[data-do=pin]').click()")
    pinned = (
        "document.querySelector('.live-part tbody tr th:first-child').isConnected &&"
        " [...document.querySelectorAll('.explorer .scroll tbody tr')].map((r) => r.innerText)"
    )
    kept = tab.evaluate(pinned)
    assert len(kept) == 1
    end = time.monotonic() + 10
    while "pin=" not in tab.evaluate("location.hash") and time.monotonic() < end:
        time.sleep(0.05)
    fragment = tab.evaluate("location.hash")
    other = browser.open(page)
    assert json.loads(other.evaluate(COUNTS)) != after
    other.evaluate(f"location.hash = {json.dumps(fragment)}")
    other.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert json.loads(other.evaluate(COUNTS)) == after
    assert other.evaluate(pinned) == kept
    assert other.evaluate("document.querySelector('.side :checked').value") == "1"
    other.evaluate("location.hash = '#score=nobody&cut=x'")
    other.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert json.loads(other.evaluate(COUNTS)) == after
    assert [*tab.complaints(), *other.complaints()] == []


def test_the_cut_is_dragged_over_the_histogram(
    browser: Any, page: Path, table: dict[str, Any]
) -> None:
    tab = browser.open(page)
    tab.evaluate("document.querySelector('svg.classes').scrollIntoView({block: 'center'})")
    box = tab.evaluate(
        "(() => { const r = document.querySelector('svg.classes').getBoundingClientRect();"
        " return [r.left, r.top, r.width, r.height]; })()"
    )
    tab.point(box[0] + 0.6 * box[2], box[1] + 0.4 * box[3], click=True)
    low, high = (
        float(v)
        for v in tab.evaluate("document.querySelector('svg.classes').dataset.range").split()
    )
    cut = low + (0.6 * 400 - 48) / 340 * (high - low)
    assert json.loads(tab.evaluate(COUNTS))[2] == pytest.approx(
        int((np.asarray(table["risk"]) >= cut).sum()), abs=4
    )


@pytest.mark.slow
def test_a_public_page_has_none_of_it(table: dict[str, Any]) -> None:
    """Neither the counts nor the script that reads them: its audit did not see them."""
    found = rs.evaluate(table, label="y", scores=NAMES)
    private, public = found.to_html(), found.public(max_exposed=ROWS).to_html()
    for part in ("data-hits", "data-alarms", "data-limits", 'class="explorer', "function explore"):
        assert part in private
        assert part not in public


def test_the_audit_counts_what_the_thresholds_tell(table: dict[str, Any]) -> None:
    """Without ties every label is certain, whatever corners are drawn."""
    page = rs.evaluate(table, label="y", scores="risk").to_html()
    assert f"at least {ROWS} of {ROWS} labels" in page


def test_weights_have_counts_of_weight_and_no_intervals(
    browser: Any, table: dict[str, Any], tmp_path: Path
) -> None:
    weight = np.random.default_rng(3).integers(1, 4, ROWS)
    found = rs.evaluate({**table, "w": weight}, label="y", scores="risk", sample_weight="w")
    (tmp_path / "weighted.html").write_text(found.to_html(), encoding="utf-8")
    tab = browser.open(tmp_path / "weighted.html")
    typed(tab, "cut", "0.5")
    flagged = (table["risk"] >= 0.5) & (table["y"] == 1)
    assert json.loads(tab.evaluate(COUNTS))[0] == pytest.approx(weight[flagged].sum(), abs=0.11)
    assert set(json.loads(tab.evaluate(LIMITS))) == {"none"}
    assert tab.complaints() == []


@pytest.mark.parametrize("low", [False, True])
def test_a_typed_threshold_has_the_counts_of_numpy_on_a_long_curve(
    browser: Any, tmp_path: Path, low: bool
) -> None:
    """Of 40,000 thresholds the page has those of few digits: typed, each has its exact counts."""
    rng = np.random.default_rng(4)
    y = np.arange(40_000) % 9 == 0
    score = (rng.normal(size=40_000) + y) * (-1 if low else 1)
    found = rs.evaluate({"y": y, "s": score}, label="y", scores="s", lower_is_better=low)
    page = found.to_html()
    assert len(page.encode()) < 400_000
    digits = int(re.findall(r"every threshold of up to (\d) significant", page)[0])
    assert digits >= 4
    (tmp_path / "long.html").write_text(page, encoding="utf-8")
    tab = browser.open(tmp_path / "long.html")
    for cut in ("1.234", "0.5", "-0.0123", "0", "-2", "0.001", "-1.999", "9"):
        typed(tab, "cut", cut)
        flagged = score <= float(cut) if low else score >= float(cut)
        counts = json.loads(tab.evaluate(COUNTS))
        assert counts[:3] == [(flagged & y).sum(), (flagged & ~y).sum(), flagged.sum()], cut
        assert "Your" not in tab.evaluate("document.querySelector('.said').textContent")
    typed(tab, "top", "33.33333")
    said = tab.evaluate("document.querySelector('.said').textContent")
    assert "another one may come nearer to your 33.33333" in said
    cut = float(tab.evaluate("document.querySelector('[data-ask=cut]').value"))
    flagged = score <= cut if low else score >= cut
    assert json.loads(tab.evaluate(COUNTS))[2] == flagged.sum()
    # more digits than the page has: it says between which counts those of the typed value lie
    typed(tab, "cut", "0.5123456789")
    said = tab.evaluate("document.querySelector('.said').textContent")
    assert f"thresholds of up to {digits} significant digits here: your 0.5123456789 flags" in said
    words = said.replace(",", "").split()
    few, many = int(words[-4]), int(words[-2])
    exact = score <= 0.5123456789 if low else score >= 0.5123456789
    assert few <= int(exact.sum()) <= many < few + 10
    assert tab.complaints() == []


def test_where_few_rows_are_flagged_every_typed_value_is_exact(
    browser: Any, tmp_path: Path
) -> None:
    """Rare positives in 20,000 rows: thresholds between those of the rows, and on them."""
    rng = np.random.default_rng(7)
    y = np.arange(20_000) % 250 == 0
    score = rng.normal(size=20_000) + 2.0 * y
    found = rs.evaluate({"y": y, "s": score}, label="y", scores="s")
    (tmp_path / "rare.html").write_text(found.to_html(), encoding="utf-8")
    tab = browser.open(tmp_path / "rare.html")
    top = np.sort(score)[::-1]
    for cut in ("2.8", "3.2", "3", "2.9", "1.9", repr(float(top[400])), repr(float(top[950]))):
        typed(tab, "cut", cut)
        flagged = score >= float(cut)
        counts = json.loads(tab.evaluate(COUNTS))
        assert counts[:3] == [int((flagged & y).sum()), int((flagged & ~y).sum()), flagged.sum()]
        assert "Your" not in tab.evaluate("document.querySelector('.said').textContent")
    typed(tab, "top", "50")
    assert json.loads(tab.evaluate(COUNTS))[2] == 10_000
    assert "Your" not in tab.evaluate("document.querySelector('.said').textContent")
    tab.evaluate("document.querySelector('[data-ask=cut]').focus()")
    keyed(tab, "abc")
    assert tab.evaluate("document.querySelector('[data-ask=cut]').value") != "abc"
    assert tab.complaints() == []

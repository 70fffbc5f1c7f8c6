"""The page for a disclosure review in a real browser: it can be read, and printed on one sheet."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocsolid import leaks
from rocsolid.evaluation.disclosure import ExposedRows, review_release, roundings
from rocsolid.report.document import render_disclosure

HOSTILE = '<script>document.title="taken"</script>'


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scores, options = np.arange(60), {"n_pos": 20}
    exposed = leaks.exposure("7/8", scores, **options)
    rows = tuple((str(one.row), one.probability, False) for one in exposed.most_exposed(10))
    text = render_disclosure(
        review_release(
            leaks.count("7/8", scores, **options),
            (("Released", "AUC 7/8"), ("Scores", HOSTILE), ("Number of positives", "20")),
            exposure=exposed,
            rows=ExposedRows("line of scores.csv, counting the header", rows),
            rounded=roundings("7/8", scores, **options),
            limit=20.0,
            command="rocsolid leak count scores.csv --score risk --auc 7/8 --n-pos 20 --rows 10",
        )
    )
    file = tmp_path_factory.mktemp("web") / "review.html"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("width", [360, 1280])
def test_it_renders_without_complaint(browser: Any, review: Path, width: int) -> None:
    tab = browser.open(review, width=width)
    assert tab.evaluate("document.title") == "Disclosure review: a released AUC"
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert (
        tab.evaluate("[...document.querySelectorAll('.form dd')].map(d => d.textContent)")
        == [""] * 4
    )
    lines = "[...document.querySelectorAll('.form dd')].every(d => d.clientWidth > 100)"
    assert tab.evaluate(lines)
    assert tab.complaints() == []


def test_it_prints_on_one_sheet(browser: Any, review: Path) -> None:
    a4 = {"paperWidth": 8.27, "paperHeight": 11.69}
    printed = base64.b64decode(browser.open(review).call("Page.printToPDF", **a4)["data"])
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1

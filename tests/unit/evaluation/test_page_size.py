"""The whole page of many scores stays small enough to be sent by post."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.public.page import public_page
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.report.data import MADE_UP
from rocsolid.report.html import render


@pytest.mark.slow
def test_twenty_scores_stay_below_400_kilobytes() -> None:
    """With every section that twenty scores bring; the size hardly grows with the rows.

    A page of 10⁶ rows was no larger than one of 2·10⁴.
    """
    rng = np.random.default_rng(0)
    rows = 20_000
    y = (rng.random(rows) < 0.1).astype(int)
    base = rng.normal(size=rows) + 1.2 * y
    names = [f"model_{i:02d}" for i in range(20)]
    table = {name: base + (0.3 + 0.02 * i) * rng.normal(size=rows) for i, name in enumerate(names)}
    page = rs.evaluate({"y": y, **table}, label="y", scores=names).to_html()
    assert len(page.encode()) < 400_000
    titles = re.findall(r"<h2 id=.[\w-]+.>(.*?)</h2>", page)
    assert {"Scores compared", "How much more data would help"} < set(titles)


def scores_by_segment(scores: int, segments: int) -> rs.results.Answer:
    """Segments of different sizes, the largest ones in the middle of the order of their values."""
    rng = np.random.default_rng(1)
    rows = 4_000
    y = (rng.random(rows) < 0.4).astype(int)
    base = y + rng.normal(size=rows)
    table = {
        f"model number {i}": base + (0.2 + 0.1 * i) * rng.normal(size=rows) for i in range(scores)
    }
    share = 1.0 + np.minimum(np.arange(segments), np.arange(segments)[::-1])
    code = rng.choice(segments, rows, p=share / share.sum())
    site = np.array([f"Hospital number {i:03d}" for i in range(segments)])[code]
    return rs.evaluate({"y": y, "site": site, **table}, label="y", scores=list(table), by="site")


@pytest.mark.slow
@pytest.mark.parametrize(("scores", "segments"), [(20, 25), (10, 9), (6, 60), (1, 400)])
def test_segments_of_many_scores_stay_below_400_kilobytes(scores: int, segments: int) -> None:
    page = scores_by_segment(scores, segments).to_html()
    assert len(page.encode()) < 400_000
    assert re.search("segments? with the most rows", page)
    assert "the JSON output has all." in page


@pytest.mark.slow
def test_a_public_page_of_many_scores_and_segments_stays_below_400_kilobytes() -> None:
    published = without_audit(scores_by_segment(20, 25).basis)
    page = render(public_page(dataclasses.replace(published, audit=MADE_UP)))
    assert len(page.encode()) < 400_000
    assert "the public JSON output has all of them" in page


@pytest.mark.slow
def test_the_table_has_the_largest_segments_and_every_score() -> None:
    evaluation = scores_by_segment(6, 30)
    page = evaluation.to_html()
    table = page.split(">All numbers</h2>")[1].split("</table>")[0]
    listed = re.findall('<th scope="row"><bdi>(.*?)</bdi></th><td[^>]*>(?:<bdi>)?(.*?)<', table)
    sizes = {r.by["site"]: r.n_pos + r.n_neg for r in evaluation.results if r.by is not None}
    sites = [site for _, site in listed if site != "all"]
    assert {score for score, site in listed if site == "all"} == {
        f"model number {i}" for i in range(6)
    }
    assert len(sites) == 6 * 9
    assert min(sizes[site] for site in sites) >= max(
        size for site, size in sizes.items() if site not in sites
    )

"""What each kind of page says that it gives away, held against what stands on it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.certificates import certify
from rocsolid.evaluation.certify_table import certificate_page
from rocsolid.evaluation.curve_table import curve_table

RNG = np.random.default_rng(7)
ILL = (RNG.random(800) < 0.3).astype(int)
RISK = np.round(ILL + RNG.normal(size=800), 3)


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def certain(y: np.ndarray, s: np.ndarray) -> int:
    """Rows whose score no row of the other class has: the corners tell their labels."""
    return sum(len({*y[s == score].tolist()}) == 1 for score in s.tolist())


def test_the_page_of_a_curve_counts_the_labels_that_its_corners_tell() -> None:
    text = plain(curve_table({"ill": ILL, "risk": RISK}, label="ill", scores="risk").to_html())
    assert text.index("Private report") < text.index("The ROC curve of")
    assert f"can infer at least {certain(ILL, RISK):,} of 800 labels from this page" in text
    for item in ("path every label", "band every label", "operating points an equation"):
        assert item in text


def test_a_certificate_reads_its_verdict_off_its_bound() -> None:
    hinge = plain(certificate_page(certify(RISK, y=ILL, bound="hinge")))
    assert "certified interval (hinge) nothing more" in hinge
    bets = plain(certificate_page(certify(RISK, y=ILL, bound="betting")))
    assert "certified interval (betting) an equation" in bets


def test_a_page_of_means_over_queries_counts_what_it_prints() -> None:
    grade = RNG.integers(0, 3, 240)
    table = {"grade": grade, "q": np.arange(240) // 12, "a": RNG.normal(size=240) + grade,
             "b": RNG.normal(size=240)}  # fmt: skip
    found = rs.evaluate(table, label="grade", scores=["a", "b"], qid="q", measures=["ndcg@5"])
    text = plain(found.to_html())
    # two means, one difference, and ten queries with a value of each score
    assert "This page prints 23 numbers that are computed from the relevance grades" in text
    assert "Of these numbers, 20 are for a single query" in text
    table["c"] = RNG.normal(size=240)
    found = rs.evaluate(table, label="grade", scores=["a", "b", "c"], qid="q", measures=["ndcg@5"])
    # three means, three differences, the corrected value of the winner, and those of the queries
    assert "This page prints 37 numbers that" in (text := plain(found.to_html()))
    assert "Winners, corrected for the selection 1 the same grades" in text


@pytest.mark.parametrize(("kind", "where"), [("png", "Description"), ("svg", "description")])
def test_the_file_of_a_picture_says_what_it_gives_away(
    kind: str, where: str, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"roc.{kind}"
    rs.plots.roc(rs.roc(ILL, RISK)).figure.savefig(file)
    content = file.read_bytes().decode("utf-8", "replace")
    assert where in content
    assert f"at least {certain(ILL, RISK):,} of 800 labels" in " ".join(content.split())

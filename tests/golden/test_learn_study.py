"""The study of learners beside published values: LETOR 4.0's baselines, CLEF TAR 2017's results."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from rocsolid.study import learn_letor, learn_topics


def test_mq2008_is_within_the_spread_of_its_folds(data: Path) -> None:
    documents = learn_letor.read(data / "ltr" / "mq2008.letor.gz")
    assert learn_letor.is_mq2008(documents)
    done: list[None] = []
    means, folds, pairs = learn_letor.tables(documents, lambda: done.append(None))
    assert len(done) == len(folds.rows) == 15
    rows = {row[:2]: row[2:] for row in means.rows}
    for name, published in learn_letor.PUBLISHED.items():
        assert rows[name, "published"] == published
        found = zip(rows[name, "mean"], rows[name, "spread"], published, strict=True)
        for mean, spread, value in found:
            assert mean == pytest.approx(value, abs=float(spread))
            assert mean == pytest.approx(value, abs=0.012)
    assert all(float(row[6]) > 0.05 for row in pairs.rows)  # no difference between the three


@pytest.mark.parametrize(
    ("run", "official"),
    [
        ("waterloo_B_rank", "waterloo.B-rank-normal"),
        ("waterloo_A_rank", "waterloo.A-rank-normal"),
        ("uos_TMAL30Q_BM25", "uos.sis.TMAL30Q_BM25"),
        ("amc", "amc.run"),
    ],
)
def test_average_precision_of_runs_in_their_order(data: Path, run: str, official: str) -> None:
    """Four runs that rank every document: the results of the lab, which have three digits."""
    folder = data / "ir" / "clef_tar_2017"
    with gzip.open(folder / "official_per_topic_results_52_systems.csv.gz", "rt") as file:
        published = {
            row["topic"]: float(row["ap"])
            for row in csv.DictReader(file)
            if row["system"] == official
        }
    ranked = learn_topics.read(folder)
    score = learn_topics.run_scores(ranked)[run]
    found = learn_topics.per_topic(ranked.documents, score, "AP")
    expected = [published[topic] for topic in ranked.topics]
    np.testing.assert_allclose(found, expected, rtol=0, atol=0.0005 + 1e-9)

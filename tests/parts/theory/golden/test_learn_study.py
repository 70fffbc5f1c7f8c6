"""The study of learners beside published values: the results of CLEF TAR 2017."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from rocsolid.theory.study.learn_letor import per_topic, read_topics, run_scores


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
    with gzip.open(folder / "official_per_topic_results.csv.gz", "rt") as file:
        published = {
            row["topic"]: float(row["ap"])
            for row in csv.DictReader(file)
            if row["system"] == official
        }
    ranked = read_topics(folder)
    score = run_scores(ranked)[run]
    found = per_topic(ranked.documents, score, "AP")
    expected = [published[topic] for topic in ranked.topics]
    np.testing.assert_allclose(found, expected, rtol=0, atol=0.0005 + 1e-9)

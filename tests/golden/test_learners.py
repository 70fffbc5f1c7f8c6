"""Published scores of the same learners on the same data."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from letor_script import letor_means
from rocsolid.inputs.letor import read_letor
from rocsolid.learners import AUCLeastSquares, ListNet, RankSVM

FLOATS = NDArray[np.float64]

# LETOR 4.0, MQ2008: the baselines' NDCG at 1, 3, 5 and 10 and their MAP, means of the five folds
MQ2008 = {
    "RankSVM": [0.3626, 0.4286, 0.4695, 0.2279, 0.4696],
    "ListNet": [0.3754, 0.4324, 0.4747, 0.2303, 0.4775],
}


@pytest.mark.parametrize(
    ("make", "grid"),
    [
        (lambda c: RankSVM(C=c), [1e-3, 1e-2, 1e-1]),
        (lambda a: ListNet(alpha=a), [1e-4, 1e-3, 1e-2]),
    ],
    ids=["RankSVM", "ListNet"],
)
def test_mq2008_in_five_folds(
    data: Path, make: Callable[[float], RankSVM | ListNet], grid: list[float]
) -> None:
    """Train on three parts, choose the penalty by MAP on the next, measure on the last."""
    rows = read_letor(data / "ltr" / "mq2008.letor.gz")
    X, y = rows.features.dense(), rows.relevance
    query = np.cumsum(np.r_[0, rows.qid[1:] != rows.qid[:-1]])  # in the order of the file
    part = np.minimum(query // 157, 4)
    measured = []
    for first in range(5):
        trained = np.isin(part, [(first + i) % 5 for i in range(3)])
        fits = [make(value).fit(X[trained], y[trained], qid=query[trained]) for value in grid]

        def means(fit: RankSVM | ListNet, number: int) -> FLOATS:
            of = part == number % 5
            return letor_means(fit.decision_function(X[of]), y[of], query[of])

        chosen = max(fits, key=lambda fit: means(fit, first + 3)[-1])
        measured.append(means(chosen, first + 4))
    published = MQ2008[type(fits[0]).__name__]
    spread = np.std(measured, axis=0, ddof=1)
    assert np.all(np.abs(np.mean(measured, axis=0) - published) <= spread)
    # and the spread between folds is not what saves it
    np.testing.assert_allclose(np.mean(measured, axis=0), published, atol=0.012)


DATA = """
    library(mlbench)
    data(PimaIndiansDiabetes, LetterRecognition)
    pima <- PimaIndiansDiabetes; letters <- LetterRecognition
    write.table(cbind(pima$diabetes == "pos", pima[, 1:8]) * 1, "diabetes",
                row.names = FALSE, col.names = FALSE)
    write.table(cbind(as.character(letters$lettr) <= "M", letters[, -1]) * 1, "letter",
                row.names = FALSE, col.names = FALSE)
"""


@pytest.fixture(scope="module")
def tables(mlbench: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two data sets as text: the label, then numbers."""
    folder = tmp_path_factory.mktemp("mlbench")
    subprocess.run([mlbench, "-e", DATA], cwd=folder, capture_output=True, check=True)
    return folder


@pytest.mark.parametrize(
    ("name", "reference", "spread", "repeats"),
    [("diabetes", 0.8295, 0.03, 5), ("letter", 0.812, 0.006, 1)],
)
def test_least_squares_on_data_of_the_literature(
    tables: Path, name: str, reference: float, spread: float, repeats: int
) -> None:
    """Diabetes of the Pima, and the letters A to M against N to Z, as papers on the AUC use them.

    The references were computed apart from this code, in five folds five times, from the closed
    form; ``spread`` is that between folds.
    """
    table = np.loadtxt(tables / name)
    found = cross_val_score(
        make_pipeline(StandardScaler(), AUCLeastSquares()),
        table[:, 1:],
        table[:, 0],
        cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=repeats, random_state=0),
    )
    assert abs(found.mean() - reference) <= spread

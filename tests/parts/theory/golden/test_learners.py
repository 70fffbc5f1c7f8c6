"""Published scores of the same learners on the same data."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocsolid.theory.learners import AUCLeastSquares

FLOATS = NDArray[np.float64]

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

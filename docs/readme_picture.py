"""The picture of the README, from the demonstration's data: ``python docs/readme_picture.py``.

It is kept in the repository, for a README is read where nothing is built. All that it says in words
and numbers is written into the file too, so that a test can tell when the picture is out of date.
"""

from __future__ import annotations

import re
from pathlib import Path

from matplotlib import style
from matplotlib.text import Text

import rocsolid as rs
from rocsolid.evaluation.questions import screening
from rocsolid.pictures.theme import LIGHT, PictureFigure, settings

FILE = Path(__file__).with_name("images") / "demo.png"


def picture() -> PictureFigure:
    """The curve of one score with its band, and the AUCs of all with both intervals."""
    patients = screening()
    curve = rs.roc(patients["ill"], patients["risk"])
    study = rs.evaluate(patients, label="ill", scores=["risk", "lab", "points"], by="hospital")
    with style.context(["default", settings(LIGHT)]):
        figure = PictureFigure(figsize=(11, 4.8), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.15))
        rs.plots.roc(curve, ax=left, points=curve.at(fpr=0.1))
        rs.plots.forest(study, ax=right)
    return figure


def says(figure: PictureFigure) -> str:
    """The words and results in the picture, each once; not the numbers along its axes."""
    figure.draw_without_rendering()  # which makes the texts of the axes
    texts = (found.get_text().replace("\n", " ") for found in figure.findobj(Text))
    return " | ".join(dict.fromkeys(text for text in texts if re.search("[A-Za-z–]", text)))


if __name__ == "__main__":
    drawn = picture()
    drawn.savefig(FILE, dpi=100, metadata={"Description": says(drawn), "Software": None})

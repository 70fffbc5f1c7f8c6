"""Checks of tables: columns, segments and what could not be computed."""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark

_SHARED = "different models share this ranking, and no interval here knows that"


class FoldColumn(Remark):
    """A column that nobody named looks like the folds of a cross-validation.

    Scores of a cross-validation come from a model for each fold. Ranked together they are ranked by
    different models, and intervals for one model are wrong for them.

    What to do: evaluate with fold=, the column of the folds, or rename the column if it means
    something else.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1] * 20, "s": list(range(40)), "fold": [1, 1, 2, 2] * 10}
    >>> rs.evaluate(table, label="y", scores="s").results[0].warnings[-1]
    "The column 'fold' looks like folds of a cross-validation. If each row was scored by the ..."
    """

    code = "ROC401"
    quotes = "nothing"

    def __new__(cls, name: str) -> Self:
        return cls.says(
            f"The column {name!r} looks like folds of a cross-validation. If each row was scored "
            f"by the model of its fold, {_SHARED}: evaluate with fold={name!r}, or rename the "
            "column if it means something else."
        )


class OutOfFoldScore(Remark):
    """A score is called out-of-fold, and no folds are named.

    See ROC401: such scores come from a model for each fold.

    What to do: evaluate with fold=, the column of the fold that each row was held out in.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1] * 20, "oof": list(range(40))}
    >>> rs.evaluate(table, label="y", scores="oof").results[0].warnings[-1]
    "The score 'oof' is called out-of-fold, so different models share this ranking, and no ..."
    """

    code = "ROC402"
    quotes = "nothing"

    def __new__(cls, name: str) -> Self:
        return cls.says(
            f"The score {name!r} is called out-of-fold, so {_SHARED}: evaluate with fold, the "
            "column of the fold that each row was held out in, or rename the score."
        )


class NoEstimate(Remark):
    """A segment has no estimate.

    Most often it has rows of one class only, so that the measure is not defined.

    What to do: join small segments.
    """

    code = "ROC403"

    def __new__(cls, measure: str, reason: str) -> Self:
        return cls.says(f"no {measure}, {reason}.")


class NotCompared(Remark):
    """A score of a segment could not be compared.

    What to do: the reason says what is missing.
    """

    code = "ROC404"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"left out, {reason}.")


class SegmentsUntested(Remark):
    """Whether segments differ is not tested.

    What to do: the reason says what the test needs.
    """

    code = "ROC405"
    severity = "note"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"whether segments differ is not tested: {reason}.")


class CompareThem(Remark):
    """Several scores stand side by side.

    Intervals that overlap do not say that scores are alike: scores of the same rows vary together.

    What to do: run rocsolid compare, or rs.compare, which tests the differences.
    """

    code = "ROC406"
    quotes = "nothing"
    severity = "note"

    def __new__(cls) -> Self:
        return cls.says("rocsolid compare tests the differences.")


class FittedOn(Remark):
    """Held-out rows have the features of rows that a scorer was fitted on.

    If rows of one case are in both parts, the scorer knows their labels and the certificate is
    wrong. By chance rows can repeat without harm.

    What to do: give cluster=, so that rows of a case stay together.
    """

    code = "ROC408"

    def __new__(cls, matched: int, rows: int) -> Self:
        return cls.says(
            f"{matched:,} of {rows:,} rows have the features of a row that it was "
            "fitted on. That is harmless if they repeat by chance; rows of one case belong "
            "together and need cluster=."
        )


class NoCurve(Remark):
    """A score has no curve on the page.

    What to do: the reason says what is missing.
    """

    code = "ROC411"
    severity = "note"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"{reason}.")


class NoBand(Remark):
    """A curve has no band.

    Bands are for independent rows of equal weight, and need every score.
    """

    code = "ROC412"
    severity = "note"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"no band, as {reason}.")


class FewExplored(Remark):
    """Thresholds of so many scores cannot be explored on one page.

    A page with segments holds the curves of a few scores in full.

    What to do: make a page of fewer scores.
    """

    code = "ROC413"
    quotes = "nothing"
    severity = "note"

    def __new__(cls, most: int) -> Self:
        return cls.says(f"With segments, thresholds of up to {most} scores can be explored.")


class NoSuchPoint(Remark):
    """An operating point that pages usually give is not there.

    A false-positive rate of 1 % needs 100 negatives, and some points need a threshold beyond all
    scores.
    """

    code = "ROC414"
    severity = "note"

    def __new__(cls, why: str) -> Self:
        return cls.says(f"{why}.")

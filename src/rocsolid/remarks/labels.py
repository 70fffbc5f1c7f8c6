"""Checks of labels that are wrong, or made by a machine."""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark


class CutToRange(Remark):
    """A correction for label noise led beyond the possible values.

    The error rates allow AUCs against noisy labels in a narrower range than the one observed. A
    small excess is chance; a large one says that the rates are wrong.

    What to do: check the error rates of the labels.
    """

    code = "ROC121"

    def __new__(cls, noisy: float, least: float, most: float, value: float) -> Self:
        return cls.says(
            f"The AUC against noisy labels is {noisy:.4f}, and these rates allow from "
            f"{least:.4f} to {most:.4f}: the value is cut to {value:g}. That much is within the "
            "error of sampling, but check the rates."
        )


class NoiseUndone(Remark):
    """The value is corrected for wrong labels.

    It is the AUC against true labels if the given shares of labels are wrong, independently of the
    score given the true class.

    What to do: state the shares with the value. If errors are likelier where the score is near the
    other class, the correction is too small.

    >>> import rocsolid as rs
    >>> auc = rs.auc([0, 1] * 20, range(40))
    >>> rs.undo_label_noise(auc, wrong_positives=0.1, wrong_negatives=0.05).warnings[-1]
    'This is the AUC against true labels if 10 % of the positive and 5 % of the negative labels ...'
    """

    code = "ROC122"
    severity = "note"

    def __new__(cls, positives: float, negatives: float) -> Self:
        noise = (
            f"{100 * positives:.3g} % of the positive and {100 * negatives:.3g} % of the negative "
            "labels are wrong"
        )
        return cls.says(f"This is the AUC against true labels if {noise}.")


class UnusableProxies(Remark):
    """Machine labels could not be used.

    With them the estimate leaves the possible values or has no variance.

    What to do: check that machine labels are of the same rows and classes.
    """

    code = "ROC123"
    quotes = "nothing"

    def __new__(cls) -> Self:
        return cls.says(
            "The machine labels cannot be used: with them the estimate leaves (0, 1) or has no "
            "variance. The result rests on the labels alone."
        )


class FewDisagreements(Remark):
    """Too few wrong machine labels are known to say how wrong they are.

    How wrong machine labels are is measured on the rows that people labelled too. With few known
    disagreements that is badly known, and intervals would hold less often than they say.

    What to do: label more rows.
    """

    code = "ROC124"

    def __new__(cls, disagreements: int, needed: int, value: float, interval: str) -> Self:
        rows = "row has" if disagreements == 1 else "rows have"
        return cls.says(
            f"Only {disagreements} labelled {rows} a wrong machine label, too few to measure how "
            f"wrong these are (about {needed} are needed), so the result rests on the "
            f"labels alone. With the machine labels it would be {value:.4f}, {interval}, which "
            "holds less often than it says."
        )


class IdleProxies(Remark):
    """Machine labels add nothing to the labels.

    They disagree with the labels so often that the estimate is hardly better than without them.

    What to do: leave them out, or find better ones.
    """

    code = "ROC125"

    def __new__(cls, gain: float, alone: str) -> Self:
        return cls.says(
            f"The machine labels do not help: {gain:.2f} times the labels' own information. The "
            f"labels alone give {alone}."
        )

"""Checks of labels that are wrong, or made by a machine."""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark


class CutToRange(Remark):
    """A correction for label noise led to an impossible value.

    The error rates allow AUCs against noisy labels only in a narrower range than the observed
    value. A small excess is chance; a large excess means that the rates are wrong.

    What to do: check the error rates of the labels.
    """

    code = "ROC121"

    def __new__(cls, noisy: float, least: float, most: float, value: float) -> Self:
        return cls.says(
            f"The AUC against noisy labels is {noisy:.4f}, but these rates allow only "
            f"{least:.4f} to {most:.4f}, so the value is cut to {value:g}. Such a difference is "
            "within sampling error, but check the rates."
        )


class NoiseUndone(Remark):
    """The value is corrected for wrong labels.

    The value is the AUC against true labels if the stated shares of labels are wrong, and if the
    errors are independent of the score given the true class.

    What to do: report the shares with the value. If errors are likelier for rows whose score is
    near the other class, the correction is too small.

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

    With machine labels, the estimate is outside its possible range or has no variance.

    What to do: check that the machine labels belong to the same rows and classes.
    """

    code = "ROC123"
    quotes = "nothing"
    sentence = (
        "The machine labels cannot be used: with them the estimate is outside (0, 1) or has "
        "no variance. The result uses the labels alone."
    )


class FewDisagreements(Remark):
    """Too few wrong machine labels are known to estimate how many are wrong.

    The error of machine labels is measured on the rows that people also labelled. With few known
    disagreements that error is uncertain, and intervals would cover less often than their level
    states.

    What to do: label more rows.
    """

    code = "ROC124"

    def __new__(cls, disagreements: int, needed: int, value: float, interval: str) -> Self:
        rows = "row has" if disagreements == 1 else "rows have"
        return cls.says(
            f"Only {disagreements} labelled {rows} a wrong machine label, too few to measure "
            f"their error (about {needed} are needed), so the result uses the labels alone. With "
            f"the machine labels it would be {value:.4f}, {interval}, which covers less often "
            "than its level states."
        )


class IdleProxies(Remark):
    """Machine labels add nothing to the labels.

    Machine labels disagree with the labels so often that they hardly improve the estimate.

    What to do: leave them out, or find better ones.
    """

    code = "ROC125"

    def __new__(cls, gain: float, alone: str) -> Self:
        return cls.says(
            f"The machine labels do not help: {gain:.2f} times the information of the labels "
            f"alone, which give {alone}."
        )

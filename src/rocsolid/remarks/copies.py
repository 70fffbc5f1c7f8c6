"""Checks of source code: known statistical faults in code written or copied by hand."""

from __future__ import annotations

from typing import ClassVar

from rocsolid.remarks.remark import Remark


class CopyRemark(Remark):
    """A fault in source code; ``instead`` names the function to call."""

    instead: ClassVar[str] = ""
    quotes = "nothing"


class CopiedDelong(CopyRemark):
    """A copy of DeLong's test is for large samples of independent rows.

    With few rows, normal p-values are too small. Rows of one patient or query vary together, and a
    formula for independent rows then gives intervals that are too short.

    What to do: call `rocsolid.instead.delong_roc_test`, which takes the same arguments, or
    `rocsolid.compare`, which also takes clusters and weights.
    """

    code = "ROC701"
    sentence = "DeLong by hand: its p-values are too small on few rows, and it ignores clusters."
    instead = "rocsolid.instead.delong_roc_test, or rocsolid.compare"


class OneClassPassedOver(CopyRemark):
    """A bootstrap skips resamples with one class.

    Drawing rows and dropping the resamples without a positive or without a negative changes the
    distribution that the interval describes. It happens most often with rare positives.

    What to do: draw within the classes, as interval="bootstrap" does.
    """

    code = "ROC702"
    sentence = "Resamples with one class are skipped; draw within the classes."
    instead = 'rocsolid.instead.bootstrap_auc, or rocsolid.auc(..., interval="bootstrap")'


class NormalAboutResamples(CopyRemark):
    """A normal interval is computed from resamples of an AUC.

    Near 1 an AUC is far from normal: the interval extends beyond 1 and its lower limit is too high.
    The mean of the resamples also differs from the AUC of the rows.

    What to do: use interval="bootstrap", or the default interval.
    """

    code = "ROC703"
    sentence = "A normal interval from resamples of an AUC; it covers too seldom near 1."
    instead = "rocsolid.instead.bootstrap_auc, or rocsolid.auc"


class RowsResampled(CopyRemark):
    """A bootstrap by hand draws rows one by one.

    Percentiles of an AUC cover too seldom if few rows are misplaced. If rows of one patient, user
    or query vary together, whole clusters have to be drawn.

    What to do: use rocsolid.auc with interval="bootstrap", and with cluster= if rows belong
    together.
    """

    code = "ROC704"
    severity = "note"
    sentence = "Rows are drawn one by one, so rows that belong together are treated as independent."
    instead = 'rocsolid.auc(..., interval="bootstrap", cluster=...)'


class SeedInside(CopyRemark):
    """A function that resamples sets its own seed.

    Every call draws the same rows. Intervals of several models then share their resampling error,
    and a repeated call does not show how large that error is.

    What to do: take the seed as an argument.
    """

    code = "ROC705"
    severity = "note"
    sentence = "The seed is fixed inside the function, so every call draws the same rows."
    instead = 'rocsolid.auc(..., interval="bootstrap", seed=...)'


class HanleyMcNeil(CopyRemark):
    """The variance of Hanley and McNeil replaces that of the rows.

    Their formula of 1982 computes the variance from the AUC alone, assuming scores from one family
    of distributions. Other scores can have several times that variance, and near 1 the normal
    interval extends beyond 1.

    What to do: call `rocsolid.instead.roc_auc_ci`, which takes the same arguments.
    """

    code = "ROC706"
    sentence = (
        "Hanley and McNeil's variance depends on the AUC alone, not on how these scores vary."
    )
    instead = "rocsolid.instead.roc_auc_ci, or rocsolid.auc"


class GroupAucByHand(CopyRemark):
    """A mean of AUCs over groups has no interval.

    If groups have few rows or few positives, the mean varies much from sample to sample.

    What to do: use rocsolid.auc with within= and counts="rows", or "groups" for an unweighted mean.
    """

    code = "ROC707"
    severity = "note"
    sentence = "A mean of AUCs over groups, without an interval."
    instead = 'rocsolid.instead.cal_group_auc, or rocsolid.auc(..., within=..., counts="rows")'


class IdealOfRetrieved(CopyRemark):
    """NDCG by hand uses the ideal order of the retrieved documents only.

    Relevant documents that were not retrieved then do not count, so a short list with one relevant
    document scores 1.

    What to do: pass all judged documents to rocsolid.ndcg; a score of −inf marks those that were
    not retrieved.
    """

    code = "ROC708"
    severity = "note"
    sentence = (
        "The ideal order contains the retrieved documents only; relevant ones not retrieved are "
        "ignored."
    )
    instead = "rocsolid.ndcg, or rocsolid.instead.ndcg_at_k"

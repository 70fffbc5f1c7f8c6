"""Checks of single values: areas, cuts, thresholds, folds and streams."""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark


class FewInRegion(Remark):
    """The region of a partial area holds fewer than 10 rows of a class.

    A partial or weighted area looks at a part of the rows only, and its variance is known as from
    these. Where there is a certified interval it decides.

    What to do: widen the region, or collect rows of the class that the region is cut from.

    >>> import rocsolid as rs
    >>> y = [0] * 20 + [1] * 20
    >>> rs.partial_auc(y, list(range(40)), fpr=(0.0, 0.1)).warnings[0]
    'The region holds about 2 negative rows: rely on the certified interval.'
    """

    code = "ROC101"

    def __new__(cls, inside: float, name: str, certified: bool) -> Self:
        rely = ": rely on the certified interval" if certified else ""
        text = f"The region holds about {inside:.3g} {name} rows{rely}."
        return cls.says(text, "doubt" if certified else "warning")


class BelowDiagonal(Remark):
    """A partial area is below that of a score that ranks at random.

    In this region the score does worse than chance, though its whole AUC may be good.

    What to do: if low scores mean positive, say lower_is_better=True; else look at the curve.

    >>> import rocsolid as rs
    >>> y = [1] * 20 + [0] * 20
    >>> rs.partial_auc(y, list(range(40)), fpr=(0.0, 0.5)).warnings[-1]
    'The area is below that of the diagonal: the score does worse than chance in this region ...'
    """

    code = "ROC102"
    quotes = "nothing"

    def __new__(cls) -> Self:
        return cls.says(
            "The area is below that of the diagonal: the score does worse than chance in this "
            "region (the direction is never guessed; lower_is_better=True turns it round)."
        )


class ProbedWeight(Remark):
    """A weight function was integrated numerically, so nothing is certified.

    The norms that a guarantee needs were found by looking at some values of the function.

    What to do: pass what is known of it to rs.weights.from_callable.
    """

    code = "ROC103"
    quotes = "nothing"
    severity = "note"

    def __new__(cls) -> Self:
        return cls.says(
            "The weight was integrated and its norms were found by looking at some of its values, "
            "so there is no certified interval; rs.weights.from_callable takes them as given."
        )


class NoCertificateForWeights(Remark):
    """No certified interval of this measure is known for weights or clusters.

    The calibrated interval stands alone. No theorem is known to us for measures of the top of a
    ranking on rows that weigh differently or depend on each other.
    """

    code = "ROC104"
    quotes = "nothing"
    severity = "note"

    def __new__(cls) -> Self:
        return cls.says("No certified interval is known for rows with weights or clusters.")


class TiedAtCut(Remark):
    """Rows are tied at the cut of a measure of the top.

    Which of the tied rows are above the cut is open. The value is the mean over all their orders,
    and the sentence gives the least and the largest.

    What to do: break ties by scores of more digits, or put the cut where scores change.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1] * 20, "s": [1, 2, 3, 3] * 10}
    >>> rs.evaluate(table, label="y", scores="s", measures="precision@5").results[0].warnings[0]
    '20 rows are tied at the cut, of which 5 are above it: by their order the value is between ...'
    """

    code = "ROC105"

    def __new__(cls, tied: float, drawn: float, low: float, high: float) -> Self:
        return cls.says(
            f"{tied:g} rows are tied at the cut, of which {drawn:g} are above it: by their "
            f"order the value is between {low:.4g} and {high:.4g}; this is the mean over all "
            "orders."
        )


class PositivesRunOut(Remark):
    """Nearly all positives are above the cut of a precision.

    Then the precision is limited by how many positives there are, its distribution is lopsided, and
    calibrated intervals are too short. The default is the certified interval here.

    What to do: put the cut higher.
    """

    code = "ROC106"

    def __new__(cls, hits: float, positives: float) -> Self:
        return cls.says(
            f"{hits:.4g} of {positives:.6g} positives are above the cut, and positives run out "
            "near it. A calibrated interval is too narrow there: the default is the certified "
            "one, where rows have one."
        )


class EqualThresholds(Remark):
    """Other thresholds are as good as the one that was chosen.

    Several points of the curve have the same value of the criterion. The one that flags the fewest
    rows is given.

    What to do: choose among them by what a wrong flag costs.

    >>> import rocsolid as rs
    >>> rs.roc([0, 1, 0, 1], [1, 2, 3, 4]).best().warnings[0]
    '1 other threshold is just as good by this criterion; this one flags the fewest rows.'
    """

    code = "ROC111"
    severity = "note"

    def __new__(cls, others: int) -> Self:
        also = f"{others} other threshold{'s are' if others > 1 else ' is'} just as good by this "
        return cls.says(f"{also}criterion; this one flags the fewest rows.")


class ChosenHere(Remark):
    """A threshold was chosen on the rows that its rates are of.

    Its rates look better than on new rows. The intervals hold for every threshold at once, and so
    for the chosen one, but the rates themselves keep their bias.

    What to do: give the threshold beforehand, or read its rates off other rows.

    >>> import rocsolid as rs
    >>> rs.roc([0, 1] * 20, range(40)).best().warnings[-1]
    'The threshold was chosen on the same rows, which flatters its rates: the intervals allow ...'
    """

    code = "ROC112"
    quotes = "nothing"

    def __new__(cls) -> Self:
        return cls.says(
            "The threshold was chosen on the same rows, which flatters its rates: the intervals "
            "allow for any choice, but only new rows give rates without a bias."
        )


class WeightedPoint(Remark):
    """Rates at a threshold of weighted rows have no intervals.

    The counts are sums of weights, for which binomial intervals are wrong.
    """

    code = "ROC113"
    quotes = "nothing"
    severity = "note"

    def __new__(cls) -> Self:
        return cls.says("Rows are weighted: the counts are sums of weights and have no intervals.")


class ClusteredPoint(Remark):
    """Rates at a threshold of clustered rows have no intervals.

    Rows of a cluster depend on each other, so intervals for independent rows would be too short.
    """

    code = "ROC114"
    quotes = "nothing"
    severity = "note"

    def __new__(cls, *, drawn: bool = False) -> Self:
        if drawn:
            return cls.says("Rows are clustered: points of the curve have no intervals.")
        return cls.says(
            "Rows are clustered: intervals that take them for independent would be too short."
        )


class FewRowsOfClass(Remark):
    """A class of several has fewer than 10 rows.

    See ROC001: each class of a multiclass AUC is ranked against the others.

    >>> import rocsolid as rs
    >>> y, s = ["a", "b", "c"] * 4, [[0.5, 0.3, 0.2], [0.1, 0.7, 0.2], [0.2, 0.2, 0.6]] * 4
    >>> rs.multiclass_auc(y, s).warnings[0]
    'Only 4 rows of class a: rely on the certified interval.'
    """

    code = "ROC115"
    quotes = "counts"

    def __new__(cls, size: int, name: str) -> Self:
        return cls.says(
            f"Only {size} row{'s' if size > 1 else ''} of class {name}: rely on the certified "
            "interval."
        )


class FewPairs(Remark):
    """The pairs of a concordance rest on few rows or clusters.

    With few independent units the variance of the value is badly known.

    What to do: rely on the certified interval where there is one, or collect rows.

    >>> import rocsolid as rs
    >>> rs.concordance([1, 2, 3, 4], [1, 3, 2, 4]).warnings[0]
    'The pairs rest on few rows, as on two classes of 2: rely on the certified interval, where ...'
    """

    code = "ROC116"

    def __new__(cls, units: str, size: float) -> Self:
        return cls.says(
            f"The pairs rest on few {units}, as on two classes of {size:.2g}: rely on "
            "the certified interval, where there is one."
        )


class FewInFolds(Remark):
    """The smaller class of a cross-validation is worth few rows.

    The intervals over folds were tried in simulations with 20 rows of the smaller class and more.

    What to do: collect rows of the smaller class.
    """

    code = "ROC131"

    def __new__(cls, few: float, tried: int) -> Self:
        return cls.says(
            f"The smaller class is worth {few:.0f} independent rows: the intervals were tried with "
            f"{tried} and more."
        )


class SplitByFolds(Remark):
    """Clusters have rows in several folds.

    A model that scores a row may have seen other rows of its cluster, which makes the score look
    better than it is on clusters that are new. Variances count whole clusters, and intervals are
    conditional on the trained models, as for one test set.

    What to do: make folds of whole clusters (StratifiedGroupKFold) and fit the models again.
    """

    code = "ROC133"

    def __new__(cls, example: str, count: int, clusters: int) -> Self:
        return cls.says(
            f"{count:,} of {clusters:,} clusters have rows in several folds ({example}), so "
            "intervals are conditional on these models. They do not cover clusters that are new to "
            "a model, which it may rank worse."
        )


class RepeatsByFolds(Remark):
    """A column of segments has values like clusters, in several folds.

    Each of them has few rows, as a patient or a user has. If these rows depend on each other,
    intervals for independent rows are too short, and a model may have seen rows like those it
    scores.

    What to do: name the column as ``cluster``, and make folds of whole clusters.
    """

    code = "ROC134"

    def __new__(cls, name: str, count: int, values: int, rows: float) -> Self:
        return cls.says(
            f"The column {name!r} has {rows:.1f} rows a value, and {count:,} of {values:,} values "
            f"lie in several folds: if these rows depend on each other, give cluster={name!r}."
        )


class UnevenFolds(Remark):
    """Folds differ in size by more than a factor of two.

    The mean over folds counts each alike, so a row of a small fold weighs more.

    What to do: make folds of equal size, or read the pooled value beside the mean.
    """

    code = "ROC132"

    def __new__(cls, fewest: int, most: int) -> Self:
        return cls.says(f"The folds have {fewest:,} to {most:,} rows, and each counts alike.")


class Drift(Remark):
    """Batches of a stream do not come from one distribution.

    Limits that hold at all times at once exclude each other, so the AUC has changed on the way.

    What to do: find the change, and start a new sequence there.
    """

    code = "ROC141"

    def __new__(cls, low: float, high: float) -> Self:
        return cls.says(
            "The batches do not come from one distribution: the limits that they gave at "
            f"different times exclude each other (a lower limit of {low:.4f} and an "
            f"upper one of {high:.4f}). Start a new sequence where the change was."
        )


class NoLimitsYet(Remark):
    """A sequence has too few rows of a class for any limits.

    What to do: add batches.

    >>> from rocsolid import guarantees
    >>> guarantees.sequence().add([0, 1], [1, 2]).estimate.warnings[0]
    'There are no limits before both classes have 10 rows.'
    """

    code = "ROC142"
    quotes = "nothing"
    severity = "note"

    def __new__(cls, first: int) -> Self:
        return cls.says(f"There are no limits before both classes have {first} rows.")


class OutsideLimits(Remark):
    """The AUC of all rows lies outside the limits that all batches leave.

    That can happen by chance; if it goes on, the batches drift apart.

    What to do: look at the batches one by one.
    """

    code = "ROC143"

    def __new__(cls) -> Self:
        return cls.says(
            "The AUC of all rows lies outside what the batches together allow, which can "
            "happen by chance; if it goes on, the batches drift."
        )


class MissingInBatch(Remark):
    """Rows of a batch were left out because a score is missing.

    See ROC002. If scores begin to be missing, the batches are no longer alike.
    """

    code = "ROC144"
    severity = "note"

    def __new__(cls, omitted: int) -> Self:
        rows = "1 row of the batch was" if omitted == 1 else f"{omitted:,} rows of the batch were"
        return cls.says(f"{rows} left out because a score is missing.")

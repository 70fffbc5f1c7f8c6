"""Checks of single values: areas, cuts, thresholds, folds and streams."""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark


class FewInRegion(Remark):
    """The region of an area, or of a rate at a rate, holds few rows of a class.

    A partial or weighted area uses only some of the rows, so its variance is uncertain if the
    region contains fewer than 10 rows. A rate at a rate needs 5 rows of each class on both sides of
    the threshold, and percentiles of resamples 15 beyond the given rate. If there is a certified
    interval, rely on it.

    What to do: widen the region, or collect rows of the class that the region is cut from.

    >>> import rocsolid as rs
    >>> y = [0] * 20 + [1] * 20
    >>> rs.partial_auc(y, list(range(40)), fpr=(0.0, 0.1)).warnings[0]
    'The region holds about 2 negative rows: rely on the certified interval.'
    """

    code = "ROC101"
    severity = "doubt"

    def __new__(cls, inside: float, name: str, certified: bool) -> Self:
        rely = ": rely on the certified interval" if certified else ""
        text = f"The region holds about {inside:.3g} {name} rows{rely}."
        return cls.says(text, "doubt" if certified else "warning")


class BelowDiagonal(Remark):
    """A partial area is below that of a random ranking.

    In this region the score is worse than chance, although its whole AUC may be good.

    What to do: if low scores mean positive, set lower_is_better=True; otherwise look at the curve.

    >>> import rocsolid as rs
    >>> y = [1] * 20 + [0] * 20
    >>> rs.partial_auc(y, list(range(40)), fpr=(0.0, 0.5)).warnings[-1]
    'The partial area is below the diagonal: the score is worse than chance in this region. ...'
    """

    code = "ROC102"
    quotes = "nothing"
    sentence = (
        "The partial area is below the diagonal: the score is worse than chance in this "
        "region. The direction is never guessed; declare that lower is better to reverse "
        "it."
    )


class ProbedWeight(Remark):
    """A weight function was integrated numerically, so nothing is certified.

    The norms that a certified interval needs were estimated from some values of the function.

    What to do: pass the known norms to rs.weights.from_callable.
    """

    code = "ROC103"
    quotes = "nothing"
    severity = "note"
    sentence = (
        "The weight was integrated and its norms were estimated from some of its values, so "
        "there is no certified interval; rs.weights.from_callable accepts exact ones."
    )


class NoCertificateForWeights(Remark):
    """No certified interval of this measure is known for weights or clusters.

    Only the calibrated interval is available. No theorem is known for measures of the top of a
    ranking when rows have weights or depend on each other.
    """

    code = "ROC104"
    quotes = "nothing"
    severity = "note"
    sentence = "No certified interval is known for rows with weights or clusters."


class TiedAtCut(Remark):
    """Rows are tied at the cut of a measure of the top.

    The order of the tied rows is open, so any of them may be above the cut. The value is the mean
    over all orders, and the note reports the smallest and largest values.

    What to do: break ties with more digits, or move the cut to a place where scores change.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1] * 20, "s": [1, 2, 3, 3] * 10}
    >>> rs.evaluate(table, label="y", scores="s", measures="precision@5").results[0].warnings[0]
    '20 rows are tied at the cut, and 5 of them are above it. Depending on their order the ...'
    """

    code = "ROC105"

    def __new__(cls, tied: float, drawn: float, low: float, high: float) -> Self:
        return cls.says(
            f"{tied:g} rows are tied at the cut, and {drawn:g} of them are above it. Depending "
            f"on their order the value is between {low:.4g} and {high:.4g}; the value shown is "
            "the mean over all orders."
        )


class PositivesRunOut(Remark):
    """Nearly all positives are above the cut of a precision.

    The number of positives then limits the precision, its distribution is skewed, and calibrated
    intervals are too short. The default is then the certified interval.

    What to do: move the cut towards the top.
    """

    code = "ROC106"

    def __new__(cls, hits: float, positives: float) -> Self:
        return cls.says(
            f"{hits:.4g} of {positives:.6g} positives are above the cut, which leaves few below "
            "it. A calibrated interval is then too narrow, so the default is the certified "
            "interval if the rows have one."
        )


class EqualThresholds(Remark):
    """Other thresholds are as good as the chosen one.

    Several points of the curve have the same value of the criterion. The result is the one that
    flags the fewest rows.

    What to do: choose by the cost of a wrong flag.

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
    """A threshold and its rates come from the same rows.

    The rates look better than they would on new rows. The intervals hold jointly for all
    thresholds, and so for the chosen one, but the rates themselves are biased.

    What to do: choose the threshold beforehand, or compute its rates on other rows.

    >>> import rocsolid as rs
    >>> rs.roc([0, 1] * 20, range(40)).best().warnings[-1]
    'The threshold was chosen on the same rows, so its rates are optimistic. The intervals ...'
    """

    code = "ROC112"
    quotes = "nothing"
    sentence = (
        "The threshold was chosen on the same rows, so its rates are optimistic. The "
        "intervals allow for any choice, but only new rows give unbiased rates."
    )


class WeightedPoint(Remark):
    """Rates at a threshold of weighted rows have no intervals.

    The counts are sums of weights, for which binomial intervals are wrong.
    """

    code = "ROC113"
    quotes = "nothing"
    severity = "note"
    sentence = "Rows are weighted: the counts are sums of weights and have no intervals."


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
        return cls.says("Rows are clustered: intervals for independent rows would be too short.")


class FewRowsOfClass(Remark):
    """A class of a multiclass AUC has fewer than 10 rows.

    See ROC001: a multiclass AUC ranks each class against the others.

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
    """The pairs of a concordance come from few rows or clusters.

    With few independent units the variance is uncertain.

    What to do: rely on the certified interval where there is one, or collect rows.

    >>> import rocsolid as rs
    >>> rs.concordance([1, 2, 3, 4], [1, 3, 2, 4]).warnings[0]
    'The pairs come from few rows, as from two classes of 2: rely on the certified interval, ...'
    """

    code = "ROC116"

    def __new__(cls, units: str, size: float) -> Self:
        return cls.says(
            f"The pairs come from few {units}, as from two classes of {size:.2g}: rely on the "
            "certified interval, if there is one."
        )


class FewInFolds(Remark):
    """The smaller class of a cross-validation counts as few rows.

    Simulations tested the intervals over folds with 20 rows or more of the smaller class.

    What to do: collect rows of the smaller class.
    """

    code = "ROC131"

    def __new__(cls, few: float, tried: int) -> Self:
        return cls.says(
            f"The smaller class counts as {few:.0f} independent rows: simulations tested the "
            f"intervals with {tried} and more."
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
            f"Intervals hold for these models alone, because {count:,} of {clusters:,} clusters "
            f"{'has' if count == 1 else 'have'} rows in several folds. A model may rank clusters "
            f"that are new to it worse. For example, {example}."
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

    The mean over folds counts each fold equally, so a row of a small fold has more influence.

    What to do: make folds of equal size, or compare the mean with the pooled value.
    """

    code = "ROC132"

    def __new__(cls, fewest: int, most: int) -> Self:
        return cls.says(
            f"The folds have {fewest:,} to {most:,} rows, but each fold counts equally."
        )


class Drift(Remark):
    """Batches of a stream do not come from one distribution.

    Limits from different times, which hold together at all times, exclude each other, so the AUC
    has changed.

    What to do: find the change, and start a new sequence there.
    """

    code = "ROC141"

    def __new__(cls, low: float, high: float) -> Self:
        return cls.says(
            "The batches do not come from one distribution: limits from different times exclude "
            f"each other (a lower limit of {low:.4f} and an upper limit of {high:.4f}). Start a "
            "new sequence at the change."
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
    """The AUC of all rows is outside the limits of the batches together.

    Chance can cause this; if it persists, the batches drift.

    What to do: look at the batches one by one.
    """

    code = "ROC143"
    sentence = (
        "The AUC of all rows is outside the limits of the batches together. Chance can "
        "cause this; if it persists, the batches drift."
    )


class BatchesOfOneClass(Remark):
    """Batches of a stream hold one class, as if rows were sorted by label.

    A change of the scores over time then looks like a difference between the classes. The remark
    appears if the probability of these batches in random order is at most 1e-6/3^b for b batches;
    its false-alarm probability is at most 1e-6.

    What to do: watch batches in which both classes occur.
    """

    code = "ROC145"
    quotes = "counts"

    def __new__(cls, pure: int, batches: int, power: float) -> Self:
        return cls.says(
            f"{pure:,} of {batches:,} batches hold one class only. In random order this has a "
            f"probability of 1e{power:.0f}: scores that change with time then look like a "
            "difference between the classes."
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

"""Checks of comparisons: the assumptions of a test, and the cases in which it is unreliable."""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark

_RELY = "; rely on the certified intervals"
_LOOK = "; look at the certified intervals"
FEW_CLUSTERS = 30


class FewRowsCompared(Remark):
    """Scores are compared on few rows of a class.

    Tests of partial areas and of measures of the top keep their significance level from about 30
    rows of each class. With fewer rows, the certified intervals of the differences decide.

    What to do: rely on the certified intervals, or collect rows.

    >>> import rocsolid as rs
    >>> y, a = [0, 1] * 5, list(range(10))
    >>> rs.compare(y, {"a": a, "b": a[::-1]}, measure="partial_auc(fpr<=0.5)").warnings[0]
    'Only 5 negative rows: with fewer than 20 the tests may be significant too often; rely on ...'
    """

    code = "ROC201"
    severity = "doubt"
    advice = _RELY

    def __new__(cls, count: int, name: str, enough: int) -> Self:
        return cls.says(
            f"Only {count} {name} rows: with fewer than {enough} the tests may be significant "
            f"too often{_RELY}."
        )


class FewMisplaced(Remark):
    """A score misplaces few rows of a class.

    A score whose AUC is near 0 or 1 misplaces so few rows that the sample may contain none of a
    whole group of such rows. Tests are then significant too often, and the certified intervals
    decide.

    What to do: rely on the certified intervals, or collect rows that are hard to rank.

    >>> import rocsolid as rs
    >>> y, a = [0] * 20 + [1] * 20, list(range(40))
    >>> rs.compare(y, {"a": a, "b": a[1:] + a[:1]}).warnings[-1]
    'a: about 0.0 of 20 negative rows are misplaced. With fewer than 5 a sample may miss a ...'
    """

    code = "ROC202"
    severity = "doubt"
    advice = _RELY

    def __new__(cls, name: str, misplaced: float, count: int, word: str, enough: float) -> Self:
        return cls.says(
            f"{name}: about {misplaced:.1f} of {count:,} {word} rows are misplaced. With fewer "
            f"than {enough:g} a sample may miss a whole group of such rows, and the tests may be "
            f"significant too often{_RELY}."
        )


class FewClustersCompared(Remark):
    """Scores are compared on few clusters, or a few clusters dominate.

    Clusters are independent and their rows are not, so tests and intervals estimate each variance
    from only as many values as there are clusters. Clusters of very different size count as fewer.

    What to do: rely on the certified intervals where there are any, or collect clusters.

    >>> import rocsolid as rs
    >>> y, a, c = [0, 1, 1] * 20, [i * 7 % 60 for i in range(60)], [i // 6 for i in range(60)]
    >>> rs.compare(y, {"a": a, "b": a[20:] + a[:20]}, cluster=c).warnings[-1]
    'Only 10 clusters: the tests and intervals need about 30.'
    """

    code = "ROC203"
    severity = "doubt"
    advice = _RELY

    def __new__(cls, clusters: int, effective: float) -> Self:
        subject = f"Only {clusters} clusters"
        if clusters >= FEW_CLUSTERS:
            uneven = f"{clusters} clusters as uneven as these"
            subject = f"{uneven} count as about {effective:.0f} of equal size"
        return cls.says(f"{subject}: the tests and intervals need about {FEW_CLUSTERS}{_RELY}.")


def few_clusters_compared(*samples: tuple[int | None, float]) -> list[Remark]:
    """Return the doubt about few clusters; a sample has its number, and as how many they count."""
    few = [
        (min(count, even), count)
        for count, even in samples
        if count is not None and min(count, even) < FEW_CLUSTERS
    ]
    if not few:
        return []
    even, count = min(few)
    return [FewClustersCompared(count, even)]


class TreatedAsIndependent(Remark):
    """Scores of the same rows or queries are treated as independent.

    With paired=False the tests ignore the correlation of scores on the same rows, and have less
    power.

    What to do: omit paired=False, unless the scores belong to different rows.

    >>> import rocsolid as rs
    >>> y, a = [0, 1] * 20, list(range(40))
    >>> rs.compare(y, {"a": a, "b": a[::-1]}, paired=False).warnings[0]
    'The scores share their rows but are treated as independent: where ...'
    """

    code = "ROC204"

    def __new__(cls, *, queries: bool = False) -> Self:
        if queries:
            return cls.says(
                "The systems share their queries but are treated as independent: "
                "the tests have less power than they could."
            )
        return cls.says(
            "The scores share their rows but are treated as independent: where "
            "they agree, the tests have less power."
        )


class FewExchanged(Remark):
    """A permutation test on few rows or clusters compares whole curves.

    Permutations are exact if both scores have the same curve. With few rows of a class the test is
    significant too often if only the AUCs are equal.

    What to do: to compare AUCs, use the certified differences or the default test.
    """

    code = "ROC205"
    advice = "the certified differences, or "

    def __new__(cls, fewest: float, units: str, enough: int) -> Self:
        return cls.says(
            f"A class has {fewest:.4g} {units}: with fewer than {enough} the permutation test "
            "compares whole curves, and is significant too often if the AUCs are equal and the "
            "curves are not. To compare AUCs, use the certified differences or the default "
            "test."
        )


class CurvesTested(Remark):
    """The p-values compare whole ROC curves.

    Venkatraman's tests ask whether two curves are equal. Two scores with the same AUC can have
    different curves. The differences and the certified intervals are those of the AUC.

    >>> import rocsolid as rs
    >>> y, a = [0, 1] * 20, list(range(40))
    >>> test = {"test": "venkatraman-curves", "resamples": 100}
    >>> rs.compare(y, {"a": a, "b": a[::-1]}, **test).warnings[0]
    "The p-values are from Venkatraman's tests of whether two whole ROC curves are equal; ..."
    """

    code = "ROC206"
    quotes = "nothing"
    severity = "note"

    def __new__(cls) -> Self:
        return cls.says(
            "The p-values are from Venkatraman's tests of whether two whole ROC curves are "
            "equal; these tests have no interval. The differences are differences of AUCs."
        )


class LearnersCompared(Remark):
    """A comparison over folds is about learners.

    Each fold has its own model. The intervals describe what the learners would do on fresh training
    rows, and so are wider than intervals for the models of these folds.
    """

    code = "ROC207"
    quotes = "nothing"
    severity = "note"
    sentence = (
        "The intervals and tests compare the learners on fresh training rows, not the "
        "models of these folds."
    )


class StuckTest(Remark):
    """The test that all scores are equal is not possible.

    Some difference is not zero but has no estimated variance, so the statistic would be infinite.

    What to do: rely on the certified intervals of the pairs.

    >>> import rocsolid as rs
    >>> y, a = [0] * 10 + [1] * 10, list(range(20))
    >>> rs.compare(y, {"a": a, "b": a[::-1]}).warnings[-1]
    'The test that all are equal is not possible: some difference is not zero but has no ...'
    """

    code = "ROC208"
    quotes = "nothing"
    advice = _RELY

    def __new__(cls, why: str) -> Self:
        return cls.says(f"The test that all are equal is not possible: {why}{_RELY}.")


NO_VARIANCE = "some difference is not zero but has no estimated variance"
STILL_QUERIES = "the differences are not zero but are the same for every query"
STILL_SYSTEM = "a system has the same value for all its queries"


class ScoresAlike(Remark):
    """Two values are equal, and every unit moves both alike.

    The scores may still differ elsewhere: the rates of two scores at one rate can agree although
    the scores rank rows differently.

    What to do: compare the scores by a measure of the whole ranking, such as the AUC. If that shows
    no difference either, drop one of them.

    >>> import rocsolid as rs
    >>> rs.compare([0, 1] * 20, {"a": range(40), "b": range(40)}).warnings[-1]
    'The two values are equal and every unit moves both alike, so there is no difference to test.'
    """

    code = "ROC209"
    sentence = (
        "The two values are equal and every unit moves both alike, so there is no difference to "
        "test."
    )


class LowRank(Remark):
    """Some values move alike or depend on each other.

    The covariance of the differences does not have full rank. The test that all are equal then has
    as many degrees of freedom as there are differences that vary independently.

    What to do: look for scores that are copies or sums of others.

    >>> import rocsolid as rs
    >>> y, a = [0, 1] * 20, list(range(40))
    >>> rs.compare(y, {"a": a, "b": a, "c": a[::-1]}).warnings[-1]
    'The covariance of the 2 differences has rank 1: some values move alike or depend on each ...'
    """

    code = "ROC210"

    def __new__(cls, differences: int, rank: int) -> Self:
        return cls.says(
            f"The covariance of the {differences} differences has rank {rank}: some values move "
            f"alike or depend on each other, so the test that all are equal has {rank} "
            f"degree{'' if rank == 1 else 's'} of freedom."
        )


class FewDecide(Remark):
    """A few units decide some differences, so the tests resample units.

    Student's t assumes that a mean of influences is nearly normal. If a few rows or queries decide
    a difference, it is significant too often, so the studentised bootstrap is the default test.

    What to do: nothing; choose a test by name to replace the bootstrap.
    """

    code = "ROC211"
    severity = "note"
    sentence = (
        "A few units decide some differences, so Student's t is unreliable: the tests use "
        "the studentised bootstrap."
    )


class FewMayDecide(Remark):
    """A few rows may decide some differences, which summaries cannot show.

    Summaries of the rows do not contain the influences that a bootstrap test needs.

    What to do: compare a sample of the rows that fits in memory.
    """

    code = "ROC212"
    sentence = (
        "A few rows may decide some differences, which summaries cannot show: the tests may "
        "be significant too often. Compare a sample of the rows that fits in memory."
    )


class NoVariance(Remark):
    """The difference of a pair shows no variance.

    Every unit moves both values alike. If the values are equal, p is 1. If not, no test is
    possible.

    What to do: rely on the certified interval, or collect more data.

    >>> import rocsolid as rs
    >>> rs.compare([0, 1] * 20, {"a": range(40), "b": range(40)}).warnings[0]
    'a and b: their difference shows no variance, so p is 1; the interval is the certified one.'
    """

    code = "ROC213"

    def __new__(cls, pairs: str, result: str) -> Self:
        return cls.says(f"{pairs}: their difference shows no variance, so {result}.")


class CoarseDraws(Remark):
    """There are too few draws for any pair to be significant.

    The p-value of a resampling test is at least one over the number of draws, and an adjustment for
    many pairs multiplies it.

    What to do: use adjust="max-t", more units or more resamples.

    >>> import rocsolid as rs
    >>> systems = {"a": [0.2, 0.4, 0.6], "b": [0.3, 0.6, 0.5]}
    >>> rs.queries.compare(systems, measure="RR", test="sign-flip").warnings[-1]
    'The smallest adjusted p-value that the draws allow is 0.25, so none of the 1 pairs can be ...'
    """

    code = "ROC214"

    def __new__(cls, least: float, pairs: int) -> Self:
        return cls.says(
            f"The smallest adjusted p-value that the draws allow is {least:.2g}, so none of the "
            f"{pairs:,} pairs can be significant; use the max-t adjustment, more units or more "
            "resamples."
        )


class FewQueriesCompared(Remark):
    """Systems are compared on fewer than 20 queries.

    Means over so few queries are far from normal, and calibrated intervals of the differences miss
    more often than their level states.

    What to do: look at the certified intervals where the measure has bounds, or judge more queries.

    >>> import rocsolid as rs
    >>> a, b = [0.2, 0.4, 0.6, 0.5], [0.3, 0.6, 0.5, 0.9]
    >>> rs.queries.compare({"a": a, "b": b}, range=(0, 1)).warnings[0]
    'Only 4 queries: the t intervals need more; look at the certified intervals.'
    """

    code = "ROC221"
    advice = _LOOK

    def __new__(cls, queries: int, method: str, bounded: bool) -> Self:
        return cls.says(
            f"Only {queries} queries: the {method} intervals need more{_look(bounded)}."
        )


class ThinTail(Remark):
    """Few queries lie in the longer tail of a difference.

    Two systems agree on most queries, and the few queries on which they differ decide the mean.

    What to do: look at the certified intervals where the measure has bounds, or judge more queries.

    >>> import rocsolid as rs
    >>> a, b = [0.5] * 40, [0.5] * 37 + [0.9, 0.8, 0.7]
    >>> rs.queries.compare({"a": a, "b": b}, measure="RR", test="t").warnings[0]
    'a − b: fewer than 10 queries lie in the longer tail of the difference (about 2), so the t ...'
    """

    code = "ROC222"
    advice = _LOOK

    def __new__(
        cls, pairs: str, few: float, least: float, several: bool, method: str, bounded: bool
    ) -> Self:
        return cls.says(
            f"{pairs}: fewer than {few:g} queries lie in the longer tail of the difference "
            f"(about {least:.0f}{' at least' if several else ''}), so the {method} test may be "
            f"significant too often{_look(bounded)}."
        )


class MissingInSomeSystem(Remark):
    """Rows that some system did not score were left out for every system.

    Systems are compared on the same documents; see ROC014.
    """

    code = "ROC223"
    severity = "note"

    def __new__(cls, omitted: int) -> Self:
        rows = "row was" if omitted == 1 else "rows were"
        return cls.says(
            f"{omitted:,} {rows} left out for every system because at least one score is missing."
        )


def _look(bounded: bool) -> str:
    return _LOOK if bounded else "; the measure has no bounds and so no certified intervals"

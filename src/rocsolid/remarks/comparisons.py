"""Checks of comparisons: what a test rests on, and where it says less than it seems to."""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark

_RELY = "; rely on the certified intervals"
_LOOK = "; look at the certified intervals"


class FewRowsCompared(Remark):
    """Scores are compared on few rows of a class.

    Tests of partial areas and of measures of the top keep their level from some 30 rows of each
    class. With fewer the certified intervals of the differences decide.

    What to do: rely on the certified intervals, or collect rows.

    >>> import rocsolid as rs
    >>> y, a = [0, 1] * 5, list(range(10))
    >>> rs.compare(y, {"a": a, "b": a[::-1]}, measure="partial_auc(fpr<=0.5)").warnings[0]
    'Only 5 negative rows: the tests may find a difference too often with fewer than 20; ...'
    """

    code = "ROC201"
    severity = "doubt"
    advice = _RELY

    def __new__(cls, count: int, name: str, enough: int) -> Self:
        return cls.says(
            f"Only {count} {name} rows: the tests may find a difference too often "
            f"with fewer than {enough}{_RELY}."
        )


class FewMisplaced(Remark):
    """Few rows of a class are misplaced by a score.

    A score near 0 or 1 misplaces so few rows that the sample may hide a whole group of such rows.
    Then tests find a difference too often, and the certified intervals decide.

    What to do: rely on the certified intervals, or collect rows that are hard to rank.

    >>> import rocsolid as rs
    >>> y, a = [0] * 20 + [1] * 20, list(range(40))
    >>> rs.compare(y, {"a": a, "b": a[1:] + a[:1]}).warnings[-1]
    'a: about 0.0 of 20 negative rows are misplaced. With fewer than 5 a sample may hide a ...'
    """

    code = "ROC202"
    severity = "doubt"
    advice = _RELY

    def __new__(cls, name: str, misplaced: float, count: int, word: str, enough: float) -> Self:
        return cls.says(
            f"{name}: about {misplaced:.1f} of {count:,} {word} rows are misplaced. With "
            f"fewer than {enough:g} a sample may hide a whole group of such rows, and the "
            f"tests may find a difference too often{_RELY}."
        )


class FewClustersCompared(Remark):
    """Scores are compared on few clusters.

    Clusters are what is independent, so tests and intervals know variances from as many values as
    there are clusters.

    What to do: rely on the certified intervals where there are any, or collect clusters.

    >>> import rocsolid as rs
    >>> y, a, c = [0, 1, 1] * 20, [i * 7 % 60 for i in range(60)], [i // 6 for i in range(60)]
    >>> rs.compare(y, {"a": a, "b": a[20:] + a[:20]}, cluster=c).warnings[-1]
    'Only 10 clusters: the tests and intervals need more (about 30); rely on the certified ...'
    """

    code = "ROC203"
    advice = _RELY

    def __new__(cls, clusters: int, enough: int) -> Self:
        return cls.says(
            f"Only {clusters} clusters: the tests and intervals need more (about {enough}){_RELY}.",
            "doubt",
        )


class TreatedAsIndependent(Remark):
    """What shares its rows or queries is treated as independent.

    With paired=False the tests ignore the agreement of scores on the same rows, and have less
    power.

    What to do: leave paired out, unless the rows of the scores differ.

    >>> import rocsolid as rs
    >>> y, a = [0, 1] * 20, list(range(40))
    >>> rs.compare(y, {"a": a, "b": a[::-1]}, paired=False).warnings[0]
    'The scores share their rows but are treated as independent (paired=False): where ...'
    """

    code = "ROC204"

    def __new__(cls, *, queries: bool = False) -> Self:
        if queries:
            return cls.says(
                "The systems share their queries but are treated as independent (paired=False): "
                "the tests have less power than they could."
            )
        return cls.says(
            "The scores share their rows but are treated as independent (paired=False): where "
            "they agree, the tests have less power."
        )


class FewExchanged(Remark):
    """A permutation test of few rows or clusters is about the whole curves.

    Exchanges are exact where both scores have the same curve. With few rows of a class the test
    answers that, and finds a difference too often where only the AUCs are equal.

    What to do: for AUCs rely on the certified differences, or on the default test.
    """

    code = "ROC205"
    advice = "the certified differences, or "

    def __new__(cls, fewest: float, units: str, enough: int) -> Self:
        return cls.says(
            f"A class has {fewest:.4g} {units}: with fewer than {enough} the permutation test "
            "answers whether the curves are the same, and finds a difference too often where AUCs "
            "are equal and curves are not. For AUCs rely on the certified differences, or the "
            "default test."
        )


class CurvesTested(Remark):
    """P-values are of whole ROC curves.

    Venkatraman's tests ask whether two curves are equal, which two scores of the same AUC need not
    have. Differences and certified intervals beside them are of the AUC.

    >>> import rocsolid as rs
    >>> y, a = [0, 1] * 20, list(range(40))
    >>> test = {"test": "venkatraman-curves", "resamples": 100}
    >>> rs.compare(y, {"a": a, "b": a[::-1]}, **test).warnings[0]
    "The p-values are of Venkatraman's tests that two whole ROC curves are equal, which have no ..."
    """

    code = "ROC206"
    quotes = "nothing"
    severity = "note"
    advice = ", their certified intervals"

    def __new__(cls) -> Self:
        return cls.says(
            "The p-values are of Venkatraman's tests that two whole ROC curves are equal, which "
            "have no interval; the differences, their certified intervals and the test that all "
            "are equal are of the AUC."
        )


class LearnersCompared(Remark):
    """A comparison over folds is about learners.

    Each fold has a model of its own. The intervals are about what the learners would do on fresh
    training rows, and so longer than those for the models of these folds.
    """

    code = "ROC207"
    quotes = "nothing"
    severity = "note"

    def __new__(cls) -> Self:
        return cls.says(
            "The intervals and tests are about the learners, on fresh training rows, not about the "
            "models of these folds."
        )


class StuckTest(Remark):
    """The test that all are equal does not hold.

    Some difference is not zero but has no estimated variance, so the statistic would be infinite.

    What to do: rely on the certified intervals of the pairs.

    >>> import rocsolid as rs
    >>> y, a = [0] * 10 + [1] * 10, list(range(20))
    >>> rs.compare(y, {"a": a, "b": a[::-1]}).warnings[-1]
    'The test that all are equal does not hold: some difference is not zero but has no ...'
    """

    code = "ROC208"
    quotes = "nothing"
    advice = _RELY

    def __new__(cls, why: str) -> Self:
        return cls.says(f"The test that all are equal does not hold: {why}{_RELY}.")


NO_VARIANCE = "some difference is not zero but has no estimated variance"
STILL_QUERIES = "the differences are not zero but never vary over queries"
STILL_SYSTEM = "a system has the same value on all its queries"


class ScoresAlike(Remark):
    """Two scores rank alike.

    They put every pair of rows in the same order, so that their values are equal on any data.

    What to do: one of them is enough.

    >>> import rocsolid as rs
    >>> rs.compare([0, 1] * 20, {"a": range(40), "b": range(40)}).warnings[-1]
    'The two scores rank alike, so the test that they are equal has nothing to test.'
    """

    code = "ROC209"

    def __new__(cls) -> Self:
        return cls.says(
            "The two scores rank alike, so the test that they are equal has nothing to test."
        )


class LowRank(Remark):
    """Some scores rank alike or depend on each other.

    The covariance of the differences does not have full rank, and the test that all are equal has
    as many degrees of freedom as differences that vary independently.

    What to do: look for scores that are copies or sums of others.

    >>> import rocsolid as rs
    >>> y, a = [0, 1] * 20, list(range(40))
    >>> rs.compare(y, {"a": a, "b": a, "c": a[::-1]}).warnings[-1]
    'The covariance of the 2 differences has rank 1: some scores rank alike or depend on each ...'
    """

    code = "ROC210"

    def __new__(cls, differences: int, rank: int) -> Self:
        return cls.says(
            f"The covariance of the {differences} differences has rank {rank}: some scores "
            "rank alike or depend on each other, and the test that all are equal has "
            f"{rank} degree{'' if rank == 1 else 's'} of freedom."
        )


class FewDecide(Remark):
    """A few units decide some differences, so units were drawn anew.

    Student's t trusts that a mean of influences is near normal. Where a few rows or queries carry a
    difference it finds differences that are not there, and the studentised bootstrap is the default
    test.

    What to do: nothing; name a test to have another.
    """

    code = "ROC211"
    severity = "note"

    def __new__(cls) -> Self:
        return cls.says(
            "A few units decide some differences, so Student's t does not hold: the tests are by "
            "the studentised bootstrap."
        )


class FewMayDecide(Remark):
    """Whether a few rows decide some differences cannot be seen.

    Summaries of the rows do not have the influences that a test by the bootstrap draws from.

    What to do: compare a sample of the rows that fits in memory.
    """

    code = "ROC212"

    def __new__(cls) -> Self:
        return cls.says(
            "A few rows may decide some differences, which cannot be seen from summaries: the "
            "tests may find a difference too often; compare a sample of the rows that fits in "
            "memory."
        )


class NoVariance(Remark):
    """The difference of a pair shows no variance.

    Both rank every unit alike, or differ equally on all. If they are equal, p is 1. If not, no
    test is possible.

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

    A test by resampling has no p-value below one over its draws, and an adjustment for many pairs
    multiplies it.

    What to do: use adjust="max-t", more units or more resamples.

    >>> import rocsolid as rs
    >>> systems = {"a": [0.2, 0.4, 0.6], "b": [0.3, 0.6, 0.5]}
    >>> rs.queries.compare(systems, measure="RR", test="sign-flip").warnings[-1]
    "The smallest adjusted p-value that the draws can give is 0.25, so none of the 1 pairs can ..."
    """

    code = "ROC214"

    def __new__(cls, least: float, pairs: int) -> Self:
        return cls.says(
            f"The smallest adjusted p-value that the draws can give is {least:.2g}, so none "
            f"of the {pairs:,} pairs can be significant; use adjust='max-t', more units or more "
            "resamples."
        )


class FewQueriesCompared(Remark):
    """Systems are compared on fewer than 20 queries.

    Means over so few queries are far from normal, and calibrated intervals of differences miss more
    often than they say.

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
    """Few queries carry the longer tail of a difference.

    Two systems agree on most queries, and the few on which they differ decide the mean.

    What to do: look at the certified intervals where the measure has bounds, or judge more queries.

    >>> import rocsolid as rs
    >>> a, b = [0.5] * 40, [0.5] * 37 + [0.9, 0.8, 0.7]
    >>> rs.queries.compare({"a": a, "b": b}, measure="RR", test="t").warnings[0]
    'a − b: fewer than 10 queries carry the longer tail of the difference (about 2), so the t ...'
    """

    code = "ROC222"
    advice = _LOOK

    def __new__(
        cls, pairs: str, few: float, least: float, several: bool, method: str, bounded: bool
    ) -> Self:
        return cls.says(
            f"{pairs}: fewer than {few:g} queries carry the longer "
            f"tail of the difference (about {least:.0f}{' at least' if several else ''}), so "
            f"the {method} test may find a difference too often{_look(bounded)}."
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
            f"{omitted:,} {rows} left out for every system because some score is missing."
        )


def _look(bounded: bool) -> str:
    return _LOOK if bounded else "; the measure has no bounds and so no certified intervals"

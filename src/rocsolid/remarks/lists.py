"""Checks of ranked lists: queries, ties, grades and unjudged documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from rocsolid.remarks.remark import Remark


class OneQuery(Remark):
    """There is one query.

    An interval over queries describes how the mean would vary with other queries, which one query
    cannot show.

    What to do: evaluate more queries.

    >>> import rocsolid as rs
    >>> rs.queries.average([0.5], measure="RR").warnings[0]
    'One query shows nothing about other queries, so there is no interval over queries.'
    """

    code = "ROC301"

    def __new__(cls, certified: bool) -> Self:
        if certified:
            return cls.says("One query shows almost nothing about other queries.")
        return cls.says(
            "One query shows nothing about other queries, so there is no interval over queries."
        )


class OneQueryCompared(Remark):
    """Systems are not compared on one query.

    One query does not show how differences vary between queries, so no test is possible.

    What to do: evaluate more queries.
    """

    code = "ROC317"

    def __new__(cls, noun: str) -> Self:
        return cls.says(
            f"One query shows no variation between queries, so {noun}s are not compared."
        )


class EqualQueries(Remark):
    """All queries have the same value.

    An interval by Student's t would have zero width, as if the mean were certain.

    What to do: use the certified interval, or more queries.

    >>> import rocsolid as rs
    >>> rs.queries.average([0.5, 0.5, 0.5], measure="RR").warnings[0]
    "All 3 queries have the same value, so Student's t would have zero width; the interval is ..."
    """

    code = "ROC302"

    def __new__(cls, queries: int, bounded: bool) -> Self:
        shown = "; the interval is the certified one" if bounded else " and no interval is known"
        return cls.says(
            f"All {queries:,} queries have the same value, so Student's t would have zero "
            f"width{shown}."
        )


class FewQueries(Remark):
    """There are fewer than 20 queries.

    The mean of so few values is far from normal, and calibrated intervals miss more often than
    their level states.

    What to do: rely on the certified interval where the measure has bounds, or judge more queries.

    >>> import rocsolid as rs
    >>> rs.queries.average([0.2, 0.5, 0.9], measure="RR").warnings[0]
    'Only 3 queries: a calibrated interval needs more; rely on the certified interval.'
    """

    code = "ROC303"

    def __new__(cls, queries: int, bounded: bool) -> Self:
        text = f"Only {queries} queries: a calibrated interval needs more; {_rely(bounded)}."
        return cls.says(text)


class FewInTail(Remark):
    """Few queries lie in the longer tail of the values.

    If nearly all queries have the same value, the few others decide the mean and its error.

    What to do: rely on the certified interval where the measure has bounds, or judge more queries.

    >>> import rocsolid as rs
    >>> rs.queries.average([1.0] * 38 + [0.0, 0.5], measure="RR").warnings[0]
    'Only about 2 of 40 queries lie in the longer tail of the values: with fewer than 10 a ...'
    """

    code = "ROC304"

    def __new__(cls, in_tail: float, queries: int, few: float, bounded: bool) -> Self:
        return cls.says(
            f"Only about {in_tail:.0f} of {queries:,} queries lie in the longer tail of the "
            f"values: with fewer than {few:g} a calibrated interval can miss more often than its "
            f"level states; {_rely(bounded)}."
        )


class OverDocuments(Remark):
    """The interval is over the documents of one query.

    interval="items" describes how the value would vary with other documents for this query, not
    with other queries.
    """

    code = "ROC305"
    severity = "note"
    sentence = "The interval is over the documents of one query, not over queries."


class CouldResampleDocuments(Remark):
    """One long list can have an interval over its documents.

    One query allows no interval over queries; interval="items" resamples its documents.
    """

    code = "ROC306"
    severity = "note"
    sentence = 'The interval "items" resamples the documents of this one list instead.'


class OneListOfRows(Remark):
    """No query was given, so all rows are one list.

    A sample of rows with two classes is not a list, and rows of several queries are several lists.

    What to do: set qid= to the query of each row, or use a measure of rows such as rs.pr_auc.

    >>> import rocsolid as rs
    >>> rs.ndcg([1, 0, 1], [3, 2, 1]).warnings[-1]
    'If the rows belong to several queries, set qid= to the query of each row. If they are a ...'
    """

    code = "ROC307"
    severity = "note"
    sentence = (
        "If the rows belong to several queries, set qid= to the query of each row. If they "
        "are a sample of rows and not a list, use rs.pr_auc (average precision), or "
        "precision@k and recall@k of rs.evaluate."
    )


class UnscoredRows(Remark):
    """Rows without a score were left out of their lists.

    See ROC002: with nan="omit" such documents are ignored.

    >>> import rocsolid as rs
    >>> rs.ndcg([1, 0, 1], [3, None, 1], qid=[1, 1, 1], nan="omit").warnings[-1]
    '1 row without a score was left out.'
    """

    code = "ROC308"
    severity = "note"

    def __new__(cls, omitted: int) -> Self:
        rows = (
            "1 row without a score was"
            if omitted == 1
            else f"{omitted:,} rows without a score were"
        )
        return cls.says(f"{rows} left out.")


class GainMatters(Remark):
    """With these grades the gain of NDCG or DCG matters.

    Tools differ in the gain that they assign to grade y: y or 2^y − 1. For grades other than 0 and
    1 the two gains lead to different values, and the note reports the other value.

    What to do: name the gain wherever the value is published.

    >>> import rocsolid as rs
    >>> rs.ndcg([3, 0, 1, 2], [4, 3, 2, 1], qid=[1, 1, 2, 2]).warnings[-1]
    'With grades other than 0 and 1 the gain matters: nDCG[exp2,log2] is 0.8984.'
    """

    code = "ROC309"
    severity = "note"

    def __new__(cls, rival: str, value: str, order: str = "") -> Self:
        return cls.says(
            f"With grades other than 0 and 1 the gain matters: {rival} is {value}{order}."
        )


class OpenResidual(Remark):
    """Documents that are unjudged or not listed could add to the value.

    Rank-biased precision has a residual: the increase if every unknown document were relevant.

    What to do: judge deeper, or report the residual with the value.

    >>> import rocsolid as rs
    >>> rs.rbp([1, 0, 1], [3, 2, 1], qid=[1, 1, 1]).warnings[-1]
    'Unjudged and unlisted documents could add up to 0.5120 (RBP(p=0.8) residual).'
    """

    code = "ROC310"

    def __new__(cls, value: str) -> Self:
        return cls.says(f"Unjudged and unlisted documents could add up to {value}.")


class RankContradicts(Remark):
    """The rank column contradicts the scores.

    The scores decide the order of a list. A rank column that differs was made from other scores, or
    by other rules for ties.

    What to do: find out which of the two was submitted.
    """

    code = "ROC311"

    def __new__(cls, queries: int, of: int) -> Self:
        return cls.says(
            f"The rank column contradicts the scores in {queries:,} of {of:,} queries; the "
            "scores decide the order."
        )


class OpenOrder(Remark):
    """Ties leave much of the order open, and so the value.

    Documents of equal score can be in any order, and tools break ties by different rules. The value
    is the mean over all orders unless another rule was chosen.

    What to do: write scores with enough digits.

    >>> import rocsolid as rs
    >>> rs.ndcg([1, 0, 0, 1], [1, 1, 1, 1], qid=[1, 1, 1, 1]).warnings[-1]
    '100 % of the listed documents share their score with another, so the scores alone do not ...'
    """

    code = "ROC312"

    def __new__(cls, tied: float, worst: float, best: float) -> Self:
        return cls.says(
            f"{100 * tied:.3g} % of the listed documents share their score with another, so the "
            f"scores alone do not decide the order: the possible orders give {worst:.4f} to "
            f"{best:.4f}."
        )


class QueriesLeftOut(Remark):
    """Queries for which some system has no value are left out of every mean.

    The means of several systems are over the same queries, so that they can be compared. A tool
    that reads one run at a time averages each system over that system's own queries; the text
    has those means.

    What to do: look at the queries listed; missing="zero" and empty=0 or 1 count them.
    """

    code = "ROC313"

    def __new__(
        cls, queries: int, lacks: str, names: str, several: bool, own: Mapping[str, float]
    ) -> Self:
        noun, verb = ("query", "is") if queries == 1 else ("queries", "are")
        where = " for some system" if several else ""
        alone = ", ".join(f"{name} has {value:.4f}" for name, value in own.items())
        first = f"Alone {alone}: " if own else ""  # first, as a short print may cut what follows
        return cls.says(
            f"{first}{queries:,} {noun} without a {lacks}{where} {verb} in no mean ({names})."
        )


class ToolWouldRefuse(Remark):
    """The tool of the chosen profile would refuse these data.

    The value follows the tool's formula anyway.

    What to do: nothing, unless you need the tool's own output.
    """

    code = "ROC314"
    severity = "note"

    def __new__(cls, why: str) -> Self:
        return cls.says(f"{why}. Its formula is used anyway.")


class NotJudged(Remark):
    """A run contains queries without judgements.

    The means exclude these queries, because their documents have no grades.
    """

    code = "ROC315"
    severity = "note"

    def __new__(cls, queries: int) -> Self:
        noun = f"quer{'y' if queries == 1 else 'ies'}"
        return cls.says(f"{queries:,} {noun} of the run not judged, not used.")


class QueriesOutsideCertificate(Remark):
    """A certified interval covers queries with a relevant document only.

    Queries without a relevant document have no value by this measure and were left out.

    What to do: choose a value for such queries if they matter.
    """

    code = "ROC316"

    def __new__(cls, excluded: int, queries: int, without: str) -> Self:
        return cls.says(
            f"{excluded:,} of {queries:,} queries have no {without} and are left out: the "
            "certified interval is for the queries that have one."
        )


class ItemsLeftOut(Remark):
    """Items of logs were left out because a model has no score of them.

    With nan="omit" an item without a score of one model is left out for all models. A model whose
    scores are missing for hard items, such as after a time-out, then looks better than it is. The
    sentence reports each mean over all items if missing scores count 0. It is a note if the same
    items lack a score of every model.

    What to do: find out why scores are missing; write 0 where the model failed.
    """

    code = "ROC318"

    def __new__(cls, omitted: int, of: int, lacking: str, differ: bool, as_zeros: str) -> Self:
        text = f"{omitted:,} of {of:,} items are left out for lack of a score ({lacking})."
        if as_zeros:  # first, as a short print may cut what follows
            text = (
                f"With 0 for missing scores: {as_zeros}, over all {of:,} items; {omitted:,} are "
                f"left out ({lacking})."
            )
        return cls.says(text, "warning" if differ else "note")


def _rely(bounded: bool) -> str:
    if bounded:
        return "rely on the certified interval"
    return "the measure has no bounds, so no certified interval can replace it"

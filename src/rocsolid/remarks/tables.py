"""Checks of runs and judgements as files, which an audit reports before any measure.

Their sentences start with a small letter and have no full stop, because they are items of a list.
"""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark


class MissingQueries(Remark):
    """Judged queries are not in the run.

    Some tools count these queries as 0 and others leave them out, which is the most frequent reason
    for different means.

    What to do: choose missing="zero" or "exclude".
    """

    code = "ROC601"

    def __new__(cls, count: int, names: str) -> Self:
        return cls.says(f"{_are(count, 'judged query', 'judged queries', names)} not in the run")


class EmptyQueries(Remark):
    """Judged queries have no relevant document.

    Most measures have no value for such queries; tools leave them out, or count them as 0 or 1.

    What to do: choose empty="exclude", 0 or 1.
    """

    code = "ROC602"

    def __new__(cls, count: int, names: str) -> Self:
        subject = _are(count, "judged query", "judged queries", names)
        return cls.says(f"{subject} without a relevant document")


class TiedDocuments(Remark):
    """Documents of a run share their score.

    Tools order tied documents by name, by position in the file or by the rank column.

    What to do: write scores with enough digits, or choose a rule for ties.
    """

    code = "ROC603"

    def __new__(cls, documents: str, queries: int, of: int) -> Self:
        return cls.says(
            f"{documents} tied with another, in {queries:,} of {of:,} queries: tools order these "
            "differently"
        )


class TiedInFloat32(Remark):
    """Documents are tied after scores are rounded to 32 bits.

    trec_eval and tools that use its code read scores as 32-bit floats.

    What to do: rescale the scores, so that they differ in their first seven digits.
    """

    code = "ROC604"

    def __new__(cls, documents: int) -> Self:
        return cls.says(
            "documents tied only after scores are rounded to 32-bit floats, as some tools do: "
            f"{documents:,}"
        )


class RankColumnContradicts(Remark):
    """The rank column of a run contradicts its scores.

    Most tools use the scores and ignore the ranks; some do the opposite.

    What to do: sort the run by score and renumber the ranks.
    """

    code = "ROC605"

    def __new__(cls, places: int, queries: int, of: int, first: str) -> Self:
        return cls.says(
            f"places where the rank column contradicts the scores: {places:,}, in "
            f"{queries:,} of {of:,} queries, first {first}"
        )


class DuplicateLines(Remark):
    """Lines of a run that repeat a document were left out.

    Only the first line of a document counts.

    What to do: find out why the run lists a document twice.
    """

    code = "ROC606"

    def __new__(cls, lines: int, first: str) -> Self:
        return cls.says(f"duplicate lines left out: {lines:,}, first {first}")


class ConflictingGrades(Remark):
    """Documents were judged with different grades.

    Only the last judgement of a document counts.

    What to do: correct the judgements.
    """

    code = "ROC607"

    def __new__(cls, documents: int) -> Self:
        return cls.says(f"documents judged with different grades: {documents:,}")


class NegativeGrades(Remark):
    """Judgements have grades below 0.

    Some tools count these documents as not relevant, some as unjudged, and some use the grades
    unchanged.

    What to do: choose with negative=.
    """

    code = "ROC608"

    def __new__(cls, grades: int) -> Self:
        return cls.says(f"grades below 0: {grades:,}")


def _are(count: int, singular: str, plural: str, names: str) -> str:
    verb = "is" if count == 1 else "are"
    return f"{count:,} {singular if count == 1 else plural} ({names}) {verb}"


_SHARED = "different models share this ranking, which no interval here allows for"


class FoldColumn(Remark):
    """A column that was not named looks like the folds of a cross-validation.

    In a cross-validation each fold has its own model. Ranking all rows together mixes the scores of
    different models, and intervals for one model are wrong for them.

    What to do: set fold= to the column of the folds, or rename the column if it has another
    meaning.

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
            f"by the model of its fold, {_SHARED}: evaluate the scores by fold, or rename the "
            "column if it has another meaning."
        )


class OutOfFoldScore(Remark):
    """The name of a score says out-of-fold, and no folds are named.

    See ROC401: out-of-fold scores come from one model per fold.

    What to do: set fold= to the column with the fold that each row was held out in.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1] * 20, "oof": list(range(40))}
    >>> rs.evaluate(table, label="y", scores="oof").results[0].warnings[-1]
    "The score 'oof' is called out-of-fold, so different models share this ranking, which no ..."
    """

    code = "ROC402"
    quotes = "nothing"

    def __new__(cls, name: str) -> Self:
        return cls.says(
            f"The score {name!r} is called out-of-fold, so {_SHARED}: evaluate by fold, "
            "with the column of the fold that each row was held out in, or rename the score."
        )


class NoEstimate(Remark):
    """A segment has no estimate.

    Usually the segment has rows of one class only, so the measure is not defined.

    What to do: join small segments.
    """

    code = "ROC403"

    def __new__(cls, measure: str, reason: str) -> Self:
        return cls.says(f"no {measure}, {reason}.")


class NotCompared(Remark):
    """A score of a segment could not be compared.

    What to do: see the reason in the sentence.
    """

    code = "ROC404"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"left out, {reason}.")


class SegmentsUntested(Remark):
    """No test compares the segments.

    What to do: see the requirement of the test in the sentence.
    """

    code = "ROC405"
    severity = "note"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"the segments are not tested for differences: {reason}.")


class FittedOn(Remark):
    """Held-out rows have the features of rows that a scorer was fitted on.

    If rows of one case are in both parts, the scorer was trained on their labels and the certified
    limit is wrong. Rows can also repeat by chance, without harm.

    What to do: set cluster=, so that rows of a case stay together.
    """

    code = "ROC408"

    def __new__(cls, matched: int, rows: int) -> Self:
        return cls.says(
            f"{matched:,} of {rows:,} rows have the features of a training row. That is harmless "
            "if they repeat by chance; rows of one case belong together in a cluster."
        )


class NoCurve(Remark):
    """The page shows no curve for a score.

    What to do: see the reason in the sentence.
    """

    code = "ROC411"
    severity = "note"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"{reason}.")


class NoBand(Remark):
    """A curve has no band.

    Bands are for independent rows of equal weight without missing scores.
    """

    code = "ROC412"
    severity = "note"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"no band, as {reason}.")


class FewExplored(Remark):
    """One page cannot explore the thresholds of so many scores.

    A page with segments contains the complete curves of only a few scores.

    What to do: make a page of fewer scores.
    """

    code = "ROC413"
    quotes = "nothing"
    severity = "note"

    def __new__(cls, most: int) -> Self:
        return cls.says(f"With segments, a page can explore the thresholds of up to {most} scores.")


class NoSuchPoint(Remark):
    """The page omits a usual operating point.

    A false-positive rate of 1 % needs 100 negatives, and some points need a threshold beyond all
    scores.
    """

    code = "ROC414"
    severity = "note"

    def __new__(cls, why: str) -> Self:
        return cls.says(f"{why}.")

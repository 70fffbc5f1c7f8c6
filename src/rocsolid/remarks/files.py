"""Checks of runs and judgements as files: what an audit finds before any measure is taken.

Their sentences begin small and have no full stop, as they stand in a list.
"""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark


class MissingQueries(Remark):
    """Judged queries are not in the run.

    Some tools count them 0 and others leave them out, which is the most frequent reason why two
    tools give different means.

    What to do: say which, by missing="zero" or "exclude".
    """

    code = "ROC601"

    def __new__(cls, count: int, names: str) -> Self:
        return cls.says(f"{_are(count, 'judged query', 'judged queries', names)} not in the run")


class EmptyQueries(Remark):
    """Judged queries have no relevant document.

    Most measures have no value for them; tools leave them out, or count 0 or 1.

    What to do: say which, by empty="exclude", 0 or 1.
    """

    code = "ROC602"

    def __new__(cls, count: int, names: str) -> Self:
        subject = _are(count, "judged query", "judged queries", names)
        return cls.says(f"{subject} without a relevant document")


class TiedDocuments(Remark):
    """Documents of a run share their score.

    Tools order them by document name, by place in the file or by the rank column.

    What to do: submit scores with enough digits, or say how ties count.
    """

    code = "ROC603"

    def __new__(cls, documents: str, queries: int, of: int) -> Self:
        return cls.says(
            f"{documents} tied with another, in {queries:,} of {of:,} queries: tools order these "
            "differently"
        )


class TiedInFloat32(Remark):
    """Documents are tied once scores are cut to 32 bits.

    trec_eval and tools that use its code read scores as 32-bit floats.

    What to do: scale the scores, so that they differ in their first seven digits.
    """

    code = "ROC604"

    def __new__(cls, documents: int) -> Self:
        return cls.says(
            "documents tied only when scores are cut to 32-bit floats, as some tools do: "
            f"{documents:,}"
        )


class RankColumnContradicts(Remark):
    """The rank column of a run contradicts its scores.

    Most tools read the scores and ignore the ranks; some do the opposite.

    What to do: sort the run by score and write the ranks anew.
    """

    code = "ROC605"

    def __new__(cls, places: int, queries: int, of: int, first: str) -> Self:
        return cls.says(
            f"places where the rank column contradicts the scores: {places:,}, in "
            f"{queries:,} of {of:,} queries, first {first}"
        )


class DuplicateLines(Remark):
    """Lines of a run that repeat a document were left out.

    The first line of a document counts.

    What to do: find out why the run lists a document twice.
    """

    code = "ROC606"

    def __new__(cls, lines: int, first: str) -> Self:
        return cls.says(f"duplicate lines left out: {lines:,}, first {first}")


class ConflictingGrades(Remark):
    """Documents were judged with different grades.

    The last judgement of a document counts.

    What to do: correct the judgements.
    """

    code = "ROC607"

    def __new__(cls, documents: int) -> Self:
        return cls.says(f"documents judged with different grades: {documents:,}")


class NegativeGrades(Remark):
    """Judgements have grades below 0.

    Some tools count them as not relevant, some as not judged, and some take them as they are.

    What to do: say which, by negative=.
    """

    code = "ROC608"

    def __new__(cls, grades: int) -> Self:
        return cls.says(f"grades below 0: {grades:,}")


def _are(count: int, singular: str, plural: str, names: str) -> str:
    verb = "is" if count == 1 else "are"
    return f"{count:,} {singular if count == 1 else plural} ({names}) {verb}"

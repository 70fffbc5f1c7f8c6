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


class FewOnWrongSide(Remark):
    """Few rows are expected on the wrong side.

    The normal approximation of a plan is off where few rows of the smaller class are misplaced. The
    sentence says by how much simulated power differed at most.

    What to do: plan with more rows, or simulate the study.

    >>> import rocsolid as rs
    >>> rs.plan.auc_power(auc=0.9, n_pos=10, n_neg=10).warnings[0]
    'Only 1 of 10 rows of the smaller class are expected on the wrong side; below 1 the ...'
    """

    code = "ROC501"

    def __new__(cls, what: str, below: float, off: float) -> Self:
        return cls.says(
            f"Only {what} are expected on the wrong side; below {below:g} the simulated power "
            f"was up to {off:g} from this one."
        )


class WrongSide(Remark):
    """Of the significant results some would point the wrong way.

    With little power a result is significant by chance in either direction.

    What to do: plan with more rows.

    >>> import rocsolid as rs
    >>> rs.plan.auc_power(auc=0.51, n_pos=30, n_neg=30).warnings[-1]
    'Of the significant results 34% would point the wrong way.'
    """

    code = "ROC502"

    def __new__(cls, share: float) -> Self:
        return cls.says(f"Of the significant results {share:.0%} would point the wrong way.")


class OtherDefault(Remark):
    """The plan is for another test than the default interval.

    The score test and the default interval of rs.auc differ in power here.

    What to do: plan with test="auto", or test with interval="newcombe5".
    """

    code = "ROC503"

    def __new__(cls, power: float) -> Self:
        return cls.says(
            f"The default interval of rocsolid.auc leaves out the null with a power of "
            f'{power:.2f}; plan with test="auto", or test with interval="newcombe5".'
        )


class SmallPilot(Remark):
    """The pilot has fewer than 30 rows of a class, or fewer than 30 clusters.

    Its variances and correlations, and so the plan, are uncertain.

    What to do: plan for a range of correlations.
    """

    code = "ROC504"

    def __new__(cls, n_pos: int, n_neg: int, clusters: int | None = None) -> Self:
        units = "" if clusters is None else f" in {clusters:,} clusters"
        return cls.says(
            f"The pilot has {n_pos} positives and {n_neg} negatives{units}, so its "
            "variances, and this plan, are uncertain."
        )


class ShortInterval(Remark):
    """The planned interval is too short where few rows are misplaced.

    Near 0 and 1 the intervals by DeLong and by logits do not exist or are too short, so that the
    width of a study differs from the planned one.

    What to do: use interval="auto".
    """

    code = "ROC505"

    def __new__(cls, count: float) -> Self:
        return cls.says(
            f"Only {count:.2g} rows of the smaller class are expected on the wrong side, where "
            "this interval is too short or does not exist; widths in simulations were .9 to 2.7 "
            'times the planned. Use interval="auto".'
        )


class LittleGained(Remark):
    """Choosing which rows to label gains little.

    The chances given differ too little between rows; where they are wrong, something is lost.

    What to do: draw rows alike.
    """

    code = "ROC506"

    def __new__(cls) -> Self:
        return cls.says(
            "Little is gained, and with wrong chances something lost, compared with rows drawn "
            "alike."
        )


_SHARED = "different models share this ranking, and no interval here knows that"


class FoldColumn(Remark):
    """A column that nobody named looks like the folds of a cross-validation.

    Scores of a cross-validation come from a model for each fold. Ranked together they are ranked by
    different models, and intervals for one model are wrong for them.

    What to do: evaluate with fold=, the column of the folds, or rename the column if it means
    something else.

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
            f"by the model of its fold, {_SHARED}: evaluate with fold={name!r}, or rename the "
            "column if it means something else."
        )


class OutOfFoldScore(Remark):
    """A score is called out-of-fold, and no folds are named.

    See ROC401: such scores come from a model for each fold.

    What to do: evaluate with fold=, the column of the fold that each row was held out in.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1] * 20, "oof": list(range(40))}
    >>> rs.evaluate(table, label="y", scores="oof").results[0].warnings[-1]
    "The score 'oof' is called out-of-fold, so different models share this ranking, and no ..."
    """

    code = "ROC402"
    quotes = "nothing"

    def __new__(cls, name: str) -> Self:
        return cls.says(
            f"The score {name!r} is called out-of-fold, so {_SHARED}: evaluate with fold, the "
            "column of the fold that each row was held out in, or rename the score."
        )


class NoEstimate(Remark):
    """A segment has no estimate.

    Most often it has rows of one class only, so that the measure is not defined.

    What to do: join small segments.
    """

    code = "ROC403"

    def __new__(cls, measure: str, reason: str) -> Self:
        return cls.says(f"no {measure}, {reason}.")


class NotCompared(Remark):
    """A score of a segment could not be compared.

    What to do: the reason says what is missing.
    """

    code = "ROC404"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"left out, {reason}.")


class SegmentsUntested(Remark):
    """Whether segments differ is not tested.

    What to do: the reason says what the test needs.
    """

    code = "ROC405"
    severity = "note"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"whether segments differ is not tested: {reason}.")


class FittedOn(Remark):
    """Held-out rows have the features of rows that a scorer was fitted on.

    If rows of one case are in both parts, the scorer knows their labels and the certificate is
    wrong. By chance rows can repeat without harm.

    What to do: give cluster=, so that rows of a case stay together.
    """

    code = "ROC408"

    def __new__(cls, matched: int, rows: int) -> Self:
        return cls.says(
            f"{matched:,} of {rows:,} rows have the features of a row that it was "
            "fitted on. That is harmless if they repeat by chance; rows of one case belong "
            "together and need cluster=."
        )


class NoCurve(Remark):
    """A score has no curve on the page.

    What to do: the reason says what is missing.
    """

    code = "ROC411"
    severity = "note"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"{reason}.")


class NoBand(Remark):
    """A curve has no band.

    Bands are for independent rows of equal weight, and need every score.
    """

    code = "ROC412"
    severity = "note"

    def __new__(cls, reason: str) -> Self:
        return cls.says(f"no band, as {reason}.")


class FewExplored(Remark):
    """Thresholds of so many scores cannot be explored on one page.

    A page with segments holds the curves of a few scores in full.

    What to do: make a page of fewer scores.
    """

    code = "ROC413"
    quotes = "nothing"
    severity = "note"

    def __new__(cls, most: int) -> Self:
        return cls.says(f"With segments, thresholds of up to {most} scores can be explored.")


class NoSuchPoint(Remark):
    """An operating point that pages usually give is not there.

    A false-positive rate of 1 % needs 100 negatives, and some points need a threshold beyond all
    scores.
    """

    code = "ROC414"
    severity = "note"

    def __new__(cls, why: str) -> Self:
        return cls.says(f"{why}.")

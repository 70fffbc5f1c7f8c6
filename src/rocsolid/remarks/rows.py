"""Checks of the rows: number, weights and ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from rocsolid.remarks.remark import Remark

FEW = 10


class FewRows(Remark):
    """A class has fewer than 10 rows.

    The variance is uncertain with so few rows, so the calibrated interval can miss more often than
    its level states. If there is a certified interval, it decides the verdict.

    What to do: quote the certified interval, or collect rows of the smaller class.

    >>> import rocsolid as rs
    >>> rs.auc([0, 0, 1, 1], [1, 3, 2, 4]).warnings[0]
    'Only 2 positive rows: rely on the certified interval.'
    """

    code = "ROC001"
    severity = "doubt"
    quotes = "counts"

    def __new__(cls, size: int, name: str, certified: bool) -> Self:
        text = f"Only {size} {name} row{'s' if size > 1 else ''}{_rely(certified)}."
        return cls.says(text, "doubt" if certified else "warning")


class MissingScores(Remark):
    """Rows without a score were left out.

    With nan="omit" rows with a missing score are ignored. If scores are missing more often for one
    class, or for hard cases, the value of the remaining rows differs from that of all rows.

    What to do: find out why scores are missing, and report how many were.

    >>> import rocsolid as rs
    >>> rs.auc([0, 0, 1, 1], [1, None, 2, 4], nan="omit").warnings[0]
    '1 row was left out because the score is missing.'
    """

    code = "ROC002"
    quotes = "counts"
    severity = "note"

    def __new__(cls, omitted: int) -> Self:
        rows = "1 row was" if omitted == 1 else f"{omitted:,} rows were"
        return cls.says(f"{rows} left out because the score is missing.")


class FewEffectiveRows(Remark):
    """Unequal weights make rows worth few rows of equal weight.

    A few heavy rows then decide the value, and the variance is as uncertain as with so few rows.
    The limit is 10 rows of a class. A net benefit needs flagged rows that are worth 30, because a
    flagged negative counts with the odds of the threshold.

    What to do: as with few rows; look for weights that are much larger than the others.

    >>> import rocsolid as rs
    >>> y, heavy = [0, 1] * 20, [50.0, 50.0] + [1.0] * 38
    >>> print(rs.auc(y, range(40), sample_weight=heavy).warnings[0])
    The weights make the positive rows worth only 1.9 of equal weight.
    """

    code = "ROC003"
    severity = "doubt"

    def __new__(cls, size: float, name: str, certified: bool, by: str = "weights") -> Self:
        text = (
            f"The {by} make the {name} rows worth only {size:.1f} of equal "
            f"weight{_rely(certified)}."
        )
        return cls.says(text, "doubt" if certified else "warning")


class FewClusters(Remark):
    """There are fewer than 30 clusters.

    Clusters are independent and their rows are not, so the variance is estimated from only as many
    values as there are clusters.

    What to do: quote the certified interval where there is one, or collect more clusters; more rows
    of the same clusters help little.

    >>> import rocsolid as rs
    >>> rs.auc([0, 1] * 4, range(8), cluster=[1, 1, 2, 2, 3, 3, 4, 4]).warnings[2]
    'Only 4 clusters: the calibrated interval needs about 30.'
    """

    code = "ROC004"
    severity = "doubt"
    quotes = "counts"

    def __new__(cls, clusters: int, certified: bool) -> Self:
        noun = "cluster" if clusters == 1 else "clusters"
        certain = "; rely on the certified one" if certified else ""
        need = f"the calibrated interval needs about {3 * FEW}"
        text = f"Only {clusters} {noun}: {need}{certain}."
        return cls.says(text, "doubt" if certified else "warning")


class UnseenHeavyRows(Remark):
    """One class has no row as heavy as the heaviest rows of the other class.

    Heavy rows cause most of the estimate's variance, and the class without any may have heavy rows
    outside the sample. The default interval is widened by the effect of one such row.

    What to do: find out where the weights come from; if a design fixed them, it defines the
    possible weights.
    """

    code = "ROC005"
    quotes = "nothing"
    sentence = (
        "A class has no row as heavy as those that make up most of the other class's "
        "weight: the sample may have missed them. The default interval allows for one such "
        "row."
    )


class UnevenClusters(Remark):
    """Clusters of very different size count as few clusters of equal size.

    A few large clusters decide the estimate, so its variance is as uncertain as with few clusters,
    however many small clusters there are.

    What to do: collect more large clusters, or report the value of the largest separately.

    >>> import rocsolid as rs
    >>> c = [max(0, i - 169) for i in range(200)]
    >>> rs.auc([0, 1] * 100, [i * 7 % 200 for i in range(200)], cluster=c).warnings[0]
    '31 clusters as uneven as these count as about 1 of equal size: the calibrated interval ...'
    """

    code = "ROC006"
    severity = "doubt"

    def __new__(cls, clusters: int, effective: float, certified: bool) -> Self:
        certain = "; rely on the certified one" if certified else ""
        text = (
            f"{clusters} clusters as uneven as these count as about {effective:.0f} of equal "
            f"size: the calibrated interval needs about {3 * FEW}{certain}."
        )
        return cls.says(text, "doubt" if certified else "warning")


def few_clusters(clusters: int | None, effective: float, certified: bool) -> list[Remark]:
    """Return the doubt about fewer than 30 clusters, or about ``effective`` fewer of equal size."""
    if clusters is None:
        return []
    if clusters < 3 * FEW:
        return [FewClusters(clusters, certified)]
    return [UnevenClusters(clusters, effective, certified)] if effective < 3 * FEW else []


class HeavyRows(Remark):
    """A few heavy rows decide the estimate.

    The error of the value is estimated from the few heaviest rows. A sample that misses all heavy
    rows gives an interval that is too short, without any sign of it.

    What to do: report the largest weights with the value, or cap the weights if the design allows
    it.
    """

    code = "ROC007"

    def __new__(cls, effective: float) -> Self:
        return cls.says(
            "A few heavy rows decide the estimate, so its error is as uncertain as with "
            f"{effective:.0f} rows of equal weight. If heavy rows are rare, a sample can miss "
            "them all: the interval is then too short, without any sign of it."
        )


class UndeclaredDesign(Remark):
    """Without a fixed design, weights or clusters have no certified interval.

    If weights or cluster sizes depend on the scores, the estimate does not target the value of the
    population, so a bound on its error does not bound that value. The data cannot show such a
    dependence, so the design must be declared.

    What to do: set design="fixed" if weights and sizes were fixed without regard to the scores.

    >>> import rocsolid as rs
    >>> rs.auc([0, 1] * 20, range(40), sample_weight=[1.0, 2.0] * 20).warnings[-1]
    'No certified interval, because it would be wrong for weights that go with the scores. If ...'
    """

    code = "ROC008"
    quotes = "nothing"
    severity = "note"

    def __new__(cls, what: str, fixed: str) -> Self:
        return cls.says(
            f"No certified interval, because it would be wrong for {what}. If {fixed} fixed by "
            "the design, declare the design as fixed."
        )


class ManyTies(Remark):
    """More than 5 % of the pairs of a positive and a negative are tied.

    A tie counts half, which is the mean over all orders of the tied rows. Scores rounded to a few
    values, or many equal scores, hide differences between rows.

    What to do: use the unrounded scores of the model.

    >>> import rocsolid as rs
    >>> rs.auc([0, 1] * 20, [1, 1, 2, 3] * 10).warnings[0]
    '25 % of the pairs of a positive and a negative are tied; a tie counts half.'
    """

    code = "ROC009"
    severity = "note"

    def __new__(cls, share: float) -> Self:
        tied = f"{100 * share:.3g} %"
        return cls.says(
            f"{tied} of the pairs of a positive and a negative are tied; a tie counts half."
        )


class TiesInPublic(Remark):
    """Many pairs are tied; the public text omits the exact share.

    A public page reports that more than 5 % of the pairs are tied, which follows from the scores
    and the published counts. The exact share would reveal more about the labels.
    """

    code = "ROC010"
    quotes = "nothing"
    severity = "note"

    def __new__(cls, least: float) -> Self:
        return cls.says(
            f"More than {100 * least:.0f} % of the pairs of rows have the same score; a tie "
            "counts half."
        )


class ReversedScore(Remark):
    """The score ranks positives below negatives.

    Even the upper limit is below the value of a random ranking. Usually low scores mean positive,
    as with distances and p-values; otherwise the model learned the opposite.

    What to do: if low scores mean positive, set lower_is_better=True. The direction is never
    guessed, because a guess would make a bad score look good.

    >>> import rocsolid as rs
    >>> rs.auc([1] * 20 + [0] * 20, range(40)).warnings[0]
    'Positives are ranked below negatives more often than not: if low scores mean positive, ...'
    """

    code = "ROC011"
    quotes = "nothing"
    sentence = (
        "Positives are ranked below negatives more often than not: if low scores mean "
        "positive, declare that lower is better. The direction is never guessed."
    )


class WithheldFigures(Remark):
    """A public page leaves out a warning that quotes figures.

    Shares and effective sizes in a warning can reveal labels. The private report has the full
    warning.
    """

    code = "ROC016"
    quotes = "nothing"
    severity = "note"
    sentence = "A further warning quotes figures; only the private report contains it."


_USE = 'use the interval "auto" or "bootstrap".'
BOOTSTRAP_LIMITS = {
    "bootstrap-percentile": f"percentiles cover the true value too rarely here; {_USE}",
    "bootstrap-bca": f"BCa covers the true value too rarely here; {_USE}",
    "bootstrap-logit": "a limit of 0 or 1 means that the limit could not be computed because "
    "too many resamples are perfect; " + _USE,
    "bootstrap (hull)": "no bootstrap alone covers well here, so this interval is the hull of a "
    'bootstrap interval and of the interval "auto".',
}


class BootstrapNearEnd(Remark):
    """A bootstrap interval is used for a value near the end of its range.

    If a score misplaces fewer than 10 rows of the smaller class, resamples hardly vary, and
    bootstrap intervals are too short.

    What to do: use interval="auto", which allows for rows outside the sample.

    >>> import rocsolid as rs
    >>> y, s = [0] * 20 + [1] * 20, [*range(19), 20, 19, *range(21, 40)]
    >>> rs.auc(y, s, interval="bootstrap-percentile").warnings[-1]
    'The scores misplace fewer than 10 rows of the smaller class: percentiles cover the true ...'
    """

    code = "ROC012"
    quotes = "nothing"

    def __new__(cls, method: str) -> Self:
        few = f"The scores misplace fewer than {FEW} rows of the smaller class"
        return cls.says(f"{few}: {BOOTSTRAP_LIMITS[method]}")


class AlikeResamples(Remark):
    """All resamples give the same value.

    A bootstrap draws from the rows of the sample, so it cannot show how other rows would change the
    value. If all resamples agree, the bootstrap interval has zero width.

    What to do: rely on the certified interval, or collect more rows.
    """

    code = "ROC013"

    def __new__(cls, value: float, *, certified: bool) -> Self:
        if certified:
            return cls.says(
                f"All resamples give {value:g}, which shows nothing about rows outside the "
                "sample: rely on the certified interval."
            )
        return cls.says(
            f"All resamples give {value:g}, which shows nothing about rows outside the sample: "
            "the calibrated interval is too short."
        )


class MissingInSomeScore(Remark):
    """Rows that lack some score were left out for every score.

    Scores are compared on the rows that have all of them.

    What to do: find out why scores are missing; a score that exists for easy rows only makes all
    scores look better.

    >>> import rocsolid as rs
    >>> y, a = [0, 1] * 20, list(range(40))
    >>> print(rs.compare(y, {"a": a, "b": [None, *a[1:]]}, nan="omit").warnings[0])
    1 row was left out for every score because at least one score is missing (b: 1).
    """

    code = "ROC014"
    severity = "note"

    def __new__(cls, omitted: int, missing: Mapping[str, int]) -> Self:
        left = "1 row was" if omitted == 1 else f"{omitted:,} rows were"
        by_name = ", ".join(f"{name}: {count:,}" for name, count in missing.items())
        return cls.says(
            f"{left} left out for every score because at least one score is missing ({by_name})."
        )


class MissingInSample(Remark):
    """Rows of one sample have no score and were left out.

    Independent samples are compared on the rows that have a score; see ROC002.
    """

    code = "ROC015"
    severity = "note"

    def __new__(cls, name: str, count: int) -> Self:
        rows = "row" if count == 1 else "rows"
        return cls.says(f"{name}: {count:,} {rows} left out because the score is missing.")


def _rely(certified: bool) -> str:
    return ": rely on the certified interval" if certified else ""

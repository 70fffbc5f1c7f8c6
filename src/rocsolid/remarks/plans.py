"""Checks of plans: how far a prediction of power, width or gain can be relied on."""

from __future__ import annotations

from typing import Self

from rocsolid.counts import both_classes, counted
from rocsolid.remarks.remark import Remark


class FewOnWrongSide(Remark):
    """Few rows are expected on the wrong side.

    The normal approximation of a plan is inaccurate if few rows of the smaller class are misplaced.
    The warning quotes the largest deviation in simulations.

    What to do: plan with more rows, or simulate the study.

    >>> import rocsolid as rs
    >>> rs.plan.auc_power(auc=0.9, n_pos=10, n_neg=10).warnings[0]
    'Only 1 of 10 rows of the smaller class are expected on the wrong side; below 1 simulated ...'
    """

    code = "ROC501"

    def __new__(cls, what: str, below: float, off: float) -> Self:
        return cls.says(
            f"Only {what} are expected on the wrong side; below {below:g} simulated power "
            f"differed from this one by up to {off:g}."
        )


class WrongSide(Remark):
    """Some significant results would point in the wrong direction.

    With little power, many significant results are chance results, in either direction.

    What to do: plan with more rows.

    >>> import rocsolid as rs
    >>> rs.plan.auc_power(auc=0.51, n_pos=30, n_neg=30).warnings[-1]
    '34 % of the significant results would point in the wrong direction.'
    """

    code = "ROC502"

    def __new__(cls, share: float) -> Self:
        return cls.says(
            f"{100 * share:.0f} % of the significant results would point in the wrong direction."
        )


class OtherDefault(Remark):
    """The plan is for a test other than the default interval.

    The score test and the default interval of rs.auc differ in power here.

    What to do: plan with test="auto", or test with interval="newcombe5".
    """

    code = "ROC503"

    def __new__(cls, power: float) -> Self:
        return cls.says(
            "The default interval of rocsolid.auc excludes the null with a power of "
            f'{power:.2f}; plan with the test "auto", or test with the interval "newcombe5".'
        )


class SmallPilot(Remark):
    """The pilot has fewer than 30 rows of a class, or fewer than 30 clusters.

    The variances and correlations of the pilot, and so the plan, are uncertain.

    What to do: plan for a range of correlations.
    """

    code = "ROC504"

    def __new__(cls, n_pos: int, n_neg: int, clusters: int | None = None) -> Self:
        units = "" if clusters is None else f" in {counted(clusters, 'cluster')}"
        return cls.says(
            f"The pilot has {both_classes(n_pos, n_neg)}{units}, so its "
            "variances, and this plan, are uncertain."
        )


class ShortInterval(Remark):
    """The planned interval is too short if few rows are misplaced.

    Near 0 and 1 the DeLong and logit intervals do not exist or are too short, so the width in the
    study differs from the planned width.

    What to do: use interval="auto".
    """

    code = "ROC505"

    def __new__(cls, count: float) -> Self:
        return cls.says(
            f"Only {count:.2g} rows of the smaller class are expected on the wrong side; this "
            "interval is then too short or does not exist. Widths in simulations were 0.9 to "
            '2.7 times the planned width. Use the interval "auto".'
        )


class LittleGained(Remark):
    """Choosing which rows to label gains little.

    The given probabilities differ too little between rows; if they are wrong, some precision is
    lost.

    What to do: draw all rows with equal probability.
    """

    code = "ROC506"
    sentence = (
        "Compared with equal probabilities, little is gained, and wrong probabilities lose "
        "precision."
    )


class PilotDifference(Remark):
    """The pilot's own difference has an interval.

    A plan assumes that the true difference is the pilot's, unless another is given. The rows that
    a plan needs grow with the inverse square of the true difference.

    What to do: plan for the smallest difference that matters, with difference.
    """

    code = "ROC507"
    severity = "note"

    def __new__(cls, difference: float, low: float, high: float, level: float) -> Self:
        text = (
            f"The pilot's own difference is {difference:+.4f} "
            f"({100.0 * level:g} % interval {low:+.4f} to {high:+.4f})."
        )
        return cls.says(text.replace("-", "−"))


class MovedToClusters(Remark):
    """The planned class sizes are those of whole clusters.

    Clusters with rows of both classes have the pilot's ratio of classes, so the total number of
    rows is kept and the class sizes change.

    What to do: give one class size, or none.
    """

    code = "ROC508"
    severity = "note"

    def __new__(cls, given_pos: float, given_neg: float, n_pos: float, n_neg: float) -> Self:
        return cls.says(
            f"Clusters like the pilot's have about {n_pos:,.0f} positives and {n_neg:,.0f} "
            f"negatives in the same number of rows, instead of the given {given_pos:,.0f} and "
            f"{given_neg:,.0f}."
        )

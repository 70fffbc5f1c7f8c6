"""Checks of plans: where a predicted power or width is not to be trusted."""

from __future__ import annotations

from typing import Self

from rocsolid.remarks.remark import Remark


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
    """The pilot has fewer than 30 rows of a class.

    Its variances and correlations, and so the plan, are uncertain.

    What to do: plan for a range of correlations.
    """

    code = "ROC504"

    def __new__(cls, n_pos: int, n_neg: int) -> Self:
        return cls.says(
            f"The pilot has {n_pos} positives and {n_neg} negatives, so its "
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

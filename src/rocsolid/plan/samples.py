"""How many rows an AUC needs to be known to within ±ε."""

from __future__ import annotations

from rocsolid.arguments import is_number, whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_level, check_value
from rocsolid.intervals.guarantees.table import canonical, deviation
from rocsolid.plan.sizes import SampleSize, check_prevalence, smallest, split
from rocsolid.plan.unknown import rounded_up


class ClassSizes:
    """Real-valued class sizes, and the whole rows that they come to."""

    __slots__ = ()

    n_pos: float
    n_neg: float

    @property
    def prevalence(self) -> float:
        """The share of positives among the rows."""
        return self.n_pos / (self.n_pos + self.n_neg)

    @property
    def rows_pos(self) -> int:
        return rounded_up(self.n_pos)

    @property
    def rows_neg(self) -> int:
        return rounded_up(self.n_neg)

    @property
    def rows(self) -> int:
        """All rows (of unpaired samples: of sample a), each class rounded up."""
        return self.rows_pos + self.rows_neg


METHODS = ("mcdiarmid", "hoeffding-blocks", "kl", "hinge")
"""The guarantees that need no more than the class sizes, or those and the AUC."""


def samples(
    epsilon: float,
    *,
    level: float = 0.95,
    prevalence: float = 0.5,
    bound: str = "hinge",
    auc: float | None = None,
    candidates: int = 1,
) -> SampleSize:
    """The fewest rows for which |Â−A| ≤ ε at the level 1−δ, whatever the distribution.

    The bound "mcdiarmid" is Corollary 7 of Agarwal et al. 2005, N ≥ ln(2/δ)/(2ρ(1−ρ)ε²) with ρ the
    ``prevalence``, the share of positives among the rows; with ``candidates`` it is Corollary 12,
    which puts ln|F| on top of ln(2/δ). The other bounds are tighter, with δ/|F| for the choice
    among candidates. Without ``auc`` the answer holds for every AUC. With it, it is for an estimate
    that comes out at ``auc`` (what is to be expected).

    Rows come in whole numbers: of n rows, ρn are positive, rounded. The result is the smallest n
    whose deviation at the class sizes so found is at most ε; every larger n is enough too. Where ρn
    is not whole it can exceed the formula, rounded up, by a few rows.

    >>> print(samples(0.05), samples(0.05, bound="mcdiarmid"), sep=chr(10))
    1,094 rows: 547 positives and 547 negatives (hinge)
    2,952 rows: 1,476 positives and 1,476 negatives (mcdiarmid)
    >>> samples(0.05, prevalence=0.1, auc=0.9).n
    2555
    """
    method = check_bound(bound)
    if not (is_number(epsilon) and 0.0 < epsilon < 1.0):
        raise InputError(
            "epsilon must lie strictly between 0 and 1",
            value=epsilon,
            fix="give the largest distance from the true AUC that you can accept, such as 0.05",
        )
    fraction = check_prevalence(prevalence)
    share = check_level(level) / whole(candidates, "candidates")
    expected = None if auc is None else check_value(auc)

    def distance(rows: int) -> float:
        return float(deviation(method, *split(rows, fraction), share, expected))

    rows = smallest(distance, epsilon)
    n_pos, n_neg = split(rows, fraction)
    reached = deviation(method, n_pos, n_neg, share, expected)
    source = reached.source
    if method == "mcdiarmid":
        source = f"Agarwal et al. 2005, Corollary {7 if candidates == 1 else 12}"
    return SampleSize(
        rows,
        n_pos,
        n_neg,
        float(reached),
        method,
        source,
        {
            "epsilon": epsilon,
            "level": level,
            "prevalence": prevalence,
            "auc": auc,
            "candidates": candidates,
        },
    )


def check_bound(bound: str) -> str:
    """The full name of a bound to plan with; any other is refused."""
    full = canonical(bound)
    if full not in METHODS:
        raise InputError(
            "no bound to plan with",
            where="bound",
            value=bound,
            fix=f"choose one of {', '.join(METHODS)}",
        )
    return full

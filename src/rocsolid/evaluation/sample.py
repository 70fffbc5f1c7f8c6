"""A sample of one value per unit for each score, for custom evaluations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import flag
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.groups import codes
from rocsolid.inputs.matrices import Range, check_range, query_values
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.unit_mean import UnitMean
from rocsolid.parameters import Alternative, Nan
from rocsolid.remarks.remark import Remark
from rocsolid.results.query_estimate import QueryComparison, QueryEstimate

if TYPE_CHECKING:
    from rocsolid.comparison.build import PairKeywords
    from rocsolid.inputs.logs import LoggedItems


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One value per unit for each score, such as the AUC of each user's rows.

    ``values`` has the values of each score by name, for the same units in the same order.
    ``measure`` names the value and ``unit`` the unit; ``range`` is known before any data (``None``:
    without bounds), and ``names`` are the names of the units. Units must be independent, or
    ``cluster`` defines which belong together, such as the queries of a user: clusters are then the
    units, and the mean is still that of all values. A cluster's value is the mean plus the
    contribution of its values, times the number of clusters, so that clusters vary as the ratio
    estimate does (Cochran 1977, section 9A.1). With clusters of different sizes it has no
    ``bounds``, and nothing is certified; the mean is still within its range. ``binary`` says that a
    value can only be an end of ``range``, such as 0 or 1: the certified interval of a mean is then
    the exact one (Clopper and Pearson 1934). ``warnings`` become those of every result.

    `rocsolid.evaluate`, `rocsolid.compare` and `rocsolid.gate` accept a sample instead of a table,
    and ``rs.plan.query_spread`` accepts its ``values``.

    >>> users = Sample({"new": [0.9, 0.7, 0.8] * 9, "old": [0.6, 0.7, 0.6] * 9}, unit="user",
    ...                measure="AUC per user")
    >>> round(users.compare().pairs[0].difference, 4), users.units
    (0.1667, 27)
    >>> Sample({"new": [0.9, 0.7, 0.4]}, cluster=["u", "u", "v"]).values["new"].round(4)
    array([0.8444, 0.4889])
    """

    values: Mapping[str, Any]
    measure: str = "mean"
    unit: str = "unit"
    range: Range = (0.0, 1.0)
    names: Any = None
    source: str = "values"
    cluster: Any = None
    binary: bool = False
    warnings: tuple[Remark, ...] = ()
    bounds: Range = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", self.range)
        if not isinstance(self.values, Mapping) or not self.values:
            raise InputError(
                "the values must be a mapping from score names to columns",
                where="values",
                value=type(self.values).__name__,
                fix='pass {"a": values of a, "b": values of b}',
            )
        checked = {
            str(name): query_values(values, range=self.range, name=f"score {name!r}")
            for name, values in self.values.items()
        }
        sizes = {name: values.size for name, values in checked.items()}
        if len(set(sizes.values())) > 1:
            raise InputError(
                f"the scores have values for different numbers of {self.plural}",
                where="values",
                value=sizes,
                fix=f"pass a value of every {self.unit} for each score",
            )
        self._check_binary(checked)
        if self.cluster is not None:
            checked = self._by_cluster(checked)
        object.__setattr__(self, "values", checked)

    @staticmethod
    def of_logs(
        paths: Any, *, measure: str | None = None, nan: Nan = "raise",
        cluster: str | None = None,
    ) -> Sample:  # fmt: skip
        """Read logs of language-model evaluations: a score for each model, a value for each item.

        ``paths`` are files or folders with logs of inspect_ai (``.eval``, ``.json``),
        lm-evaluation-harness (``samples_*.jsonl``) or promptfoo, or JSON Lines with the keys item,
        model and score, and if known cluster and epoch. ``measure`` names the scorer if there are
        several. An item's value is the mean of its answers (epochs). An item without a score of
        some model is an error, or with ``nan="omit"`` left out for all models. ``cluster`` is the
        key of the cluster in an item's metadata, by default "cluster". The range is 0 to 1 if all
        scores lie within it, and unknown otherwise.

        `rocsolid.evaluate`, `rocsolid.compare` and `rocsolid.gate` accept the paths themselves.
        """
        from rocsolid.inputs.logs import read_logs

        return sample_of(read_logs(paths, measure=measure, nan=nan, cluster=cluster))

    def _check_binary(self, values: Mapping[str, NDArray[np.float64]]) -> None:
        flag(self.binary, "binary")
        ends = check_range(self.range)
        for name, column in values.items():
            between = column[~np.isin(column, ends)]
            if self.binary and between.size:
                raise InputError(
                    f"score {name!r} has a value between the ends of the range",
                    where="binary",
                    value=float(between[0]),
                    fix="leave binary out",
                )

    def _by_cluster(self, values: dict[str, NDArray[np.float64]]) -> dict[str, Any]:
        index, clusters = codes(self.cluster)
        check_lengths({"cluster": len(index), **{name: v.size for name, v in values.items()}})
        if self.names is not None:
            raise InputError(
                "clusters are the units, and have their own names",
                where="names",
                fix="leave names out",
            )
        sizes = np.bincount(index)
        object.__setattr__(self, "names", clusters)
        object.__setattr__(self, "unit", "cluster")
        object.__setattr__(self, "binary", False)  # a cluster's value is a mean
        if sizes.min() < sizes.max():
            object.__setattr__(self, "bounds", None)
        share = len(clusters) / len(index)
        return {
            name: v.mean() + share * np.bincount(index, v - v.mean()) for name, v in values.items()
        }

    @property
    def plural(self) -> str:
        """The plural of the unit.

        >>> Sample({"a": [0.5]}, unit="city").plural, Sample({"a": [0.5]}, unit="day").plural
        ('cities', 'days')
        """
        return f"{re.sub('(?<![aeiou])y$', 'ie', self.unit)}s"

    @property
    def units(self) -> int:
        """The number of units."""
        return len(next(iter(self.values.values())))

    def estimates(
        self, interval: str = "auto", level: float = 0.95, alternative: Alternative = "two-sided"
    ) -> dict[str, QueryEstimate]:
        """Return the mean of each score with its intervals."""
        options = EstimateOptions(interval, level, alternative)
        return {
            name: self._warned(self.mean.estimate(values, options, self.names))
            for name, values in self.values.items()
        }

    def _warned(self, estimate: QueryEstimate) -> QueryEstimate:
        return replace(estimate, warnings=(*self.warnings, *estimate.warnings))

    @property
    def mean(self) -> UnitMean:
        """The measure of the sample."""
        sizes: tuple[int, ...] = ()
        if self.cluster is not None:
            sizes = tuple(np.bincount(codes(self.cluster)[0]).tolist())
        return UnitMean(self.measure, self.bounds, self.binary, sizes, self.range)

    def compare(self, **how: Unpack[PairKeywords]) -> QueryComparison:
        """Compare the means of every pair of scores, unit by unit."""
        level, alternative = how.get("level", 0.95), how.get("alternative", "two-sided")
        return self.compared(self.estimates("auto", level, alternative), **how)

    def compared(
        self, estimates: Mapping[str, QueryEstimate], **how: Unpack[PairKeywords]
    ) -> QueryComparison:
        """The comparison of scores whose ``estimates`` are known."""
        from rocsolid.comparison.queries.compare_queries import compare_queries

        return compare_queries(
            self.values, estimates, measure=self.measure, range=self.bounds, mean=self.mean, **how
        )


def sample_of(logged: LoggedItems) -> Sample:
    clusters = logged.clusters
    return Sample(
        logged.values, measure=logged.scorer, unit="item", range=logged.range,
        names=logged.names if clusters is None else None, source=logged.source,
        cluster=clusters, binary=logged.binary, warnings=logged.warnings,
    )  # fmt: skip

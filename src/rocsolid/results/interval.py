"""Intervals, their assumptions, and the parts of the labels that they depend on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Annotated, Any, Literal

from rocsolid.dataclass import dataclass
from rocsolid.parameters import Alternative as Alternative
from rocsolid.results.json_schema import Assumptions, FloatOrNaN, IntervalLevel
from rocsolid.results.plain import Plain, one_line

Read = Literal[
    "sizes",
    "value",
    "variance",
    "covariance",
    "placements",
    "curve",
    "weights",
    "clusters",
    "folds",
    "rows",
]
"""The functions of the labels and the public columns that a number depends on.

They are the ``sizes`` of the classes; the ``value`` (or the compared values); the ``variance`` of
the value as its two parts; the ``covariance`` of the compared values; the ``placements`` of the
smaller class among the larger; the ``curve``, which is the number of rows of each class at each
distinct score; the ``weights`` and the rows per ``clusters`` of each class; the value, its variance
and the class sizes in each of the ``folds``; and the ``rows``, which are everything.
"""

Reads = frozenset[Read]

NOTHING: Reads = frozenset()
SIZES: Reads = frozenset({"sizes"})
VALUE: Reads = frozenset({"sizes", "value"})
VARIANCE: Reads = VALUE | {"variance"}
COVARIANCE: Reads = VALUE | {"covariance"}
PLACEMENTS: Reads = frozenset({"sizes", "placements"})
CURVE: Reads = frozenset({"curve"})
WEIGHTS: Reads = frozenset({"value", "weights"})
CLUSTERS: Reads = frozenset({"value", "clusters"})
FOLDS: Reads = VARIANCE | {"folds"}
ROWS: Reads = frozenset({"rows"})


def whatever(assumptions: Iterable[str]) -> str:
    """State that an interval holds for every distribution, with its assumptions.

    >>> whatever(["rows independent", "scorer fixed before this data was seen"])
    'whatever the distribution (assumes: rows independent; scorer fixed before this data was seen)'
    """
    listed = "; ".join(dict.fromkeys(assumptions))
    return "whatever the distribution" + (f" (assumes: {listed})" if listed else "")


@dataclass(frozen=True, slots=True)
class Interval(Plain):
    """Limits for an unknown value, with the method, its assumptions and its source.

    ``certified`` is true if the level holds at every sample size for every distribution that meets
    the assumptions; otherwise the interval is calibrated, as `how_often` describes. ``range`` is
    the range known before any data. ``drawn`` describes the random draws behind the limits, with
    the seed. ``reads`` lists the parts of the labels that the limits depend on and so can reveal;
    by default, everything.

    >>> i = Interval(0.61, 0.83, level=0.95, method="hinge", certified=True,
    ...              assumptions=("rows independent",), source="Agarwal et al. 2005, Theorem 5")
    >>> print(i)
    [0.6100, 0.8300] at 95 % (hinge)
    >>> i.vacuous
    False
    """

    low: Annotated[FloatOrNaN, "The lower limit; null if there is none."]
    high: Annotated[FloatOrNaN, "The upper limit; null if there is none."]
    level: IntervalLevel
    method: Annotated[str, "The name of the method."]
    certified: Annotated[
        bool,
        "True if the level holds at every sample size, for every distribution that meets the "
        "assumptions.",
    ] = False
    assumptions: Assumptions = ()
    source: Annotated[str, "The reference for the method."] = ""
    range: tuple[float, float] = (0.0, 1.0)
    drawn: str = ""
    reads: Reads = field(default=ROWS, compare=False, repr=False)
    _json = "low high level method certified vacuous assumptions source"

    @property
    def vacuous(self) -> bool:
        """Whether the interval adds nothing to the range known before any data."""
        return self.low <= self.range[0] and self.high >= self.range[1]

    @property
    def _promise(self) -> str:
        """The meaning of the level: how often such an interval contains the value."""
        level = percent(self.level)
        if self.certified:
            return (
                f"at least {level} of data sets give an interval that contains it, "
                f"{whatever(self.assumptions)}"
            )
        return f"calibrated: about {level} of ordinary data sets give an interval that contains it"

    @property
    def width(self) -> float:
        """The upper limit minus the lower limit."""
        return self.high - self.low

    @property
    def decimals(self) -> int:
        """The number of decimals to print: four for values in [0, 1], more in a smaller range.

        >>> Interval(0.01, 0.04, 0.95, "band", range=(0, 0.05)).decimals
        6
        """
        span = self.range[1] - self.range[0]
        return 4 + max(0, math.ceil(-math.log10(span)) if 0.0 < span < 1.0 else 0)

    def __iter__(self) -> Iterator[float]:
        """Iterate over the limits, so that ``low, high = interval``."""
        yield self.low
        yield self.high

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    __repr__ = one_line

    def __str__(self) -> str:
        low, high = (f"{limit:.{self.decimals}f}" for limit in (self.low, self.high))
        text = f"[{low}, {high}] at {percent(self.level)} ({self.method})"
        return text + ", vacuous" if self.vacuous else text


Certified = Annotated[Interval | None, "A certified interval; null if none is known."]


def certificates_wanted(settings: Mapping[str, Any]) -> bool:
    """Return whether these settings requested certified intervals.

    >>> certificates_wanted({}), certificates_wanted({"certified": False})
    (True, False)
    """
    return bool(settings.get("certified", True))


def how_often(level: float) -> str:
    """The promise of a calibrated interval.

    >>> how_often(0.95)
    'contains the truth about 95 times in 100 for ordinary data'
    """
    return f"contains the truth about {100 * level:.6g} times in 100 for ordinary data"


def percent(share: float) -> str:
    """A share in percent without trailing zeros; only 1 itself is 100 %.

    >>> percent(0.95), percent(0.999), percent(1 - 1e-9)
    ('95 %', '99.9 %', '99.9999999 %')
    """
    text = f"{100 * share:.6g}"
    return f"{100 * share:.15g} %" if text == "100" else f"{text} %"


class Numeric:
    """A value that can be compared, added, rounded and formatted, with plain numbers as results.

    The results have no interval. Two estimates on the same rows vary together: use
    `rocsolid.compare` for their difference.

    >>> import rocsolid as rs
    >>> a, b = rs.auc([0, 1, 0, 1], [1, 2, 3, 4]), rs.auc([0, 1, 0, 1], [2, 3, 1, 4])
    >>> f"{a:.2f}", round(a, 1), a > 0.5, b - a, a < b
    ('0.75', 0.8, True, 0.25, True)
    """

    __slots__ = ()

    def __float__(self) -> float:
        raise NotImplementedError

    def item(self) -> float:
        """The plain number, under NumPy's name."""
        return float(self)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __lt__(self, other: object) -> Any:
        return float(self) < _plain(other)

    def __le__(self, other: object) -> Any:
        return float(self) <= _plain(other)

    def __gt__(self, other: object) -> Any:
        return float(self) > _plain(other)

    def __ge__(self, other: object) -> Any:
        return float(self) >= _plain(other)

    def __add__(self, other: object) -> Any:
        return float(self) + _plain(other)

    def __sub__(self, other: object) -> Any:
        return float(self) - _plain(other)

    def __mul__(self, other: object) -> Any:
        return float(self) * _plain(other)

    def __truediv__(self, other: object) -> Any:
        return float(self) / _plain(other)

    def __radd__(self, other: Any) -> Any:
        return other + float(self)

    def __rsub__(self, other: Any) -> Any:
        return other - float(self)

    def __rmul__(self, other: Any) -> Any:
        return other * float(self)

    def __rtruediv__(self, other: Any) -> Any:
        return other / float(self)

    def __neg__(self) -> float:
        return -float(self)

    def __abs__(self) -> float:
        return abs(float(self))


def _plain(other: object) -> Any:
    return float(other) if isinstance(other, Numeric) else other


SHORTER = "If the certified interval is shorter, use it: its guarantee is stronger."


class WithLimits:
    """A result with an interval, whose parts are also attributes of the result."""

    __slots__ = ()

    interval: Interval

    @property
    def low(self) -> float:
        """The lower limit of the requested interval."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper limit."""
        return self.interval.high

    @property
    def level(self) -> IntervalLevel:
        """The level of the intervals, such as 0.95."""
        return self.interval.level


class Valued(WithLimits, Numeric):
    """A value with an interval."""

    __slots__ = ()

    value: float
    certified: Certified

    @property
    def method(self) -> str:
        """The method of the interval; "none" without an interval."""
        return self.interval.method

    @property
    def certified_is_shorter(self) -> bool:
        """Whether the certified interval is shorter, which is possible with few rows."""
        certified = self.certified
        if certified is None or self.interval.method == "none":
            return False
        return certified.width < self.interval.width

    def __iter__(self) -> Iterator[float]:
        """The value and the limits of its interval.

        >>> import rocsolid as rs
        >>> value, low, high = rs.auc([0, 1, 0, 1], [1, 2, 3, 4])
        >>> low < value < high
        True
        """
        return iter((self.value, self.interval.low, self.interval.high))

    def __float__(self) -> float:
        return self.value

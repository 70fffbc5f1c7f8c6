"""The common part of a calibrated interval and a certified one."""

from __future__ import annotations

from dataclasses import replace

from rocsolid.results.interval import Interval


def within(calibrated: Interval, certified: Interval | None, value: float) -> Interval:
    """The default interval cut to the certified one of the same level and alternative.

    The common part covers as often as the calibrated interval unless the certified one cuts off a
    truth that the calibrated one holds: in simulations the coverage falls by .001 at most. An
    estimate lies inside its certified interval, so it stays inside; ``value`` is taken in against
    the last rounding. The method and the source name the certified one where it cut.

    >>> auto = Interval(0.60, 0.99, 0.95, "auto (hull)", source="a")
    >>> print(within(auto, Interval(0.65, 0.995, 0.95, "hinge", True, source="b"), 0.9))
    [0.6500, 0.9900] at 95 % (auto (hull, hinge))
    """
    if certified is None:
        return calibrated
    low = max(calibrated.low, min(certified.low, value))
    high = min(calibrated.high, max(certified.high, value))
    reads = calibrated.reads | certified.reads  # that nothing was cut off says something too
    if (low, high) == (calibrated.low, calibrated.high):
        return replace(calibrated, reads=reads)
    return replace(
        calibrated,
        low=low,
        high=high,
        method=f"{calibrated.method.removesuffix(')')}, {certified.method})",
        source=f"{calibrated.source}; cut to the certified interval ({certified.source})",
        reads=reads,
    )

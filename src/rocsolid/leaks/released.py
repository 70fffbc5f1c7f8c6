"""A released AUC as the interval of exact values that it may stand for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from rocsolid.errors import InputError


@dataclass(frozen=True, slots=True)
class Released:
    """Every AUC from ``low`` to ``high`` would have been released as what was seen.

    Both ends count: how a host rounds a half is not known, and keeping it is the safe reading.

    >>> str(released("1387/1440").low), str(released("0.96").low), str(released("0.96").high)
    ('1387/1440', '191/200', '193/200')
    """

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def doubled_rank_sums(self, n: int, n_pos: int) -> range:
        """The sums of 2·midrank over the positives that fit, for ``n_pos`` positives of ``n``.

        With R the rank sum, AUC = (R − n₁(n₁+1)/2)/(n₀n₁); midranks are halves of integers, so
        doubled sums are integers.

        >>> list(released("3/4").doubled_rank_sums(4, 2))
        [12]
        """
        pairs = n_pos * (n - n_pos)
        least = n_pos * (n_pos + 1)
        if pairs == 0:
            return range(0)
        low = max(0, math.ceil(2 * self.low * pairs))
        high = min(2 * pairs, math.floor(2 * self.high * pairs))
        return range(least + low, least + high + 1)


def released(auc: Fraction | str | float | Decimal, decimals: int | None = None) -> Released:
    """Read a released value.

    A `Fraction`, an integer or text such as "1387/1440" is exact. Text such as "0.963" stands for
    everything that rounds to it. ``decimals`` says to how many decimals a number was rounded;
    without it a float stands for every value within four units in its last place, as a host that
    adds up areas is off by one or two; AUCs of fewer than 10¹⁴ pairs are farther apart than that.
    """
    value, half_unit = read_number(auc, decimals)
    if not 0 <= value <= 1:
        raise InputError(
            "an AUC lies in [0, 1]",
            where="auc",
            value=auc,
            fix="give it as a share, not in percent",
        )
    return Released(max(Fraction(0), value - half_unit), min(Fraction(1), value + half_unit))


def read_number(
    auc: Fraction | str | float | Decimal, decimals: int | None = None
) -> tuple[Fraction, Fraction]:
    """The value, and half of the unit that it was rounded to (0 if it was not).

    >>> read_number(0.122, 3)
    (Fraction(61, 500), Fraction(1, 2000))
    """
    if decimals is not None:
        if decimals < 0 or decimals != int(decimals):
            raise InputError("decimals must be a whole number of at least 0", value=decimals)
        if isinstance(auc, float) and math.isfinite(auc):
            auc = Decimal(repr(float(auc)))  # the decimal that was printed, not its nearest double
        return read_number(auc)[0], Fraction(1, 2 * 10 ** int(decimals))
    if isinstance(auc, str):
        if "/" in auc:
            try:
                return Fraction(auc.replace(" ", "")), Fraction(0)
            except (ValueError, ZeroDivisionError):
                raise _unreadable(auc) from None
        try:
            auc = Decimal(auc.strip())
        except InvalidOperation:
            raise _unreadable(auc) from None
    if isinstance(auc, Decimal):
        exponent = auc.as_tuple().exponent
        if not isinstance(exponent, int):
            raise _unreadable(auc)
        return Fraction(auc), Fraction(10) ** min(exponent, 0) / 2
    if isinstance(auc, float):
        if not math.isfinite(auc):
            raise _unreadable(auc)
        return Fraction(auc), 4 * Fraction(math.ulp(auc))
    return Fraction(auc), Fraction(0)


def _unreadable(auc: object) -> InputError:
    return InputError(
        "this is not a released value", value=auc, fix='write it like "0.963" or "1387/1440"'
    )

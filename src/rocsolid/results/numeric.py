"""A result that is its value where a number is requested."""

from __future__ import annotations

from typing import Any


class Numeric:
    """A value that can be compared, added, rounded and formatted, and gives plain numbers back.

    Calculations use the value alone. The interval of a difference is another matter, as two
    estimates on the same rows vary together: use `rocsolid.compare`.

    >>> import rocsolid as rs
    >>> a, b = rs.auc([0, 1, 0, 1], [1, 2, 3, 4]), rs.auc([0, 1, 0, 1], [2, 3, 1, 4])
    >>> f"{a:.2f}", round(a, 1), a > 0.5, b - a, a < b
    ('0.75', 0.8, True, 0.25, True)
    """

    __slots__ = ()

    def __float__(self) -> float:
        raise NotImplementedError

    def item(self) -> float:
        """The plain number, under the name that NumPy has for it."""
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
    """The number to calculate with: of an estimate its value."""
    return float(other) if isinstance(other, Numeric) else other

"""A value that is computed when it is first read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

_Value = TypeVar("_Value", covariant=True)


class Deferred(Generic[_Value]):
    """The result of a function that is called at most once, after which its data is released.

    It is copied and stored as its value, as functions cannot be.

    >>> certificate = Deferred(lambda: print("computed") or 0.5)
    >>> certificate(), certificate()
    computed
    (0.5, 0.5)
    """

    __slots__ = ("_compute", "_value")

    def __init__(self, compute: Callable[[], _Value]) -> None:
        self._compute: Callable[[], _Value] | None = compute
        self._value: _Value | None = None

    def __call__(self) -> _Value:
        if self._compute is not None:
            self._value = self._compute()
            self._compute = None
        return cast(_Value, self._value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _known, (self(),)


def _known(value: Any) -> Deferred[Any]:
    return Deferred(lambda: value)

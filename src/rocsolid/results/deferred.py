"""Fields of a result that are computed on first access."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from rocsolid.dataclass import dataclass

KEPT = 1 << 20
"""The number of rows up to which a result keeps them for deferred fields."""

_Value = TypeVar("_Value", covariant=True)


class Deferred(Generic[_Value]):
    """The value of a function that is called at most once.

    Copying or pickling stores the value, because functions cannot be stored.

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
        compute = self._compute  # another thread may finish, and release it, meanwhile
        if compute is not None:
            self._value = compute()
            self._compute = None
        return cast(_Value, self._value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _known, (self(),)


def each_of(every: Deferred[Sequence[_Value]], count: int) -> list[Deferred[_Value]]:
    """Deferred items of a sequence of known length, which is computed on first access.

    >>> [item() for item in each_of(Deferred(lambda: ["a", "b"]), 2)]
    ['a', 'b']
    """
    return [Deferred(partial(_item, every, place)) for place in range(count)]


def _item(every: Deferred[Sequence[_Value]], place: int) -> _Value:
    return every()[place]


def later(deferred: Deferred[_Value]) -> _Value:
    """Cast a deferred value to the type of its `ReadLater` field."""
    return cast(_Value, deferred)


def _known(value: Any) -> Deferred[Any]:
    return Deferred(lambda: value)


@dataclass(frozen=True, slots=True)
class ReadLater:
    """A result whose fields ``_later`` may be `Deferred`, and are computed on first access."""

    _later: ClassVar[tuple[str, ...]] = ()
    deferred: Mapping[str, Deferred[Any]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        deferred = {}
        for name in self._later:
            if isinstance(value := getattr(self, name), Deferred):
                deferred[name] = value
                object.__delattr__(self, name)
        object.__setattr__(self, "deferred", deferred)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Compute a missing field; Python calls this only if the slot is empty."""
            return self._read(name)

    def _read(self, name: str) -> Any:
        if name == "deferred" or name not in self.deferred:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = self.deferred[name]()
        object.__setattr__(self, name, value)
        return value

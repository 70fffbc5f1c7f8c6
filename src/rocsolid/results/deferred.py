"""Fields of a result that are computed when someone first reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

KEPT = 1 << 20
"""Rows up to which a result keeps them for what nobody has read yet."""

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
        compute = self._compute  # another thread may finish, and release it, meanwhile
        if compute is not None:
            self._value = compute()
            self._compute = None
        return cast(_Value, self._value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _known, (self(),)


def each_of(every: Deferred[Sequence[_Value]], count: int) -> list[Deferred[_Value]]:
    """The items of a sequence of this length, which is computed when someone reads one.

    >>> [item() for item in each_of(Deferred(lambda: ["a", "b"]), 2)]
    ['a', 'b']
    """
    return [Deferred(partial(_item, every, place)) for place in range(count)]


def _item(every: Deferred[Sequence[_Value]], place: int) -> _Value:
    return every()[place]


def later(deferred: Deferred[_Value]) -> _Value:
    """A deferred value as a field of a `ReadLater` takes it, in the type that its reader sees."""
    return cast(_Value, deferred)


def _known(value: Any) -> Deferred[Any]:
    return Deferred(lambda: value)


@dataclass(frozen=True, slots=True)
class ReadLater:
    """Something whose fields ``_later`` may be given as `Deferred`: computed when first read.

    ``deferred`` has those that were given so. The place of such a field stays empty until then.
    """

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
            """Only what is missing comes here."""
            return self._read(name)

    def _read(self, name: str) -> Any:
        if name == "deferred" or name not in self.deferred:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = self.deferred[name]()
        object.__setattr__(self, name, value)
        return value

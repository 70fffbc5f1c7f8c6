"""Fields of a result that are computed on first access."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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


class OfResult(Generic[_Value]):
    """A field that is a function of its own result.

    A `Deferred` field would refer to the result, and both would wait for the garbage collector.
    Copying or pickling a result stores the value of the field. Many results may share it, and where
    it is their only deferred field, it replaces the mapping of these fields by name.
    """

    __slots__ = ("of",)

    def __init__(self, of: Callable[[Any], _Value]) -> None:
        self.of = of

    def __getitem__(self, name: str) -> OfResult[_Value]:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return OfResult, (_stored,)


def _stored(result: object) -> Any:
    raise AssertionError(f"{type(result).__name__} has a stored value instead")


class DeferredByName(Mapping[str, Any]):
    """Values of known names, all of which are computed on first access to one of them.

    >>> codes = DeferredByName("ab", Deferred(lambda: print("computed") or {"a": 97, "b": 98}))
    >>> list(codes), len(codes)
    (['a', 'b'], 2)
    >>> codes["b"]
    computed
    98
    """

    __slots__ = ("_every", "_names")

    def __init__(self, names: Sequence[str], every: Deferred[Mapping[str, Any]]) -> None:
        self._names, self._every = tuple(names), every

    def __getitem__(self, name: str) -> Any:
        return self._every()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def later(deferred: Deferred[_Value] | OfResult[_Value]) -> _Value:
    """Cast a deferred value to the type of its `ReadLater` field."""
    return cast(_Value, deferred)


def _known(value: Any) -> Deferred[Any]:
    return Deferred(lambda: value)


_COMPUTED = frozenset({Deferred, OfResult})


@dataclass(frozen=True, slots=True)
class ReadLater:
    """A result whose fields ``_later`` may be `Deferred` or `OfResult`, computed when accessed."""

    _later: ClassVar[tuple[str, ...]] = ()
    deferred: Mapping[str, Deferred[Any] | OfResult[Any]] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        deferred: Any = {}
        for name in self._later:
            value = getattr(self, name)
            if type(value) in _COMPUTED:
                object.__delattr__(self, name)
                if len(self._later) == 1 and type(value) is OfResult:
                    deferred = value  # without a mapping for each of many results
                else:
                    deferred[name] = value
        object.__setattr__(self, "deferred", deferred)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Compute a missing field; Python calls this only if the slot is empty."""
            return self._read(name)

    def _read(self, name: str) -> Any:
        if name not in self._later:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if not self.deferred:  # another thread computed it
            return object.__getattribute__(self, name)
        deferred = self.deferred[name]
        value = deferred() if isinstance(deferred, Deferred) else deferred.of(self)
        object.__setattr__(self, name, value)
        if len(self._later) == 1:  # what computed it may hold a whole table
            object.__setattr__(self, "deferred", {})
        return value

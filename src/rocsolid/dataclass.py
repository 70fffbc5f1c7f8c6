"""The standard library's dataclasses, with fewer methods compiled while modules load.

``dataclasses.dataclass`` compiles six methods of every frozen class. A command loads 300 classes
and creates instances of 70. Compiling all methods took a quarter of a command's processor time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses
    import sys
    from collections.abc import Callable
    from operator import attrgetter
    from reprlib import recursive_repr
    from types import MemberDescriptorType
    from typing import Any

    def dataclass(
        cls: type | None = None,
        /,
        *,
        frozen: bool = False,
        slots: bool = False,
        eq: bool = True,
        repr: bool = True,
        kw_only: bool = False,
    ) -> Any:
        """Make a dataclass whose ``__init__`` is compiled when it is first looked up.

        ``InitVar`` is not supported. A field without a default after a field with a default is an
        error when the first instance is made.

        >>> @dataclass(frozen=True)
        ... class Point:
        ...     x: float
        ...     y: float = 0.0
        >>> Point(1.0), Point(1.0) == Point(1.0, 0.0)
        (Point(x=1.0, y=0.0), True)
        """

        def made(cls: type) -> type:
            own = vars(cls)
            hashed = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
            if cls.__doc__ is None:  # dataclasses would write the signature, and compile it
                cls.__doc__ = cls.__name__
            refuses = frozen and not _is_frozen(cls)
            cls = dataclasses.dataclass(
                init=False, repr=False, eq=False, slots=slots, kw_only=kw_only,
                frozen=frozen and not refuses,
            )(cls)  # fmt: skip
            fields = dataclasses.fields(cls)
            if refuses:
                _refuse_assignment(cls, [field.name for field in fields])
                if slots and "__getstate__" not in own:
                    cls.__getstate__, cls.__setstate__ = _get_state, _set_state
            if "__init__" not in own:
                cls.__init__ = _Init(cls, frozen)
            if repr and "__repr__" not in own:
                cls.__repr__ = _repr([field.name for field in fields if field.repr])
            if eq:
                if "__eq__" not in own:
                    cls.__eq__ = _eq(_values([field.name for field in fields if field.compare]))
                if not hashed:
                    entering = [(f.name, f.compare if f.hash is None else f.hash) for f in fields]
                    names = [name for name, enters in entering if enters]
                    cls.__hash__ = _hash(_values(names)) if frozen else None
            known = cls.__dataclass_params__  # users' own dataclasses may inherit
            known.init, known.repr, known.eq, known.frozen = True, repr, eq, frozen
            return cls

        return made if cls is None else made(cls)

    def _is_frozen(cls: type) -> bool:
        return any(
            base.__dataclass_params__.frozen
            for base in cls.__mro__[1:]
            if dataclasses.is_dataclass(base)
        )

    def _refuse_assignment(cls: type, names: list[str]) -> None:
        def refuse(self: Any, verb: str, name: str) -> None:
            if type(self) is cls or name in names:
                raise dataclasses.FrozenInstanceError(f"cannot {verb} field {name!r}")

        def __setattr__(self: Any, name: str, value: Any) -> None:
            refuse(self, "assign to", name)
            super(cls, self).__setattr__(name, value)

        def __delattr__(self: Any, name: str) -> None:
            refuse(self, "delete", name)
            super(cls, self).__delattr__(name)

        def __init_subclass__(below: type, **options: Any) -> None:
            super(cls, below).__init_subclass__(**options)
            for name in vars(below).keys() & below.__dataclass_fields__.keys():
                above = getattr(super(below, below), name, None)
                if isinstance(vars(below)[name], MemberDescriptorType) and isinstance(
                    above, MemberDescriptorType
                ):  # __init__ would set the slot above, which the new slot hides
                    raise TypeError(
                        f"{below.__qualname__} declares the slot {name!r} of "
                        f"{above.__objclass__.__qualname__} again: leave it out of __slots__"
                    )

        cls.__setattr__, cls.__delattr__ = __setattr__, __delattr__
        cls.__init_subclass__ = classmethod(__init_subclass__)

    def _get_state(self: Any) -> list[Any]:
        return [getattr(self, field.name) for field in dataclasses.fields(self)]

    def _set_state(self: Any, state: list[Any]) -> None:
        for field, value in zip(dataclasses.fields(self), state, strict=True):
            object.__setattr__(self, field.name, value)

    def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
        if len(names) > 1:
            return attrgetter(*names)
        return lambda instance: tuple(getattr(instance, name) for name in names)

    def _repr(names: list[str]) -> Callable[[Any], str]:
        @recursive_repr()
        def __repr__(self: Any) -> str:
            values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
            return f"{type(self).__qualname__}({values})"

        return __repr__

    def _eq(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, Any], bool]:
        def __eq__(self: Any, other: Any) -> bool:
            if type(other) is not type(self):
                return NotImplemented
            return values(self) == values(other)

        return __eq__

    def _hash(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
        def __hash__(self: Any) -> int:
            return hash(values(self))

        return __hash__

    class _Init:
        """Replaces itself by the compiled ``__init__``."""

        def __init__(self, cls: type, frozen: bool) -> None:
            self._cls, self._frozen = cls, frozen

        def __get__(self, instance: Any, owner: type) -> Any:
            init = self._cls.__init__ = _compiled_init(self._cls, self._frozen)
            return init.__get__(instance, owner)

    class _Absent:
        def __repr__(self) -> str:  # in signatures
            return "<factory>"

    def _compiled_init(cls: type, frozen: bool) -> Callable[..., None]:
        known: dict[str, Any] = {"_set": object.__setattr__, "_absent": _Absent()}
        parameters: dict[bool, list[str]] = {False: [], True: []}
        lines = []
        fields = dataclasses.fields(cls)
        for i, field in enumerate(fields):
            value, default = field.name, ""
            if field.default is not dataclasses.MISSING:
                known[f"_default{i}"] = field.default
                default = f"=_default{i}"
            elif field.default_factory is not dataclasses.MISSING:
                known[f"_factory{i}"] = field.default_factory
                default = "=_absent"
                value = f"_factory{i}() if {field.name} is _absent else {field.name}"
            if field.init:
                parameters[field.kw_only].append(field.name + default)
            elif default == "=_absent":
                value = f"_factory{i}()"
            elif default:
                value = default[1:]
            else:
                continue
            slot = getattr(cls, field.name, None)
            if not frozen:
                lines.append(f"self.{field.name} = {value}")
            elif isinstance(slot, MemberDescriptorType):  # twice as fast as by name
                known[f"_set{i}"] = slot.__set__
                lines.append(f"_set{i}(self, {value})")
            else:
                lines.append(f"_set(self, {field.name!r}, {value})")
        if hasattr(cls, "__post_init__"):
            lines.append("self.__post_init__()")
        named = ["*", *parameters[True]] if parameters[True] else []
        head = f"def __init__({', '.join(['self', *parameters[False], *named])}):"
        body = "\n  ".join(lines or ["pass"])
        text = f"def make({', '.join(known)}):\n {head}\n  {body}\n return __init__"
        scope: dict[str, Any] = {}
        exec(text, vars(sys.modules[cls.__module__]), scope)  # annotations are resolved there
        init = scope["make"](**known)
        init.__qualname__ = f"{cls.__qualname__}.__init__"
        init.__annotations__ = {field.name: field.type for field in fields if field.init}
        init.__annotations__["return"] = None
        return init

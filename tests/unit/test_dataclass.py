"""The dataclasses of the standard library are the twins of the project's own."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError, field
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given, settings

from rocsolid.dataclass import dataclass

KINDS = {
    "plain": lambda: dataclasses.MISSING,
    "default": lambda: 7,
    "factory": lambda: field(default_factory=list),
    "unread": lambda: field(default=3, init=False),
    "made": lambda: field(default_factory=tuple, init=False),
    "absent": lambda: field(init=False),
    "named": lambda: field(kw_only=True),
    "named default": lambda: field(default=1.5, kw_only=True),
    "not compared": lambda: field(default=2, compare=False),
    "not hashed": lambda: field(default=2, hash=False),
    "not shown": lambda: field(default=2, repr=False),
}
OWN = {
    "__init__": lambda _self, *_values: None,
    "__repr__": lambda _self: "its own",
    "__eq__": lambda _self, _other: False,
    "__hash__": lambda _self: 5,
    "__post_init__": lambda self: object.__setattr__(self, "f0", ["set afterwards"]),
}


def built(
    decorator: Any, kinds: list[str], own: list[str], options: dict[str, bool], *bases: type
) -> type | str:
    first = sum(len(dataclasses.fields(base)) for base in bases)
    names = {f"f{first + i}": KINDS[kind]() for i, kind in enumerate(kinds)}
    space: dict[str, Any] = {"__annotations__": dict.fromkeys(names, "Any"), "__doc__": "Text."}
    space |= {name: one for name, one in names.items() if one is not dataclasses.MISSING}
    space |= {name: OWN[name] for name in own} | {"__module__": __name__}
    try:
        return decorator(**options)(type("Made", bases, space))
    except TypeError as error:
        return str(error)


def attempt(call: Any, *arguments: Any) -> Any:
    try:
        result = call(*arguments)
        return re.sub("0x[0-9a-f]+", "", result) if isinstance(result, str) else result
    except (TypeError, AttributeError) as error:
        return type(error), str(error)


def described(cls: type) -> list[Any]:
    """Everything that a caller can see of a class and of two of its instances."""
    facts: list[Any] = [
        str(inspect.signature(cls)), cls.__match_args__, cls.__init__.__annotations__,
        cls.__init__.__qualname__, "__slots__" in vars(cls), cls.__hash__ is None,
        [(one.name, one.init, one.kw_only) for one in dataclasses.fields(cls)],
    ]  # fmt: skip
    parameters = list(inspect.signature(cls).parameters.values())
    named = {one.name: 4 for one in parameters if one.kind is one.KEYWORD_ONLY}
    count = sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in parameters)
    facts += [attempt(lambda: repr(cls())), attempt(lambda: repr(cls(*range(99))))]
    pairs = [cls(*range(count), **named) for _ in range(2)]
    for shift in (0, 1):
        pairs.append(cls(*range(shift, count + shift), **named))
    first = pairs[0]
    facts += [attempt(repr, one) for one in pairs]
    facts += [attempt(lambda one: first == one, one) for one in pairs]
    facts += [attempt(lambda one: first != one, one) for one in [*pairs, 3]]
    hashes = [attempt(hash, one) for one in pairs]
    facts.append([one == hashes[0] for one in hashes])
    facts += [one for one in hashes if isinstance(one, tuple)]
    facts.append(attempt(lambda: repr(dataclasses.replace(first))))
    facts.append(attempt(lambda: repr(copy.deepcopy(first))))
    for name in ("f0", "f1", "other"):
        # the text of an error is compared below: with slots it is an accident in the library
        facts.append(isinstance(attempt(setattr, first, name, 9), tuple))
        facts += [isinstance(attempt(delattr, first, name), tuple), attempt(repr, first)]
    return facts


options_of = st.fixed_dictionaries(
    {name: st.booleans() for name in ("frozen", "slots", "eq", "repr", "kw_only")}
)
fields_of = st.lists(st.sampled_from(sorted(KINDS)), max_size=4)
own_of = st.lists(st.sampled_from(sorted(OWN)), unique=True, max_size=2)


@settings(max_examples=60)
@given(fields_of, own_of, options_of, fields_of, own_of, options_of)
def test_a_class_and_its_subclass_behave_as_the_standard_librarys(
    kinds: list[str], own: list[str], options: dict[str, bool],
    more: list[str], its_own: list[str], its_options: dict[str, bool],
) -> None:  # fmt: skip
    plain = built(dataclasses.dataclass, kinds, own, options)
    ours = built(dataclass, kinds, own, options)
    assume(not isinstance(plain, str))  # no field without a default after one with a default
    if options["frozen"] == its_options["frozen"]:
        plain_below = built(dataclasses.dataclass, more, its_own, its_options, plain)
        ours_below = built(dataclass, more, its_own, its_options, ours)
        assume(not isinstance(plain_below, str))
        assert described(plain_below) == described(ours_below)
    assert described(plain) == described(ours)


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Place(Point):
    name: str = "here"


@dataclass(frozen=True)
class Open(Point):
    note: str = ""


@pytest.mark.parametrize("one", [Point(1.0), Place(1.0, [2.0], "there"), Open(1.0, note="n")])
def test_instances_are_pickled_and_stay_frozen(one: Point) -> None:
    again = pickle.loads(pickle.dumps(one))
    assert (again, type(again)) == (one, type(one))
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        again.x = 2.0  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del again.x


def test_a_subclass_that_is_no_dataclass_may_have_more_attributes() -> None:
    class More(Point):
        pass

    more = More(1.0)
    more.extra = 3  # type: ignore[attr-defined]
    del more.extra  # type: ignore[attr-defined]
    with pytest.raises(FrozenInstanceError):
        more.x = 2.0  # type: ignore[misc]


@pytest.mark.parametrize("base", [Point, Place, Open])
def test_a_subclass_may_not_declare_a_slot_again(base: type) -> None:
    text = r"^Below declares the slot 'x' of Point again: leave it out of __slots__$"
    with pytest.raises(TypeError, match=text):
        type("Below", (base,), {"__slots__": ("x",)})
    more = type("More", (base,), {"__slots__": ("more",)})
    again = dataclass(frozen=True, slots=True)(
        type("Again", (more,), {"__annotations__": {"x": "float"}, "x": 5.0})
    )
    assert (again(1.0).x, again().x, more(1.0).x) == (1.0, 5.0, 1.0)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Hashed:
    a: int
    b: int = field(hash=False)
    c: int = field(compare=False, hash=True)


def test_a_field_may_be_left_out_of_the_hash_alone() -> None:
    assert hash(Hashed(1, 2, 3)) == hash(Hashed(1, 9, 3)) != hash(Hashed(1, 2, 4))
    assert Hashed(1, 2, 3) == Hashed(1, 2, 4) != Hashed(1, 9, 3)


def test_a_repr_that_contains_itself_ends() -> None:
    point = Point(1.0)
    point.y.append(point)  # type: ignore[arg-type]
    assert repr(point) == "Point(x=1.0, y=[...])"


def test_a_frozen_class_of_the_standard_library_may_be_the_base() -> None:
    base = dataclasses.dataclass(frozen=True)(type("Base", (), {"__annotations__": {"a": "int"}}))
    below = built(dataclass, ["default"], [], {"frozen": True, "slots": True}, base)
    assert not isinstance(below, str)
    assert repr(below(1)) == "Made(a=1, f1=7)"
    with pytest.raises(FrozenInstanceError):
        below(1).a = 2


def test_a_frozen_class_of_the_standard_library_may_inherit() -> None:
    @dataclasses.dataclass(frozen=True)
    class Own(Point):
        z: int = 3

    own = Own(1, 2)
    assert (own, own.z, repr(own).endswith("z=3)")) == (Own(1, 2, 3), 3, True)
    with pytest.raises(FrozenInstanceError):
        own.x = 5  # type: ignore[misc]


def test_no_method_is_compiled_before_it_is_used() -> None:
    code = (
        "import builtins, rocsolid.dataclass as d\n"
        "texts, run = [], exec\n"
        "builtins.exec = lambda text, *scopes: (texts.append(text), run(text, *scopes))[1]\n"
        "@d.dataclass(frozen=True, slots=True)\n"
        "class Pair:\n"
        "    a: int\n"
        "print(len(texts)); Pair(1); Pair(2); print(len(texts), Pair(3))\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.split("\n")[:2] == ["0", "1 Pair(a=3)"], result.stderr

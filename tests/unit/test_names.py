"""How many names are public, module by module, and where those went that are gone."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import Any

import pytest

import rocsolid as rs
from rocsolid import parts

# names of each public module that are no modules themselves
CORE = {
    "rs": 50,
    "rs.discounts": 9,
    "rs.gains": 6,
    "rs.guarantees": 47,
    "rs.instead": 6,
    "rs.leaks": 18,
    "rs.leaks.release": 28,
    "rs.measures": 4,
    "rs.plan": 15,
    "rs.plots": 18,
    "rs.queries": 5,
    "rs.sklearn": 14,
    "rs.weights": 9,
    "rs.weights.losses": 4,
}
OF_PARTS = {
    "rs.board": 7,
    "rs.asymptotics": 12,
    "rs.asymptotics.curves": 10,
    "rs.learners": 10,
    "rs.study": 7,
    "rs.theory": 0,
    "rs.theory.guarantees": 68,
}


def counted(path: str, module: Any) -> Iterator[tuple[str, int]]:
    """Each public module with its number of names: what ``__all__`` lists, modules apart."""
    values = [getattr(module, name) for name in module.__all__]
    yield path, sum(not isinstance(value, types.ModuleType) for value in values)
    for name, value in zip(module.__all__, values, strict=True):
        if isinstance(value, types.ModuleType):
            yield from counted(f"{path}.{name}", value)


def test_the_number_of_public_names_is_known() -> None:
    sizes = dict(counted("rs", rs))
    for path, size in sizes.items():
        print(f"{size:4d} {path}")  # noqa: T201
    returned = sizes.pop("rs.results")
    assert returned == len(rs.results.__all__)
    inside = {f"rs.{name}" for name in parts.modules()}
    of_parts = {p: n for p, n in sizes.items() if ".".join(p.split(".")[:2]) in inside}
    core = {path: size for path, size in sizes.items() if path not in of_parts}
    print(f"{sum(core.values()):4d} in the core, {sum(of_parts.values())} in the parts")  # noqa: T201
    assert core == CORE
    assert of_parts == (OF_PARTS if inside else {})


def functions() -> Iterator[tuple[str, Any]]:
    for module in (rs, rs.plan, rs.leaks, rs.guarantees, rs.queries, rs.measures):
        for name in module.__all__:
            if isinstance(getattr(module, name), types.FunctionType):
                yield f"{module.__name__}.{name}", getattr(module, name)


def test_no_function_returns_a_type_that_no_module_names() -> None:
    shown = {getattr(rs.results, name) for name in rs.results.__all__}
    for module in (rs, rs.leaks, rs.leaks.release, rs.weights, rs.gains, rs.discounts):
        shown |= {value for value in map(module.__dict__.get, module.__all__) if value}
    missing = set()
    for path, function in functions():
        found = inspect.signature(function).return_annotation
        result = function.__globals__.get(found) if isinstance(found, str) else found
        ours = inspect.isclass(result) and result.__module__.startswith("rocsolid")
        if ours and shown.isdisjoint(result.__mro__):
            missing.add(f"{path} -> {result.__name__}")
    assert missing == set()


@pytest.mark.parametrize(
    ("module", "name", "place"),
    [
        (rs, "Estimate", "it is rocsolid.results.Estimate"),
        (rs.plan, "AucPower", "it is rocsolid.results.AucPower"),
        (rs.discounts, "as_discount", "discount= accepts the same values"),
    ],
)
def test_a_name_that_went_says_where(module: Any, name: str, place: str) -> None:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}': {place}$"):
        getattr(module, name)


@pytest.mark.skipif(not parts.modules(), reason="this is the core alone")
def test_a_bound_over_classes_says_where_it_went() -> None:
    with pytest.raises(AttributeError, match=r"it is rocsolid\.theory\.guarantees\.psi$"):
        _ = rs.guarantees.psi

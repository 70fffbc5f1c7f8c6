"""The methods that a result used, in the order in which it names them.

A class that rests on works says so itself: ``_cites`` is what a sentence calls it, followed by the
keys of the works in the bibliography.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from rocsolid.results import percent

_DATA = ("rocsolid.inputs", "rocsolid.summaries", "rocsolid.engines")
_NO_METHOD = ("", "none")


@dataclass(frozen=True, slots=True)
class Used:
    """A method as a sentence names it: "The 95 % interval" is "logit-t", from a source.

    ``keys`` are works where the result itself says no source.
    """

    what: str
    name: str
    source: str = ""
    keys: tuple[str, ...] = ()


def used(result: Any) -> tuple[Used, ...]:
    """Every method in the fields of a result, in those of their values and so on, each once."""
    found = list(dict.fromkeys(_used(result, set())))
    return tuple(sorted(found, key=_rank))


def _rank(one: Used) -> int:
    """Measures first, then what was done with them; a sort keeps the order of equals."""
    return 0 if one.what.startswith("The measure") else 1


def _used(value: Any, seen: set[int]) -> Iterator[Used]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _used(each, seen)
        return
    if isinstance(value, tuple | list):
        for each in value:
            yield from _used(each, seen)
        return
    home = type(value).__module__
    if not home.startswith("rocsolid.") or home.startswith(_DATA) or id(value) in seen:
        return
    seen.add(id(value))
    if hasattr(value, "p_adjusted"):
        yield from _of_difference(value)
        return
    yield from _of_itself(value)
    if is_dataclass(value):
        for field in fields(value):
            if field.name != "settings":
                yield from _used(getattr(value, field.name), seen)
        # segments are put together when they are read
        for each in getattr(value, "results", ()):
            yield from _used(each, seen)


def _of_itself(value: Any) -> Iterator[Used]:
    if cites := getattr(type(value), "_cites", ()):
        what, *keys = cites
        name = type(value).__name__ if what == "The learner" else ""
        yield Used(what, name, keys=tuple(keys))
    if not is_dataclass(value):
        return
    if isinstance(measure := getattr(value, "measure", None), str):
        yield Used("The measure", measure)
        if getattr(value, "tied", 0.0) and getattr(value, "settings", {}).get("ties") == "average":
            yield Used("The mean over the orders of tied documents", "", keys=("mcsherry2008",))
    if getattr(value, "chosen", None) == "youden":
        yield Used("The threshold", "youden", keys=("youden1950",))
    method = getattr(value, "method", "")
    if hasattr(value, "fit") and method in _SMOOTH:
        yield Used("The smooth curve", method, keys=_SMOOTH[method])
    yield from _sourced(value)
    if (settings := getattr(value, "settings", None)) and hasattr(value, "omnibus"):
        yield from _of_comparison(value, settings)


def _sourced(value: Any) -> Iterator[Used]:
    """An interval, a bound or a plan: whatever says itself where it comes from."""
    source = getattr(value, "source", None)
    method = getattr(value, "method", getattr(value, "variance", None))
    level = getattr(value, "level", None)
    if not isinstance(source, str) or not source or method in _NO_METHOD:
        return
    if method is None:
        if hasattr(value, "solved_for"):
            yield Used("The plan", "", source)
        elif hasattr(value, "limits") and hasattr(value, "items"):
            yield Used("The limits of the curve", "", source)
        return
    if hasattr(value, "solved_for"):
        yield Used("The variance of the plan", method, source)
    elif hasattr(value, "reaches"):
        yield Used("The plan", method, source)
    elif level is None:
        yield Used("The deviation", method, source)
    else:
        kind = "certified " if getattr(value, "certified", hasattr(value, "pointwise")) else ""
        noun = "band" if hasattr(value, "fpr") else "interval"
        yield Used(f"The {kind}{percent(level)} {noun}", method, source)


def _of_difference(value: Any) -> Iterator[Used]:
    for interval in (value.interval, getattr(value, "simultaneous", None), value.certified):
        if interval is not None:
            for one in _sourced(interval):
                if one.name != value.method or interval.certified:  # else said of the test
                    yield replace(one, what=f"{one.what} of a difference")


def _of_comparison(value: Any, settings: Mapping[str, Any]) -> Iterator[Used]:
    paired = settings.get("paired", True)
    test = settings["test"]
    if test == "venkatraman-curves":
        work = "venkatraman1996" if paired else "venkatraman2000"
        yield Used("The test of a difference", test, keys=(work,))
    elif value.pairs:
        first = value.pairs[0]
        what = "The test of a difference"
        if first.interval.method == first.method:
            what = f"The test and the {percent(value.level)} interval of a difference"
        yield Used(what, first.method, first.interval.source)
    works = _ADJUSTMENTS.get(settings["adjust"])
    if works and len(value.pairs) > 1:
        yield Used("The adjustment for all pairs", settings["adjust"], keys=works)
    if len(value.estimates) > 2:
        method = value.omnibus.method
        yield Used("The test that all are equal", method, keys=_ALL_EQUAL.get(method, ()))


_SMOOTH = {"binormal-ml": ("dorfman1969", "metz1998"), "density": ("silverman1986",)}
_ALL_EQUAL = {
    "chi2": ("delong1988",),
    "hotelling": ("hotelling1931",),
    "welch": ("welch1951",),
    "anova-type": ("box1954", "brunner1997"),
}
_ADJUSTMENTS = {"holm": ("holm1979",), "max-t": ("westfall1993",), "tukey": ("carterette2012",)}

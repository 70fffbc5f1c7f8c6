"""What a measure's name says in brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from rocsolid.arguments import nearest
from rocsolid.discounts import exponential, power
from rocsolid.discounts.named import SHORT_NAMES as DISCOUNTS
from rocsolid.discounts.named import as_discount
from rocsolid.errors import InputError
from rocsolid.gains.named import SHORT_NAMES as GAINS
from rocsolid.gains.named import as_gain
from rocsolid.graded.ndcg_formula import Ideal
from rocsolid.graded.profile import Profile
from rocsolid.inputs.measure_parameters import MeasureParameter

_NUMBER = r"([0-9.]+(?:e[-+]?[0-9]+)?)"
_SETTING = re.compile(r"([a-z_]+)\s*(=|>=|≥)\s*(.+)", re.IGNORECASE)
_CALL = re.compile(rf"(power|exponential)\s*\(\s*{_NUMBER}\s*\)", re.IGNORECASE)
_TABLE = re.compile(r"table\s*\((.*)\)", re.IGNORECASE)


def with_options(
    profile: Profile, parts: Sequence[str], allowed: Sequence[str], text: str
) -> Profile:
    """The profile changed by the options in a name; ``allowed`` are those it may hold.

    A gain and a discount need no key.

    >>> from rocsolid.graded.profile import OURS
    >>> changed = with_options(OURS, ["exp2", "zipf"], ("gain", "discount"), "")
    >>> changed.gain.name, changed.discount.name
    ('exp2', 'zipf')
    """
    found: dict[str, Any] = {}
    for part in parts:
        setting = _SETTING.fullmatch(part)
        key = _bare(part, allowed, text) if setting is None else _known(setting, allowed, text)
        if key in found:
            raise InputError(f"two values for {key}", where=text, value=part, fix="give one")
        found[key] = PARAMETERS[key].read(part if setting is None else setting[3].strip(), text)
    if "max" in found:
        found["top"] = found.pop("max")
    return replace(profile, **found)


def _known(setting: re.Match[str], allowed: Sequence[str], text: str) -> str:
    key = setting[1].casefold()
    key = next((name for name, each in PARAMETERS.items() if key in each.aliases), key)
    if key not in allowed or (setting[2] != "=" and key != "relevant"):
        near = nearest(key, allowed)
        raise InputError(
            "an option that this measure does not have",
            where=text,
            value=setting[0],
            fix=f"use {near or ', '.join(allowed)}",
        )
    return key


def _bare(part: str, allowed: Sequence[str], text: str) -> str:
    """Whether a value without a key is a gain or a discount."""
    word = part.casefold()
    if "gain" in allowed and (word in GAINS or (_TABLE.fullmatch(part) and ":" in part)):
        return "gain"
    if "discount" in allowed and (
        word in DISCOUNTS or _CALL.fullmatch(part) or _TABLE.fullmatch(part)
    ):
        return "discount"
    known = (*GAINS, *DISCOUNTS) if "gain" in allowed else allowed
    near = nearest(part, known)
    raise InputError(
        "an option that this measure does not have",
        where=text,
        value=part,
        fix=f"{'' if near is None else f'did you mean {near!r}? '}use "
        + (f"a gain ({', '.join(GAINS)}) and a discount ({', '.join(DISCOUNTS)}, power(0.5))"
           if "gain" in allowed else " or ".join(f"{key}=…" for key in allowed)),
    )  # fmt: skip


def _gain(value: str, text: str) -> Any:
    table = _TABLE.fullmatch(value)
    if table is None:
        return as_gain(value.casefold())
    pairs = [pair.partition(":") for pair in table[1].split(",")]
    return as_gain({_number(grade, text): _number(gain, text) for grade, _, gain in pairs})


def _discount(value: str, text: str) -> Any:
    call, table = _CALL.fullmatch(value), _TABLE.fullmatch(value)
    if call is not None:
        make = power if call[1].casefold() == "power" else exponential
        return make(_number(call[2], text))
    if table is not None:
        return as_discount([_number(one, text) for one in table[1].split(",")])
    return as_discount(value.casefold())


def _ideal(value: str, text: str) -> str:
    if value.casefold() not in get_args(Ideal):
        raise InputError(
            "unknown ideal", where=text, value=value, fix="use ideal=judged or ideal=retrieved"
        )
    return value.casefold()


def _number(value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(
            "not a number", where=text, value=value.strip(), fix="write one, such as 2 or 0.5"
        ) from None


PARAMETERS = {
    each.name: each
    for each in (
        MeasureParameter("gain", "what a grade is worth", "exp2", _gain, "linear"),
        MeasureParameter("discount", "what a rank is worth", "zipf", _discount, "log2"),
        MeasureParameter(
            "ideal", "the list to compare with: of all judged documents, or those retrieved",
            "ideal=retrieved", _ideal, "judged",
        ),
        MeasureParameter(
            "relevant", "the lowest relevant grade", "relevant>=2", _number, "1", ("rel",)
        ),
        MeasureParameter("max", "the top of the scale of grades", "max=3", _number, "4"),
        MeasureParameter("p", "the probability of reading on", "p=0.9", _number, "0.8"),
    )
}  # fmt: skip
"""What names of measures of ranked lists may hold, by name."""

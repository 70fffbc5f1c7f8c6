"""Measures as people write them: ``auc``, ``partial_auc(fpr<=0.05)``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from rocsolid.binary.partial_area import Region, Scale
from rocsolid.errors import InputError

_EXAMPLES = (
    '"auc", "partial_auc(fpr<=0.05)", "partial_auc(0.01<=fpr<=0.1, scale=mcclish)", '
    '"partial_auc(tpr>=0.9)" or "partial_auc(fpr<=0.1, tpr>=0.8)"'
)
_CALL = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_NUMBER = r"(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)"
_ONE_END = re.compile(rf"(fpr|tpr)\s*(<=|>=|≤|≥)\s*{_NUMBER}")
_TWO_ENDS = re.compile(rf"{_NUMBER}\s*(?:<=|≤)\s*(fpr|tpr)\s*(?:<=|≤)\s*{_NUMBER}")
_SCALES: tuple[Scale, ...] = get_args(Scale)
_SCALE = re.compile(r"scale\s*=\s*(\w+)")


@dataclass(frozen=True, slots=True)
class Measure:
    """The AUC (``region`` is ``None``) or a partial area, under the name it was asked for by."""

    name: str
    region: Region | None = None
    scale: Scale = "raw"


def measure(text: str) -> Measure:
    """From its name.

    >>> print(measure("partial_auc(0.01 <= fpr <= 0.1, scale=mcclish)").region)
    0.01<=fpr<=0.1
    >>> measure("auc").region is None
    True
    """
    call = _CALL.fullmatch(text) if isinstance(text, str) else None
    if call is None or call[1] not in ("auc", "partial_auc"):
        raise _refused("unknown measure", text)
    name, inside = call.groups()
    if name == "auc":
        if inside is not None:
            raise _refused("the AUC takes nothing in brackets", text)
        return Measure("auc")
    if inside is None or not inside.strip():
        raise _refused("a partial area needs a region", text)
    return _partial(text, [part.strip() for part in inside.split(",")])


def measures(asked: str | Sequence[str]) -> tuple[Measure, ...]:
    """One or more measures, each once."""
    texts = [asked] if isinstance(asked, str) else list(asked)
    if not texts:
        raise _refused("no measure is asked for", "")
    found = [measure(text) for text in texts]
    for at, one in enumerate(found):
        if any((one.region, one.scale) == (other.region, other.scale) for other in found[:at]):
            raise InputError("a measure is asked for twice", where="measure", value=one.name)
    return tuple(found)


def _partial(text: str, parts: list[str]) -> Measure:
    rates: dict[str, tuple[float, float]] = {}
    scale: Scale | None = None
    for part in parts:
        if (chosen := _SCALE.fullmatch(part)) is not None:
            if scale is not None:
                raise _refused("two scales", text)
            scale = _scale(text, chosen[1])
            continue
        rate, ends = _ends(text, part)
        if rate in rates:
            raise InputError(
                f"two regions for {rate}", where=text, value=part,
                fix=f"write both ends at once, such as 0.01<={rate}<=0.1",
            )  # fmt: skip
        rates[rate] = ends
    if not rates:
        raise _refused("a partial area needs a region", text)
    return Measure(text.strip(), Region.of(rates.get("fpr"), rates.get("tpr")), scale or "raw")


def _scale(text: str, name: str) -> Scale:
    for scale in _SCALES:
        if name == scale:
            return scale
    raise InputError(
        "unknown scale", where=text, value=name, fix=f"use scale={' or scale='.join(_SCALES)}"
    )


def _ends(text: str, part: str) -> tuple[str, tuple[float, float]]:
    if (both := _TWO_ENDS.fullmatch(part)) is not None:
        return both[2], (float(both[1]), float(both[3]))
    if (one := _ONE_END.fullmatch(part)) is not None:
        end = float(one[3])
        return one[1], (0.0, end) if one[2] in ("<=", "≤") else (end, 1.0)
    raise InputError(
        "not a region of rates", where=text, value=part, fix=f"write a measure such as {_EXAMPLES}"
    )


def _refused(what: str, text: object) -> InputError:
    return InputError(what, where="measure", value=text, fix=f"write {_EXAMPLES}")

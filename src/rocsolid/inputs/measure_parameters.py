"""Settings in the brackets of a measure's name: their declaration and parser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.results.plain import Plain

_SETTING = re.compile(r"(\w+)\s*=\s*(\S+)")


@dataclass(frozen=True, slots=True)
class MeasureParameter(Plain):
    """A setting of a measure: its syntax, its meaning and its default.

    ``read`` parses the text after the equals sign; its second argument is the whole name of the
    measure. ``default`` is "" if the setting is required.
    """

    name: str
    words: str
    example: str
    read: Callable[[str, str], Any]
    default: str = ""
    aliases: tuple[str, ...] = ()

    _json = "name words example default aliases"


def settings_of(
    inside: str | None, text: str, *parameters: MeasureParameter
) -> tuple[list[str], dict[str, Any]]:
    """Parse the settings in brackets by name; also return the words that are not settings.

    >>> share = MeasureParameter("share", "a share", "share=0.1", lambda value, _: float(value))
    >>> settings_of("step, share=0.2", "", share)
    (['step'], {'share': 0.2})
    """
    known = {
        name.casefold(): parameter
        for parameter in parameters
        for name in (parameter.name, *parameter.aliases)
    }
    rest: list[str] = []
    values: dict[str, Any] = {}
    for part in (part.strip() for part in (inside or "").split(",") if part.strip()):
        setting = _SETTING.fullmatch(part)
        parameter = None if setting is None else known.get(setting[1].casefold())
        if setting is None or parameter is None:
            rest.append(part)
            continue
        if parameter.name in values:
            raise InputError(
                f"two {parameter.name}s",
                where="measure",
                value=text,
                fix=f"give one, such as {parameter.example}",
            )
        values[parameter.name] = parameter.read(setting[2], text)
    return rest, values

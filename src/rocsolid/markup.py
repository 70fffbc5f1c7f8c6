"""HTML markup that escapes all text except finished markup."""

from __future__ import annotations

import html
import re

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_VOID = frozenset({"meta", "link", "input"})


class Markup(str):
    """Finished markup, created only by ``element`` and ``join``."""

    __slots__ = ()


NOTHING = Markup()


def escape(text: str) -> Markup:
    """Escape text for content and attributes; characters that HTML forbids become U+FFFD.

    >>> print(escape('<b title="x">'))
    &lt;b title=&quot;x&quot;&gt;
    """
    if isinstance(text, Markup):
        return text
    return Markup(html.escape(_CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)))


def join(parts: list[Markup]) -> Markup:
    return Markup("".join(parts))


def element(tag: str, /, *content: str, **attributes: str | float | bool) -> Markup:
    """Return one element with escaped text.

    ``data_x`` becomes data-x, ``class_`` becomes class, and True becomes a bare attribute.

    >>> print(element("p", "1 < 2 ", element("b", "so"), class_="note", hidden=True))
    <p class="note" hidden>1 &lt; 2 <b>so</b></p>
    """
    opening = tag
    for key, value in attributes.items():
        attribute = key.rstrip("_").replace("_", "-")
        if value is True:
            opening += f" {attribute}"
        elif value is not False:
            text = value if isinstance(value, str) else f"{value:.6g}"
            opening += f' {attribute}="{escape(text)}"'
    if tag in _VOID:
        return Markup(f"<{opening}>")
    return Markup(f"<{opening}>{''.join(map(escape, content))}</{tag}>")


def name(text: str) -> Markup:
    """A name chosen by a user, isolated so that it cannot reverse the text around it."""
    return element("bdi", text)

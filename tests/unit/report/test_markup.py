from __future__ import annotations

import pytest

from rocsolid.markup import Markup, element, escape, join, name


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("<script>", "&lt;script&gt;"),
        ("a & b", "a &amp; b"),
        ("\"'", "&quot;&#x27;"),
        ("a\x00b", "a\N{REPLACEMENT CHARACTER}b"),
        ("\ud800", "\N{REPLACEMENT CHARACTER}"),
        ("naïve – Ωmega\n", "naïve – Ωmega\n"),
    ],
)
def test_escape(text: str, escaped: str) -> None:
    assert escape(text) == escaped
    escape(text).encode("utf-8")


def test_content_and_attributes_are_escaped_and_markup_is_not() -> None:
    inner = element("b", "<")
    made = element("p", "<", inner, join([inner]), title='"<')
    assert made == '<p title="&quot;&lt;">&lt;<b>&lt;</b><b>&lt;</b></p>'
    assert isinstance(made, Markup)


def test_attributes() -> None:
    made = element("input", type="radio", aria_label="x", class_="c", checked=True, hidden=False)
    assert made == '<input type="radio" aria-label="x" class="c" checked>'
    assert element("path", d="M0 0", x=1.5) == '<path d="M0 0" x="1.5"></path>'


def test_a_name_cannot_turn_its_surroundings() -> None:
    assert name("\u202eabc") == "<bdi>\u202eabc</bdi>"

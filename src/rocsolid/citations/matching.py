"""Which works the text of a source names, and the same text with their short names."""

from __future__ import annotations

import re
from functools import cache

from rocsolid.citations.bibliography import SOFTWARE, WORKS
from rocsolid.citations.entry import Work

_YEAR = r"(?:1[89]|20)\d\d(?!\d)"
_PAGES = r"(?:, \d+(?:-\d+)?(?![\w-]))?"


def named(source: str) -> tuple[tuple[int, int, Work], ...]:
    """Where in the text a work is named, in the order of the text: start, end, entry.

    A work is named by its authors' surnames ("A and B", "A, B and C" or "A et al.") and its year,
    with no other year and no semicolon between them; journal and pages may stand there too.

    >>> [(at, e.key) for at, _, e in named("McDiarmid 1989, as in Agarwal et al. 2005, Theorem 5")]
    [(0, 'mcdiarmid1989'), (22, 'agarwal2005')]
    """
    found = [
        (hit.start(), hit.end(), entry)
        for entry in WORKS
        for hit in _pattern(entry).finditer(source)
    ]
    return tuple(sorted(found, key=lambda hit: hit[0]))


@cache
def entries_of(source: str) -> tuple[Work, ...]:
    """The works that the text names, each once; rocsolid itself where it names none.

    >>> [entry.key for entry in entries_of("Massart 1990 (Maurer and Pontil 2020, Theorem 8)")]
    ['massart1990', 'maurer2020']
    >>> [entry.key for entry in entries_of("coverage page of rocsolid")]
    ['rocsolid']
    """
    return tuple(dict.fromkeys(entry for _, _, entry in named(source))) or (SOFTWARE,)


def shortened(source: str) -> str:
    """The text with each work by its short name.

    >>> shortened("Student, Biometrika 6 (1908), 1-25; Welch, Biometrika 34 (1947), 28-35 (df)")
    'Student (1908); Welch (1947) (df)'
    """
    parts, at = [], 0
    for start, end, entry in named(source):
        parts += [source[at:start], entry.short]
        at = end
    return "".join([*parts, source[at:]])


@cache
def _pattern(entry: Work) -> re.Pattern[str]:
    first = entry.surnames
    forms = [first[0]] if len(first) == 1 else [f"{', '.join(first[:-1])} and {first[-1]}"]
    if len(first) > 2:
        forms.append(f"{first[0]} et al.")
    authors = "|".join(re.escape(form) for form in forms)
    between = rf"(?: |, (?:(?!{_YEAR})[^;])*?)"
    year = rf"(?:\({entry.year}\)|(?<=[ ,]){entry.year}(?!\d))"
    by_name = rf"(?<![\w-])(?:{authors}){between}{year}{_PAGES}"
    return re.compile("|".join([by_name, *(re.escape(text) for text in entry.also)]))

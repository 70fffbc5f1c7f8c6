"""Every work that a result, a message or a page may cite, and rocsolid itself."""

from __future__ import annotations

from rocsolid._version import __version__
from rocsolid.citations.bibliography.areas import AREAS
from rocsolid.citations.bibliography.guarantees import GUARANTEES
from rocsolid.citations.bibliography.learning import LEARNING
from rocsolid.citations.bibliography.lists import LISTS
from rocsolid.citations.bibliography.tests import TESTS
from rocsolid.citations.entry import Work

SOFTWARE = Work(
    "rocsolid",
    "misc",
    {
        "author": "The rocsolid developers",
        "title": "rocsolid: ranking metrics you can stand on",
        "note": f"Python package, version {__version__}",
    },
)
WORKS = (*AREAS, *GUARANTEES, *LISTS, *TESTS, *LEARNING)
"""All works except the software."""

_BY_KEY = {entry.key: entry for entry in (*WORKS, SOFTWARE)}


def by_key(key: str) -> Work:
    return _BY_KEY[key]


__all__ = ["SOFTWARE", "WORKS", "by_key"]

"""The pictures of the page about pictures: each is what the example above it saves."""

from __future__ import annotations

import contextlib
import doctest
import functools
import tempfile
from pathlib import Path

PAGE = Path(__file__).with_name("plots.md").resolve()
FOLDER = "pictures"


@functools.cache
def pictures() -> dict[str, bytes]:
    """What the examples of the page save, by name; an example that fails ends the build."""
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        doctest.testfile(str(PAGE), module_relative=False, optionflags=flags, raise_on_error=True)
        return {file.name: file.read_bytes() for file in sorted(Path().glob("*.svg"))}

"""The picture of the README shows what the demonstration gives today."""

from __future__ import annotations

import importlib.util
import re
import struct
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "docs" / "readme_picture.py"


def description(png: bytes) -> str:
    """The text that is filed under this name in a PNG file."""
    at = 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        name, _, text = png[at + 8 : at + 8 + length].partition(b"\0")
        if kind in (b"tEXt", b"iTXt") and name == b"Description":
            # international text has four fields before it, which are empty here
            return text.decode("latin-1") if kind == b"tEXt" else text[4:].decode("utf-8")
        at += length + 12
    raise AssertionError("the picture does not say what it shows")


def test_the_picture_is_up_to_date() -> None:
    found = importlib.util.spec_from_file_location("readme_picture", SCRIPT)
    assert found is not None
    assert found.loader is not None
    script = importlib.util.module_from_spec(found)
    found.loader.exec_module(script)
    png = script.FILE.read_bytes()
    assert len(png) < 100_000
    now = script.says(script.picture())
    assert "0.8407   0.8291 – 0.8517" in now
    assert description(png) == now, "run: python docs/readme_picture.py"


def test_the_readme_shows_it_with_words_for_those_who_cannot_see_it() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    ((words, path),) = re.findall(r"!\[([^]]+)\]\(([^)]+)\)", text)
    assert (ROOT / path).is_file()
    assert len(words) > 80

"""What every kind of page shows first, and its length: words, pixels to the verdict, sheets, bytes.

python benchmarks/first_screens.py    half a minute; needs Chromium
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "web")]

from browser import Browser  # noqa: E402

from every_page import write_every_page  # noqa: E402
from page_measures import measured  # noqa: E402

_LINE = "{:20} {:>6} {:>8} {:>8} {:>8} {:>6} {:>6}"


def main(chromium: str) -> None:
    print(_LINE.format("page", "words", "verdict", "number", "at 360", "sheets", "kB"))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with redirect_stdout(io.StringIO()):
            pages = write_every_page(Path(folder), patch)
        with Browser(chromium) as browser:
            for name, file in pages.items():
                one = measured(browser, file)
                ends = (one.ends, one.shown, one.phone)
                pixels = ["" if at is None else f"{at:.0f}" for at in ends]
                print(_LINE.format(name, one.words, *pixels, one.sheets, round(one.size / 1e3)))


if __name__ == "__main__":
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        sys.exit("Chromium is not installed: apt install chromium")
    main(found)

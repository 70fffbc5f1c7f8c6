"""The folder that a study is written to."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from rocsolid.cli.forms import this_command
from rocsolid.cli.output import json_text, write_text
from rocsolid.errors import InputError
from rocsolid.study import StudyTable


class Study(Protocol):
    """What every study has."""

    @property
    def tables(self) -> tuple[StudyTable, ...]: ...

    def to_dict(self) -> dict[str, Any]: ...

    def to_html(self, command: str = "") -> str: ...


def write_study(found: Study, name: str, folder: Path) -> None:
    """The page, every table as CSV, and all of it as JSON."""
    write_numbers(found, name, folder)
    write_text(str(folder / f"{name}.html"), found.to_html(this_command()))


def write_numbers(found: Study, name: str, folder: Path) -> None:
    """Every table as CSV, and all of it as JSON."""
    make_folder(folder)
    for table in found.tables:
        write_text(str(folder / f"{table.name}.csv"), table.to_csv())
    write_text(str(folder / f"{name}.json"), json_text(found.to_dict()))


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder cannot be made: {error.strerror}",
            where=str(folder),
            fix="name a folder that can be written to",
        ) from error

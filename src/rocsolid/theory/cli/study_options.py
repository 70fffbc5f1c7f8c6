"""The options that every study has, and the folder that it is written to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

from cyclopts import Parameter

from rocsolid.cli.forms import this_command
from rocsolid.cli.options import Flag, Json, Seed
from rocsolid.cli.output import json_text, print_json, write_text
from rocsolid.cli.screen import tell
from rocsolid.errors import InputError
from rocsolid.theory.study.table import StudyTable


class Study(Protocol):
    """What every study has."""

    @property
    def tables(self) -> tuple[StudyTable, ...]: ...

    def to_dict(self) -> dict[str, Any]: ...

    def to_html(self, command: str = "") -> str: ...


S = TypeVar("S", bound=Study)
Letor = Annotated[
    str,
    Parameter(
        help="A LETOR file, plain or gzipped, for rankers in five folds: its queries are cut in "
        "their order into five parts. Where it is MQ2008, published values are shown beside."
    ),
]
Clef = Annotated[
    str,
    Parameter(
        help="The folder with the CLEF TAR 2017 rankings (rank_features.csv.gz), for figures on "
        "real lists and for rankers."
    ),
]


@Parameter(name="*")
@dataclass(frozen=True)
class StudyOptions:
    """Where a study goes, and how much of it is made.

    Parameters
    ----------
    out
        A folder for the page, the tables as CSV files and all of it as JSON; it is made if it does
        not exist. Page and JSON are named like the study.
    quick
        Fewer sizes and smaller samples: seconds, to see what there is.
    """

    out: str | None = None
    json: Json = False
    quick: Flag = False
    seed: Seed = 0

    def show(self, study: S, name: str, printed: Callable[[S], None]) -> int:
        """Write the folder where one is requested, and print."""
        if self.out is not None:
            write_study(study, name, Path(self.out))
        if self.json:
            print_json(study.to_dict())
            return 0
        printed(study)
        if self.out is not None:
            tell(f"\nPage and tables: {self.out}")
        return 0


PLAIN = StudyOptions()


def write_study(found: Study, name: str, folder: Path) -> None:
    """The page, every table as CSV, and all of it as JSON."""
    write_numbers(found, name, folder)
    write_text(str(folder / f"{name}.html"), found.to_html(this_command()))


def write_numbers(study: Study, name: str, folder: Path) -> None:
    """Every table as CSV, and all of it as JSON."""
    make_folder(folder)
    for table in study.tables:
        write_text(str(folder / f"{table.name}.csv"), table.to_csv())
    write_text(str(folder / f"{name}.json"), json_text(study.to_dict()))


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder cannot be made: {error.strerror}",
            where=str(folder),
            fix="name a folder that can be written to",
        ) from error

"""The options that every study has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from cyclopts import Parameter

from rocsolid.cli.output import print_json
from rocsolid.cli.screen import tell
from rocsolid.cli.study_files import Study, write_study

S = TypeVar("S", bound=Study)


@Parameter(name="*")
@dataclass(frozen=True)
class StudyOptions:
    """Where a study goes, and how much of it is made.

    Parameters
    ----------
    out
        A folder for the page, the tables as CSV files and all of it as JSON; it is made if it does
        not exist. Page and JSON are named like the study.
    json
        Print JSON in place of the tables.
    quick
        Fewer sizes and smaller samples: seconds, to see what there is.
    seed
        Where the random numbers start.
    """

    out: str | None = None
    json: Annotated[bool, Parameter(negative=())] = False
    quick: Annotated[bool, Parameter(negative=())] = False
    seed: int = 0

    def show(self, found: S, name: str, printed: Callable[[S], None]) -> int:
        """Write the folder where one is asked for, and print."""
        if self.out is not None:
            write_study(found, name, Path(self.out))
        if self.json:
            print_json(found.to_dict())
            return 0
        printed(found)
        if self.out is not None:
            tell(f"\nPage and tables: {self.out}")
        return 0


PLAIN = StudyOptions()

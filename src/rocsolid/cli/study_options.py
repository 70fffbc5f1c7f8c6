"""The options that every study has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from cyclopts import Parameter

from rocsolid.cli.options import Flag, Json, Seed
from rocsolid.cli.output import print_json
from rocsolid.cli.screen import tell
from rocsolid.cli.study_files import Study, write_study

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

    def show(self, found: S, name: str, printed: Callable[[S], None]) -> int:
        """Write the folder where one is requested, and print."""
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

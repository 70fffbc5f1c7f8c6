"""What every study holds."""

from __future__ import annotations

from typing import Any

from rocsolid._version import __version__
from rocsolid.study.table import Table


class Tables:
    """Tables by name, and what it takes to compute them again."""

    __slots__ = ()

    tables: tuple[Table, ...]
    seed: int
    quick: bool

    def __getitem__(self, name: str) -> Table:
        return next(table for table in self.tables if table.name == name)

    def made(self) -> dict[str, Any]:
        """The part that every study's `to_dict` has."""
        return {
            "seed": self.seed,
            "quick": self.quick,
            "version": __version__,
            "tables": [table.to_dict() for table in self.tables],
        }

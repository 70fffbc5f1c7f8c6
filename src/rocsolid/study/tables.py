"""What every study holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rocsolid._version import __version__
from rocsolid.report.study_page import Link, StudyPage, render_study
from rocsolid.study.table import StudyTable


class Tables:
    """Tables by name, what it takes to compute them again, and their page."""

    __slots__ = ()

    tables: tuple[StudyTable, ...]
    seed: int
    quick: bool

    def __getitem__(self, name: str) -> StudyTable:
        return next(table for table in self.tables if table.name == name)

    def made(self) -> dict[str, Any]:
        """The part that every study's `to_dict` has."""
        return {
            "seed": self.seed,
            "quick": self.quick,
            "version": __version__,
            "tables": [table.to_dict() for table in self.tables],
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        raise NotImplementedError

    def content(self) -> StudyPage:
        """What the page shows."""
        raise NotImplementedError

    def to_html(self, command: str = "", links: Sequence[Link] = ()) -> str:
        """One self-contained page with every figure; ``links`` lead to others of a site."""
        page = self.content()
        return render_study(replace(page.frame, command=command), page.groups, links)

"""All studies, one after the other, and the check of every figure and table."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rocsolid._version import __version__
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.results.plain import written
from rocsolid.theory.study.bounds import bounds
from rocsolid.theory.study.labelings import labelings
from rocsolid.theory.study.learn import learn
from rocsolid.theory.study.learn_letor import FILE
from rocsolid.theory.study.ndcg import ndcg
from rocsolid.theory.study.ranks import pauc, ranks
from rocsolid.theory.study.study_page import Link
from rocsolid.theory.study.tables_2005 import Tables
from rocsolid.theory.study.tour import catalogue
from rocsolid.theory.study.tour.catalogue import DOCUMENTS, ENTRIES, FURTHER, GIVES, MISSING
from rocsolid.theory.study.tour.weighted_areas import Item, TourItem

TITLES = {
    "bounds": "Bounds for the AUC",
    "pauc": "Partial areas",
    "ndcg": "NDCG of long lists",
    "labelings": "Labelings behind an AUC",
    "ranks": "The AUC as a mean of ranks",
    "learn": "Learning",
}
"""Every study, in the order in which they are made."""

PathLike = str | os.PathLike[str]
Progress = Callable[[str, float, int], None]


@dataclass(frozen=True, slots=True)
class Tour:
    """The completed studies by name, and in ``failed`` why others failed.

    ``data`` maps the names of options to the given paths.
    """

    studies: Mapping[str, Tables]
    failed: Mapping[str, str]
    data: Mapping[str, str]
    seed: int
    quick: bool

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(self._item(entry) for entry in ENTRIES)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The missing data, with the options that supply them."""
        return tuple(text for name, text in GIVES.items() if name not in self.data)

    def _item(self, entry: TourItem) -> Item:
        if entry.needs and entry.needs not in self.data:
            return Item(entry, None, f"needs data: {GIVES[entry.needs]}")
        if entry.study in self.failed:
            return Item(entry, None, f"the study failed: {self.failed[entry.study]}")
        return Item(entry, entry.check(self.studies[entry.study]))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""
        return {
            **written(self, "seed quick"),
            "version": __version__,
            "documents": [written(each, "number title about") for each in DOCUMENTS],
            "items": [item.to_dict() for item in self.items],
            "not_reproduced": [written(each, "document name why") for each in MISSING],
            **written(self, "failed left_out"),
        }

    def pages(self, command: str = "") -> dict[str, str]:
        """Return the text of every page by its path below the folder of the site.

        The page of a failed study states the error.
        """
        pages = {"index.html": self.to_html(command)}
        for name in TITLES:
            links = self._links("../", name)
            if name in self.studies:
                text = self.studies[name].to_html(self.command(name), links)
            else:
                text = catalogue.failed(TITLES[name], self.failed[name], links)
            pages[f"{name}/{name}.html"] = text
        return pages

    def to_html(self, command: str = "") -> str:
        further = [part for part in FURTHER if not part.needs or part.needs in self.data]
        return catalogue.index(
            self.items,
            tuple(part for part in further if part.study in self.studies),
            titles=TITLES,
            failed=self.failed,
            left_out=self.left_out,
            links=self._links("", "index"),
            facts=(
                ("Seed", str(self.seed)),
                ("Size", "quick: fewer sizes and samples" if self.quick else "full"),
                ("rocsolid", __version__),
            ),
            command=command,
        )

    def command(self, name: str) -> str:
        words = ["rocsolid", "study", name]
        for option in {"ndcg": ["clef"], "learn": ["letor", "clef"]}.get(name, []):
            words += [f"--{option}", self.data[option]] if option in self.data else []
        words += ["--learned"] if name == "ndcg" and "clef" in self.data else []
        words += ["--quick"] if self.quick else []
        words += ["--seed", str(self.seed)] if self.seed else []
        return shlex.join([*words, "--out", name])

    def _links(self, up: str, here: str) -> tuple[Link, ...]:
        index = Link("All figures and tables", f"{up}index.html", here == "index")
        pages = (Link(TITLES[name], f"{up}{name}/{name}.html", name == here) for name in TITLES)
        return index, *pages


def tour(
    letor: PathLike | None = None,
    clef: PathLike | None = None,
    *,
    quick: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> Tour:
    """Run every study. If one fails, the others still run and `Tour.failed` states the error.

    ``letor`` and ``clef`` are as in `learn`; with ``clef``, `ndcg` compares learned rankers as in
    the paper. Paths that do not exist are rejected before any study runs. ``progress`` is called
    with the name of a study, the number of completed studies (the current one in part), and the
    total.
    """
    data = _paths(letor, clef)
    studies: dict[str, Tables] = {}
    failed: dict[str, str] = {}
    collection = None if clef is None else Path(clef)
    makers: dict[str, Callable[..., Tables]] = {
        "bounds": bounds,
        "pauc": pauc,
        "ndcg": partial(ndcg, collection, learned=clef is not None),
        "labelings": labelings,
        "ranks": ranks,
        "learn": partial(learn, letor, clef),
    }
    for at, (name, make) in enumerate(makers.items()):

        def step(done: int, total: int, at: int = at, name: str = name) -> None:
            if progress is not None:
                progress(name, at + done / max(1, total), len(makers))

        step(0, 1)
        try:
            studies[name] = make(quick=quick, seed=seed, progress=step)
        except RocsolidError as error:
            failed[name] = str(error)
        except Exception as error:  # the other studies must still run
            failed[name] = f"{type(error).__name__}: {error}"
        step(1, 1)
    return Tour(studies, failed, data, seed, quick)


def _paths(letor: PathLike | None, clef: PathLike | None) -> dict[str, str]:
    paths = {}
    if letor is not None:
        _must_exist(Path(letor), "letor", letor)
        paths["letor"] = os.fspath(letor)
    if clef is not None:
        _must_exist(Path(clef) / FILE, "clef", clef)
        paths["clef"] = os.fspath(clef)
    return paths


def _must_exist(file: Path, option: str, value: PathLike) -> None:
    if not file.is_file():
        raise InputError(
            f"the file {file} does not exist",
            where=option,
            value=os.fspath(value),
            fix=f"give {GIVES[option]}, or leave it out",
        )

"""The two parts beside the core, which imports neither: their names and verbs, as text.

A part is a folder of this package. Without it the core works as before, and lacks these names.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

from rocsolid.errors import RocsolidError


class Verb(NamedTuple):
    """A verb of a part: where help lists it, and whether it has verbs of its own."""

    name: str
    heading: str
    has_verbs: bool


class Additions(NamedTuple):
    """What a part adds: modules to `rocsolid`, names to `rocsolid.guarantees`, verbs and JSON.

    ``documents`` has a verb, and the module and the class of what it prints as JSON.
    """

    modules: str
    verbs: tuple[Verb, ...]
    guarantees: str = ""
    documents: tuple[tuple[str, str, str], ...] = ()


PARTS = {
    "rocsolid.board": Additions(
        modules="board",
        verbs=(
            Verb("board", "Before you publish", has_verbs=True),
            Verb("serve", "Before you publish", has_verbs=False),
        ),
        documents=(("board", "board.standings", "ShownBoard"),),
    ),
    "rocsolid.theory": Additions(
        modules="asymptotics learners study",
        verbs=(Verb("study", "About", has_verbs=True),),
        guarantees="Finite GaussianComplexity Linear LipschitzConstants Measure PacBayes "
        "ScorerClass UniformBound UniformFunctionalBound UserClass WeightedUniformBound "
        "compression distance_kolmogorov distance_total_variation distance_wasserstein "
        "finite_class finite_class_tail forbidden_submatrices gaussian_finite gaussian_given "
        "gaussian_kernel gaussian_linear gaussian_monte_carlo gaussian_radius is_realisable "
        "linear_orderings linear_rank_matrices linear_rank_matrices_with_ties "
        "lipschitz_functional lipschitz_functional_uniform monomials occam_kl pac_bayes "
        "pair_spread polynomial probe_lipschitz psi psi_bounds psi_strict rank_matrix "
        "rank_shatter_tail scoring tau uniform_blocks uniform_freund uniform_margin "
        "uniform_rank_shatter vote_spread weighted_corollary_4 weighted_theorem_3 "
        "weighted_uniform_curve",
    ),
}


def present() -> Iterator[tuple[str, Additions]]:
    """The parts whose folders are there; a folder without a module is what a deletion left."""
    for home, added in PARTS.items():
        spec = find_spec(home)
        if spec is not None and spec.has_location:
            yield home, added


def modules() -> dict[str, str]:
    """Each public module of a part, by its name in `rocsolid`."""
    return {
        name: home if home == f"rocsolid.{name}" else f"{home}.{name}"
        for home, added in present()
        for name in added.modules.split()
    }


def verbs() -> dict[str, Verb]:
    """Each verb of a part, by the module that holds it."""
    return {f"{home}.cli.{verb.name}": verb for home, added in present() for verb in added.verbs}


def guarantees() -> dict[str, str]:
    """The module of each name that a part adds to `rocsolid.guarantees`."""
    return {
        name: f"{home}.guarantees" for home, added in present() for name in added.guarantees.split()
    }


def documents() -> dict[str, tuple[str, ...]]:
    """The module and the class of what each verb of a part prints as JSON."""
    return {verb: tuple(home) for _, added in present() for verb, *home in added.documents}


def module(name: str) -> Any:
    """A public module of a part, which what the caller was asked to do needs."""
    homes = modules()
    if name not in homes:
        raise RocsolidError(
            f"rocsolid.{name} is not in this installation", fix="install all of rocsolid"
        )
    return importlib.import_module(homes[name])

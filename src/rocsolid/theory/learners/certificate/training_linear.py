"""Training-set bounds for the AUC of linear scorers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.placements import Placements
from rocsolid.theory.guarantees import (
    Linear,
    pac_bayes,
    pair_spread,
    uniform_blocks,
    uniform_freund,
    uniform_margin,
    uniform_rank_shatter,
)
from rocsolid.theory.guarantees.uniform import UniformBound
from rocsolid.theory.learners.certificate.training_rows import (
    ROOTS,
    Bound,
    Made,
    TrainingRows,
    in_part,
)
from rocsolid.weights import step

NO_RADIUS = "it needs radius, a bound on ‖x‖ that was known before these rows"
_SPREAD_SHARE = 0.1  # of a bound's δ, for the spread of the pairs


def linear_bounds(
    rows: TrainingRows, w: NDArray[np.float64], radius: float | None
) -> Iterator[tuple[str, Made | str]]:
    """Each bound by name, or why it cannot be had."""
    scorers, sizes = Linear(rows.features), rows.sizes
    value = Placements.from_sorted(rows.linear(w)).auc
    yield (
        "rank-shatter",
        lambda d: of_uniform(uniform_rank_shatter(value, *sizes, scorers, d, "greater")),
    )
    yield (
        "Freund et al.",
        lambda d: of_uniform(uniform_freund(value, *sizes, scorers, d, "greater")),
    )
    yield "block-VC", lambda d: of_uniform(uniform_blocks(value, *sizes, scorers, d, "greater"))
    if radius is None:
        yield "Rademacher margin", NO_RADIUS
    else:
        yield "Rademacher margin", lambda d: _margin(rows, w, radius, d)
    yield "PAC-Bayes-kl", lambda d: _pac_bayes(rows, w, d)


def of_uniform(found: UniformBound) -> Bound:
    return Bound(found.interval.method, found.auc, found.interval)


def best_margin(found: list[UniformBound]) -> Bound:
    """Of bounds that hold at once; where all are vacuous, the one that comes nearest."""
    return of_uniform(max(found, key=lambda bound: bound.auc - bound.deviation))


def _margin(rows: TrainingRows, w: NDArray[np.float64], radius: float, delta: float) -> Bound:
    """The best margin of a fixed list, for ‖w‖ = 1; scores then differ by 2R at most."""
    classes = rows.linear(w / np.linalg.norm(w))
    spread = pair_spread(rows.pos, rows.neg, 1.0, radius, _SPREAD_SHARE * delta)
    share = (1.0 - _SPREAD_SHARE) * delta / len(ROOTS)
    widths = [2.0 * radius * root for root in ROOTS]
    return best_margin(
        [
            uniform_margin(in_part(classes, step(0, 1), width), width, *rows.sizes, spread, share)
            for width in widths
        ]
    )


def _pac_bayes(rows: TrainingRows, w: NDArray[np.float64], delta: float) -> Bound:
    found = pac_bayes(w, rows.pos, rows.neg, delta)
    return Bound(found.interval.method, found.auc, found.interval, randomised=True)

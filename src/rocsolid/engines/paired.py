"""Sums over rows, or clusters, of their influences on several scores together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocsolid.summaries.summed_influences import SummedInfluences

Summed = tuple[tuple[int, int], SummedInfluences]
"""The number of rows in each class, and the sums of their influences on the scores."""


def summed_rows(batches: Iterable[Any], size: int) -> list[Summed]:
    """Sum record batches of rows with a class ``y`` and influences ``d0``, ``d1`` …"""

    def of_batch(batch: Any) -> Summed:
        positive = batch["y"].to_numpy() == 1
        moved = np.array([batch[f"d{i}"].to_numpy() for i in range(size)])
        some = SummedInfluences.of(moved[:, positive], moved[:, ~positive])
        return (int(some.trials[0]), int(some.trials[1])), some

    return added(of_batch(batch) for batch in batches if batch.num_rows)


def summed_clusters(batches: Iterable[Any], size: int) -> list[Summed]:
    """Sum record batches of clusters.

    ``positives`` and ``negatives`` count the rows of a cluster, ``u`` and ``v`` are the weights of
    its classes, and ``p0``, ``n0`` … are its influences on each score.
    """

    def of_batch(batch: Any) -> Summed:
        pos, neg = (
            np.array([batch[f"{side}{i}"].to_numpy() for i in range(size)]) for side in "pn"
        )
        weight = np.array([batch[name].to_numpy() for name in "uv"])
        rows = [int(batch[name].to_numpy().sum()) for name in ("positives", "negatives")]
        return (rows[0], rows[1]), SummedInfluences.of(pos, neg, weight)

    return added(of_batch(batch) for batch in batches if batch.num_rows)


def added(parts: Iterable[Summed]) -> list[Summed]:
    """Return the sum of the parts, or nothing if there are none."""
    whole: list[Summed] = []
    for (n_pos, n_neg), some in parts:
        for sizes, sums in whole:
            n_pos, n_neg, some = n_pos + sizes[0], n_neg + sizes[1], sums + some
        whole = [((n_pos, n_neg), some)]
    return whole

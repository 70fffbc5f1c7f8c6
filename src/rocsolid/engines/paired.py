"""Sums over rows, or clusters, of their influences on several scores together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocsolid.summaries.summed_influences import SummedInfluences

Summed = tuple[tuple[int, int], SummedInfluences]
"""The number of rows in each class, and the sums of their influences on the scores."""


def summed_rows(batches: Iterable[Any], size: int) -> Iterable[Summed]:
    """Sum record batches of rows with a class ``y`` and influences ``d0``, ``d1`` …"""
    for batch in batches:
        if batch.num_rows:
            positive = batch["y"].to_numpy() == 1
            moved = np.array([batch[f"d{i}"].to_numpy() for i in range(size)])
            some = SummedInfluences.of(moved[:, positive], moved[:, ~positive])
            yield (int(some.trials[0]), int(some.trials[1])), some


def summed_clusters(batches: Iterable[Any], size: int) -> Iterable[Summed]:
    """Sum record batches of clusters.

    ``positives`` and ``negatives`` count the rows of a cluster, ``u`` and ``v`` are the weights of
    its classes, and ``p0``, ``n0`` … are its influences on each score.
    """
    for batch in batches:
        if batch.num_rows:
            pos, neg = (
                np.array([batch[f"{side}{i}"].to_numpy() for i in range(size)]) for side in "pn"
            )
            weight = np.array([batch[name].to_numpy() for name in "uv"])
            rows = [int(batch[name].to_numpy().sum()) for name in ("positives", "negatives")]
            yield (rows[0], rows[1]), SummedInfluences.of(pos, neg, weight)


def added(parts: Iterable[Summed]) -> Iterable[Summed]:
    whole: Summed | None = None
    for (n_pos, n_neg), some in parts:
        if whole is not None:
            n_pos, n_neg, some = n_pos + whole[0][0], n_neg + whole[0][1], whole[1] + some
        whole = (n_pos, n_neg), some
    if whole is not None:
        yield whole

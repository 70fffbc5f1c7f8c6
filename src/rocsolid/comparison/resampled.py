"""A measure's values on resamples, the same for every score of the same rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.replicates import replicates, table_replicates
from rocsolid.inputs import BinaryRows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_SAMPLES = 3  # a stream of its own for the seeds of independent samples


def resampled(
    measure: BinaryMeasure, rows: Sequence[BinaryRows], paired: bool, resamples: int, seed: int
) -> _FLOATS:
    """A row of values for each resample, a column for each of ``rows``.

    Paired, a row is about one resample of the shared rows. Otherwise every column has resamples of
    its own, from a seed of its own. Classes are resampled apart (stratified) unless rows are the
    sample of the measure, or whole clusters.
    """
    if paired:
        return _together(measure, rows, resamples, seed)
    seeds = [int(stream(seed, _SAMPLES, i).integers(1 << 62)) for i in range(len(rows))]
    columns = [
        _together(measure, [part], resamples, own) for part, own in zip(rows, seeds, strict=True)
    ]
    return np.hstack(columns)


def _together(
    measure: BinaryMeasure, rows: Sequence[BinaryRows], resamples: int, seed: int
) -> _FLOATS:
    values = [value for part in rows if (value := measure.of_table(part)) is not None]
    if not values:
        return replicates(rows, resamples=resamples, seed=seed)
    scheme = "plain" if measure.of_rows and rows[0].cluster is None else None
    # the draws follow from the seed and the shared rows, so one score after the other will do
    return np.column_stack(
        [
            table_replicates(
                part, value, resamples=resamples, seed=seed, merged=measure.merged, scheme=scheme
            )
            for part, value in zip(rows, values, strict=True)
        ]
    )

"""How each row pulls a measure, where a formula says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.measures.binary_measure import BinaryMeasure


def pulls(measure: BinaryMeasure, rows: BinaryRows) -> NDArray[np.float64]:
    """The influences, or an error for a measure that has none."""
    influence = measure.influence(rows)
    if influence is None:
        raise InputError(
            "no formula says how a row pulls this measure",
            where="measure",
            value=measure.name,
            fix="plan for pr_auc or auc, say",
        )
    return influence

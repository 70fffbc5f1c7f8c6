"""What Maurer and Pontil 2020, which has no figure, works out in numbers."""

from __future__ import annotations

import numpy as np

from rocsolid.theory.study.table import Tables
from rocsolid.theory.study.tour.entry import Check, TourItem


def _proposition_1(found: Tables) -> Check:
    """The exact mean falls towards 1/4, from which it is less than 1/√n at each n."""
    table = found["proposition_1"]
    n, mean = table.column("n"), table.column("plug_in")
    above = mean - 0.25
    return Check(
        bool(np.all((above > 0.0) & (above < n**-0.5)) and np.all(np.diff(mean) < 0.0)),
        f"the estimate tends to 1/4, what it estimates is 1/2; its mean is {mean[0]:.3f} at n = "
        f"{n[0]:,.0f} and {mean[-1]:.4f} at {n[-1]:,.0f}",
    )


ENTRIES = (
    TourItem(
        *(
            "Maurer and Pontil 2020",
            "Proposition 1",
            "an estimate of a partial area that stays wrong",
            "pauc",
        ),
        *("proposition-1", "rs.partial_auc", _proposition_1),
    ),
)

"""What Maurer and Pontil 2020, which has no figure, works out in numbers."""

from __future__ import annotations

from rocsolid.study.table import Tables
from rocsolid.study.tour.entry import Check, TourItem


def _proposition_1(found: Tables) -> Check:
    """At the largest size; in finite samples the mean is above 1/4 by less than 1/√n."""
    table = found["proposition_1"]
    n, mean, error = (table.column(name)[-1] for name in ("n", "plug_in", "plug_in_error"))
    near = abs(mean - 0.25) < 4 * error + n**-0.5
    return Check(
        bool(near and mean + 4 * error < 0.5),
        f"the estimate tends to 1/4, what it estimates is 1/2; at n = {n:,.0f} its mean over "
        f"samples is {mean:.3f}, with standard error {error:.3f}",
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

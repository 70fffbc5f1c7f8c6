"""An AUC from few labels and many machine labels, and what the machine labels brought."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.results.estimate import Estimate
from rocsolid.results.plain import one_line


@dataclass(frozen=True, slots=True)
class ProxiedEstimate(Estimate):
    """An estimate that machine labels helped to.

    ``n_pos`` and ``n_neg`` count the true labels, and the certified interval rests on these alone.
    ``omega`` is the share of the machine labels' say that was used, ``gain`` how many times as many
    true labels alone would have been needed for the same variance, ``disagreements`` the labelled
    rows whose machine label is wrong, and ``labels_only`` the estimate without machine labels.
    """

    omega: float = 0.0
    gain: float = 1.0
    disagreements: int = 0
    unlabelled: int = 0
    labels_only: Estimate | None = None
    _json = f"{Estimate._json} omega gain disagreements unlabelled labels_only"

    __repr__ = one_line

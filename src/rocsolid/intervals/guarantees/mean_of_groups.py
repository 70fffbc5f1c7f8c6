from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.intervals.guarantees.checks import FIXED_SCORER, INDEPENDENT, check_value
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import hoeffding_limits, kl_limits
from rocsolid.results import Alternative, Interval
from rocsolid.summaries.products import dot

ALIKE_IN_GROUPS = "rows of one class of a group identically distributed"
SIZES = "about the groups in this data, weighted as here"
SOURCE = (
    "Hoeffding 1963, Theorems 1 and 2 and section 5 (blocks of independent pairs), with blocks "
    "inside groups"
)
_EVEN = 0.75
"""How nearly equal the shares of the blocks must be for relative entropy to be shorter."""


def mean_of_groups(
    value: float,
    shares: ArrayLike,
    blocks: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for Ā = Σp_gA_g from Σp_gÂ_g, A_g the true AUC of group g.

    ``shares`` are the p_g, which sum to 1 and are fixed by the labels and the groups. ``blocks``
    are k_g = min(m_g, n_g). Let v_g = p_g/k_g, the share of a pair. *Hoeffding's lemma* bounds a
    deviation of ε by exp(−2Kε²), K = 1/Σk_gv_g². *Relative entropy*, with s = 1/max v_g: as
    ln(1−a+a·e^λ) is concave in a,

        E exp(λsΣp_gÂ_g) ≤ Π_g(1−A_g+A_g·e^λ)^{sp_g} ≤ (1−Ā+Ā·e^λ)^s,

    so P(Σp_gÂ_g ≥ x) ≤ exp(−s·kl(x‖Ā)) for x ≥ Ā, which is used if s ≥ ¾K. With k_g = 1 the limits
    hold for any independent values in [0, 1] with means A_g, such as those of groups whose rows
    depend on each other.

    >>> print(mean_of_groups(0.8, [0.5, 0.5], [50, 50]))
    [0.6784, 0.8928] at 95 % (kl in groups)
    >>> print(mean_of_groups(0.8, [0.6, 0.4], [10, 100]))
    [0.5367, 1.0000] at 95 % (hoeffding in groups)
    """
    share = _positive(shares, "shares")
    pair = share / _positive(blocks, "blocks")
    if not abs(float(share.sum()) - 1.0) <= 1e-9:
        raise InputError("the shares must add up to 1", where="shares", value=float(share.sum()))
    check_value(value)
    even, total = 1.0 / float(pair.max()), 1.0 / dot(share, pair)
    by_entropy = even >= _EVEN * total
    name, limits = ("kl", kl_limits) if by_entropy else ("hoeffding", hoeffding_limits)
    claim = Claim(f"{name} in groups", SOURCE, (INDEPENDENT, ALIKE_IN_GROUPS, FIXED_SCORER, SIZES))
    rounded = math.nextafter(even if by_entropy else total, 0.0)
    return claim.interval(limits(value, rounded, delta, alternative), delta)


def _positive(values: ArrayLike, name: str) -> NDArray[np.float64]:
    numbers = np.asarray(in_main_memory(values, name), dtype=np.float64)
    if not (numbers.size and np.all(np.isfinite(numbers)) and np.all(numbers > 0.0)):
        raise InputError("every group needs a number above 0", where=name)
    return numbers

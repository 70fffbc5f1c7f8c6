from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.best import best
from rocsolid.intervals.guarantees.checks import (
    FIXED_SCORER,
    SMALLEST_DELTA,
    check_sizes,
    check_value,
    mirrored,
    tail_share,
)
from rocsolid.intervals.guarantees.hoeffding import kl, kl_lower
from rocsolid.results import Alternative, Interval

CHOSEN_BY_ANSWERS = (
    "scorer fixed before this data was seen, except for the counted answers; labels not known "
    "from other sources"
)
SOURCE = "Blum and Hardt 2015 (a union over transcripts), weighted by the lengths of a code; "


def after_reuse(
    auc: float,
    n_pos: int,
    n_neg: int,
    bits: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    scores: Sequence[ArrayLike] | None = None,
) -> Interval:
    """Return limits for a scorer that was chosen, in any way, with ``bits`` of help from the rows.

    Each further question about the rows, and the final scorer f, may depend on earlier answers. Let
    ℓ(t) be the length of the transcript t of all answers in a code fixed before, Σ 2^(−ℓ) ≤ 1
    (Kraft), such as log₂ of the number of possible transcripts. Each t leads to one scorer f_t that
    no longer depends on the rows. With the interval I at δ·2^(−ℓ(t)),

        P(A(f_T) ∉ I(f_T)) ≤ Σ_t P(A(f_t) ∉ I(f_t)) ≤ Σ_t δ·2^(−ℓ(t)) ≤ δ.

    ``bits`` is ℓ of the actual transcript (`Gate.certificate`); the entropy of the answers must not
    replace it. Labels known from elsewhere, and a model fitted to the features of these rows, are
    help that no transcript counts. The interval is that of ``best`` at δ·2^(−bits), or ``kl`` where
    that probability is too small (beyond 327 bits at δ = .05).

    >>> print(after_reuse(0.85, 1000, 1000, bits=20))
    [0.7793, 0.9059] at 95 % (hinge after 20 bits)
    >>> pos, neg = np.arange(60, 160), np.arange(100)
    >>> print(after_reuse(0.92, 100, 100, bits=20, scores=(pos, neg)))
    [0.7491, 0.9823] at 95 % (cuts after 20 bits)
    """
    if not (is_number(bits) and bits >= 0 and math.isfinite(bits)):
        raise InputError(
            "bits must be at least 0",
            where="bits",
            value=bits,
            fix="give log2 of the number of possible transcripts",
        )
    share = tail_share(delta, alternative)
    if share * 2.0 ** -min(bits, 1000) >= SMALLEST_DELTA:
        plain = best(auc, n_pos, n_neg, delta * 2.0**-bits, alternative, scores=scores)
    else:
        k, nats = min(check_sizes(n_pos, n_neg)), bits * math.log(2)
        low, high = mirrored(
            lambda x, share: kl_lower(x, np.asarray((nats - np.log(share)) / k)),
            check_value(auc),
            delta,
            alternative,
        )
        plain = replace(kl(auc, n_pos, n_neg), low=float(low), high=float(high))
    assumed = (CHOSEN_BY_ANSWERS if one == FIXED_SCORER else one for one in plain.assumptions)
    return replace(
        plain,
        level=1 - delta,
        method=f"{plain.method} after {bits:.4g} bits",
        assumptions=tuple(assumed),
        source=SOURCE + plain.source,
    )


def most_bits(pairs: int, decimals: int | None) -> float:
    """Return log₂ of the number of values of one answer: with ties an exact AUC has 2·n₀·n₁ + 1.

    >>> round(most_bits(10_000, 2), 2), round(most_bits(10_000, None), 2)
    (6.66, 14.29)
    """
    values = 2 * pairs if decimals is None else min(10**decimals, 2 * pairs)
    return math.log2(values + 1)

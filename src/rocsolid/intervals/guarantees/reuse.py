"""The AUC of a scorer that was chosen with the help of answers about the same rows."""

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
    "scorer fixed before this data was seen, except for the answers that are counted; these "
    "labels are not known from elsewhere"
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
    """The interval for a scorer that was chosen, in any way, with ``bits`` of help from these rows.

    Someone asks about the rows, hears answers, and may choose each next question and at last the
    scorer f by them. Let t be the transcript of all answers, and let ℓ(t) be lengths, fixed before
    the answers, with Σ 2^(−ℓ(t)) ≤ 1 (Kraft): log₂ of the number of transcripts that are possible,
    or the length of t in a code. What is asked depends only on the answers before it and on what is
    independent of the rows. So, given the latter, each t leads to one scorer f_t, which does not
    depend on the rows any more. The interval I(f_t) at δ·2^(−ℓ(t)) misses its AUC with at most that
    probability, and

        P(A(f_T) ∉ I(f_T)) ≤ Σ_t P(A(f_t) ∉ I(f_t)) ≤ Σ_t δ·2^(−ℓ(t)) ≤ δ,

    however adaptive the questions, and also if the answers carry noise. ``bits`` is ℓ of the
    transcript that came about; `Gate.certificate` takes it from a ledger. The entropy of the
    answers will not do, nor the information that they carry: the sum is over all that are
    possible.

    Whoever knows labels of these rows from elsewhere, or fits a model to their features, has help
    that no transcript counts.

    It is the interval of ``best`` at δ·2^(−bits): ``cuts`` with the scores of both classes
    (``matchings`` of few rows), else ``hinge``. Where that is too small a number for them (beyond
    327 bits at δ = .05), it is ``kl``, which takes its logarithm.

    >>> print(after_reuse(0.85, 1000, 1000, bits=20))
    [0.7793, 0.9059] at 95 % (hinge after 20 bits)
    >>> pos, neg = np.arange(60, 160), np.arange(100)
    >>> print(after_reuse(0.92, 100, 100, bits=20, scores=(pos, neg)))
    [0.7491, 0.9823] at 95 % (cuts after 20 bits)
    """
    if not (is_number(bits) and bits >= 0 and math.isfinite(bits)):
        raise InputError(
            "the help of answers is at least 0 bits",
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
    """The most that one answer can give away: log₂ of the number of values that it can have.

    With ties an exact AUC has 2·n₀·n₁ + 1 possible values.

    >>> round(most_bits(10_000, 2), 2), round(most_bits(10_000, None), 2)
    (6.66, 14.29)
    """
    values = 2 * pairs if decimals is None else min(10**decimals, 2 * pairs)
    return math.log2(values + 1)

"""PAC-Bayes: the AUC of a linear scorer with Gaussian noise on its weights."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.intervals.guarantees.checks import ALIKE, INDEPENDENT, check_delta
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import kl_lower
from rocsolid.results import Interval
from rocsolid.results.plain import Plain, one_line

_CHUNK = 2_000_000  # numbers held at once: pairs times features
CLAIM = Claim(
    "PAC-Bayes-kl",
    "Langford and Seeger 2001; Maurer 2004; Hoeffding 1963, section 5",
    (
        INDEPENDENT,
        ALIKE,
        "prior and scales fixed before this data was seen",
        "the scorer draws its weights at random",
    ),
)


@dataclass(frozen=True, slots=True)
class PacBayes(Plain):
    """A certified interval for the AUC of a randomised scorer, redrawn for each comparison.

    For each pair, the scorer draws its weights from N(μŵ, I), with μ = ``scale``. ``auc`` is its
    expected AUC on the data, and ``interval`` is for its AUC in the population. ``divergence`` is
    KL(Q‖P), and ``pairs`` is the number of pairs averaged.
    """

    auc: float
    interval: Interval
    scale: float
    divergence: float
    pairs: int

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.interval}, randomised scorer with AUC {self.auc:.4f}, scale {self.scale:.4g}"


def pac_bayes(
    w: ArrayLike,
    pos: ArrayLike,
    neg: ArrayLike,
    delta: float = 0.05,
    *,
    prior: ArrayLike | None = None,
    scales: Sequence[float] | None = None,
    max_pairs: int = 1_000_000,
    seed: int = 0,
) -> PacBayes:
    """Return the best certified lower limit over a grid of scales μ for the weights ``w``.

    For all Q at once,

        kl(E_Q Â‖E_Q A) ≤ (KL(Q‖P) + ln(2√k/δ))/k,   k = min(m, n)

    (Langford and Seeger 2001, with the constant of Maurer 2004, on blocks of k independent pairs).
    With Q = N(μŵ, I) and P = N(0, I), KL = μ²/2, and a pair is ordered correctly with probability
    Φ(μ·ŵ·(x−x′)/‖x−x′‖). The union over G scales adds ln G.

    ``pos`` and ``neg`` have one example per row; ``w`` may have been trained on them. ``prior`` is
    a weight vector from other rows; then KL = ‖μŵ − prior‖²/2, and the length of the prior joins
    the scales. ``scales`` must not depend on these rows; the default is √2ʲ up to √(2k). The
    expected AUC is a mean over matchings of the smaller class into the larger, drawn with ``seed``
    if the mn pairs exceed ``max_pairs``; the bound holds for any number of matchings.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1, 1, (500, 2)), rng.normal(0, 1, (500, 2))
    >>> print(pac_bayes([1, 1], pos, neg))
    [0.7146, 0.8912] at 95 % (PAC-Bayes-kl), randomised scorer with AUC 0.8137, scale 2.828
    """
    positives, negatives = _rows(pos, "pos"), _rows(neg, "neg")
    if positives.shape[1] != negatives.shape[1]:
        raise InputError(
            "positives and negatives differ in their number of features",
            where="pos, neg",
            value=(positives.shape[1], negatives.shape[1]),
        )
    k = min(len(positives), len(negatives))
    weights = _vector(w, positives.shape[1], "w")
    largest = np.abs(weights).max()
    if largest == 0:
        raise InputError("the weights are all zero, so they rank nothing", where="w")
    direction = weights / largest  # first, so that squares neither under- nor overflow
    direction /= np.linalg.norm(direction)
    centre = np.zeros_like(weights) if prior is None else _vector(prior, weights.size, "prior")
    grid = _grid(scales, k, float(np.linalg.norm(centre)))
    expected, pairs = _expected_aucs(
        direction, grid, positives, negatives, whole(max_pairs, "max_pairs"), whole(seed, "seed", 0)
    )
    divergence = np.sum((grid[:, None] * direction - centre) ** 2, axis=1) / 2
    bound = (divergence + math.log(2 * math.sqrt(k) * len(grid) / check_delta(delta))) / k
    low, high = kl_lower(expected, bound), 1 - kl_lower(1 - expected, bound)
    best = int(np.argmax(low))
    interval = CLAIM.interval((low[best], high[best]), delta)
    return PacBayes(
        float(expected[best]), interval, float(grid[best]), float(divergence[best]), pairs
    )


def _grid(scales: Sequence[float] | None, k: int, prior_length: float) -> NDArray[np.float64]:
    if scales is None:
        grid = np.sqrt(2.0) ** np.arange(1 + int(math.log2(2 * k)))
        return np.append(grid, prior_length) if prior_length else grid
    given = np.asarray(scales, dtype=np.float64)
    if given.ndim != 1 or given.size == 0 or not (np.isfinite(given) & (given > 0)).all():
        raise InputError("the scales are not positive numbers", where="scales", value=scales)
    return given


def _expected_aucs(
    direction: NDArray[np.float64],
    grid: NDArray[np.float64],
    pos: NDArray[np.float64],
    neg: NDArray[np.float64],
    max_pairs: int,
    seed: int,
) -> tuple[NDArray[np.float64], int]:
    """Return E_Q Â for each scale over whole matchings, and the number of pairs.

    Matching r pairs row i of the smaller class with row i + shift_r of the larger class, in a
    seeded order and cyclically. All shifts together cover all pairs.
    """
    from scipy.special import ndtr

    small, large, sign = (pos, neg, 1.0) if len(pos) <= len(neg) else (neg, pos, -1.0)
    k, size = len(small), len(large)
    matchings = min(size, max(1, max_pairs // k))
    shifts = np.arange(matchings) * size // matchings
    large = large[np.random.default_rng(seed).permutation(size)]
    pairs = matchings * k
    step = max(1, _CHUNK // pos.shape[1])
    total = np.zeros(len(grid))
    for start in range(0, pairs, step):
        index = np.arange(start, min(start + step, pairs))
        row = index % k
        difference = sign * (small[row] - large[(row + shifts[index // k]) % size])
        # scaled first, so that neither tiny nor huge features under- or overflow when squared
        largest = np.abs(difference).max(axis=1, keepdims=True)
        difference /= np.where(largest > 0, largest, 1.0)
        norm = np.linalg.norm(difference, axis=1)
        cosine = difference @ direction / np.where(norm > 0, norm, 1.0)  # equal rows tie: Φ(0) = ½
        total += [ndtr(scale * cosine).sum() for scale in grid]
    return total / pairs, pairs


def _rows(values: ArrayLike, name: str) -> NDArray[np.float64]:
    rows = np.asarray(in_main_memory(values, name), dtype=np.float64)
    if rows.ndim != 2 or rows.size == 0:
        raise InputError("not a table with one example a row", where=name, value=rows.shape)
    if not np.isfinite(rows).all():
        row = int(np.argmin(np.isfinite(rows).all(axis=1)))
        raise InputError(
            "a feature is not finite", where=f"{name}, row {row}", value=rows[row].tolist()
        )
    return rows


def _vector(values: ArrayLike, size: int, name: str) -> NDArray[np.float64]:
    vector = np.asarray(in_main_memory(values, name), dtype=np.float64)
    if vector.shape != (size,) or not np.isfinite(vector).all():
        raise InputError(f"not {size} finite numbers", where=name, value=values)
    return vector


OUT_OF_BAG = Claim(
    "out-of-bag",
    "Lorenzen et al. 2019; Maurer 2004; Hoeffding 1963, section 5",
    (
        INDEPENDENT,
        ALIKE,
        "the rows that each tree left out were drawn before this data was seen",
        "a tree is drawn at random for each comparison",
    ),
)


def out_of_bag(
    aucs: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike, delta: float = 0.05
) -> Interval:
    """Return limits for the mean true AUC of scorers that were each tested on rows they left out.

    The rows left out were chosen without looking at the data. ``aucs`` contains the AUC of each of
    T scorers on its left-out rows, and ``n_pos`` and ``n_neg`` their numbers. The interval is for
    the mean of the T true AUCs. With kₜ = min(mₜ, nₜ) pairs, k the smallest and K the largest of
    the kₜ,

        kl(mean Âₜ ‖ mean Aₜ) ≤ ln(2√K/δ)/k.

    Proof: E exp(k·kl(Âₜ‖Aₜ)) ≤ 2√K given the rows of each fit (Maurer 2004), and therefore for the
    mean over t; Markov's inequality and the convexity of kl.

    >>> print(out_of_bag([0.8, 0.84], [350, 370], [380, 360]))
    [0.7377, 0.8863] at 95 % (out-of-bag)
    """
    values, pos, neg = (np.asarray(x, dtype=np.float64).ravel() for x in (aucs, n_pos, n_neg))
    if not (values.size == pos.size == neg.size > 0) or not ((values >= 0) & (values <= 1)).all():
        raise InputError(
            "each scorer needs its AUC, in [0, 1], and the numbers of both classes",
            where="aucs, n_pos, n_neg",
            value=aucs,
        )
    pairs = np.minimum(pos, neg)
    if not (pairs >= 1).all():
        raise InputError(
            "a scorer left out no row of one class",
            where="n_pos, n_neg",
            value=int(pairs.min()),
            fix="leave out more rows, or use the scorers that left out rows of both classes",
        )
    bound = np.asarray(math.log(2 * math.sqrt(pairs.max()) / check_delta(delta)) / pairs.min())
    mean = values.mean()
    return OUT_OF_BAG.interval((kl_lower(mean, bound), 1 - kl_lower(1 - mean, bound)), delta)

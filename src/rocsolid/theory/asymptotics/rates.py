"""How close NDCG is to the pseudo-expectation: Lemmas 2 and 4 of Wang et al. 2013."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocsolid.arguments import whole
from rocsolid.errors import InputError
from rocsolid.results.plain import one_line, written


@dataclass(frozen=True, slots=True)
class Rate:
    """A distance between NDCG and its pseudo-expectation at n, as an order of magnitude.

    Never a bound for a given n: constants are missing. ``failure`` is the order of the probability
    that the distance is larger; 0 where the statement is about the mean.
    """

    lemma: str
    n: int
    radius: float
    failure: float
    words: str
    _cites = ("The distance from the limit", "wang2013")

    @property
    def vacuous(self) -> bool:
        """Whether the distance is no smaller than the range of NDCG."""
        return self.radius >= 1.0

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{self.lemma}: about {self.radius:.3g} at n = {self.n:,} (asymptotic, not a bound)"
        return text + ", vacuous" if self.vacuous else text

    def explain(self) -> str:
        return f"{self}. {self.words}"

    def to_dict(self) -> dict[str, Any]:
        found = written(self, "lemma n radius failure vacuous")
        return {**found, "certified": False, "words": self.words}


def lemma_2(n: int) -> Rate:
    """|E[NDCG] − N(n)| = Õ(n^{−1/3}) for 1/log(1+r), labels 0 and 1 and any ranker.

    >>> print(lemma_2(1000))
    Lemma 2: about 0.1 at n = 1,000 (asymptotic, not a bound)
    """
    size = whole(n, "n")
    return Rate(
        "Lemma 2",
        size,
        size ** (-1 / 3),
        0.0,
        "The mean of the standard NDCG differs from the pseudo-expectation by n^(−1/3) times an "
        "unknown constant and unknown powers of log n. Simulation shows a far smaller difference, "
        ".0035 at n = 1,000 for one curve; for that one, the rate is what the proof gives, not "
        "what happens.",
    )


def lemma_4(n: int, *, p: float, constant: float, exponent: float = 1.0) -> Rate:
    """|NDCG − N(n)| < 5Cp^{−1}n^{−α/3} with probability 1 − O(exp(−n^{1/4})), for 1/log(1+r).

    ``constant`` and ``exponent`` are C and α of |ȳ(s) − ȳ(s′)| ≤ C|s − s′|^α; p = Pr(Y = 1). The
    lemma's min(α/3, 1) is α/3, because only constants have α > 1. For constants C would be 0 and
    the lemma false, since NDCG varies all the same; both are refused.

    >>> print(lemma_4(1_000_000, p=0.35, constant=0.5))
    Lemma 4: about 0.0714 at n = 1,000,000 (asymptotic, not a bound)
    >>> lemma_4(100, p=0.35, constant=0.5).vacuous
    True
    """
    size = whole(n, "n")
    if not 0.0 < p <= 1.0:
        raise InputError("p lies above 0 and is at most 1", where="p", value=p)
    if not 0.0 < constant < float("inf"):
        raise InputError(
            "Lemma 4 needs a positive Hölder constant: with 0 the curve is constant and its bound "
            "would be 0, while NDCG varies",
            where="constant",
            value=constant,
            fix="use the smallest C with |ȳ(s) − ȳ(s′)| ≤ C|s − s′|^α",
        )
    if not 0.0 < exponent <= 1.0:
        raise InputError(
            "a Hölder exponent lies above 0 and is at most 1; only constants have a larger one",
            where="exponent",
            value=exponent,
        )
    return Rate(
        "Lemma 4",
        size,
        5.0 * constant / p * size ** (-exponent / 3),
        math.exp(-(size**0.25)),
        "For n large enough, and how large is not said, the standard NDCG of a single list lies "
        "within this distance of the pseudo-expectation, except with a probability of the order "
        f"exp(−n^(1/4)) = {math.exp(-(size**0.25)):.2g} times an unknown constant.",
    )

"""Certificates after reuse: how often they miss, and how wide they are.

Prints the widths beside those of the hinge at the same bits, then contests. In each an analyst asks
a board about scorers, chooses the next one and at last a scorer by the answers, and one interval is
made of that scorer's AUC on the same rows: the naive one, as if nobody had asked; the one after
reuse, from a ledger of these answers; and the naive one on as many fresh rows. The rows have
features, of which one tells something; every scorer is a function of them, so that its true AUC has
a closed form.

    python benchmarks/after_reuse.py --contests 1000
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsolid as rs
from rocsolid.leaks import release

FEATURES, GROUPS = 60, 60
_FLOATS = NDArray[np.float64]
Ask = Callable[[_FLOATS], float]


@dataclass(frozen=True)
class Rows:
    """n rows of either class: column 0 tells something, the next 60 are noise, and then 60 columns
    say which group a row is in; the groups say nothing."""

    positive: NDArray[np.bool_]
    features: _FLOATS
    signal: float

    @staticmethod
    def drawn(rng: np.random.Generator, n: int, auc: float) -> Rows:
        signal = float(np.sqrt(2) * ndtri(auc))
        positive = np.arange(2 * n) < n
        x = rng.normal(size=(2 * n, 1 + FEATURES))
        x[positive, 0] += signal
        group = rng.integers(GROUPS, size=2 * n)[:, None] == np.arange(GROUPS)
        return Rows(positive, np.hstack([x, group]), signal)

    def true_auc(self, w: _FLOATS) -> float:
        """P(w·x > w·x'): normal given the groups of both, which are alike in both classes."""
        own, lift = w[: 1 + FEATURES], w[1 + FEATURES :]
        apart = w[0] * self.signal + lift[:, None] - lift[None, :]
        return float(ndtr(apart / np.sqrt(2 * (own @ own))).mean())


def climbing(ask: Ask, queries: int, rng: np.random.Generator) -> _FLOATS:
    """One weight changed at random at a time, kept while the answer does not fall."""
    best = np.eye(1 + FEATURES + GROUPS)[0] + 1e-9
    heard = ask(best)
    for _ in range(queries - 1):
        tried = best.copy()
        tried[rng.integers(1, 1 + FEATURES)] += rng.choice([-0.25, 0.25])
        told = ask(tried)
        if told >= heard:
            best, heard = tried, told
    return best


def boosting(ask: Ask, queries: int, rng: np.random.Generator) -> _FLOATS:
    """Scorers that know nothing, each added with the sign that its answer has."""
    total = np.zeros(1 + FEATURES + GROUPS)
    for j in range(1, 1 + min(queries, FEATURES)):
        one = np.eye(len(total))[j]
        total += one * np.sign(ask(one + 1e-9 * rng.normal(size=len(total))) - 0.5)
    return total + 1e-9 * np.eye(len(total))[1]


def lifting(ask: Ask, queries: int, rng: np.random.Generator) -> _FLOATS:  # noqa: ARG001
    """Groups of rows lifted one by one, then lowered; each stays where the answer rose."""
    best = np.eye(1 + FEATURES + GROUPS)[0] + 1e-9
    heard = ask(best)
    for query in range(queries - 1):
        tried = best.copy()
        tried[1 + FEATURES + query % GROUPS] += (-1) ** (query // GROUPS)
        told = ask(tried)
        if told > heard:
            best, heard = tried, told
    return best


ANALYSTS = {"climbing": climbing, "boosting": boosting, "lifting": lifting}
DEFENCES: dict[str, release.Defence] = {
    "Exact()": release.Exact(),
    "Rounded(2)": release.Rounded(2),
    "Ladder(0.02)": release.Ladder("0.02"),
}


def contest(
    analyst: str, defence: release.Defence, rng: np.random.Generator, n: int, queries: int
) -> tuple[float, float, dict[str, rs.results.Interval]]:
    """The true AUC of the scorer chosen, the bits, and the intervals."""
    rows, fresh = (Rows.drawn(rng, n, 0.75) for _ in range(2))
    ledger = release.Ledger.create(":memory:", rows.positive, defence=defence)
    gate = release.Gate(rows.positive, defence=defence, ledger=ledger)
    chosen = ANALYSTS[analyst](
        lambda w: float(gate.submit("analyst", rows.features @ w)), queries, rng
    )

    def naive(of: Rows) -> rs.results.Interval:
        scores = of.features @ chosen
        return rs.guarantees.matchings(scores[of.positive], scores[~of.positive])

    found = {
        "naive": naive(rows),
        "after reuse": gate.certificate(rows.features @ chosen),
        "fresh rows": naive(fresh),
    }
    bits = gate.reuse_bits
    ledger.close()
    return rows.true_auc(chosen), bits, found


def contests(
    analyst: str, defence: release.Defence, count: int, n: int = 200, queries: int = 120
) -> tuple[float, dict[str, tuple[int, float]]]:
    """Mean bits; misses and mean width by kind of interval."""
    rng = np.random.default_rng(20261123)
    played = [contest(analyst, defence, rng, n, queries) for _ in range(count)]
    return float(np.mean([bits for _, bits, _ in played])), {
        kind: (
            sum(true not in found[kind] for true, _, found in played),
            float(np.mean([found[kind].width for _, _, found in played])),
        )
        for kind in ("naive", "after reuse", "fresh rows")
    }


def widths() -> None:
    print("Full widths at 95 %, AUC .85 (normal scores): hinge, with the scores")
    for n in (100, 1000):
        at = ndtri((np.arange(n) + 0.5) / n)
        pos = at + np.sqrt(2) * ndtri(0.85)
        auc = rs.auc(np.repeat([1, 0], n), np.concatenate([pos, at])).value
        for bits in (0, 10, 20, 40, 100, 300):
            plain = rs.guarantees.after_reuse(auc, n, n, bits).width
            scored = rs.guarantees.after_reuse(auc, n, n, bits, scores=(pos, at)).width
            print(f"{n:6} + {n:<6}{bits:4} bits  {plain:.3f}  {scored:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contests", type=int, default=100)
    count = parser.parse_args().contests
    widths()
    print(f"\nMisses in {count} contests of 120 answers on 200 + 200 rows (mean width), at 95 %")
    for analyst in ANALYSTS:
        for name, defence in DEFENCES.items():
            bits, found = contests(analyst, defence, count)
            cells = "  ".join(f"{kind} {miss} ({wide:.3f})" for kind, (miss, wide) in found.items())
            print(f"{analyst:10}{name:14}{bits:7.1f} bits  {cells}")


if __name__ == "__main__":
    main()

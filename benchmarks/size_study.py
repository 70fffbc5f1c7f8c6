"""How often do the default tests find a difference that is not there? Prints tables, on demand.

    python benchmarks/size_study.py [--repeats 4000]

Nominal 5 %; more than 6 % is bold. Every line has its own random stream, and every entry comes from
the library's own tests. The designs include those in which a z test or a χ² fails.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from rocsolid.comparison.adjust import adjusted, default_test
from rocsolid.comparison.compared import Question, Test, t_test
from rocsolid.comparison.delong import delong
from rocsolid.comparison.omnibus import chi_square, hotelling_f
from rocsolid.comparison.permutation import permutation
from rocsolid.comparison.rows import ComparedRows
from rocsolid.comparison.sign_flip import Systems
from rocsolid.comparison.venkatraman import venkatraman
from rocsolid.inputs import BinaryRows
from rocsolid.measures.whole_area import WholeArea
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import Apart

Floats = NDArray[np.float64]
Scores = tuple[Floats, Floats]
"""Scores of the positives and of the negatives, a data set a row."""

AUC = WholeArea()
ASKED = Question(0.0, "two-sided", 0.95, 0, resamples=999)
END = 12.0  # a score that no other reaches


def binormal(
    rng: np.random.Generator, size: tuple[int, int, int], aucs: tuple[float, ...], shared: float,
    wide: tuple[float, ...] = (),
) -> list[Scores]:  # fmt: skip
    """Normal scores with some variance in ``shared``; ``wide`` is the positives' spread of each."""
    repeats, m, n = size
    common = rng.normal(size=(repeats, m)), rng.normal(size=(repeats, n))
    out = []
    for auc, spread in zip(aucs, wide or (1.0,) * len(aucs), strict=True):
        pos, neg = (
            math.sqrt(shared) * one + math.sqrt(1.0 - shared) * rng.normal(size=one.shape)
            for one in common
        )
        out.append((spread * pos + math.sqrt(1.0 + spread**2) * float(ndtri(auc)), neg))
    return out


def lumps(
    rng: np.random.Generator, size: tuple[int, int, int], auc: float, others: float = 1.0
) -> list[Scores]:
    """A normal score, and one of the same AUC that puts some positives below all negatives."""
    first, (pos, neg) = binormal(rng, size, (auc, auc), 0.3)
    lost = rng.random(pos.shape) < 1.0 - auc / others
    shift = END if others == 1.0 else math.sqrt(2.0) * float(ndtri(others) - ndtri(auc))
    return [first, (np.where(lost, -END, pos + shift), neg)]


def lost_negatives(
    rng: np.random.Generator, size: tuple[int, int, int], auc: float
) -> list[Scores]:
    return [(-neg, -pos) for pos, neg in lumps(rng, (size[0], size[2], size[1]), auc)]


def mirrored(rng: np.random.Generator, size: tuple[int, int, int], auc: float) -> list[Scores]:
    """Exponential scores, and the same reversed with their classes exchanged."""
    repeats, m, n = size
    ratio = auc / (1.0 - auc)
    pos, neg = (
        (lambda: rng.exponential(size=(repeats, m))),
        (lambda: rng.exponential(size=(repeats, n))),
    )
    return [(ratio * pos(), neg()), (-pos(), -ratio * neg())]


def placed(scores: Scores) -> Scores:
    """V10 and V01 of every data set, for scores without ties."""
    pos, neg = scores
    m, n = pos.shape[1], neg.shape[1]
    order = np.argsort(np.concatenate([pos, neg], axis=1), axis=1)
    negative = order >= m
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.broadcast_to(np.arange(m + n), order.shape), axis=1)
    below = np.take_along_axis(np.cumsum(negative, axis=1), place[:, :m], axis=1)
    under = np.take_along_axis(np.cumsum(~negative, axis=1), place[:, m:], axis=1)
    return below / n, 1.0 - under / m


def of_placements(models: list[Scores], at: int) -> ComparedRows:
    """One data set as the tests take it, without the estimates' own intervals."""
    v10, v01 = (np.stack([model[side][at] for model in models]) for side in (0, 1))
    values = v10.mean(axis=1)
    m, n = v10.shape[1], v01.shape[1]
    spread = Spread(
        (v10 - values[:, None]) / m, (v01 - values[:, None]) / n,
        (m / (m - 1.0), n / (n - 1.0), 0.0), float(m + n),
    )  # fmt: skip
    rows = BinaryRows(np.arange(m + n) < m, np.zeros(m + n))
    estimates = {str(i): SimpleNamespace(value=float(value)) for i, value in enumerate(values)}
    count = len(models)
    return ComparedRows(
        AUC, estimates, (rows,) * count, True, spread, (spread.units,) * count,
        (spread.smaller,) * count,
    )  # fmt: skip


def of_samples(parts: list[ComparedRows]) -> ComparedRows:
    """One score on independent samples."""
    spreads = [one.spread for one in parts if isinstance(one.spread, Spread)]
    own = [spread.own(0) for spread in spreads]
    apart = Apart(
        tuple(float(one.total[0, 0]) for one in own), tuple(one.df() for one in own),
        tuple(spread.strata for spread in spreads),
        tuple(float(spread.largest[0]) for spread in spreads),
    )  # fmt: skip
    return ComparedRows(
        AUC,
        {str(i): one.estimates["0"] for i, one in enumerate(parts)},
        tuple(one.rows[0] for one in parts),
        False,
        apart,
        tuple(one.units[0] for one in parts),
        tuple(one.smaller[0] for one in parts),
    )


def found(test: Test, compared: ComparedRows) -> bool:
    return test(compared, ASKED).tested[0].p_value < 0.05


def found_by_default(compared: ComparedRows) -> bool:
    test, _ = default_test(compared, ASKED)
    return found(test, compared)


def all_equal_by_default(compared: ComparedRows) -> bool:
    test, _ = default_test(compared, ASKED)
    return test(compared, ASKED).joint()[0].p_value < 0.05


def share(cells: list[list[bool]]) -> list[float]:
    return np.mean(np.array(cells, dtype=float), axis=0).tolist()


def both(draws: list[ComparedRows]) -> list[float]:
    """The shares that DeLong's test, the same on Student's t, and the default find."""
    return share([[found(delong, one), found(t_test, one), found_by_default(one)] for one in draws])


def paired(models: list[Scores]) -> list[float]:
    at = [placed(model) for model in models]
    return both([of_placements(at, i) for i in range(len(models[0][0]))])


def of_clusters(rng: np.random.Generator, repeats: int, patients: int, ill: int) -> list[float]:
    """Three rows a patient, who is ill or not, with part of every score in common."""
    draws = []
    for _ in range(repeats):
        patient = np.repeat(np.arange(patients), 3)
        y = patient < ill
        models = {}
        for name in "ab":
            own = rng.normal(size=patients)[patient] + rng.normal(size=3 * patients)
            models[name] = BinaryRows(y, own + 2.0 * y, None, patient)
        estimates = {}
        for name, rows in models.items():
            placement = AUC.influence(rows)
            estimates[name] = SimpleNamespace(value=float(placement[y].mean()))
        draws.append(ComparedRows.of(AUC, models, estimates, True))
    return both(draws)


Design = Callable[[np.random.Generator, int], list[float]]


def null_designs() -> Iterator[tuple[str, Design]]:
    for m, n, auc in (
        *((5, 50, 0.8), (5, 500, 0.7), (5, 500, 0.8), (10, 1000, 0.8), (10, 1000, 0.9)),
        *((20, 20, 0.8), (50, 50, 0.8), (50, 50, 0.95), (30, 300, 0.9), (200, 200, 0.95)),
    ):
        yield (
            f"alike, {m} + {n}, {auc}",
            lambda g, r, m=m, n=n, a=auc: paired(binormal(g, (r, m, n), (a, a), 0.5)),
        )
    for m, n, auc, others in (
        *((12, 400, 0.9, 1.0), (30, 1000, 0.95, 1.0), (100, 1000, 0.95, 1.0)),
        *((50, 500, 0.97, 1.0), (50, 500, 0.9, 1.0), (30, 1000, 0.95, 0.99)),
        (30, 1000, 0.9, 0.96),
    ):
        rest = "" if others == 1.0 else f" (others {others})"
        yield (
            f"some positives lost{rest}, {m} + {n}, {auc}",
            lambda g, r, m=m, n=n, a=auc, o=others: paired(lumps(g, (r, m, n), a, o)),
        )
    yield (
        "some negatives lost, 30 + 50, 0.95",
        lambda g, r: paired(lost_negatives(g, (r, 30, 50), 0.95)),
    )
    for m, n, auc in ((12, 400, 0.8), (12, 400, 0.95), (30, 1000, 0.95), (100, 1000, 0.95)):
        yield (
            f"mirrored exponentials, {m} + {n}, {auc}",
            lambda g, r, m=m, n=n, a=auc: paired(mirrored(g, (r, m, n), a)),
        )
    for m, n, auc, wide in (
        *((20, 200, 0.8, 3.0), (30, 300, 0.95, 3.0), (30, 1000, 0.95, 5.0)),
        *((50, 500, 0.97, 4.0), (100, 1000, 0.98, 4.0), (100, 100, 0.95, 3.0)),
    ):
        yield (
            f"crossing, {m} + {n}, {auc}",
            lambda g, r, m=m, n=n, a=auc, w=wide: paired(
                binormal(g, (r, m, n), (a, a), 0.5, (1.0, w))
            ),
        )
    for patients, ill in ((150, 8), (30, 12)):
        yield (
            f"clusters, {patients} patients, {ill} ill",
            lambda g, r, p=patients, i=ill: of_clusters(g, r // 4, p, i),
        )
    for (m, n), (k, h), auc in (
        *(((5, 50), (50, 50), 0.8), ((5, 50), (50, 50), 0.9), ((10, 1000), (40, 100), 0.7)),
        ((100, 100), (50, 200), 0.8),
    ):
        yield (
            f"two samples, {m} + {n} and {k} + {h}, {auc}",
            lambda g, r, sizes=((m, n), (k, h)), a=auc: samples(g, r, sizes, (a, a)),
        )


def samples(
    rng: np.random.Generator, repeats: int, sizes: tuple[tuple[int, int], ...],
    aucs: tuple[float, ...],
) -> list[float]:  # fmt: skip
    parts = [
        placed(binormal(rng, (repeats, *size), (auc,), 0.0)[0])
        for size, auc in zip(sizes, aucs, strict=True)
    ]
    return both(
        [of_samples([of_placements([part], at) for part in parts]) for at in range(repeats)]
    )


POWER = (
    *((50, 50, 0.85, 0.75, 0.5), (100, 100, 0.8, 0.7, 0.3), (30, 300, 0.85, 0.7, 0.5)),
    *((100, 100, 0.95, 0.9, 0.5), (50, 50, 0.95, 0.88, 0.8), (50, 50, 0.8, 0.78, 0.98)),
    *((100, 1000, 0.97, 0.94, 0.5), (200, 200, 0.97, 0.94, 0.5), (50, 500, 0.97, 0.92, 0.3)),
    *((100, 100, 0.99, 0.96, 0.5), (20, 200, 0.95, 0.85, 0.5), (20, 20, 0.9, 0.7, 0.5)),
)

MANY = (
    *((5, 20, 200, 0.8), (5, 20, 1000, 0.8), (10, 20, 200, 0.8), (20, 20, 200, 0.8)),
    *((20, 20, 1000, 0.8), (20, 30, 300, 0.8), (20, 100, 1000, 0.8), (5, 30, 300, 0.95)),
    *((5, 50, 50, 0.9), (5, 10, 10, 0.8), (20, 5, 500, 0.8)),
)

APART = (
    *((4, 200, 200, (0.8, 0.8, 0.84, 0.8)), (5, 100, 1000, (0.8, 0.82, 0.84, 0.86, 0.8))),
    (10, 50, 500, (*(0.8,) * 9, 0.88)),
)


def many(
    rng: np.random.Generator, repeats: int, size: tuple[int, int], aucs: tuple[float, ...]
) -> list[float]:
    models = [placed(model) for model in binormal(rng, (repeats, *size), aucs, 0.5)]
    draws = [of_placements(models, at) for at in range(repeats)]
    cells = []
    for one in draws:
        plain = [test(one)[0].p_value < 0.05 for test in (chi_square, hotelling_f)]
        cells.append([*plain, all_equal_by_default(one)])
    return share(cells)


def exchanged(
    rng: np.random.Generator, repeats: int, size: tuple[int, int], level: float
) -> list[float]:
    """Two scores of a row that are exchangeable: permutation and Venkatraman's test."""
    y = np.arange(sum(size)) < size[0]
    asked = replace(ASKED, resamples=99)
    cells = []
    for _ in range(repeats):
        shared = rng.normal(size=len(y)) + 2.0 * level * y
        rows = {name: BinaryRows(y, shared + rng.normal(size=len(y))) for name in "ab"}
        found = {
            name: SimpleNamespace(value=float(AUC.influence(one)[y].mean()))
            for name, one in rows.items()
        }
        compared = ComparedRows.of(AUC, rows, found, True)
        tests = (permutation, venkatraman)
        cells.append([test(compared, asked).tested[0].p_value <= 0.05 for test in tests])
    return share(cells)


def values_of_queries(rng: np.random.Generator, kind: str, k: int, queries: int) -> Floats:
    """Systems of equal mean, .1 but for the last two kinds."""
    steady = 0.1 + 0.02 * rng.normal(size=(k, queries))
    rare = (rng.random((k, queries)) < 0.1).astype(float)
    some = {"all win rarely": k, "half win rarely": max(1, k // 2), "one wins rarely": 1}
    if kind in some:
        return np.clip(np.vstack([rare[: some[kind]], steady[some[kind] :]]), 0.0, 1.0)
    if kind == "unequal spread":
        spread = np.where(np.arange(k) < max(1, k // 5), 0.1, 0.0125)[:, None]
        return 0.5 + spread * rng.uniform(-1.0, 1.0, (k, queries))
    return np.clip(0.5 + 0.1 * rng.normal(size=(k, queries)) + 0.1 * rng.normal(size=queries), 0, 1)


def families(
    rng: np.random.Generator, repeats: int, kind: str, k: int, queries: int
) -> list[float]:
    """Any pair by Holm's t without a range (plain t), and by default; and that all are equal."""
    cells = []
    for seed in range(repeats):
        values = dict(enumerate(values_of_queries(rng, kind, k, queries)))
        row = []
        for limits, adjust in ((None, "holm"), ((0.0, 1.0), "max-t")):
            systems = Systems.of({str(i): v for i, v in values.items()}, range=limits)
            asked = Question(0.0, "two-sided", 0.95, seed, resamples=499)
            test = t_test if limits is None else default_test(systems, asked)[0]
            outcome = test(systems, asked)
            row.append(bool(np.fmin.reduce(adjusted(adjust, outcome, asked).p_values) < 0.05))
        cells.append([*row, outcome.joint()[0].p_value < 0.05])
    return share(cells)


KINDS = (
    "all win rarely", "half win rarely", "one wins rarely", "unequal spread", "normal",
)  # fmt: skip


def line(title: str, shares: list[float], worst: float = 0.06) -> str:
    cells = [f"**{one:.3f}**" if one > worst else f"{one:.3f}" for one in shares]
    return f"| {title} | {' | '.join(cells)} |"


def tables(repeats: int) -> Iterator[str]:
    def stream(*key: int) -> np.random.Generator:
        return np.random.default_rng([*key])

    yield "### False alarms at 5 %, two scores\n"
    yield "| scores, rows, AUC | delong | delong-t | default |\n|---|---|---|---|"
    for number, (title, design) in enumerate(null_designs()):
        yield line(title, design(stream(1, number), repeats))
    yield "\n### Power at 5 %, two scores\n"
    yield "| rows | AUCs | correlation | delong | delong-t | default |\n|---|---|---|---|---|---|"
    for number, (m, n, a, b, shared) in enumerate(POWER):
        power = paired(binormal(stream(2, number), (repeats, m, n), (a, b), shared))
        yield line(f"{m} + {n} | {a}, {b} | {shared}", power, 1.0)
    yield "\n### That all are equal, at 5 %\n"
    yield "| scores | rows | AUC | χ² | F | default |\n|---|---|---|---|---|---|"
    for number, (k, m, n, auc) in enumerate(MANY):
        some = max(repeats * 500 // (k * (m + n)), repeats // 10)
        alarms = many(stream(3, number), min(some, repeats), (m, n), (auc,) * k)
        yield line(f"{k} | {m} + {n} | {auc}", alarms)
    for number, (k, m, n, aucs) in enumerate(APART):
        some = max(repeats * 500 // (k * (m + n)), repeats // 10)
        some = min(some, repeats)
        title = f"{k} | {m} + {n} | {min(aucs)} to {max(aucs)} (power)"
        yield line(title, many(stream(4, number), some, (m, n), aucs), 1.0)
    yield "\n### Exchangeable scores, at 5 %\n"
    yield "| rows | permutation | venkatraman-curves |\n|---|---|---|"
    for number, (m, n) in enumerate(((5, 50), (10, 100), (20, 20))):
        yield line(f"{m} + {n}", exchanged(stream(5, number), repeats // 2, (m, n), 1.0))
    yield "\n### Systems over queries, at 5 %\n"
    yield "| systems | queries | values | t and holm | default | all equal |"
    yield "|---" * 6 + "|"
    for number, (kind, (k, q)) in enumerate(product(KINDS, ((2, 15), (5, 15), (20, 50)))):
        some = max(repeats // (2 * k), 10)
        yield line(f"{k} | {q} | {kind}", families(stream(6, number), some, kind, k, q))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=4000)
    for text in tables(parser.parse_args().repeats):
        print(text, flush=True)


if __name__ == "__main__":
    main()

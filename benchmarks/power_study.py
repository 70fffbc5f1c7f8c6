"""Is the predicted power the power that the tests have? Prints tables of benchmarks/comparing.md.

Run it with ``python benchmarks/power_study.py [--replicates 4000]``; about half a minute. With
``--sweep`` it draws some hundred settings at random and prints how far predictions are off. Scores
are normal; each line has its own random stream.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import rocsolid as rs
from coverage_study import moments
from rocsolid.binary.area import Region, box_area
from rocsolid.binary.area_inference import asked_interval
from rocsolid.binary.estimate import Options
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.measures.named import measure_of
from rocsolid.summaries.moments import Moments

Floats = NDArray[np.float64]
Z = float(ndtri(0.975))

ONE = (
    *((10, 10, 0.85, 0.5), (20, 20, 0.7, 0.5), (41, 72, 0.73, 0.5), (20, 200, 0.65, 0.5)),
    *((200, 20, 0.65, 0.5), (8, 8, 0.9, 0.5), (200, 200, 0.58, 0.5), (50, 50, 0.9, 0.8)),
    *((20, 20, 0.9, 0.7), (100, 100, 0.9, 0.82), (30, 300, 0.9, 0.8), (300, 30, 0.9, 0.8)),
    *((100, 1000, 0.94, 0.9), (1000, 100, 0.94, 0.9), (200, 200, 0.97, 0.94)),
    *((20, 2000, 0.97, 0.85), (100, 100, 0.75, 0.85), (60, 60, 0.8, 0.9)),
)
"""Positives, negatives, AUC and null."""

TWO = (
    *((50, 50, 0.85, 0.75, 0.5), (100, 100, 0.8, 0.7, 0.3), (182, 726, 0.85, 0.8, 0.5)),
    *((30, 300, 0.85, 0.7, 0.5), (300, 30, 0.85, 0.7, 0.5), (100, 100, 0.95, 0.9, 0.5)),
    *((50, 500, 0.97, 0.92, 0.3), (200, 200, 0.75, 0.7, 0.8), (20, 20, 0.9, 0.7, 0.5)),
    *((15, 15, 0.95, 0.75, 0.3), (40, 60, 0.7, 0.8, 0.6)),
)
"""Positives, negatives, two AUCs, and the scores' correlation within the classes."""

TESTS = ("newcombe5", "delong", "logit-t", "auto")


def stream(*key: float) -> np.random.Generator:
    numbers = [round(abs(k) * 1_000_000) for k in key]
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(numbers)))


def normal_scores(
    rng: np.random.Generator, n: tuple[int, int], auc: float, replicates: int
) -> tuple[Floats, Floats]:
    shift = math.sqrt(2.0) * float(ndtri(auc))
    return (
        shift + rng.standard_normal((replicates, n[0])),
        rng.standard_normal((replicates, n[1])),
    )


def found_one(low: Floats, high: Floats, auc: float, null: float) -> float:
    """The share of intervals beyond the null on the right side; a refused one finds nothing."""
    with np.errstate(invalid="ignore"):
        return float(np.mean(low > null if auc > null else high < null))


def one_auc(replicates: int) -> Iterator[str]:
    yield (
        "| positives v negatives | AUC, null | score, as pROC | score, binormal | "
        + " | ".join(f"{test}: predicted, simulated" for test in TESTS)
        + " |"
    )
    yield "|---" * (4 + len(TESTS)) + "|"
    for m, n, auc, null in ONE:
        scores = normal_scores(stream(m, n, auc, null), (m, n), auc, replicates)
        found = moments(*scores)
        plan = {"auc": auc, "null": null, "n_pos": m, "n_neg": n}
        cells = [
            f"{rs.plan.auc_power(**plan, test='score', variance=name).power:.3f}"
            for name in ("obuchowski", "binormal")
        ]
        for test in TESTS:
            limits = METHODS[test].limits(found, 0.95, "two-sided")
            predicted = rs.plan.auc_power(**plan, test=test, variance="binormal").power
            cells.append(f"{predicted:.3f}, {found_one(*limits, auc, null):.3f}")
        yield f"| {m} v {n} | {auc}, {null} | {' | '.join(cells)} |"


def placements(pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """V10 and V01 of every replicate."""
    above, below = np.empty(pos.shape), np.empty(neg.shape)
    for i, (x, y) in enumerate(zip(pos, neg, strict=True)):
        above[i] = np.searchsorted(np.sort(y), x) / len(y)
        below[i] = 1.0 - np.searchsorted(np.sort(x), y) / len(x)
    return above, below


def z_of_difference(a: tuple[Floats, Floats], b: tuple[Floats, Floats], paired: bool) -> Floats:
    """DeLong's statistic of each replicate; 0 where the variance is."""
    difference = a[0].mean(axis=1) - b[0].mean(axis=1)
    if paired:
        variance = sum((x - y).var(axis=1, ddof=1) / x.shape[1] for x, y in zip(a, b, strict=True))
    else:
        variance = sum(x.var(axis=1, ddof=1) / x.shape[1] for x in (*a, *b))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(variance > 0.0, difference / np.sqrt(variance), 0.0)


def drawn_two(
    rng: np.random.Generator, n: tuple[int, int], aucs: tuple[float, float], rho: float, rows: int
) -> list[tuple[Floats, Floats]]:
    shared = [rng.standard_normal((rows, size)) for size in n]
    models = []
    for auc in aucs:
        own = normal_scores(rng, n, 0.5, rows)
        pos, neg = (
            math.sqrt(rho) * s + math.sqrt(1.0 - rho) * o for s, o in zip(shared, own, strict=True)
        )
        models.append(placements(pos + math.sqrt(2.0) * float(ndtri(auc)), neg))
    return models


def two_aucs(replicates: int) -> Iterator[str]:
    names = ("binormal", "obuchowski", "hanley-mcneil")
    yield f"| positives v negatives | AUCs | correlation | {' | '.join(names)} | simulated |"
    yield "|---" * 7 + "|"
    for (m, n, a, b, rho), paired in product(TWO, (True, False)):
        drawn = drawn_two(stream(m, n, a, b, rho, paired), (m, n), (a, b), rho * paired, replicates)
        z = z_of_difference(drawn[0], drawn[1], paired)
        plan = {"auc_a": a, "auc_b": b, "n_pos": m, "n_neg": n, "paired": paired}
        if paired:
            plan["correlation"] = rho
        predicted = (rs.plan.auc_difference_power(**plan, variance=name).power for name in names)
        cells = " | ".join(f"{power:.3f}" for power in predicted)
        share = float(np.mean(z > Z if a > b else z < -Z))
        yield f"| {m} v {n} | {a}, {b} | {rho if paired else 'unpaired'} | {cells} | {share:.3f} |"


PARTIAL = (
    *((50, 200, 0.8, 0.65, {"fpr": 0.2}), (100, 400, 0.9, 0.82, {"fpr": 0.1})),
    *((100, 100, 0.85, 0.75, {"tpr": 0.8}), (60, 300, 0.9, 0.8, {"fpr": 0.4, "tpr": 0.5})),
    (40, 1000, 0.8, 0.6, {"fpr": 0.05}),
)


def partial_areas(replicates: int) -> Iterator[str]:
    yield "| positives v negatives | AUC, null | region | auto: predicted, simulated |"
    yield "|---" * 4 + "|"
    for m, n, auc, null, rates in PARTIAL:
        planned = rs.plan.auc_power(auc=auc, null=null, n_pos=m, n_neg=n, **rates)
        region = Region.of(**rates)
        pos, neg = normal_scores(stream(m, n, auc, null), (m, n), auc, replicates)
        y, asked = np.arange(m + n) < m, Options()
        lows = [
            asked_interval(box_area(BinaryRows(y, np.concatenate(rows)), region), asked).low
            for rows in zip(pos, neg, strict=True)
        ]
        share = float(np.mean(np.array(lows) > planned.null_area))
        yield f"| {m} v {n} | {auc}, {null} | {region} | {planned.power:.3f}, {share:.3f} |"


def precision(replicates: int) -> Iterator[str]:
    yield "| interval | ratio | AUC | half-width asked | positives | mean half-width, simulated |"
    yield "|---" * 6 + "|"
    for name, ratio, auc, half in product(
        ("auto", "delong", "newcombe5"), (1, 5), (0.7, 0.9, 0.97), (0.1, 0.03)
    ):
        planned = rs.plan.auc_precision(
            auc=auc, half_width=half, prevalence=1 / (1 + ratio), interval=name
        )
        m, n = planned.rows_pos, planned.rows_neg
        rows = min(replicates, max(200, 4_000_000 // (m + n)))
        found = moments(*normal_scores(stream(m, n, auc, half), (m, n), auc, rows))
        mean = mean_half_width(name, found)
        yield f"| {name} | {ratio} | {auc} | {half} | {m:,} | {mean:.4f} |"


def mean_half_width(name: str, found: Moments) -> float:
    low, high = METHODS[name].limits(found, 0.95, "two-sided")
    return float(np.nanmean(high - low)) / 2.0


BANDS = ((0.0, 1.0), (1.0, 2.0), (2.0, 5.0), (5.0, 10.0), (10.0, math.inf))
"""Rows of the smaller class expected on the wrong side, min(m, n)·(1 − AUC)."""


ANY = (
    *((3000, 0.1, 1.6, 1.3), (1000, 0.1, 1.6, 1.2), (300, 0.1, 1.8, 1.0), (2000, 0.02, 2.2, 1.6)),
    *((1000, 0.02, 2.2, 1.5), (200, 0.3, 1.5, 1.0), (400, 0.05, 2.0, 1.2), (2000, 0.02, 1.0, 0.3)),
    *((500, 0.2, 3.0, 2.5), (1400, 0.06, 2.5, 2.0)),
)
"""Rows, the share of positives, and how far two scores shift them; correlation .5."""

MEASURES = ("pr_auc", "precision@1%", "precision@5%", "recall@20%", "lift@10%", "bedroc(20)")


def of_measures(
    rows: int, share: float, shifts: tuple[float, float], rho: float, replicates: int
) -> list[tuple[rs.results.DifferencePower, float]]:
    """What a pilot so large that it is the truth plans for rows as they come, and what they do."""
    rng = stream(rows, share, *shifts, rho)

    def drawn(y: NDArray[np.bool_]) -> dict[str, Floats]:
        shared, *own = rng.standard_normal((3, len(y)))
        return {
            name: math.sqrt(rho) * shared + math.sqrt(1.0 - rho) * noise + shift * y
            for name, noise, shift in zip("ab", own, shifts, strict=True)
        }

    truth = np.arange(300_000) < share * 300_000
    scores, sizes = drawn(truth), {"n_pos": share * rows, "n_neg": (1.0 - share) * rows}
    pilots = [rs.plan.pilot(truth, scores, measure=name) for name in MEASURES]
    found = np.zeros(len(MEASURES))
    for _ in range(replicates):
        y = rng.random(rows) < share
        if y.sum() < 2:
            continue
        scores = drawn(y)
        for at, name in enumerate(MEASURES):
            pilot = rs.plan.pilot(y, scores, measure=name)
            of = pilot.covariance(pilot.n_pos, pilot.n_neg)
            error = math.sqrt(max(of[0, 0] + of[1, 1] - 2.0 * of[0, 1], 0.0))
            found[at] += pilot.values[0] - pilot.values[1] > max(Z * error, 1e-12)
    plans = [rs.plan.auc_difference_power(pilot=pilot, **sizes) for pilot in pilots]
    return list(zip(plans, (found / replicates).tolist(), strict=True))


def any_measure(replicates: int) -> Iterator[str]:
    yield f"| rows, share of positives | shifts | {' | '.join(MEASURES)} |"
    yield "|---" * (2 + len(MEASURES)) + "|"
    for rows, share, a, b in ANY:
        found = of_measures(rows, share, (a, b), 0.5, replicates)
        cells = (f"{plan.power:.3f}, {simulated:.3f}" for plan, simulated in found)
        yield f"| {rows}, {share} | {a}, {b} | {' | '.join(cells)} |"


def drawn_sizes(rng: np.random.Generator) -> tuple[int, int]:
    m = round(6.0 * 20.0 ** rng.random())
    return m, max(6, round(m * math.exp(rng.uniform(-2.0, 2.0))))


def sweep_one(settings: int, replicates: int) -> Iterator[tuple[str, float, float]]:
    """The test, the misplaced rows, and simulated less predicted power."""
    rng = stream(settings)
    for i in range(settings):
        (m, n), null = drawn_sizes(rng), float(rng.choice([0.5, 0.6, 0.7, 0.8, 0.9]))
        plan = {"n_pos": m, "n_neg": n, "null": null, "variance": "binormal"}
        try:
            wanted = rng.uniform(0.3, 0.95)
            auc = rs.plan.auc_power(**plan, power=wanted, test="newcombe5").auc
        except rs.InputError:  # too few rows for any AUC
            continue
        found = moments(*normal_scores(stream(m, n, i), (m, n), auc, replicates))
        for test in TESTS:
            limits = METHODS[test].limits(found, 0.95, "two-sided")
            predicted = rs.plan.auc_power(**plan, auc=auc, test=test).power
            yield test, min(m, n) * (1.0 - auc), found_one(*limits, auc, null) - predicted


def sweep_two(settings: int, replicates: int) -> Iterator[tuple[str, float, float]]:
    rng = stream(settings, 2)
    for i in range(settings):
        (m, n), a, rho = drawn_sizes(rng), rng.uniform(0.55, 0.9), float(rng.choice([0, 0.3, 0.8]))
        plan = {"n_pos": m, "n_neg": n, "correlation": rho, "auc_a": a}
        try:
            b = rs.plan.auc_difference_power(**plan, power=rng.uniform(0.3, 0.95)).auc_b
        except rs.InputError:
            continue
        one, other = drawn_two(stream(m, n, i), (m, n), (a, b), rho, replicates)
        share = float(np.mean(z_of_difference(one, other, True) < -Z))
        predicted = rs.plan.auc_difference_power(**plan, auc_b=b).power
        yield "two AUCs, delong", min(m, n) * (1.0 - b), share - predicted


def sweep_any(settings: int, replicates: int) -> Iterator[tuple[str, float, float]]:
    rng = stream(settings, 3)
    for _ in range(settings):
        share = math.exp(rng.uniform(math.log(0.01), math.log(0.5)))
        rows = min(round(math.exp(rng.uniform(math.log(5.0), math.log(200.0))) / share), 10_000)
        a, rho = rng.uniform(1.0, 3.2), rng.uniform(0.0, 0.9)
        shifts = (a, max(a - rng.uniform(0.2, 1.4), 0.0))
        for plan, found in of_measures(rows, share, shifts, rho, replicates):
            if 0.2 < plan.power < 0.98:
                of, sizes = measure_of(plan.measure), (plan.n_pos, plan.n_neg)
                count = min(of.misplaced(value, *sizes) for value in (plan.value_a, plan.value_b))
                yield "other measures", count, found - plan.power


def sweep(replicates: int) -> Iterator[str]:
    found = [*sweep_one(300, replicates), *sweep_two(200, replicates)]
    found += sweep_any(60, replicates // 10)
    yield "| test | misplaced rows | settings | simulated − predicted, from | to |"
    yield "|---" * 5 + "|"
    for test in dict.fromkeys(test for test, _, _ in found):
        for low, high in BANDS:
            off = [o for t, count, o in found if t == test and low <= count < high]
            yield f"| {test} | {low:g} to {high:g} | {len(off)} | {min(off):.3f} | {max(off):.3f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=4000)
    parser.add_argument("--sweep", action="store_true")
    given = parser.parse_args()
    replicates = given.replicates
    if given.sweep:
        print("\n".join(sweep(replicates)))
        return
    for title, table in (
        ("One AUC against a null", one_auc(replicates)),
        ("Two AUCs, DeLong's test", two_aucs(replicates)),
        ("Partial areas", partial_areas(replicates // 4)),
        ("Other measures, from a pilot: predicted, simulated", any_measure(replicates // 4)),
        ("Half-widths", precision(replicates)),
    ):
        print(f"\n### {title}\n")
        for line in table:
            print(line, flush=True)


if __name__ == "__main__":
    main()

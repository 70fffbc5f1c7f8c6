"""Our numbers for two scores of pROC's output, and for all of one table."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

import rocsolid as rs
from proc_output import FORMULA, NOISE, RESAMPLES, Data, Found, exchanged, put
from proc_output_scores import of_score
from rocsolid.plan.variances import obuchowski, obuchowski_together


def of_file(folder: Path, name: str) -> Found:
    """All of ours for one table of the file."""
    data = Data(folder, name)
    found: Found = {}
    for score in data.known["scores"]:
        found |= {f"scores/{score}/{key}": ours for key, ours in of_score(data, score).items()}
    for pair in data.known["pairs"]:
        found |= {f"pairs/{pair}/{key}": ours for key, ours in of_pair(data, pair).items()}
    if name == "aSAH":
        men_and_women(found, data)
    return {f"{name}/{key}": ours for key, ours in found.items()}


def of_test(found: Found, path: str, result: Any, both: Any) -> None:
    """The numbers of a test; pROC gives the two-sided interval with a one-sided test too."""
    pair = result.pairs[0]
    put(found, f"{path}/statistic", pair.statistic)
    put(found, f"{path}/p", pair.p_value)
    put(found, f"{path}/estimate", [estimate.value for estimate in result.estimates.values()])
    if pair.df is not None:
        put(found, f"{path}/df", pair.df)
    if both is not None:
        put(found, f"{path}/conf_int", (both.low, both.high))


def resampled(found: Found, path: str, result: Any, aucs: list[float] | None = None) -> None:
    pair = result.pairs[0]
    off = 0.1 * abs(pair.statistic)
    put(found, f"{path}/statistic", pair.statistic, off, NOISE)
    density = math.exp(-(pair.statistic**2) / 2) / math.sqrt(2 * math.pi)
    put(found, f"{path}/p", pair.p_value, 2.2 * off * density + 1e-6, NOISE)
    values = [estimate.value for estimate in result.estimates.values()]
    put(found, f"{path}/estimate", values if aucs is None else aucs)


def of_pair(data: Data, names: str) -> Found:
    a, b = names.split("_vs_")
    y = data.y
    scores = {a: data.scores[a], b: data.scores[b]}
    found: Found = {}
    both = rs.compare(y, scores, test="delong")
    for side in ("two-sided", "less", "greater"):
        key = side.replace("-", ".")
        for paired, word in ((True, "paired"), (False, "unpaired")):
            result = rs.compare(y, scores, paired=paired, alternative=side, test="delong")  # type: ignore[arg-type]
            of_test(found, f"{word}_{key}", result, both.pairs[0] if paired else None)
    level = rs.compare(y, scores, level=0.9, test="delong")
    of_test(found, "paired_ci90", level, level.pairs[0])
    put(found, "cov_delong", both.covariance[0, 1])
    draw: Any = {"test": "bootstrap", "resamples": RESAMPLES}
    aucs = [estimate.value for estimate in both.estimates.values()]
    resampled(found, "boot_paired_2000_seed42", rs.compare(y, scores, **draw))
    unpaired = rs.compare(y, scores, paired=False, **draw)
    resampled(found, "boot_unpaired_2000_seed42", unpaired)
    part = rs.compare(y, scores, measure="partial_auc(fpr<=0.2)", **draw)
    resampled(found, "boot_paired_pauc_sp_1_0.8_2000_seed42", part)
    rate = rs.compare(y, scores, measure="sensitivity(specificity=0.9)", **draw)
    resampled(found, "specificity_test_at_0.9_2000_seed42", rate, aucs)
    broken = {name: s.argsort(kind="stable").argsort() for name, s in scores.items()}
    curves = rs.compare(y, broken, test="venkatraman-curves", resamples=4000).pairs[0]
    key, p = "venkatraman_paired_500_seed42", curves.p_value
    put(found, f"{key}/statistic", curves.statistic)
    put(found, f"{key}/p", p, 5 * math.sqrt((p * (1 - p) + 0.004) / 500), NOISE)
    planned(found, data, scores, both)
    return found


def planned(found: Found, data: Data, scores: dict[str, Any], both: Any) -> None:
    """Power and size by pROC's formula, which takes the null's variance from the first curve."""
    y, (a, b) = data.y, scores
    m, n = int(y.sum()), int((~y).sum())
    covariance = rs.plan.pilot(y, scores).covariance(m, n)
    distance = abs(both.pairs[0].difference)
    z = float(ndtri(0.975))

    def power(variances: list[float], together: float, first: int = 0) -> float:
        null = math.sqrt(2 * variances[first] - 2 * together)
        sigma = math.sqrt(sum(variances) - 2 * together)
        return float(ndtr((distance - z * null) / sigma))

    variances, together = np.diag(covariance).tolist(), float(covariance[0, 1])
    put(found, "power_two_rocs", power(variances, together), kind=FORMULA)
    put(found, "power_two_rocs_swapped_order", power(variances, together, 1), kind=FORMULA)
    null = math.sqrt(2 * variances[0] - 2 * together)
    sigma = math.sqrt(sum(variances) - 2 * together)
    cases = m * ((z * null + float(ndtri(0.9)) * sigma) / distance) ** 2
    put(found, "n_for_power90/ncases", cases, kind=FORMULA)
    put(found, "n_for_power90/ncontrols", cases * n / m, kind=FORMULA)
    curves = [exchanged(rs.roc(y, scores[name])) for name in (a, b)]
    rho = [float(np.corrcoef(scores[a][rows], scores[b][rows])[0, 1]) for rows in (y, ~y)]
    binormal = obuchowski_together(*curves, *rho).at(m, n)
    put(found, "cov_obuchowski", binormal, kind=FORMULA)
    of_each = [obuchowski(curve).at(m, n) for curve in curves]
    put(found, "power_two_rocs_obuchowski", power(of_each, binormal), kind=FORMULA)


def men_and_women(found: Found, data: Data) -> None:
    gender = np.array([row["gender"] for row in data.rows])
    samples = {}
    for name in ("male", "female"):
        rows = gender == name.capitalize()
        samples[name] = (data.y[rows], data.scores["s100b"][rows])
    key = "unpaired_s100b_male_vs_female"
    result = rs.compare(samples, test="delong")
    of_test(found, f"{key}/test", result, None)
    for name, estimate in result.estimates.items():
        put(found, f"{key}/n_{name}", (estimate.n_neg, estimate.n_pos))
        put(found, f"{key}/auc_{name}", estimate.value)
    outcome = np.array([int(row["gos6"]) for row in data.rows])
    pairs = []
    for low, high in combinations(np.unique(outcome), 2):
        rows = np.isin(outcome, (low, high))
        pairs.append(rs.auc(outcome[rows] == high, data.scores["s100b"][rows]).value)
    mean = np.mean([max(auc, 1 - auc) for auc in pairs])  # each pair its own direction
    put(found, "multiclass_gos6_s100b/auc", mean)

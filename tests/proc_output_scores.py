"""Our numbers for one score of pROC's output, and for the power of one AUC."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocsolid as rs
from proc_output import (
    EXACT,
    FORMULA,
    INPUT,
    NOISE,
    RESAMPLES,
    UNIROOT,
    Data,
    Found,
    ends,
    exchanged,
    put,
)  # fmt: skip
from rocsolid.plan.variances import obuchowski


def of_score(data: Data, name: str) -> Found:
    y, s, known = data.y, data.scores[name], data.known["scores"][name]
    found: Found = {}
    estimate, curve = rs.auc(y, s), rs.roc(y, s)
    put(found, "n_pos", estimate.n_pos)
    put(found, "n_neg", estimate.n_neg)
    put(found, "auc", estimate.value)
    variance = float(estimate.std_error or 0.0) ** 2
    put(found, "var_delong", variance)
    put(found, "var_boot_4000_seed42", variance, 0.14 * variance, NOISE)
    sizes = estimate.n_pos, estimate.n_neg
    put(found, "var_obuchowski", obuchowski(exchanged(curve)).at(*sizes), kind=FORMULA)
    for level in (90, 95, 99):
        limits = rs.auc(y, s, interval="delong", level=level / 100)
        put(found, f"ci_delong_{level}", (limits.low, limits.value, limits.high))
    for scheme, key in (("stratified", "stratified"), ("plain", "unstratified")):
        drawn = rs.auc(y, s, interval="bootstrap-percentile", scheme=scheme, resamples=RESAMPLES)  # type: ignore[arg-type]
        key = f"ci_boot_{key}_4000_seed42"
        ends(found, key, drawn, drawn.value, known[key])
    areas(found, data, name)
    put(found, "roc/thresholds", midpoints(curve))
    put(found, "roc/sensitivities", curve.tpr[::-1])
    put(found, "roc/specificities", 1 - curve.fpr[::-1])
    best(found, curve, known)
    readings(found, curve, known, y, s)
    put(found, "smooth_binormal_auc", curve.smooth("binormal").auc)
    power = rs.plan.auc_power(auc=estimate.value, n_pos=sizes[0], n_neg=sizes[1]).power
    put(found, "power_one_roc", power)
    return found


def areas(found: Found, data: Data, name: str) -> None:
    y, s, known = data.y, data.scores[name], data.known["scores"][name]
    for i, regions in enumerate(known["partial"]):
        for side, part in regions.items():
            high, low = part["region"]
            region: Any = {"fpr": (1 - high, 1 - low)} if side == "sp" else {"tpr": (low, high)}
            key = f"partial/{i}/{side}"
            put(found, f"{key}/region", part["region"], kind=INPUT)
            put(found, f"{key}/pauc", rs.partial_auc(y, s, **region).value)
            scaled = rs.partial_auc(y, s, **region, scale="mcclish").value
            put(found, f"{key}/pauc_correct_allow_invalid", scaled)
            if isinstance(part["pauc_correct"], dict):
                assert part["pauc_correct"]["value"] == "NA"
                assert scaled < 0.5
            else:
                put(found, f"{key}/pauc_correct", scaled)
    for key, region in (("sp_1_0.9", {"fpr": 0.1}), ("se_1_0.8", {"tpr": 0.8})):
        key = f"ci_boot_pauc_{key}_2000_seed42"
        drawn = rs.partial_auc(y, s, **region, interval="bootstrap-percentile", resamples=RESAMPLES)
        ends(found, key, drawn, drawn.value, known[key])


def midpoints(curve: Any) -> np.ndarray[Any, Any]:
    """pROC's thresholds, from the lowest up: half-way between scores."""
    edges = np.concatenate([[-np.inf], curve.thresholds[::-1]])
    return (edges[1:] + edges[:-1]) / 2


def best(found: Found, curve: Any, known: dict[str, Any]) -> None:
    """All thresholds that are best, where pROC found them all; ours is the strictest of them."""
    tpr, fpr = curve.tpr[::-1], curve.fpr[::-1]
    for key, criterion, gain in (
        ("best_youden", "youden", tpr - fpr),
        ("best_topleft", "closest-topleft", -((1 - tpr) ** 2) - fpr**2),
    ):
        at = np.flatnonzero(gain >= gain.max() - 1e-12)
        assert curve.best(criterion).tpr == tpr[at[-1]]
        values = {
            "threshold": midpoints(curve)[at],
            "sensitivity": tpr[at],
            "specificity": 1 - fpr[at],
            "youden": 1 + tpr[at] - fpr[at],
        }
        for name, value in values.items():
            several = isinstance(known[key][name], list)
            put(found, f"{key}/{name}", value if several else value[0])


def readings(found: Found, curve: Any, known: dict[str, Any], y: Any, s: Any) -> None:
    for key, at, asked in (
        ("sens_at_spec", "specificity", "fpr"), ("spec_at_sens", "sensitivity", "tpr")
    ):  # fmt: skip
        rates = known[key][at]
        put(found, f"{key}/{at}", rates, kind=INPUT)
        values = [
            curve.reading(fpr=1 - rate).value if asked == "fpr"
            else 1 - curve.reading(tpr=rate).value
            for rate in rates
        ]  # fmt: skip
        put(found, f"{key}/{'sensitivity' if asked == 'fpr' else 'specificity'}", values)
    step = 1 / float(curve.counts.n_pos)
    for i, rate in enumerate((0.5, 0.75, 0.9)):
        drawn = rs.evaluate(
            {"y": y, "s": s}, label="y", scores="s", interval="bootstrap-percentile",
            measures=f"sensitivity(specificity={rate})", resamples=RESAMPLES,
        ).results[0]  # fmt: skip
        values = (drawn.low, drawn.value, drawn.high)
        put(found, f"ci_se_boot_2000_seed42/{i}", values, 1.2 * step, NOISE)


def of_power(known: list[dict[str, Any]]) -> Found:
    """Power of one AUC, by what pROC was asked and what it solved for."""
    found: Found = {}
    for i, case in enumerate(known):
        call = {name: None if value == "NULL" else value for name, value in case["call"].items()}
        plan = rs.plan.auc_power(
            auc=call.get("auc"),
            power=call.get("power"),
            n_pos=call.get("ncases"),
            n_neg=call.get("ncontrols"),
            prevalence=1 / (1 + call["kappa"]) if "kappa" in call else None,
            level=None if call.get("sig.level", 0.05) is None else 1 - call.get("sig.level", 0.05),
        )
        for name, value in case["call"].items():
            if value != "NULL":
                put(found, f"{i}/call/{name}", value, kind=INPUT)
        names = ("auc", "ncases", "ncontrols", "sig.level", "power")
        values = (plan.auc, plan.n_pos, plan.n_neg, 1 - plan.level, plan.power)
        for name, value in zip(names, values, strict=True):
            by_uniroot = name == plan.solved_for == "auc"
            off, kind = (1e-5, UNIROOT) if by_uniroot else (None, EXACT)
            put(found, f"{i}/result/{name}", value, off, kind)
    return {f"power_one/{key}": ours for key, ours in found.items()}

"""rocsolid: ranking metrics you can stand on.

Names are loaded when they are first used, so that ``import rocsolid`` takes a moment.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rocsolid._version import __version__

if TYPE_CHECKING:
    from rocsolid import (
        asymptotics,
        board,
        discounts,
        gains,
        leaks,
        learners,
        measures,
        plan,
        plots,
        sklearn,
        weights,
    )
    from rocsolid.binary.auc import auc
    from rocsolid.binary.concordance import concordance
    from rocsolid.binary.cross_group_auc import cross_group_auc
    from rocsolid.binary.fingerprint import fingerprint
    from rocsolid.binary.label_noise import undo_label_noise
    from rocsolid.binary.multiclass_auc import multiclass_auc
    from rocsolid.binary.partial_auc import partial_auc
    from rocsolid.binary.pr_auc import pr_auc
    from rocsolid.binary.precision_recall import precision_recall
    from rocsolid.binary.roc import roc
    from rocsolid.binary.sketch import Sketch
    from rocsolid.binary.weighted_auc import weighted_auc
    from rocsolid.citations import Citations, cite
    from rocsolid.comparison import compare, compare_samples, queries
    from rocsolid.comparison.cross_validated import cross_validated
    from rocsolid.comparison.ranks import next_ranks
    from rocsolid.discounts import frac
    from rocsolid.errors import InputError, OneClassError, RocsolidError, UnsoundError
    from rocsolid.evaluation import Evaluation, evaluate
    from rocsolid.evaluation.audit import audit
    from rocsolid.evaluation.certificate_page import certificate_page
    from rocsolid.evaluation.explain import explain, explain_published
    from rocsolid.gating.gate import gate
    from rocsolid.graded.average_precision import average_precision
    from rocsolid.graded.bpref import bpref
    from rocsolid.graded.dcg import dcg
    from rocsolid.graded.err import err
    from rocsolid.graded.grouped_auc import grouped_auc
    from rocsolid.graded.ndcg import ndcg
    from rocsolid.graded.precision import precision
    from rocsolid.graded.r_precision import r_precision
    from rocsolid.graded.rbp import rbp
    from rocsolid.graded.recall import recall
    from rocsolid.graded.reciprocal_rank import reciprocal_rank
    from rocsolid.graded.success import success
    from rocsolid.inputs.trec import read_runs
    from rocsolid.intervals import guarantees
    from rocsolid.results import Bracket, Comparison, Estimate, Interval, QueryEstimate
    from rocsolid.summaries.score_counts import ScoreCounts

# public name -> the module that holds it; a module that is public itself is its own home
_HOMES = {
    "Bracket": "rocsolid.results",
    "Citations": "rocsolid.citations",
    "Comparison": "rocsolid.results",
    "Estimate": "rocsolid.results",
    "Evaluation": "rocsolid.evaluation",
    "InputError": "rocsolid.errors",
    "Interval": "rocsolid.results",
    "OneClassError": "rocsolid.errors",
    "QueryEstimate": "rocsolid.results",
    "RocsolidError": "rocsolid.errors",
    "ScoreCounts": "rocsolid.summaries.score_counts",
    "Sketch": "rocsolid.binary.sketch",
    "UnsoundError": "rocsolid.errors",
    "auc": "rocsolid.binary.auc",
    "audit": "rocsolid.evaluation.audit",
    "average_precision": "rocsolid.graded.average_precision",
    "bpref": "rocsolid.graded.bpref",
    "certificate_page": "rocsolid.evaluation.certificate_page",
    "cite": "rocsolid.citations",
    "compare": "rocsolid.comparison",
    "compare_multiclass": "rocsolid.comparison",
    "compare_samples": "rocsolid.comparison",
    "concordance": "rocsolid.binary.concordance",
    "cross_group_auc": "rocsolid.binary.cross_group_auc",
    "cross_validated": "rocsolid.comparison.cross_validated",
    "dcg": "rocsolid.graded.dcg",
    "err": "rocsolid.graded.err",
    "evaluate": "rocsolid.evaluation",
    "explain": "rocsolid.evaluation.explain",
    "explain_published": "rocsolid.evaluation.explain",
    "fingerprint": "rocsolid.binary.fingerprint",
    "frac": "rocsolid.discounts",
    "gate": "rocsolid.gating.gate",
    "grouped_auc": "rocsolid.graded.grouped_auc",
    "multiclass_auc": "rocsolid.binary.multiclass_auc",
    "ndcg": "rocsolid.graded.ndcg",
    "next_ranks": "rocsolid.comparison.ranks",
    "partial_auc": "rocsolid.binary.partial_auc",
    "pr_auc": "rocsolid.binary.pr_auc",
    "precision": "rocsolid.graded.precision",
    "precision_recall": "rocsolid.binary.precision_recall",
    "r_precision": "rocsolid.graded.r_precision",
    "rbp": "rocsolid.graded.rbp",
    "read_runs": "rocsolid.inputs.trec",
    "recall": "rocsolid.graded.recall",
    "reciprocal_rank": "rocsolid.graded.reciprocal_rank",
    "roc": "rocsolid.binary.roc",
    "success": "rocsolid.graded.success",
    "undo_label_noise": "rocsolid.binary.label_noise",
    "weighted_auc": "rocsolid.binary.weighted_auc",
}
_MODULES = {
    "asymptotics": "rocsolid.asymptotics",
    "board": "rocsolid.board",
    "discounts": "rocsolid.discounts",
    "gains": "rocsolid.gains",
    "guarantees": "rocsolid.intervals.guarantees",
    "leaks": "rocsolid.leaks",
    "learners": "rocsolid.learners",
    "measures": "rocsolid.measures",
    "plan": "rocsolid.plan",
    "plots": "rocsolid.plots",
    "queries": "rocsolid.comparison.queries",
    "sklearn": "rocsolid.sklearn",
    "weights": "rocsolid.weights",
}

__all__ = [
    "Bracket", "Citations", "Comparison", "Estimate", "Evaluation", "InputError", "Interval",
    "OneClassError", "QueryEstimate", "RocsolidError", "ScoreCounts", "Sketch", "UnsoundError",
    "__version__", "asymptotics", "auc", "audit", "average_precision", "board", "bpref",
    "certificate_page", "cite", "compare", "compare_multiclass", "compare_samples", "concordance",
    "cross_group_auc", "cross_validated", "dcg", "discounts", "err", "evaluate", "explain",
    "explain_published", "fingerprint", "frac", "gains", "gate", "grouped_auc", "guarantees",
    "leaks", "learners", "measures", "multiclass_auc", "ndcg", "next_ranks", "partial_auc", "plan",
    "plots", "pr_auc", "precision", "precision_recall", "queries", "r_precision", "rbp",
    "read_runs", "recall", "reciprocal_rank", "roc", "sklearn", "success", "undo_label_noise",
    "weighted_auc", "weights",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value: Any = importlib.import_module(_MODULES[name])
    elif name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'rocsolid' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

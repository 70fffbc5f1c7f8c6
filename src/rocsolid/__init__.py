"""rocsolid: ranking metrics you can stand on.

Names are loaded when they are first used, so that ``import rocsolid`` takes a moment.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from rocsolid import parts
from rocsolid._version import __version__
from rocsolid.public_names import homes, install_lookup

if TYPE_CHECKING:
    from rocsolid import (
        discounts,
        gains,
        instead,
        leaks,
        measures,
        plan,
        plots,
        results,
        sklearn,
        weights,
    )
    from rocsolid.binary.cross_group_auc import cross_group_auc
    from rocsolid.binary.fingerprint import fingerprint, undo_label_noise
    from rocsolid.binary.multiclass_auc import multiclass_auc
    from rocsolid.binary.precision_recall import precision_recall
    from rocsolid.binary.roc import roc
    from rocsolid.binary.sketch import Sketch
    from rocsolid.citations import cite
    from rocsolid.comparison import queries
    from rocsolid.comparison.cross_validated import cross_validated
    from rocsolid.comparison.ranks import next_ranks
    from rocsolid.errors import InputError, OneClassError, RocsolidError, UnsoundError
    from rocsolid.evaluation.audit import audit
    from rocsolid.evaluation.certify_table import certificate_page
    from rocsolid.evaluation.evaluate_table import evaluate
    from rocsolid.evaluation.explain import explain
    from rocsolid.evaluation.many import many
    from rocsolid.evaluation.pool import pool
    from rocsolid.evaluation.public.joint_pages import pages_together
    from rocsolid.evaluation.questions import certify, compare, concordance, curve, runs
    from rocsolid.evaluation.sample import Sample
    from rocsolid.gating.gate import gate
    from rocsolid.graded.average_precision import err, rbp, reciprocal_rank
    from rocsolid.graded.ndcg import dcg, ndcg
    from rocsolid.graded.precision import (
        bpref,
        grouped_auc,
        precision,
        r_precision,
        recall,
        success,
    )
    from rocsolid.inputs.trec import read_runs
    from rocsolid.intervals import guarantees
    from rocsolid.measures.partial_area import partial_auc
    from rocsolid.measures.precision_recall_area import average_precision, pr_auc
    from rocsolid.measures.weighted_area import weighted_auc
    from rocsolid.measures.whole_area import auc
    from rocsolid.qualifying.qualify import qualify
    from rocsolid.remarks.remark import checks
    from rocsolid.summaries.score_counts import ScoreCounts

# module -> the public names that it holds
_HELD = {
    "rocsolid.binary.cross_group_auc": ("cross_group_auc"),
    "rocsolid.binary.fingerprint": ("fingerprint undo_label_noise"),
    "rocsolid.binary.multiclass_auc": ("multiclass_auc"),
    "rocsolid.binary.precision_recall": ("precision_recall"),
    "rocsolid.binary.roc": ("roc"),
    "rocsolid.binary.sketch": ("Sketch"),
    "rocsolid.citations": ("cite"),
    "rocsolid.comparison.cross_validated": ("cross_validated"),
    "rocsolid.comparison.ranks": ("next_ranks"),
    "rocsolid.errors": ("InputError OneClassError RocsolidError UnsoundError"),
    "rocsolid.evaluation.audit": ("audit"),
    "rocsolid.evaluation.certify_table": ("certificate_page"),
    "rocsolid.evaluation.evaluate_table": ("evaluate"),
    "rocsolid.evaluation.explain": ("explain"),
    "rocsolid.evaluation.many": ("many"),
    "rocsolid.evaluation.pool": ("pool"),
    "rocsolid.evaluation.questions": ("certify compare concordance curve runs"),
    "rocsolid.evaluation.sample": ("Sample"),
    "rocsolid.evaluation.public.joint_pages": ("pages_together"),
    "rocsolid.evaluation.public.offers": ("publish"),
    "rocsolid.gating.gate": ("gate"),
    "rocsolid.graded.precision": ("bpref grouped_auc precision r_precision recall success"),
    "rocsolid.graded.ndcg": ("dcg ndcg"),
    "rocsolid.graded.average_precision": ("err rbp reciprocal_rank"),
    "rocsolid.inputs.trec": ("read_runs"),
    "rocsolid.measures.partial_area": ("partial_auc"),
    "rocsolid.measures.precision_recall_area": ("pr_auc average_precision"),
    "rocsolid.measures.weighted_area": ("weighted_auc"),
    "rocsolid.measures.whole_area": ("auc"),
    "rocsolid.qualifying.qualify": ("qualify"),
    "rocsolid.remarks.remark": ("checks"),
    "rocsolid.summaries.score_counts": ("ScoreCounts"),
}
_HOMES = homes(_HELD)
# package -> modules that are public themselves
_OPEN = {
    "rocsolid": "discounts gains instead leaks measures plan plots results sklearn weights",
    "rocsolid.comparison": "queries",
    "rocsolid.intervals": "guarantees",
}
_MODULES = {
    **{name: f"{home}.{name}" for home, names in _OPEN.items() for name in names.split()},
    **parts.modules(),
}

__all__ = [
    "InputError", "OneClassError", "RocsolidError", "Sample", "ScoreCounts", "Sketch",
    "UnsoundError", "__version__", "auc", "audit", "average_precision", "bpref", "certificate_page",
    "certify", "checks", "cite", "compare", "concordance", "cross_group_auc", "cross_validated",
    "curve", "dcg", "discounts", "err", "evaluate", "explain", "fingerprint", "gains", "gate",
    "grouped_auc", "guarantees", "instead", "leaks", "many", "measures", "multiclass_auc", "ndcg",
    "next_ranks", "pages_together", "partial_auc", "plan", "plots", "pool", "pr_auc", "precision",
    "precision_recall", "publish", "qualify", "queries", "r_precision", "rbp", "read_runs",
    "recall", "reciprocal_rank", "results", "roc", "runs", "sklearn", "success",
    "undo_label_noise", "weighted_auc", "weights",
]  # fmt: skip
__all__.extend(parts.modules())
if importlib.util.find_spec("sklearn") is None:  # or `from rocsolid import *` would fail
    __all__.remove("sklearn")


install_lookup(__name__, _HOMES, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)

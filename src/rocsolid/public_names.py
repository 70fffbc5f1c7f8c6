"""Public names: loaded when they are first used, and where those went that are gone.

Types that nobody makes by hand, since functions return them, are in `rocsolid.results`.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from rocsolid.parts import modules as modules_of_parts
from rocsolid.parts import results as results_of_parts

# module -> the types in it that functions return
RETURNED = {
    "answer.answer": "Answer",
    "binary.cross_group_auc": "CrossGroupAuc",
    "binary.multiclass_auc": "MulticlassEstimate",
    "binary.precision_recall": "PrecisionRecall",
    "binary.roc": "Roc",
    "certificates": "Certificate CertifiedGrid",
    "citations": "Citations",
    "comparison.queries.discriminative_power": "DiscriminativePower SwapRate",
    "discounts.cutoff": "Cutoff",
    "evaluation.audit": "PrintedAudit",
    "gating.decision": "GateDecision",
    "inputs.trec.judged_run": "JudgedRuns",
    "intervals.guarantees.checks": "Deviation",
    "intervals.guarantees.coverage": "Binormal Coverage Distribution "
    "FromData MethodCoverage Ordinal TwoPoint",
    "intervals.guarantees.difference_sequence": "DifferenceSequence",
    "intervals.guarantees.sequence": "Sequence",
    "leaks.exposure": "ExposedRow Exposure",
    "leaks.growth": "Conjecture Rise",
    "leaks.joint": "Joint",
    "leaks.labeling_count": "LabelingCount SizeCount",
    "leaks.labelings": "Gain Improvement",
    "leaks.page_leaks": "Finding PageLeaks",
    "leaks.plan": "Plan Recovery",
    "leaks.replay": "Replay ReplayedAccount ReplayedRelease",
    "leaks.simulate": "AttackResult Simulation",
    "measures.listed": "ListedMeasure",
    "plan.auc_difference_power": "DifferencePower",
    "plan.holdout": "ErrorRateComparison Holdout HoldoutAnswers TopPrecision",
    "plan.pilot": "LabelPlan Pilot",
    "plan.power": "AucPower AucPrecision",
    "plan.queries": "QueryAnova QueryPower QueryPrecision QuerySpread",
    "plan.rankings": "RankingSpread",
    "plan.sizes": "SampleSize",
    "results.query_estimate": "QueryComparison",
    "sklearn.cross_validate": "OutOfFold",
    "weights.losses": "HingeLoss Loss RampLoss SigmoidLoss StepLoss",
}
_ALWAYS = ("Bracket", "Comparison", "Estimate", "Interval", "QueryEstimate")  # in it from the start
# a name that is gone -> what takes its place
_GONE = {
    "COVERAGE_METHODS": "see the methods of rocsolid.guarantees.coverage",
    "Evaluation": "it is rocsolid.results.Answer",
    "METHODS": "see the methods of rocsolid.guarantees.interval",
    "Tail": "a discount knows its own",
    "as_curve": "curve= takes what it took",
    "as_cutoff": "k= takes what it took",
    "as_discount": "discount= takes what it took",
    "as_gain": "gain= takes what it took",
    "as_levels": "levels= takes what it took",
    "as_weight": "weight= takes what it took",
    "box_dkw": "it is rocsolid.intervals.guarantees.weighted_best.box_dkw",
    "compare_multiclass": "rocsolid.compare takes columns of classes",
    "compare_samples": "rocsolid.compare takes a mapping of names to samples",
    "defence_of": "defence= takes what it took",
    "explain_published": "rocsolid.explain takes published=",
    "frac": "it is rocsolid.discounts.frac",
    "sandwich_slope": "it is rocsolid.intervals.guarantees.weighted_area.sandwich_slope",
}


def homes(held: Mapping[str, str]) -> dict[str, str]:
    """The module of each name, from the names in each module."""
    return {name: home for home, names in held.items() for name in names.split()}


def returned() -> dict[str, str]:
    """The module of each type that only functions make, those of the parts included."""
    return (
        homes({f"rocsolid.{home}": names for home, names in RETURNED.items()}) | results_of_parts()
    )


def _place(module: str, name: str) -> str:
    """What takes the place of a name that a module does not have, or nothing."""
    if name.startswith("_"):
        return ""
    if name in returned() or name in _ALWAYS:
        return f"it is rocsolid.results.{name}"
    if module == "rocsolid.guarantees" and "theory" in modules_of_parts():
        bounds = importlib.import_module("rocsolid.theory.guarantees")
        if name in bounds.__all__:
            return f"it is rocsolid.theory.guarantees.{name}"
    return _GONE.get(name, "")


def install_lookup(
    module: str,
    home_of: Mapping[str, str] | None = None,
    modules: Mapping[str, str] | None = None,
    require: Callable[[str], None] | None = None,
) -> None:
    """Gives a module its ``__getattr__``, which also says where a name went.

    ``home_of`` has the module of each name that is loaded when it is first used, ``modules`` those
    that are names themselves; ``require`` refuses a name whose extra is missing.
    """
    shown = re.sub(r"\.(intervals|comparison|theory(?!\.guarantees))\.", ".", module)

    def load(name: str) -> Any:
        if modules and name in modules:
            value: Any = importlib.import_module(modules[name])
        elif home_of and name in home_of:
            if require is not None:
                require(f"{shown}.{name}")
            value = getattr(importlib.import_module(home_of[name]), name)
        else:
            place = _place(shown, name)
            raise AttributeError(
                f"module {shown!r} has no attribute {name!r}{f': {place}' if place else ''}"
            )
        setattr(sys.modules[module], name, value)
        return value

    vars(sys.modules[module])["__getattr__"] = load

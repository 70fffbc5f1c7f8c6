"""Public names, loaded on first use, and the replacements of removed names.

Types that only functions create are in `rocsolid.results`.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from rocsolid.parts import modules as modules_of_parts
from rocsolid.parts import results as results_of_parts

# module -> its types that functions return
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
    "evaluation.public.joint_pages": "JointPages",
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
_ALWAYS = ("Bracket", "Comparison", "Estimate", "Interval", "QueryEstimate")  # imported by results
# a removed name -> its replacement
_GONE = {
    "COVERAGE_METHODS": "see the methods of rocsolid.guarantees.coverage",
    "Evaluation": "it is rocsolid.results.Answer",
    "METHODS": "see the methods of rocsolid.guarantees.interval",
    "Tail": "see the attribute tail of a discount",
    "as_curve": "curve= accepts the same values",
    "as_cutoff": "k= accepts the same values",
    "as_discount": "discount= accepts the same values",
    "as_gain": "gain= accepts the same values",
    "as_levels": "levels= accepts the same values",
    "as_weight": "weight= accepts the same values",
    "box_dkw": "it is rocsolid.intervals.guarantees.weighted_best.box_dkw",
    "compare_multiclass": "rocsolid.compare accepts columns of classes",
    "compare_samples": "rocsolid.compare accepts a mapping of names to samples",
    "defence_of": "defence= accepts the same values",
    "explain_published": "rocsolid.explain accepts published=",
    "frac": "it is rocsolid.discounts.frac",
    "sandwich_slope": "it is rocsolid.intervals.guarantees.weighted_area.sandwich_slope",
}


def homes(held: Mapping[str, str]) -> dict[str, str]:
    """Map each name to its module, from a mapping of modules to names."""
    return {name: home for home, names in held.items() for name in names.split()}


def returned() -> dict[str, str]:
    """Map each type that only functions create to its module, including types of the parts."""
    return (
        homes({f"rocsolid.{home}": names for home, names in RETURNED.items()}) | results_of_parts()
    )


def _place(module: str, name: str) -> str:
    """The replacement of a name that a module lacks, or an empty string."""
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
    """Install a module's ``__getattr__``, whose error names the replacement of a removed name.

    ``home_of`` maps each lazily loaded name to its module. ``modules`` maps the names of submodules
    to modules. ``require`` rejects a name whose extra is missing.
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

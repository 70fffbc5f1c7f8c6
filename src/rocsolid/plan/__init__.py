"""Planning: how many rows to label, before any label is paid for."""

from rocsolid.plan.auc_difference_power import DifferencePower, auc_difference_power
from rocsolid.plan.auc_power import AucPower, auc_power
from rocsolid.plan.auc_precision import AucPrecision, auc_precision
from rocsolid.plan.certify import labels_to_certify
from rocsolid.plan.error_rate import ErrorRateComparison, error_rate_samples
from rocsolid.plan.holdout import Holdout, HoldoutAnswers, holdout
from rocsolid.plan.labels import LabelPlan, labels
from rocsolid.plan.pilot import Pilot, pilot
from rocsolid.plan.query_anova import QueryAnova, query_anova
from rocsolid.plan.query_power import QueryPower, query_power
from rocsolid.plan.query_precision import QueryPrecision, query_precision
from rocsolid.plan.query_spread import QuerySpread, query_spread
from rocsolid.plan.rankings import RankingSpread, auc_at_error_rate
from rocsolid.plan.samples import samples
from rocsolid.plan.sizes import SampleSize
from rocsolid.plan.top_precision import TopPrecision, top_precision

__all__ = [
    "AucPower", "AucPrecision", "DifferencePower", "ErrorRateComparison", "Holdout",
    "HoldoutAnswers", "LabelPlan", "Pilot", "QueryAnova", "QueryPower", "QueryPrecision",
    "QuerySpread", "RankingSpread", "SampleSize", "TopPrecision", "auc_at_error_rate",
    "auc_difference_power", "auc_power", "auc_precision", "error_rate_samples", "holdout",
    "labels", "labels_to_certify", "pilot", "query_anova", "query_power", "query_precision",
    "query_spread", "samples", "top_precision",
]  # fmt: skip

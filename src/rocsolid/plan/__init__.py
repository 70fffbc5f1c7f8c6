"""Planning: how many rows to label, before any label is paid for."""

from rocsolid.plan.certify import labels_to_certify
from rocsolid.plan.error_rate import ErrorRateComparison, error_rate_samples
from rocsolid.plan.rankings import RankingSpread, auc_at_error_rate
from rocsolid.plan.samples import samples
from rocsolid.plan.sizes import SampleSize

__all__ = [
    "ErrorRateComparison",
    "RankingSpread",
    "SampleSize",
    "auc_at_error_rate",
    "error_rate_samples",
    "labels_to_certify",
    "samples",
]

"""Planning: the number of rows or queries to label, before any label is paid for."""

from rocsolid.plan.auc_difference_power import auc_difference_power
from rocsolid.plan.holdout import error_rate_samples, holdout, top_precision
from rocsolid.plan.pilot import labels, pilot
from rocsolid.plan.power import auc_power, auc_precision
from rocsolid.plan.queries import query_anova, query_power, query_precision, query_spread
from rocsolid.plan.rankings import auc_at_error_rate
from rocsolid.plan.sizes import labels_to_certify, samples
from rocsolid.public_names import install_lookup

__all__ = [
    "auc_at_error_rate", "auc_difference_power", "auc_power", "auc_precision", "error_rate_samples",
    "holdout", "labels", "labels_to_certify", "pilot", "query_anova", "query_power",
    "query_precision", "query_spread", "samples", "top_precision",
]  # fmt: skip
install_lookup(__name__)

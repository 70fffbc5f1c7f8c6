"""Planning: how many rows to label, before any label is paid for."""

from rocsolid.plan.auc_difference_power import auc_difference_power
from rocsolid.plan.auc_power import auc_power
from rocsolid.plan.auc_precision import auc_precision
from rocsolid.plan.certify import labels_to_certify
from rocsolid.plan.error_rate import error_rate_samples
from rocsolid.plan.holdout import holdout
from rocsolid.plan.labels import labels
from rocsolid.plan.pilot import pilot
from rocsolid.plan.query_anova import query_anova
from rocsolid.plan.query_power import query_power
from rocsolid.plan.query_precision import query_precision
from rocsolid.plan.query_spread import query_spread
from rocsolid.plan.rankings import auc_at_error_rate
from rocsolid.plan.samples import samples
from rocsolid.plan.top_precision import top_precision
from rocsolid.public_names import install_lookup

__all__ = [
    "auc_at_error_rate", "auc_difference_power", "auc_power", "auc_precision", "error_rate_samples",
    "holdout", "labels", "labels_to_certify", "pilot", "query_anova", "query_power",
    "query_precision", "query_spread", "samples", "top_precision",
]  # fmt: skip
install_lookup(__name__)

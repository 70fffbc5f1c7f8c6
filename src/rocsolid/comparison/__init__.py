"""Is one score better than another, on the same rows or on different ones?"""

from rocsolid.comparison.models import compare
from rocsolid.comparison.multiclass import compare_multiclass
from rocsolid.comparison.samples import compare_samples

__all__ = ["compare", "compare_multiclass", "compare_samples"]

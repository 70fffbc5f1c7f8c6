"""From a table with score columns to one answer for each score and segment."""

from rocsolid.evaluation.evaluate_table import evaluate
from rocsolid.evaluation.evaluation import Evaluation

__all__ = ["Evaluation", "evaluate"]

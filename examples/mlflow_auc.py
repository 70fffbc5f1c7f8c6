"""An AUC with its limits in MLflow.

auc = rs.auc(y, s)
mlflow.log_metrics({"auc": auc.value, "auc/low": auc.low, "auc/high": auc.high})
mlflow.models.evaluate(data=table, targets="y", predictions="s", extra_metrics=[AUC])
"""

from __future__ import annotations

from typing import Any

from mlflow.metrics import MetricValue, make_metric

import rocsolid as rs


def auc(predictions: Any, targets: Any) -> MetricValue | None:
    """The AUC of a column of scores; a model of MLflow must return scores, not classes."""
    if len(targets) == 1:  # MLflow tries each metric on the first row alone
        return None
    value, low, high = rs.auc(targets, predictions)
    return MetricValue(aggregate_results={"value": value, "low": low, "high": high})


AUC = make_metric(eval_fn=auc, greater_is_better=True, name="auc")

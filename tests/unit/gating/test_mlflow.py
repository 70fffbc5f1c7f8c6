"""MLflow's own client returns the limits that the example logs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

CODE = """
import json, runpy, sys
import mlflow, pandas
import rocsolid as rs

home, example = sys.argv[1:]
mlflow.set_tracking_uri(f"sqlite:///{home}/runs.db")
mlflow.create_experiment("auc", artifact_location=home)
mlflow.set_experiment("auc")
names = runpy.run_path(example)
table = pandas.DataFrame(json.load(sys.stdin))
with mlflow.start_run() as run:
    exec(names["__doc__"].split("\\n\\n")[1], {
        **names, "mlflow": mlflow, "rs": rs, "table": table, "y": table.y, "s": table.s,
    })
print(json.dumps(mlflow.MlflowClient().get_run(run.info.run_id).data.metrics))
"""


def test_the_client_has_the_limits(others: Callable[..., Any]) -> None:
    y = np.arange(60) % 2
    s = np.random.default_rng(1).normal(size=60) + y
    auc = rs.auc(y, s)
    logged = others(CODE, "mlflow_auc.py", {"y": y.tolist(), "s": s.tolist()})
    limits = {"low": auc.low, "high": auc.high}
    expected = {f"auc/{name}": value for name, value in {"value": auc.value, **limits}.items()}
    assert logged == pytest.approx({"auc": auc.value, **expected})

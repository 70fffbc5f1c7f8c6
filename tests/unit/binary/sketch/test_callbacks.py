"""The callbacks in ``examples``, called as Lightning and Keras do, which tests do not install."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

EXAMPLES = Path(__file__).parents[4] / "examples"
RNG = np.random.default_rng(0)
Y = RNG.random(300) < 0.4
S = (RNG.normal(size=300) + Y).astype(np.float32)


def batches(part: slice) -> list[tuple[Any, Any]]:
    y, s = Y[part], S[part]
    return [(s[i : i + 32], y[i : i + 32]) for i in range(0, len(y), 32)]


@pytest.fixture
def callback(monkeypatch: pytest.MonkeyPatch) -> Any:
    def load(name: str, module: str, **names: Any) -> Any:
        for part in (module.partition(".")[0], module):
            monkeypatch.setitem(sys.modules, part, ModuleType(part))
        vars(sys.modules[module]).update(names)
        return runpy.run_path(str(EXAMPLES / f"{name}.py"))

    return load


def test_keras_logs_the_bracket(callback: Any) -> None:
    found = callback("keras_auc", "keras", callbacks=SimpleNamespace(Callback=object))
    one = found["ValidationAuc"](batches(slice(None)))
    one.model = SimpleNamespace(predict_on_batch=lambda inputs: inputs[:, None])
    for epoch in range(2):
        logs: dict[str, float] = {}
        one.on_epoch_end(epoch, logs)
        assert logs["val_auc_low"] == logs["val_auc"] == logs["val_auc_high"] == rs.auc(Y, S).value


def test_lightning_merges_what_processes_saw(callback: Any) -> None:
    found = callback("lightning_auc", "lightning.pytorch", Callback=object)
    trainer = SimpleNamespace(world_size=2, sanity_checking=False, global_rank=0)
    one, other = (found["ValidationAuc"]() for _ in range(2))
    found["others"].__globals__["others"] = lambda *_: [other.sketch.to_bytes()]
    logs: dict[str, float] = {}
    for _ in range(2):
        for each, part in ((one, slice(100)), (other, slice(100, None))):
            each.on_validation_epoch_start(trainer, None)
            for index, (s, y) in enumerate(batches(part)):
                outputs = {"label": y, "score": s}
                each.on_validation_batch_end(trainer, None, outputs, None, index)
        module = SimpleNamespace(log_dict=lambda new, **_: logs.update(new))
        one.on_validation_epoch_end(trainer, module)
        assert logs["val_auc_low"] == logs["val_auc"] == logs["val_auc_high"] == rs.auc(Y, S).value
    again = found["ValidationAuc"]()
    again.load_state_dict(one.state_dict())
    assert again.sketch.compute() == one.sketch.compute()
    trainer.sanity_checking = True
    found["ValidationAuc"]().on_validation_epoch_end(trainer, None)  # no rows, and no error

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


class PyDataset:
    """Keras's: it has no end of its own, and counts its batches."""

    num_batches = -(-300 // 32)

    def __getitem__(self, at: int) -> tuple[Any, Any]:
        rows = slice(32 * at, min(32 * at + 32, 300))
        return S[rows], Y[rows]


class NoRavel:
    """A tensor of TensorFlow has the values of an array, and few of its methods."""

    def __init__(self, values: np.ndarray) -> None:
        self._values = values

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        return self._values


@pytest.mark.parametrize(
    "given",
    [
        batches(slice(None)),
        PyDataset(),
        [(s, NoRavel(y[:, None])) for s, y in batches(slice(None))],
    ],
    ids=["list", "PyDataset", "tensors"],
)
def test_keras_logs_the_bracket(callback: Any, given: Any) -> None:
    found = callback("keras_auc", "keras", callbacks=SimpleNamespace(Callback=object),
                     ops=SimpleNamespace(convert_to_numpy=np.asarray))  # fmt: skip
    one = found["ValidationAuc"](given)
    one.model = SimpleNamespace(predict_on_batch=lambda inputs: inputs[:, None])
    for epoch in range(2):
        logs: dict[str, float] = {}
        one.on_epoch_end(epoch, logs)
        assert logs["val_auc_low"] == logs["val_auc"] == logs["val_auc_high"] == rs.auc(Y, S).value


def test_lightning_merges_what_processes_saw(callback: Any) -> None:
    found = callback("lightning_auc", "lightning.pytorch", Callback=object)
    trainer = SimpleNamespace(world_size=2, sanity_checking=False)
    one, other = (found["ValidationAuc"]() for _ in range(2))
    found["of_all"].__globals__["of_all"] = lambda _, mine: [mine, other.sketch.to_bytes()]
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
        assert one.sketch.n_pos < other.sketch.n_pos  # each keeps its own rows
    again = found["ValidationAuc"]()
    again.load_state_dict(one.state_dict())
    assert again.sketch.compute() == one.sketch.compute()
    trainer.sanity_checking = True
    found["ValidationAuc"]().on_validation_epoch_end(trainer, None)  # no rows, and no error


def test_lightning_gives_every_process_the_same(callback: Any) -> None:
    found = callback("lightning_auc", "lightning.pytorch", Callback=object)
    ranks = [found["ValidationAuc"](size=1_000) for _ in range(6)]
    score = RNG.normal(size=(6, 4_000))
    for each, s in zip(ranks, score, strict=True):
        each.sketch.update(s > RNG.normal(size=4_000), s)
    states = [each.sketch.to_bytes() for each in ranks]
    found["of_all"].__globals__["of_all"] = lambda *_: states
    trainer = SimpleNamespace(world_size=6, sanity_checking=False)
    logged: list[dict[str, float]] = []
    module = SimpleNamespace(log_dict=lambda new, **_: logged.append(new))
    for each in ranks:
        each.on_validation_epoch_end(trainer, module)
    assert logged[0]["val_auc_low"] < logged[0]["val_auc_high"]
    assert all(each == logged[0] for each in logged)

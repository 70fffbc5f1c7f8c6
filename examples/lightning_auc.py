"""The validation AUC in Lightning, on any number of processes, from a sketch of a megabyte each.

trainer = Trainer(callbacks=[ValidationAuc()])

``validation_step`` returns {"label": ..., "score": ...} for its batch, as tensors on any device.
"""

from __future__ import annotations

from typing import Any

from lightning.pytorch import Callback

import rocsolid as rs


class ValidationAuc(Callback):
    """Logs ``val_auc``, and the two numbers between which it lies for certain.

    A sampler that repeats rows so that all processes have as many counts these rows twice.
    """

    def __init__(self, size: int = 1_000_000) -> None:
        self.sketch = rs.Sketch(size=size)

    def on_validation_epoch_start(self, trainer: Any, module: Any) -> None:
        self.sketch.reset()

    def on_validation_batch_end(
        self, trainer: Any, module: Any, outputs: Any, batch: Any, index: int, loader: int = 0
    ) -> None:
        self.sketch.update(outputs["label"], outputs["score"])

    def on_validation_epoch_end(self, trainer: Any, module: Any) -> None:
        if trainer.sanity_checking:  # a batch or two, perhaps of one class
            return
        parts = map(rs.Sketch.from_bytes, of_all(trainer, self.sketch.to_bytes()))
        found = sum(parts, rs.Sketch(size=self.sketch.size)).compute()
        logs = {"val_auc": found.value, "val_auc_low": found.low, "val_auc_high": found.high}
        module.log_dict(logs, sync_dist=True)  # every process has the same

    def state_dict(self) -> dict[str, Any]:
        return self.sketch.state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.sketch.load_state_dict(state)


def of_all(trainer: Any, mine: bytes) -> list[bytes]:
    """What each process has, in one order, so that all of them add up to the same bracket."""
    if trainer.world_size == 1:
        return [mine]
    import torch.distributed as dist

    found: list[Any] = [None] * trainer.world_size
    dist.all_gather_object(found, mine)
    return found

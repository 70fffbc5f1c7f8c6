"""The validation AUC in Lightning, on any number of processes, from a sketch of a megabyte each.

trainer = Trainer(callbacks=[ValidationAuc()])

``validation_step`` returns {"label": ..., "score": ...} for its batch, as tensors on any device.
"""

from __future__ import annotations

from typing import Any

from lightning.pytorch import Callback

import rocsolid as rs


class ValidationAuc(Callback):
    """Log ``val_auc``, with a lower and an upper limit that hold for certain.

    A sampler that repeats rows to give all processes equally many counts the repeated rows twice.
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
        bracket = sum(parts, rs.Sketch(size=self.sketch.size)).compute()
        logs = {"val_auc": bracket.value, "val_auc_low": bracket.low, "val_auc_high": bracket.high}
        module.log_dict(logs, sync_dist=True)  # equal on every process

    def state_dict(self) -> dict[str, Any]:
        return self.sketch.state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.sketch.load_state_dict(state)


def of_all(trainer: Any, mine: bytes) -> list[bytes]:
    """The bytes of every process in one order, so that all processes compute the same bracket."""
    if trainer.world_size == 1:
        return [mine]
    import torch.distributed as dist

    gathered: list[Any] = [None] * trainer.world_size
    dist.all_gather_object(gathered, mine)
    return gathered

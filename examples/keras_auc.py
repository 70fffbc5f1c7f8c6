"""The validation AUC in Keras, on any backend, from a sketch of a megabyte.

model.fit(..., callbacks=[ValidationAuc(batches), EarlyStopping("val_auc", mode="max")])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import keras

import rocsolid as rs


class ValidationAuc(keras.callbacks.Callback):
    """Add ``val_auc`` to the logs, with a lower and an upper limit that hold for certain.

    ``batches`` yields pairs (inputs, labels) in each epoch: a list, a tf.data.Dataset, or a
    PyDataset.
    """

    def __init__(self, batches: Iterable[tuple[Any, Any]], size: int = 1_000_000) -> None:
        super().__init__()
        self.batches = batches
        self.sketch = rs.Sketch(size=size)

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self.sketch.reset()
        for inputs, labels in each_once(self.batches):
            label = keras.ops.convert_to_numpy(labels)  # labels may be on a device
            self.sketch.update(label.ravel(), self.model.predict_on_batch(inputs).ravel())
        bracket = self.sketch.compute()
        if logs is not None:
            logs.update(val_auc=bracket.value, val_auc_low=bracket.low, val_auc_high=bracket.high)


def each_once(batches: Any) -> Iterator[tuple[Any, Any]]:
    """The batches of an epoch, by their number for a PyDataset, whose iterator may never end."""
    count = getattr(batches, "num_batches", None)
    return iter(batches) if count is None else (batches[at] for at in range(count))

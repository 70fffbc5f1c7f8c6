"""Sorting where the scores lie takes little memory there: no long sort, which carries the order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rocsolid.summaries import placements
from rocsolid.summaries.placements import DeviceClasses, runs_on_device


def test_torch_sorts_runs_and_merges_them(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from torch.utils._python_dispatch import TorchDispatchMode

    monkeypatch.setattr(placements, "_RUN", 16)
    monkeypatch.setattr(placements, "_BLOCK", 5)
    longest = 0

    class Watched(TorchDispatchMode):
        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            nonlocal longest
            if "sort" in str(func) and "searchsorted" not in str(func):
                longest = max(longest, args[0].numel())
            return func(*args, **(kwargs or {}))

    rng = np.random.default_rng(0)
    score = rng.integers(-9, 9, 101) / 4.0
    score[:4] = -np.inf, np.inf, 0.0, -0.0
    positive = rng.random(101) < 0.3
    with Watched():
        found = DeviceClasses.of(positive, torch.tensor(score))
        size, number = runs_on_device(torch.tensor(score))
    assert longest == 16
    np.testing.assert_array_equal(found.pos.numpy(), np.sort(score[positive]))
    np.testing.assert_array_equal(found.neg.numpy(), np.sort(score[~positive]))
    assert size == len(np.unique(score))
    np.testing.assert_array_equal(number, np.unique(score, return_inverse=True)[1])

"""Tensors that NumPy cannot read by itself: with a gradient, elsewhere, bfloat16."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import array_api_strict as strict
import jax.numpy as jnp
import numpy as np

Maker = Callable[[np.ndarray], Any]
RNG = np.random.default_rng(0)
ROWS = 60
Y = np.arange(ROWS) % 3 == 0
S = (RNG.normal(size=ROWS) + Y).astype(np.float32).round(1)
S = np.asarray(jnp.asarray(S).astype(jnp.bfloat16).astype(jnp.float32))  # as bfloat16 has them
P, Q = (np.abs(each) / 8 for each in (S, np.roll(S, 1)))  # from 0 to 1, still exact
POS, NEG = S[Y], S[~Y]
W = RNG.integers(1, 4, ROWS).astype(np.float32)
GRADE = RNG.integers(0, 3, ROWS).astype(np.float32)
QUERY = np.repeat(np.arange(6), 10)
X = np.column_stack([S, np.roll(S, 1), W])
CHANCE = np.abs(X)


class OnlyDlpack:
    """What speaks DLPack and nothing else."""

    def __init__(self, values: np.ndarray) -> None:
        self._values = values.copy()

    def __dlpack__(self, **asked: Any) -> Any:
        return self._values.__dlpack__(**asked)

    def __dlpack_device__(self) -> Any:
        return self._values.__dlpack_device__()


def _short(x: np.ndarray, to: Callable[[np.ndarray], Any], kind: Any) -> Any:
    return to(x).astype(kind) if x.dtype == np.float32 else to(x)


KINDS = ("gradient", "bfloat16", "elsewhere", "jax bfloat16", "DLPack")


def maker(kind: str, torch: Any) -> Maker:
    """What makes such a tensor of an array."""
    return {
        "gradient": lambda x: torch.tensor(x).requires_grad_(x.dtype.kind == "f"),
        "bfloat16": lambda x: (
            torch.tensor(x).bfloat16() if x.dtype == np.float32 else torch.tensor(x)
        ),
        "elsewhere": lambda x: strict.asarray(x, device=strict.Device("device1")),
        "jax bfloat16": lambda x: _short(x, jnp.asarray, jnp.bfloat16),
        "DLPack": OnlyDlpack,
    }[kind]


def agrees_with_numpy(call: Callable[[Maker], Any], made: Maker) -> None:
    """The call says of such tensors what it says of arrays."""
    shown = [
        json.dumps(call(way), default=lambda each: each.to_dict())
        for way in (made, lambda values: values)
    ]
    assert shown[0] == shown[1]

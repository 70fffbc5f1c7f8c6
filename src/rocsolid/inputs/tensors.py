"""Arrays of other libraries: their values in main memory, and which of them are sorted in place."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError

SORTING = {"cuda"}
"""Where torch sorts for us. MPS shares the main memory, and has sorted long tensors wrongly."""


def is_tensor(x: Any) -> bool:
    """Whether it is one of torch's: on any device, with a gradient or not."""
    return hasattr(x, "detach") and hasattr(x, "device")


def in_main_memory(x: Any, name: str) -> Any:
    """The values of an array of any library, on any device, as NumPy's; other things as they are.

    Types that NumPy lacks (bfloat16, float8) become float32, which holds all their values.
    """
    ways = ("__array__", "__array_namespace__", "__dlpack__")
    if isinstance(x, np.ndarray) or not (is_tensor(x) or any(hasattr(x, way) for way in ways)):
        return x
    try:
        if is_tensor(x):
            return np.asarray(_plain_tensor(x, name).cpu().numpy())
        if _home(x) == "cupy":
            return np.asarray(x.get())
        return widened(np.asarray(x) if hasattr(x, "__array__") else np.from_dlpack(x))
    except InputError:
        raise
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        if hasattr(x, "__array__") and hasattr(x, "__dlpack__") and not is_tensor(x):
            with suppress(BufferError, RuntimeError, TypeError):
                return np.from_dlpack(x)
        raise InputError(
            f"this {type(x).__name__} does not become a NumPy array: {error}",
            where=name,
            fix="move it to the main memory as a NumPy array first",
        ) from error


def tensor_in_main_memory(x: Any, name: str) -> Any:
    """The same for arrays of other libraries alone: dataframes keep the names of their columns."""
    foreign = is_tensor(x) or (hasattr(x, "__array_namespace__") and not isinstance(x, np.ndarray))
    return in_main_memory(x, name) if foreign else x


def widened(values: NDArray[Any]) -> NDArray[Any]:
    """As float32 where the type is one that JAX and TensorFlow add to NumPy's."""
    return values.astype(np.float32) if "ml_dtypes" in values.dtype.type.__module__ else values


def on_device(x: Any, values: NDArray[Any], *, descending: bool) -> Any:
    """The array itself where it lies outside the main memory and its library sorts it there.

    ``values`` are the same scores in main memory; ``descending`` turns their order round, as
    `rocsolid.inputs.scores.reverse` does. Unsigned integers are left to NumPy, as torch sorts few
    of them, and 2³¹ rows; so are JAX's arrays, whose counts have 32 bits unless a flag is set, and
    CuPy's.
    """
    if isinstance(x, np.ndarray) or values.dtype.kind not in "fi" or len(values) >= 1 << 31:
        return None
    if is_tensor(x):
        if x.device.type not in SORTING:
            return None
        x = _plain_tensor(x, "y_score").contiguous()
        x = x.float() if values.dtype.itemsize == 2 and values.dtype.kind == "f" else x
    elif (
        not hasattr(x, "__array_namespace__")
        or _home(x) in {"cupy", "jax", "jaxlib"}
        or "cpu" in str(x.device).lower()
    ):
        return None
    if not descending:
        return x
    return -x if values.dtype.kind == "f" else ~x


def taken(x: Any, some: NDArray[Any]) -> Any:
    """The rows of such an array that a mask in main memory names."""
    return x[library_of(x).asarray(some.copy(), device=x.device)]


def library_of(x: Any) -> Any:
    """The module whose functions take this array: torch, or one that follows the standard."""
    return sys.modules["torch"] if is_tensor(x) else x.__array_namespace__()


def _plain_tensor(x: Any, name: str) -> Any:
    """Without its gradient, dense, its sign carried out, in a type that NumPy has."""
    if "sparse" in str(getattr(x, "layout", "")):
        raise InputError("a sparse tensor is not read", where=name, fix="add .to_dense()")
    x = x.detach().resolve_conj().resolve_neg()
    return x.float() if str(x.dtype).startswith(("torch.bfloat16", "torch.float8")) else x


def _home(x: Any) -> str:
    return type(x).__module__.partition(".")[0]

from __future__ import annotations

import subprocess
import sys
from array import array
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rocsolid.errors import InputError
from rocsolid.inputs import column


class Tensor:
    """The part of a torch tensor's protocol that is used: on the CPU, with a gradient or not."""

    layout = "torch.strided"
    minus = False

    def __init__(self, values: Any, dtype: str = "torch.float32", *, grad: bool = True) -> None:
        self.values, self.dtype, self.grad = np.asarray(values), dtype, grad
        self.device = type("Device", (), {"type": "cpu"})()

    def detach(self) -> Tensor:
        return Tensor(self.values, self.dtype, grad=False)

    def resolve_conj(self) -> Tensor:
        return self

    def resolve_neg(self) -> Tensor:
        """Torch may keep a minus sign beside the numbers; NumPy cannot."""
        return Tensor(-self.values if self.minus else self.values, self.dtype, grad=self.grad)

    def cpu(self) -> Tensor:
        return self

    def float(self) -> Tensor:
        return Tensor(self.values.astype(np.float32), grad=self.grad)

    def numpy(self) -> Any:
        assert not self.grad, "torch refuses numpy() on a tensor that requires a gradient"
        assert self.dtype != "torch.bfloat16", "NumPy has no bfloat16"
        return self.values


class Negated(Tensor):
    """Holds its values with the other sign, and says so; what is detached from it does too."""

    minus = True

    def detach(self) -> Tensor:
        return Negated(self.values, self.dtype, grad=False)


class OfCupy:
    """An array of CuPy: on a GPU, and only ``get`` brings it from there."""

    __module__ = "cupy"
    __dlpack__ = None

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")

    def get(self) -> Any:
        return np.array([1.5, 2.5])


class OfDlpack:
    """An array that only DLPack can read."""

    def __dlpack__(self, **options: Any) -> Any:
        return np.array([1.5, 2.5]).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


class OnGpu:
    """One value that stays where it is."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


def test_a_list_of_tensors_on_a_gpu_says_what_to_do() -> None:
    with pytest.raises(InputError, match=r"cuda:0 .*torch\.cat"):
        column([OnGpu(), OnGpu()], "y_score")


class ArrayLike:
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([1.5, 2.5])


@pytest.mark.parametrize(
    "x",
    [
        [1.5, 2.5],
        (1.5, 2.5),
        np.array([1.5, 2.5]),
        np.array([1.5, 0, 2.5])[::2],
        np.array([1.5, 2.5], dtype=">f8"),
        array("d", [1.5, 2.5]),
        pd.Series([1.5, 2.5], index=[7, 3]),
        pd.Index([1.5, 2.5]),
        pd.array([1.5, 2.5], dtype="Float64"),
        pd.Series([1.5, 2.5], dtype="double[pyarrow]"),
        pl.Series([1.5, 2.5]),
        pa.array([1.5, 2.5]),
        pa.chunked_array([[1.5], [2.5]]),
        Tensor([1.5, 2.5]),
        Tensor([1.5, 2.5], "torch.bfloat16"),
        Negated([-1.5, -2.5]),
        OfCupy(),
        OfDlpack(),
        ArrayLike(),
    ],
    ids=lambda x: f"{type(x).__module__}.{type(x).__name__}-{getattr(x, 'dtype', '')}",
)
def test_whatever_holds_the_values(x: Any) -> None:
    values = column(x, "x")
    assert isinstance(values, np.ndarray)
    assert values.tolist() == [1.5, 2.5]
    assert values.dtype.isnative


def test_arrays_are_not_copied() -> None:
    x = np.array([1, 2])
    assert column(x, "x") is x


def test_a_sparse_tensor_is_refused() -> None:
    x = Tensor([1.5])
    x.layout = "torch.sparse_coo"
    with pytest.raises(InputError, match="to_dense"):
        column(x, "x")


def test_mixed_lists_are_not_turned_into_text() -> None:
    assert column([1, "a"], "x").tolist() == [1, "a"]
    assert column(["a", None], "x").tolist() == ["a", None]


def test_nothing_is_imported_for_arrays() -> None:
    code = (
        "import sys, numpy as np, rocsolid.inputs as inputs\n"
        "inputs.binary_rows([0, 1], np.array([.1, .2]), sample_weight=[1, 1], cluster=[1, 2])\n"
        "print([m for m in ('pandas', 'polars', 'torch', 'pyarrow', 'narwhals', 'scipy')"
        " if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


TEXT = pa.array([str(i % 7) for i in range(50)])
ARROW = [
    *(pa.array(range(50), type) for type in (pa.int8(), pa.uint64(), pa.float32(), pa.float64())),
    pa.array([i % 3 == 0 for i in range(50)]), TEXT, TEXT.cast(pa.large_string()),
    TEXT.dictionary_encode(), TEXT.cast(pa.binary()), pa.array(range(50), pa.timestamp("ns")),
    pa.DictionaryArray.from_arrays(pa.array([1, 0] * 25), pa.array([None, "a"])).take(
        pa.array([0] * 50)
    ),
]  # fmt: skip


@pytest.mark.parametrize("x", ARROW, ids=lambda x: str(x.type))
def test_arrow_columns_as_arrow_itself_converts_them(x: Any) -> None:
    for part in (x, x[3:], x[9:17], pa.chunked_array([x, x[5:9], x[:0], x[11:]])):
        whole = part if isinstance(part, pa.ChunkedArray) else pa.chunked_array([part])
        found, expected = column(part, "x"), whole.to_numpy()
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()


def test_a_parquet_file_is_read_without_pandas(tmp_path: Any) -> None:
    path = tmp_path / "t.parquet"
    names = ("y", "s", "text", "category")
    pq.write_table(pa.table([ARROW[4], ARROW[3], TEXT, ARROW[7]], names), path)
    code = (
        "import sys; from rocsolid.inputs import read_table; "
        f"read_table({str(path)!r}, labels=['y'], numbers=['s'], keys=['text', 'category']); "
        "print(*{'pandas', 'narwhals'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []

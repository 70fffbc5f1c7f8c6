"""Generated labels and scores of both classes, with every kind of awkward value."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

_FLOATS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 0.5, np.inf, -np.inf, 1e-310, 1e308, 0.1 + 0.2, 0.3]),
    st.floats(allow_nan=False),
    st.integers(-3, 3).map(float),
)


@st.composite
def labelled_scores(draw: st.DrawFn, max_size: int = 24) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Labels with at least one row of each class, and scores of a random type with many ties."""
    size = draw(st.integers(2, max_size))
    labels = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    at = draw(st.permutations(range(size)))
    labels[at[0]], labels[at[1]] = True, False
    kind = draw(st.sampled_from(["f8", "f8", "f8", "f4", "f2", "i8", "u8", "i1", "b"]))
    few = draw(st.booleans())
    values: Any
    if kind.startswith("f"):
        values = _FLOATS if not few else st.integers(0, 3).map(float)
    elif kind == "b":
        values = st.booleans()
    else:
        info = np.iinfo(kind)
        values = st.integers(0, 3) if few else st.integers(int(info.min), int(info.max))
    scores = draw(st.lists(values, min_size=size, max_size=size))
    dtype = "?" if kind == "b" else kind
    with np.errstate(over="ignore"):
        return np.array(labels), np.array(
            scores, dtype=np.float64 if kind[0] == "f" else dtype
        ).astype(dtype)

"""``df.rocsolid`` for dataframes of pandas and of Polars, after ``import rocsolid.frames``.

>>> import polars as pl
>>> import rocsolid.frames
>>> table = pl.DataFrame({"ill": [0, 0, 1, 1], "risk": [1, 2, 2, 3]})
>>> table.rocsolid.evaluate(label="ill", scores="risk").results[0].value
0.875
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

from rocsolid.evaluation.evaluate_table import evaluate
from rocsolid.evaluation.questions import certify, compare, concordance, curve

_VERBS: dict[str, Callable[..., Any]] = {
    "certify": certify, "compare": compare, "concordance": concordance, "curve": curve,
    "evaluate": evaluate,
}  # fmt: skip
_REGISTERS = (
    ("pandas.api.extensions", "register_dataframe_accessor"),
    ("polars.api", "register_dataframe_namespace"),
    ("polars.api", "register_lazyframe_namespace"),
)


class Verbs:
    """The functions of rocsolid that accept a table, with the dataframe as the table."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in _VERBS:
            raise AttributeError(f"df.rocsolid has no {name!r}; it has {', '.join(_VERBS)}")
        return functools.partial(_VERBS[name], self._frame)

    def __dir__(self) -> list[str]:
        return list(_VERBS)


for _home, _register in _REGISTERS:
    if importlib.util.find_spec(_home.partition(".")[0]) is not None:
        getattr(importlib.import_module(_home), _register)("rocsolid")(Verbs)

"""``df.rocsolid`` has the verbs of tables, with the same results."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocsolid as rs
import rocsolid.frames

RNG = np.random.default_rng(4)
DATA = {"y": np.arange(60) % 2, "a": np.arange(60) % 2 + RNG.normal(size=60)}
DATA["b"] = DATA["a"] + RNG.normal(size=60)
MADE = {"pandas": pd.DataFrame, "polars": pl.DataFrame}


@pytest.mark.parametrize("kind", MADE)
def test_same_as_the_function(kind: str) -> None:
    frame: Any = MADE[kind](DATA)
    answer = frame.rocsolid.evaluate(label="y", scores=["a", "b"])
    expected = rs.evaluate(frame, label="y", scores=["a", "b"])
    assert answer.to_dict() == expected.to_dict()
    assert frame.rocsolid.compare(["a", "b"], label="y").to_dict() == (
        rs.compare(frame, ["a", "b"], label="y").to_dict()
    )


def test_verbs_are_listed_and_accept_tables() -> None:
    verbs = pd.DataFrame(DATA).rocsolid
    assert dir(pl.LazyFrame(DATA).rocsolid) == dir(verbs)
    assert dir(verbs) == ["certify", "compare", "concordance", "curve", "evaluate"]
    for name in ("certify", "concordance", "curve"):
        assert str(getattr(verbs, name)(scores="a", label="y"))
    with pytest.raises(AttributeError, match=r"df.rocsolid has no 'auc'; it has certify, compare"):
        verbs.auc  # noqa: B018


def test_only_the_import_registers_and_either_library_may_be_missing() -> None:
    code = (
        "import sys, importlib.util as util; find = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'pandas' else find(name, *rest)\n"
        "import polars, rocsolid\n"
        "assert not hasattr(polars.DataFrame, 'rocsolid')\n"
        "import rocsolid.frames\n"
        "assert hasattr(polars.DataFrame, 'rocsolid') and 'pandas' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

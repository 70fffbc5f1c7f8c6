"""The works that a result of the theory rests on."""

from __future__ import annotations

import importlib

import numpy as np

import rocsolid as rs
from rocsolid.citations.found import WORKS_BY_TYPE


def test_a_learner() -> None:
    y = np.arange(120) % 2
    rows = np.random.default_rng(0).normal(size=(120, 3)) + y[:, None]
    scorer = rs.learners.AUCLeastSquares().fit(rows, y)
    assert "gao2013" in [entry.key for entry in rs.cite(scorer).entries]


def test_classes_that_have_works_exist() -> None:
    names = [name for name in WORKS_BY_TYPE if name.startswith("rocsolid.theory.")]
    assert len(names) == 11
    for name in names:
        module, _, of = name.rpartition(".")
        assert isinstance(getattr(importlib.import_module(module), of), type)

"""The works that a result of the theory rests on."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np

import rocsolid as rs
import rocsolid.theory
from rocsolid.citations.bibliography import by_key


def test_a_learner() -> None:
    y = np.arange(120) % 2
    rows = np.random.default_rng(0).normal(size=(120, 3)) + y[:, None]
    scorer = rs.learners.AUCLeastSquares().fit(rows, y)
    assert "gao2013" in [entry.key for entry in rs.cite(scorer).entries]


def test_classes_that_have_works_name_known_ones() -> None:
    """Twelve classes of the theory say which works they rest on."""
    words = [
        ast.literal_eval(each.value)
        for path in Path(rocsolid.theory.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "_cites"
    ]
    assert len(words) == 12
    for _, *keys in words:
        assert all(by_key(key).key == key for key in keys)

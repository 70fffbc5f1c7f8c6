"""Without scikit-learn the layer says how to get it."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rocsolid.sklearn
from rocsolid.errors import MissingExtraError, RocsolidError, how_to_install, require_scikit_learn

WITHOUT = """
import importlib.util as util
find = util.find_spec
util.find_spec = lambda name, *rest: None if name == "sklearn" else find(name, *rest)
import rocsolid
rocsolid.sklearn
"""


def test_names() -> None:
    assert rocsolid.sklearn.__all__ == sorted(rocsolid.sklearn.__all__)


def test_error_is_both_an_import_error_and_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    for kind in (ImportError, RocsolidError):
        with pytest.raises(kind, match=r"pip install .\.\[learn\]. in a clone"):
            require_scikit_learn("rocsolid.sklearn")


def test_first_use_without_scikit_learn() -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].endswith(
        f"{MissingExtraError.__name__}: rocsolid.sklearn needs scikit-learn, which is not "
        f"installed. Fix: {how_to_install('learn')}."
    )

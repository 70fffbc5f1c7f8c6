"""A pytest plugin that puts rocsolid's functions in the place of scikit-learn's.

Used as ``pytest -p sklearn_plugin --pyargs sklearn.metrics.tests.test_ranking`` with this folder on
PYTHONPATH. Before any test module is imported, every module of scikit-learn that holds one of the
functions is given rocsolid's instead. The last lines of the run say how often each was called by
the tests, and whether a test module still holds one of the originals: a run in which nothing was
replaced must not pass for a proof.
"""

from __future__ import annotations

import functools
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import sklearn.metrics
import sklearn.metrics._ranking

import rocsolid.sklearn

# the drop-ins: what is ours alone has no original
NAMES = tuple(name for name in rocsolid.sklearn.__all__ if hasattr(sklearn.metrics, name))
ORIGINALS = {name: getattr(sklearn.metrics, name) for name in NAMES}
CALLS: Counter[str] = Counter()


def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        CALLS[name] += 1
        return function(*args, **kwargs)

    return call


def holders(original: Callable[..., Any]) -> list[tuple[str, str]]:
    """Where scikit-learn holds a function: pairs of a module and a name in it."""
    return [
        (module_name, name)
        for module_name, module in list(sys.modules.items())
        if module_name.startswith("sklearn.")
        for name, value in list(vars(module).items())
        if value is original
    ]


def pytest_configure() -> None:
    for name, original in ORIGINALS.items():
        ours = counted(name, getattr(rocsolid.sklearn, name))
        for module_name, attribute in holders(original):
            setattr(sys.modules[module_name], attribute, ours)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name in NAMES:
        terminalreporter.write_line(f"rocsolid called: {name} {CALLS[name]}")
    for name, original in ORIGINALS.items():
        for module_name, attribute in holders(original):
            terminalreporter.write_line(f"original left: {name} as {module_name}.{attribute}")

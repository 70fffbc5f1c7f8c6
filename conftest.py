"""Load the public packages before pytest collects examples from their files.

pytest imports a file by its path. If that is the first import of its package, it puts the module
over the function of the same name (`rs.leaks.exposure`) that the package had just bound.
A measure that an example or a test registers is gone after it.
"""

from __future__ import annotations

import pytest

import rocsolid
from rocsolid.measures import named

for name in rocsolid.__all__:
    getattr(rocsolid, name)


@pytest.fixture(autouse=True)
def _measures_of_one_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named, "_REGISTERED", dict(named._REGISTERED))

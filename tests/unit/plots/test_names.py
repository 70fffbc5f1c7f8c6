"""The pictures are found when they are used, and say what is missing."""

from __future__ import annotations

import pytest

import rocsolid as rs
from rocsolid.errors import MissingExtraError, how_to_install


def test_every_name_is_there() -> None:
    assert dir(rs.plots) == rs.plots.__all__ == sorted(rs.plots.__all__)
    for name in rs.plots.__all__:
        assert callable(getattr(rs.plots, name))
    with pytest.raises(AttributeError, match="has no attribute 'pie'"):
        _ = rs.plots.pie


def test_without_matplotlib_they_say_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.delattr(rs.plots, "roc", raising=False)
    with pytest.raises(MissingExtraError, match=r"rocsolid\.plots\.roc needs matplotlib.*") as no:
        _ = rs.plots.roc
    assert no.value.fix == how_to_install("plot")

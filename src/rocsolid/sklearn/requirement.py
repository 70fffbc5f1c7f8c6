"""What this layer needs beyond a plain install."""

from __future__ import annotations

import importlib.util

from rocsolid.errors import RocsolidError


class MissingExtraError(RocsolidError, ImportError):
    """A package that an extra of rocsolid brings is not installed."""


def require_scikit_learn() -> None:
    """Raise an error that names the extra where scikit-learn is missing."""
    if importlib.util.find_spec("sklearn") is None:
        raise MissingExtraError(
            "rocsolid.sklearn needs scikit-learn, which is not installed",
            fix="pip install rocsolid[learn]",
        )

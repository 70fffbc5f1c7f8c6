"""One comparison for the whole folder: rocsolid's function and scikit-learn's, side by side."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sklearn.metrics

import rocsolid.sklearn


def outcome(function: Callable[..., Any], args: Any, kwargs: Any) -> tuple[str, Any, list[Any]]:
    """What a call did: its value or its error, and its warnings, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            kind, result = "value", function(*args, **kwargs)
        except Exception as error:
            kind, result = "error", (type(error), _in_order(str(error)))
    return kind, result, list(dict.fromkeys((w.category, str(w.message)) for w in caught))


def _in_order(message: str) -> str:
    """Options in braces sorted: scikit-learn prints a set, whose order differs from run to run."""
    return re.sub(
        r"\{([^}]*)\}", lambda found: "{" + ", ".join(sorted(found[1].split(", "))) + "}", message
    )


def assert_same(name: str, *args: Any, **kwargs: Any) -> None:
    """The same value to 1e-12 and of the same type, or the same error, and the same warnings."""
    kind, ours, our_warnings = outcome(getattr(rocsolid.sklearn, name), args, kwargs)
    their_kind, theirs, their_warnings = outcome(getattr(sklearn.metrics, name), args, kwargs)
    assert (kind, our_warnings) == (their_kind, their_warnings), (ours, theirs)
    if kind == "error":
        assert ours == theirs
        return
    assert type(ours) is type(theirs)
    our_parts, their_parts = (x if isinstance(x, tuple) else (x,) for x in (ours, theirs))
    assert len(our_parts) == len(their_parts)
    for our, their in zip(our_parts, their_parts, strict=True):
        assert np.asarray(our).dtype == np.asarray(their).dtype
        np.testing.assert_allclose(
            np.asarray(our, float), np.asarray(their, float), rtol=1e-12, atol=1e-12
        )


@pytest.fixture(scope="session")
def same() -> Callable[..., None]:
    """``same(name, *args, **kwargs)`` asserts that both functions do the same."""
    return assert_same

"""What arguments are asked to be."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from rocsolid.arguments import flag, one_of, whole
from rocsolid.errors import InputError


@pytest.mark.parametrize("value", [True, np.True_, 2.0, "3", None, 1, np.int64(1)])
def test_what_is_no_whole_number_or_too_small_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"not a whole number of at least 2.*\(k\)"):
        whole(value, "k", 2)


def test_a_whole_number_becomes_one_of_python() -> None:
    assert type(whole(np.int8(5), "k")) is int
    assert whole(10**30, "k", 10**30) == 10**30


def test_a_name_is_known_or_the_known_ones_are_listed() -> None:
    assert one_of(0, ("exclude", 0), "empty") == 0
    with pytest.raises(
        InputError, match=re.escape('unknown empty: 2 (empty). Fix: use "a", 0 or 1.')
    ):
        one_of(2, ("a", 0, 1), "empty")


@pytest.mark.parametrize("value", ["no", None, 2])
def test_a_flag_is_true_or_false(value: Any) -> None:
    assert flag(False, "paired") is False
    with pytest.raises(InputError, match="paired must be True or False"):
        flag(value, "paired")

"""What readers of some published numbers know, against a list of all labelings."""

from __future__ import annotations

import itertools
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rocsolid.evaluation.public import exact_readers
from rocsolid.leaks.curve_exposure import curve_exposure


def published(value: Fraction, decimals: int) -> Any:
    """A result as far as it is read: its text and decimals."""
    shown = float(round(value * 10**decimals)) / 10**decimals
    return SimpleNamespace(text=f"{shown:.{decimals}f}", decimals=decimals)


def doubled_wins(labels: np.ndarray, score: np.ndarray) -> int:
    pos, neg = score[labels], score[~labels]
    return int((pos[:, None] > neg).sum() + (pos[:, None] >= neg).sum())


@pytest.mark.parametrize("decimals", [1, 2])
def test_rank_sums_are_those_whose_auc_rounds_to_the_value(decimals: int) -> None:
    """A half goes to the even last digit, so that one end of the range is left out."""
    halves = 0
    for m, n in itertools.product(range(1, 8), range(1, 8)):
        pairs = 2 * m * n
        for wins in range(pairs + 1):
            result = published(Fraction(wins, pairs), decimals)
            alike = [
                m * (m + 1) + other
                for other in range(pairs + 1)
                if round(Fraction(other, pairs) * 10**decimals)
                == round(Fraction(wins, pairs) * 10**decimals)
            ]
            assert list(exact_readers.rank_sums(result, m, n)) == alike
            halves += Fraction(wins, pairs) * 10**decimals % 1 == Fraction(1, 2)
    assert halves


@pytest.mark.parametrize("seed", range(4))
def test_a_segment_of_unknown_class_sizes_is_joined_with_all_positives(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_readers, "SEGMENT_ROWS", 2)
    rng = np.random.default_rng(seed)
    n, n_pos, rows = 11, 5, 7
    score = rng.integers(0, 6, n).astype(float)
    truth = np.isin(np.arange(n), [0, 2, 3, 7, 8])
    sizes = int(truth[:rows].sum()), rows - int(truth[:rows].sum())
    auc = Fraction(doubled_wins(truth[:rows], score[:rows]), 2 * sizes[0] * sizes[1])
    fitting = []
    for positive in itertools.combinations(range(n), n_pos):
        labels = np.isin(np.arange(n), positive)
        inside = labels[:rows]
        if min(inside.sum(), (~inside).sum()) < 2:
            continue
        pairs = 2 * int(inside.sum()) * int((~inside).sum())
        here = Fraction(doubled_wins(inside, score[:rows]), pairs)
        if round(10 * here) == round(10 * auc):
            fitting.append(inside)
    question = exact_readers._segment(score[:rows], published(auc, 1), n_pos, n)
    exposed = curve_exposure(question)
    assert exposed is not None
    order = np.argsort(-score[:rows], kind="stable")
    np.testing.assert_allclose(exposed.probability, np.mean(fitting, axis=0)[order], rtol=1e-12)

"""All labelings that fit a released AUC, found by trying every one: the reference for small n."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st


def exact_auc(labels: Any, scores: Any) -> Fraction:
    """By comparing every pair."""
    pos = [s for s, y in zip(scores, labels, strict=True) if y]
    neg = [s for s, y in zip(scores, labels, strict=True) if not y]
    twice = sum((p > q) + (p >= q) for p in pos for q in neg)
    return Fraction(int(twice), 2 * len(pos) * len(neg))


def fitting(
    auc: Fraction,
    scores: Any,
    n_pos: Any = None,
    decimals: int | None = None,
    known: Mapping[int, int] | None = None,
) -> list[tuple[int, ...]]:
    """Every labeling with this AUC (to so many decimals), in the order that is promised."""
    n = len(scores)
    sizes = range(1, n) if n_pos is None else [n_pos] if isinstance(n_pos, int) else n_pos
    half = 0 if decimals is None else Fraction(1, 2 * 10**decimals)
    found = [
        labels
        for labels in itertools.product((1, 0), repeat=n)
        if 0 < sum(labels) < n
        and sum(labels) in sizes
        and all(labels[row] == label for row, label in (known or {}).items())
        and abs(exact_auc(labels, scores) - auc) <= half
    ]
    order = sorted(range(n), key=lambda row: (-scores[row], row))
    return sorted(found, key=lambda labels: [labels[row] for row in order], reverse=True)


def gives(label: Mapping[str, int], table: Mapping[str, Any], page: Any) -> bool:
    """Return whether labels by name give the page: JSON, or a text with an AUC."""
    times = table.get("f", [1] * len(table["id"]))
    rows = [at for at, count in enumerate(times) for _ in range(count)]
    labels = [label[table["id"][at]] for at in rows]
    if isinstance(page, str):
        score, auc, _, n_pos = page.replace(",", "=").split("=")
        at = [table[score][row] for row in rows]
        return 0 < sum(labels) == int(n_pos) and exact_auc(labels, at) == Fraction(auc)
    for result in page["results"]:
        at = [table[result["score"]][row] for row in rows]
        if sum(labels) != result["n_pos"]:
            return False
        if round(exact_auc(labels, at), result["decimals"]) != Fraction(str(result["value"])):
            return False
    for curve in page["curves"]:
        falling = sorted(rows, key=lambda row: -table[curve["score"]][row])
        for above, low, high in zip(
            curve["rows_above"], curve["positives_from"], curve["positives_to"], strict=True
        ):
            if not low <= sum(label[table["id"][row]] for row in falling[:above]) <= high:
                return False
    return True


@st.composite
def questions(draw: st.DrawFn, max_size: int = 9) -> tuple[Fraction, list[int], dict[str, Any]]:
    """A released AUC, scores with many or few ties, and what else is known; most have answers."""
    n = draw(st.integers(2, max_size))
    scores = draw(
        st.lists(st.integers(0, draw(st.sampled_from([1, 3, 30]))), min_size=n, max_size=n)
    )
    truth = draw(
        st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda y: len(set(y)) > 1)
    )
    auc = exact_auc(truth, scores)
    more: dict[str, Any] = {}
    size = sum(truth)
    more["n_pos"] = draw(st.sampled_from([None, size, range(1, size + 1), [size, n - 1]]))
    if draw(st.booleans()):
        more["decimals"] = draw(st.integers(0, 3))
        auc = Fraction(round(auc, more["decimals"]))
    rows = draw(st.lists(st.integers(0, n - 1), max_size=3, unique=True))
    more["known"] = {row: truth[row] for row in rows}
    if draw(st.integers(0, 9)) == 0:
        auc = draw(st.fractions(0, 1, max_denominator=40))
    return auc, scores, more

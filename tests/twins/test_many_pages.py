"""Pages as integers against pages as they are published: the same labelings fall together."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import RocsolidError
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.many_pages import ManyPages, in_integers
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.public.relabelled import as_published, relabelled

CHOICES = [Coarseness(1), Coarseness(1, curve=2, decimals=1), Coarseness(1, curve=0, limits=False)]


def as_json(evaluation: Any, labels: np.ndarray, coarseness: Coarseness) -> str:
    try:
        page = without_audit(relabelled(evaluation, labels), coarseness)
    except RocsolidError:
        return ""
    return json.dumps(page.to_dict(), default=str)


@pytest.mark.parametrize(
    ("n", "n_pos", "values", "more"),
    [
        (12, 4, 5, {}),
        (12, 6, 12, {"interval": "delong"}),
        (13, 5, 3, {"interval": "logit-t", "level": 0.8}),
        (44, 21, 44, {}),
        (44, 21, 6, {"alternative": "greater"}),
        (12, 4, 12, {"interval": "hinge"}),
    ],
)
def test_integers_are_equal_where_the_pages_are(
    n: int, n_pos: int, values: int, more: dict[str, Any]
) -> None:
    rng = np.random.default_rng(n + values)
    score = rng.integers(0, values, n) if values < n else rng.permutation(n)
    truth = np.arange(n) < n_pos
    found = as_published(rs.evaluate({"y": truth, "s": score}, label="y", scores="s", **more).basis)
    assert in_integers(found)
    labels = np.array([rng.permutation(truth) for _ in range(60)])
    labels[1::2] = labels[::2]
    for row in labels[1::2]:  # so that some pages are the same: one exchange of near rows
        pos, neg = rng.choice(np.flatnonzero(row)), rng.choice(np.flatnonzero(~row))
        row[[pos, neg]] = row[[neg, pos]]
    pages = ManyPages(found, labels)
    for coarseness in CHOICES:
        keys = pages.keys(coarseness).tolist()
        texts = [as_json(found, row, coarseness) for row in labels]
        assert len({*zip(keys, texts, strict=True)}) == len({*keys}) == len({*texts})
        assert [key < 0 for key in keys] == [not text for text in texts]
        as_first = [bool(text) and text == texts[0] for text in texts]
        assert pages.as_first(coarseness).tolist() == as_first

"""Each sentence about the page, checked by trying every labeling."""

from __future__ import annotations

import contextlib
import itertools
from collections import defaultdict
from collections.abc import Hashable
from typing import Any, get_args

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.engines.memory import summarise
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import binary_rows
from rocsolid.intervals.guarantees import hinge
from rocsolid.leaks.page_leaks import Item, page

UNTIED = [3, 1, 4, 15, 9, 2, 6, 5]
TIED = [1, 1, 2, 2, 3, 3, 4, 4]
OTHER = [2, 7, 1, 8, 9, 4, 5, 3]
Parts = dict[Hashable, list[tuple[int, ...]]]


def published(labels: Any, scores: Any) -> dict[str, Hashable]:
    """What the page says of one labeling, item by item."""
    estimate, roc = rs.auc(labels, scores), rs.roc(labels, scores)
    moments = summarise(binary_rows(labels, scores)).moments
    points = [roc.at(threshold=threshold) for threshold in (3, 4)]
    pair = rs.compare(labels, {"a": scores, "b": OTHER}).pairs[0]
    assert estimate.std_error is not None
    proven = hinge(estimate.value, estimate.n_pos, estimate.n_neg)
    items: dict[str, Hashable] = {
        "std_error": round(estimate.std_error, 12),
        "interval": (round(estimate.low, 12), round(estimate.high, 12)),
        "certified interval": (round(proven.low, 12), round(proven.high, 12)),
        "ties": estimate.ties,
        "fingerprint": estimate.fingerprint,
        "path": (tuple(roc.fpr.round(9)), tuple(roc.tpr.round(9))),
        "positive ranks": tuple(np.sort(roc.positive_ranks).round(12)),
        "rank bins": tuple(roc.rank_histogram(100)[1]),
        "operating points": tuple((p.true_positives, p.false_positives) for p in points),
        "differences": (round(pair.difference, 12), round(pair.p_value, 12)),
        "sample sizes": (round(float(moments.var_pos), 12), round(float(moments.var_neg), 12)),
        "band": (tuple(roc.band().low.round(10)), tuple(roc.band().high.round(10))),
    }
    shown = (estimate.exact, estimate.n_pos)
    return {"auc": shown, **{name: (*shown, value) for name, value in items.items()}}


def told_apart(scores: list[int]) -> dict[str, Parts]:
    """Labelings by the AUC and class sizes, and by these with one more item of the page."""
    parts: dict[str, Parts] = defaultdict(lambda: defaultdict(list))
    for labels in itertools.product((0, 1), repeat=len(scores)):
        if 2 <= sum(labels) <= len(scores) - 2:
            for name, value in published(labels, scores).items():
                parts[name][value].append(labels)
    return parts


@pytest.fixture(scope="module")
def untied() -> dict[str, Parts]:
    return told_apart(UNTIED)


@pytest.fixture(scope="module")
def tied() -> dict[str, Parts]:
    return told_apart(TIED)


def gives(item: Item) -> str:
    return page([item]).findings[0].gives


@pytest.mark.slow
@pytest.mark.parametrize("item", ["path", "positive ranks", "band"])
def test_the_curve_gives_every_label_but_the_order_within_ties(
    item: Item, untied: dict[str, Parts], tied: dict[str, Parts]
):
    assert gives(item) == "every label"
    assert max(map(len, untied[item].values())) == 1
    scores = np.array(TIED)
    for part in tied[item].values():
        blocks = {tuple(np.array(y)[scores == s].sum() for s in np.unique(scores)) for y in part}
        assert len(blocks) == 1


def test_bins_finer_than_the_negatives_give_the_curve(untied: dict[str, Parts]):
    assert max(map(len, untied["rank bins"].values())) == 1


@pytest.mark.parametrize("item", ["operating points", "differences", "sample sizes"])
def test_these_are_further_equations(item: Item, untied: dict[str, Parts], tied: dict[str, Parts]):
    assert gives(item) == "equation"
    for parts in (untied, tied):
        assert len(parts[item]) > 1.5 * len(parts["auc"])


def test_sample_sizes_tell_more_than_the_standard_error(untied: dict[str, Parts]):
    assert len(untied["sample sizes"]) > len(untied["std_error"])


@pytest.mark.parametrize("item", ["std_error", "interval"])
def test_the_standard_error_rules_out_labelings_that_the_auc_leaves(
    item: Item, untied: dict[str, Parts], tied: dict[str, Parts]
):
    assert gives(item) == "equation"
    for parts in (untied, tied):
        assert len(parts[item]) > 1.5 * len(parts["auc"])


def test_an_interval_says_as_much_as_the_standard_error(untied: dict[str, Parts]):
    errors: Parts = defaultdict(list)
    for key, part in untied["auc"].items():
        for labels in part:
            with contextlib.suppress(UnsoundError):
                found = rs.auc(labels, UNTIED, interval="logit-t")
                assert found.std_error is not None
                errors[key, round(found.low, 10)].append((round(found.std_error, 9),))
    assert len(errors) > len(untied["auc"])
    assert {len(set(found)) for found in errors.values()} == {1}


def test_ties_are_an_equation_only_if_there_are_any(
    untied: dict[str, Parts], tied: dict[str, Parts]
):
    assert gives("ties") == "equation"
    assert len(untied["ties"]) == len(untied["auc"])
    assert len(tied["ties"]) > len(tied["auc"])


@pytest.mark.parametrize("item", ["certified interval", "fingerprint"])
def test_these_add_nothing(item: Item, untied: dict[str, Parts], tied: dict[str, Parts]):
    shown = hinge(0.75, 4, 4) if item == "certified interval" else item
    assert page([shown]).findings[0].gives == "nothing"
    for parts in (untied, tied):
        assert len(parts[item]) == len(parts["auc"])


def test_a_certified_interval_by_placements_is_a_further_equation() -> None:
    """The same AUC of 4/5 twice on 200 and 20,000 rows, and two different intervals."""
    found = []
    for above in (np.full(200, 0.8), np.repeat([1.0, 0.6], 100)):
        scores = np.concatenate([np.arange(20_000.0), 20_000 * above - 0.5])
        found.append(rs.auc(np.arange(20_200) >= 20_000, scores))
    one, other = found
    assert (one.exact, one.n_pos) == (other.exact, other.n_pos)
    assert one.certified is not None
    assert other.certified is not None
    assert str(one.certified) != str(other.certified)
    (finding,) = page([one.certified]).findings
    assert finding.gives == "equation"
    assert "the placement of each row of the smaller class" in finding.sentence


def test_a_name_alone_does_not_claim_that_an_interval_adds_nothing() -> None:
    assert gives("certified interval") == gives("interval") == "equation"


def test_a_partial_area_and_its_certified_interval_are_further_equations(
    untied: dict[str, Parts],
) -> None:
    assert gives("partial areas") == "equation"
    value, both = set(), set()
    for parts in untied["auc"].values():
        for labels in parts:
            shown = rs.auc(labels, UNTIED)
            part = rs.partial_auc(labels, UNTIED, fpr=0.5)
            assert part.certified is not None
            limits = round(part.certified.low, 10), round(part.certified.high, 10)
            value.add((shown.exact, shown.n_pos, round(part.value, 10)))
            both.add((shown.exact, shown.n_pos, round(part.value, 10), limits))
    assert len(value) > 1.5 * len(untied["auc"])
    assert len(both) > len(value)


@pytest.mark.parametrize(
    "option", [{"sample_weight": [1, 2, 1, 2, 1, 2, 1, 2]}, {"cluster": [0, 0, 0, 1, 1, 2, 3, 4]}]
)
def test_with_weights_or_clusters_the_certified_interval_is_an_equation(
    option: dict[str, Any], untied: dict[str, Parts]
) -> None:
    alone, both = set(), set()
    for parts in untied["auc"].values():
        for labels in parts:
            found = rs.auc(
                labels, UNTIED, level=0.1, design="fixed", **option
            )  # else it says nothing
            assert found.certified is not None
            assert page([found.certified]).findings[0].gives == "equation"
            limits = round(found.certified.low, 10), round(found.certified.high, 10)
            alone.add((round(found.value, 12), found.n_pos))
            both.add((round(found.value, 12), found.n_pos, limits))
    assert len(both) > len(alone)


def test_an_unknown_item_is_named_with_those_there_are():
    with pytest.raises(InputError, match=r"no such item: 'labels' .*fingerprint"):
        page(["labels"])  # type: ignore[list-item]


def test_all_items_are_covered():
    every = page()
    assert [finding.item for finding in every.findings] == list(get_args(Item))
    assert len(str(every).splitlines()) == len(every.sentences) == len(every.findings)

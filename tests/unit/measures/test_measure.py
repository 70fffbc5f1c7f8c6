"""What every measure is, whatever its sample: a name, a range, an estimate, and influences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.concordance import OrderedRows
from rocsolid.binary.estimate import Options
from rocsolid.binary.multiclass_auc import class_rows
from rocsolid.comparison.options import compared_by
from rocsolid.inputs import binary_rows
from rocsolid.inputs.folds import folds_of
from rocsolid.inputs.models import outcome_rows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.concordance import Concordance, OutcomeScore
from rocsolid.measures.folded import APART, ScoredFolds, folded
from rocsolid.measures.measure import Measure
from rocsolid.measures.multiclass import multiclass
from rocsolid.measures.named import measure_of
from rocsolid.measures.partition import ScoredGroups
from rocsolid.measures.unit_mean import UnitMean
from rocsolid.measures.whole_area import WholeArea
from rocsolid.measures.within import within

Case = tuple[Measure, list[Any]]
SIZE = 120
RNG = np.random.default_rng(4)
CODE = np.arange(SIZE) % 3
COLUMNS = [CODE + RNG.normal(size=SIZE) for _ in range(2)]


def of_rows(name: str) -> Case:
    return measure_of(name), [ScoredRows(binary_rows(CODE > 0, one)) for one in COLUMNS]


def of_outcomes() -> Case:
    named = {str(place): one for place, one in enumerate(COLUMNS)}
    rows = OrderedRows.of(outcome_rows(CODE, named))
    return Concordance(), [OutcomeScore(rows, name) for name in named]


def of_classes() -> Case:
    every = [np.eye(3)[CODE] + RNG.normal(size=(SIZE, 3)) for _ in range(2)]
    return multiclass(WholeArea()), [class_rows(CODE, one) for one in every]


def of_folds() -> Case:
    folds = folds_of(np.arange(SIZE) // 3 % 4)
    rows = [binary_rows(CODE > 0, one) for one in COLUMNS]
    return folded(WholeArea()), [ScoredFolds(one, folds) for one in rows]


def of_groups() -> Case:
    rows = [binary_rows(CODE > 0, one) for one in COLUMNS]
    return within(WholeArea()), [ScoredGroups(one, np.arange(SIZE) // 30) for one in rows]


def of_units() -> Case:
    return UnitMean("RR"), [RNG.random(30) for _ in range(2)]


CASES: dict[str, Callable[[], Case]] = {
    "auc": lambda: of_rows("auc"),
    "partial area": lambda: of_rows("partial_auc(fpr<=0.3)"),
    "outcomes": of_outcomes,
    "classes": of_classes,
    "folds": of_folds,
    "groups": of_groups,
    "units": of_units,
}


@pytest.mark.parametrize("kind", CASES)
def test_the_influences_give_the_standard_error(kind: str) -> None:
    measure, samples = CASES[kind]()
    estimates = [measure.estimate(one, Options()) for one in samples]
    spread = measure.spread(samples)
    assert spread is not None
    errors = np.sqrt(np.diag(spread.covariance()))
    known = [estimate.std_error for estimate in estimates]
    if kind == "folds":  # of learners, and with what both classes count of a pair's spread
        assert errors == pytest.approx(np.array(known) * np.sqrt(APART), rel=0.2)
    else:
        assert errors == pytest.approx(known, rel=1e-6)
    assert all(float(stratum.influence.sum()) == pytest.approx(0.0) for stratum in spread.strata)
    low, high = measure.range
    assert all(low <= estimate.value <= high for estimate in estimates)
    assert measure.name == estimates[0].measure
    assert measure.words
    assert measure.parameters == () or kind == "partial area"


@pytest.mark.parametrize("kind", CASES)
def test_one_function_leads_to_every_comparison(kind: str) -> None:
    measure, samples = CASES[kind]()
    compared = compared_by(measure, dict(zip("ab", samples, strict=True)), Options())
    assert compared.names == ("a", "b")
    assert compared.measure_name == measure.name
    assert compared.known.covariance().shape == (2, 2)


def test_several_classes_have_the_area_alone() -> None:
    with pytest.raises(rs.UnsoundError, match="several classes have no formula"):
        multiclass(measure_of("pr_auc"))

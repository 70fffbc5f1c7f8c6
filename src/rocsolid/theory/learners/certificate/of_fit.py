"""Fitting on one part of the rows and certification on the rest."""

from __future__ import annotations

import copy
import inspect
import itertools
import sys
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.inference import Design
from rocsolid.certificates.certificate import Certificate
from rocsolid.certificates.new_rows import CertificateQuestion, new_rows
from rocsolid.certificates.of_scorer import CertifiedGrid, checked, of_many
from rocsolid.certificates.repeats import repeats, row_hashes
from rocsolid.certificates.scores_of import name_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.inputs import check_lengths, column, positives
from rocsolid.inputs.arrays import scores as numbers
from rocsolid.inputs.graded_rows import grades
from rocsolid.remarks.tables import FittedOn
from rocsolid.results import Alternative
from rocsolid.results.card import Carded
from rocsolid.results.plain import one_line
from rocsolid.theory.learners.certificate.split import Index, rows_of, split_groups, split_rows
from rocsolid.weights import Weight

Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class FittedScorer(Carded):
    """A scorer fitted on some rows, with its certificate from the others.

    ``fitted`` and ``held_out`` are the positions of the rows. ``parameters`` contains the values
    chosen by ``select``, and ``grid`` the certificates of all settings.
    """

    scorer: Any
    certificate: Certificate
    fitted: Index
    held_out: Index
    parameters: Settings = field(default_factory=dict)
    grid: CertifiedGrid | None = None

    __repr__ = one_line

    def __str__(self) -> str:
        if not self.parameters:
            return str(self.certificate)
        return f"{self.certificate}; chosen: {_text(self.parameters)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "certificate": self.certificate.to_dict(),
            "n_fitted": len(self.fitted),
            "n_held_out": len(self.held_out),
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "grid": None if self.grid is None else self.grid.to_dict(),
        }


def fit_certify(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    split: float = 0.5,
    seed: int = 0,
    select: Mapping[str, Sequence[Any]] | Sequence[Settings] | None = None,
    qid: Any = None,
    measure: str | Weight | GradedMeasure = "auc",
    level: float = 0.95,
    bound: str = "auto",
    alternative: Alternative = "greater",
    design: Design = None,
    sample_weight: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
) -> FittedScorer:
    """Fit a copy of an estimator on a share ``split`` of the rows and certify it on the rest.

    The rows are divided at random: a share of each class, or with ``qid`` or ``cluster`` whole
    queries or clusters. Rows of one case are not independent; give them a ``cluster``. The returned
    scorer is fitted on its part alone.

    ``select`` chooses parameters by the best lower limit: a mapping of names to values, all
    combinations of which are tried, or a list of settings. Each of K settings is fitted on the same
    part and certified at (1 − ``level``)/K, which adds ln K.

    >>> from types import SimpleNamespace
    >>> class Centre:
    ...     def __init__(self, power=1): self.power = power
    ...     def get_params(self, deep=True): return {"power": self.power}
    ...     def set_params(self, **given): return Centre(**given)
    ...     def fit(self, X, y):
    ...         self.w = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    ...         return self
    ...     def decision_function(self, X): return (X @ self.w) ** self.power
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(2000) % 2
    >>> X = rng.normal(size=(2000, 3)) + y[:, None]
    >>> fitted = fit_certify(Centre(), X, y, select={"power": [1, 2]})
    >>> print(fitted)
    AUC 0.8748, certified at least 0.8439 at 95 % (cuts), one of 2 candidates,
    500 positives and 500 negatives, better than chance; chosen: power=1
    """
    settings = _settings(select)
    question = checked(measure, bound, level, len(settings), alternative, design, qid)
    fit, rest, groups = _divided(question, y, qid, cluster, pos_label, split, seed)
    check_lengths({"y": len(fit) + len(rest), "X": _length(X)})
    per_row = {"qid": qid, "sample_weight": sample_weight, "cluster": cluster}
    held = {
        name: None if values is None else rows_of(values, rest) for name, values in per_row.items()
    }
    rows = new_rows(
        question, rows_of(X, rest), rows_of(y, rest), held["qid"], held["sample_weight"],
        held["cluster"], pos_label, lower_is_better=False,
    )  # fmt: skip
    fitted_X, fitted_y = rows_of(X, fit), rows_of(y, fit)
    own = {
        name: rows_of(values, fit)
        for name, values in (("qid", qid), ("sample_weight", sample_weight))
        if values is not None
    }
    scorers = {
        _text(setting) or name_of(estimator): _fitted(estimator, setting, fitted_X, fitted_y, own)
        for setting in settings
    }
    total = len(fit) + len(rest)
    how_split = (
        f"by a split: fitted on {len(fit):,} of {total:,} rows, {groups} drawn at random with seed "
        f"{seed}, and certified on the others"
    )
    selection = of_many(scorers, rows, question, split=how_split)
    if qid is None and cluster is None:
        again = repeats(row_hashes(fitted_X), row_hashes(rows.X))
        if again.matched:
            selection = selection.warned(FittedOn(len(again.positions), again.rows))
    chosen = dict(zip(scorers, settings, strict=True))[selection.best]
    return FittedScorer(
        scorers[selection.best],
        selection.certificate,
        fit,
        rest,
        chosen,
        None if select is None else selection,
    )


def _divided(
    question: CertificateQuestion,
    y: Any,
    qid: Any,
    cluster: Any,
    pos_label: Any,
    split: float,
    seed: int,
) -> tuple[Index, Index, str]:
    if question.of_lists:
        grades(y)
        if qid is None:
            raise InputError(
                "a measure of ranked lists needs the query of each row",
                where="qid",
                fix="pass qid=",
            )
        check_lengths({"y": len(column(y, "y")), "qid": len(column(qid, "qid"))})
        return *split_groups(qid, "qid", split, seed), "whole queries"
    ordered = question.of_outcomes is not None
    label = numbers(y, name="y") if ordered else positives(y, pos_label=pos_label)
    if cluster is None:
        return *split_rows(label, split, seed), "a share of each class"
    check_lengths({"y": len(label), "cluster": len(column(cluster, "cluster"))})
    return *split_groups(cluster, "cluster", split, seed), "whole clusters"


def _settings(select: Mapping[str, Sequence[Any]] | Sequence[Settings] | None) -> list[Settings]:
    if select is None:
        return [{}]
    combinations: list[Settings] = []
    if isinstance(select, Mapping):
        for name, values in select.items():
            if isinstance(values, str) or not hasattr(values, "__len__") or not len(values):
                raise InputError(
                    "a parameter needs a list of values to choose from",
                    where=f"select, {name}",
                    value=values,
                )
        combined = itertools.product(*select.values())
        combinations = [dict(zip(select, values, strict=True)) for values in combined]
    else:
        combinations = [dict(setting) for setting in select]
    if not combinations or len({_text(setting) for setting in combinations}) < len(combinations):
        raise InputError(
            "there are no settings to choose from, or one is repeated",
            where="select",
            value=[_text(setting) for setting in combinations],
        )
    return combinations


def _fitted(
    estimator: Any, settings: Settings, X: Any, y: Any, own: Mapping[str, NDArray[Any]]
) -> Any:
    fresh = _fresh(estimator)
    if settings:
        fresh = fresh.set_params(**settings)
    known = inspect.signature(fresh.fit).parameters
    if "sample_weight" in own and "sample_weight" not in known:
        raise InputError(
            f"{name_of(estimator)}.fit takes no sample_weight",
            where="sample_weight",
            fix="fit it yourself on a part of the rows, and certify it on the others",
        )
    # a scorer of single rows has no use for the queries
    scorer = fresh.fit(X, y, **{name: values for name, values in own.items() if name in known})
    return fresh if scorer is None else scorer


def _fresh(estimator: Any) -> Any:
    """Return an unfitted copy, because an earlier fit may have used the certification rows."""
    for name in ("fit", "get_params", "set_params"):
        if isinstance(estimator, type) or not callable(getattr(estimator, name, None)):
            raise InputError(
                "not an estimator that can be fitted",
                where="estimator",
                value=estimator,
                fix="pass an object with fit, get_params and set_params, as in scikit-learn, or "
                "fit a scorer yourself and use certify",
            )
    sklearn = sys.modules.get("sklearn.base")  # loaded if the estimator is one of its kind
    if sklearn is not None and isinstance(estimator, sklearn.BaseEstimator):
        return sklearn.clone(estimator)
    return type(estimator)(**copy.deepcopy(estimator.get_params(deep=False)))


def _length(X: Any) -> int:
    shape = getattr(X, "shape", None)
    return int(shape[0]) if shape else len(X)


def _text(settings: Settings) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in settings.items())


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, str | int | float | bool | None) else repr(value)

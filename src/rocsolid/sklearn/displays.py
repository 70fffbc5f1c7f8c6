"""scikit-learn's displays of curves, with a band and an interval of the area."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from textwrap import fill
from typing import Any, ClassVar

import numpy as np
from sklearn import metrics
from sklearn.utils import _safe_indexing

# scikit-learn's displays have no public way to read the scores of an estimator
from sklearn.utils._response import _get_response_values_binary

from rocsolid.binary.estimate import Options
from rocsolid.binary.precision_recall import precision_recall
from rocsolid.binary.roc import roc
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.inputs.binary import binary_rows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.pictures.curves import precision_recall_picture
from rocsolid.pictures.marks import AreaMark, Picture
from rocsolid.pictures.matplotlib import draw_mark
from rocsolid.pictures.roc import roc_picture
from rocsolid.results import percent
from rocsolid.sklearn.cross_validate import out_of_fold


class _WithInterval:
    """The constructors of a display with ``level``; ``plot`` adds the band and the interval."""

    _measure: ClassVar[str]
    _curve: ClassVar[Callable[..., Any]]
    _picture: ClassVar[Callable[..., Picture]]
    _legend: ClassVar[str]
    ax_: Any
    line_: Any
    estimate: Any = None
    band_: Any = None
    _band: tuple[str, AreaMark] | None = None

    def plot(self, ax: Any = None, **options: Any) -> Any:
        super().plot(ax, **options)  # type: ignore[misc]
        return self._with_interval()

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, response_method: str = "auto",
        pos_label: Any = None, name: str | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        y_score, pos_label = _get_response_values_binary(
            estimator, X, response_method=response_method, pos_label=pos_label
        )
        name = type(estimator).__name__ if name is None else name
        return cls.from_predictions(y, y_score, pos_label=pos_label, name=name, **options)

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_score: Any = None, *, sample_weight: Any = None, pos_label: Any = None,
        level: float = 0.95, **options: Any,
    ) -> Any:  # fmt: skip
        y_score = options.pop("y_pred", None) if y_score is None else y_score  # its former name
        rows = {"sample_weight": sample_weight, "pos_label": pos_label}
        display = super().from_predictions(y_true, y_score, **rows, **options)  # type: ignore[misc]
        sample = ScoredRows(binary_rows(y_true, y_score, **rows))
        how = Options(level=level, certified=False)
        try:
            display.estimate = measure_of(cls._measure).estimate(sample, how)
        except OneClassError:  # scikit-learn has warned
            return display
        key = cls._picture(cls._curve(y_true, y_score, **rows), level=level).key
        bands = [(text, mark) for text, mark in key if isinstance(mark, AreaMark)]
        display._band = bands[0] if bands else None
        return display._with_interval()

    @classmethod
    def from_cv_results(
        cls, cv_results: Any, X: Any, y: Any, *, sample_weight: Any = None,
        response_method: str = "auto", pos_label: Any = None, level: float = 0.95, **options: Any,
    ) -> Any:  # fmt: skip
        how = {"response_method": response_method, "pos_label": pos_label}
        display = super().from_cv_results(  # type: ignore[misc]
            cv_results, X, y, sample_weight=sample_weight, **how, **options
        )
        splits = list(
            zip(*(cv_results["indices"][part] for part in ("train", "test")), strict=True)
        )
        scored = [
            _get_response_values_binary(model, _safe_indexing(X, test), **how)
            for model, (_, test) in zip(cv_results["estimator"], splits, strict=True)
        ]
        settings = Options(level=level, certified=False, pos_label=scored[0][1])
        weight = None if sample_weight is None else np.asarray(sample_weight)
        try:
            display.estimate = out_of_fold(
                measure_of(cls._measure), np.asarray(y), splits, [score for score, _ in scored],
                settings, sample_weight=weight,
            ).estimate  # fmt: skip
        except (OneClassError, UnsoundError) as error:
            warnings.warn(f"the mean over folds has no interval: {error}", stacklevel=2)
        return display._with_interval()

    def _with_interval(self) -> Any:
        """Draw the band, and add the interval to the legend."""
        if self.estimate is None:
            return self
        line = self.line_[0] if isinstance(self.line_, list) else self.line_
        if f"= {self.estimate.value:0.2f}" in line.get_label():  # not if the caller chose the label
            limits = f"{self.estimate.low:0.2f} to {self.estimate.high:0.2f}"
            of_mean = " of the mean" * isinstance(self.line_, list)
            interval = f"{percent(self.estimate.level)} interval{of_mean} {limits}"
            line.set_label(f"{line.get_label()}\n{interval}")
        if self._band is not None:
            words, mark = self._band
            text = "\n".join(fill(line, 44) for line in words.splitlines())
            draw_mark(self.ax_, mark, line.get_linewidth())
            self.band_ = self.ax_.collections[-1]
            self.band_.set(color=line.get_color(), label=text)
        if self.ax_.get_legend() is not None:
            self.ax_.legend(loc=self._legend)
        return self


class RocCurveDisplay(_WithInterval, metrics.RocCurveDisplay):  # type: ignore[misc]
    """`sklearn.metrics.RocCurveDisplay` with a simultaneous band and an interval of the AUC.

    The constructors are those of scikit-learn, with ``level``. ``estimate`` contains the AUC with
    its interval; ``band_`` is the band of `rocsolid.plots.roc`. Folds have the interval of their
    mean (`cross_validate`) and no band. Weighted rows have no band.

    >>> display = RocCurveDisplay.from_predictions([0, 0, 1, 1] * 10, range(40))
    >>> display.line_.get_label().splitlines()
    ['Classifier (AUC = 0.55)', '95 % interval 0.36 to 0.72']
    """

    _measure, _legend = "auc", "lower right"
    _curve, _picture = staticmethod(roc), staticmethod(roc_picture)


class PrecisionRecallDisplay(_WithInterval, metrics.PrecisionRecallDisplay):  # type: ignore[misc]
    """`sklearn.metrics.PrecisionRecallDisplay` with a band and an interval of the area.

    See `RocCurveDisplay` and `rocsolid.plots.precision_recall`.

    >>> display = PrecisionRecallDisplay.from_predictions([0, 0, 1, 1] * 10, range(40), level=0.9)
    >>> display.line_.get_label().splitlines()
    ['Classifier (AP = 0.59)', '90 % interval 0.39 to 0.77']
    """

    _measure, _legend = "pr_auc", "lower left"
    _curve, _picture = staticmethod(precision_recall), staticmethod(precision_recall_picture)

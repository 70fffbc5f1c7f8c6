"""Out-of-fold scores: values over folds, and learners compared on the same folds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from rocsolid.arguments import one_of
from rocsolid.binary.estimate import Options
from rocsolid.comparison.adjust import holm_steps
from rocsolid.comparison.build import DEFAULT, Request, comparison_of
from rocsolid.comparison.compared import Compared, Question, StudentsT, student
from rocsolid.comparison.options import compared_by
from rocsolid.comparison.rows import READS
from rocsolid.inputs import binary_rows
from rocsolid.inputs.folds import folds_of
from rocsolid.inputs.models import model_rows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import FRESH, Folded, FoldMean, ScoredFolds, check_order, folded
from rocsolid.measures.named import measure_of
from rocsolid.parameters import Order
from rocsolid.remarks.comparisons import LearnersCompared
from rocsolid.results import Alternative
from rocsolid.results.comparison import Difference
from rocsolid.results.concordance_estimate import FoldedComparison, FoldedEstimate
from rocsolid.results.plain import attributes
from rocsolid.weights import Weight

BASELINE = "corrected resampled t"
NADEAU_BENGIO = "Nadeau and Bengio, Machine Learning 52 (2003), 239-281"


def cross_validated(
    y_true: Any,
    scores: Any,
    *,
    fold: Any,
    repeat: Any = None,
    measure: str | Weight | BinaryMeasure = "auc",
    sample_weight: Any = None,
    cluster: Any = None,
    order: Order = "any",
    pos_label: Any = None,
    lower_is_better: bool = False,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    adjust: Literal["auto", "holm", "max-t", "none"] = "auto",
) -> FoldedEstimate | FoldedComparison:
    """A measure of out-of-fold scores, with intervals that know that the models share rows.

    ``fold`` says which fold a row was held out in, so that its score is of a model that never saw
    it. The result's ``value`` is the mean of folds, and ``pooled`` the value of all rows in one
    ranking; ``interval`` is for the mean true value of the models of these folds, ``learner`` for
    what a model fitted on fresh rows would have. Where a small change of the rows changes the
    model, as the selection of features does, 95 % intervals covered about .92, and ``learner`` is
    the one to take. Folds of a single class, and leave-one-out, are refused.

    ``repeat`` says which run of a repeated cross-validation a row belongs to; ``cluster`` then has
    to say which row of the original table it is (or which patient), as a row that is scored again
    is no new row. Where a cluster has rows in several folds, the variance sums their influences
    over folds, intervals are conditional on the trained models, and there is no ``learner``.
    ``order="progressive"`` declares that
    each model was fitted, and chosen, on rows of earlier folds alone: then the certified interval
    rests on all folds, else on one. ``measure`` is any that `rocsolid.compare` takes.

    Several named scores are learners on the same folds: every pair is tested for a difference of
    what the *learners* have, with p-values adjusted by ``adjust``.

    >>> rng = np.random.default_rng(0)
    >>> y, fold = np.arange(200) % 2, np.arange(200) // 2 % 5
    >>> print(cross_validated(y, y + rng.normal(size=200), fold=fold))
    AUC 0.8035, [0.7273, 0.8624] at 95 % (folds), certified [0.4847, 0.9725] at 95 % (one fold's
    rows), 100 positives, 100 negatives, 5 folds
    learner [0.7078, 0.8734] at 95 % (folds (learner))
    pooled 0.8037, [0.7263, 0.8633] at 95 % (folds (pooled))
    """
    chosen = measure_of(measure)
    options = Options(
        level=level, alternative=alternative, pos_label=pos_label, lower_is_better=lower_is_better
    )
    folds = folds_of(fold, repeat, cluster=cluster)
    check_order(order, folds)
    one_of(adjust, ("auto", "holm", "max-t", "none"), "adjust")
    given = {
        "sample_weight": sample_weight,
        "cluster": cluster,
        "pos_label": pos_label,
        "lower_is_better": lower_is_better,
    }
    mean = folded(chosen, order)
    if hasattr(scores, "columns") or isinstance(scores, Mapping):
        models = model_rows(y_true, scores, **given)
        request = Request(None, adjust, Question(0.0, alternative, level, 0, chosen.span))
        samples = {name: ScoredFolds(rows, folds) for name, rows in models.rows.items()}
        return compare_folded(mean, samples, options, request)
    return mean.estimate(ScoredFolds(binary_rows(y_true, scores, **given), folds), options)


def compare_folded(
    measure: FoldMean, samples: Mapping[str, ScoredFolds], options: Options, request: Request
) -> FoldedComparison:
    """Every pair of learners tested for a difference of their means of folds."""
    compared = compared_by(measure, samples, options)
    settings = next(iter(compared.estimates.values())).settings
    of_folds = [sample.by(measure.measure, options) for sample in samples.values()]
    return comparison_of(  # type: ignore[return-value]
        compared,
        request,
        kind="scores",
        warnings=of_folds[0].doubts() or (LearnersCompared(),),
        settings={
            **settings, "test": DEFAULT, "adjust": request.adjust, "paired": True,
            **attributes(request.question, "null alternative"), "margin": request.margin,
            **compared.described(),
        },
        result=FoldedComparison,
        corrected_t=()
        if of_folds[0].split
        else _corrected_t(of_folds, compared, request.question),
    )  # fmt: skip


def _corrected_t(
    of_folds: list[Folded], compared: Compared, question: Question
) -> tuple[Difference, ...]:
    """d̄ / √((1/J + 1/(K−1))·s²) on t with J − 1 degrees of freedom, J folds in all, K a repeat.

    s² is the variance of the J differences; 1/(K−1) is the rows tested over those trained on.
    """
    folds = of_folds[0].folds
    tested = []
    for i, j in compared.pairs():
        apart = of_folds[i].values - of_folds[j].values
        variance = float(apart.var(ddof=1)) * (1.0 / len(apart) + 1.0 / (folds.a_repeat - 1.0))
        tested.append(
            student(
                float(apart.mean()), variance, len(apart) - 1.0, question,
                StudentsT(BASELINE, BASELINE, BASELINE, FRESH, NADEAU_BENGIO, READS),
            )
        )  # fmt: skip
    adjusted = holm_steps(np.array([test.p_value for test in tested]))
    return tuple(
        Difference(
            compared.names[i], compared.names[j], compared.difference(i, j), test.std_error,
            test.interval, test.statistic, test.df, test.p_value, float(p), BASELINE, None,
        )
        for (i, j), test, p in zip(compared.pairs(), tested, adjusted, strict=True)
        if test.interval is not None
    )  # fmt: skip

"""Out-of-fold scores: means over folds, and learners compared on the same folds."""

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
    """Estimate a measure from out-of-fold scores of models that share training rows.

    ``fold`` is the fold in which a row was held out, so that its score is from a model that was not
    fitted on the row. The result's ``value`` is the mean over folds, and ``pooled`` is the value of
    all rows in one ranking. ``interval`` is for the mean true value of the models of the folds, and
    ``learner`` for the value of a model fitted on fresh rows. For models that select features, 95 %
    intervals covered about .92; report ``learner`` in this case. Folds of a single class, and
    leave-one-out, are rejected.

    ``repeat`` is the run of each row in a repeated cross-validation. ``cluster`` must then identify
    the row (or the patient) in the original table. If folds split clusters, influences are summed
    by cluster, intervals are conditional on the trained models, and there is no ``learner``.
    ``order="progressive"`` declares that each model was fitted, and chosen, on rows of earlier
    folds only. The certified interval then uses all folds, otherwise a single fold. ``measure`` is
    any measure that `rocsolid.compare` accepts.

    Several named scores are learners on the same folds. Every pair of *learners* is tested for a
    difference, and ``adjust`` adjusts the p-values.

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
    """Test d̄ / √((1/J + 1/(K−1))·s²) against t with J − 1 degrees of freedom.

    J is the number of folds, K the number in a repeat, and s² the variance of the J differences.
    1/(K−1) is the ratio of tested rows to training rows.
    """
    folds = of_folds[0].folds
    tested = []
    for i, j in compared.pairs():
        differences = of_folds[i].values - of_folds[j].values
        count = len(differences)
        variance = float(differences.var(ddof=1)) * (1.0 / count + 1.0 / (folds.a_repeat - 1.0))
        tested.append(
            student(
                float(differences.mean()), variance, count - 1.0, question,
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

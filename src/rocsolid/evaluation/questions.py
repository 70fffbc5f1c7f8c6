"""Verbs for arrays or tables: a path or table first, then its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.concordance import concordance as _concordance
from rocsolid.comparison.models import compare as _compare
from rocsolid.errors import InputError
from rocsolid.evaluation.sample import Sample
from rocsolid.parameters import keywords_of, sorted_keywords
from rocsolid.summaries.stream import stream

if TYPE_CHECKING:
    from rocsolid.answer.answer import Answer
    from rocsolid.binary.roc import Roc
    from rocsolid.certificates.certificate import Certificate
    from rocsolid.results.comparison import Comparison
    from rocsolid.results.concordance_estimate import ConcordanceEstimate
    from rocsolid.results.query_estimate import QueryComparison

_READ = ("lower_is_better", "level")
_OF_CURVE = (*_READ, "cluster", "pos_label", "nan", "resamples", "seed")
_DRAWN = (*_READ, "sample_weight", "cluster", "alternative")
_OF_CONCORDANCE = (*_DRAWN, "by", "nan", "scale", "adjust")
_OF_CERTIFY = (
    *_DRAWN, "qid", "pos_label", "design", "measure", "memory", "threads",
    *keywords_of("certificates"),
)  # fmt: skip
"""The keywords of each verb for tables, other than ``label`` and ``scores``."""


@overload
def compare(y_true: str | Sequence[str], *, label: None = None, **how: Any) -> Answer: ...


@overload
def compare(y_true: Any, scores: Mapping[str, Any] | None = None, **how: Any) -> Comparison: ...


@overload
def compare(y_true: Any, scores: Sequence[str] | str, *, label: str, **how: Any) -> Answer: ...


@overload
def compare(y_true: Sample, **how: Any) -> QueryComparison: ...


def compare(y_true: Any, scores: Any = None, *, label: str | None = None, **how: Any) -> Any:
    if isinstance(y_true, Sample):
        return y_true.compare(**how)
    if label is None and scores is None:
        from rocsolid.evaluation.logs import are_logs, compare_logs

        if are_logs(y_true):
            return compare_logs(y_true, **how)
        from rocsolid.comparison.models import compare_samples

        return compare_samples(y_true, **how)
    if label is None and _of_classes(y_true, scores, how):
        from rocsolid.comparison.models import compare_multiclass

        return compare_multiclass(y_true, scores, **how)
    if label is None:
        return _compare(y_true, scores, **how)
    from rocsolid.evaluation.compare_table import compare_table

    return compare_table(y_true, label=label, scores=scores, **how)


update_wrapper(compare, _compare)


def _of_classes(y_true: Any, scores: Any, how: Mapping[str, Any]) -> bool:
    if not how.keys().isdisjoint(("scheme", "average", "labels")):
        return True
    first = next(iter(scores.values()), None) if isinstance(scores, dict | Mapping) else None
    return (_has_columns(first) and not _has_columns(y_true)) or isinstance(first, Mapping)


def _has_columns(values: Any) -> bool:
    if isinstance(values, list | tuple):
        return len(values) > 0 and isinstance(values[0], list | tuple)
    return len(getattr(values, "shape", ())) == 2


@overload
def concordance(outcome: Any, score: Any, **how: Any) -> ConcordanceEstimate: ...


@overload
def concordance(outcome: Any, *, label: str, scores: Sequence[str] | str, **how: Any) -> Answer: ...


def concordance(
    outcome: Any, score: Any = None, *, label: str | None = None, scores: Any = None, **how: Any
) -> Any:
    if label is None:
        return _concordance(outcome, score, **how)
    from rocsolid.evaluation.evaluate_outcomes import concordance_table

    (known,) = sorted_keywords(how, _OF_CONCORDANCE)
    return concordance_table(outcome, outcome=label, scores=_named(scores), **known)


update_wrapper(concordance, _concordance)


@overload
def certify(scorer: Any, *, label: str, scores: Sequence[str] | str, **how: Any) -> Answer: ...


@overload
def certify(scorer: Any, X: Any = None, y: Any = None, **how: Any) -> Certificate: ...


def certify(
    scorer: Any, X: Any = None, y: Any = None, *, label: str | None = None, scores: Any = None,
    **how: Any,
) -> Any:  # fmt: skip
    """Certify a lower limit for the true value of a scorer, or of columns of a table.

    A path or a table needs ``label`` and ``scores``, the names of its columns, and accepts those of
    ``qid``, ``sample_weight`` and ``cluster``; several scores are certified jointly. ``at_least``
    requests a decision about the best one, and ``memory`` keeps large files on disk. Other input
    goes to `rocsolid.certificates.certify`, with the same keywords.

    >>> table = {"y": [0, 1] * 50, "s": [i % 2 + i / 50 for i in range(100)]}
    >>> certify(table, label="y", scores="s", at_least=0.7).reached
    True
    """
    if label is None:
        from rocsolid.certificates import certify as of_scorer

        return of_scorer(scorer, X, y, **how)
    from rocsolid.evaluation.certify_table import certify_table

    (known,) = sorted_keywords(how, _OF_CERTIFY)
    return certify_table(scorer, label=label, scores=_named(scores), **known)


@overload
def curve(y_true: Any, y_score: Any, **how: Any) -> Roc: ...


@overload
def curve(y_true: Any, *, label: str, scores: Sequence[str] | str, **how: Any) -> Answer: ...


def curve(
    y_true: Any, y_score: Any = None, *, label: str | None = None, scores: Any = None, **how: Any
) -> Any:
    """Compute the ROC curve of a score: `rocsolid.roc` for arrays, and readings for a column.

    A path or a table comes with ``label`` and ``scores``, the names of its columns; several scores
    are one picture, with ``.curves``. ``cluster`` says which rows belong together. ``fpr`` and
    ``tpr`` are rates to read the curve at, ``threshold`` and ``best`` operating points, with
    ``prevalence`` and ``cost_ratio``; ``band`` and ``smooth`` name a band and a model;
    ``net_benefit`` lists thresholds of probabilities, and ``dp_delta`` is the δ of `Roc.epsilon`.
    Further keywords are ``pos_label``, ``lower_is_better``, ``nan``, ``level``, ``resamples`` and
    ``seed``.

    >>> table = {"y": [0, 0, 1, 1, 0, 1], "s": [1, 2, 3, 4, 5, 6]}
    >>> curve(table, label="y", scores="s", best=["youden"]).points[0].threshold
    3.0
    """
    if label is None:
        from rocsolid.binary.roc import roc

        return roc(y_true, y_score, **how)
    from rocsolid.evaluation.curve_table import CurveQuestion, curve_table

    question, read = sorted_keywords(how, keywords_of("curve"), _OF_CURVE)
    return curve_table(
        y_true, CurveQuestion(**question), label=label, scores=_named(scores), **read
    )


def runs(
    qrels: Any, runs: Mapping[str, Any] | Sequence[Any] | str,
    measures: str | Sequence[str] = "ndcg@10", **how: Any,
) -> Any:  # fmt: skip
    """Evaluate every run by every measure, audit each run, and compare all pairs.

    ``qrels`` and the runs are sources of `rocsolid.read_runs`; runs without names are named after
    their files. ``profile`` sets the conventions of a tool, such as "trec_eval-9". ``test``,
    ``adjust``, ``margin``, ``resamples`` and ``seed`` control the comparison, as in
    `rocsolid.compare` with ``qid``; the other keywords are those of `rocsolid.ndcg` and
    `rocsolid.read_runs`.

    >>> qrels = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d2": 0}}
    >>> found = runs(qrels, {"a": {"q1": {"d1": 3, "d2": 2}, "q2": {"d1": 1, "d2": 0}}})
    >>> round(found.measures[0].estimates["a"].value, 4)
    0.8801
    """
    from rocsolid.evaluation.runs import evaluate_runs

    return evaluate_runs(qrels, runs, measures, **how)


def _named(scores: Any) -> Any:
    if scores is None:
        raise InputError(
            "no column of scores is named", where="scores", fix='name it, as in scores="risk"'
        )
    return scores


def chocolate_bars() -> dict[str, list[Any]]:
    """The seven bars of *ROC AUC is the average positive rank*: item, class (1 "very good"), score.

    >>> chocolate_bars()["item"][0]
    'Milka'
    """
    return {
        "item": ["Milka", "Mars", "Lindt", "Ferrero-Rocher", "Kalev", "Laima", "Hershey's"],
        "good": [1, 0, 1, 1, 0, 0, 0],
        "score": [8, 5, 3, 3, 1, -3, -5],
    }


def screening(rows: int = 20_000, seed: int = 4) -> dict[str, NDArray[Any]]:
    """Simulate a screening study: three models of one disease in two hospitals.

    ``risk`` is the best model, ``lab`` a weaker one, ``points`` a coarse score from 0 to 10 with
    heavy ties. About 8 % of the patients are ill in one hospital and 3 % in the other, where the
    models perform slightly worse.

    >>> data = screening(1_000)
    >>> sorted(data), len(data["ill"])
    (['hospital', 'ill', 'lab', 'points', 'risk'], 1000)
    """
    draw = stream(seed)
    south = draw.random(rows) < 0.4
    ill = draw.random(rows) < np.where(south, 0.03, 0.08)
    severity = draw.normal(size=rows) + ill * np.where(south, 1.3, 1.7)
    risk = severity + 0.5 * draw.normal(size=rows)
    lab = 0.6 * severity + draw.normal(size=rows)
    points = np.clip(np.round(1.5 * severity + 3.0 + 0.8 * draw.normal(size=rows)), 0, 10)
    return {
        "hospital": np.where(south, "South", "North"),
        "ill": ill.astype(np.int64),
        "risk": np.round(1.0 / (1.0 + np.exp(3.0 - risk)), 6),
        "lab": np.round(40.0 + 12.0 * lab, 2),
        "points": points.astype(np.int64),
    }

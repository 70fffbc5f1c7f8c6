"""The area under the ROC curve, with a calibrated and a certified interval."""

from __future__ import annotations

from typing import Any, Literal

from rocsolid.binary.design import Design
from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.inference import check_name
from rocsolid.binary.proxied_auc import proxied_auc, unlabelled_rows
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.binary.resampling.schemes import Scheme
from rocsolid.engines.memory import summarise
from rocsolid.errors import InputError
from rocsolid.inputs import binary_rows
from rocsolid.results import Alternative, Estimate


def auc(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    frequency: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    interval: str = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int = 2000,
    seed: int = 0,
    scheme: Scheme | None = None,
    design: Design = None,
    proxy: Any = None,
    unlabelled: Any = None,
) -> Estimate:
    """The probability that a positive is scored above a negative, ties counting half.

    That is the Mann-Whitney form of Agarwal et al. 2005, equation (4), and the average positive
    rank of *ROC AUC is the average positive rank* (2011). ``sample_weight`` is importance, not
    replication: integer weights give the value of repeated rows, but not their (smaller) variance.
    ``frequency`` is replication: each row stands for so many that are alike, and every number is
    that of the rows written out. Rows that share a ``cluster`` may depend on each other in any way.
    ``interval`` names the method of ``low`` and ``high``; the certified interval comes with it
    whatever is requested, but under weights or clusters only with ``design="fixed"``: that declares
    that the weights, and the numbers of rows of the clusters, say nothing about the scores of a
    class. ``alternative="greater"`` gives a lower limit only, "less" for an upper one.

    ``interval="bootstrap"`` is the recommended bootstrap and "bootstrap-percentile",
    "bootstrap-bca" and "bootstrap-logit" are those it chooses from; ``resamples`` are drawn from
    ``seed``. ``scheme`` says how: "stratified" (each class by itself; the default), "plain" (all
    rows alike), "cluster" (whole clusters; the default with ``cluster``), or with random weights,
    "poisson" or "bayesian".

    One scorer, fixed before these rows were seen, must have made the scores. Those of
    scikit-learn's ``cross_val_predict`` come from several models, which arrays cannot show: use
    `rocsolid.cross_validated` for them.

    ``proxy`` are machine labels of the same rows and ``unlabelled`` the pair (scores, machine
    labels) of rows that nobody labelled: with them the result is a prediction-powered estimate,
    which tells how much the machine labels helped. See `rocsolid.binary.proxied_auc`.

    >>> result = auc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> print(result)
    AUC 0.8333, [0.2321, 0.9972] at 95 % (auto (hull, matchings)), certified [0.2321, 0.9972] at
    95 % (matchings), 3 positives, 4 negatives
    >>> result.exact
    Fraction(5, 6)
    """
    check_name(interval)
    options = Options(
        interval, level, alternative, lower_is_better, nan, pos_label,
        Resampling(resamples, seed, scheme), design,
    )  # fmt: skip
    rows = binary_rows(
        y_true, y_score, sample_weight=sample_weight, frequency=frequency, cluster=cluster,
        pos_label=pos_label, lower_is_better=lower_is_better, nan=nan,
    )  # fmt: skip
    found = estimate(summarise(rows), options, rows.omitted, rows)
    if proxy is None and unlabelled is None:
        return found
    if frequency is not None:
        raise InputError(
            "machine labels are given row by row",
            where="frequency",
            fix="write the rows out with np.repeat, and the machine labels with them",
        )
    machine = unlabelled_rows(unlabelled, proxy, rows, pos_label, lower_is_better)
    return proxied_auc(rows, *machine, found, level, alternative)

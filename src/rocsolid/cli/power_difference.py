"""``rocsolid plan difference``: rows for a test of two AUCs."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.binary.partial_area import Region
from rocsolid.cli.power import Alternative, Flag, Variance, region_of, show, unless_solved
from rocsolid.errors import InputError
from rocsolid.inputs import TextLabel, pos_label_from_text, read_table
from rocsolid.plan import Pilot, auc_difference_power, pilot


def difference(
    *,
    auc_a: float | None = None,
    auc_b: float | None = None,
    power: float | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    alpha: float | None = None,
    ratio: float | None = None,
    null: float = 0.0,
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    unpaired: Flag = False,
    correlation: float | None = None,
    auc_correlation: float | None = None,
    table: str | None = None,
    label: str | None = None,
    score: Annotated[list[str] | None, Parameter(negative=())] = None,
    pos_label: str | None = None,
    b_per_a: float = 1.0,
    measure: str = "auc",
    spread: float = 1.0,
    variance: Variance | None = None,
    solve: Literal["alpha"] | None = None,
    json: Flag = False,
) -> int:
    """Power of a test of two AUCs, or the rows, AUC or alpha that it takes: leave out one of them.

    Example: `rocsolid plan difference --auc-a 0.85 --auc-b 0.8 --power 0.8 --correlation 0.5`

    Example: `rocsolid plan difference --auc-a 0.8 --n-pos 99 --n-neg 300 --power 0.8 --unpaired`

    Parameters
    ----------
    auc_a
        The AUC of model a that you expect.
    auc_b
        The AUC of model b that you expect.
    power
        The probability of finding the difference.
    n_pos
        The number of positives (of each sample, if unpaired).
    n_neg
        The number of negatives (of each sample, if unpaired).
    alpha
        The probability of a false alarm, 0.05 unless given.
    ratio
        Negatives for one positive, where a size is left out; 1 unless given, or the pilot's.
    null
        The difference a − b to test against.
    margin
        Test non-inferiority: a worse than b by less than this.
    alternative
        "greater" if a should be better, "less" if worse.
    unpaired
        The models are judged on two independent samples.
    correlation
        The correlation of the two scores among positives and among negatives.
    auc_correlation
        The correlation of the two estimated AUCs, in its place.
    table
        A file of pilot rows, from which AUCs, variances and covariance are taken.
    label
        The pilot's column of labels.
    score
        The pilot's column of a score; twice, for models a and b.
    pos_label
        The label that counts as positive in the pilot.
    b_per_a
        Unpaired, the rows of sample b for each row of sample a.
    measure
        What is tested: "auc", or a partial area such as "partial_auc(fpr<=0.1)".
    spread
        The positives' standard deviation over the negatives', for normal scores.
    variance
        What the AUCs vary by, "binormal" unless given.
    solve
        "alpha" to find alpha; anything else is found by leaving it out.
    json
        Print JSON in place of the sentence.
    """
    region = region_of(measure)
    rows = _pilot(table, label, score, pos_label, region)
    of_model = None if rows is not None else region
    found = auc_difference_power(
        auc_a=auc_a,
        auc_b=auc_b,
        power=power,
        n_pos=n_pos,
        n_neg=n_neg,
        alpha=unless_solved(alpha, 0.05, solve),
        ratio=ratio,
        null=null,
        margin=margin,
        alternative=alternative,
        paired=not unpaired,
        correlation=correlation,
        auc_correlation=auc_correlation,
        pilot=rows,
        b_per_a=b_per_a,
        fpr=None if of_model is None else of_model.fpr,
        tpr=None if of_model is None else of_model.tpr,
        spread=spread,
        variance=variance,
    )
    return show(found, json)


def _pilot(
    table: str | None,
    label: str | None,
    score: list[str] | None,
    pos_label: str | None,
    region: Region | None,
) -> Pilot | None:
    if table is None and label is None and not score and pos_label is None:
        return None
    if table is None or label is None or score is None or len(score) != 2:
        raise InputError(
            "half a pilot", fix="give --table, --label and --score twice (models a and b)"
        )
    read = read_table(table, labels=[label], numbers=score, keys=[])
    labels = read[label]
    return pilot(
        labels,
        {name: read[name] for name in score},
        fpr=None if region is None else region.fpr,
        tpr=None if region is None else region.tpr,
        pos_label=None if pos_label is None else pos_label_from_text(TextLabel(pos_label), labels),
    )

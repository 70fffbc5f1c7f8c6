"""The same measure on different samples: is one hospital's score better than another's?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from rocsolid.binary.design import Design
from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.by_measure import compare_rows_of
from rocsolid.comparison.missing import missing_from
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows, binary_rows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.results import Alternative
from rocsolid.results.comparison import Comparison
from rocsolid.weights import Weight


def compare_samples(
    samples: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    measure: str | Weight | BinaryMeasure = "auc",
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    test: str = DEFAULT,
    adjust: str = DEFAULT,
    null: float = 0.0,
    margin: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int = 2000,
    seed: int = 0,
    design: Design = None,
) -> Comparison:
    """Every pair of independent samples tested for a difference.

    Samples are a list of pairs of labels and scores, or a mapping of names to such pairs; without
    names they are "1", "2", ... ``sample_weight`` and ``cluster`` have one column a sample, in the
    same form (a list, or a mapping by name); a cluster lies within its sample. The rest is as in
    `rocsolid.compare`; "delong-t" is Welch's t on DeLong's variances, and "permutation" shares out
    the rows of each class anew.

    >>> first = ([0, 0, 0, 0, 1, 1, 1], [1, 2, 4, 5, 3, 6, 7])
    >>> second = ([0, 0, 0, 1, 1, 1, 1], [1, 5, 6, 2, 3, 4, 7])
    >>> pair = compare_samples({"north": first, "south": second}).pairs[0]
    >>> print(pair.a, pair.b, f"{pair.difference:.4f} {pair.df:.2f} {pair.p_value:.4f}")
    north south 0.3333 6.18 0.4341
    """
    asked = ComparisonQuestion.of(
        measure=measure, test=test, adjust=adjust, null=null, margin=margin, level=level,
        alternative=alternative, resamples=resamples, seed=seed, design=design, pos_label=pos_label,
        lower_is_better=lower_is_better, nan=nan,
    )  # fmt: skip
    named = _named(samples)
    weights, clusters = (
        _columns(sample_weight, "sample_weight", named),
        _columns(cluster, "cluster", named),
    )
    rows = {
        name: binary_rows(
            y,
            s,
            sample_weight=weights[name],
            cluster=clusters[name],
            pos_label=pos_label,
            lower_is_better=lower_is_better,
            nan=nan,
        )
        for name, (y, s) in named.items()
    }
    return compare_sample_rows(rows, asked)


def compare_sample_rows(rows: dict[str, BinaryRows], asked: ComparisonQuestion) -> Comparison:
    """`compare_samples` for rows that are validated already."""
    missing = {name: part.omitted for name, part in rows.items() if part.omitted}
    warnings = missing_from(missing)
    omitted = sum(missing.values())
    return compare_rows_of("samples", asked, rows, False, omitted, warnings)


def _named(samples: Any) -> dict[str, tuple[Any, Any]]:
    given: dict[str, Any] = {}
    if isinstance(samples, Mapping):
        given = {str(name): sample for name, sample in samples.items()}
    elif isinstance(samples, list | tuple):
        given = {str(i): sample for i, sample in enumerate(samples, start=1)}
    if len(given) < 2:
        raise InputError(
            "a comparison needs at least two samples",
            where="samples",
            value=list(given),
            fix="pass (y, score) for each, or a mapping of names to such pairs",
        )
    for name, sample in given.items():
        if not isinstance(sample, tuple | list) or len(sample) != 2:
            raise InputError(
                "a sample is a pair of labels and scores",
                where=f"sample {name!r}",
                fix="pass (y, score)",
            )
    return {name: (sample[0], sample[1]) for name, sample in given.items()}


def _columns(given: Any, argument: str, named: dict[str, tuple[Any, Any]]) -> dict[str, Any]:
    """The column of each sample, ``None`` for all where none is given."""
    if given is None:
        return dict.fromkeys(named)
    if isinstance(given, Mapping):
        columns = {str(name): column for name, column in given.items()}
    else:
        columns = dict(zip(named, given, strict=False)) if len(given) == len(named) else {}
    if columns.keys() != named.keys():
        raise InputError(
            f"{argument} must have one column for each sample",
            where=argument,
            fix=f"pass a mapping with the names {', '.join(named)}, or a list in their order",
        )
    return columns

"""From estimates and their covariance to a comparison: the one way, for scores and samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from rocsolid.binary.estimate import Options, check_asked
from rocsolid.comparison.adjust import adjusted
from rocsolid.comparison.certificate import certificates
from rocsolid.comparison.compared import Compared, Question, Test, Tested, described
from rocsolid.comparison.delong import delong
from rocsolid.comparison.groups import undistinguished
from rocsolid.comparison.measure import Measure
from rocsolid.comparison.omnibus import omnibus
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.results import Alternative, Estimate, Interval
from rocsolid.results.comparison import Comparison, Difference

FEW_ROWS = 20
FEW_CLUSTERS = 30

# public name -> one function
TESTS: dict[str, Test] = {"delong": delong}


def asked(
    null: float, margin: float | None, alternative: Alternative, level: float, seed: int
) -> Question:
    """What is asked of each pair; a margin of non-inferiority sets the null and the side.

    >>> asked(0.0, 0.05, "two-sided", 0.95, 0)
    Question(null=-0.05, alternative='greater', level=0.95, seed=0)
    """
    check_asked(level, alternative)
    if margin is not None:
        if not 0.0 < margin < 1.0:
            raise InputError(
                "the margin of non-inferiority must lie strictly between 0 and 1",
                where="margin",
                value=margin,
                fix="give the loss that would not matter, such as margin=0.03",
            )
        if null != 0.0 or alternative == "less":
            raise InputError(
                "a margin asks whether a − b > −margin, which sets null and alternative",
                where="margin",
                fix="leave null and alternative out",
            )
        return Question(-margin, "greater", level, seed)
    if not -1.0 < null < 1.0:
        raise InputError("the null must lie strictly between -1 and 1", where="null", value=null)
    return Question(float(null), alternative, level, seed)


def assemble(
    kind: Literal["scores", "samples"],
    measure: Measure,
    rows: dict[str, BinaryRows],
    question: Question,
    *,
    paired: bool,
    adjust: str,
    test: str,
    warnings: list[str],
    settings: dict[str, Any],
) -> Comparison:
    """Estimates, tests of all pairs, adjusted p-values, certificates, groups, and the χ² test."""
    run = _test(test)
    options = Options(
        level=question.level,
        pos_label=settings.get("pos_label"),
        lower_is_better=settings["lower_is_better"],
        nan=settings["nan"],
    )
    estimates = {name: measure.estimate(part, options) for name, part in rows.items()}
    compared = Compared.of(measure, rows, estimates, paired)
    tested = run(compared, question)
    certified = certificates(compared, question)
    adjusted_p = adjusted(
        adjust, np.array([one.p_value for one in tested]), compared, question
    ).tolist()
    joint, said = omnibus(compared)
    pairs = tuple(
        Difference(
            compared.names[i],
            compared.names[j],
            float(compared.values[i] - compared.values[j]),
            one.std_error,
            one.interval or _fallback(proven, question),
            one.statistic,
            one.df,
            one.p_value,
            p,
            test,
            proven,
        )
        for (i, j), one, proven, p in zip(
            compared.pairs(), tested, certified, adjusted_p, strict=True
        )
    )
    groups: tuple[tuple[str, ...], ...] = ()
    if question.null == 0.0 and question.alternative == "two-sided":
        different = [
            at
            for at, p in zip(compared.pairs(), adjusted_p, strict=True)
            if p < 1.0 - question.level
        ]
        groups = undistinguished(compared.names, different)
    return Comparison(
        measure.name,
        kind,
        estimates,
        compared.covariance,
        pairs,
        groups,
        joint,
        question.level,
        (
            *warnings,
            *_without_variance(pairs, tested),
            *_few_rows(estimates),
            *_few_clusters(compared),
            *said,
        ),
        {
            "test": test,
            "adjust": adjust,
            "paired": paired,
            "null": question.null,
            "alternative": question.alternative,
            "seed": question.seed,
            **settings,
            **described(compared),
        },
    )


def _test(name: str) -> Callable[[Compared, Question], list[Tested]]:
    if name not in TESTS:
        raise InputError("unknown test", where="test", value=name, fix=f"use {', '.join(TESTS)}")
    return TESTS[name]


def _fallback(certified: Interval | None, question: Question) -> Interval:
    """What stands in for an interval that the test cannot give: one of no width would be a lie."""
    if certified is not None:
        return certified
    return Interval(-1.0, 1.0, question.level, "none", range=(-1.0, 1.0))


def _without_variance(pairs: tuple[Difference, ...], tested: list[Tested]) -> list[str]:
    said = []
    for pair, one in zip(pairs, tested, strict=True):
        if one.interval is not None:
            continue
        result = (
            "p is 1"
            if one.p_value == 1.0
            else f"no {pair.method} test is possible, and they count as not told apart"
        )
        said.append(
            f"{pair.a} and {pair.b}: their difference shows no variance on these rows, so "
            f"{result}; the interval is {'the certified one' if pair.certified else 'unknown'}."
        )
    return said


def _few_rows(estimates: dict[str, Estimate]) -> list[str]:
    fewest = min(
        (count, word)
        for one in estimates.values()
        for count, word in ((one.n_pos, "positive"), (one.n_neg, "negative"))
    )
    if fewest[0] >= FEW_ROWS:
        return []
    return [
        f"Only {fewest[0]} {fewest[1]} rows: the tests may find a difference too often with fewer "
        f"than {FEW_ROWS}; rely on the certified intervals."
    ]


def _few_clusters(compared: Compared) -> list[str]:
    counts = [int(part.cluster.max()) + 1 for part in compared.rows if part.cluster is not None]
    if not counts or min(counts) >= FEW_CLUSTERS:
        return []
    return [
        f"Only {min(counts)} clusters: the tests and intervals need more (about {FEW_CLUSTERS}); "
        "rely on the certified intervals."
    ]

"""Certify a scorer on rows that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rocsolid.arguments import whole
from rocsolid.binary.inference import Design, check_design
from rocsolid.certificates.certificate import Certificate
from rocsolid.certificates.new_rows import (
    BoundedValue,
    CertificateQuestion,
    NewRows,
    measured_on,
    new_rows,
)
from rocsolid.certificates.repeats import (
    RepeatedRows,
    RowHashes,
    independence_of,
    remembered,
    repeated_rows,
)
from rocsolid.certificates.scores_of import COLUMN, name_of, named_candidates, scores_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.inputs.arrays import check_lengths
from rocsolid.intervals.guarantees.checks import FIXED_SCORER, check_alternative, check_level
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative, percent
from rocsolid.results.interval import Interval
from rocsolid.results.plain import Plain, attributes, one_line
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.weights.weight import Weight

_UNKNOWN = (
    "not checked: the rows that the scorer was fitted on are not known (fitted_on=(X, y) checks "
    "for them)"
)
_SCORES_ALONE = "not checked: scores do not show which rows their scorer was fitted on"
_LEAST = 1e-12  # of δ/K: a level is a double, and 1 − level must still be right


def certify(
    scorer: Any,
    X: Any = None,
    y: Any = None,
    *,
    qid: Any = None,
    measure: str | Weight | GradedMeasure = "auc",
    level: float = 0.95,
    candidates: int = 1,
    fitted_on: tuple[Any, Any] | None = None,
    independent: bool = False,
    bound: str = "auto",
    alternative: Alternative = "greater",
    design: Design = None,
    sample_weight: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
) -> Certificate:
    """Return a lower limit for a scorer's true measure that holds with probability ``level``.

    ``scorer`` is an object with ``decision_function``, ``predict_proba`` or ``predict`` (tried in
    this order), a function of X, or a column of scores, for which X may be omitted. The scorer must
    have been fitted without these rows. If it was chosen among K candidates *on* these rows, pass
    ``candidates=K``, or use `certify_grid`: each candidate has (1 − ``level``)/K.

    ``measure`` is "auc", a partial area such as "partial_auc(fpr<=0.1)", a weight of
    ``rs.weights``, "concordance" or "vus" of ordered outcomes, or with ``qid`` a measure of ranked
    lists such as "ndcg@10", whose mean over queries is certified. ``bound="auto"`` selects the
    method that is usually shortest: cuts for the AUC, the band for areas, betting for queries.
    ``alternative`` is "greater" (only a lower limit), "two-sided" or "less". ``design`` is as in
    `rocsolid.auc`.

    **Rows that the scorer was fitted on are rejected.** A learner of ``rs.learners`` stores hashes
    of its training features; for any other scorer, ``fitted_on=(X, y)`` supplies the rows. Features
    are compared exactly, rounded to 16 bits and, if there are at most 32, rounded to two digits.
    Repeated rows are accepted only if chance explains them, by an exact test. ``independent=True``
    is your assertion that the rows are new; the certificate states it.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> X = rng.normal(size=(400, 2)) + 1.5 * y[:, None]
    >>> print(certify(lambda X: X.sum(axis=1), X, y))
    AUC 0.9301, certified at least 0.8946 at 95 % (cuts), 221 positives and 179 negatives,
    better than chance, independence not checked
    >>> certify([3, 1, 2], y=[1, 0, 1]).verdict
    'not better than chance'
    """
    question = checked(measure, bound, level, candidates, alternative, design, qid)
    rows = new_rows(question, X, y, qid, sample_weight, cluster, pos_label, lower_is_better)
    return of_one(scorer, rows, question, fitted_on, independent)


def checked(
    measure: str | Weight | GradedMeasure,
    bound: str,
    level: float,
    candidates: int,
    alternative: Alternative,
    design: Design,
    qid: Any,
) -> CertificateQuestion:
    check_design(design)
    many = whole(candidates, "candidates")
    share = check_level(level) / many
    if share < _LEAST:
        raise InputError(
            f"1 − level over the number of candidates must be at least {_LEAST:g}",
            where="level, candidates",
            value=share,
            fix="certify fewer candidates, or at a lower level",
        )
    question = CertificateQuestion(
        measure, bound, float(level), many, share, check_alternative(alternative), design,
        qid is not None,
    )  # fmt: skip
    question.check()
    return question


def of_one(
    scorer: Any,
    rows: NewRows,
    question: CertificateQuestion,
    fitted_on: tuple[Any, Any] | None,
    independent: bool,
    split: str | None = None,
    name: str = "",
) -> Certificate:
    """Return the certificate of one candidate.

    ``split`` describes how its rows were separated from the fitted ones. ``name`` names a column of
    scores.
    """
    own, unknown = name_of(scorer), _UNKNOWN
    if own == COLUMN:
        own, unknown = f"the scores {name!r}" if name else own, _SCORES_ALONE
    independence = split or independence_of(
        _repeated_rows(scorer, rows, question, fitted_on), independent, unknown
    )
    score = scores_of(scorer, rows.X, pos_label=rows.pos_label)
    if rows.hashes is not None:
        check_lengths({"X": len(rows.hashes), "scores": len(score)})
    return _certificate(
        measured_on(question, rows, score), question, own, independence,
        "" if rows.hashes is None else str(Fingerprint.of(rows.hashes)), Fingerprint.of(score),
        {
            **attributes(rows, "pos_label lower_is_better"),
            "weighted": rows.sample_weight is not None,
            "clustered": rows.cluster is not None,
        },
    )  # fmt: skip


def _certificate(
    bounded: BoundedValue,
    question: CertificateQuestion,
    scorer: str,
    independence: str,
    data: str,
    scores: Fingerprint,
    settings: Mapping[str, Any],
) -> Certificate:
    measure = question.measure if isinstance(question.measure, str) else bounded.measure
    return Certificate(
        bounded.measure,
        bounded.value,
        _at_joint_level(bounded, question),
        question.candidates,
        bounded.counts,
        scorer,
        independence,
        data,
        str(scores),
        bounded.chance,
        bounded.warnings,
        {"measure": measure, **attributes(question, "bound alternative"), **settings},
    )


@dataclass(frozen=True, slots=True)
class ReducedColumns:
    """Columns of scores whose rows are stored elsewhere.

    ``bounded`` returns the value of a column, and ``prints`` has the fingerprint of its scores.
    ``designed`` states whether the rows are weighted and clustered.
    """

    bounded: Callable[[CertificateQuestion, str], BoundedValue]
    prints: Mapping[str, Fingerprint]
    designed: Mapping[str, bool]
    queries: bool = False


def certify_columns(
    columns: ReducedColumns,
    *,
    measure: str | Weight = "auc",
    level: float = 0.95,
    candidates: int | None = None,
    independent: bool = False,
    bound: str = "auto",
    alternative: Alternative = "greater",
    design: Design = None,
    lower_is_better: bool = False,
) -> CertifiedGrid:
    """Certify columns of scores whose rows are stored elsewhere, as `certify_grid` does."""
    settings = {"pos_label": None, "lower_is_better": lower_is_better, **columns.designed}
    many = _counted(columns.prints, candidates)
    question = checked(measure, bound, level, many, alternative, design, columns.queries or None)
    _check_best(columns.prints, question)
    independence = independence_of(None, independent, _SCORES_ALONE)
    certificates = {
        name: _certificate(
            columns.bounded(question, name), question, f"the scores {name!r}",
            independence, "", fingerprint, settings,
        )
        for name, fingerprint in columns.prints.items()
    }  # fmt: skip
    return CertifiedGrid(certificates, ranked(certificates)[0][0])


def _at_joint_level(bounded: BoundedValue, question: CertificateQuestion) -> Interval:
    """Return the interval at the joint level of all candidates, with its assumption on them."""
    assumptions = bounded.interval.assumptions
    if question.candidates > 1:
        fixed = f"all {question.candidates:,} candidates fixed before this data was seen"
        others = (assumption for assumption in assumptions if assumption != FIXED_SCORER)
        assumptions = (*others, fixed)
    elif FIXED_SCORER not in assumptions:
        assumptions = (*assumptions, FIXED_SCORER)
    return replace(bounded.interval, level=question.joint_level, assumptions=assumptions)


def _repeated_rows(
    scorer: Any, rows: NewRows, question: CertificateQuestion, fitted_on: tuple[Any, Any] | None
) -> RepeatedRows | None:
    """Return the new rows among the fitted ones, or ``None`` if the fitted rows are unknown."""
    if fitted_on is not None:
        if not isinstance(fitted_on, tuple | list) or len(fitted_on) != 2:
            raise InputError(
                "the rows that the scorer was fitted on are a pair of features and labels",
                where="fitted_on",
                fix="pass fitted_on=(X, y)",
            )
        if rows.X is None:
            raise InputError(
                "without X these rows cannot be compared with the rows of the fit",
                where="X",
                fix="pass the features too, or leave fitted_on out",
            )
        X, y = fitted_on
        return repeated_rows(
            RowHashes.of(X, rows.labels(y, question), coarse=True),
            RowHashes.of(rows.X, rows.labels(rows.y, question), coarse=True),
        )
    if rows.X is None:
        return None
    hashes = remembered(scorer, rows.X)
    return None if hashes is None else repeated_rows(*hashes)


@dataclass(frozen=True, slots=True)
class CertifiedGrid(Plain, Checked):
    """A certificate for each candidate; all hold at once with probability 1 − δ.

    ``best`` is the name of the candidate with the best lower limit (at a tie the larger value, then
    the first). The certificate of ``best`` holds although these rows chose the candidate.
    """

    certificates: Mapping[str, Certificate]
    best: str
    _json = "best certificates"

    def warned(self, *remarks: Remark) -> CertifiedGrid:
        """Return the grid with further warnings."""
        certificates = {
            name: replace(certificate, warnings=(*certificate.warnings, *remarks))
            for name, certificate in self.certificates.items()
        }
        return replace(self, certificates=certificates)

    @property
    def certificate(self) -> Certificate:
        """The certificate of the best candidate."""
        return self.certificates[self.best]

    def __getitem__(self, name: str) -> Certificate:
        return self.certificates[name]

    def __len__(self) -> int:
        return len(self.certificates)

    __repr__ = one_line

    def __str__(self) -> str:
        first = self.certificate
        width = max(len(name) for name in self.certificates)
        lines = [
            f"{first.measure} of {len(self):,} candidates, certified together at "
            f"{percent(first.level)} ({first.bound}); best: {self.best}"
        ]
        for name, certificate in ranked(self.certificates):
            lines.append(f"{name:<{width}}  {certificate._in_short()}")
        return "\n".join(lines)


def certify_grid(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any = None,
    y: Any = None,
    *,
    qid: Any = None,
    measure: str | Weight | GradedMeasure = "auc",
    level: float = 0.95,
    candidates: int | None = None,
    fitted_on: tuple[Any, Any] | None = None,
    independent: bool = False,
    bound: str = "auto",
    alternative: Alternative = "greater",
    design: Design = None,
    sample_weight: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
) -> CertifiedGrid:
    """Certify each of K scorers and find the best lower limit.

    Each scorer has (1 − ``level``)/K, so all K limits hold at once at the level (the union bound;
    with weights π = 1/K it is `rocsolid.theory.guarantees.occam_kl`). The choice adds ln K to the
    exponent. All candidates must have been fitted without these rows. ``candidates`` is for more
    candidates than are listed: also count those that were evaluated on these rows and dropped. All
    further keywords are those of `certify`.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([1, 0], 500)
    >>> scores = {"good": y + rng.normal(size=1000), "poor": y + 3 * rng.normal(size=1000)}
    >>> print(certify_grid(scores, y=y))
    AUC of 2 candidates, certified together at 95 % (cuts); best: good
    good  0.7715, at least 0.7307
    poor  0.5660, at least 0.5173
    """
    named = named_candidates(models)
    many = _counted(named, candidates)
    question = checked(measure, bound, level, many, alternative, design, qid)
    rows = new_rows(question, X, y, qid, sample_weight, cluster, pos_label, lower_is_better)
    return of_many(named, rows, question, fitted_on, independent)


def _counted(named: Collection[str], candidates: int | None) -> int:
    many = len(named) if candidates is None else whole(candidates, "candidates")
    if many < len(named):
        raise InputError(
            f"there are {len(named)} candidates, more than the given number",
            where="candidates",
            value=candidates,
            fix="count every scorer that was evaluated on these rows",
        )
    return many


def of_many(
    named: Mapping[str, Any],
    rows: NewRows,
    question: CertificateQuestion,
    fitted_on: tuple[Any, Any] | None = None,
    independent: bool = False,
    split: str | None = None,
) -> CertifiedGrid:
    _check_best(named, question)
    certificates = {
        name: of_one(scorer, rows, question, fitted_on, independent, split, name)
        for name, scorer in named.items()
    }
    return CertifiedGrid(certificates, ranked(certificates)[0][0])


def _check_best(named: Collection[str], question: CertificateQuestion) -> None:
    if question.alternative == "less" and len(named) > 1:
        raise InputError(
            "the best candidate is the one with the best lower limit",
            where="alternative",
            value="less",
            fix='use "greater" or "two-sided"',
        )


def ranked(certificates: Mapping[str, Certificate]) -> list[tuple[str, Certificate]]:
    return sorted(certificates.items(), key=lambda item: (-item[1].low, -item[1].value))

"""Certify several candidates on the same rows, so that the best may be picked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rocsolid.binary.design import Design
from rocsolid.certificates.certificate import Certificate
from rocsolid.certificates.measured import CertificateQuestion
from rocsolid.certificates.new_rows import NewRows, new_rows
from rocsolid.certificates.of_scorer import checked, of_one
from rocsolid.certificates.scores_of import name_of
from rocsolid.errors import InputError
from rocsolid.graded.measure import GradedMeasure
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative, percent
from rocsolid.results.plain import Plain, one_line
from rocsolid.weights import Weight


@dataclass(frozen=True, slots=True)
class CertifiedGrid(Plain, Checked):
    """A certificate for each candidate; all of them hold at once with probability 1 − δ.

    ``best`` is the name of the one with the best lower limit (of equal ones the larger value, then
    the first). As all hold at once, its certificate holds too, although these rows chose it.
    """

    certificates: Mapping[str, Certificate]
    best: str
    _json = "best certificates"

    def warned(self, *said: Remark) -> CertifiedGrid:
        """The same with these warnings at each certificate."""
        certificates = {
            name: replace(one, warnings=(*one.warnings, *said))
            for name, one in self.certificates.items()
        }
        return replace(self, certificates=certificates)

    @property
    def certificate(self) -> Certificate:
        """That of the best candidate."""
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
        for name, one in ranked(self.certificates):
            lines.append(f"{name:<{width}}  {one.in_short()}")
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
    """A certificate for each of K scorers, and the one with the best lower limit.

    Each has (1 − ``level``)/K for itself, so all K limits hold at once at the level (the union
    bound; with weights π = 1/K it is `rocsolid.theory.guarantees.occam_kl`), and whichever is
    picked keeps its own: the price is ln K in the exponent. The candidates must all have been
    fitted without these rows. ``candidates`` is for more candidates than are listed: those that
    were looked at on these rows and dropped. The other keywords are those of `certify`.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([1, 0], 500)
    >>> scores = {"good": y + rng.normal(size=1000), "poor": y + 3 * rng.normal(size=1000)}
    >>> print(certify_grid(scores, y=y))
    AUC of 2 candidates, certified together at 95 % (cuts); best: good
    good  0.7715, at least 0.7307
    poor  0.5660, at least 0.5173
    """
    named = _named(models)
    many = len(named) if candidates is None else candidates
    question = checked(measure, bound, level, many, alternative, design, qid)
    if many < len(named):
        raise InputError(
            f"there are {len(named)} candidates, more than were counted",
            where="candidates",
            value=candidates,
            fix="count every scorer that was looked at on these rows",
        )
    rows = new_rows(question, X, y, qid, sample_weight, cluster, pos_label, lower_is_better)
    return of_many(named, rows, question, level, many, fitted_on, independent)


def of_many(
    named: Mapping[str, Any],
    rows: NewRows,
    question: CertificateQuestion,
    level: float,
    candidates: int,
    fitted_on: tuple[Any, Any] | None = None,
    independent: bool = False,
    split: str | None = None,
) -> CertifiedGrid:
    """The certificates of named candidates on the same rows."""
    if question.alternative == "less" and len(named) > 1:
        raise InputError(
            "the best candidate is the one with the best lower limit",
            where="alternative",
            value="less",
            fix='use "greater" or "two-sided"',
        )
    certificates = {
        name: of_one(scorer, rows, question, level, candidates, fitted_on, independent, split, name)
        for name, scorer in named.items()
    }
    return CertifiedGrid(certificates, ranked(certificates)[0][0])


def ranked(certificates: Mapping[str, Certificate]) -> list[tuple[str, Certificate]]:
    """By the lower limit, then by the value; equal ones as they come."""
    return sorted(certificates.items(), key=lambda item: (-item[1].low, -item[1].value))


def _named(models: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    if isinstance(models, Mapping):
        named = {str(name): scorer for name, scorer in models.items()}
        if len(named) < len(models):
            raise InputError("two names read the same", where="models", value=list(models))
    elif isinstance(models, list | tuple):
        named = {f"{name_of(scorer)} {at}": scorer for at, scorer in enumerate(models, start=1)}
    else:
        raise InputError(
            f"candidates are a mapping of names to scorers, or a list, not a "
            f"{type(models).__name__}",
            where="models",
            fix='pass {"a": scorer_a, "b": scorer_b}',
        )
    if not named:
        raise InputError("there is no candidate", where="models", fix="pass at least one scorer")
    return named

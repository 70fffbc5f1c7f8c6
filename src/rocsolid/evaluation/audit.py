"""``rs.audit``: check a printed AUC against its digits and the class sizes."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Literal

from rocsolid.arguments import one_of, whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.evaluation.printed_auc import MOST_COUNTED, PrintedAuc, bits_given_away, printed_auc
from rocsolid.evaluation.printed_digits import (
    METHODS,
    READINGS,
    VERDICTS,
    IntervalMethod,
    MethodVerdict,
    PrintedInterval,
    between,
    error_limits,
    method_verdict,
)
from rocsolid.intervals.calibrated.standard_error import newcombe5, quantile
from rocsolid.intervals.guarantees import hinge
from rocsolid.leaks.evidence import read_number
from rocsolid.leaks.gaussian import log2_comb
from rocsolid.plan.rankings import possible_auc
from rocsolid.results.json_schema import Count, IntervalLevel, holds
from rocsolid.results.plain import Plain
from rocsolid.summaries.moments import Moments

_ANY = "It is judged for every number that is printed {}, possible or not."


@dataclass(frozen=True, slots=True)
class SupportedInterval(Plain):
    """An interval that depends on the AUC and the class sizes only."""

    method: Annotated[str, "Which."]
    low: Annotated[float, "The lower limit."]
    high: Annotated[float, "The upper limit."]


@dataclass(frozen=True, slots=True)
class AuditFinding(Plain):
    """A printed number, whether it is possible for the class sizes, and why."""

    about: Annotated[str, Literal["auc", "ci", "p", "errors"], "What."]
    possible: Annotated[
        bool, "False only if neither any method with any ties nor the named method can give it."
    ]
    text: Annotated[str, "The finding as a sentence."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedAudit(Plain):
    """The possible meanings of a printed AUC, its interval and a p-value for these class sizes.

    ``bits`` is the information in the AUC about the labels, for someone who has untied scores.
    """

    auc: Annotated[str, "The AUC as printed."]
    n_pos: Annotated[int, holds(minimum=2), "The positives."]
    n_neg: Annotated[int, holds(minimum=2), "The negatives."]
    level: Annotated[IntervalLevel, "The level of the interval."]
    method: Annotated[str | None, IntervalMethod | None, "The method that was named; null for all."]
    findings: Annotated[tuple[AuditFinding, ...], "One finding for each number."]
    digits: Annotated[
        str | None,
        Literal["rounded", "cut"] | None,
        "The reading of the AUC's digits, rounded or truncated; null if it is not possible.",
    ]
    fractions: Annotated[
        tuple[str, ...],
        holds(maxItems=3),
        "The AUCs that fit; the first and the last if there are more than three.",
    ]
    n_fractions: Annotated[Count, "The number of AUCs that fit."]
    nearest: Annotated[tuple[str, ...], "The possible AUCs next to an impossible one."]
    methods: Annotated[
        tuple[MethodVerdict, ...],
        "A verdict for each method, or for the named one; empty without an interval.",
    ]
    intervals: Annotated[tuple[SupportedInterval, ...], "Empty if the AUC is not possible."]
    half_widths: Annotated[
        tuple[float, float] | None,
        "The smallest, without ties, and the largest half-width of DeLong's interval.",
    ]
    least_with_ties: Annotated[float | None, "The smallest half-width with ties."]
    bits: Annotated[
        float | None,
        "The bits that the AUC reveals; null if only ties or truncation give it, or beyond a "
        "million rows.",
    ]
    bits_rest_on: Annotated[str | None, "The AUCs without ties behind these bits."]
    bits_before: Annotated[float, holds(minimum=0), "The unknown bits without the AUC."]
    _json = (
        "auc n_pos n_neg level method findings digits fractions n_fractions nearest methods "
        "intervals half_widths least_with_ties bits bits_rest_on bits_before possible"
    )

    @property
    def possible(self) -> bool:
        """Whether every printed number is possible for some method, or for the named one."""
        return all(finding.possible for finding in self.findings)

    def explain(self) -> str:
        """The findings as a paragraph."""
        return " ".join(self.sentences())

    def sentences(self) -> tuple[str, ...]:
        """The findings, the intervals that the numbers support, and the bits revealed."""
        percent = f"{100 * self.level:g} %"
        lines = []
        for finding in self.findings:
            lines.append(finding.text)
            if finding.about == "ci":
                lines += [verdict.text for verdict in self.methods]
        if self.nearest:
            lines.append(f"Possible values next to it: {' and '.join(self.nearest)}.")
        lines += [
            f"From the AUC and the class sizes, {interval.method} gives "
            f"[{interval.low:.4f}, {interval.high:.4f}] at {percent}."
            for interval in self.intervals
        ]
        if self.half_widths is not None:
            low, high = self.half_widths
            lines.append(
                f"The half-width of DeLong's {percent} interval is {low:.4f} "
                f"({self.least_with_ties:.4f} with ties) to {high:.4f}, whatever the scores are."
            )
        if self.bits is not None:
            lines.append(
                "Someone with the scores, without ties, and the class sizes learns "
                f"{self.bits:.2f} of the {self.bits_before:.2f} bits in the labels: the AUC is "
                f"{self.bits_rest_on}."
            )
        elif self.n_pos + self.n_neg > MOST_COUNTED and self.digits is not None:
            lines.append("For so many rows, counting the bits that the AUC reveals takes too long.")
        return tuple(lines)

    def __str__(self) -> str:
        return "\n".join(self.sentences())


def audit(
    auc: str | float | Fraction,
    *,
    n_pos: int,
    n_neg: int,
    ci: tuple[str | float, str | float] | None = None,
    vs: str | float | Fraction | None = None,
    p: str | float | None = None,
    errors: int | None = None,
    level: float = 0.95,
    method: str | None = None,
) -> PrintedAudit:
    """Check whether a printed AUC is possible, what it supports, and what it reveals.

    Every printed digit counts, so pass numbers with a final zero as text: ".80". Numbers may be
    rounded or truncated. ``ci`` is the printed interval, ``vs`` the AUC of another score of the
    same rows, ``p`` the p-value of their difference, ``errors`` the number of rows that one
    threshold on the score misclassifies. ``method`` is the method of the interval, if known:
    "delong", "hanley-mcneil", "wald", "exact" (both binomial), "auto" (rocsolid's) or "bootstrap".
    By default an interval is impossible only if none of these can give it, whatever ties the scores
    have. The audit assumes independent rows without weights that each count once. Passing the audit
    does not make a number right.

    >>> printed = audit(".845", n_pos=5, n_neg=6)
    >>> printed.possible, printed.nearest
    (False, ('25/30 = 0.833', '51/60 = 0.850 (with a tie)'))
    >>> wide = audit(".85", n_pos=50, n_neg=50, ci=(".70", ".99"), method="delong")
    >>> print(wide.methods[0].text)
    DeLong's method cannot give it: ...
    """
    printed = audit_without_bits(
        auc, n_pos=n_pos, n_neg=n_neg, ci=ci, vs=vs, p=p, errors=errors, level=level, method=method
    )
    read = printed_auc(printed.auc, printed.n_pos, printed.n_neg)
    bits = bits_given_away(read)
    return replace(printed, bits=bits, bits_rest_on=None if bits is None else read.rest())


def audit_without_bits(
    auc: str | float | Fraction,
    *,
    n_pos: int,
    n_neg: int,
    ci: tuple[str | float, str | float] | None = None,
    vs: str | float | Fraction | None = None,
    p: str | float | None = None,
    errors: int | None = None,
    level: float = 0.95,
    method: str | None = None,
) -> PrintedAudit:
    """`audit` without the information in the AUC, which takes long to count."""
    m, n = (whole(size, name, 2) for size, name in ((n_pos, "n_pos"), (n_neg, "n_neg")))
    if not 0 < level < 1:
        raise InputError("a level must be between 0 and 1", where="level", value=level)
    if method is not None:
        one_of(method, METHODS, "method")
    printed = printed_auc(_text(auc), m, n)
    findings = [AuditFinding("auc", printed.digits is not None, printed.sentence())]
    methods: tuple[MethodVerdict, ...] = ()
    if ci is not None:
        methods = _verdicts(_limits(ci), printed, level, method)
        verdict = _interval(methods)
        if printed.digits is None:
            verdict = replace(verdict, text=f"{verdict.text} {_ANY.format(printed.text)}")
        findings.append(verdict)
    if vs is not None:
        findings += _difference(printed, printed_auc(_text(vs), m, n), p, method)
    elif p is not None:
        raise InputError("a p-value needs the AUC that is compared", where="p", fix="give vs")
    if errors is not None:
        findings.append(_at_errors(errors, printed))
    possible = printed.digits is not None
    widths = [quantile(level, "two-sided") * error for error in error_limits(printed.ends, m, n)]
    return PrintedAudit(
        auc=printed.text, n_pos=m, n_neg=n, level=level, method=method, findings=tuple(findings),
        digits=printed.digits, fractions=printed.fractions, n_fractions=printed.n_fractions,
        nearest=() if possible else printed.nearest(), methods=methods,
        intervals=_supported(printed, level) if possible else (),
        half_widths=(widths[1], widths[2]) if possible else None,
        least_with_ties=widths[0] if possible else None, bits=None,
        bits_rest_on=None, bits_before=log2_comb(m + n, m),
    )  # fmt: skip


def _text(number: str | float | Fraction) -> str:
    return number.strip() if isinstance(number, str) else str(number)


def _limits(ci: tuple[str | float, str | float]) -> tuple[str, str]:
    low, high = (_text(limit) for limit in ci)
    if read_number(low)[0] > read_number(high)[0]:
        raise InputError("the lower limit comes first", where="ci", value=ci)
    return low, high


def _verdicts(
    limits: tuple[str, str], auc: PrintedAuc, level: float, method: str | None
) -> tuple[MethodVerdict, ...]:
    """The verdict on each method, under the most favourable reading of the digits.

    An AUC that no share of pairs has may be any number that rounds to the printed digits.
    """
    readings = []
    for digits in READINGS:
        read = printed_auc(auc.text, auc.m, auc.n, (digits,))
        if auc.digits is not None and read.digits is None:
            continue
        low, high = (between(limit, digits).floats() for limit in limits)
        readings.append((digits, PrintedInterval(read.ends, low, high, auc.m, auc.n, level)))
    return tuple(
        min(
            (method_verdict(name, read, digits) for digits, read in readings),
            key=lambda verdict: VERDICTS.index(verdict.verdict),
        )
        for name in ([method] if method else METHODS)
    )


def _interval(methods: tuple[MethodVerdict, ...]) -> AuditFinding:
    best = min((verdict.verdict for verdict in methods), key=VERDICTS.index)
    if best == "impossible" and len(methods) > 1:
        text = "The interval is not possible for independent rows by any of these methods."
    elif best == "impossible":
        text = "The interval is not possible for independent rows by the named method."
    elif best == "no-statement":
        text = "The interval may be from a bootstrap or another method."
    else:
        text = "Some method can give the interval."
    return AuditFinding("ci", best != "impossible", text)


def _at_errors(errors: int, auc: PrintedAuc) -> AuditFinding:
    rows = auc.m + auc.n
    if whole(errors, "errors", 0) > rows:
        raise InputError("there cannot be more errors than rows", where="errors", value=errors)
    least, most = (float(end) for end in possible_auc(errors, auc.m, auc.n))
    possible = least <= auc.ends[1] and auc.ends[0] <= most
    subject = "an AUC" if possible else "not this but an AUC"
    text = f"With {errors} of {rows} rows wrong at a threshold, {subject}"
    return AuditFinding("errors", possible, f"{text} of {least:.4f} to {most:.4f} is possible.")


def _supported(auc: PrintedAuc, level: float) -> tuple[SupportedInterval, ...]:
    m, n = auc.m, auc.n
    scores = [newcombe5(Moments(end, 0.0, 0.0, m, n), level, "two-sided") for end in auc.ends]
    bounds = [hinge(end, m, n, 1 - level) for end in auc.ends]
    return (
        SupportedInterval(
            "Newcombe's method 5 (calibrated)", float(scores[0][0]), float(scores[1][1])
        ),
        SupportedInterval("the hinge bound (certified)", bounds[0].low, bounds[1].high),
    )


def _difference(
    auc: PrintedAuc, second: PrintedAuc, p: str | float | None, method: str | None
) -> list[AuditFinding]:
    findings = [AuditFinding("auc", second.digits is not None, second.sentence())]
    if p is None:
        return findings
    low, high = between(_text(p), "rounded").floats()
    if not 0 <= (low + high) / 2 <= 1:
        raise InputError("a p-value must be between 0 and 1", where="p", value=p)
    distance = max(auc.ends[0] - second.ends[1], second.ends[0] - auc.ends[1], 0.0)
    error = sum(error_limits(each.ends, each.m, each.n).most for each in (auc, second))
    most = math.erfc(distance / error / math.sqrt(2)) if error else float(distance == 0)
    if low <= most:
        text = f"A p-value of {_text(p)} is possible: DeLong's tests give at most {most:.4f} for "
        return [*findings, AuditFinding("p", True, f"{text}this difference.")]
    text = (
        f"A p-value of {_text(p)} is larger than any two-sided DeLong test gives for this "
        f"difference (at most {most:.4f}): it is adjusted, one-sided, or from another test."
    )
    return [*findings, AuditFinding("p", method != "delong", text)]

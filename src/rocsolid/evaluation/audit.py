"""``rs.audit``: what a printed AUC can be, from its digits and the class sizes alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from rocsolid.checks import whole
from rocsolid.errors import InputError
from rocsolid.intervals.calibrated.hanley_mcneil import hanley_mcneil_variance
from rocsolid.intervals.calibrated.newcombe5 import newcombe5
from rocsolid.intervals.calibrated.tails import quantile
from rocsolid.intervals.calibrated.variance_limits import std_error_limits
from rocsolid.intervals.guarantees import hinge
from rocsolid.leaks import count
from rocsolid.leaks.released import Released, read_number, released
from rocsolid.plan.rankings import RankingSpread, auc_at_error_rate, possible_auc
from rocsolid.results.plain import Plain
from rocsolid.summaries.moments import Moments


@dataclass(frozen=True, slots=True)
class SupportedInterval(Plain):
    """An interval that needs the AUC and the class sizes only."""

    method: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class AuditFinding(Plain):
    """What was held against the class sizes, whether it is possible, and why."""

    about: str
    possible: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedAudit(Plain):
    """What a printed AUC, its interval and a p-value can be for these class sizes.

    ``nearest`` holds the possible values next to an AUC that is not possible. ``half_widths`` are
    the smallest (without ties across classes) and the largest half-width that DeLong's interval
    can have. ``bits`` is what the printed AUC gives away of the ``bits_before`` that are unknown
    about the labels of somebody who holds untied scores and the class sizes.
    """

    auc: str
    n_pos: int
    n_neg: int
    level: float
    findings: tuple[AuditFinding, ...]
    nearest: tuple[str, ...]
    intervals: tuple[SupportedInterval, ...]
    half_widths: tuple[float, float]
    bits: float | None
    bits_before: float

    @property
    def possible(self) -> bool:
        """Whether nothing printed was found to be impossible."""
        return all(one.possible for one in self.findings)

    def explain(self) -> str:
        """The findings as a paragraph."""
        return " ".join(self.sentences())

    def sentences(self) -> tuple[str, ...]:
        """Every finding, the intervals that the numbers support, and what the AUC gives away."""
        percent = f"{100 * self.level:g} %"
        said = [one.text for one in self.findings]
        if self.nearest:
            said.append(f"Possible values next to it: {' and '.join(self.nearest)}.")
        said += [
            f"From the AUC and the class sizes, {one.method} gives [{one.low:.4f}, {one.high:.4f}]"
            f" at {percent}."
            for one in self.intervals
        ]
        low, high = self.half_widths
        said.append(
            f"The half-width of DeLong's {percent} interval lies between {low:.4f} (0 with ties) "
            f"and {high:.4f}, whatever the scores are."
        )
        if self.bits is not None:
            said.append(
                f"Whoever has the scores, without ties, and the class sizes learns {self.bits:.2f} "
                f"of the {self.bits_before:.2f} bits in the labels."
            )
        return tuple(said)

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
) -> PrintedAudit:
    """Whether a printed AUC is possible, what it supports, and what it gives away.

    Numbers are taken with the digits that were printed: write them as text, ".80", where a last
    zero counts. ``ci`` is the printed interval, ``vs`` the AUC of another score of the same rows,
    ``p`` the p-value of their difference, ``errors`` the number of rows that one threshold on the
    score puts on the wrong side. What is impossible here is impossible for every method
    that is named; that nothing is found does not make a number right.

    >>> found = audit(".845", n_pos=5, n_neg=6)
    >>> found.possible, found.nearest
    (False, ('25/30 = 0.833', '51/60 = 0.850 (with a tie)'))
    >>> print(audit(".85", n_pos=50, n_neg=50, ci=(".60", ".99")).findings[1].text)
    The interval is wider than any of DeLong's for these sizes (half-width at most 0.1013).
    """
    m, n = (whole(size, name, 2) for size, name in ((n_pos, "n_pos"), (n_neg, "n_neg")))
    if not 0 < level < 1:
        raise InputError("a level lies between 0 and 1", where="level", value=level)
    read = released(_text(auc))
    z = quantile(level, "two-sided")
    wins = _wins(read, m, n)
    findings = [_value(_text(auc), wins, m, n)]
    if ci is not None:
        findings += _interval(ci, read, m, n, z)
    if vs is not None:
        findings += _difference(read, _text(vs), p, m, n)
    elif p is not None:
        raise InputError("a p-value needs the AUC that it compares with", where="p", fix="give vs")
    if errors is not None:
        findings.append(_at_errors(auc_at_error_rate(errors, m, n), read))
    bits, before = None, math.log2(math.comb(m + n, m))
    if any(win % 2 == 0 for win in wins):
        bits = before - count(_text(auc), m + n, n_pos=m).log2
    limits = _errors(read, m, n)
    return PrintedAudit(
        auc=_text(auc), n_pos=m, n_neg=n, level=level, findings=tuple(findings),
        nearest=() if wins else _nearest(read, _text(auc), m, n),
        intervals=_supported(read, m, n, level),
        half_widths=(z * limits[0], z * limits[1]), bits=bits, bits_before=before,
    )  # fmt: skip


def _text(number: str | float | Fraction) -> str:
    return number if isinstance(number, str) else str(number)


def _wins(read: Released, m: int, n: int) -> range:
    """Twice the number of pairs won, for every AUC that would be printed so."""
    sums = read.doubled_rank_sums(m + n, m)
    return range(sums.start - m * (m + 1), sums.stop - m * (m + 1))


def _value(text: str, wins: range, m: int, n: int) -> AuditFinding:
    pairs = f"{m} positives and {n} negatives ({m * n} pairs)"
    if not wins:
        return AuditFinding("auc", False, f"An AUC of {text} is not possible with {pairs}.")
    if not any(win % 2 == 0 for win in wins):
        return AuditFinding("auc", True, f"An AUC of {text} needs a tie with {pairs}.")
    return AuditFinding("auc", True, f"An AUC of {text} is possible with {pairs}.")


def _at_errors(known: RankingSpread, read: Released) -> AuditFinding:
    least, most = possible_auc(known.errors, known.n_pos, known.n_neg)
    possible = least <= read.high and read.low <= most
    return AuditFinding("errors", possible, f"With {known.errors} of {known.n_pos + known.n_neg} "
            f"rows wrong at a threshold, {'an AUC' if possible else 'not this but an AUC'} of "
            f"{known.least:.4f} to {known.most:.4f} is possible; all such rankings have "
            f"{known.mean:.4f} on average.")  # fmt: skip


def _nearest(read: Released, text: str, m: int, n: int) -> tuple[str, ...]:
    """The possible values below and above, with as many decimals as were printed."""
    decimals = len(text.partition(".")[2]) or 4
    below = math.floor(2 * read.low * m * n)
    return tuple(
        f"{win // 2}/{m * n} = {win / (2 * m * n):.{decimals}f}"
        if win % 2 == 0
        else f"{win}/{2 * m * n} = {win / (2 * m * n):.{decimals}f} (with a tie)"
        for win in (below, below + 1)
    )


def _supported(read: Released, m: int, n: int, level: float) -> tuple[SupportedInterval, ...]:
    """Wide enough for every AUC that would be printed so."""
    low, high = float(read.low), float(read.high)
    scores = [newcombe5(Moments(end, 0.0, 0.0, m, n), level, "two-sided") for end in (low, high)]
    bounds = [hinge(end, m, n, 1 - level) for end in (low, high)]
    return (
        SupportedInterval(
            "Newcombe's method 5 (calibrated)", float(scores[0][0]), float(scores[1][1])
        ),
        SupportedInterval("the hinge bound (certified)", bounds[0].low, bounds[1].high),
    )


def _errors(read: Released, m: int, n: int) -> tuple[float, float]:
    """The limits of DeLong's standard error over all AUCs that would be printed so."""
    ends = sorted((float(read.low), float(read.high)), key=lambda a: abs(a - 0.5))
    middle = 0.5 if read.low <= Fraction(1, 2) <= read.high else ends[0]
    return std_error_limits(ends[1], m, n)[0], std_error_limits(middle, m, n)[1]


def _interval(
    ci: tuple[str | float, str | float], read: Released, m: int, n: int, z: float
) -> list[AuditFinding]:
    (low, slack_low), (high, slack_high) = (read_number(_text(one)) for one in ci)
    if low > high:
        raise InputError("the lower limit comes first", where="ci", value=ci)
    slack = slack_low + slack_high
    if low - slack_low > read.high or high + slack_high < read.low:
        return [AuditFinding("ci", False, "The interval does not contain the AUC.")]
    if low + slack_low < 0 or high - slack_high > 1:
        return [AuditFinding("ci", False, "The interval leaves the range of an AUC, 0 to 1.")]
    least, most = (z * error for error in _errors(read, m, n))
    half, half_slack = float(high - low) / 2, float(slack) / 2
    if half - half_slack > most:
        return [AuditFinding("ci", False, "The interval is wider than any of DeLong's for these "
                             f"sizes (half-width at most {most:.4f}).")]  # fmt: skip
    cut = low - slack_low <= 0 or high + slack_high >= 1  # a limit may have been cut there
    if half + half_slack < least and not cut:
        return [AuditFinding("ci", False, "The interval is narrower than any of DeLong's without "
                             f"ties (half-width at least {least:.4f}).")]  # fmt: skip
    middle = Moments(float(read.low + read.high) / 2, 0.0, 0.0, m, n)
    usual = z * float(hanley_mcneil_variance(middle)) ** 0.5
    return [AuditFinding("ci", True, "DeLong's interval can have this width for these sizes; the "
                         f"half-width of Hanley and McNeil's is {usual:.4f}.")]  # fmt: skip


def _difference(
    read: Released, vs: str, p: str | float | None, m: int, n: int
) -> list[AuditFinding]:
    other = released(vs)
    findings = [_value(vs, _wins(other, m, n), m, n)]
    if p is None:
        return findings
    printed, slack = read_number(_text(p))
    if not 0 <= printed <= 1:
        raise InputError("a p-value lies between 0 and 1", where="p", value=p)
    apart = float(max(read.low - other.high, other.low - read.high, Fraction(0)))
    error = _errors(read, m, n)[1] + _errors(other, m, n)[1]
    most = math.erfc(apart / error / math.sqrt(2)) if error else float(apart == 0)
    if float(printed - slack) > most:
        return [*findings, AuditFinding("p", False, f"A p-value of {_text(p)} is larger than any "
                f"test of DeLong's gives for this difference (at most {most:.4f}).")]  # fmt: skip
    return [*findings, AuditFinding("p", True, f"A p-value of {_text(p)} is possible: DeLong's "
            f"tests give at most {most:.4f} for this difference.")]  # fmt: skip

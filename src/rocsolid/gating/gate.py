"""Decisions on a policy: one-sided limits for each rule, one error budget for all rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Reading
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.evaluation.sample import Sample
from rocsolid.gating.decision import GateDecision
from rocsolid.gating.evidence import JudgedLists, labelled
from rocsolid.gating.outcome_rows import OutcomeRows, scale_of
from rocsolid.gating.policy import Policy, Rule
from rocsolid.gating.quantity import BinaryData, PolicyData, Quantity
from rocsolid.gating.rulings import (
    ORDER,
    Ruling,
    StoredDifference,
    StoredResults,
    Verdict,
    bits_released,
    enough_positives,
    more_units,
    number,
)
from rocsolid.graded.measure_name import measure as list_measure
from rocsolid.measures.concordance import of_outcomes
from rocsolid.measures.named import measure_of
from rocsolid.remarks.comparisons import FewClustersCompared
from rocsolid.remarks.muting import shown
from rocsolid.remarks.rows import FewClusters, UnevenClusters
from rocsolid.report.text import measure_title
from rocsolid.results import Interval
from rocsolid.results.equivalence import nearest, signed, telling


def gate(
    policy: Any,
    data: Any = None,
    *,
    baseline: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
) -> GateDecision:
    """Decide whether the scores of a table meet every rule of a policy: pass, fail or undecided.

    ``policy`` is the path of a TOML file or a mapping with the same content. ``data`` is anything
    that `rocsolid.evaluate` reads, or ``None`` if the policy names run files. ``baseline`` is the
    path of stored results (``rocsolid evaluate --json``) for a comparison with scores whose rows no
    longer exist. ``memory`` and ``threads`` are as in `rocsolid.evaluate`. A rule is decided from
    an engine's summaries where they suffice. A rule that needs all rows in memory, such as a
    certified difference, is an error if the rows exceed the memory limit.

    With α = 1 − level, the decision is wrong with a probability of at most α (about α with
    calibrated limits), for any number of rules, any dependence between rules and any truth.

    *A false pass.* A rule that does not hold passes only if a one-sided limit with error α lies on
    the wrong side of the truth. All rules must pass, so no adjustment is needed (the
    intersection-union test, Berger 1982). A two-sided rule (``within``) passes only if both limits
    pass.

    *A false fail.* If all rules hold, the gate fails only if one of m one-sided limits, each with
    error α/m (Bonferroni), lies on the wrong side. m counts the limits of all rules and segments,
    two for a two-sided rule.

    In any given truth only one of the two mistakes is possible, so α covers both. A rule that
    cannot be estimated, such as one about a segment of a single class, is undecided. With ``fold``
    the rules are about learners: calibrated limits are for their models on new rows, and certified
    limits, or all limits if folds split clusters (with a warning), are for the models of these
    folds. ``no_drift_against`` is an alarm that passes unless a drift is shown, and the bound on a
    false pass does not cover it. ``positives_at_least`` and ``bits_at_most`` are facts about the
    data and use none of the error budget. If ``data`` is a `rocsolid.Sample`, rules name no column
    and no measure. If the policy has no ``label``, ``qrels`` or ``runs``, ``data`` are logs of
    language-model evaluations (`rocsolid.Sample.of_logs`): scores are models, and the measure of
    the rules is the scorer.

    >>> data = {"ill": [0, 1] * 200, "new": [i % 2 * 1.5 + i * 7 % 11 / 5 for i in range(400)]}
    >>> found = gate({"label": "ill", "rule": [{"score": "new", "at_least": 0.7}]}, data)
    >>> found.verdict
    'pass'
    """
    terms, data = policy_and_data(policy, data)
    by_unit = isinstance(data, Sample)
    if not by_unit:
        terms = _canonical(terms)
    stored = None if baseline is None else StoredResults.read(Path(baseline))
    names = dict.fromkeys(rule.score for rule in terms.rules if rule.score)
    paired = {
        rule.number: rule
        for rule in terms.rules
        if rule.against_score and not (stored is not None and stored.has(rule.other))
    }
    names |= {rule.other: None for rule in paired.values()}
    if terms.option("fold") and not (baseline is None and memory is None and threads is None):
        raise InputError(
            "a policy of folds is decided in memory, from the rows of every score",
            where=terms.name, fix="leave baseline, memory and threads out, or fold",
        )  # fmt: skip
    if (terms.runs or by_unit) and (memory is not None or threads is not None):
        raise InputError(
            "memory and threads are for tables", where=terms.name, fix="leave them out"
        )
    if terms.runs and data is not None:
        raise InputError(
            "the policy names run files, so there is no table", where=terms.name, value=str(data),
            fix="leave the table out, or qrels and runs",
        )  # fmt: skip
    if not terms.runs and data is None:
        raise InputError("no table is named", fix="name a file, such as scores.csv")
    for rule in terms.rules:
        if rule.number in paired and rule.other == rule.score:
            raise InputError(
                "a score is compared with itself",
                where=f"rule {rule.number}",
                value=rule.score,
                fix="name another score, or stored results with baseline",
            )
    reading, scores = Reading(memory, threads), tuple(names)
    source: PolicyData = (
        JudgedLists(terms, data, scores, reading)
        if terms.of_queries or by_unit
        else OutcomeRows(terms, data, scores)
        if terms.of_outcomes
        else labelled(terms, data, scores, paired, reading)
    )
    with closing(source) as evidence:
        for rule in terms.rules:
            _check_bar(rule, evidence)
        places: list[tuple[Rule, int | None]] = [
            (rule, segment) for rule in terms.rules for segment in _segments(rule, evidence)
        ]
        tests = sum(rule.sides for rule, _ in places)
        bench = _Bench(
            terms, evidence, stored, 1.0 - terms.level, (1.0 - terms.level) / max(tests, 1)
        )
        rulings = [bench.ruling(rule, segment) for rule, segment in places]
        clusters = evidence.clusters
    return GateDecision(
        terms.name, evidence.source, evidence.rows, evidence.unit, terms.level, tests,
        tuple(_worst_only(terms.rules, rulings)), shown(evidence.warnings, terms.mute),
        clusters,
    )  # fmt: skip


def policy_and_data(policy: Any, data: Any) -> tuple[Policy, Any]:
    """The policy, which is read once as it may be a pipe, and the data."""
    if isinstance(policy, Policy):
        return policy, data
    given, path = Policy.content(policy)
    data = _sample_of_logs(given, data)
    return Policy.of(given, path, data.measure if isinstance(data, Sample) else ""), data


def _sample_of_logs(given: Mapping[str, Any], data: Any) -> Any:
    from rocsolid.evaluation.logs import are_logs

    rules = given.get("rule")
    tables = given.keys() & {"label", "qrels", "runs"}
    if tables or not isinstance(rules, list) or not are_logs(data):
        return data
    scorers = {rule.get("measure") for rule in rules if isinstance(rule, Mapping)} - {None}
    if len(scorers) > 1:
        raise InputError(
            "the rules of logs are about one scorer", where="rule", value=sorted(map(str, scorers)),
            fix="write a policy for each scorer",
        )  # fmt: skip
    nan = {"nan": given["nan"]} if "nan" in given else {}
    return Sample.of_logs(data, measure=next(iter(scorers), None), **nan)


def _canonical(policy: Policy) -> Policy:
    return replace(policy, rules=tuple(_named(rule, policy.of_queries) for rule in policy.rules))


def _named(rule: Rule, of_queries: bool) -> Rule:
    try:
        if of_queries:
            list_measure(rule.measure)
            return rule
        if of_outcomes(rule.measure) is not None:
            return replace(rule, measure=scale_of(rule.measure))
        return replace(rule, measure=measure_of(rule.measure).name)
    except InputError as error:
        place = f"rule {rule.number}"
        raise InputError(error.what, where=place, value=error.value, fix=error.fix) from None


def _check_bar(rule: Rule, evidence: PolicyData) -> None:
    if not rule.estimated:
        return
    bottom, top = evidence.range(rule.measure)
    if rule.condition != "at_least":
        bottom, top = 0.0, top - bottom
    if not bottom <= rule.value <= top:
        raise InputError(
            f"no {'value' if rule.condition == 'at_least' else 'difference'} of {rule.measure} is "
            f"beyond {bottom:g} to {top:g}",
            where=f"rule {rule.number}", value=rule.value,
            fix=f"write a number from {bottom:g} to {top:g}",
        )  # fmt: skip


def _segments(rule: Rule, evidence: PolicyData) -> list[int | None]:
    if not rule.segments:
        return [None]
    if not evidence.segments:
        raise InputError(
            "there are no segments",
            where=f"rule {rule.number}",
            fix="leave segments out of the rule",
        )
    return list(range(len(evidence.segments)))


def _worst_only(rules: tuple[Rule, ...], rulings: list[Ruling]) -> Iterator[Ruling]:
    for rule in rules:
        mine = [ruling for ruling in rulings if ruling.rule == rule.number]
        if rule.segments == "worst":
            low = {
                id(ruling): math.inf if math.isnan(ruling.low) else ruling.low for ruling in mine
            }
            worst = min(mine, key=lambda ruling: (ORDER.index(ruling.verdict), low[id(ruling)]))
            yield replace(worst, text=f"{worst.text} (of {len(mine):,})")
        else:
            yield from mine


@dataclass(frozen=True, slots=True)
class _Bench:
    policy: Policy
    evidence: PolicyData
    stored: StoredResults | None
    to_pass: float
    to_fail: float

    def ruling(self, rule: Rule, segment: int | None) -> Ruling:
        by = None if segment is None else self.evidence.segments[segment]
        try:
            if rule.condition == "positives_at_least":
                return enough_positives(rule, self._rows.positives(rule.score, segment), by)
            if rule.condition == "bits_at_most":
                return bits_released(rule, self._rows.rows_with(rule.score))
            return self._decided(rule, self._quantity(rule, segment), segment)
        except (OneClassError, UnsoundError) as error:
            nan = math.nan
            fix = error.fix or ("add rows" if isinstance(error, OneClassError) else "")
            why = f"{error.what}{f'; to decide it, {fix}' if fix else ''}"
            return Ruling(
                rule.number, str(rule), by, "undecided", nan, nan, nan, _needed(rule), f"{why}.",
                undecided=why,
            )  # fmt: skip

    @property
    def _rows(self) -> BinaryData:
        assert isinstance(self.evidence, BinaryData)
        return self.evidence

    def _quantity(self, rule: Rule, segment: int | None) -> Quantity:
        stored = self.stored
        if rule.alarm:
            stored = StoredResults.baseline(
                self.policy.folder / rule.other,
                rule.score,
                lower_is_better=self.policy.option("lower_is_better"),
            )
        compared_with = rule.score if rule.alarm else rule.other
        if not (rule.against_score or rule.alarm):
            return self.evidence.quantity(rule.measure, rule.score, segment)
        if stored is None or not (rule.alarm or stored.has(compared_with)):
            return self.evidence.difference(rule.measure, rule.score, compared_with, segment)
        by = None if segment is None else self.evidence.segments[segment]
        new = self.evidence.quantity(rule.measure, rule.score, segment)
        old = stored.result(compared_with, rule.measure, by, f"rule {rule.number}")
        return StoredDifference(new, old, self.evidence.span(rule.measure))

    def _decided(self, rule: Rule, quantity: Quantity, segment: int | None) -> Ruling:
        """Decide a rule from its limits.

        A rule cannot pass and fail, because a limit with a smaller error lies farther out.
        """
        certified = rule.evidence == "certified"
        bottom, top = rule.bars
        both = rule.sides > 1
        low = high = None
        verdict: Verdict = "undecided"
        if not rule.alarm:
            low = quantity.limit("greater", self.to_pass, certified=certified)
            high = quantity.limit("less", self.to_pass, certified=certified) if both else None
            above = low is not None and (low.low >= bottom if rule.inclusive else low.low > bottom)
            if above and (not both or (high is not None and high.high < top)):
                verdict = "pass"
        if verdict != "pass":
            least = quantity.limit("less", self.to_fail, certified=certified)
            most = quantity.limit("greater", self.to_fail, certified=certified) if both else None
            at_bar = rule.inclusive or rule.alarm  # a value at the bar is enough
            below = least is not None and (
                least.high < bottom or (least.high == bottom and not at_bar)
            )
            beyond = most is not None and (most.low > top or (most.low == top and not rule.alarm))
            if below or beyond:
                verdict = "fail"
            elif rule.alarm and None not in (least, most):
                verdict = "pass"
            if verdict == "fail" or rule.alarm:
                low, high = most, least
            elif not both:
                high = least
        more, undecided = None, None
        if verdict == "undecided":
            more, undecided = self._open(rule, quantity, certified)
            if certified and self.evidence.shorter_in_memory(rule.measure, rule.score, segment):
                undecided += _IN_MEMORY
        return Ruling(
            rule.number,
            str(rule),
            None if segment is None else self.evidence.segments[segment],
            verdict,
            quantity.value,
            math.nan if low is None else low.low,
            math.nan if high is None else high.high,
            _needed(rule),
            self._why(rule, quantity, verdict, low, high, undecided),
            more,
            undecided,
            _shown(rule, quantity.value),
            low or high,
            tuple(bar for bar in rule.bars if math.isfinite(bar)),
            f"{'' if rule.condition == 'at_least' else 'difference of '}"
            f"{measure_title(rule.measure)}",
        )

    def _open(self, rule: Rule, quantity: Quantity, certified: bool) -> tuple[int | None, str]:
        """The number of rows that would decide with probability 0.8, and why the rule is open.

        The number assumes that the estimate is the truth and that every segment grows alike.
        """
        from rocsolid.plan.unknown import times_to_decide

        bottom, top = rule.bars
        value, error = quantity.value, quantity.std_error
        reasons: list[str] = []

        def times(side: Any, share: float, gap: float) -> float | None:
            limit = quantity.limit(side, share, certified=certified)
            if limit is None and quantity.doubts and not certified:
                reasons.append(self._doubted(rule, quantity))
                return None
            if limit is None or limit.vacuous:
                reasons.append(_without_limit(rule, quantity, certified, known=limit is not None))
                return None
            if gap == 0.0:
                reasons.append("the value lies at the bar, which no number of rows decides")
                return None
            fixed = 0.0
            if isinstance(quantity, StoredDifference):
                fixed = quantity.fixed(side, share, certified=certified)
            reach = value - limit.low if side == "greater" else limit.high - value
            if fixed >= gap:
                reasons.append(
                    f"the stored result is known to within {fixed:.4f}, and the value is "
                    f"{gap:.4f} from the threshold: store a result from more rows"
                )
            return times_to_decide(gap, reach - fixed, error, fixed)

        if bottom <= value <= top:
            needed = [times("greater", self.to_pass, value - bottom)]
            if top < math.inf:
                needed.append(times("less", self.to_pass, top - value))
        elif value < bottom:
            needed = [times("less", self.to_fail, bottom - value)]
        else:
            needed = [times("greater", self.to_fail, value - top)]
        known = [size for size in needed if size is not None]
        if len(known) < len(needed):
            return None, reasons[0]
        more = math.ceil(max(max(known) - 1.0, 0.0) * self.evidence.rows) or 1
        evidence = self.evidence
        size = more_units(more, evidence.unit, evidence.rows, evidence.clusters)
        return more, f"the limits include the bar; about {size} would probably decide"

    def _doubted(self, rule: Rule, quantity: Quantity) -> str:
        reasons = " ".join(remark.uncertified() for remark in quantity.doubts).rstrip(".")
        clusters = isinstance(
            quantity.doubts[0], FewClusters | UnevenClusters | FewClustersCompared
        )
        fix = f"add {'clusters' if clusters else self.evidence.unit}"
        option = self.policy.option
        designed = option("cluster") or option("sample_weight")
        if (
            designed
            and not (option("design") or option("fold"))
            and (self.policy.of_outcomes or measure_of(rule.measure).pairwise)
        ):
            fix += ', or write design = "fixed" if the design fixed the class sizes and weights'
        return f"{reasons}. No certified limit of {rule.measure} is known; to decide it, {fix}"

    def _why(
        self,
        rule: Rule,
        quantity: Quantity,
        verdict: Verdict,
        low: Interval | None,
        high: Interval | None,
        undecided: str | None,
    ) -> str:
        bottom, top = rule.bars
        form = nearest if rule.condition == "at_least" else signed
        parts = []
        if low is not None:
            text = telling(low.low, top if verdict == "fail" else bottom, low.decimals, form)
            parts.append(f"at least {text} ({_level(low)} {low.method})")
        if high is not None:
            text = telling(high.high, top if verdict == "pass" else bottom, high.decimals, form)
            parts.append(f"at most {text} ({_level(high)} {high.method})")
        sentence = f"{' and '.join(parts) or 'no limit is known'}; needed: {_needed(rule)}"
        sentence += f". {quantity.basis}"
        if parts and rule.evidence != "certified" and quantity.doubts:
            sentence += f". {' '.join(quantity.doubts).rstrip('.')}"
        if undecided is not None:
            sentence += f". Undecided: {undecided}"
        return f"{sentence}."


_IN_MEMORY = (
    "; the certified limit is shorter if the rows are in memory: pass a dataframe, or a file "
    "without a memory limit"
)


def _without_limit(rule: Rule, quantity: Quantity, certified: bool, *, known: bool) -> str:
    if known:
        return "the limits exclude nothing yet, so the number of rows needed cannot be predicted"
    if isinstance(quantity, StoredDifference):
        return "the stored result has no limit to compare with: store it at a higher level"
    if certified:
        return f'no certified limit of {rule.measure} is known: write evidence = "calibrated"'
    return f"no limit of {rule.measure} is known on these rows: add rows, or use another measure"


def _needed(rule: Rule) -> str:
    bottom, top = rule.bars
    if rule.alarm:
        return "limits on both sides of 0"
    if rule.inclusive:
        return f"at least {bottom:g}"
    return f"above {bottom:g}" if top == math.inf else f"between {bottom:g} and {top:g}"


def _level(limit: Interval) -> str:
    return f"{100.0 - 100.0 * float(f'{1.0 - limit.level:.2g}'):.7g} %"


def _shown(rule: Rule, value: float) -> str:
    return number(value) if rule.condition == "at_least" else f"{value:+.4f}"

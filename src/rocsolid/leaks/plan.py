"""Plan a leaderboard before launch: the information its releases reveal, and how many are safe."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from rocsolid.arguments import whole
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.reuse import most_bits
from rocsolid.leaks.counting import CutAnswers
from rocsolid.leaks.gaussian import log2_comb, shared_units, unit_bits
from rocsolid.leaks.query_bits import loses_by_rounding, query_bits
from rocsolid.measures.named import measure_of
from rocsolid.results.plain import Plain, one_line

# Queries by `ChosenQueries` with exact answers: 6 for 32 rows, 11 for 64, 16 for 100, 26 for 200,
# 57 for 512, 97 for 1000. The factor times n/log2(n) is below all of these numbers.
_CHOSEN = 0.93
# Ordinary correlated submissions, solved by lattice reduction (measured here): 24 exact AUCs for
# 80 rows, 44 for 120, 80 for 200; with rounding 30 for 60 rows at 3 decimals up to 130 for 100 rows
# at 2. These shares of n (times the bits that rounding costs) are below all of these numbers.
_PASSIVE_EXACT = 0.3
_PASSIVE_ROUNDED = 0.5

_SHARED = (
    "everybody knows which rows share a label; each unit counts as one row in attacks, which were "
    "measured on rows with separate labels"
)


@dataclass(frozen=True, slots=True)
class Recovery(Plain):
    """The releases that one kind of participant needs for every label, and the days that they take.

    ``days`` is for one team, ``days_pooled`` for all teams that share their answers. ``basis``
    states the source of the number.
    """

    releases: int
    days: int
    days_pooled: int
    basis: str


@dataclass(frozen=True, slots=True)
class Plan(Plain):
    """The information that a leaderboard's releases reveal about the labels.

    - ``average_bits_each``: the mean number of bits revealed by one untied ranking that does not
      depend on the labels; ``average_exact``: whether the mean is exact or from the normal limit.
    - ``most_bits_each``: the largest number of bits that one release can reveal.
    - ``average_bits``, ``most_bits``: the same for all planned releases.
    - ``by_decimals``: the average for each number of decimals up to ``lossless_decimals``, the
      first number that loses nothing (``lossless_with_ties`` is that number with ties).
    - ``halving_decimals``: the most decimals that at least halve the average.
    - ``enough_decimals``: the most decimals that keep all planned releases within ``share`` of the
      label bits (`None` if no rounding does).
    - ``safe_releases``: the releases that stay within that share for any submissions.
    - ``units``: the number of labels of the ``n`` rows, fewer where rows share labels.
    """

    measure: str
    n: int
    units: int
    n_pos: int
    decimals: int | None
    per_day: int
    days: int
    teams: int
    label_bits: float
    average_bits_each: float
    average_exact: bool
    most_bits_each: float
    by_decimals: tuple[tuple[int, float], ...]
    lossless_decimals: int
    lossless_with_ties: int
    halving_decimals: int
    enough_decimals: int | None
    share: float
    safe_releases: int
    passive: Recovery
    deliberate: Recovery
    assumptions: tuple[str, ...]
    _json = (
        "measure n units n_pos decimals per_day days teams releases label_bits average_bits_each "
        "average_exact most_bits_each average_bits most_bits by_decimals lossless_decimals "
        "lossless_with_ties halving_decimals enough_decimals share safe_releases passive "
        "deliberate assumptions verdict"
    )
    _cites = ("The information that a leaderboard reveals", "whitehill2016", "whitehill2019")

    @property
    def releases(self) -> int:
        """The number of planned releases, to all teams together."""
        return self.per_day * self.days * self.teams

    @property
    def average_bits(self) -> float:
        """The mean number of bits that all planned releases reveal, each a fresh random ranking."""
        return min(self.label_bits, self.releases * self.average_bits_each)

    @property
    def most_bits(self) -> float:
        """The largest number of bits that all planned releases can reveal."""
        return min(self.label_bits, self.releases * self.most_bits_each)

    @property
    def verdict(self) -> str:
        """The plan in plain words."""
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        most = "" if self.units == self.n else "at most "
        sentences = [
            f"Of {self.label_bits:.1f} label bits, one release reveals "
            f"{most}{self.average_bits_each:.2f} on average and {self.most_bits_each:.2f} at most; "
            f"{self.releases:,} are planned."
        ]
        if self.deliberate.days <= self.days:
            sentences.append(
                f"One team that tries can know every label after {self.deliberate.releases:,}"
                f" releases, on day {self.deliberate.days:,} of {self.days:,}."
            )
        elif self.deliberate.days_pooled <= self.days:
            sentences.append(
                f"Teams that work together can know every label after {self.deliberate.releases:,} "
                f"releases, on day {self.deliberate.days_pooled:,} of {self.days:,}."
            )
        else:
            sentences.append(
                f"The attacks counted here need {self.deliberate.releases:,} releases for every "
                "label, more than are planned; some labels can be revealed earlier."
            )
        share = f"{100 * self.share:.3g} %"
        if self.safe_releases >= self.releases:
            sentences.append(
                f"At most {share} of the label bits can be revealed, whatever is submitted."
            )
        else:
            sentences.append(
                f"To reveal at most {share} of the label bits, whatever is submitted, release "
                + (f"{self.safe_releases:,} in all." if self.safe_releases else "none.")
            )
            sentences.append(
                "Even rounding to one decimal does not make the plan safe: release fewer scores, "
                "or improvements only."
                if self.enough_decimals is None
                else f"Rounding to {counted(self.enough_decimals, 'decimal')} would keep the plan "
                "within this limit."
            )
        return sentences

    __repr__ = one_line

    def __str__(self) -> str:
        return self.verdict

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""
        by = [{"decimals": d, "average_bits_each": bits} for d, bits in self.by_decimals]
        return Plain.to_dict(self) | {"by_decimals": by}


def plan(
    n: int,
    n_pos: int,
    decimals: int | None,
    *,
    measure: str = "auc",
    per_day: int = 5,
    days: int = 90,
    teams: int = 1,
    share: float = 0.1,
    shares_label: Any = None,
    frequency: Any = None,
) -> Plan:
    """Return what values released to ``decimals`` (`None`: exactly) reveal about ``n`` hidden
    labels.

    ``measure`` is "auc", or precision, recall or lift at a cut, such as "precision@100". Each of
    ``teams`` teams receives ``per_day`` releases a day over ``days`` days, and teams may pool their
    answers. ``share`` is the share of the label bits that may be revealed. ``shares_label`` and
    ``frequency`` define which of the ``n`` rows share a label, as in `count`.

    The information in a release is exact; where rows share labels, the average is an upper bound.
    For the AUC, the releases until every label is known come from measured attacks up to n = 1000
    (chosen) and 200 (passive), extrapolated beyond. At a cut these numbers come from an attack that
    swaps single rows.

    >>> p = plan(200, 100, 3, per_day=5, days=30, teams=10)
    >>> round(p.label_bits, 1), round(p.average_bits_each, 2), p.lossless_decimals, p.safe_releases
    (195.9, 7.4, 4, 1)
    >>> p.deliberate.releases, p.deliberate.days, p.deliberate.days_pooled
    (36, 8, 1)
    >>> p = plan(200, 100, 3, measure="precision@20", days=30)
    >>> round(p.average_bits_each, 2), round(p.most_bits_each, 2), p.deliberate.releases
    (3.14, 9.97, 205)
    """
    units = shared_units(n, shares_label, frequency)
    if units is not None:
        n = int(units.rows.sum())
    _check(n, n_pos, decimals, share, per_day=per_day, days=days, teams=teams)
    measure = measure_of(measure).name
    labels = log2_comb(n, n_pos) if units is None else unit_bits(units, n_pos)
    planned = per_day * days * teams
    answers: AreaAnswers | CutAnswers = (
        AreaAnswers(n, n_pos) if measure == "auc" else CutAnswers.of(measure, n, n_pos)
    )
    bits, most = answers.bits(decimals), answers.most(decimals)
    if bits == 0.0:
        raise InputError(
            f"every {measure} of these rows rounds to the same number",
            where="decimals",
            value=decimals,
            fix=f"release nothing, or plan with {counted(answers.lossless, 'decimal')}",
        )
    whole, lossless = answers.bits(None), answers.lossless
    table = tuple((d, answers.bits(d)) for d in range(1, lossless + 1))
    enough = [d for d, each in table if each and _safe(labels, share, answers.most(d)) >= planned]
    passive, chosen = answers.attacks(decimals, labels)
    if units is not None:  # as if each unit were one row
        passive, chosen = (
            max(releases * len(units) / n, labels / each)
            for releases, each in ((passive, bits), (chosen, most))
        )
    return Plan(
        measure=measure,
        n=n,
        units=n if units is None else len(units),
        n_pos=n_pos,
        decimals=decimals,
        per_day=per_day,
        days=days,
        teams=teams,
        label_bits=labels,
        average_bits_each=bits,
        average_exact=answers.exact and units is None,
        most_bits_each=most,
        by_decimals=table,
        lossless_decimals=lossless,
        lossless_with_ties=answers.lossless_with_ties,
        halving_decimals=max((d for d, b in table if b <= whole / 2), default=0),
        enough_decimals=max(enough, default=None),
        share=share,
        safe_releases=_safe(labels, share, most),
        passive=_recovery(passive, per_day, teams, answers.basis[0]),
        deliberate=_recovery(chosen, per_day, teams, answers.basis[1]),
        assumptions=(
            "the class sizes are known and all labelings with them are equally likely beforehand",
            "pooled releases are those of all teams; boards with only the best score release fewer",
            *answers.assumptions,
            *(() if units is None else (_SHARED,)),
        ),
    )


@dataclass(frozen=True, slots=True)
class AreaAnswers:
    n: int
    n_pos: int
    basis: ClassVar = (
        "lowest line under measured lattice attacks",
        "measured chosen-submission attack",
    )
    assumptions: ClassVar = (
        "rounding multiplies the releases needed by the bits that it costs",
        "attacks were measured up to n = 1000 (chosen) and n = 200 (passive)",
    )

    @property
    def pairs(self) -> int:
        return self.n_pos * (self.n - self.n_pos)

    @property
    def lossless(self) -> int:
        return _digits_for(self.pairs)

    @property
    def lossless_with_ties(self) -> int:
        return _digits_for(2 * self.pairs)

    @property
    def exact(self) -> bool:
        return query_bits(self.n, self.n_pos, None)[1]

    def bits(self, decimals: int | None) -> float:
        return query_bits(self.n, self.n_pos, decimals)[0]

    def most(self, decimals: int | None) -> float:
        return most_bits(self.pairs, decimals)

    def attacks(self, decimals: int | None, labels: float) -> tuple[float, float]:
        bits = self.bits(decimals)
        slower = self.bits(None) / bits
        part = _PASSIVE_ROUNDED if loses_by_rounding(self.pairs, decimals) else _PASSIVE_EXACT
        chosen = _CHOSEN * self.n / math.log2(self.n) * slower
        return max(part * self.n * slower, labels / bits), max(chosen, labels / self.most(decimals))


def _safe(labels: float, share: float, most: float) -> int:
    return math.floor(share * labels / most)


def _digits_for(values: int) -> int:
    digits = 0
    while 10**digits < values:
        digits += 1
    return digits


def _recovery(releases: float, per_day: int, teams: int, basis: str) -> Recovery:
    whole = math.ceil(releases)
    return Recovery(whole, math.ceil(whole / per_day), math.ceil(whole / (per_day * teams)), basis)


def _check(n: int, n_pos: int, decimals: int | None, share: float, **counts: int) -> None:
    if n != int(n) or n_pos != int(n_pos) or not 0 < n_pos < n:
        raise InputError(
            "an AUC needs both classes: 0 < n_pos < n", where="n_pos, n", value=(n_pos, n)
        )
    if decimals is not None and (decimals != int(decimals) or decimals < 1):
        raise InputError(
            "decimals must be a whole number of at least 1, or None for exact values",
            value=decimals,
        )
    for name, count in counts.items():
        whole(count, name)
    if not 0 < share < 1:
        raise InputError("a share lies between 0 and 1", where="share", value=share)

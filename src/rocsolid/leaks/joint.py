"""The labelings that fit several releases on the same labels."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import scores as valid_scores
from rocsolid.leaks.constraint import class_sizes, known_labels, reached
from rocsolid.leaks.evidence import Line, Release
from rocsolid.leaks.exposure import ExposedRow, most_exposed
from rocsolid.leaks.gaussian import LabelUnits, units_of
from rocsolid.leaks.half_tables import label_bits
from rocsolid.leaks.lattice import System, system
from rocsolid.leaks.posterior import joint_posterior, search_labelings
from rocsolid.leaks.precision_search import PrecisionSearch
from rocsolid.results.card import Carded
from rocsolid.results.plain import attributes

Verdict = Literal["unique", "ambiguous", "undetermined"]


@dataclass(frozen=True, eq=False)
class Joint(Carded):
    """The labelings that fit several releases together.

    - ``verdict``: "unique" if a search of every labeling found one; "ambiguous" if two labelings
      are known to fit; else "undetermined", which is no evidence of safety.
    - ``first``, ``second``: labelings that fit every release.
    - ``count``: the number of labelings that fit, if all were counted.
    - ``posterior``: P(y_i = 1), with all labelings that fit equally likely: exact if all labelings
      were counted (``exact``), else approximate, by maximum entropy.
    - ``work``: the number of partial labelings examined.
    - ``entropy_before``: log₂ of the number of labelings before any release.
    - ``units``: the rows that share a label; None if no rows do.
    """

    verdict: Verdict
    first: NDArray[np.bool_] | None
    second: NDArray[np.bool_] | None
    count: int | None
    posterior: NDArray[np.float64]
    exact: bool
    releases: int
    work: int
    entropy_before: float
    known: frozenset[int]
    units: LabelUnits | None = None
    _cites = ("The labelings that several releases leave", "whitehill2016", "whitehill2019")

    @property
    def labels(self) -> NDArray[np.bool_] | None:
        """The labels, if the releases determine all of them."""
        return self.first if self.verdict == "unique" else None

    @property
    def surprise_bits(self) -> float:
        """The bits that these releases reveal: exact if ``surprise_exact``, else an upper bound."""
        if self.count is not None:
            return self.entropy_before - math.log2(self.count)
        return self.entropy_before - (self.verdict == "ambiguous")

    @property
    def surprise_exact(self) -> bool:
        """Whether all labelings were counted or one remains."""
        return self.count is not None or self.verdict == "unique"

    def most_exposed(self, k: int = 10) -> list[ExposedRow]:
        """Return the ``k`` unknown rows with the most certain labels, the most certain first."""
        among = None if self.units is None else self.units.first_rows
        return most_exposed(self.posterior, self.known, k, among)

    def explain(self) -> str:
        """Return the result in words."""
        rows = len(self.posterior)
        of = counted(rows, "row")
        if self.units is not None:
            rows = int(self.units.rows.sum())
            of = f"{counted(len(self.units), 'unit')} of {counted(rows, 'row')}"
        released = "the release" if self.releases == 1 else f"the {self.releases} releases"
        if self.verdict == "unique":
            text = f"Unique: of all labelings of {of}, one fits {released} (complete search)."
        elif self.verdict == "ambiguous":
            assert self.first is not None
            assert self.second is not None
            differ = int((self.first != self.second).sum())
            many = "at least two" if self.count is None else f"{self.count:,}"
            text = f"Ambiguous: {many} labelings of {of} fit {released}. "
            text += f"The two shown differ in {differ} rows."
        else:
            text = (
                "Undetermined: the search stopped before it established whether only one labeling "
            )
            text += f"of {of} fits {released}. This does not mean that the labels are protected."
            if self.first is not None:
                text += " One labeling that fits was found; it may be the true one."
        return f"{text} {self.probabilities}"

    @property
    def probabilities(self) -> str:
        """The type of the probabilities, as a sentence."""
        kind = "exact" if self.exact else "approximate (maximum entropy)"
        return f"The probabilities are {kind}."

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""

        def plain(labels: NDArray[np.bool_] | None) -> list[int] | None:
            return None if labels is None else labels.astype(int).tolist()

        return {
            "verdict": self.verdict,
            "labels": plain(self.labels),
            "first": plain(self.first),
            "second": plain(self.second),
            "count": self.count,
            "units": len(self.posterior) if self.units is None else len(self.units),
            "posterior": self.posterior.tolist(),
            "posterior_kind": "exact" if self.exact else "maximum entropy, approximate",
            **attributes(self, "releases work entropy_before surprise_bits surprise_exact"),
        }


def joint(
    releases: Sequence[Release],
    *,
    n_pos: int | Collection[int] | None = None,
    known: Mapping[int, Any] | None = None,
    max_work: int = 5_000_000,
    shares_label: Any = None,
    frequency: Any = None,
) -> Joint:
    """Find the labelings that fit several releases on the same labels.

    Given the number of positives, each release is one linear equation in the labels, or an interval
    of values of a linear form (average precision has its own search). ``n_pos`` is the number of
    positives, or the possible numbers; the default is 1 to n − 1. ``known`` maps rows to their
    known labels. ``max_work`` limits the partial labelings examined; reaching the limit returns
    "undetermined". ``shares_label`` and ``frequency`` are as in `count`.

    >>> first = Release([0.9, 0.7, 0.4, 0.1], "3/4")
    >>> joint([first], n_pos=2).explain()
    'Unique: of all labelings of 4 rows, one fits the release (complete search). ...'
    """
    releases = list(releases)
    n = _common_length(releases)
    units = units_of(n, shares_label, frequency)
    labels, is_known = units.by_unit(*known_labels(known, n))
    releases, written = _written_out(releases, units)
    rows = int(units.rows.sum())
    precision = [r for r in releases if r.measure == "average-precision"]
    linear = [r for r in releases if r.measure != "average-precision"]
    if precision and not units.single:
        raise UnsoundError(
            "average precision is not a sum over units, so their labelings cannot be searched",
            where="shares_label, frequency",
            fix="omit these releases: the information in the others is a lower bound",
        )
    search = PrecisionSearch(precision, labels, is_known) if precision else None
    free, taken = units.rows[~is_known], int(units.rows[labels].sum())
    sizes_given = class_sizes(n_pos, rows)
    groups = [[size] for size in reached(free, taken, sizes_given)]
    if n_pos is None and not any(release.needs_size for release in releases):
        groups = [[*range(1, rows)]]

    whole_labelings: list[NDArray[np.bool_]] = []
    complete, count, ones = True, 0, np.zeros(len(units), dtype=object)
    spent = 0
    counted = True
    questions = [
        (sizes, question)
        for sizes in groups
        if (question := _question(linear, written, sizes, labels, is_known)) is not None
    ]
    for turn, (sizes, question) in enumerate(questions):
        if search is None:
            # divide the work evenly, so that one hard number of positives does not use it up
            answer = search_labelings(question, (max_work - spent) // (len(questions) - turn))
        else:
            answer = search.find(sizes[0], question, max_work - spent)
        spent += answer.work
        complete &= answer.complete
        whole_labelings += [_whole(y, labels, is_known) for y in answer.labelings]
        if answer.count is None or answer.positive is None:
            counted = False
        else:
            count += answer.count
            ones[~is_known] += np.array(answer.positive, dtype=object)
        if len(whole_labelings) >= 2 and not counted:
            break
    if complete and not whole_labelings:
        raise InputError(
            "no labeling fits all releases",
            where="releases",
            value=[r.value for r in releases],
            fix="check the scores, n_pos and known; give decimals= where a value was rounded",
        )
    verdict: Verdict = "undetermined"
    if len(whole_labelings) >= 2:
        verdict = "ambiguous"
    elif complete:
        verdict = "unique"
    exact = complete and counted
    if exact:
        posterior = np.array([float(ways / count) for ways in ones])
        posterior[is_known] = labels[is_known]
    else:
        posterior = _approximate([question for _, question in questions], labels, is_known)
    return Joint(
        verdict,
        whole_labelings[0][units.of] if whole_labelings else None,
        whole_labelings[1][units.of] if len(whole_labelings) >= 2 else None,
        count if exact else None,
        posterior[units.of],
        exact,
        len(releases),
        spent,
        label_bits(free, taken, sizes_given),
        frozenset(np.flatnonzero(is_known[units.of]).tolist()),
        None if units.single else units,
    )


def _common_length(releases: list[Release]) -> int:
    if not releases:
        raise InputError("there is no release", where="releases", value=releases)
    for number, release in enumerate(releases):
        if release.n != releases[0].n:
            raise InputError(
                f"release 0 has {releases[0].n} rows, and this release has a different number",
                where=f"release {number}",
                value=release.n,
                fix="give the scores of the same rows, in the same order",
            )
    return releases[0].n


def _written_out(releases: list[Release], units: LabelUnits) -> tuple[list[Release], LabelUnits]:
    if units.times is None:
        return releases, units
    times = units.times
    written = [
        replace(release, scores=np.repeat(valid_scores(release.scores), times))
        for release in releases
    ]
    return written, LabelUnits(np.repeat(units.of, times), units.rows)


def _question(
    linear: list[Release],
    units: LabelUnits,
    sizes: list[int],
    labels: NDArray[np.bool_],
    is_known: NDArray[np.bool_],
) -> System | None:
    """Return the system for these numbers of positive rows; None if a release is impossible."""
    lines = [Line(units.rows, sizes[0], sizes[-1])]
    for release in linear:
        line = release.line(sizes[0])
        if line is None:
            return None
        lines.append(Line(units.totals(line.weights), line.low, line.high))
    return system(lines, labels, is_known)


def _whole(
    free: NDArray[np.bool_], labels: NDArray[np.bool_], is_known: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    whole = labels.copy()
    whole[~is_known] = free
    return whole


def _approximate(
    questions: list[System], labels: NDArray[np.bool_], is_known: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Average the maximum-entropy fits, weighted by their approximate counts."""
    fits = [joint_posterior(question) for question in questions]
    logs = np.array([fit.log_count for fit in fits])
    share = np.exp(logs - logs.max())
    mixed = labels.astype(np.float64)
    mixed[~is_known] = (share / share.sum()) @ np.array([fit.probability for fit in fits])
    return mixed

"""The information that a log of released AUCs revealed, and signs of probing submissions."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs import scores as valid_scores
from rocsolid.intervals.guarantees.reuse import most_bits
from rocsolid.leaks.constraint import constraint
from rocsolid.leaks.counting import count
from rocsolid.leaks.evidence import Released
from rocsolid.leaks.fourier import fourier_count
from rocsolid.leaks.gaussian import log2_comb, shared_units, unit_bits
from rocsolid.leaks.query_bits import query_bits
from rocsolid.leaks.ranks import doubled_ranks, untied_scores
from rocsolid.leaks.release.answered import answered, average_bits
from rocsolid.leaks.release.defence import Described, Rounded
from rocsolid.leaks.release.gate import ReleasedAnswer
from rocsolid.leaks.simulate import SIGNS, ranking_signs, release_signs
from rocsolid.leaks.submission_log import Log, read_log
from rocsolid.results.card import Carded
from rocsolid.results.plain import Plain, one_line, written

_COUNTED_ROWS = 300


@dataclass(frozen=True, slots=True)
class ReplayedRelease(Plain):
    """One release in a log.

    ``surprise_bits`` are the bits that this value alone reveals, for an untied ranking: `None` if
    no untied ranking has the score, or if noise allows every AUC. Where rows share labels,
    ``surprise_bits`` is for the submission itself, and `None` if the submission is missing or has
    too many units to count. ``most_bits_so_far`` bounds the bits that this release and all earlier
    releases, to anyone, have revealed.
    """

    time: str
    account: str
    score: float
    submission: str
    surprise_bits: float | None
    most_bits_so_far: float
    signs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplayedAccount(Plain):
    """The information in one account's releases.

    ``average_bits`` is the mean number of bits if every submission were a fresh random ranking
    (`None` if noise decides the answers). ``most_bits`` is an upper bound for any submissions.
    ``signs`` counts the releases with each sign.
    """

    account: str
    releases: int
    average_bits: float | None
    most_bits: float
    signs: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Replay(Carded):
    """A replayed log: every release in order of time, every account, and all accounts pooled.

    ``repeats`` is the number of releases that repeated an earlier ranking (detected only if the
    submissions were given). ``unscored`` is the number of rows without a score. ``units`` is the
    number of labels of the ``n`` rows, fewer where rows share labels; averages are then upper
    bounds.
    """

    n: int
    units: int
    n_pos: int
    decimals: int | None
    label_bits: float
    releases: tuple[ReplayedRelease, ...]
    accounts: tuple[ReplayedAccount, ...]
    average_bits: float | None
    most_bits: float
    repeats: int
    unscored: int
    submissions_seen: bool
    _cites = ("The information that a log reveals", "whitehill2016")

    @property
    def suspects(self) -> tuple[ReplayedRelease, ...]:
        """The releases with a sign of probing."""
        return tuple(r for r in self.releases if r.signs)

    __repr__ = one_line

    def __str__(self) -> str:
        average = (
            ""
            if self.average_bits is None
            else f" ({self.average_bits:.1f} on average, if all were random rankings)"
        )
        sentence = (
            f"{counted(len(self.releases), 'release')} to {counted(len(self.accounts), 'account')} "
            f"revealed at most {self.most_bits:.1f} of {self.label_bits:.1f} label bits{average}; "
            f"{len(self.suspects):,} show signs of probing"
        )
        if not self.submissions_seen:
            sentence += " (only the times and scores were examined)"
        return sentence

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""
        first = (
            "n units n_pos decimals label_bits average_bits most_bits repeats unscored "
            "submissions_seen"
        )
        return {**written(self, first), "signs": dict(SIGNS), **written(self, "accounts releases")}


def replay(
    log: Any,
    *,
    n: int,
    n_pos: int,
    decimals: int | None = None,
    profile: str = "plain",
    columns: Mapping[str, str] | None = None,
    submissions: Mapping[str, Any] | None = None,
    shares_label: Any = None,
    frequency: Any = None,
) -> Replay:
    """Return what a submission log revealed about ``n`` labels, ``n_pos`` of them positive.

    ``log`` is a file or a table with a time, an account and a released AUC in each row. ``profile``
    selects the column names of an export ("codabench", "evalai", "kaggle-leaderboard",
    "meta-kaggle", "kaggle-submissions"), and ``columns`` replaces single names. ``decimals``
    defaults to the most decimals of any score in the log. ``submissions`` maps the log's name of
    each submission to its scores, all in one order of rows; without it, rankings are not compared.
    ``shares_label`` and ``frequency`` define which of the ``n`` rows share a label, as in `count`.

    The totals bound the revealed information: correlated submissions reveal less.

    >>> log = {"time": ["2024-05-01", "2024-05-02"], "account": ["ann", "bob"],
    ...        "score": [0.81, 0.84]}
    >>> print(replay(log, n=100, n_pos=50))
    2 releases to 2 accounts revealed at most 13.3 of 96.3 label bits (9.2 on average, if all
    were random rankings); 0 show signs of probing (only the times and scores were examined)
    """
    units = shared_units(n, shares_label, frequency)
    given, n = n, n if units is None else int(units.rows.sum())
    if not 0 < n_pos < n:
        raise InputError("an AUC needs both classes: 0 < n_pos < n", value=(n_pos, n))
    entries = read_log(
        log, profile=profile, columns=columns, with_submissions=submissions is not None
    )
    pairs = n_pos * (n - n_pos)
    digits = _decimals(entries.score) if decimals is None else decimals
    vectors = _vectors(entries, submissions, given)
    signs = _signs(entries, pairs, vectors)
    labels = log2_comb(n, n_pos) if units is None else unit_bits(units, n_pos)
    most = most_bits(pairs, digits)
    expected = query_bits(n, n_pos, digits)[0]
    if units is None:
        scores = entries.score.tolist()
        bits_of = {s: _surprise_bits(s, n, n_pos, digits, labels) for s in set(scores)}
        alone = [bits_of[score] for score in scores]
    else:
        shared = {"shares_label": shares_label, "frequency": frequency}
        alone = _of_rankings(entries, vectors, n_pos=n_pos, decimals=digits, **shared)
    fresh = np.array(["repeated" not in s for s in signs])
    bounds = most * np.cumsum(fresh)
    releases = _releases(entries, alone, np.minimum(labels, bounds), signs)
    return Replay(
        n=n,
        units=n if units is None else len(units),
        n_pos=n_pos,
        decimals=digits,
        label_bits=labels,
        releases=releases,
        accounts=_accounts(
            releases, lambda own: expected * len(own), lambda own: most * len(own), labels
        ),
        average_bits=min(labels, expected * int(fresh.sum())),
        most_bits=releases[-1].most_bits_so_far,
        repeats=int((~fresh).sum()),
        unscored=entries.unscored,
        submissions_seen=submissions is not None,
    )


def replay_ledger(
    answers: Sequence[ReleasedAnswer],
    defence: Described,
    n: int,
    n_pos: int,
    submissions: Mapping[str, Any],
) -> Replay:
    """Replay the answers of a ledger, interpreted by its defence.

    ``most_bits`` is the sum of the ledger's charges, with no charge for an answer that followed
    from earlier answers to anyone.
    """
    labels = log2_comb(n, n_pos)
    decimals = defence.decimals if isinstance(defence, Rounded) else None
    if not answers:
        return Replay(n, n, n_pos, decimals, labels, (), (), 0.0, 0.0, 0, 0, True)
    entries = Log(
        tuple(datetime.fromisoformat(answer.at) for answer in answers),
        tuple(answer.account for answer in answers),
        np.array([float(answer.value) for answer in answers]),
        tuple(answer.request for answer in answers),
        0,
    )
    signs = _signs(entries, n_pos * (n - n_pos), _vectors(entries, submissions, n))

    of_range = functools.cache(lambda inside: _surprise_bits(inside, n, n_pos, None, labels))

    @functools.cache
    def bits(last: Fraction | None, value: Fraction) -> float | None:
        inside = answered(defence, last, value, n_pos, n - n_pos)
        return None if inside is None else of_range(inside)

    last: dict[str, Fraction] = {}
    alone = []
    for answer in answers:
        alone.append(bits(last.get(answer.account), answer.value))
        last[answer.account] = answer.value
    costs = np.array([answer.bits for answer in answers])
    releases = _releases(entries, alone, np.minimum(labels, np.cumsum(costs)), signs)
    accounts = _accounts(
        releases,
        lambda own: average_bits(defence, n, n_pos, int((costs[own] > 0).sum())),
        lambda own: float(costs[own].sum()),
        labels,
    )
    averages = [account.average_bits for account in accounts if account.average_bits is not None]
    return Replay(
        n=n,
        units=n,
        n_pos=n_pos,
        decimals=decimals,
        label_bits=labels,
        releases=releases,
        accounts=accounts,
        average_bits=min(labels, sum(averages)) if len(averages) == len(accounts) else None,
        most_bits=releases[-1].most_bits_so_far,
        repeats=sum("repeated" in each for each in signs),
        unscored=0,
        submissions_seen=True,
    )


def _releases(
    entries: Log,
    alone: Sequence[float | None],
    most: NDArray[np.float64],
    signs: Sequence[set[str]],
) -> tuple[ReplayedRelease, ...]:
    return tuple(
        ReplayedRelease(
            time=entries.time[i].isoformat(),
            account=entries.account[i],
            score=score,
            submission=entries.submission[i],
            surprise_bits=alone[i],
            most_bits_so_far=float(most[i]),
            signs=tuple(s for s in SIGNS if s in signs[i]),
        )
        for i, score in enumerate(entries.score.tolist())
    )


def _decimals(score: NDArray[np.float64]) -> int:
    """Return the most decimals of any printed score, up to the accuracy of a float."""
    texts = (np.format_float_positional(s, trim="-") for s in score.tolist())
    return min(15, max(1, *(len(text.partition(".")[2]) for text in texts)))


def _surprise_bits(
    score: float | Released, n: int, n_pos: int, decimals: int | None, labels: float
) -> float | None:
    """Return the bits that a score reveals for an untied ranking; accurate to 1e-6 or better."""
    left = None
    if n > _COUNTED_ROWS:  # a log has many scores, and each exact count would take seconds
        question = constraint(score, untied_scores(n), n_pos, decimals)
        sums = question.targets.get(n_pos, range(0))
        least = n_pos * (n_pos - 1) // 2
        if len(sums) > 1 or (sums and least < sums[0] < least + n_pos * (n - n_pos)):
            counted = fourier_count(question.weights[::-1], n_pos, sums[0], sums[-1])
            if counted.relative_error < 1e-6:
                left = counted.log_count / math.log(2)
    if left is None:
        left = count(score, n, n_pos=n_pos, decimals=decimals).log2
    return None if left == -math.inf else max(0.0, labels - left)


def _of_rankings(
    log: Log, vectors: NDArray[np.float64] | None, **question: Any
) -> list[float | None]:
    """Return the bits that each score reveals about its submission, if that can be counted."""
    if vectors is None:
        return [None] * len(log.time)
    bits: list[float | None] = []
    for score, row in zip(log.score.tolist(), vectors, strict=True):
        try:
            counted = count(score, row, **question)
        except RocsolidError:
            bits.append(None)
            continue
        bits.append(counted.surprise_bits if counted.support else None)
    return bits


def _vectors(log: Log, submissions: Mapping[str, Any] | None, n: int) -> NDArray[np.float64] | None:
    if submissions is None:
        return None
    rows = []
    for name in log.submission:
        if name not in submissions:
            raise InputError(
                "the log names a submission that was not given",
                where="submissions",
                value=name,
                fix="give the scores of each submission in the log by the same name, or none",
            )
        row = valid_scores(submissions[name], name=f"submission {name!r}")
        if len(row) != n:
            raise InputError(
                f"{counted(len(row), 'score')} for {counted(n, 'row')}",
                where=f"submission {name!r}",
                fix="give one score for each row",
            )
        rows.append(row.astype(np.float64))
    return np.array(rows)


def _signs(log: Log, pairs: int, vectors: NDArray[np.float64] | None) -> list[set[str]]:
    signs: list[set[str]] = [set() for _ in log.time]
    previous = [-1] * len(log.time)
    for account in dict.fromkeys(log.account):
        own = [i for i, a in enumerate(log.account) if a == account]
        for before, after in itertools.pairwise(own):
            previous[after] = before
        shown = release_signs([log.time[i] for i in own], log.score[own], pairs)
        for i, more in zip(own, shown, strict=True):
            signs[i] |= more
    if vectors is not None:
        doubled = np.array([doubled_ranks(v) for v in vectors])
        for own_signs, more in zip(signs, ranking_signs(vectors, doubled, previous), strict=True):
            own_signs |= more
    return signs


def _accounts(
    releases: tuple[ReplayedRelease, ...],
    expected: Callable[[list[int]], float | None],
    most: Callable[[list[int]], float],
    labels: float,
) -> tuple[ReplayedAccount, ...]:
    accounts = []
    for account in dict.fromkeys(r.account for r in releases):
        own = [i for i, r in enumerate(releases) if r.account == account]
        average = expected(own)
        accounts.append(
            ReplayedAccount(
                account=account,
                releases=len(own),
                average_bits=None if average is None else min(labels, average),
                most_bits=min(labels, most(own)),
                signs=dict(Counter(s for i in own for s in releases[i].signs)),
            )
        )
    return tuple(sorted(accounts, key=lambda a: (-a.releases, a.account)))

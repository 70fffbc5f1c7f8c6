"""Who stands where, from the released answers and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rocsolid.intervals.guarantees import after_reuse
from rocsolid.leaks.release import Defence, Told, transcript_bits
from rocsolid.leaks.release.defence import Bracketed
from rocsolid.results.plain import Plain

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Standing(Plain):
    """A team by its best answer. Teams with the same answer share a ``place``. ``low`` and ``high``
    are limits for the AUC of the scorer behind the answer on new rows, ``best_place`` and
    ``worst_place`` for its place by that AUC; all limits of a board hold together. They are `None`
    where the defence adds noise."""

    place: int
    team: str
    value: Fraction
    answers: int
    low: float | None
    high: float | None
    best_place: int | None
    worst_place: int | None
    _json = "place team value=decimal exact=value answers low high best_place worst_place"

    @property
    def decimal(self) -> float:
        return float(self.value)


def standings(
    told: Sequence[Told], defence: Defence, n_pos: int, n_neg: int
) -> tuple[float, tuple[Standing, ...]]:
    """The bits of reuse, and the teams from the first place on.

    Every number is a function of the answers and the class sizes, so that showing it gives away no
    more than the answers did. An answer stands for a range of exact AUCs; the limits are those of
    `after_reuse` at the ends of that range, at 5 % over the number of teams. A team's place is
    between one more than the number of teams whose limits are all above its own, and the number of
    teams less those whose limits are all below.
    """
    bits = transcript_bits([(one.account, one.value) for one in told], defence, n_pos, n_neg)
    best: dict[str, Fraction] = {}
    count = Counter(one.account for one in told)
    for one in told:
        best[one.account] = max(one.value, best.get(one.account, one.value))
    limits: dict[str, tuple[float, float]] = {}
    if isinstance(defence, Bracketed):
        each = (1 - LEVEL) / max(1, len(best))
        ranges = {value: defence.bracket(value, n_pos, n_neg) for value in set(best.values())}
        of_value = {
            value: (
                after_reuse(float(max(low, Fraction(0))), n_pos, n_neg, bits, each).low,
                after_reuse(float(min(high, Fraction(1))), n_pos, n_neg, bits, each).high,
            )
            for value, (low, high) in ranges.items()
        }
        limits = {team: of_value[value] for team, value in best.items()}
    lows, highs = ([pair[i] for pair in limits.values()] for i in (0, 1))
    return bits, tuple(
        Standing(
            1 + sum(other > value for other in best.values()),
            team,
            value,
            count[team],
            *limits.get(team, (None, None)),
            *_places(limits[team], lows, highs) if limits else (None, None),
        )
        for team, value in sorted(best.items(), key=lambda item: (-item[1], item[0]))
    )


def _places(
    own: tuple[float, float], lows: Sequence[float], highs: Sequence[float]
) -> tuple[int, int]:
    above = sum(low > own[1] for low in lows)
    below = sum(high < own[0] for high in highs)
    return 1 + above, len(lows) - below

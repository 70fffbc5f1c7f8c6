"""How evenly independent units share out the weight: and how well their variance is known."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]
_WORSE = 0.25  # of 1/count stays for clusters that are worse than those seen; chosen by simulation
_Numbers = float | _FLOATS


@dataclass(frozen=True, slots=True)
class Units:
    """What the weights of rows, or the sizes of clusters, leave of the degrees of freedom.

    A unit with the share s of its class's weight varies by some s², so it has the share t = s²/Σs²
    of the variance of its class. ``pos`` and ``neg`` are Σt² of either class, and ``both`` is Σt₊t₋
    over the clusters that hold rows of both. ``misplaced`` says how many clusters misplace rows,
    and how evenly; see `carriers` and `as_rare`. ``unseen`` is `unseen_share`. ``effective``
    is 1/Σs² of either class of clusters: the number of equal clusters that say as much.
    """

    pos: _Numbers
    neg: _Numbers
    both: _Numbers = 0.0
    misplaced: _Numbers | None = None
    unseen: float = field(default=0.0, repr=False)
    effective: tuple[float, float] | None = field(default=None, repr=False)

    @classmethod
    def of_shares(cls, pos: _FLOATS, neg: _FLOATS, misplaced: float | None = None) -> Units:
        """From the share that each cluster has of the weight of either class.

        >>> Units.of_shares(np.full(4, 0.25), np.array([0.5, 0.5, 0.0, 0.0]))
        Units(pos=0.25, neg=0.5, both=0.25, misplaced=None)
        """
        squares = float(pos @ pos), float(neg @ neg)
        of_pos, of_neg = pos**2 / squares[0], neg**2 / squares[1]
        return cls(
            float(of_pos @ of_pos), float(of_neg @ of_neg), float(of_pos @ of_neg), misplaced,
            effective=(1.0 / squares[0], 1.0 / squares[1]),
        )  # fmt: skip

    def df(self, share: _Numbers) -> _FLOATS:
        """Satterthwaite's ν, with ``share`` the positives' part of the variance.

        1/ν = p²·g(Σt₊²) + q²·g(Σt₋²) + 2pq·g(Σt₊t₋) with q = 1 − p and g(x) = x/(1−x): m units of a
        class that weigh alike have Σt² = 1/m and g = 1/(m−1), so that this is Welch's ν where no
        unit has rows of both classes, and C − 1 for C clusters that have as many of each.

        >>> Units(1 / 40, 1 / 60).df(np.array([1.0, 0.0]))
        array([39., 59.])
        >>> Units(0.1, 0.1, 0.1).df(np.array([0.3]))
        array([9.])
        """
        rest = 1.0 - np.asarray(share)
        with np.errstate(divide="ignore", invalid="ignore"):
            lost = share**2 * _odds(self.pos) + rest**2 * _odds(self.neg)
            lost = lost + 2.0 * share * rest * _odds(self.both)
            return np.asarray(1.0 / np.maximum(lost, 0.0))

    def grown(self, times: _FLOATS) -> Units:
        """With so many times the units, which share out the weight as these do.

        >>> Units(0.1, 0.2, 0.05, 8.0).grown(np.array([2.0])).misplaced
        array([16.])
        """
        misplaced = None if self.misplaced is None else self.misplaced * times
        return Units(self.pos / times, self.neg / times, self.both / times, misplaced)


def _odds(share: _Numbers) -> _FLOATS:
    return np.asarray(share / (1.0 - np.asarray(share)))


def carriers(lost: _FLOATS, kept: _FLOATS) -> float:
    """How many clusters carry what an estimate lacks to the nearer end of its range.

    For a class ``lost`` is what each cluster adds to 1 − Â and ``kept`` what it adds to Â. Of
    numbers L that are alike (ΣL)²/ΣL² is how many there are, and it is 0 where nothing is lost.

    >>> carriers(np.array([0.1, 0.1, 0.0, 0.0]), np.array([0.15, 0.15, 0.25, 0.25]))
    2.0
    """
    return carried((float(lost.sum()), float(lost @ lost)), (float(kept.sum()), float(kept @ kept)))


def carried(*sides: tuple[float, float]) -> float:
    """The same from ΣL and ΣL² on either side.

    >>> carried((0.5, 0.125), (0.5, 0.125)), carried((0.0, 0.0), (1.0, 0.25))
    (2.0, 0.0)
    """
    return min(total**2 / squares if squares > 0.0 else 0.0 for total, squares in sides)


def as_rare(carrying: float, count: float, times: float = 1.0) -> float:
    """How many misplaced rows among very many leave a loss as uncertain as this one.

    ``carrying`` of ``count`` clusters carry the loss (`carriers`), which then varies by a share of
    1/carrying − 1/count of its square: by nothing where all clusters lose alike, by 1/carrying
    where few of many do. A quarter of 1/count stays, for clusters that are worse than those seen.
    So ten centres that all misplace some rows count as forty, and one bad centre of fifty as one.
    Where a cluster's losses influence the estimate twice as much, it varies by four ``times`` that.

    >>> as_rare(10.0, 10.0), round(as_rare(1.0, 50.0), 3), as_rare(0.0, 10.0)
    (40.0, 1.015, 0.0)
    >>> as_rare(10.0, 10.0, times=4.0), round(as_rare(4.0, 50.0, times=4.0), 3)
    (40.0, 1.081)
    """
    if carrying == 0.0:
        return 0.0
    return carrying / (times - (times - _WORSE) * carrying / count)

"""The one quantity that a plan leaves out and solves for, and checks of the others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from rocsolid.arguments import is_number, nearest
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError

_SIZES = "the sizes (n_pos, n_neg)"
USUAL_POWER = 0.8


@dataclass(frozen=True, slots=True)
class Sizes:
    """The class sizes of a plan, with at most one unknown number.

    ``unknown`` is the size to be solved for, or None if both are known. ``ratio`` is n_neg/n_pos
    and links the sizes if at most one is given.

    >>> Sizes.of(None, None, None).at(20.0), Sizes.of(None, 300, None).at(20.0)
    ((20.0, 20.0), (20.0, 300.0))
    >>> Sizes.of(40, None, 0.25).known
    (40.0, 120.0)
    """

    n_pos: float | None
    n_neg: float | None
    ratio: float | None

    @classmethod
    def of(cls, n_pos: float | None, n_neg: float | None, prevalence: float | None) -> Sizes:
        for name, value in (("n_pos", n_pos), ("n_neg", n_neg)):
            if value is not None and not (is_number(value) and 0.0 < value < math.inf):
                raise InputError(f"{name} must be a positive number", where=name, value=value)
        ratio = None
        if prevalence is not None:
            ratio = 1.0 / check_inside(prevalence, "prevalence") - 1.0
        if n_pos is not None and n_neg is not None:
            share = n_pos / (n_pos + n_neg)
            if prevalence is not None and not math.isclose(prevalence, share, rel_tol=1e-9):
                raise InputError(
                    f"n_pos/(n_pos + n_neg) is {share:g}, not the given prevalence",
                    where="prevalence",
                    value=prevalence,
                    fix="leave prevalence out, or one of the sizes",
                )
            return cls(float(n_pos), float(n_neg), None)
        if ratio is not None and n_pos is not None:
            return cls(float(n_pos), ratio * n_pos, None)
        if ratio is not None and n_neg is not None:
            return cls(n_neg / ratio, float(n_neg), None)
        if n_pos is None and n_neg is None:
            return cls(None, None, 1.0 if ratio is None else ratio)
        return cls(
            None if n_pos is None else float(n_pos), None if n_neg is None else float(n_neg), None
        )

    @property
    def unknown(self) -> str | None:
        if self.n_pos is None:
            return "n_pos"
        return "n_neg" if self.n_neg is None else None

    @property
    def open(self) -> float | None:
        return None if self.unknown else 0.0

    @property
    def known(self) -> tuple[float, float]:
        return self.at(math.nan)

    def at(self, size: float) -> tuple[float, float]:
        n_pos = size if self.n_pos is None else self.n_pos
        if self.n_neg is not None:
            return n_pos, self.n_neg
        return n_pos, size if self.ratio is None else self.ratio * n_pos


def the_unknown(given: Mapping[str, float | None], sizes: Sizes) -> str:
    """Return the name of the only quantity without a value, sizes included.

    >>> the_unknown({"auc": 0.8, "power": None, "level": 0.95}, Sizes.of(40, 60, None))
    'power'
    >>> the_unknown({"auc": 0.8, "power": 0.9, "level": 0.95}, Sizes.of(40, 60, None))
    Traceback (most recent call last):
    rocsolid.errors.InputError: nothing is left to solve for. Fix: leave out one of auc, power,
    level, and the sizes (n_pos, n_neg).
    """
    open_ones = [name for name, value in given.items() if value is None]
    if sizes.unknown is not None:
        open_ones.append(sizes.unknown)
    if len(open_ones) == 1:
        return open_ones[0]
    if not open_ones:
        raise InputError(
            "nothing is left to solve for", fix=f"leave out one of {', '.join(given)}, and {_SIZES}"
        )
    missing = ", ".join(_SIZES if name == "n_pos" else name for name in open_ones)
    hint = "" if sizes.unknown is None else "; one size needs the other, or prevalence="
    raise InputError(
        f"{len(open_ones)} quantities are left out, but only one can be solved for: {missing}",
        fix=f"give all but one{hint}",
    )


def planned_power(power: float | None, others: Iterable[float | None]) -> float | None:
    """Return the power to plan for: 0.8 if ``power`` and one of the ``others`` are left out.

    >>> planned_power(None, [0.05, None]), planned_power(None, [0.05, 40.0]), planned_power(0.9, [])
    (0.8, None, 0.9)
    """
    return USUAL_POWER if power is None and None in others else power


class PlannedPower:
    __slots__ = ()

    power: float
    default_power: bool

    @property
    def power_text(self) -> str:
        return f"power {self.power:.4f}{' (the default)' if self.default_power else ''}"


def chosen(name: str, value: str, options: Iterable[str]) -> str:
    names = tuple(options)
    if value not in names:
        close = nearest(str(value), names)
        near = "" if close is None else f"{close!r}, or another of "
        raise InputError(
            f"unknown {name}", where=name, value=value, fix=f"use {near}{', '.join(names)}"
        )
    return value


def check_inside(value: float | None, name: str, low: float = 0.0, high: float = 1.0) -> float:
    if not (is_number(value) and low < value < high):
        raise InputError(
            f"{name} must lie strictly between {low:g} and {high:g}", where=name, value=value
        )
    return float(value)


def check_spread(spread: float) -> float:
    """Return the spread if results are accurate there."""
    if not (is_number(spread) and 0.1 <= spread <= 10.0):
        raise InputError("spread must lie in [0.1, 10]", where="spread", value=spread)
    return float(spread)


def rounded_up(size: float) -> int:
    """Return the next whole number; a rounding error does not add one.

    >>> rounded_up(29.67), rounded_up(72.00000000000001)
    (30, 72)
    """
    return max(math.ceil(size * (1.0 - 1e-10)), 1)


def times_to_decide(
    gap: float, reach: float, std_error: float | None, fixed: float = 0.0
) -> float | None:
    """Return t with √t·(gap − fixed) = reach + z·σ: the limit then clears the bar with power 0.8.

    The estimate lies ``gap`` beyond the bar, and its limit lies ``reach`` back from the estimate.
    ``reach`` and the standard error shrink with the root of the number of rows, except for the part
    ``fixed``. The result is ``None`` if no number of rows suffices.

    >>> times_to_decide(0.02, 0.04, 0.02)
    8.0...
    >>> times_to_decide(0.0, 0.04, 0.02) is None
    True
    """
    from scipy.special import ndtri

    left = gap - fixed
    if not left > 0.0 or not math.isfinite(reach):
        return None
    spread = reach / 1.645 if std_error is None or math.isnan(std_error) else std_error
    return ((reach + float(ndtri(USUAL_POWER)) * spread) / left) ** 2

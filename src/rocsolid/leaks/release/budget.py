"""What releases may cost in all, in whole units that add up without rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rocsolid.errors import InputError, RocsolidError
from rocsolid.leaks.release.defence import Answer, exact

BITS = 10**6
RHO = 10**12
_TOO_MANY = 2**62  # what a column of the ledger can add up
_SLACK = 10**6  # a budget is kept to one part in a million, so that a hundred hundredths fit


class BudgetSpent(RocsolidError):
    """The release would take more than is left; nothing was released."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The most bits, the privacy (zCDP) and the releases to one account; `None` sets no bound."""

    most_bits: int | None
    rho: int | None
    per_account: int | None

    @staticmethod
    def of(most_bits: float | None, rho: float | None, per_account: int | None) -> Budget:
        """In whole units, rounded down."""
        if per_account is not None and (per_account != int(per_account) or per_account < 1):
            raise InputError(
                "the releases of an account are a whole number of at least 1",
                where="per_account",
                value=per_account,
            )
        whole = None if per_account is None else int(per_account)
        return Budget(_whole(most_bits, BITS, "most_bits"), _whole(rho, RHO, "rho"), whole)

    def check(self, answer: Answer, account: str, heard: int, bits: int, rho: int) -> None:
        """Refuse an answer that goes beyond. The account has ``heard`` so many releases, and all
        accounts together have spent ``bits`` and ``rho``, in whole units."""
        if self.per_account is not None and heard >= self.per_account:
            raise BudgetSpent(
                f"the account has had all of its answers, {self.per_account}", value=account
            )
        _check_one(self.most_bits, bits, answer.most_bits, BITS, "give away", "bits")
        _check_one(self.rho, rho, answer.rho, RHO, "cost a privacy of", "in rho")

    def to_dict(self) -> dict[str, Any]:
        return {
            "most_bits_budget": None if self.most_bits is None else self.most_bits / BITS,
            "rho_budget": None if self.rho is None else self.rho / RHO,
            "releases_per_account": self.per_account,
        }


def whole_cost(cost: float | Fraction, unit: int) -> int:
    """A cost in whole units, rounded up, so that what is on the record is never too little.

    >>> whole_cost(1e-9, 10**6), whole_cost(2, 10**6)
    (1, 2000000)
    """
    return math.ceil(Fraction(cost) * unit)


def _check_one(limit: int | None, used: int, cost: float, unit: int, word: str, noun: str) -> None:
    if limit is not None and used + whole_cost(cost, unit) > limit + limit // _SLACK:
        raise BudgetSpent(
            f"this release may {word} {float(cost):.4g} {noun}, and "
            f"{(limit - used) / unit:.4g} of {limit / unit:.4g} are left",
            fix="release no more scores on these labels",
        )


def _whole(budget: float | None, unit: int, name: str) -> int | None:
    if budget is None:
        return None
    if not (budget > 0 and math.isfinite(budget)):
        raise InputError("a budget must be above 0", where=name, value=budget)
    units = math.floor(exact(budget) * unit)
    if units >= _TOO_MANY:
        raise InputError(
            f"a budget above {_TOO_MANY / unit:.2g} bounds nothing", where=name, value=budget
        )
    return units

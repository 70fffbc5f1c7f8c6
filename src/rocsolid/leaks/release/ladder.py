"""The Ladder: an account hears of improvements by a whole step only."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rocsolid.errors import InputError
from rocsolid.leaks.release.defence import Answer, Past, Submission, check_classes, exact, nearest


@dataclass(frozen=True, slots=True)
class Ladder:
    """Release the highest whole step above one half that the account has reached so far.

    After Blum and Hardt (2015), Ladder mechanism with a fixed step. Here steps start at ½ and are
    rounded down, so that the released value never exceeds the best exact AUC and falls short of it
    by less than one step (while the best is at least ½).

    It keeps a leaderboard honest under adaptive submissions; it promises no privacy of single
    labels. To move one row raises an AUC by at most 1/min(n₀, n₁), so that a step that is not above
    it can show single rows: a ledger made with one warns. A larger step stops only attacks that
    move one row at a time.

    With V = ⌊½/step⌋ steps, T releases to an account form a rising sequence, of which there are
    C(T+V, V): they carry at most log₂ C(T+V, V) bits, of which the T-th adds log₂((T+V)/T).
    Accounts that work together hear as many sequences as they are.

    >>> rule, past = Ladder("1/100"), Past(last=Fraction(71, 100), releases=3)
    >>> [str(rule.answer(Submission(Fraction(auc), 50, 50, 198), past).value)
    ...  for auc in ("0.70", "0.7199", "0.7321")]
    ['71/100', '71/100', '73/100']
    """

    private: ClassVar[bool] = False

    step: Fraction
    _cites = ("The Ladder", "blum2015")

    def __init__(self, step: Fraction | str | float) -> None:
        object.__setattr__(self, "step", exact(step))
        if not 0 < self.step <= Fraction(1, 2):
            raise InputError("a step lies above 0, up to 1/2", where="step", value=step)

    @property
    def steps(self) -> int:
        """How many whole steps lie between one half and one."""
        return math.floor(Fraction(1, 2) / self.step)

    def warn_of_small_step(self, n_pos: int, n_neg: int) -> None:
        """Warn where one row, moved from one end of a ranking to the other, can gain a step."""
        few = min(n_pos, n_neg)
        if self.step * few <= 1:
            warnings.warn(
                f"a Ladder's step of {float(self.step):.3g} is not above 1/{few}, which is what "
                "one row can gain: moving rows one by one shows their labels. Use more rows, a "
                "larger step or a BootstrappedLadder, and measure it with leaks.simulate",
                stacklevel=3,
            )

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        best = Fraction(1, 2) if past.last is None else past.last
        reached = Fraction(1, 2) + self.step * math.floor(
            (submission.auc - Fraction(1, 2)) / self.step
        )
        count = past.releases + 1
        return Answer(max(best, reached), math.log2((count + self.steps) / count))

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest((value - Fraction(1, 2)) / self.step)

    def places(self, n_pos: int, n_neg: int) -> int:
        return self.steps + 1

    def bracket(self, value: Fraction, n_pos: int, n_neg: int) -> tuple[Fraction, Fraction]:
        return (value if value > Fraction(1, 2) else Fraction(0)), value + self.step

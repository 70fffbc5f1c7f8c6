"""How it is known that a page makes no label certain, or how many it might."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Proof:
    """``exposed`` labels of the page's units are certain, or could be; none where it is 0.

    - "counted": every labeling was tried; so many ``labelings`` give the page, and the number of
      certain labels is exact.
    - "exchanged": other labelings give the page, and each unit but the exposed ones has another
      label in one of them.
    - "bounded": no exchange of a positive and a negative among like rows changes any number.

    ``pages`` is how many pages there were to choose from.
    """

    how: Literal["counted", "exchanged", "bounded"]
    exposed: int
    pages: int
    labelings: int = 0

    def sentences(self, units: int, names: str) -> list[str]:
        """``names`` says what the units are: rows, or clusters."""
        if self.how == "counted":
            gives = "labeling gives" if self.labelings == 1 else "labelings give"
            return [
                f"All labelings were tried: {self.labelings:,} {gives} this very page, and "
                f"{self.exposed:,} of {units:,} labels are the same in all of them."
            ]
        if self.exposed:
            return [
                f"{self.exposed:,} of {units:,} labels could be certain from this page: no other "
                "labeling that gives it was found in which they are different."
            ]
        if self.how == "bounded":
            return [
                "No label is certain from this page: every row can exchange its label with a row "
                "of the other class, and no number here would change."
            ]
        return [
            f"No label is certain from this page: for each of the {units:,} {names} another "
            "labeling was found that gives it, to the last digit, with the other label there."
        ]

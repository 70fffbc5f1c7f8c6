"""The names of the two rates of a curve, as people write them."""

from __future__ import annotations

from typing import Literal

RATES: dict[str, tuple[Literal["fpr", "tpr"], bool]] = {
    "fpr": ("fpr", False),
    "specificity": ("fpr", True),
    "tnr": ("fpr", True),
    "tpr": ("tpr", False),
    "sensitivity": ("tpr", False),
    "recall": ("tpr", False),
}
"""The axis that each is on, and whether it is one minus the rate there."""

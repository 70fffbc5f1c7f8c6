"""The curves that show measures of two classes."""

from __future__ import annotations

from typing import Literal

Picture = Literal["roc", "pr", "gain"]
"""ROC, precision against recall, or flagged positives against flagged rows."""

"""The curves that measures of two classes are read off."""

from __future__ import annotations

from typing import Literal

Picture = Literal["roc", "pr", "gain"]
"""ROC, precision against recall, or the positives flagged against the rows flagged."""

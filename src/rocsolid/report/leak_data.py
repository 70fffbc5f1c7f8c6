"""What publishing a page gives away, as plain data, and the coarse curve of a public page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.report.cells import Cells


@dataclass(frozen=True, slots=True)
class LeakReport:
    """The kind of the page (``public`` or private) and what it tells about the labels.

    ``banner`` stands above everything else: the kind, and what to do or not to do. ``verdict`` is
    the answer in a sentence, ``readers`` say who can learn what, ``tables`` hold the figures and
    ``uncounted`` what they leave out.
    """

    public: bool
    banner: str
    verdict: str
    readers: tuple[str, ...]
    tables: tuple[Cells, ...]
    uncounted: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "public": self.public,
            "banner": self.banner,
            "verdict": self.verdict,
            "readers": list(self.readers),
            "tables": [
                {
                    "caption": table.caption,
                    "heads": list(table.heads),
                    "rows": [list(row) for row in table.rows],
                }
                for table in self.tables
            ],
            "uncounted": list(self.uncounted),
        }


@dataclass(frozen=True, slots=True, eq=False)
class CoarseCurve:
    """A curve at a few cuts. The rates are made from rounded counts, and ``decimals`` fit them."""

    score: str
    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    text: str
    decimals: int = 2

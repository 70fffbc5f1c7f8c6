"""A scorer's memory of the rows that it was fitted on: hashes of their features."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsolid.certificates.row_hashes import RowHashes

_NAME = "_fitted_rows"


def remember_rows(scorer: Any, X: Any) -> None:
    """Keep two sorted 64-bit hashes of each row of features, for `certify` to know them again.

    Labels are not kept, in no form: whoever knows a row's features could try its labels until the
    hash fits.

    >>> from types import SimpleNamespace
    >>> scorer = SimpleNamespace()
    >>> remember_rows(scorer, np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> fitted, rows = remembered(scorer, np.array([[3.0, 4.0]]))
    >>> bool(rows.exact[0] in fitted.exact)
    True
    """
    found = RowHashes.of(X)
    setattr(scorer, _NAME, RowHashes(np.sort(found.exact), np.sort(found.rounded)))


def remembered(scorer: Any, X: Any) -> tuple[RowHashes, RowHashes] | None:
    """The hashes of the fitted rows and of these; ``None`` if the scorer remembers none.

    Of a pipeline the last step remembers, and what it saw are transformed rows; of a search over
    parameters the best estimator does.
    """
    best = getattr(scorer, "best_estimator_", None)
    if best is not None:
        return remembered(best, X)
    steps = getattr(scorer, "steps", None)
    if isinstance(steps, list) and len(steps) > 1:
        last = steps[-1][1]
        if getattr(last, _NAME, None) is None:
            return None
        return remembered(last, scorer[:-1].transform(X))
    fitted = getattr(scorer, _NAME, None)
    return None if fitted is None else (fitted, RowHashes.of(X))

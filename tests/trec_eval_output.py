"""What trec_eval printed, read back for the golden tests."""

from __future__ import annotations

import gzip
from pathlib import Path


def printed_by_trec_eval(path: Path) -> dict[str, dict[str, float]]:
    """Values by measure and query, "all" being the mean; what is no number is left out.

    Where only some queries were kept, the mean is that of their values, which were rounded as it
    would have been.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    found: dict[str, dict[str, float]] = {}
    with opened(path, "rt") as lines:
        for line in lines:
            measure, query, value = line.split(maxsplit=2)
            try:
                found.setdefault(measure, {})[query] = float(value)
            except ValueError:  # runid and relstring
                continue
    for values in found.values():
        values.setdefault("all", sum(values.values()) / len(values))
    return found

"""Small data sets that the project makes itself, for the demonstration, the docs and the tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.stream import stream


def chocolate_bars() -> dict[str, list[Any]]:
    """Seven bars of *ROC AUC is the average positive rank*: item, class (1 "very good"), score.

    >>> chocolate_bars()["item"][0]
    'Milka'
    """
    return {
        "item": ["Milka", "Mars", "Lindt", "Ferrero-Rocher", "Kalev", "Laima", "Hershey's"],
        "good": [1, 0, 1, 1, 0, 0, 0],
        "score": [8, 5, 3, 3, 1, -3, -5],
    }


def screening(rows: int = 20_000, seed: int = 4) -> dict[str, NDArray[Any]]:
    """A made-up screening study: three models of one disease in two hospitals.

    ``risk`` is the best model, ``lab`` a weaker one, ``points`` a coarse score from 0 to 10 with
    heavy ties. About 8 % of the patients are ill in one hospital and 3 % in the other, where the
    models do a little worse.

    >>> data = screening(1_000)
    >>> sorted(data), len(data["ill"])
    (['hospital', 'ill', 'lab', 'points', 'risk'], 1000)
    """
    draw = stream(seed)
    south = draw.random(rows) < 0.4
    ill = draw.random(rows) < np.where(south, 0.03, 0.08)
    severity = draw.normal(size=rows) + ill * np.where(south, 1.3, 1.7)
    risk = severity + 0.5 * draw.normal(size=rows)
    lab = 0.6 * severity + draw.normal(size=rows)
    points = np.clip(np.round(1.5 * severity + 3.0 + 0.8 * draw.normal(size=rows)), 0, 10)
    return {
        "hospital": np.where(south, "South", "North"),
        "ill": ill.astype(np.int64),
        "risk": np.round(1.0 / (1.0 + np.exp(3.0 - risk)), 6),
        "lab": np.round(40.0 + 12.0 * lab, 2),
        "points": points.astype(np.int64),
    }

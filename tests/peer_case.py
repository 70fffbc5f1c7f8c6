"""One small case that every ranking tool was run on: made by arithmetic, so that it can be typed.

Eight queries of 3, 12, 10, 1, 14, 5, 11 and 20 documents with grades from 0 to 4, one of them
without a relevant document, all with tied scores; in the seventh scores differ by 1e-9, which
32-bit floats do not tell apart. As files there are also two judged documents that the run lacks (in
queries 11 and 15), unjudged ones (12 and 17), a judged query that is not in the run (18) and one
that nobody judged (19).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rocsolid.graded.by_profile import Judged
from rocsolid.inputs.graded_rows import graded_rows

SIZES = (3, 12, 10, 1, 14, 5, 11, 20)


def case_rows() -> list[tuple[int, int, int, float]]:
    """Query, document, grade and score."""
    found = []
    for q, n in enumerate(SIZES):
        for i in range(n):
            grade = 0 if q == 4 else max(0, (3 * i * i + 5 * q + i) % 7 - 2)
            score = 1 + i % 3 / 4 + 5 * i % 11 * 1e-9 if q == 6 else (11 * i + 7 * q) % 9 / 4
            found.append((q, i, grade, score))
    return found


def case_arrays(top: int = 4) -> Judged:
    """The case as a tool for arrays sees it, grades cut at ``top``."""
    q, _, grade, score = (np.array(column) for column in zip(*case_rows(), strict=True))
    rows = graded_rows(np.minimum(grade, top).astype(float), score, qid=q)
    return Judged(rows, rows)


def case_files(folder: Path, negative: bool = False) -> tuple[Path, Path]:
    """The case as TREC files; ``negative`` makes one grade of query 12 −1."""
    qrels, run = [], []
    for q, i, grade, score in case_rows():
        if not (q in (2, 7) and i % 5 == 4):
            below = negative and (q, i) == (2, 0)
            qrels.append((f"1{q}", f"d{i:02}", -1 if below else grade))
        run.append((f"1{q}", f"d{i:02}", score))
    for q in ("11", "15"):
        qrels += [(q, "x1", 3), (q, "x2", 1)]
    qrels += [("18", "d00", 2), ("18", "d01", 0)]
    run += [("19", f"d{i:02}", float(i)) for i in range(3)]
    paths = folder / "case.qrels", folder / "case.run"
    paths[0].write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in qrels))
    paths[1].write_text("".join(f"{q} Q0 {d} 1 {s!r} case\n" for q, d, s in run))
    return paths

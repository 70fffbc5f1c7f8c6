"""Rules about the data at hand, which nothing has to be estimated for."""

from __future__ import annotations

import math
from typing import Any

from rocsolid.binary.estimate import Options
from rocsolid.errors import UnsoundError
from rocsolid.gating.rule import Rule
from rocsolid.gating.rulings import Ruling, Verdict
from rocsolid.inputs import BinaryRows
from rocsolid.measures.named import measure_of
from rocsolid.measures.scored import ScoredRows
from rocsolid.measures.whole_area import WholeArea

COUNTED_ROWS = 200_000  # of more rows the labelings are not counted
PRINTED = 4


def enough_positives(rule: Rule, positives: int, by: dict[str, Any] | None) -> Ruling:
    """So many positive rows, against what is asked."""
    lacking = max(math.ceil(rule.value) - positives, 0)
    why = f"{positives:,} positives"
    if lacking:
        why += f", {lacking:,} fewer than asked"
    return _fact(rule, by, "fail" if lacking else "pass", positives, why, f"{positives:,}")


def bits_released(rule: Rule, rows: BinaryRows) -> Ruling:
    """What the AUC to four decimals and the class sizes tell somebody who has the scores.

    That is the surprise of this value, in bits, as ``rocsolid leak count`` has it.
    """
    from rocsolid.leaks import count

    if measure_of(rule.measure) != WholeArea() or rows.weight is not None:
        raise UnsoundError("what is given away is counted for the AUC of rows without weights")
    if len(rows) > COUNTED_ROWS:
        raise UnsoundError(
            f"what is given away is counted for up to {COUNTED_ROWS:,} rows: take rocsolid leak"
        )
    one = WholeArea().estimate(ScoredRows(rows), Options())
    bits = count(f"{one.value:.{PRINTED}f}", rows.score, n_pos=one.n_pos).surprise_bits
    why = (
        f"the AUC to {PRINTED} decimals gives away {bits:.2f} bits about the labels to somebody "
        "who has the scores and the class sizes"
    )
    return _fact(rule, None, "pass" if bits <= rule.value else "fail", bits, why, f"{bits:.2f}")


def _fact(
    rule: Rule, by: dict[str, Any] | None, verdict: Verdict, value: float, why: str, shown: str
) -> Ruling:
    nan = math.nan
    sign = "at least" if rule.condition == "positives_at_least" else "at most"
    needed = f"{sign} {rule.value:g}"
    return Ruling(
        rule.number, str(rule), by, verdict, value, nan, nan, needed, f"{why}.", None, shown
    )

"""Pictures of what releases reveal: bits of the labels, and guesses of single labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rocsolid.pictures.forest import ForestRow, rows_picture
from rocsolid.pictures.lanes import MOST, states_key
from rocsolid.pictures.lists import EXPOSURES, VALUES, shown
from rocsolid.pictures.marks import Axis, IntervalMark, Mark, Picture, RuleMark

_GUESS = 0.5


def bits_picture(told: Mapping[str, float], total: float, limit: float | None = None) -> Picture:
    """Plot the bits that each release reveals, of the ``total`` in the labels.

    A diamond is a value above the ``limit``, or equal to the total.

    >>> picture = bits_picture({"exact": 56.67, "2 decimals": 48.1}, 76.0)
    >>> [tick.value for tick in picture.y.named]
    ['56.67 of 76.00 bits', '48.10 of 76.00 bits']
    """
    rows = [
        ForestRow(shown(name), min(bits, total), (0.0, min(bits, total)),
                  words=f"{bits:,.2f} of {total:,.2f} bits",
                  state="worse" if bits > (total if limit is None else limit) else "")
        for name, bits in list(told.items())[:MOST]
    ]  # fmt: skip
    rules = [RuleMark(total, "limit", upright=True)]
    rules += [] if limit is None else [RuleMark(limit, upright=True)]
    x = Axis(0.0, 1.02 * total, title="Bits of the labels")
    spoken = ", ".join(f"{row.text} {row.words}" for row in rows)
    picture = rows_picture(rows, x, "Bits given away", f"{spoken}.", *rules)
    key: tuple[tuple[str, Mark], ...] = (
        ("given away", IntervalMark(0.0, 0.0, 1.0, "any")),
        ("all label bits", RuleMark(0.0, "limit")),
        *([] if limit is None else [("the limit", RuleMark(0.0))]),
    )
    return replace(picture, key=key, key_place="above", discloses=VALUES)


def exposed_picture(rows: Sequence[tuple[str, float, bool]], noun: str = "row") -> Picture:
    """Plot the probability that a guess of each label is right; a diamond is certain.

    ``rows`` are names, probabilities, and whether the label is certain; ``noun`` describes the
    names.

    >>> [t.value for t in exposed_picture([("line 4", 1.0, True), ("line 9", 0.7, False)]).y.named]
    ['certain', '0.7000']
    """
    lanes = [
        ForestRow(shown(name), p, (_GUESS, p), words="certain" if certain else f"{p:.4f}",
                  state="worse" if certain else "open")
        for name, p, certain in rows[:MOST]
    ]  # fmt: skip
    x = Axis(0.48, 1.02, title="Probability that a guess of the label is right")
    spoken = ", ".join(f"{row.text} {row.words}" for row in lanes)
    coin = RuleMark(_GUESS, upright=True)
    picture = rows_picture(
        lanes, x, f"The most exposed rows, each by its {noun}", f"{spoken}.", coin
    )
    key = (("a coin toss", RuleMark(0.0)),
           *states_key(lanes, {"worse": "certain", "open": "likely"}))  # fmt: skip
    return replace(picture, key=key, key_place="above", discloses=EXPOSURES)

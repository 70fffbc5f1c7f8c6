"""What Whitehill 2019 draws and prints about labelings, computed, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rocsolid.leaks import count, labelings
from rocsolid.leaks.growth import Conjecture, threshold
from rocsolid.measures.whole_area import auc
from rocsolid.theory.study.table import Cell, StudyTable

GUESSES = (0.2, 0.5, 0.9, 0.1)
Y = (0, 0, 1, 0, 0, 1, 0, 1, 1, 1)
Z = (0, 0, 1, 0, 1, 0, 0, 1, 1, 1)
PUBLISHED_MISRANKED = {"y": 4, "z": 5}
PUBLISHED_SWAPS = (3, 1, 0, 0, 0)
PUBLISHED = {
    76: 657_488, 77: 654_344, 78: 650_822, 84: 622_952, 92: 572_728, 98: 529_382, 106: 468_686,
}  # fmt: skip
"""w(n, 1387/1440) in section 6."""

AUC, Q = "1387/1440", 1440
LAST = 126
"""The table goes on to the second number of rows past the threshold."""
GROWING = ("1/2", "4/5", "9/10", "19/20")
SIZES = tuple(range(20, 201, 20))
QUICK_SIZES = SIZES[:5]
DECIMALS = (6, 5, 4, 3, 2, 1)
ROUNDED_ROWS = 76

_NONE = float("nan")
Done = Callable[[], None]


def introduction() -> StudyTable:
    """Every labeling of the four guesses of section 1 with an AUC of 3/4."""
    rows = tuple(
        (i, *map(int, found.tolist())) for i, found in enumerate(labelings("3/4", GUESSES), start=1)
    )
    return StudyTable(
        "introduction",
        "Section 1: labelings of the guesses .2, .5, .9 and .1 with AUC 3/4",
        ("labeling", "y1", "y2", "y3", "y4"),
        rows,
    )


def misranked(labels: Sequence[int]) -> int:
    """h: pairs whose negative is higher; the scores are 1, 2, 3, … ."""
    n_pos = sum(labels)
    value = auc(labels, range(1, len(labels) + 1)).value
    return round((1 - value) * n_pos * (len(labels) - n_pos))


def figure_1() -> StudyTable:
    """One left swap is one more misranked pair."""
    rows = tuple(
        (name, *labels, misranked(labels), PUBLISHED_MISRANKED[name])
        for name, labels in (("y", Y), ("z", Z))
    )
    places = (f"x{i}" for i in range(1, len(Y) + 1))
    return StudyTable(
        "figure_1",
        "Figure 1: a left swap at place 6 turns y into z",
        ("labels", *places, "misranked", "published_misranked"),
        rows,
    )


def figure_2() -> StudyTable:
    """From all positives at the top to y, swap by swap."""
    now = [0] * (len(Y) - sum(Y)) + [1] * sum(Y)
    rows: list[tuple[Cell, ...]] = [(0, *now, misranked(now))]
    for i, moves in enumerate(swaps(Y)):
        at = len(Y) - sum(Y) + i
        for _ in range(moves):
            now[at - 1], now[at] = now[at], now[at - 1]
            at -= 1
            rows.append((len(rows), *now, misranked(now)))
    places = (f"x{i}" for i in range(1, len(Y) + 1))
    return StudyTable(
        "figure_2",
        "Figure 2: from the perfect order to y by left swaps",
        ("swap", *places, "misranked"),
        tuple(rows),
    )


def swaps(labels: Sequence[int]) -> tuple[int, ...]:
    """s_i = n − n₁ + i − p_i of Proposition 3: how far each positive is from its perfect place.

    >>> swaps((0, 0, 1, 0, 0, 1, 0, 1, 1, 1))
    (3, 1, 0, 0, 0)
    """
    places = [at for at, label in enumerate(labels, start=1) if label]
    return tuple(len(labels) - len(places) + i - at for i, at in enumerate(places, start=1))


def left_swaps() -> StudyTable:
    """The swaps of each positive in figure 2, with the published ones."""
    rows = tuple(
        (i, ours, theirs)
        for i, (ours, theirs) in enumerate(zip(swaps(Y), PUBLISHED_SWAPS, strict=True), start=1)
    )
    return StudyTable(
        "left_swaps",
        "Figure 2: left swaps of each positive",
        ("positive", "swaps", "published_swaps"),
        rows,
    )


def section_6() -> StudyTable:
    """The number of labelings with AUC 1387/1440 for every n that has some."""
    end = threshold(Q)
    rows: list[tuple[Cell, ...]] = []
    for n in range(2, LAST + 1):
        found = count(AUC, n)
        if found.support:
            support = ", ".join(map(str, found.support))
            total = found.count or 0  # exact at these sizes
            where = "below" if n < end else "at" if n == end else "above"
            rows.append((n, support, total, PUBLISHED.get(n, _NONE), found.log2, where))
    return StudyTable(
        "section_6",
        f"Section 6: labelings of n rows with AUC {AUC}",
        ("n", "n_pos", "labelings", "published_labelings", "bits_left", "threshold"),
        tuple(rows),
    )


def conjecture_tested(tested: Conjecture) -> StudyTable:
    """How often the number of labelings rises, below the threshold and at it."""
    rows = (
        ("below", tested.steps_below, len(tested.below)),
        ("at", tested.steps_at, tested.rises_at),
    )
    return StudyTable(
        "conjecture",
        f"Section 6: steps from one number of rows to the next, all AUCs p/q with q ≤ "
        f"{tested.max_q:,}",
        ("threshold", "steps", "rises"),
        rows,
    )


def rises(tested: Conjecture) -> StudyTable:
    """Every rise below the threshold."""
    rows = tuple(
        (str(rise.auc), rise.n_before, rise.n, rise.labelings_before, rise.labelings,
         rise.threshold)
        for rise in tested.below
    )  # fmt: skip
    return StudyTable(
        "rises",
        "Section 6: where the number of labelings rises below the threshold",
        ("auc", "n_before", "n", "labelings_before", "labelings", "threshold"),
        rows,
    )


def growth(sizes: Sequence[int], done: Done) -> StudyTable:
    """The bits that are left of n when an exact AUC is known, as n grows."""
    rows: list[tuple[Cell, ...]] = []
    for n in sizes:
        rows.append((n, *(count(value, n).log2 for value in GROWING)))
        done()
    return StudyTable(
        "growth", "Bits left of n labels when an exact AUC is known", ("n", *GROWING), tuple(rows)
    )


def rounding(done: Done) -> StudyTable:
    """The labelings of 76 rows that fit the AUC of section 6 when it is rounded."""
    exact = count(AUC, ROUNDED_ROWS)
    rows: list[tuple[Cell, ...]] = [("exact", exact.count or 0, exact.log2)]
    numerator, denominator = map(int, AUC.split("/"))
    for decimals in DECIMALS:
        told = f"{numerator / denominator:.{decimals}f}"
        found = count(told, ROUNDED_ROWS)
        rows.append((told, found.count or 0, found.log2))
        done()
    return StudyTable(
        "rounding",
        f"Labelings of {ROUNDED_ROWS} rows that fit {AUC}, rounded",
        ("released", "labelings", "bits_left"),
        tuple(rows),
    )

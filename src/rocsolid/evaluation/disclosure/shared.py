"""What the pages of a disclosure review share."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.report.cells import Cells


@dataclass(frozen=True, slots=True)
class ExposedRows:
    """Rows by name, how probably a guess of their label is right, and whether it is certain.

    ``named_by`` says what the names are: "line of a.csv, counting the header".
    """

    named_by: str
    rows: tuple[tuple[str, float, bool], ...]


SHOWN = 10
PRIOR = (
    "The recipient is taken to know the scores of all rows and how the value was computed. All "
    "labelings that fit count as equally likely; whoever trusts the scores, or knows the people "
    "behind the rows, knows more than this page says."
)
ALONE = (
    "Only what is listed under Output is counted. Everything else that is published about the same "
    "labels adds to it: other scores and segments, standard errors, curves, counts."
)
CURVE = (
    "Publish no curve, no path, no band and no ranks of the positives beside it: with the scores "
    "they spell out labels."
)
LEDGER = (
    "Keep one record of every release on these labels and judge the sum, not each release alone."
)


def judged(what: str, bits: float, limit: float | None) -> list[str]:
    """``what`` names the bits: the surprise, or the most."""
    if limit is None:
        return []
    if bits > limit:
        return [f"{what} is above the limit of {limit:g} bits."]
    return [f"{what} is within the limit of {limit:g} bits, which is a choice and no proof."]


def exposed_rows(exposed: ExposedRows | None, note: str = "") -> tuple[Cells, ...]:
    """The table of the rows, if any were requested."""
    if exposed is None or not exposed.rows:
        return ()
    heads = (exposed.named_by, "a guess of its label is right with probability")
    cells = tuple((name, _share(p, certain)) for name, p, certain in exposed.rows)
    return (Cells("The most exposed rows. The page shows no label." + note, heads, cells),)


def _share(probability: float, certain: bool) -> str:
    if certain:
        return "1 (certain)"
    return ">0.9999" if probability > 0.9999 else f"{probability:.4f}"


def decimal_places(digits: int | None) -> str:
    if digits is None:
        return "exact"
    return f"{digits} decimal" + ("s" if digits != 1 else "")

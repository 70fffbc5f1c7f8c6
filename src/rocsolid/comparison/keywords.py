"""The keywords of comparisons, and what holds where they are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

from rocsolid.comparison.build import DEFAULT

if TYPE_CHECKING:  # a comparison over queries has no need of measures of rows
    from rocsolid.binary.design import Design
    from rocsolid.measures.binary_measure import BinaryMeasure
    from rocsolid.results import Alternative
    from rocsolid.weights import Weight


class OrderKeywords(TypedDict, total=False):
    """The keywords of a comparison that go with every kind of outcome."""

    adjust: str
    level: float
    alternative: Alternative
    lower_is_better: bool
    nan: Literal["raise", "omit"]


class PairKeywords(TypedDict, total=False):
    """How pairs are tested, whatever the sample; see `rocsolid.compare`.

    ``paired`` and ``power``, that of the least detectable difference, are for queries.
    """

    test: str
    adjust: str
    paired: bool
    null: float
    margin: float | None
    level: float
    alternative: Alternative
    power: float
    resamples: int
    seed: int


class ComparisonKeywords(PairKeywords, total=False):
    """The keywords of a comparison of rows that do not depend on where its rows are."""

    measure: str | Weight | BinaryMeasure
    design: Design
    pos_label: Any
    lower_is_better: bool
    nan: Literal["raise", "omit"]


_OF_PAIRS: PairKeywords = {
    "test": DEFAULT, "adjust": DEFAULT, "null": 0.0, "margin": None, "level": 0.95,
    "alternative": "two-sided", "resamples": 2000, "seed": 0,
}  # fmt: skip
OF_ROWS: ComparisonKeywords = {
    **_OF_PAIRS, "measure": "auc", "design": None, "pos_label": None, "lower_is_better": False,
    "nan": "raise",
}  # fmt: skip
OF_QUERIES: PairKeywords = {
    **_OF_PAIRS, "adjust": "max-t", "resamples": 10_000, "paired": True, "power": 0.8,
}  # fmt: skip


def over_queries(how: PairKeywords, names: str = " ".join(OF_QUERIES)) -> dict[str, Any]:
    """What is said of a comparison over queries, with the defaults of what is not."""
    every: dict[str, Any] = {**OF_QUERIES, **how}
    return {name: every[name] for name in names.split()}

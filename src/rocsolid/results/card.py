"""The card of a result: a number, the decisions about it, and all values on one scale.

A notebook, the first screen of a page and a picture show the same card. Notebooks remove style
sheets and scripts, so text and lines use the notebook's own colour, light or dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.markup import Markup, element, name
from rocsolid.remarks.remark import Remark
from rocsolid.results.references import best_reference, references_of
from rocsolid.results.standing import State, standings

_WIDTH, _HEIGHT, _MARGIN = 240.0, 24.0, 6.0
_SIDE = 150.0  # of a curve
_POINTS = 200  # of a curve that are drawn
_FACTS = 12
_MORE = 4  # decimals of a value near 0 or 1
_KEY = "Thick line: the interval. Thin line: the certified interval."
_CHANCE: dict[State, str] = {
    "better": "better than chance", "worse": "worse than chance", "open": "chance not ruled out",
}  # fmt: skip
_BEHIND: dict[State, str] = {
    "worse": "significantly lower", "open": "not significantly lower", "better": "equivalent",
}  # fmt: skip


Decision = tuple[State, str, str]
"""A decision with its word and a detail, such as the difference from the best value."""
UNDECIDED: Decision = ("", "", "")


@dataclass(frozen=True, slots=True)
class CardRow:
    """A value with its limits, as numbers and as texts; ``text`` may be a word.

    ``outer`` are certified limits in addition to ``inner``. ``level`` is the reference value of
    this row alone. ``state``, ``word`` and ``detail`` are the `Decision` about the value.
    """

    name: str
    value: float
    text: str
    limits: str = ""
    inner: tuple[float, float] | None = None
    outer: tuple[float, float] | None = None
    certified: str = ""
    range: tuple[float, float] = (0.0, 1.0)
    level: float | None = None
    state: State = ""
    word: str = ""
    detail: str = ""

    @property
    def ends(self) -> tuple[float, ...]:
        """All finite values to fit on the scale."""
        every = (self.value, *(self.inner or ()), *(self.outer or ()))
        level = () if self.level is None else (self.level,)
        return tuple(end for end in (*every, *level) if math.isfinite(end))


@dataclass(frozen=True, slots=True)
class Card:
    """The contents of a card. The first row is printed largest, so the best value comes first.

    ``chance`` is the value of a random ranking (or as named by ``held``), ``more`` counts omitted
    rows, ``large`` is a word that replaces the first number, and ``basis`` describes the data.
    ``curve`` contains points in the unit square. With ``apart`` each row has its own scale. If not
    ``exact``, the card shows only published numbers.
    """

    measure: str = ""
    sentences: tuple[str, ...] = ()
    rows: tuple[CardRow, ...] = ()
    chance: float | None = None
    basis: str = ""
    more: int = 0
    warnings: tuple[Remark, ...] = ()
    curve: tuple[tuple[float, float], ...] = ()
    apart: bool = False
    exact: bool = True
    large: str = ""
    held: str = "chance"


class Carded:
    """A result that a notebook shows as a card."""

    __slots__ = ()

    def _card(self) -> Card:
        return card_of(self)

    def _repr_html_(self) -> Markup:
        return notebook(self._card())


def card_of(result: Any) -> Card:
    """Build the card: the number of a value, all values of a comparison, or sentences."""
    title = measure_title(getattr(result, "measure", ""))
    warnings = tuple(getattr(result, "warnings", ()))
    if isinstance(getattr(result, "estimates", None), Mapping):
        states = against_best(result) if hasattr(result, "pairs") else {}
        rows, more = rows_of(result.estimates, states)
        chance = chance_of(result.estimates.values())
        held = held_of(result.estimates.values())
        return Card(title, _sentences(result), rows, chance, more=more, held=held)
    if _is_valued(result):
        row = row_of(getattr(result, "where", ""), result)
        basis = str(getattr(result, "basis", ""))
        chance, held = chance_of([result]), held_of([result])
        return Card(title, (), (row,), chance, basis, warnings=warnings, held=held)
    if hasattr(result, "fpr") and hasattr(result, "tpr"):
        return Card(sentences=_sentences(result), curve=_thinned(result.fpr, result.tpr))
    if hasattr(result, "recall") and hasattr(result, "precision"):
        return Card(sentences=_sentences(result), curve=_thinned(result.recall, result.precision))
    return Card(sentences=_sentences(result))


def measure_title(measure: str) -> str:
    """The printed name of a measure.

    >>> measure_title("auc"), measure_title("partial_auc(fpr<=0.1)")
    ('AUC', 'partial_auc(fpr<=0.1)')
    """
    return "AUC" if measure == "auc" else measure


def _is_valued(result: Any) -> bool:
    if getattr(result, "batches", None) == 0 or getattr(result, "pairs", None) == 0:
        return False  # nothing has been seen yet
    return hasattr(getattr(result, "interval", None), "low") and hasattr(result, "value")


def _thinned(x: Sequence[float], y: Sequence[float]) -> tuple[tuple[float, float], ...]:
    step = max(1, math.ceil(len(x) / _POINTS))
    places = [*range(0, len(x), step), *([len(x) - 1] if (len(x) - 1) % step else [])]
    return tuple((float(x[i]), float(y[i])) for i in places)


def row_of(text: str, valued: Any, decision: Decision = UNDECIDED) -> CardRow:
    """Build a row; the decimals are those of a rounded value, or of its interval."""
    limits, certified = valued.interval, getattr(valued, "certified", None)
    digits = getattr(valued, "decimals", limits.decimals)
    none = limits.method == "none"
    side = str(getattr(valued, "settings", {}).get("alternative", ""))
    beside = None if certified == limits else certified
    value = float(valued.value)
    return CardRow(
        text,
        value,
        f"{value:.{_decimals(value, digits)}f}",
        "no interval" if none else _limits(limits, digits, side),
        None if none else (limits.low, limits.high),
        None if beside is None else (beside.low, beside.high),
        "" if beside is None else f"certified {_limits(beside, digits, side)}",
        limits.range,
        None,
        *decision,
    )


def _decimals(value: float, digits: int) -> int:
    """Add decimals, so that a value near 0 or 1 is not rounded to 0 or 1.

    >>> _decimals(0.99999, 4), _decimals(1.0, 4), _decimals(0.7, 4)
    (5, 4, 4)
    """
    enough = (
        more for more in range(digits, digits + _MORE)
        if value in (0.0, 1.0) or round(value, more) not in (0.0, 1.0)
    )  # fmt: skip
    return next(enough, digits + _MORE)


def _limits(limits: Any, digits: int, side: str) -> str:
    level = f"{100 * limits.level:.6g} %"
    if limits.certified and side == "greater":
        low = Decimal(limits.low).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_FLOOR)
        return f"{level} at least {low}"
    return f"{level} {limits.low:.{digits}f} – {limits.high:.{digits}f}"


_MOST = 40  # rows in a notebook


def rows_of(
    values: Mapping[Any, Any], decisions: Mapping[Any, Decision], most: int = _MOST
) -> tuple[tuple[CardRow, ...], int]:
    """Rows with the highest value first, and the number of omitted rows."""
    order = sorted(values, key=lambda key: -float(values[key].value))
    rows = tuple(
        row_of(_named(key), values[key], decisions.get(key, UNDECIDED)) for key in order[:most]
    )
    return rows, len(order) - len(rows)


def _named(key: Any) -> str:
    return " against ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def chance_of(values: Iterable[Any]) -> float | None:
    """The value of a random ranking if it is known and the same for all values."""
    every = {getattr(value, "chance", None) for value in values}
    return every.pop() if len(every) == 1 else None


def held_of(values: Iterable[Any]) -> str:
    """The name of the value that `chance_of` returns."""
    names = {best_reference(each) for each in map(references_of, values) if each}
    return names.pop() if len(names) == 1 else "chance"


def against_best(compared: Any) -> dict[str, Decision]:
    """The decision for each name against the highest, with the difference and its limits."""
    decisions: dict[str, Decision] = {}
    for rival in filter(lambda rival: rival.state, standings(compared)):
        limits, word = rival.deciding
        size, *ends = (
            f"{value:+.{rival.decimals}f}".replace("-", "−")
            for value in (rival.difference, *(limits or ()))
        )
        words = f"{' to '.join(ends)} {word}".strip()
        detail = f"{size} ({words})" if ends else size
        decisions[rival.name] = rival.state, _BEHIND[rival.state], detail
    return decisions


def against_chance(valued: Any) -> Decision:
    """The decision about a value against chance, by the deciding interval."""
    decides, chance = getattr(valued, "deciding", None), getattr(valued, "chance", None)
    if decides is None or chance is None or decides.method == "none":
        return UNDECIDED
    state: State = (
        "better" if decides.low > chance else "worse" if decides.high < chance else "open"
    )
    references = references_of(valued)
    if references:
        best = best_reference(references)
        words = {
            "better": f"better than {' and '.join(name for name, _ in references)}",
            "worse": f"worse than {best}", "open": f"{best} not ruled out",
        }  # fmt: skip
        return state, words[state], f"which has {chance:.{decides.decimals}f}"
    return state, _CHANCE[state], f"which is {chance:.{decides.decimals}f}"


def _sentences(result: Any) -> tuple[str, ...]:
    made = getattr(result, "sentences", None)
    if made is not None:
        return tuple(made() if callable(made) else made)
    if hasattr(result, "explain"):
        return (str(result.explain()),)
    if "__str__" in {name for cls in type(result).__mro__[:-1] for name in vars(cls)}:
        return tuple(line for line in str(result).splitlines() if line)
    facts = result.to_dict() if hasattr(result, "to_dict") else {}
    simple = {key: fact for key, fact in facts.items() if isinstance(fact, str | int | float)}
    return tuple(f"{key.replace('_', ' ')}: {fact}" for key, fact in simple.items())[:_FACTS]


def notebook(card: Card) -> Markup:
    first, *others = card.sentences or ("",)
    head = [element("div", element("b", first))] if first else []
    rows = list(card.rows)
    return element(
        "div",
        *head,
        *(_large(card, rows[0]) if len(rows) == 1 else []),
        *([_table(card)] if len(rows) > 1 else []),
        *([_curve(card.curve)] if card.curve else []),
        *([element("div", _KEY)] if any(row.outer is not None for row in rows) else []),
        *([element("div", f"{card.more:,} more")] if card.more else []),
        *[element("div", text) for text in others],
        *([element("div", card.basis)] if card.basis else []),
        *_folded(card.warnings),
        style="display: inline-block; max-width: 48em; padding: 0.6em 1em; "
        "border: 1px solid; border-radius: 0.4em",
    )


def _large(card: Card, row: CardRow) -> list[Markup]:
    subject = [name(row.name), *([": "] if card.measure else [])] if row.name else []
    words = "; ".join(filter(None, (row.limits, row.certified)))
    ends = [*row.range, *row.ends, *(() if card.chance is None else (card.chance,))]
    scale = [end for end in ends if math.isfinite(end)]
    label = f"{card.measure} {row.text}, {words}"
    return [
        *([element("div", *subject, card.measure)] if row.name or card.measure else []),
        element("div", element("b", row.text, style="font-size: 1.7em"), f" {row.limits}"),
        _lane(row, (min(scale), max(scale)), card.chance, label=label),
        *([element("div", row.certified)] if row.certified else []),
        *([element("div", row.word)] if row.word else []),
    ]


def _table(card: Card) -> Markup:
    chance = () if card.chance is None else (card.chance,)
    ends = [*chance, *(end for row in card.rows for end in row.ends)]
    low, high = min(ends), max(ends)
    room = 0.04 * (high - low) or 0.5
    left, right = "text-align: left", "text-align: right"
    rows = [
        element(
            "tr",
            element("th", name(row.name), scope="row", style=left),
            element("td", _lane(row, (low - room, high + room), card.chance), style=left),
            element("td", element("b", row.text), style=right),
            element("td", row.limits, style=right),
            element("td", row.word, style=left),
        )
        for row in card.rows
    ]
    return element("table", element("caption", card.measure, style=left), element("tbody", *rows))


def _lane(
    row: CardRow, scale: tuple[float, float], chance: float | None, *, label: str = ""
) -> Markup:
    least, most = scale
    across = (_WIDTH - 2 * _MARGIN) / ((most - least) or 1.0)
    y = _HEIGHT / 2

    def place(value: float) -> float:
        return _MARGIN + across * (min(max(value, least), most) - least)

    def line(low: float, high: float, width: float, **more: str | float) -> Markup:
        return element(
            "line", x1=place(low), x2=place(high), y1=y, y2=y, stroke="currentColor",
            stroke_width=width, **more,
        )  # fmt: skip

    parts = [line(least, most, 1, stroke_opacity=0.35)]
    parts += [line(*row.outer, 2)] if row.outer else []
    parts += [line(*row.inner, 6)] if row.inner else []
    held = row.level if row.level is not None else chance
    if held is not None:
        across_at = place(held)
        parts.append(
            element("path", d=f"M{across_at:.6g} 2V{_HEIGHT - 2:g}", stroke="currentColor",
                    stroke_dasharray="2 2")
        )  # fmt: skip
    parts.append(element("circle", cx=place(row.value), cy=y, r=5.5, fill="currentColor"))
    known = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    return element(
        "svg", *parts, **known, viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}", width=_WIDTH,
        height=_HEIGHT, style="display: block",
    )  # fmt: skip


def _curve(points: Sequence[tuple[float, float]]) -> Markup:
    side = _SIDE - 2 * _MARGIN
    moves = " ".join(
        f"{_MARGIN + side * x:.4g} {_SIDE - _MARGIN - side * y:.4g}" for x, y in points
    )
    return element(
        "svg",
        element("rect", x=_MARGIN, y=_MARGIN, width=side, height=side, fill="none",
                stroke="currentColor", stroke_opacity=0.35),
        element("polyline", points=moves, fill="none", stroke="currentColor", stroke_width=2),
        aria_hidden="true", viewBox=f"0 0 {_SIDE:g} {_SIDE:g}", width=_SIDE, height=_SIDE,
        style="display: block",
    )  # fmt: skip


def _folded(warnings: Sequence[Remark]) -> list[Markup]:
    if not warnings:
        return []
    count = f"{len(warnings)} warning{'s' if len(warnings) > 1 else ''}"
    texts = [element("li", text) for text in warnings]
    return [element("details", element("summary", count), element("ul", *texts))]

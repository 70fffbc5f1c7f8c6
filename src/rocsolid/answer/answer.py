"""The answer to a question about a table, in all its forms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from rocsolid.answer.card import card_of_entries, card_of_overview
from rocsolid.answer.entry import (
    Entry,
    of_first_measure,
    overall,
    verdict_of_comparison,
    verdict_of_many,
)
from rocsolid.answer.grouping import Grouping
from rocsolid.answer.overview import Overview, overview_blocks, trimmed
from rocsolid.answer.tables import pair_block, value_block, warnings_of, why_skipped
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.markup import Markup
from rocsolid.remarks.muting import Checked
from rocsolid.report.blocks import BRIEF, LATEX, MARKDOWN, NOTEBOOK, PAGE, Form, TextBlock
from rocsolid.report.text import measure_title, number
from rocsolid.results.card import Card, Carded, notebook
from rocsolid.results.comparison import Comparison
from rocsolid.results.framed import Framed
from rocsolid.results.plain import attributes, one_line, plain
from rocsolid.results.references import references_in_words, references_of

if TYPE_CHECKING:
    from rocsolid.pictures.marks import Picture
    from rocsolid.report.data import Page
    from rocsolid.report.frame import Large


class TextForms(Carded, Checked, ABC):
    """A result that is described by blocks, which each form renders."""

    __slots__ = ()

    @abstractmethod
    def blocks(self, form: Form = MARKDOWN) -> Iterable[TextBlock]:
        """The contents of the result in order, limited to the room of the form."""

    def answer(self) -> tuple[str, ...]:
        """One or two sentences at the top of a page and of the command's output."""
        return ()

    def opening(self) -> tuple[str, ...]:
        """The first lines in a terminal."""
        return self.answer()

    def brief(self, form: Form = BRIEF) -> Iterable[TextBlock]:
        """The default blocks in a terminal: few remarks, no methods."""
        return trimmed(self.blocks(form))

    def _page(self, title: str, command: str) -> Page:
        from rocsolid.report.data import EXACT_FIGURES, Page

        return Page(
            title or _first_words(self.blocks(PAGE)), verdict=self.answer(), card=self._card(),
            command=command, leaks=EXACT_FIGURES,
        )  # fmt: skip

    def to_markdown(self) -> str:
        """The tables as Markdown, followed by their notes and warnings."""
        from rocsolid.report.blocks import as_markdown

        return as_markdown(self.blocks(MARKDOWN))

    def to_latex(self) -> str:
        """The tables as LaTeX for the booktabs package, followed by notes."""
        from rocsolid.report.blocks import as_latex

        return as_latex(self.blocks(LATEX))

    def to_html(self, *, title: str = "", command: str = "") -> str:
        """Render one self-contained page, to be written as UTF-8.

        ``title`` defaults to the title of the data. ``command`` is shown as the way to reproduce
        the page.
        """
        from rocsolid.report.html import render

        return render(self._page(title, command), self.blocks(PAGE))

    def to_card(self, kind: Literal["svg", "png"] = "svg") -> bytes:
        """A picture of 1200 × 630 pixels as the bytes of a file; a PNG needs matplotlib.

        The card of a `public` answer has rounded figures. Other cards, like pages, have exact
        figures.
        """
        from rocsolid.pictures.card import card_file

        return card_file(self._card(), kind)

    def _card(self) -> Card:
        return Card(sentences=self.answer())

    def _repr_html_(self) -> Markup:
        from rocsolid.report.blocks import blocks_output

        return blocks_output(self.blocks(NOTEBOOK), notebook(self._card()))


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about a table; ``label`` is the target, and ``uncompared`` the error of a
    comparison of its scores.
    """

    label: str
    rows: int
    by: tuple[str, ...] = ()
    across: str = ""
    within: str = ""
    level: float = 0.95
    grouping: Grouping = field(default_factory=Grouping)
    uncompared: UnsoundError | None = None


def lines_of(answer: Answer, together: Iterable[str] = ()) -> list[str]:
    lines = [f"{entry.where}: {entry}" for entry in answer.results]
    lines += [str(comparison) for comparison in answer.comparisons.values()]
    lines += [f"{entry.where}: {entry}" for entry in answer.skipped]
    return [*lines, *together, *answer.notes]


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """The rendering of answers to one kind of question.

    ``keys`` are the JSON keys, as in `Plain`, ``shapes`` those with values of special form, and
    ``long`` those with a value for each query. Functions that are missing have defaults: ``page``
    the ``large`` picture and all blocks, ``records`` the results, ``overview`` (of the terminal)
    all blocks, and ``card`` the overview.
    """

    keys: str
    blocks: Callable[[Answer, Form], Iterable[TextBlock]]
    verdict: Callable[[Answer], tuple[str, ...]]
    page: Callable[[Answer, str, str], Page] | None = None
    large: Callable[[Answer], Picture] | None = None
    records: Callable[[Answer], Iterable[Mapping[str, Any]]] | None = None
    publish: Callable[..., Answer] | None = None
    shapes: Mapping[str, Callable[[Answer], Any]] = field(default_factory=dict)
    long: tuple[str, ...] = ()
    text: Callable[[Answer], Iterable[str]] = lines_of
    overview: Callable[[Answer, Form], Overview] | None = None
    card: Callable[[Answer], Card] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answer(TextForms, Framed):
    """An entry for each score, measure and segment, and the comparisons between them.

    ``results`` are the entries with an estimate, and ``skipped`` those without. The keys of
    ``comparisons`` are measures for scores, scores for segments, or ``None`` for a single
    comparison. The attributes of ``basis``, which depend on the kind, are also attributes of the
    answer.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1, 0, 1, 1], "risk": [0.1, 0.6, 0.4, 0.8, 0.3]}
    >>> found = rs.evaluate(table, label="y", scores="risk")
    >>> found.results[0].value, found.label
    (0.833..., 'y')
    """

    kind: AnswerKind = field(repr=False)
    source: str
    results: Sequence[Entry] = ()
    skipped: Sequence[Entry] = ()
    comparisons: Mapping[str | None, Comparison] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    basis: Any = None
    library: str = field(default="", repr=False)
    muted: frozenset[str] = field(default=frozenset(), repr=False)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in Answer.__slots__:  # as it is made from a pickle
            raise AttributeError(name)
        return getattr(self.basis, name)

    @property
    def entries(self) -> Iterator[Entry]:
        """Each score by each measure in each segment, with an estimate or without."""
        yield from self.results
        yield from self.skipped

    def blocks(self, form: Form = MARKDOWN) -> list[TextBlock]:
        """The contents in order, as the blocks that each form renders."""
        made = (_without(block, self.muted) for block in self.kind.blocks(self, form))
        return [block for block in made if not block.empty]

    def brief(self, form: Form = BRIEF) -> Iterable[TextBlock]:
        if self.kind.overview is None:
            return TextForms.brief(self, form)
        overview = self.kind.overview(self, form)
        kept = tuple(note for note in overview.notes if note.code not in self.muted)
        return overview_blocks(replace(overview, notes=kept))

    def answer(self) -> tuple[str, ...]:
        return self.kind.verdict(self)

    def opening(self) -> tuple[str, ...]:
        if self.kind.overview is None:
            return self.answer()
        return self.kind.overview(self, BRIEF).verdict

    def _card(self) -> Card:
        if self.kind.card is not None:
            return self.kind.card(self)
        if self.kind.overview is not None:
            overview = self.kind.overview(self, BRIEF)
            return card_of_overview(overview, overview.verdict)
        shown = overall(self.results) or list(self.results)
        compared = next(iter(self.comparisons.values()), None)
        return card_of_entries(shown, self._said(), self.source, compared)

    def _said(self) -> tuple[str, ...]:
        verdict, page = self.kind.verdict(self), self.kind.page
        return verdict if verdict or page is None else page(self, "", "").verdict

    def _page(self, title: str, command: str) -> Page:
        if self.kind.page is not None:
            page = self.kind.page(self, title, command)
            return page if page.card is not None else replace(page, card=self._card())
        page = TextForms._page(self, title, command)
        return replace(page, verdict=self.opening(), large=_large(self))

    def public(
        self, *, max_exposed: int = 0, max_posterior: float = 0.95, max_bits: float | None = None,
        ledger: str | PathLike[str] | None = None, id: Any = None, prior: Any = None,
    ) -> Answer:  # fmt: skip
        """Return a form for people who must not learn the labels, with an audit of what it reveals.

        The result is a new answer with rounded numbers, a coarse curve and an ``audit``, and
        nothing else in any form. The result is the finest answer that makes no more than
        ``max_exposed`` labels certain or likelier than ``max_posterior``, and that reveals at most
        ``max_bits`` about the labels on average; ``left_out`` lists what was withheld. If there is
        none, `rocsolid.errors.ExposedError` is raised. The audit never claims that publishing is
        safe.

        ``ledger`` is the file of a ledger, which starts as an empty file, and ``id`` the name of
        each row. The answer must then pass together with all earlier answers in the ledger about
        these rows, whose bits count too, and is recorded before it is returned.

        ``prior`` is a reader's probability that each row is positive. The answer must then not
        change the odds of a label by a factor above L/(1 − L), where L is ``max_posterior``.
        """
        if self.kind.publish is None:
            raise InputError(
                "this answer has no public form",
                where=self.source,
                fix="keep it private; rs.evaluate(table, label=, scores=).public() publishes "
                "rounded values",
            )
        return self.kind.publish(
            self, max_exposed=max_exposed, max_posterior=max_posterior, max_bits=max_bits,
            ledger=ledger, id=id, prior=prior,
        )  # fmt: skip

    def to_html(self, *, title: str = "", command: str = "", public: bool = False) -> str:
        """Render one self-contained page, to be written as UTF-8: the answer in words, then all
        contents.

        The page shows exact figures, and for rows also curves and the rank of every positive: it
        reveals the labels to anyone who has the scores, and its banner warns of that. With
        ``public`` it is the page of the `public` answer, without the ``command``. ``title``
        defaults to the source of the data; ``command`` is shown as the way to reproduce the page.
        """
        if public:
            return self.public().to_html(title=title)
        return TextForms.to_html(self, title=title, command=command)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable. ``per_query`` adds the value of each query."""
        shapes, long = self.kind.shapes, () if per_query else self.kind.long
        keys = " ".join(k for k in self.kind.keys.split() if k not in shapes)
        made = {key: _plain(value) for key, value in attributes(self, keys).items()}
        made |= {key: plain(shape(self)) for key, shape in shapes.items()}
        if long:
            made["results"] = [_lacking(result, long) for result in made["results"]]
        return _flat({key: made[key] for key in (k.split("=")[0] for k in self.kind.keys.split())})

    def _records(self) -> Iterable[Mapping[str, Any]]:
        if self.kind.records is not None:
            return self.kind.records(self)
        return (entry.to_dict() for entry in self.results)

    __repr__ = one_line

    def __str__(self) -> str:
        return "\n".join(self.kind.text(self))


def _first_words(blocks: Iterable[TextBlock]) -> str:
    first = next((block for block in blocks if not block.empty), TextBlock())
    return first.heading or (first.cells.caption if first.cells else "") or "Results"


def _large(answer: Answer) -> tuple[Large, ...]:
    from rocsolid.answer.frame import differences_drawn, values_drawn
    from rocsolid.report.frame import Large

    comparison = next(iter(answer.comparisons.values()), None)
    whole = overall(answer.results)
    if not whole and comparison is None:
        return ()
    if answer.kind.large is not None:
        return (Large(answer.kind.large(answer)),)
    if comparison is not None:
        return (differences_drawn(comparison),)
    chance = getattr(whole[0], "chance", None)
    title = measure_title(whole[0].measure)
    return (values_drawn(of_first_measure(whole), title, None, chance),)


def _flat(found: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in found.items():
        flat |= value if name.startswith("*") else {name: value}
    return flat


def _without(block: TextBlock, codes: frozenset[str]) -> TextBlock:
    if not codes:
        return block
    notes, said = (
        tuple(text for text in texts if getattr(text, "code", "") not in codes)
        for texts in (block.notes, block.said)
    )
    return replace(block, notes=notes, said=said)


def _lacking(result: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key not in keys}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping) and all(isinstance(one, Comparison) for one in value.values()):
        value = list(value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(each) for each in value]  # entries built when read are let go one by one
    return plain(value)


def blocks(answer: Answer, form: Form, caption: str = "") -> Iterator[TextBlock]:
    """The table of all values, every comparison, and the warnings."""
    grouping = getattr(answer.basis, "grouping", Grouping())
    rows = grouping.of_rows(answer.rows, overall(answer.results), classes=False)
    caption = caption or f"{answer.source}: {rows}, label {answer.label}."
    values = value_block(answer.results, caption, form, sentences=_at_random(answer))
    yield replace(values, methods=(*grouping.sentences, *values.methods))
    for name, comparison in answer.comparisons.items():
        by = f"{name} by {', '.join(answer.by)}" if answer.by and name else ""
        heading = by if len(answer.comparisons) > 1 else ""
        yield pair_block(comparison, form, heading=heading)
    yield TextBlock(notes=(*warnings_of(answer.results, most=3), *why_skipped(answer.skipped)))
    yield TextBlock(notes=answer.notes)


def _at_random(answer: Answer) -> tuple[str, ...]:
    chance = {getattr(one, "chance", 0.5) for one in answer.results}
    references = {references_of(one) for one in answer.results}
    if references != {()}:
        return () if len(references) > 1 else (references_in_words(references.pop()),)
    if len(chance) > 1 or 0.5 in chance:
        return ()
    title = measure_title(answer.results[0].measure)
    return (f"A random ranking has a {title} of {number(chance.pop())}.",)


def verdict(answer: Answer) -> tuple[str, ...]:
    """Return the verdict of one comparison, or count the significant pairs of several."""
    compared = list(answer.comparisons.values())
    if len(compared) == 1 or (compared and not answer.by):
        return verdict_of_comparison(compared[0])
    if compared:
        apart = [pair.p_adjusted < 1.0 - one.level for one in compared for pair in one.pairs]
        return (f"{sum(apart):,} of {len(apart):,} pairs differ significantly.",)
    title = measure_title(overall(answer.results)[0].measure)
    return verdict_of_many(title, of_first_measure(answer.results), (), answer.level)

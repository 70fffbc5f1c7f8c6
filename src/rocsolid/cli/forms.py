"""The output of a verb: text or another form on the screen, a page, a picture.

There is no ``from __future__`` here, because groups elsewhere inherit the annotations.
"""

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from cyclopts import Parameter

from rocsolid.answer.answer import Answer, TextForms
from rocsolid.cli.lists import OUTPUT, Flag, Html, Json, Mute, option
from rocsolid.cli.output import (
    print_json,
    print_words,
    refuse_overwriting,
    show_blocks,
    tell,
    write_bytes,
    write_text,
)
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, require_matplotlib
from rocsolid.remarks.muting import muted
from rocsolid.remarks.remark import checks
from rocsolid.report.blocks import BRIEF, TERMINAL, Form
from rocsolid.visible import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Page = Callable[[str], str]
Result = TypeVar("Result")
Drawing = Callable[[], "Axes"]
PICTURES = (".png", ".svg", ".pdf")
CARDS = (".svg", ".png")


def this_command() -> str:
    return shlex.join(["rocsolid", *sys.argv[1:]])


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class Forms:
    """JSON, or text."""

    json: Json = False

    def check(self, *files: str) -> None:
        """Refuse output files that cannot be written before any work; ``files`` are inputs."""

    def muted(self, result: Result) -> Result:
        return result

    def show(
        self,
        result: Any,
        words: Callable[[], object] | None = None,
        *,
        page: Page | None = None,
        axes: Drawing | None = None,
        plain: dict[str, Any] | None = None,
        per_query: bool = False,
    ) -> None:
        """Write the files and print.

        ``words`` prints the text, by default the result's blocks. ``plain`` is the JSON, by default
        its ``to_dict``; with ``per_query`` both have the value of each query. ``page`` is for
        results without a page of their own, and ``axes`` draws the picture.
        """
        page = page or (lambda command: result.to_html(command=command))
        written = self.written(result, page, axes)
        text = self.text(result)
        if text is not None:
            sys.stdout.write(text)
        elif self.json:
            each = {"per_query": True} if per_query else {}
            print_json(result.to_dict(**each) if plain is None else plain)
        else:
            form = replace(self.terminal, per_query=per_query)
            brief = form.name == BRIEF.name
            names = {entry.score for entry in result.results} if (
                brief and isinstance(result, Answer)) else ()  # fmt: skip
            if isinstance(result, TextForms) and (answer := result.opening()):
                print_words(visible(" ".join(answer)) + "\n", names)
            if words is None:
                blocks = result.brief(form) if brief else result.blocks(form)
                show_blocks(blocks, loose=not brief, names=names)
            else:
                words()
            for line in written:
                tell(line)

    @property
    def terminal(self) -> Form:
        return TERMINAL

    def written(self, _result: Any, _page: Page, _axes: Drawing | None) -> list[str]:
        return []

    def text(self, _result: Any) -> str | None:
        return None


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PageForms(Forms):
    html: Html | None = None

    def check(self, *files: str) -> None:
        super().check(*files)
        if self.html is not None:
            for file in files:
                refuse_overwriting(file, self.html)

    def written(self, result: Any, page: Page, axes: Drawing | None) -> list[str]:
        written = super().written(result, page, axes)
        if self.html is None:
            return written
        write_text(self.html, self.finished(page(this_command())))
        return [f"\nReport: {self.html}", *written]

    def finished(self, page: str) -> str:
        """The page in its written form."""
        return page


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class CheckedForms(PageForms):
    mute: Mute = None

    def check(self, *files: str) -> None:
        super().check(*files)
        checks.known(self.mute or ())

    def muted(self, result: Result) -> Result:
        return muted(result, checks.known(self.mute or ()))


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class AnswerForms(CheckedForms):
    """A few lines or everything, and a card to share.

    Parameters
    ----------
    more
        Print everything: pairs, segments, ranks, notes, methods.
    card
        Also write a card of 1200 × 630 to this SVG or PNG file.
    """

    more: Flag = False
    card: str | None = None

    def check(self, *files: str) -> None:
        super().check(*files)
        if self.card is None:
            return
        kind = PurePath(self.card).suffix.lower()
        if kind not in CARDS:
            raise InputError(
                "a card must be an SVG or PNG file", where="--card", value=self.card,
                fix=f"choose a name that ends in {' or '.join(CARDS)}",
            )  # fmt: skip
        for file in (*files, *([] if self.html is None else [self.html])):
            refuse_overwriting(file, self.card, "--card")
        if kind == ".png":
            require_matplotlib("--card with a PNG file")

    def written(self, result: Any, page: Page, axes: Drawing | None) -> list[str]:
        written = super().written(result, page, axes)
        if self.card is None:
            return written
        kind: Any = PurePath(self.card).suffix.lower().lstrip(".")
        write_bytes(self.card, result.to_card(kind))
        return [*written, f"Card: {self.card}"]

    @property
    def terminal(self) -> Form:
        return TERMINAL if self.more else BRIEF


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PlotForms(AnswerForms):
    """A picture of the curve in addition."""

    plot: Annotated[str | None, option("plot")] = None

    def check(self, *files: str) -> None:
        super().check(*files)
        if self.plot is None:
            return
        if PurePath(self.plot).suffix.lower() not in PICTURES:
            raise InputError(
                "a picture must be a PNG, SVG or PDF file",
                where="--plot",
                value=self.plot,
                fix=f"choose a name that ends in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}",
            )
        for file in files:
            refuse_overwriting(file, self.plot, "--plot")
        require_matplotlib("--plot")

    def written(self, result: Any, page: Page, axes: Drawing | None) -> list[str]:
        written = super().written(result, page, axes)
        if self.plot is None or axes is None:
            return written
        return [*written, f"Picture: {self.plot}. {write_picture(self.plot, axes())}"]


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class ReportForms(AnswerForms):
    """Also write the tables in Markdown and LaTeX.

    Parameters
    ----------
    markdown
        Print Markdown instead of text.
    latex
        Print LaTeX tables (booktabs) instead of text.
    """

    markdown: Flag = False
    latex: Flag = False

    def check(self, *files: str) -> None:
        super().check(*files)
        if sum((self.json, self.markdown, self.latex)) > 1:
            raise InputError(
                "only one form can be printed at a time",
                where="--json, --markdown, --latex",
                fix="choose one of them; --html FILE writes a report in addition",
            )

    def text(self, result: Any) -> str | None:
        if self.markdown:
            return str(result.to_markdown())
        return str(result.to_latex()) if self.latex else None


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class EvaluationForms(PlotForms, ReportForms):
    """Every form; the page may be too long to print in full.

    Parameters
    ----------
    print
        What the report prints on paper: two sheets with the answer, or everything. A link in it
        prints everything too.
    """

    print: Literal["full", "short"] = "short"

    def check(self, *files: str) -> None:
        super().check(*files)
        if self.print == "full" and self.html is None:
            raise InputError(
                "there is no page to print", where="--print", fix="write one with --html FILE"
            )

    def finished(self, page: str) -> str:
        if self.print == "short":
            return page
        from rocsolid.report.document import printed_in_full

        return printed_in_full(page)


def write_picture(path: str, ax: "Axes") -> str:
    """Write the figure of these axes as the file type of the name; return a note on disclosure."""
    from rocsolid.pictures.theme import PictureFigure, saved

    write_bytes(path, saved(ax, PurePath(path).suffix.lower().lstrip(".")))
    figure = ax.figure.figure
    return figure.gives if isinstance(figure, PictureFigure) else ""

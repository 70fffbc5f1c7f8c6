"""How the verbs of ``rocsolid leak`` end: page, JSON or words, and the exit code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cyclopts import Parameter
from rich.console import Console

from rocsolid.cli.forms import PageForms
from rocsolid.cli.options import OUTPUT
from rocsolid.errors import InputError
from rocsolid.report.disclosure import Disclosure, render_disclosure
from rocsolid.visible import visible

FINDING = 1


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class ReviewForms(PageForms):
    """What is printed, a page for a disclosure review, and a limit.

    Parameters
    ----------
    fail_above
        End with exit code 1 if more than this many bits are given away (counted as said above).
    """

    fail_above: float | None = None

    def finish(
        self,
        result: Any,
        words: Callable[[], None],
        *,
        review: Callable[[str], Disclosure],
        bits: float,
        what: str = "the surprise",
        data: dict[str, Any] | None = None,
    ) -> int:
        """Write the page, print the answer, and compare the bits with the limit.

        ``what`` names the bits: the surprise of the very values that were released, or the most
        that any values can give away; ``data`` is the JSON, if it is not the result's own.
        """
        limit = self.fail_above
        if limit is not None and not limit >= 0:
            raise InputError("a limit is at least 0 bits", where="--fail-above", value=limit)
        self.show(
            result, words, page=lambda command: render_disclosure(review(command)), plain=data
        )
        if limit is not None and bits > limit:
            say(f"{what} is {bits:,.2f} bits, above the limit of {limit:g}")
            return FINDING
        return 0


def say(message: str) -> None:
    """A remark beside the answer."""
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False, emoji=False)
    console.print(f"rocsolid: {visible(message)}")

"""One sentence for all things that it is true of, in place of one for each."""

from __future__ import annotations

from collections.abc import Iterable

from rocsolid.remarks.remark import Remark


def each_once(
    remarks: Iterable[tuple[str, Remark]], *, everywhere: int = 0, most: int = 0
) -> tuple[Remark, ...]:
    """Each sentence once, behind the names of all that it is true of.

    A sentence that is true of ``everywhere`` things, which are all there are, has no names before
    it. With ``most``, that many names stand before a sentence and the others are counted.

    >>> ties, few = Remark.says("Ties."), Remark.says("Few rows.")
    >>> each_once([("a", ties), ("b", ties), ("b", few)])
    ('a; b: Ties.', 'b: Few rows.')
    >>> each_once([("a", ties), ("b", ties), ("b", few)], everywhere=2)
    ('Ties.', 'b: Few rows.')
    >>> each_once([("a", ties), ("b", ties), ("c", ties)], most=2)
    ('a; b and 1 more: Ties.',)
    """
    names: dict[Remark, list[str]] = {}
    for name, text in remarks:
        names.setdefault(text, []).append(name)
    return tuple(
        text if len(of) == everywhere else text.of(_listed(of, most)) for text, of in names.items()
    )


def _listed(names: list[str], most: int) -> str:
    shown = names[: most or len(names)]
    more = len(names) - len(shown)
    return "; ".join(shown) + (f" and {more:,} more" if more else "")

"""What holds for several things at once: a sentence for all of them in place of one for each."""

from __future__ import annotations

from collections.abc import Iterable


def each_once(
    said: Iterable[tuple[str, str]], *, everywhere: int = 0, most: int = 0
) -> tuple[str, ...]:
    """Each sentence once, behind the names of all that it is true of.

    What is true of ``everywhere`` things, which are all there are, stands alone. Where ``most`` is
    given, so many names stand before the sentence and the others are counted.

    >>> each_once([("a", "Ties."), ("b", "Ties."), ("b", "Few rows.")])
    ('a; b: Ties.', 'b: Few rows.')
    >>> each_once([("a", "Ties."), ("b", "Ties."), ("b", "Few rows.")], everywhere=2)
    ('Ties.', 'b: Few rows.')
    >>> each_once([("a", "Ties."), ("b", "Ties."), ("c", "Ties.")], most=2)
    ('a; b and 1 more: Ties.',)
    """
    names: dict[str, list[str]] = {}
    for name, text in said:
        names.setdefault(text, []).append(name)
    return tuple(
        text if len(of) == everywhere else f"{_listed(of, most)}: {text}"
        for text, of in names.items()
    )


def _listed(names: list[str], most: int) -> str:
    shown = names[: most or len(names)]
    more = len(names) - len(shown)
    return "; ".join(shown) + (f" and {more:,} more" if more else "")

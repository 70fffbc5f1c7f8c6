"""Which names do not differ significantly."""

from __future__ import annotations

from collections.abc import Iterable


def undistinguished(
    names: tuple[str, ...], different: Iterable[tuple[int, int]]
) -> tuple[tuple[str, ...], ...]:
    """The maximal sets without a pair of ``different``, each name in at least one.

    Not to differ significantly is not transitive, so the sets may overlap. They are the maximal
    cliques of the graph of such pairs (Bron and Kerbosch 1973, with a pivot).

    >>> undistinguished(("a", "b", "c"), [(0, 2)])
    (('a', 'b'), ('b', 'c'))
    """
    size = len(names)
    near = [set(range(size)) - {i} for i in range(size)]
    for i, j in different:
        near[i].discard(j)
        near[j].discard(i)
    cliques: list[list[int]] = []
    stack = [(frozenset[int](), set(range(size)), set[int]())]
    while stack:
        inside, open_, closed = stack.pop()
        if not open_ and not closed:
            cliques.append(sorted(inside))
            continue
        pivot = max(open_ | closed, key=lambda i: len(near[i] & open_))
        for i in sorted(open_ - near[pivot]):
            stack.append((inside | {i}, open_ & near[i], closed & near[i]))
            open_ = open_ - {i}
            closed = closed | {i}
    return tuple(tuple(names[i] for i in clique) for clique in sorted(cliques))

"""How much is left out of a public page, and the order in which more is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Coarseness:
    """What a page has less than the finest one: the steps that keep labels from being certain.

    ``scores`` of them are published, the first ones; ``decimals`` is how many fewer each number
    has, down to one. ``curve`` divides the number of cuts and multiplies the size of the steps; 0
    leaves the curves out. Without ``limits`` the intervals follow from the rounded value and the
    class sizes alone.
    """

    scores: int
    segments: bool = False
    decimals: int = 0
    curve: int = 1
    comparisons: bool = True
    limits: bool = True

    def places(self, most: int) -> int:
        """The decimals that are left of ``most``; at least one."""
        return max(1, most - self.decimals)

    def sentences(
        self, scores: tuple[str, ...], *, segmented: bool, curved: bool
    ) -> tuple[str, ...]:
        """What was withheld, beyond what every public page leaves out."""
        withheld = []
        if self.scores < len(scores):
            withheld.append(f"the scores {', '.join(scores[self.scores :])}")
        if segmented and not self.segments:
            withheld.append("the segments")
        if self.decimals:
            places = "decimal" if self.decimals == 1 else f"{self.decimals} decimals"
            withheld.append(f"the last {places} of each number")
        if self.curve == 0 and curved:
            withheld.append("the coarse curve")
        elif self.curve > 1:
            withheld.append("every other cut of the coarse curve")
        if self.scores > 1 and not self.comparisons:
            withheld.append("which scores are significantly different")
        if not self.limits:
            withheld.append(
                "the requested interval, which depends on more than the value and the class sizes"
            )
        if not withheld:
            return ()
        return (f"Withheld to keep labels uncertain: {'; '.join(withheld)}.",)


@dataclass(frozen=True, slots=True)
class Stage:
    """Pages with the same values: the barest one, and those with more beside the values."""

    bare: Coarseness
    richer: tuple[Coarseness, ...]

    def __len__(self) -> int:
        return 1 + len(self.richer)


def stages(scores: int, *, decimals: int, segments: bool, curve: bool) -> Iterator[Stage]:
    """The least harm first: decimals are given up, then the segments, then the last scores.

    Within a stage the curve is made coarser or left out, or the intervals that were requested are;
    then the comparisons too, and in the end all of these.

    >>> [(s.bare.scores, s.bare.decimals)
    ...  for s in stages(3, decimals=2, segments=False, curve=True)]
    [(3, 0), (3, 1), (2, 0), (2, 1), (1, 0), (1, 1)]
    """
    for with_segments in (True, False) if segments else (False,):
        for fewer in range(decimals):
            yield _stage(Coarseness(scores, with_segments, fewer), curve)
    while scores > 1:
        scores = scores * 3 // 4 if scores > 4 else scores - 1
        for fewer in range(decimals):
            yield _stage(Coarseness(scores, segments=False, decimals=fewer), curve)


def _stage(finest: Coarseness, curve: bool) -> Stage:
    without = replace(finest, curve=0, comparisons=False)
    richer = [finest]
    if curve:
        richer += [replace(finest, curve=2), replace(finest, curve=0)]
    if curve or finest.scores > 1:
        richer.append(replace(finest, limits=False))
    if finest.scores > 1:
        richer.append(without)
    return Stage(replace(without, limits=False), tuple(richer))

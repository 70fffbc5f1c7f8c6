"""Which measure to use for two rankers on lists like these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rocsolid.results.plain import Plain
from rocsolid.theory.asymptotics.distinguishing.at_size import CREDITED, half_of
from rocsolid.theory.asymptotics.distinguishing.measure_distinction import MeasureDistinction


@dataclass(frozen=True, slots=True)
class Choice(Plain):
    """Measures to ``use``, best first, to ``avoid``, and the ``rest``, as people say their names.

    The rest separate the rankers too but need more items or the mean over queries, or do not yet.
    ``evidence`` has a line for each measure. ``disagree`` says that those to use do not agree on
    which ranker is better.
    """

    use: tuple[str, ...]
    avoid: tuple[str, ...]
    rest: tuple[str, ...]
    disagree: bool
    words: str
    evidence: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.words, *(f"- {line}" for line in self.evidence)])


def chosen(data: str, names: tuple[str, str], measures: Sequence[MeasureDistinction]) -> Choice:
    """Use what separates with the fewest items; avoid what does not where longer lists do not help.

    To use are measures that separate, from at most twice the items that the best one needs, and
    that by theory would go on doing so; what separates by averaging over queries alone comes after.
    What only lacks queries is to be avoided where another measure makes do with those that there
    are.
    """
    separates = [one for one in measures if one.verdict == "separates"]
    ready = sorted((one for one in separates if not _stuck(one)), key=_needs)
    use = [one for one in ready if (one.reached or 0) <= 2 * (ready[0].reached or 0)]
    averaged = [one for one in separates if _stuck(one)]
    avoid = [
        one
        for one in measures
        if _stuck(one)
        and (one.verdict == "cannot" or (one.verdict != "equal" and one not in averaged and use))
    ]
    rest = [one for one in measures if one not in use and one not in avoid]
    sentences = [f"Your data are {data}; the rankers are {names[0]} and {names[1]}."]
    if use:
        sentences.append(f"Use {_listed(use)}.")
    if averaged:
        sentences.append(
            f"{'Also' if use else 'Only'} {_listed(averaged, 'and')} will do, as your queries are "
            "averaged: in longer lists it would not show more."
        )
    ahead = {one.ahead for one in (*use, *averaged)}
    if len(ahead) > 1:
        sides = [
            f"{name} by {_listed([one for one in (*use, *averaged) if one.ahead == name], 'and')}"
            for name in names
        ]
        sentences.append(
            f"But they do not agree on which ranker is better: {'; '.join(sides)}. What your "
            "readers look at has to decide that."
        )
    if ahead:
        sentences.append(
            "A difference looks surer than it is where the measure was chosen by it: compare on "
            "other data."
        )
    else:
        sentences.append(_nothing(measures))
    if avoid:
        sentences.append(f"Avoid {_listed(avoid, 'and')}.")
    return Choice(
        use=tuple(one.spoken for one in use),
        avoid=tuple(one.spoken for one in avoid),
        rest=tuple(one.spoken for one in rest),
        disagree=len(ahead) > 1,
        words=" ".join(sentences),
        evidence=tuple(str(one) for one in (*use, *rest, *avoid)),
    )


def _stuck(one: MeasureDistinction) -> bool:
    """Whether theory says that longer lists do not help."""
    return one.separation.verdict == "no"


def _needs(one: MeasureDistinction) -> tuple[int, float]:
    """The items needed; of measures that need as many, the one that is right more often first."""
    right = [point.agrees.value for point in one.items if point.overlap <= CREDITED]
    return one.reached or 0, -sum(right)


def _listed(measures: Sequence[MeasureDistinction], word: str = "or") -> str:
    names = [one.spoken for one in measures]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def _nothing(measures: Sequence[MeasureDistinction]) -> str:
    known = [(min(found), one) for one in measures if not one.equal and (found := _at_half(one))]
    if not known:
        return "None of the measures shows a difference that could be looked at."
    best, one = max(known, key=lambda pair: pair[0])
    half = "half of the items and with half of the queries" if one.queries else "half of the items"
    more = "more queries" if one.verdict == "more queries" else "more queries or longer lists"
    return (
        f"None of the measures gets the sign right 95 times in 100 with {half}, so none can be "
        f"recommended. Nearest comes {one.spoken} with {100 * best:.0f} %. Take {more} before you "
        "choose."
    )


def _at_half(one: MeasureDistinction) -> list[float]:
    """How often the sign is right at half of the items, and at half of the queries."""
    halves = [half_of(points) for points in (one.items, one.queries)]
    return [half.on_new_data.value for half in halves if half and half.on_new_data]

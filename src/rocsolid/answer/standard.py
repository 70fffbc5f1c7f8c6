"""What an answer says that is of no special kind: its values, then what is compared, then notes."""

from __future__ import annotations

from collections.abc import Iterator

from rocsolid.answer.answer import Answer
from rocsolid.answer.tables import pair_block, value_block, warnings_of, why_skipped
from rocsolid.answer.verdicts import verdict_of_comparison, verdict_of_many
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.text import measure_title, number


def blocks(answer: Answer, form: Form, caption: str = "") -> Iterator[TextBlock]:
    """The table of all values, every comparison, and what to know before relying on them."""
    caption = caption or f"{answer.source}: {answer.rows:,} rows, label {answer.label}."
    yield value_block(answer.results, caption, form, said=_at_random(answer))
    for name, comparison in answer.comparisons.items():
        by = f"{name} by {', '.join(answer.by)}" if answer.by and name else ""
        heading = by if len(answer.comparisons) > 1 else ""
        yield pair_block(comparison, form, heading=heading)
    yield TextBlock(notes=(*warnings_of(answer.results, most=3), *why_skipped(answer.skipped)))
    yield TextBlock(notes=answer.notes)


def _at_random(answer: Answer) -> tuple[str, ...]:
    """What chance alone gives, where it is the same for all and not one half."""
    chance = {getattr(one, "chance", 0.5) for one in answer.results}
    if len(chance) > 1 or 0.5 in chance:
        return ()
    title = measure_title(answer.results[0].measure)
    return (f"A score that ranks at random has a {title} of {number(chance.pop())}.",)


def verdict(answer: Answer) -> tuple[str, ...]:
    """Of one comparison, or of the first measure; of several, how many pairs differ."""
    compared = list(answer.comparisons.values())
    if len(compared) == 1 or (compared and not answer.by):
        return verdict_of_comparison(compared[0])
    if compared:
        apart = [pair.p_adjusted < 1.0 - one.level for one in compared for pair in one.pairs]
        return (f"{sum(apart):,} of {len(apart):,} pairs differ significantly.",)
    overall = [one for one in answer.results if one.by is None]
    measure = overall[0].measure
    values = {one.score: one for one in overall if one.measure == measure}
    return verdict_of_many(measure_title(measure), values, (), answer.level)

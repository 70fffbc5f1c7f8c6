"""Which options of an evaluation cannot stand beside each other, or need each other: one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rocsolid.errors import InputError


@dataclass(frozen=True, slots=True)
class OptionPair:
    """An option, and one that is refused beside it; with ``needed``, refused without it.

    ``what`` and ``fix`` are said with the names of both, as ``{option}`` and ``{other}``.
    """

    option: str
    other: str
    what: str
    fix: str
    needed: bool = False


def _pairs(
    option: str, others: str, what: str, fix: str, *, needed: bool = False
) -> tuple[OptionPair, ...]:
    return tuple(OptionPair(option, other, what, fix, needed) for other in others.split())


OF_ROWS = {
    "sample_weight": "each query counts once; leave it out",
    "frequency": "each document stands once in its list; leave it out",
    "cluster": "the queries are the clusters already; leave it out",
    "pos_label": "grades are numbers; say from which one on a document counts with relevant=",
    "design": "queries have neither weights nor clusters; leave it out",
    "scheme": "no rows are resampled; leave it out",
}
"""Options without a meaning beside qid, each with what to do."""

PAIRS: tuple[OptionPair, ...] = (
    *_pairs("fold", "repeat order", "repeat and order are about folds", "name the column of folds",
            needed=True),
    *_pairs("across", "qid fold",
            "pairs of groups are for labels of two classes, scored by one model",
            "leave {option} out, or {other}"),
    *_pairs("fold", "qid", "folds are for labels of two classes, not for queries",
            "leave {option} or {other} out"),
    *(OptionPair("qid", other, "{other} has no meaning for measures of queries", fix)
      for other, fix in OF_ROWS.items()),
    *_pairs("fold", "frequency nan interval resamples scheme design memory",
            "{other} is not for scores of a cross-validation",
            "leave it out, or leave {option} out"),
    *_pairs("fold", "next", "what a next sample would give is not known of learners",
            "leave {other} out, or leave {option} out"),
    *_pairs("across", "measures by resamples scheme memory", "{other} is not for pairs of groups",
            "leave it out, or leave {option} out"),
    *_pairs("public", "qid fold across plot",
            "{other} has no public form: it would show more than a public report may",
            "leave {other} out, or leave {option} out and keep the output private"),
    *_pairs("public", "max_exposed max_posterior max_bits",
            "{other} is a limit for what {option} makes", "add {option}, or leave {other} out",
            needed=True),
    *_pairs("qid", "plot", "measures of queries have no ROC curve to draw",
            "leave {other} out; --html draws the values and their differences"),
    *_pairs("fold", "plot", "folds have no picture", "leave {other} out; --html has the tables"),
    *_pairs("across", "plot", "pairs of groups have no picture",
            "leave {other} out; --html has the tables"),
)  # fmt: skip


def _given(value: Any) -> bool:
    """Whether it is no default; 0 and False are given, as a positive label may be."""
    return value is not None and not (isinstance(value, str) and value in ("auto", "raise", "any"))


def refuse_pairs(*, written: Callable[[str], str] = str, **options: Any) -> None:
    """Refuse the first pair of the table that the options contain; an error names them as written.

    >>> refuse_pairs(fold="part", interval="delong", order="any")
    Traceback (most recent call last):
    rocsolid.errors.InputError: interval is not for scores of a cross-validation: 'delong'
    (interval). Fix: leave it out, or leave fold out.
    >>> refuse_pairs(qid=None, repeat="round")
    Traceback (most recent call last):
    rocsolid.errors.InputError: repeat and order are about folds: 'round' (repeat).
    Fix: name the column of folds.
    """
    for pair in PAIRS:
        value = options.get(pair.other)
        if _given(value) and _given(options.get(pair.option)) is not pair.needed:
            names = {"option": written(pair.option), "other": written(pair.other)}
            raise InputError(
                pair.what.format(**names),
                where=names["other"],
                value=value,
                fix=pair.fix.format(**names),
            )

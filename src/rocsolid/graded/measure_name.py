"""The parser of names of list measures: ``ndcg@10``, ``P_10``, ``nDCG[exp2,zipf]@10``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rocsolid.arguments import misspelt, spelling
from rocsolid.dataclass import dataclass
from rocsolid.discounts import frac
from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.errors import InputError
from rocsolid.graded.average_precision import (
    average_precision_measure,
    err_measure,
    rbp_measure,
    reciprocal_rank_measure,
)
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.graded.ndcg import dcg_measure, ndcg_measure
from rocsolid.graded.precision import (
    bpref_measure,
    grouped_auc_measure,
    precision_measure,
    r_precision_measure,
    recall_measure,
    success_measure,
)
from rocsolid.graded.profile import OURS, PARAMETERS, Profile, with_options
from rocsolid.inputs.measure_parameters import MeasureParameter

_EXAMPLES = (
    '"ndcg@10", "map", "rr@10", "P_10", "recall@100", "err@20", "rbp(p=0.8)", "bpref", '
    '"ndcg[exp2]@10" or "ndcg@frac(0.1)"'
)
_NAME = re.compile(
    r"\s*(?P<head>[a-z][a-z_-]*?)"
    r"(?P<groups>(?:\s*\[[^\[\]]*\]|\s*\((?:[^()]|\([^()]*\))*\))*)"
    r"\s*(?:(?P<mark>[@_.])\s*(?P<cut>\d+|frac\s*\([^()]*\)))?\s*",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\[([^\[\]]*)\]|\(((?:[^()]|\([^()]*\))*)\)")
_BETWEEN = re.compile(r",(?![^()]*\))")  # a comma outside of brackets


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of measure: its constructor, the options of its name, and whether it has a cut-off.

    ``aliases`` are names in other tools, in any case, with or without underscores. ``asks`` is an
    option for the example that names leave out by default.
    """

    build: Callable[[Cutoff, Profile], GradedMeasure]
    options: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    cut: bool = True
    asks: str = ""


_KINDS: dict[str, _Kind] = {
    "ndcg": _Kind(
        lambda k, c: ndcg_measure(c.gain, c.discount, k, c.ideal),
        ("gain", "discount", "ideal"),
        ("ndcg_cut", "ndcg_score", "retrieval_normalized_dcg"),
    ),
    "dcg": _Kind(
        lambda k, c: dcg_measure(c.gain, c.discount, k), ("gain", "discount"), ("dcg_score",)
    ),
    "ap": _Kind(
        lambda k, c: average_precision_measure(k, c.relevant),
        ("relevant",),
        ("map", "average_precision", "map_cut", "mean_average_precision", "retrieval_map",
         "average_precision_score"),
    ),
    "rr": _Kind(
        lambda k, c: reciprocal_rank_measure(k, c.relevant),
        ("relevant",),
        ("mrr", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank", "retrieval_mrr"),
    ),
    "p": _Kind(
        lambda k, c: precision_measure(k, c.relevant),
        ("relevant",),
        ("precision", "retrieval_precision"),
    ),
    "recall": _Kind(
        lambda k, c: recall_measure(k, c.relevant), ("relevant",), ("r", "retrieval_recall")
    ),
    "success": _Kind(
        lambda k, c: success_measure(k, c.relevant),
        ("relevant",),
        ("hit_rate", "retrieval_hit_rate"),
    ),
    "err": _Kind(lambda k, c: err_measure(k, c.top), ("max",), asks="(max=4)"),
    "rprec": _Kind(
        lambda _, c: r_precision_measure(c.relevant),
        ("relevant",),
        ("r_precision", "retrieval_r_precision"),
        cut=False,
    ),
    "bpref": _Kind(lambda _, c: bpref_measure(c.relevant), ("relevant",), cut=False),
    "gauc": _Kind(
        lambda _, c: grouped_auc_measure(c.relevant),
        ("relevant",),
        ("grouped_auc", "retrieval_auroc"),
        cut=False,
    ),
    "rbp": _Kind(
        lambda _, c: rbp_measure(c.p, c.relevant), ("p", "relevant"), cut=False, asks="(p=0.8)"
    ),
}  # fmt: skip
_NAMED = {spelling(name): kind for kind, row in _KINDS.items() for name in (kind, *row.aliases)}
_ALWAYS_CUT = ("ndcgcut", "mapcut")
_TREC_CUT = (*_ALWAYS_CUT, "p", "recall", "success")  # trec_eval writes the cut-off as _10 or .10
NAMES = tuple(name for kind, row in _KINDS.items() for name in (kind, *row.aliases))
"""The possible first parts of a measure's name, in any case."""


def measure(text: str, profile: Profile = OURS) -> GradedMeasure:
    """Parse a name of rocsolid, of a printed result, or of trec_eval.

    The ``profile`` supplies the options that the name leaves open.

    >>> measure("ndcg@10").name, measure("P_10").name, measure("recip_rank").name
    ('nDCG[linear,log2]@10', 'P@10', 'RR')
    >>> measure("nDCG[exp2,power(0.5)]@frac(0.1)").name, measure("ap(relevant>=2)").name
    ('nDCG[exp2,power(0.5)]@frac(0.1)', 'AP[relevant>=2]')
    >>> measure("ndgc@10")
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown measure: 'ndgc@10' (measure). Fix: did you mean 'ndcg@10'?
    write "ndcg@10", "map", ...
    """
    match = _NAME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise _unknown(text)
    head = spelling(match["head"])
    kind = _KINDS.get(_NAMED.get(head, ""))
    if kind is None or (match["mark"] in ("_", ".") and head not in _TREC_CUT):
        raise _unknown(text)
    cutoff = _cutoff(text, match["cut"])
    if cutoff.rule is None and head in _ALWAYS_CUT:
        raise _refused(f"{match['head']} needs a cut-off", text, f"write {match['head']}_10")
    if cutoff.rule is not None and not kind.cut:
        what = f"{match['head']} reads the whole list, so it has no cut-off"
        raise _refused(what, text, f"write {match['head']}")
    parts = [
        option.strip()
        for square, round_ in _GROUP.findall(match["groups"])
        for option in _BETWEEN.split(square or round_)
        if option.strip()
    ]
    return kind.build(cutoff, with_options(profile, parts, kind.options, text))


def measures(names: str | Sequence[str], profile: Profile = OURS) -> dict[str, GradedMeasure]:
    """Return one or more measures without repetitions, by their requested names.

    >>> [(asked, one.name) for asked, one in measures(["ndcg_cut_10", "map"]).items()]
    [('ndcg_cut_10', 'nDCG[linear,log2]@10'), ('map', 'AP')]
    """
    texts = [names] if isinstance(names, str) else list(names)
    if not texts:
        raise InputError("no measure is requested", where="measure", fix=f"write {_EXAMPLES}")
    by_name: dict[str, GradedMeasure] = {}
    for text in texts:
        parsed = measure(text, profile)
        twin = next(
            (name for name, earlier in by_name.items() if earlier.name == parsed.name), None
        )
        if twin is not None:
            raise InputError(
                f"a measure is requested twice, {parsed.name}",
                where="measure",
                value=[twin, text],
                fix="name it once",
            )
        by_name[text.strip()] = parsed
    return by_name


def kinds_of_lists() -> dict[str, str]:
    """Return an example of each kind of measure.

    >>> kinds_of_lists()["err"]
    'err(max=4)@10'
    """
    return {name: f"{name}{kind.asks}{'@10' * kind.cut}" for name, kind in _KINDS.items()}


def further_names(kind: str) -> tuple[str, ...]:
    return _KINDS[kind].aliases


def parameters_of(kind: str) -> tuple[MeasureParameter, ...]:
    """Return the settings that the name of a kind may have in brackets.

    >>> [each.name for each in parameters_of("ndcg")]
    ['gain', 'discount', 'ideal']
    """
    return tuple(PARAMETERS[name] for name in _KINDS[kind].options)


def is_of_lists(text: Any) -> bool:
    """Return whether a name is one of a list measure, even if slightly misspelt.

    >>> is_of_lists("ndgc@10"), is_of_lists("auc"), is_of_lists("partial_auc(fpr<=0.1)")
    (True, False, False)
    """
    if isinstance(text, GradedMeasure):
        return True
    head = _head(text) if isinstance(text, str) else ""
    return spelling(head) in _NAMED or len(_kinds_near(head)) == 1


_HEAD = re.compile(r"\s*([a-z][a-z_-]*)", re.IGNORECASE)


def _head(text: str) -> str:
    head = _HEAD.match(text)
    return "" if head is None else head[1].strip("_-")


@cache
def _kinds_near(head: str) -> dict[str, str]:
    """Return the kinds that a word may misspell, with the similar name of each."""
    return {_NAMED[spelling(name)]: name for name in reversed(misspelt(head, NAMES))}


def _cutoff(text: str, cut: str | None) -> Cutoff:
    if cut is None:
        return Cutoff()
    if cut.isdecimal():
        return as_cutoff(int(cut))
    share = cut.partition("(")[2].rstrip(") ").strip()
    try:
        return frac(float(share))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise _refused("not a share of the list", text, "write ndcg@frac(0.1)") from None


def _unknown(text: object) -> InputError:
    if not isinstance(text, str):
        return _refused("a measure is named by text", text, f"write {_EXAMPLES}")
    head = _head(text)
    known = spelling(head) in _NAMED
    near = {_NAMED[spelling(head)]: head} if known else _kinds_near(head)
    if len(near) != 1:
        fix = f"write {_EXAMPLES}; for rows with labels, as of auc, name no queries"
        return _refused("not a measure of ranked lists", text, fix)
    ((kind, name),) = near.items()
    cut = re.search(r"\d+\s*$", text)
    if cut is not None and _KINDS[kind].cut:
        name = f"{name}@{cut[0].strip()}"
    what = "not a valid measure" if known else "unknown measure"
    return _refused(what, text, f"did you mean {name!r}? write {_EXAMPLES}")


def _refused(what: str, text: object, fix: str) -> InputError:
    return InputError(what, where="measure", value=text, fix=fix)

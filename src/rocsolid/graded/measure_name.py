"""Measures of ranked lists as people write them: ``ndcg@10``, ``P_10``, ``nDCG[exp2,zipf]@10``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid.checks import nearest
from rocsolid.discounts import Cutoff, as_cutoff, frac
from rocsolid.errors import InputError
from rocsolid.graded.average_precision import average_precision_measure
from rocsolid.graded.bpref import bpref_measure
from rocsolid.graded.dcg import dcg_measure
from rocsolid.graded.err import err_measure
from rocsolid.graded.grouped_auc import grouped_auc_measure
from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.measure_options import Conventions, with_options
from rocsolid.graded.ndcg import ndcg_measure
from rocsolid.graded.precision import precision_measure
from rocsolid.graded.r_precision import r_precision_measure
from rocsolid.graded.rbp import rbp_measure
from rocsolid.graded.recall import recall_measure
from rocsolid.graded.reciprocal_rank import reciprocal_rank_measure
from rocsolid.graded.success import success_measure

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
_BETWEEN = re.compile(r",(?![^()]*\))")  # a comma that stands in no brackets


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a measure is made, which options its name may hold, and whether it is cut at a rank.

    ``asks`` are options that stand in no name by default, so that an example needs them.
    """

    build: Callable[[Cutoff, Conventions], GradedMeasure]
    options: tuple[str, ...]
    cut: bool = True
    asks: str = ""


_KINDS: dict[str, _Kind] = {
    "ndcg": _Kind(
        lambda k, c: ndcg_measure(c.gain, c.discount, k, c.ideal), ("gain", "discount", "ideal")
    ),
    "dcg": _Kind(lambda k, c: dcg_measure(c.gain, c.discount, k), ("gain", "discount")),
    "ap": _Kind(lambda k, c: average_precision_measure(k, c.relevant), ("relevant",)),
    "rr": _Kind(lambda k, c: reciprocal_rank_measure(k, c.relevant), ("relevant",)),
    "p": _Kind(lambda k, c: precision_measure(k, c.relevant), ("relevant",)),
    "recall": _Kind(lambda k, c: recall_measure(k, c.relevant), ("relevant",)),
    "success": _Kind(lambda k, c: success_measure(k, c.relevant), ("relevant",)),
    "err": _Kind(lambda k, c: err_measure(k, c.max), ("max",), asks="(max=4)"),
    "rprec": _Kind(lambda _, c: r_precision_measure(c.relevant), ("relevant",), cut=False),
    "bpref": _Kind(lambda _, c: bpref_measure(c.relevant), ("relevant",), cut=False),
    "gauc": _Kind(lambda _, c: grouped_auc_measure(c.relevant), ("relevant",), cut=False),
    "rbp": _Kind(
        lambda _, c: rbp_measure(c.p, c.relevant), ("p", "relevant"), cut=False, asks="(p=0.8)"
    ),
}
_ALIASES = {
    "map": "ap",
    "average_precision": "ap",
    "mrr": "rr",
    "recip_rank": "rr",
    "reciprocal_rank": "rr",
    "precision": "p",
    "r": "recall",
    "hit_rate": "success",
    "r_precision": "rprec",
    "grouped_auc": "gauc",
    "ndcg_cut": "ndcg",
    "map_cut": "ap",
}
_ALWAYS_CUT = ("ndcg_cut", "map_cut")
_TREC_CUT = (*_ALWAYS_CUT, "p", "recall", "success")  # trec_eval writes the cut-off as _10 or .10
NAMES = (*_KINDS, *_ALIASES)
"""What a measure's name may begin with, in any case."""
_OF_ROWS = ("precision", "recall")
_OTHERS = (
    "auc", "partial_auc", "weighted_auc", "sensitivity", "specificity", "pr_auc", "lift",
    "enrichment", "bedroc", "gain", "ppv",
)  # fmt: skip


def measure(text: str, conventions: Conventions | None = None) -> GradedMeasure:
    """From a name of ours, one that a result has printed, or trec_eval's.

    ``conventions`` fill in what the name leaves open; what it says itself goes first.

    >>> measure("ndcg@10").name, measure("P_10").name, measure("recip_rank").name
    ('nDCG[linear,log2]@10', 'P@10', 'RR')
    >>> measure("nDCG[exp2,power(0.5)]@frac(0.1)").name, measure("ap(relevant>=2)").name
    ('nDCG[exp2,power(0.5)]@frac(0.1)', 'AP[relevant>=2]')
    >>> measure("ndgc@10")
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown measure: 'ndgc@10' (measure). Fix: did you mean 'ndcg@10'?
    write "ndcg@10", "map", ...
    """
    found = _NAME.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise _unknown(text)
    head = found["head"].casefold().replace("-", "_")
    kind = _KINDS.get(_ALIASES.get(head, head))
    if kind is None or (found["mark"] in ("_", ".") and head not in _TREC_CUT):
        raise _unknown(text)
    cutoff = _cutoff(text, found["cut"])
    if cutoff.rule is None and head in _ALWAYS_CUT:
        raise _refused(f"{head} needs a cut-off", text, f"write {found['head']}_10")
    if cutoff.rule is not None and not kind.cut:
        raise _refused(f"{head} reads the whole list, so it has no cut-off", text, f"write {head}")
    parts = [
        part.strip()
        for square, round_ in _GROUP.findall(found["groups"])
        for part in _BETWEEN.split(square or round_)
        if part.strip()
    ]
    return kind.build(cutoff, with_options(conventions or Conventions(), parts, kind.options, text))


def measures(
    asked: str | Sequence[str], conventions: Conventions | None = None
) -> dict[str, GradedMeasure]:
    """One or more measures, each once, under the names that they were requested by.

    >>> [(asked, one.name) for asked, one in measures(["ndcg_cut_10", "map"]).items()]
    [('ndcg_cut_10', 'nDCG[linear,log2]@10'), ('map', 'AP')]
    """
    texts = [asked] if isinstance(asked, str) else list(asked)
    if not texts:
        raise InputError("no measure is requested", where="measure", fix=f"write {_EXAMPLES}")
    found: dict[str, GradedMeasure] = {}
    for text in texts:
        one = measure(text, conventions)
        twin = next((name for name, other in found.items() if other.name == one.name), None)
        if twin is not None:
            raise InputError(
                f"a measure is requested twice, {one.name}",
                where="measure",
                value=[twin, text],
                fix="name it once",
            )
        found[text.strip()] = one
    return found


def kinds_of_lists() -> dict[str, str]:
    """An example of each kind of measure.

    >>> kinds_of_lists()["err"]
    'err(max=4)@10'
    """
    return {name: f"{name}{kind.asks}{'@10' * kind.cut}" for name, kind in _KINDS.items()}


def further_names(kind: str) -> tuple[str, ...]:
    """What else a kind is called.

    >>> further_names("ap")
    ('map', 'average_precision', 'map_cut')
    """
    return tuple(alias for alias, of in _ALIASES.items() if of == kind)


def is_of_lists(text: Any, *, queries: bool = True) -> bool:
    """Whether a name is meant to be one of the measures here, even if it is misspelt a little.

    Where rows have no ``queries``, precision and recall are those of the rows.

    >>> is_of_lists("ndgc@10"), is_of_lists("auc"), is_of_lists("partial_auc(fpr<=0.1)")
    (True, False, False)
    >>> is_of_lists("a"), is_of_lists("recall@10"), is_of_lists("recall@10", queries=False)
    (False, True, False)
    """
    if isinstance(text, GradedMeasure):
        return True
    head = re.match(r"\s*([a-z][a-z_-]*)", text, re.IGNORECASE) if isinstance(text, str) else None
    if head is None:
        return False
    name = head[1].strip("_").casefold().replace("-", "_")
    if not queries and name in _OF_ROWS:
        return False
    if name in NAMES or len(name) < 3:  # one or two letters are near too many names
        return name in NAMES
    return name not in _OTHERS and nearest(name, (*NAMES, *_OTHERS)) in NAMES


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
        raise _refused("no share of the list", text, "write ndcg@frac(0.1)") from None


def _unknown(text: object) -> InputError:
    parts = (
        re.fullmatch(r"\s*([a-z_-]*)(.*?)(\d*)\s*", text, re.I) if isinstance(text, str) else None
    )
    if parts is None:
        return _refused("a measure is named by text", text, f"write {_EXAMPLES}")
    head = parts[1].strip("_").casefold().replace("-", "_")
    if head in _OTHERS:
        fix = (
            "use rocsolid evaluate without --qid, or rs.evaluate without qid, for rows with labels"
        )
        return _refused("not a measure of ranked lists", text, fix)
    near = nearest(head, NAMES)
    what = "unknown measure" if near != head else "not a valid measure"
    if near is not None and _KINDS[_ALIASES.get(near, near)].cut and parts[3]:
        near = f"{near}@{parts[3]}"
    hint = "" if near is None else f"did you mean {near!r}? "
    return _refused(what, text, f"{hint}write {_EXAMPLES}")


def _refused(what: str, text: object, fix: str) -> InputError:
    return InputError(what, where="measure", value=text, fix=fix)

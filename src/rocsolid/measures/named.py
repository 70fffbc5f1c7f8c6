"""The table of measures of two classes, and the parser of their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from rocsolid.arguments import misspelt, nearest, spelling
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.graded.measure_name import is_of_lists
from rocsolid.inputs.measure_parameters import settings_of
from rocsolid.measures import (
    at_cut,
    net_benefit,
    partial_area,
    precision_recall_area,
    top_measure,
    weighted_area,
    whole_area,
)
from rocsolid.measures.binary_measure import BinaryMeasure, ResampledMeasure
from rocsolid.measures.top_measure import parse_predictive_value
from rocsolid.measures.weighted_area import WeightedArea
from rocsolid.weights.weight import Weight

Parser = Callable[[str, str | None], BinaryMeasure]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of measure: the parser of its name, an example, and its names in other tools.

    ``aliases`` are names of exactly the same number, in any case, with or without underscores.
    """

    parse: Parser
    example: str
    aliases: tuple[str, ...] = ()


KINDS: MappingProxyType[str, Kind] = MappingProxyType(
    {
        "auc": Kind(
            whole_area.parse,
            "auc",
            (
                "roc_auc",
                "auroc",
                "auc_roc",
                "roc_auc_score",
                "binary_auroc",
                "area_under_roc",
                "c_statistic",
            ),
        ),
        "partial_auc": Kind(
            partial_area.parse_partial_area, "partial_auc(fpr<=0.05)", ("pauc", "partial_roc_auc")
        ),
        "weighted_auc": Kind(weighted_area.parse, "weighted_auc(power(2))"),
        "sensitivity": Kind(
            partial_area.parse_rate,
            "sensitivity(specificity=0.9)",
            ("sens", "se", "true_positive_rate"),
        ),
        "recall": Kind(partial_area.parse_rate, "recall(fpr=0.1)"),
        "tpr": Kind(partial_area.parse_rate, "tpr(fpr=0.1)"),
        "specificity": Kind(
            partial_area.parse_rate,
            "specificity(sensitivity=0.9)",
            ("spec", "sp", "true_negative_rate"),
        ),
        "tnr": Kind(partial_area.parse_rate, "tnr(recall=0.9)"),
        "pr_auc": Kind(
            precision_recall_area.parse,
            "pr_auc",
            (
                "average_precision",
                "ap",
                "auprc",
                "auc_pr",
                "average_precision_score",
                "binary_average_precision",
                "binary_auprc",
            ),
        ),
        "precision@": Kind(at_cut.parse, "precision@5%", ("p@",)),
        "recall@": Kind(at_cut.parse, "recall@100", ("r@",)),
        "lift@": Kind(at_cut.parse, "lift@10%"),
        "enrichment@": Kind(at_cut.parse, "enrichment@1%", ("ef@", "enrichment_factor@")),
        "net_benefit@": Kind(net_benefit.parse, "net_benefit@0.2"),
        "bedroc": Kind(top_measure.parse, "bedroc(20)"),
        "gain": Kind(top_measure.parse, "gain"),
        "precision": Kind(parse_predictive_value, "precision(recall=0.8)"),
        "ppv": Kind(
            parse_predictive_value,
            "ppv(sensitivity=0.9, prevalence=0.02)",
            ("positive_predictive_value",),
        ),
    }
)
"""Measures by name; a cut follows a name that ends in @."""

_SHOWN = ("auc", "partial_auc", "weighted_auc", "sensitivity", "pr_auc", "precision@")
_EXAMPLES = ", ".join(
    f'"{row.example}"' + (f" ({', '.join(row.aliases[:2])})" if row.aliases else "")
    for row in map(KINDS.__getitem__, _SHOWN)
)
_CALL = re.compile(r"\s*([\w-]+)\s*(@)?(?(2)[^()]*)(?:\((.*)\))?\s*", re.DOTALL)
_REGION = re.compile(r"[^()]*(?:<=|>=|≤|≥)[^()]*")
_ELSEWHERE = {
    "this measure is for outcomes of two or more values": (
        ("concordance", "c_index", "concordance_index", "somers_d", "vus", "volume_under_surface"),
        "use rs.concordance, or evaluate, compare or certify with this measure alone; for two "
        "outcomes it is auc",
    ),
    "the Gini coefficient is 2·AUC − 1": (
        ("gini", "gini_coefficient", "accuracy_ratio"),
        "write auc, and compute 2·AUC − 1 for the value and both limits",
    ),
}
"""Names of other measures, with the advice for each."""


def kind_of(measure: Any) -> str | None:
    """The row of `KINDS` for a text, ignoring brackets and the number after @.

    >>> kind_of("AUROC"), kind_of("pAUC(spec>=0.9)"), kind_of("P@10"), kind_of("ndcg@10")
    ('auc', 'partial_auc', 'precision@', None)
    """
    return _kind(_name(measure))


def _name(measure: Any) -> str:
    """The text before brackets or a cut, with the @ of the cut."""
    call = _CALL.fullmatch(measure) if isinstance(measure, str) else None
    return "" if call is None else call[1] + (call[2] or "")


def _names() -> dict[str, str]:
    rows = (*KINDS.items(), *_REGISTERED.items())
    return {name: kind for kind, row in rows for name in (kind, *row.aliases)}


def _kind(name: str) -> str | None:
    """The kind with this name; reads installed plug-ins if no other measure has the name."""
    kind = _known(name)
    if kind is None and name and not is_of_lists(name):
        _load_plugins()
        kind = _known(name)
    return kind


def _known(name: str) -> str | None:
    if name in KINDS:
        return name
    plain = spelling(name)
    return next((kind for other, kind in _names().items() if spelling(other) == plain), None)


def kinds_of_rows() -> dict[str, Kind]:
    """Every kind of measure of two classes; those of plug-ins and `register` come last."""
    _load_plugins()
    return {**KINDS, **_REGISTERED}


def _near(name: str) -> str | None:
    """The name that a text misspells, unless it fits several different measures."""
    names = _names()
    near = misspelt(name, names)
    return near[0] if len({names[each] for each in near}) == 1 else None


def of_lists(measure: Any, *, queries: bool) -> bool:
    """Whether a measure is for ranked lists, given whether the rows have ``queries``.

    Average precision, precision and recall are measures of both kinds, so the rows decide.

    >>> of_lists("average_precision", queries=True), of_lists("average_precision", queries=False)
    (True, False)
    >>> of_lists("auc", queries=True), of_lists("ndcg@10", queries=False)
    (False, True)
    """
    if not is_of_lists(measure):
        return False
    name = _name(measure)
    return queries or (_kind(name) is None and _near(name) is None)


def measure_of(measure: str | Weight | BinaryMeasure) -> BinaryMeasure:
    """Convert a measure, a weight of ``rs.weights`` or a name to a measure.

    An alias becomes the name of its row, which results show.

    >>> measure_of("partial_auc(0.01 <= fpr <= 0.1, scale=mcclish)").text
    'partial_auc(0.01<=fpr<=0.1, scale=mcclish)'
    >>> measure_of("weighted_auc(power(2))").name
    'weighted_auc(power(2))'
    >>> measure_of("roc_auc").name, measure_of("pAUC(specificity>=0.9)").name
    ('auc', 'partial_auc(specificity>=0.9)')
    """
    if isinstance(measure, str):
        return _of_kind(measure) if measure in KINDS else _of_text(measure)
    if isinstance(measure, BinaryMeasure):
        return measure
    if isinstance(measure, Weight):
        return WeightedArea(measure)
    raise _unknown(measure, None)


@cache
def _of_kind(kind: str) -> BinaryMeasure:
    return _of_text(kind)


def _of_text(measure: str) -> BinaryMeasure:
    call = _CALL.fullmatch(measure)
    kind = kind_of(measure)
    if call is None or kind is None:
        raise _unknown(measure, call)
    text = kind.removesuffix("@") + measure[call.end(1) :].strip()
    try:
        return replace((KINDS.get(kind) or _REGISTERED[kind]).parse(text, call[3]), written=text)
    except InputError as error:
        if text == measure.strip() or text not in (error.where, error.value):
            raise
        where = measure if error.where == text else error.where
        given = {} if error.value is None else {"value": error.value}
        if error.value == text:
            given = {"value": measure}
        raise InputError(error.what, where=where, fix=error.fix, **given) from None


def _unknown(measure: Any, call: re.Match[str] | None) -> InputError:
    what, fix = "unknown measure", f"write {_EXAMPLES}; rocsolid measures lists all names"
    if call is not None:
        name = _name(measure)
        for other, (names, instead) in _ELSEWHERE.items():
            if spelling(name) in map(spelling, names):
                return InputError(other, where="measure", value=measure, fix=instead)
        if of_lists(measure, queries=False):
            return _needs_queries(measure)
        if (cut := _kind(f"{name}@")) is not None:
            fix = f"{name} needs a cut, such as {KINDS[cut].example}"
        elif name.endswith("@") and (whole := _known(name[:-1])) is not None:
            what = f"{name[:-1]} takes no cut"
            fix = f"write {(KINDS.get(whole) or _REGISTERED[whole]).example}"
        elif (near := _near(name)) is not None:
            corrected = near.removesuffix("@") + measure[call.end(1) :].strip()
            fix = f"did you mean {corrected!r}? {fix}"
        elif (like := nearest(name, _names())) is not None:
            fix = f"the nearest name is {like!r}; {fix}"
    elif isinstance(measure, str) and _REGION.fullmatch(measure):
        what = "a region of rates is no measure"
        fix = f"write partial_auc({measure.strip()}) for the area there"
    return InputError(what, where="measure", value=measure, fix=fix)


def _needs_queries(measure: str) -> InputError:
    from rocsolid.graded.measure_name import measure as list_measure

    try:
        list_measure(measure)
    except InputError as misspelt_name:
        return misspelt_name
    return InputError(
        "a measure of ranked lists needs to know which rows belong to which query",
        where="measure",
        value=measure,
        fix="name the column of queries with qid=. Measures without queries are pr_auc (average "
        "precision), precision@k and recall@k",
    )


def measures_of(measures: str | Sequence[str | Weight]) -> tuple[BinaryMeasure, ...]:
    """One or more measures without repetitions."""
    texts = [measures] if isinstance(measures, str) else list(measures)
    if not texts:
        raise InputError("no measure is requested", where="measure", fix=f"write {_EXAMPLES}")
    requested = [measure_of(text) for text in texts]
    for number, chosen in enumerate(requested):
        if chosen in requested[:number]:
            raise InputError("a measure is requested twice", where="measure", value=chosen.name)
    return tuple(requested)


PLUGINS = "rocsolid.measures"
"""The group of entry points for measures."""

_REGISTERED: dict[str, Kind] = {}
_loaded: list[str] = []  # the group, once its entry points have been read


def register(measure: ResampledMeasure) -> None:
    """Register a measure under its name for every function, verb and result.

    ``measure`` is an instance of a frozen subclass of `rocsolid.measures.ResampledMeasure`. The
    name is its ``text`` up to a bracket, and its fields contain the defaults of the settings in its
    ``parameters``. The command line also finds measures that an installed package lists as entry
    points of the group ``rocsolid.measures``.

    >>> import dataclasses
    >>> import rocsolid as rs
    >>> @dataclasses.dataclass(frozen=True)
    ... class Youden(rs.measures.ResampledMeasure):
    ...     text, aliases = "youden", ("youden_j",)
    ...     words = "the largest difference between the two rates"
    ...     def value(self, table):
    ...         gap = table.neg.cumsum() / table.neg.sum() - table.pos.cumsum() / table.pos.sum()
    ...         return max(float(gap.max()), 0.0)
    ...     def chance(self, table):
    ...         return 0.0
    >>> rs.measures.register(Youden())
    >>> table = {"y": [0, 1, 0, 1, 1], "risk": [0.1, 0.6, 0.4, 0.8, 0.3]}
    >>> rs.evaluate(table, label="y", scores="risk", measures="Youden-J").results[0].value
    0.666...
    """
    if not isinstance(measure, ResampledMeasure):
        raise InputError(
            "this is not a measure",
            where="measure",
            value=measure,
            fix="give an instance of a frozen subclass of rs.measures.ResampledMeasure",
        )
    name = measure.text.partition("(")[0].strip()
    if not name.isidentifier():
        raise InputError(
            "the name of a measure is one word of letters, digits and underscores",
            where=f"{type(measure).__name__}.text",
            value=measure.text,
            fix="write it as my_measure or my_measure(setting=0.5)",
        )

    def parse(text: str, inside: str | None) -> BinaryMeasure:
        words, settings = settings_of(inside, text, *measure.parameters)
        if words:
            known = ", ".join(each.example for each in measure.parameters)
            raise InputError(
                f"{name} has no such setting",
                where=text,
                value=words[0],
                fix=f"write {name}({known})" if known else f"write {name} without brackets",
            )
        return replace(measure, **settings)

    before = dict(_REGISTERED)
    if name in before and _same_class(measure_of(name), measure):
        del _REGISTERED[name]  # a notebook cell may run again
    try:
        for each in (name, *measure.aliases):
            _refuse_clash(each)
        _REGISTERED[name] = Kind(parse, measure.text, measure.aliases)
        if measure_of(measure.text) != measure:
            raise InputError(
                "the text of a measure must read back as the same measure",
                where=f"{type(measure).__name__}.text",
                value=measure.text,
                fix="declare each setting of the text in parameters, under the name of its field",
            )
    except InputError:
        _REGISTERED.clear()
        _REGISTERED.update(before)
        raise


def _same_class(a: BinaryMeasure, b: BinaryMeasure) -> bool:
    first, second = type(a), type(b)
    return (first.__module__, first.__qualname__) == (second.__module__, second.__qualname__)


def _refuse_clash(name: str) -> None:
    taken = _known(name) or _known(f"{name}@") or next(
        (name for names, _ in _ELSEWHERE.values() if spelling(name) in map(spelling, names)), None
    )  # fmt: skip
    if taken is None and not is_of_lists(name):
        return
    raise InputError(
        "a measure of this name exists" if taken else "this reads as a measure of ranked lists",
        where="measure",
        value=name,
        fix=f"choose another name, such as my_{name}; rocsolid measures lists all",
    )


def _load_plugins() -> None:
    from importlib.metadata import entry_points  # takes 25 ms

    if _loaded:
        return
    _loaded.append(PLUGINS)
    for point in entry_points(group=PLUGINS):
        try:
            register(point.load())
        except (InputError, ImportError, AttributeError) as error:
            _loaded.clear()
            package = "" if point.dist is None else f" of {point.dist.name}"
            raise InputError(
                f"a plug-in cannot be read: {error}",
                where=f"entry point {point.name}{package}",
                value=point.value,
                fix="correct or uninstall that package",
            ) from error

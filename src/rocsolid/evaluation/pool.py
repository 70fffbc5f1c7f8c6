"""``rs.pool``: audit the printed AUCs of sites or papers, and pool those that are possible."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.answer.answer import Answer, AnswerKind, lines_of
from rocsolid.answer.entry import Entry, Refused
from rocsolid.arguments import one_of
from rocsolid.comparison.random_effects import Between, RandomEffects, random_effects
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.evaluation.audit import PrintedAudit, audit_without_bits
from rocsolid.evaluation.printed_digits import between as ends_of
from rocsolid.inputs.tables import read_table
from rocsolid.intervals.calibrated.standard_error import quantile
from rocsolid.leaks.evidence import read_number
from rocsolid.pictures.forest import forest_picture
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.data import LeakReport, Page
from rocsolid.report.frame import Large
from rocsolid.report.text import Cells, number, span
from rocsolid.results import percent
from rocsolid.results.card import Card, row_of
from rocsolid.results.framed import library_of
from rocsolid.results.interval import VALUE, Interval, Valued
from rocsolid.results.plain import Plain, one_line

_FLOATS = NDArray[np.float64]
Scale = Literal["logit", "linear"]
_FEW = 5  # sites; with fewer the limits of τ² usually span orders of magnitude
POOLED, NEW_SITE = "all sites", "a new site"
_SOURCE = (
    "Hartung and Knapp, Statistics in Medicine 20 (2001), 3875-3889; Sidik and Jonkman, Statistics "
    "in Medicine 21 (2002), 3153-3159"
)
_OF_NEW_SITE = "Higgins, Thompson and Spiegelhalter, JRSS A 172 (2009), 137-159"
_OF_SITE = "Newcombe, Statistics in Medicine 25 (2006), 559-573, method 4"
_SITES = ("sites independent", "true values of sites normal on the scale")
_PUBLISHED = LeakReport(
    public=True,
    banner="Published figures: this page is computed from printed numbers alone.",
    verdict="It reveals nothing beyond the printed AUCs, class sizes and intervals.",
)


@dataclass(frozen=True, slots=True)
class PooledAuc(Valued, Plain):
    """The printed AUC of a site, the pooled AUC, or the prediction for a new site.

    ``weight`` is the share of a site in the pooled value. ``certified`` is the hinge bound of a
    site, for its printed AUC and class sizes.
    """

    value: float
    interval: Interval
    certified: Interval | None = None
    n_pos: int | None = None
    n_neg: int | None = None
    weight: float | None = None
    printed: str = ""
    measure: ClassVar[str] = "auc"
    warnings: ClassVar[tuple[str, ...]] = ()
    __repr__ = one_line

    def __str__(self) -> str:
        return f"AUC {self.value:.4f}, {self.interval}"


@dataclass(frozen=True, slots=True, eq=False)
class _Pooling:
    scale: Scale
    between: Between
    level: float
    pooled: PooledAuc
    new_site: PooledAuc | None
    effects: RandomEffects


def pool(
    data: Any,
    *,
    name: str = "name",
    auc: str = "auc",
    n_pos: str = "n_pos",
    n_neg: str = "n_neg",
    limits: tuple[str, str] | None = None,
    scale: Scale = "logit",
    between: Between = "reml",
    level: float = 0.95,
) -> Answer:
    """Pool the printed AUCs of sites or papers that `rocsolid.audit` finds possible.

    ``limits`` names the columns with printed intervals at ``level``. Missing intervals, and those
    that miss their AUC or that no known method gives, follow from the AUC and the class sizes
    (Newcombe 2006). The answer names impossible AUCs and leaves them out. Without an interval, an
    AUC less than half a row from 0 or 1 counts as half a row from it, ½/(m + n), with the variance
    at the mean AUC of all sites. ``scale``
    is "logit" (Debray et al. 2019) or "linear". ``between`` estimates the variance between sites:
    "reml" or "dl" (DerSimonian and Laird 1986). ``name`` is the column of names.

    >>> sites = {"name": ["a", "b", "c"], "auc": [".81", ".74", ".88"], "n_pos": [120, 60, 45],
    ...          "n_neg": [400, 210, 90]}
    >>> pooled = pool(sites)
    >>> print(pooled.pooled)
    AUC 0.8104, [0.5820, 0.9292] at 95 % (hartung-knapp)
    """
    one_of(scale, get_args(Scale), "scale")
    one_of(between, get_args(Between), "between")
    table = read_table(
        data, keys=[name, auc], numbers=[n_pos, n_neg, *(limits or ())], printed=True
    )
    names = [str(each) for each in table[name]]
    if len({*names}) < len(names):
        raise InputError("two rows have the same name", where=name, fix="give each site its name")
    audits: dict[str, PrintedAudit] = {}
    refused: list[Entry] = []
    remarks: list[str] = []
    known: dict[str, tuple[float, float] | None] = {}
    for i, site in enumerate(names):
        sizes = _size(table[n_pos][i], n_pos, site), _size(table[n_neg][i], n_neg, site)
        text = str(table[auc][i]).strip()
        own = None if limits is None else (float(table[limits[0]][i]), float(table[limits[1]][i]))
        try:
            printed = audit_without_bits(text, n_pos=sizes[0], n_neg=sizes[1], level=level)
        except InputError as error:
            if error.where == "level":
                raise
            raise InputError(error.what, where=f"{auc} of {site}", value=text) from None
        if not printed.possible:
            reason = printed.findings[0].text
            refused.append(Entry(site, "auc", None, Refused(reason[0].lower() + reason[1:])))
            continue
        audits[site] = printed
        unused = None if own is None or all(map(math.isnan, own)) else _unused(printed, own)
        if unused is not None:
            remarks.append(f"The printed limits of {site} are not used: {unused}.")
        known[site] = own if unused is None and own and math.isfinite(own[0]) else None
        if known[site] is None and _inside(printed) != float(read_number(text)[0]):
            remarks.append(
                f"The AUC of {site}, {text}, counts as {_inside(printed):.4f}, half a row from the "
                "end of the range, with the variance at the mean AUC of the sites. Without the "
                "site the pool would be biased."
            )
    if len(audits) < 2:
        raise InputError(
            "pooling needs two possible AUCs",
            where=table.source, value=len(audits),
            fix=" ".join(str(entry.reason) for entry in refused) or "give more sites",
        )  # fmt: skip
    mean = sum(map(_inside, audits.values())) / len(audits)
    sites = {
        site: _on_scale(printed, known[site], scale, level, mean)
        for site, printed in audits.items()
    }
    value, variance = (np.array(column) for column in zip(*sites.values(), strict=True))
    effects = random_effects(value, variance, level, between)
    results = [
        Entry(site, "auc", None, _site(audits[site], sites[site], known[site], share, scale, level))
        for site, share in zip(sites, effects.weight.tolist(), strict=True)
    ]
    pooled = _shown(effects.mean, effects.limits, scale, level, "hartung-knapp", _SOURCE)
    new_site = None if effects.predicted is None else _shown(
        effects.mean, effects.predicted, scale, level, "prediction", _OF_NEW_SITE
    )  # fmt: skip
    basis = _Pooling(scale, between, level, pooled, new_site, effects)
    return Answer(
        POOL, table.source, results, refused, notes=tuple(remarks), basis=basis,
        library=library_of(data),
    )  # fmt: skip


def _size(size: float, column: str, site: str) -> int:
    if not (math.isfinite(size) and size == int(size) and size >= 2):
        raise InputError(
            "a class size is a whole number of at least 2", where=f"{column} of {site}", value=size
        )
    return int(size)


def _like(limit: float, auc: str) -> str:
    """A limit with at least the decimals of the AUC; a column of numbers lost its final zeros."""
    decimals = len(auc.partition(".")[2])
    text = f"{limit:.{decimals}f}"
    return text if float(text) == limit else f"{limit!r}"


def _unused(printed: PrintedAudit, limits: tuple[float, float]) -> str | None:
    if not all(map(math.isfinite, limits)):
        return "one of the two is missing"
    texts = _like(limits[0], printed.auc), _like(limits[1], printed.auc)
    shown = " – ".join(texts)
    low, auc, high = (ends_of(text, "rounded") for text in (texts[0], printed.auc, texts[1]))
    if not (low.low < auc.high and auc.low < high.high and limits[0] < limits[1]):
        return f"{shown} does not contain {printed.auc}"
    if not (limits[0] > 0.0 and limits[1] < 1.0):
        return f"{shown} reaches 0 or 1, where a width says little about the variance"
    audited = audit_without_bits(
        printed.auc, n_pos=printed.n_pos, n_neg=printed.n_neg, level=printed.level, ci=texts
    )
    if not any(each.verdict in ("fits", "needs-ties") for each in audited.methods):
        return f"no known method gives {shown} for {printed.n_pos} + {printed.n_neg} rows"
    return None


def _inside(printed: PrintedAudit) -> float:
    half_row = 0.5 / (printed.n_pos + printed.n_neg)
    return min(max(float(read_number(printed.auc)[0]), half_row), 1.0 - half_row)


def _on_scale(
    printed: PrintedAudit, limits: tuple[float, float] | None, scale: Scale, level: float,
    mean: float,
) -> tuple[float, float]:  # fmt: skip
    """The variance of an AUC next to 0 or 1 is that at the ``mean`` of the sites: its own would
    leave the best sites almost without weight.
    """
    auc = float(read_number(printed.auc)[0])
    if limits is not None:
        low, high = (_to(each, scale) for each in limits)
        return _to(auc, scale), ((high - low) / (2.0 * quantile(level, "two-sided"))) ** 2
    inside, m, n = _inside(printed), printed.n_pos, printed.n_neg
    auc = auc if auc == inside else mean
    others = (m + n) / 2.0 - 1.0
    spread = 1.0 + others * ((1.0 - auc) / (2.0 - auc) + auc / (1.0 + auc))
    variance = auc * (1.0 - auc) * spread / (m * n)
    return _to(inside, scale), variance / ((auc * (1.0 - auc)) ** 2 if scale == "logit" else 1.0)


def _to(auc: float, scale: Scale) -> float:
    return math.log(auc / (1.0 - auc)) if scale == "logit" else auc


def _from(value: float, scale: Scale) -> float:
    if scale == "linear":
        return min(max(value, 0.0), 1.0)
    return 1.0 / (1.0 + math.exp(-value))


def _shown(
    value: float, limits: tuple[float, float], scale: Scale, level: float, method: str, source: str
) -> PooledAuc:
    low, high = (_from(limit, scale) for limit in limits)
    interval = Interval(low, high, level, method, False, _SITES, source, reads=VALUE)
    return PooledAuc(_from(value, scale), interval)


def _site(
    printed: PrintedAudit, value: tuple[float, float], limits: tuple[float, float] | None,
    weight: float, scale: Scale, level: float,
) -> PooledAuc:  # fmt: skip
    centre, reach = value[0], quantile(level, "two-sided") * math.sqrt(value[1])
    method, source = f"{scale} normal", _OF_SITE
    if limits is None:
        limits = _from(centre - reach, scale), _from(centre + reach, scale)
    else:
        method, source = "printed", ""
    hinge, alike = printed.intervals[-1], ("rows independent",)
    return PooledAuc(
        _from(centre, scale),
        Interval(*limits, level, method, False, alike, source, reads=VALUE),
        Interval(hinge.low, hinge.high, level, "hinge", True, alike, reads=VALUE),
        printed.n_pos, printed.n_neg, weight, printed.auc,
    )  # fmt: skip


def _drawn(answer: Answer) -> dict[str, Any]:
    rows = {entry.score: entry.result for entry in answer.results}
    rows[POOLED] = answer.pooled
    return rows if answer.new_site is None else rows | {NEW_SITE: answer.new_site}


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:  # noqa: ARG001
    level, effects = percent(answer.level), answer.effects
    rows = [
        (entry.score, entry.result.printed, span(*entry.interval),
         span(entry.certified.low, entry.certified.high) if entry.certified else "",
         f"{entry.result.n_pos:,}", f"{entry.result.n_neg:,}", f"{entry.result.weight:.1%}")
        for entry in answer.results
    ]  # fmt: skip
    rows += [
        (name, number(pooled.value), span(*pooled.interval), "", "", "", "")
        for name, pooled in ((POOLED, answer.pooled), (NEW_SITE, answer.new_site))
        if pooled is not None
    ]
    heads = ("site", "AUC", level, "certified", "positives", "negatives", "weight")
    low, high = (math.sqrt(end) for end in effects.tau2_limits)
    between = (
        f"Between sites the standard deviation is {math.sqrt(effects.tau2):.3f} on the "
        f"{answer.scale} scale ({level} interval {low:.3f} – {high:.3f}), with I² "
        f"{100.0 * effects.i2:.0f} %. Q is {effects.q:.2f} on {len(answer.results) - 1} df (p "
        f"{effects.p_value:.2g})."
    )
    yield TextBlock(
        "Sites", Cells("Printed and pooled AUCs.", heads, tuple(rows)), (between,), _notes(answer),
        (f"Random effects on the {answer.scale} scale ({answer.between}), with the interval of "
         "Hartung, Knapp, Sidik and Jonkman. Intervals of sites are printed, or computed from the "
         "AUC and the class sizes (Newcombe 2006). Certified: the hinge bound of the site.",),
    )  # fmt: skip


def _notes(answer: Answer) -> tuple[str, ...]:
    notes = [f"{entry.score} is left out: {entry.result.reason}" for entry in answer.skipped]
    notes += answer.notes
    sites = len(answer.results)
    if sites < _FEW:
        unknown = "they say little about the variation between sites"
        if answer.new_site is None:
            unknown += ", and a prediction for a new site needs three"
        notes.append(f"There are {sites} sites: {unknown}.")
    return tuple(notes)


def _verdict(answer: Answer) -> tuple[str, ...]:
    pooled, level = answer.pooled, percent(answer.level)
    first = (
        f"The pooled AUC of {len(answer.results)} sites is {number(pooled.value)} "
        f"({level} interval {span(*pooled.interval)})."
    )
    if answer.new_site is None:
        return (first,)
    limits = span(*answer.new_site.interval)
    return (first, f"The {level} prediction interval for the true AUC of a new site is {limits}.")


def _page(answer: Answer, title: str, command: str) -> Page:
    picture = forest_picture(_drawn(answer))
    words = f"{percent(answer.level)} interval", "certified interval"
    key = tuple((text, mark) for text, (_, mark) in zip(words, picture.key, strict=True))
    picture = replace(picture, title="AUCs of sites, and their pool", key=key)
    return Page(
        title or answer.source, verdict=_verdict(answer), large=(Large(picture),),
        command=command, leaks=_PUBLISHED,
    )  # fmt: skip


def _lines(answer: Answer) -> list[str]:
    lines = [f"{POOLED}: {answer.pooled}"]
    lines += [] if answer.new_site is None else [f"{NEW_SITE}: {answer.new_site}"]
    return [*lines, *lines_of(answer)]


def _card(answer: Answer) -> Card:
    drawn = _drawn(answer)
    names = [name for name in (POOLED, NEW_SITE) if name in drawn]
    names += [entry.score for entry in answer.results]
    rows = tuple(row_of(name, drawn[name]) for name in names)
    return Card("AUC", _verdict(answer), rows, basis=answer.source)


POOL = AnswerKind(
    "source scale between level pooled new_site std_error=effects.std_error tau2=effects.tau2 "
    "tau2_limits=effects.tau2_limits i2=effects.i2 q=effects.q p_value=effects.p_value results "
    "left_out=skipped notes",
    _blocks, _verdict, _page, text=_lines, card=_card,
)  # fmt: skip

"""Find the works that a source text names, and cite the methods of results.

A class lists its references in ``_cites``: its name in a sentence, followed by keys of works.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from rocsolid._version import __version__
from rocsolid.citations.bibliography import SOFTWARE, WORKS, by_key
from rocsolid.citations.entry import Work
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.results import percent
from rocsolid.results.plain import Plain, joined

_YEAR = r"(?:1[89]|20)\d\d(?!\d)"
_PAGES = r"(?:, \d+(?:-\d+)?(?![\w-]))?"


def named(source: str) -> tuple[tuple[int, int, Work], ...]:
    """Return the works named in the text, in order: start, end, work.

    A work is named by its authors' surnames ("A and B", "A, B and C" or "A et al.") and its year,
    with no other year and no semicolon between them; journal and pages may be included.

    >>> [(at, e.key) for at, _, e in named("McDiarmid 1989, as in Agarwal et al. 2005, Theorem 5")]
    [(0, 'mcdiarmid1989'), (22, 'agarwal2005')]
    """
    hits = [
        (hit.start(), hit.end(), entry)
        for entry in WORKS
        for hit in _pattern(entry).finditer(source)
    ]
    return tuple(sorted(hits, key=lambda hit: hit[0]))


@cache
def entries_of(source: str) -> tuple[Work, ...]:
    """Return the works that the text names, each once; rocsolid itself if it names none.

    >>> [entry.key for entry in entries_of("Massart 1990 (Maurer and Pontil 2020, Theorem 8)")]
    ['massart1990', 'maurer2020']
    >>> [entry.key for entry in entries_of("coverage page of rocsolid")]
    ['rocsolid']
    """
    return tuple(dict.fromkeys(entry for _, _, entry in named(source))) or (SOFTWARE,)


def shortened(source: str) -> str:
    """Return the text with each work replaced by its short name.

    >>> shortened("Student, Biometrika 6 (1908), 1-25; Welch, Biometrika 34 (1947), 28-35 (df)")
    'Student (1908); Welch (1947) (df)'
    """
    parts, at = [], 0
    for start, end, entry in named(source):
        parts += [source[at:start], entry.short]
        at = end
    return "".join([*parts, source[at:]])


@cache
def _pattern(entry: Work) -> re.Pattern[str]:
    first = entry.surnames
    forms = [joined(first)]
    if len(first) > 2:
        forms.append(f"{first[0]} et al.")
    authors = "|".join(re.escape(form) for form in forms)
    between = rf"(?: |, (?:(?!{_YEAR})[^;])*?)"
    year = rf"(?:\({entry.year}\)|(?<=[ ,]){entry.year}(?!\d))"
    by_name = rf"(?<![\w-])(?:{authors}){between}{year}{_PAGES}"
    return re.compile("|".join([by_name, *(re.escape(text) for text in entry.also)]))


_DATA = ("rocsolid.inputs", "rocsolid.summaries", "rocsolid.engines")
_NO_METHOD = ("", "none")


@dataclass(frozen=True, slots=True)
class Used:
    """The use of a method in a sentence: "The 95 % interval" is "logit-t", from a source.

    ``keys`` are works for results without a source of their own.
    """

    what: str
    name: str
    source: str = ""
    keys: tuple[str, ...] = ()


def used(result: Any) -> tuple[Used, ...]:
    """Return every method in the fields of a result, recursively, each once, measures first."""
    uses = dict.fromkeys(_used(result, set()))
    return tuple(sorted(uses, key=lambda use: not use.what.startswith("The measure")))


def _used(value: Any, seen: set[int]) -> Iterator[Used]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _used(each, seen)
        return
    if isinstance(value, tuple | list):
        for each in value:
            yield from _used(each, seen)
        return
    home = type(value).__module__
    if not home.startswith("rocsolid.") or home.startswith(_DATA) or id(value) in seen:
        return
    seen.add(id(value))
    if hasattr(value, "p_adjusted") and hasattr(value, "difference"):
        yield from _of_difference(value)
        return
    yield from _of_itself(value)
    if is_dataclass(value):
        for field in fields(value):
            if field.name != "settings":
                yield from _used(getattr(value, field.name), seen)
        # the results of segments are computed when they are read
        for each in getattr(value, "results", ()):
            yield from _used(each, seen)


def _of_itself(value: Any) -> Iterator[Used]:
    if cites := getattr(type(value), "_cites", ()):
        what, *keys = cites
        name = type(value).__name__ if what == "The learner" else ""
        yield Used(what, name, keys=tuple(keys))
    if not is_dataclass(value):
        return
    if isinstance(measure := getattr(value, "measure", None), str):
        yield Used("The measure", measure)
        if measure == "auc" and getattr(value, "settings", {}).get("clusters"):
            yield Used("The variance of clusters", "", keys=("obuchowski1997",))
        if getattr(value, "tied", 0.0) and getattr(value, "settings", {}).get("ties") == "average":
            yield Used("The mean over the orders of tied documents", "", keys=("mcsherry2008",))
    if getattr(value, "chosen", None) == "youden":
        yield Used("The threshold", "youden", keys=("youden1950",))
    method = getattr(value, "method", "")
    if hasattr(value, "fit") and method in _SMOOTH:
        yield Used("The smooth curve", method, keys=_SMOOTH[method])
    yield from _sourced(value)
    if (settings := getattr(value, "settings", None)) and hasattr(value, "omnibus"):
        yield from _of_comparison(value, settings)


def _sourced(value: Any) -> Iterator[Used]:
    source = getattr(value, "source", None)
    method = getattr(value, "method", getattr(value, "variance", None))
    level = getattr(value, "level", None)
    if not isinstance(source, str) or not source or method in _NO_METHOD:
        return
    if method is None:
        if hasattr(value, "solved_for"):
            yield Used("The plan", "", source)
        elif hasattr(value, "limits") and hasattr(value, "items"):
            yield Used("The limits of the curve", "", source)
        return
    if hasattr(value, "solved_for"):
        yield Used("The variance of the plan", method, source)
    elif hasattr(value, "reaches"):
        yield Used("The plan", method, source)
    elif level is None:
        yield Used("The deviation", method, source)
    else:
        kind = "certified " if getattr(value, "certified", hasattr(value, "pointwise")) else ""
        noun = "band" if hasattr(value, "fpr") else "interval"
        yield Used(f"The {kind}{percent(level)} {noun}", method, source)


def _of_difference(value: Any) -> Iterator[Used]:
    for interval in (value.interval, getattr(value, "simultaneous", None), value.certified):
        if interval is not None:
            for use in _sourced(interval):
                if use.name != value.method or interval.certified:  # else the test cites it
                    yield replace(use, what=f"{use.what} of a difference")


def _of_comparison(value: Any, settings: Mapping[str, Any]) -> Iterator[Used]:
    paired = settings.get("paired", True)
    test = settings["test"]
    if test == "venkatraman-curves":
        work = "venkatraman1996" if paired else "venkatraman2000"
        yield Used("The test of a difference", test, keys=(work,))
    elif value.pairs:
        first = value.pairs[0]
        what = "The test of a difference"
        if first.interval.method == first.method:
            what = f"The test and the {percent(value.level)} interval of a difference"
        yield Used(what, first.method, first.interval.source)
    works = _ADJUSTMENTS.get(settings["adjust"])
    if works and len(value.pairs) > 1:
        yield Used("The adjustment for all pairs", settings["adjust"], keys=works)
    if len(value.estimates) > 2:
        method = value.omnibus.method
        yield Used("The test that all are equal", method, keys=_ALL_EQUAL.get(method, ()))


_SMOOTH = {"binormal-ml": ("dorfman1969", "metz1998"), "density": ("silverman1986",)}
_ALL_EQUAL = {
    "chi2": ("delong1988",),
    "hotelling": ("hotelling1931",),
    "welch": ("welch1951",),
    "anova-type": ("box1954", "brunner1997"),
}
_ADJUSTMENTS = {"holm": ("holm1979",), "max-t": ("westfall1993",), "tukey": ("carterette2012",)}


_AUC = ("hanley1982", "agarwal2005")
# the first pattern that matches counts; options in brackets and a cut-off may follow a name
_MEASURES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"auc\(ovo", ("handtill2001",)),
    (r"auc\(ovr, weighted", ("provost2000",)),
    (r"concordance", ("harrell1982",)),
    (r"vus", ("nakas2004", "dreiseitl2000")),
    (r"somers_d|gini", ("somers1962", "harrell1982")),
    (r"gauc", _AUC),
    (r"auc|AUC", _AUC),
    (r"partial_auc\(.*fpr.*tpr", ("mcclish1989", "yang2019")),
    (r"partial_auc", ("mcclish1989",)),
    (r"weighted_auc\(exponential", ("maurer2020", "truchon2007")),
    (r"weighted_auc", ("maurer2020",)),
    (r"sensitivity|specificity", ("pepe2003",)),
    (r"net_benefit", ("vickers2006",)),
    (r"n?dcg\[exp2", ("jarvelin2002", "burges2005")),
    (r"n?dcg", ("jarvelin2002",)),
    (r"err(?![a-z])", ("chapelle2009",)),
    (r"rbp", ("moffat2008",)),
    (r"bpref", ("buckley2004",)),
    (r"rr(?![a-z])", ("voorhees1999",)),
    (r"(?:ap|p|rprec|recall)(?![a-z])", ("manning2008",)),
)


def works_on(measure: str) -> tuple[str, ...]:
    """Return keys of the bibliography for a measure; empty if no work is known.

    >>> works_on("nDCG[exp2,log2]@10"), works_on("partial_auc(fpr<=0.1)"), works_on("success@5")
    (('jarvelin2002', 'burges2005'), ('mcclish1989',), ())
    """
    for pattern, keys in _MEASURES:
        if re.match(pattern, measure, re.IGNORECASE):
            return keys
    return ()


@dataclass(frozen=True, slots=True)
class Citations(Plain):
    """A sentence for each method, and the named works, in the order of the sentences."""

    sentences: tuple[str, ...]
    entries: tuple[Work, ...]
    _json = "sentences entries bibtex"

    @property
    def bibtex(self) -> str:
        """All entries in the format of a .bib file."""
        return "\n\n".join(entry.bibtex for entry in self.entries)

    def __str__(self) -> str:
        return "\n".join([*self.sentences, "", self.bibtex])


def cite(result: Any) -> Citations:
    """Return the works to cite for a result of this library, or for several results.

    ``result`` may be a tuple, a list or a mapping. Each method has a sentence; the last sentence
    names rocsolid itself. A method without a paper is cited as rocsolid's. The rows and labels are
    never inspected.

    >>> import rocsolid as rs
    >>> works = rs.cite(rs.auc([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.5, 0.7]))
    >>> for sentence in works.sentences[1:3]:
    ...     print(sentence)
    The 95 % interval is auto (...): logit-t (DeLong et al. (1988); Pepe (2003), ...
    The certified 95 % interval is matchings: Hoeffding (1963), section 5 (blocks), with bets
    averaged over all matchings (rook numbers), half and half with the hinge (B−j)₊.
    >>> [entry.key for entry in works.entries][-2:]
    ['hoeffding1963', 'rocsolid']
    """
    methods = used(result)
    if not methods and not type(result).__module__.startswith("rocsolid."):
        raise InputError(
            "this is no result of rocsolid",
            where="result",
            value=type(result).__name__,
            fix="pass the result of a function of rocsolid",
        )
    by_sentence = dict(_sentence(use) for use in methods)
    works = dict.fromkeys(work for works in by_sentence.values() for work in works)
    cited = (work for work in works if work is not SOFTWARE)
    own = f"The numbers are those of rocsolid, version {__version__}."
    return Citations((*by_sentence, own), (*cited, SOFTWARE))


def _sentence(use: Used) -> tuple[str, tuple[Work, ...]]:
    works: tuple[Work, ...]
    if use.source:
        works, text = entries_of(use.source), shortened(use.source)
    else:
        works = tuple(by_key(key) for key in use.keys or works_on(use.name)) or (SOFTWARE,)
        text = "; ".join(entry.short for entry in works)
    if works == (SOFTWARE,) and not use.source:
        text = "no paper, see the documentation of rocsolid"
    name = "the AUC" if use.name == "auc" else use.name
    verb = "are" if " and " in use.what else "is"
    return f"{use.what} {verb} {name}: {text}." if name else f"{use.what}: {text}.", works

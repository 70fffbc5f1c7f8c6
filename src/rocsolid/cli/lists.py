"""The options shared by verbs, each declared once, and the list of verbs.

There is no ``from __future__`` here, because groups elsewhere inherit the annotations.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from rocsolid import parameters, parts
from rocsolid.dataclass import dataclass
from rocsolid.parameters import PARAMETERS, Empty, Negative, Ties, Unjudged


def not_an_option(_kind: Any, value: Any) -> None:
    """Refuse a misspelt option where a file is expected; ``-`` is allowed.

    >>> not_an_option(str, ("scores.csv", "-"))
    >>> not_an_option(str, ("scores.csv", "--htlm"))
    Traceback (most recent call last):
    ValueError: There is no option --htlm.
    """
    for one in (value,) if isinstance(value, str) else value or ():  # a table may be left out
        if one.startswith("-") and one != "-":
            raise ValueError(f"There is no option {one.partition('=')[0]}.")


def _text_label(_kind: Any, tokens: Any) -> Any:
    """Wrap a typed label, whose type follows from the labels."""
    from rocsolid.inputs.binary import TextLabel  # the list of verbs needs no arrays

    return TextLabel(tokens[0].value)


def _help(text: str, **options: Any) -> Parameter:
    return Parameter(help=text, **options)


_NAMES_VALUES = hasattr(Parameter(), "metavar")  # cyclopts 4 names no value of an option


def option(name: str, **settings: Any) -> Parameter:
    """A declared keyword as an option, with its name and help.

    >>> option("scores").name, option("score").help
    (('--score',), 'The column of scores.')
    """
    declared = PARAMETERS[name]
    if declared.option:
        settings["name"] = declared.option
    if declared.type is parameters.Column and _NAMES_VALUES:
        settings["metavar"] = "COLUMN"
    return Parameter(help=declared.meaning(lambda other: PARAMETERS[other].typed), **settings)


Errors = Annotated[int, _help("The number of rows that one threshold on the score misclassifies.")]
COLUMNS = Group.create_ordered("Columns")
OPTIONS = Group.create_ordered("Options")
INTERVALS = Group.create_ordered("Intervals and tests")
OUTPUT = Group.create_ordered("Output")
MEMORY = Group.create_ordered("Larger than memory")
QUERIES = Group.create_ordered("With --qid")

Mute = Annotated[
    list[str] | None,
    _help(
        "Omit the sentences of a check, by its code (`rocsolid checks` lists them); can be "
        "repeated. Numbers and verdicts do not change.",
        negative=(),
    ),
]
Flag = Annotated[bool, Parameter(negative=())]
File = Annotated[str, Parameter(allow_leading_hyphen=True, validator=not_an_option)]
TableFile = Annotated[
    File, _help("CSV, TSV, JSON Lines, Parquet or Arrow IPC file; `-` reads standard input.")
]
TableFiles = Annotated[
    File,
    _help(
        "CSV, TSV, JSON Lines, Parquet or Arrow IPC files; `-` reads standard input. Several "
        'files, a folder of them or a quoted pattern such as "part-*.parquet" are one table.'
    ),
]
Qrels = Annotated[File, option("qrels")]
Label = Annotated[str, option("label")]
PosLabel = Annotated[str | None, option("pos_label", converter=_text_label)]
Score = Annotated[str, option("score")]
Scores = Annotated[list[str], option("scores", negative=())]
LowerIsBetter = Annotated[Flag, option("lower_is_better")]
Qid = Annotated[str, option("qid")]
Measure = Annotated[str, option("measure")]
Measures = Annotated[list[str], option("measures", negative=())]
Interval = Annotated[str, option("interval")]
Level = Annotated[float, option("level")]
Alternative = Annotated[parameters.Alternative, option("alternative")]
Null = Annotated[float, option("null")]
Margin = Annotated[float, option("margin")]
Next = Annotated[int, option("next")]
Prevalence = Annotated[float, option("prevalence")]
HalfWidth = Annotated[float, _help("Half of the interval's width.")]
Width = Annotated[float, _help("The widest interval that is still useful, from end to end.")]
Power = Annotated[float, option("power")]
Bound = Annotated[str, option("bound")]
N_POS = _help("The number of positives.")
N_NEG = _help("The number of negatives.")
ExpectedAuc = Annotated[float, _help("The AUC that you expect.")]
AucB = Annotated[float, _help("The AUC of model b that you expect.")]
Correlation = Annotated[
    float, _help("The correlation of the two scores among positives and among negatives.")
]
Candidates = Annotated[int, option("candidates")]
Adjust = Annotated[parameters.Adjust | None, option("adjust")]
TestOfQueries = Annotated[
    parameters.TestOfQueries | None,
    _help(
        "The test of the scores: auto (the default), Student's t over queries, bootstrap-t if "
        "few queries decide a difference, or sign-flip, exact for few queries."
    ),
]
Doc = Annotated[str | None, option("doc", group=QUERIES)]
Duplicates = Annotated[
    Literal["raise", "first", "best"],
    _help(
        "The treatment of a document listed twice in a query: an error, its first line, or its "
        "line with the best score."
    ),
]
PerQuery = Annotated[Flag, option("per_query")]
Seed = Annotated[int, option("seed")]
Out = Annotated[str, _help("The file to write.")]
Html = Annotated[str, _help("Also write a report to this file: one page that opens offline.")]
Json = Annotated[Flag, _help("Print JSON instead of text.")]


def keywords(*groups: Any) -> dict[str, Any]:
    """Option groups as keywords of the library, which uses the same names and defaults.

    >>> keywords(MemoryOptions(memory="1GB"))
    {'memory': '1GB'}
    """
    return given(**{f.name: getattr(group, f.name) for group in groups for f in fields(group)})


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


@Parameter(name="*", group=INTERVALS)
@dataclass(frozen=True, kw_only=True)
class ResamplingOptions:
    level: Level = 0.95
    resamples: Annotated[int | None, option("resamples")] = None
    seed: Seed = 0


@Parameter(name="*", group=INTERVALS)
@dataclass(frozen=True, kw_only=True)
class IntervalOptions(ResamplingOptions):
    """Intervals and tests with an alternative."""

    alternative: Alternative = "two-sided"
    certified: Annotated[bool, option("certified")] = True


@Parameter(name="*", group=MEMORY)
@dataclass(frozen=True, kw_only=True)
class MemoryOptions:
    """Limits on memory and threads."""

    memory: Annotated[str | None, option("memory")] = None


@Parameter(name="*", group=QUERIES)
@dataclass(frozen=True, kw_only=True)
class ListOptions:
    """The conventions for lists of judged documents."""

    profile: Annotated[str | None, option("profile")] = None
    ties: Annotated[Ties | None, option("ties")] = None
    empty: Annotated[Empty | None, option("empty")] = None
    unjudged: Annotated[Unjudged | None, option("unjudged")] = None
    negative: Annotated[Negative | None, option("negative")] = None
    relevant: Annotated[float | None, option("relevant")] = None


_VERBS = {
    "Scores in a table": {
        "evaluate": "The AUC, or another measure, of each score, with a calibrated and a certified "
        "interval.",
        "compare": "Compare scores on the same rows, or with --by each score between segments.",
        "curve": "Read a ROC curve: sensitivity at a specificity, operating points, the best "
        "threshold, bands.",
        "gate": "Decide by a policy whether scores are good enough to ship.",
        "certify": "Certify an AUC: a lower limit for the true value, proven for every "
        "distribution.",
        "watch": "Watch an AUC, or the difference of two, as batches of rows arrive.",
        "concordance": "The AUC for grades, amounts or times: the share of pairs that a score "
        "orders correctly.",
        "sketch": "The AUC of rows in many places, or of too many rows to store.",
    },
    "Ranked documents": {
        "runs": "Evaluate and compare TREC runs: an audit, means over queries with intervals, "
        "differences.",
        "explain": "Explain why two tools give different values for one run, or how a published "
        "value arose.",
    },
    "Before you label": {"plan": "How many rows to label, and which, or how many queries."},
    "Before you publish": {
        "publish": "List the pages of a table that may be published, and write one of them.",
        "leak": "What published scores reveal about the labels behind them.",
        "audit": "Check whether a printed AUC, interval or p-value is possible with these class "
        "sizes.",
        "pool": "Pool printed AUCs of sites or papers, after an audit of each: mean and prediction "
        "interval.",
        "lint": "Find code that computes an AUC's interval or test, a group AUC or NDCG with known "
        "faults.",
    },
    "About": {
        "checks": "List all checks, the kinds of warnings and notes; or show the page of one "
        "check.",
        "demo": "A short tour on built-in data; it ends with a report to open in a browser.",
        "measures": "List all measures: names, meaning, verbs that accept them, certified "
        "intervals.",
        "qualify": "Test whether this installation computes what the documentation says.",
        "schema": "The JSON Schema of a command's output with --json.",
    },
}
_OF_PARTS = parts.verbs()
SENTENCES = {
    **{verb: sentence for verbs in _VERBS.values() for verb, sentence in verbs.items()},
    **{verb.name: verb.sentence for verb in _OF_PARTS.values()},
}
"""The sentence of each verb; the list of verbs shows it without loading the verb."""
MODULES = {
    **{verb: f"rocsolid.cli.{verb}" for verbs in _VERBS.values() for verb in verbs},
    "concordance": "rocsolid.cli.certify",
    **{verb.name: module for module, verb in _OF_PARTS.items()},
}
"""The module of each verb."""
VERBS = tuple(sorted(MODULES))
APPS = ("leak", "plan", "sketch", *(verb.name for verb in _OF_PARTS.values() if verb.has_verbs))
"""Verbs with subcommands."""

_LABELLED = "TABLE --label COLUMN --score COLUMN"
_TYPED = {
    **dict.fromkeys(("evaluate", "compare", "curve", "certify", "publish"), _LABELLED),
    "watch": f"{_LABELLED} --state FILE",
    "concordance": "TABLE --outcome COLUMN --score COLUMN",
    "pool": "TABLE",
    "gate": "POLICY [TABLE]",
    "runs": "QRELS RUN...",
    "explain": "QRELS RUN",
    "qualify": "[REQUIREMENT...]",
}
_PLACES = {
    verb: (group, place)
    for title, verbs in _VERBS.items()
    for group in [Group.create_ordered(title)]
    for place, verb in enumerate(
        (*verbs, *(verb.name for verb in _OF_PARTS.values() if verb.heading == title))
    )
}
LAST_GROUP = _PLACES["demo"][0]


def shown(verb: str) -> dict[str, Any]:
    group, place = _PLACES[verb]
    settings: dict[str, Any] = {"group": group, "sort_key": place}
    if verb in _TYPED:
        settings["usage"] = f"Usage: rocsolid {verb} {_TYPED[verb]} [OPTIONS]"
    if verb in APPS:
        settings |= {"group_parameters": OPTIONS, "help": SENTENCES[verb]}
    return settings

"""The keywords with which tables are read and asked, each declared once.

The command line takes its help and its choices from here, a policy its keys and defaults, the
reference what a parameter means, and all of them what has no meaning for a kind of sample.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NewType, get_args

from rocsolid.errors import InputError

Alternative = Literal["two-sided", "greater", "less"]
"""Which end is free: "greater" gives a lower limit (the other end is trivial), "less" an upper."""
Nan = Literal["raise", "omit"]
Order = Literal["any", "progressive"]
Scheme = Literal["stratified", "plain", "cluster", "poisson", "bayesian"]
Fixed = Literal["fixed"]
Design = Fixed | None
"""``"fixed"``: weights, and how many rows of each class a cluster has, were fixed by the design,
so that knowing them says nothing about the scores."""
Ties = Literal["average", "trec", "rank", "input"]
"""How documents with equal scores are ordered: in all ways at once, or in one way."""
Empty = Literal["exclude", 0, 1, "error"]
"""What a query without a relevant document counts: nothing, 0, 1, or it is an error."""
Unjudged = Literal["zero", "condense"]
Negative = Literal["raise", "zero", "unjudged"]
"""Grades below 0: an error, or grade 0, or as if nobody had judged."""
Adjust = Literal["holm", "max-t", "tukey", "none"]
AdjustOfRows = Literal["auto", "holm", "max-t", "none"]  # without tukey, which is for queries
TestOfQueries = Literal["auto", "t", "bootstrap-t", "sign-flip"]
Counts = Literal["pairs", "rows", "groups"]
"""How a group counts within: by its pairs, by its rows, or all alike."""
Criterion = Literal["youden", "closest-topleft", "cost"]
Band = Literal["pointwise", "dkw", "equal-local-levels"]
SmoothMethod = Literal["binormal", "binormal-ml", "density"]
Scale = Literal["concordance", "somers_d", "gini"]

Column = NewType("Column", str)
"""The name of a column."""
REQUIRED: Any = ...
_Reason = tuple[str, str]

LEAVE_ONE = "leave it out, or leave {option} out"
_BESIDE: Mapping[str, _Reason] = {
    "qid": ("{other} has no meaning for measures of queries", "leave it out"),
    "fold": ("{other} is not for scores of a cross-validation", LEAVE_ONE),
    "across": ("{other} is not for pairs of groups", LEAVE_ONE),
    "within": ("{other} is not for values within groups", LEAVE_ONE),
    "public": (
        "{other} has no public form: it would show more than a public report may",
        "leave {other} out, or leave {option} out and keep the output private",
    ),
}
"""What names a kind of sample or of output -> what is said of an option that it has no use for."""
_NEEDED: Mapping[str, _Reason] = {
    "qid": (
        "{other} is for measures of queries",
        "name the column of queries with {option}=, or leave {other} out",
    ),
    "fold": ("repeat and order are about folds", "name the column of folds"),
    "within": ("counts is about groups", "name the column of groups"),
    "public": ("{other} is a limit for what {option} makes", "add {option}, or leave {other} out"),
}
"""The same of an option that has a use there alone."""
_GROUPS: _Reason = (
    "pairs of groups are for labels of two classes, scored by one model",
    "leave {option} out, or {other}",
)


_WITHIN: _Reason = (
    "values within groups are for labels of two classes, scored by one model",
    "leave {option} out, or {other}",
)
_TABLES = "leave {other} out; --html has the tables"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A keyword: what it is for, what it means, and what holds where it is left out.

    ``words`` are said in help, with the names of others in braces. ``beside`` has the kinds of
    sample for which it has no meaning, each with what is said: "" for the usual, one text to change
    the fix, two for both. With ``needs`` it has a meaning for that kind alone. ``option`` is how it
    is typed, if not by its name; ``usual`` has the defaults of verbs that have their own.
    """

    name: str
    group: str
    words: str
    type: Any = str
    default: Any = None
    needs: str = ""
    beside: Mapping[str, str | _Reason] = field(default_factory=dict)
    option: str = ""
    usual: Mapping[str, Any] = field(default_factory=dict)

    @property
    def choices(self) -> tuple[Any, ...]:
        return get_args(self.type)

    @property
    def typed(self) -> str:
        """As it is typed on a command line."""
        return self.option or option_name(self.name)

    def meaning(self, written: Callable[[str], str] = str) -> str:
        """Its words, with the names of others as they are written where it is read."""
        return re.sub(r"\{(\w+)\}", lambda name: written(name[1]), self.words)

    def is_given(self, value: Any) -> bool:
        """Whether it is no default; 0 and False are given, as a positive label may be."""
        return value is not None and value != self.default

    def pairs(self) -> Iterator[OptionPair]:
        if self.needs:
            yield OptionPair(self.needs, self.name, *_NEEDED[self.needs], needed=True)
        for option, reason in self.beside.items():
            what, fix = _BESIDE[option]
            if isinstance(reason, str):
                yield OptionPair(option, self.name, what, reason or fix)
            else:
                yield OptionPair(option, self.name, *reason)


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

    def refusal(self, value: Any, written: Callable[[str], str] = str) -> InputError:
        names = {"option": written(self.option), "other": written(self.other)}
        return InputError(
            self.what.format(**names), where=names["other"], value=value,
            fix=self.fix.format(**names),
        )  # fmt: skip


def option_name(name: str) -> str:
    """A keyword as it is typed on a command line.

    >>> option_name("pos_label")
    '--pos-label'
    """
    return f"--{name.replace('_', '-')}"


PARAMETERS: Mapping[str, Parameter] = {each.name: each for each in (
    Parameter("label", "data",
        "The column of labels: 0 and 1, -1 and 1, or true and false. For others, such as yes and "
        "no, give {pos_label}.",
        Column, REQUIRED),
    Parameter("outcome", "data",
        "The column of outcomes: amounts, times, or grades numbered in their order.",
        Column, REQUIRED),
    Parameter("scores", "data", "A column of scores; repeat the option for more.",
        Column, REQUIRED, option="--score"),
    Parameter("score", "data", "The column of scores.", Column, REQUIRED),
    Parameter("qrels", "data",
        "The judgements: a TREC file (plain or gzipped), a table with the columns qid, doc and "
        "relevance (CSV, Parquet, JSON Lines), or a JSON object; `-` reads standard input."),
    Parameter("qid", "kinds", "The column that says which query a row belongs to.", Column,
        beside={"across": _GROUPS, "within": _WITHIN, "public": "",
                "fold": ("folds are for labels of two classes, not for queries",
                         "leave {option} or {other} out")}),
    Parameter("fold", "folds",
        "The scores come from cross-validation: the column of the fold in which a row was held "
        "out.",
        Column, beside={"across": _GROUPS, "within": _WITHIN, "public": ""}),
    Parameter("repeat", "folds",
        "With {fold}: the column that numbers the repeats of the cross-validation. {cluster} must "
        "then identify the original row.",
        Column, needs="fold"),
    Parameter("order", "folds",
        'With {fold}: "progressive" declares that each model was fitted and chosen on earlier '
        "folds only. The certified interval then uses all folds.",
        Order, "any", needs="fold"),
    Parameter("across", "kinds",
        "A column of groups: compare the positives of each group with the negatives of every "
        "group.",
        Column, beside={"within": _WITHIN, "public": ""}),
    Parameter("within", "groups",
        "A column of groups, such as a task: also the value among rows of one group and of "
        "several.",
        Column, beside={"public": ""}),
    Parameter("counts", "groups",
        "With {within}: how a group counts, by its pairs (the default), by its rows, or all groups "
        "alike.",
        Counts, needs="within"),
    Parameter("measure", "measure",
        'The measure, such as auc (or roc_auc), "partial_auc(fpr<=0.1)" or ndcg@10; `rocsolid '
        "measures` lists all names.",
        default="auc"),
    Parameter("measures", "measure",
        'A measure: auc (or roc_auc), "partial_auc(fpr<=0.1)", ndcg@10; repeat for more. `rocsolid '
        "measures` lists all names.",
        beside={"across": ""}, option="--measure"),
    Parameter("by", "columns",
        "A column of segments: results for each of its values too. Repeat it for combinations.",
        Column, beside={"across": ""}),
    Parameter("sample_weight", "columns",
        "The column of weights: how much of the population a row stands for. A weight is not a "
        "count of equal rows.",
        Column, beside={"qid": "each query counts once; leave it out"}),
    Parameter("frequency", "columns",
        "The column that says how many equal rows a row stands for, a whole number. The result is "
        "as if all were written out.",
        Column, beside={"qid": "each document stands once in its list; leave it out", "fold": ""}),
    Parameter("cluster", "columns",
        "The column that says which rows belong together, such as a patient's.",
        Column),
    Parameter("pos_label", "columns",
        "The label that counts as positive; all others are negative.",
        Any,
        beside={"qid": "grades are numbers; say from which one on a document counts with "
                       "relevant="}),
    Parameter("lower_is_better", "columns", "Low scores mean positive.", bool, False),
    Parameter("nan", "columns",
        "A missing score: an error, or leave the row out for every score (omit).",
        Nan, "raise", beside={"fold": "", "within": ""}),
    Parameter("design", "columns",
        '"fixed" declares that weights and cluster sizes were chosen without regard to the scores. '
        "Weighted or clustered rows have a certified interval only with it.",
        Fixed,
        beside={"qid": "queries have neither weights nor clusters; leave it out", "fold": ""}),
    Parameter("interval", "limits",
        "The method of the calibrated interval; auto picks one. For the AUC also logit-t, delong, "
        "newcombe5, bootstrap; for means over queries t, logit-t, betting, hinge, kl, hoeffding.",
        default="auto", beside={"fold": "", "within": ""}),
    Parameter("certified", "limits",
        "Whether there are certified intervals; the other numbers are the same without.",
        bool, True,
        beside={"qid": ("means over queries are certified at no cost", LEAVE_ONE),
                "fold": "", "across": "", "within": "",
                "public": ("what is public has certified limits", LEAVE_ONE)}),
    Parameter("level", "limits",
        "The confidence level: 1 less the probability that an interval, test or guarantee is "
        "wrong.",
        float, 0.95),
    Parameter("alternative", "limits",
        '"greater": lower limits only, and tests for a larger value; "less": upper limits, and '
        "tests for a smaller value.",
        Alternative, "two-sided", usual={"certify": "greater"}),
    Parameter("resamples", "draws",
        "The number of resamples of a bootstrap, permutation or sign-flip test: 2,000 by default, "
        "over queries 10,000.",
        int, beside={"fold": "", "across": "", "within": ""}, usual={"curve": 2000}),
    Parameter("seed", "draws",
        "The seed of random numbers; the same seed gives the same result.", int, 0),
    Parameter("scheme", "draws",
        "How a bootstrap resamples: rows within each class (stratified, the default), all rows "
        "(plain), whole clusters (cluster), or random weights (poisson, bayesian).",
        Scheme,
        beside={"qid": "no rows are resampled; leave it out", "fold": "", "across": "",
                "within": ""}),
    Parameter("test", "tests",
        "auto (the default: delong-t, or bootstrap-t where few rows decide a difference), delong-t "
        "(Student's t), bootstrap-t (studentised), delong (that of pROC), bootstrap (percentile "
        "interval), bootstrap-bca, permutation, or venkatraman-curves (tests whether the whole "
        "curves are equal, not the AUCs; so does permutation with fewer than 20 rows of a class). "
        "With {qid}: auto, t, bootstrap-t, or sign-flip, exact for few queries."),
    Parameter("adjust", "tests",
        "How p-values, and simultaneous intervals, are adjusted for the number of pairs.",
        Literal["auto", Adjust], usual={"concordance": "auto"}),
    Parameter("null", "tests", "The value, or the difference a − b, to test against.",
        float, 0.0),
    Parameter("margin", "tests",
        "Test non-inferiority and equivalence with this margin: is a (the earlier one) worse than "
        "b by less? The tests are one-sided at 5 %; regulators usually require 2.5 %: "
        "{level} 0.975.",
        float),
    Parameter("paired", "queries", "Whether the scores are of the same rows.", bool, True),
    Parameter("power", "queries",
        "The probability of finding a difference that is there: 0.8 unless given.",
        float, 0.8),
    Parameter("next", "ranks",
        "Predict the places of the scores in a new sample with this many rows (or queries).",
        int,
        beside={"fold": ("what a next sample would give is not known of learners",
                         "leave {other} out, or leave {option} out")},
        option="--next"),
    Parameter("memory", "reading",
        "The memory to use, such as 1GB; DuckDB sorts a larger table on disk.",
        beside={"fold": "", "across": "", "within": ""}),
    Parameter("threads", "reading", "The number of threads with which DuckDB sorts.", int),
    Parameter("progress", "reading",
        "A function that is called with the work done and all there is.", Callable),
    Parameter("doc", "lists", "The column of document identifiers, for {ties} trec.",
        Column, needs="qid"),
    Parameter("profile", "lists",
        "Use the conventions of another tool: trec_eval-9 (trec_eval-9-c for its option -c), "
        "trec_eval-10, trec_eval-10-c, gdeval, sklearn, lightgbm, xgboost or letor. The options "
        "below override it.",
        needs="qid"),
    Parameter("ties", "lists",
        "Documents with equal scores: the average over all orders (the default), or one order; "
        "trec is that of trec_eval, by descending document id, and rank that of the rank column "
        "of runs.",
        Ties, needs="qid"),
    Parameter("empty", "lists",
        "A query without a relevant document: it is left out (the default), counts 0 or 1, or is "
        "an error.",
        Empty, needs="qid"),
    Parameter("unjudged", "lists",
        "A document that nobody judged: it gains nothing (zero, the default) or is removed from "
        "the list (condense).",
        Unjudged, needs="qid"),
    Parameter("negative", "lists",
        "A grade below 0: an error (the default), grade 0, or as if unjudged.",
        Negative, needs="qid"),
    Parameter("relevant", "lists",
        "The lowest grade that counts as relevant, for measures that need one.",
        float, needs="qid"),
    Parameter("distinguish", "lists",
        "Also find which discounts and cut-offs of nDCG separate the two best scores, on samples "
        "of the documents. It takes about a second for each few thousand documents.",
        bool, needs="qid"),
    Parameter("scale", "measure",
        "concordance (from 0 to 1), or somers_d or gini (both 2 × concordance − 1).",
        Scale, "concordance"),
    Parameter("bound", "certificates",
        "The method of the guarantee, such as hinge, kl, hoeffding or mcdiarmid. auto is usually "
        "the shortest.",
        default="auto"),
    Parameter("candidates", "certificates",
        "How many scores were tried on these rows, if more than those named. The limit gets wider "
        "with the logarithm of this number.",
        int),
    Parameter("independent", "certificates",
        "Declare that the scores were fitted on other rows; the certificate mentions it.",
        bool, False),
    Parameter("at_least", "certificates",
        "End with exit code 1 if the limit of the best score is below this value.",
        float, option="--fail-below"),
    Parameter("fpr", "curve",
        "The sensitivity at this specificity, a share such as 0.9; repeat for more.",
        float, option="--at-specificity"),
    Parameter("tpr", "curve",
        "The specificity at this sensitivity, a share such as 0.9; repeat for more.",
        float, option="--at-sensitivity"),
    Parameter("threshold", "curve",
        "The rates at a threshold that was fixed before these rows were seen; repeat for more.",
        float, option="--at-threshold"),
    Parameter("best", "curve",
        "The best threshold on these rows by this criterion; repeat for more.", Criterion),
    Parameter("prevalence", "curve",
        "The share of positives in the population, or among the planned rows.", float),
    Parameter("cost_ratio", "curve",
        "For {best} cost: one missed positive costs as much as this many false alarms.", float),
    Parameter("band", "curve",
        "A band around the curve: for one rate named beforehand (pointwise), or for the whole "
        "curve (dkw, equal-local-levels).",
        Band),
    Parameter("smooth", "curve", "Also fit a smooth curve by this model, and print its area.",
        SmoothMethod),
    Parameter("plot", "output",
        "Also draw the ROC curve to this PNG, SVG or PDF file. An exact curve gives the labels "
        "away to anyone who has the scores.",
        beside={"public": "",
                "qid": ("measures of queries have no ROC curve to draw",
                        "leave {other} out; --html draws the values and their differences"),
                "fold": ("folds have no picture", _TABLES),
                "across": ("pairs of groups have no picture", _TABLES),
                "within": ("values within groups have no picture", _TABLES)}),
    Parameter("public", "output",
        "Make output to publish: rounded until no label is certain, with a statement of what it "
        "still gives away. Its curve has a few points. If no rounding is enough, nothing is "
        "written and the exit code is 1.",
        bool),
    Parameter("max_exposed", "output",
        "With {public}: how many labels may be certain, or likelier than {max_posterior}. "
        "Default: 0.",
        int, needs="public"),
    Parameter("max_posterior", "output",
        "With {public}: how likely a label may be to someone who has the scores and takes all "
        "labelings that give the output as equally likely; 1 limits certain labels alone. "
        "Default: 0.95.",
        float, needs="public"),
    Parameter("max_bits", "output",
        "With {public}: how many bits about the labels may be given away on average. Default: no "
        "limit.",
        float, needs="public"),
    Parameter("per_query", "output", "Also give the value of every query.", bool),
    Parameter("baseline", "gate",
        "Stored results (`rocsolid evaluate --json`) of an old score that rules compare with, if "
        "its rows are gone. Intervals of differences are then wider."),
    Parameter("init", "gate", "Only write a commented policy to start from.", bool),
)}  # fmt: skip

PAIRS: tuple[OptionPair, ...] = tuple(pair for each in PARAMETERS.values() for pair in each.pairs())
"""Options that exclude or need each other, in the order in which they are refused."""


def keywords_of(*groups: str) -> tuple[str, ...]:
    """The names in some groups.

    >>> keywords_of("folds")
    ('fold', 'repeat', 'order')
    """
    return tuple(name for name, each in PARAMETERS.items() if each.group in groups)


def refuse_pairs(*, written: Callable[[str], str] = str, **options: Any) -> None:
    """Refuse the first of `PAIRS` that the options contain; an error names them as written.

    >>> refuse_pairs(fold="part", interval="delong", order="any")
    Traceback (most recent call last):
    rocsolid.errors.InputError: interval is not for scores of a cross-validation: 'delong'
    (interval). Fix: leave it out, or leave fold out.
    >>> refuse_pairs(qid=None, repeat="round")
    Traceback (most recent call last):
    rocsolid.errors.InputError: repeat and order are about folds: 'round' (repeat).
    Fix: name the column of folds.
    """
    given = {name for name, value in options.items() if PARAMETERS[name].is_given(value)}
    for pair in PAIRS:
        if pair.other in given and (pair.option in given) is not pair.needed:
            raise pair.refusal(options[pair.other], written)


def refuse_without(option: str, given: Mapping[str, Any]) -> None:
    """Refuse what has a meaning beside an option alone, which is not there.

    >>> refuse_without("qid", {"ties": "input"})
    Traceback (most recent call last):
    rocsolid.errors.InputError: ties is for measures of queries: 'input' (ties). Fix: name the
    column of queries with qid=, or leave ties out.
    """
    for name, value in given.items():
        raise OptionPair(option, name, *_NEEDED[option], needed=True).refusal(value)


def sorted_keywords(
    given: Mapping[str, Any], *kinds: Collection[str], others: Collection[str] = ()
) -> list[dict[str, Any]]:
    """The keywords by kind, each of which is some names; what is in none of them is refused.

    A keyword that is ``None`` is as if it were left out. ``others`` are those that the caller has
    already: a misspelt one may be nearest to them.

    >>> sorted_keywords({"seed": 1, "level": 0.9}, ("level",), ("seed", "resamples"))
    [{'level': 0.9}, {'seed': 1}]
    >>> sorted_keywords({"tie": "input"}, keywords_of("lists"))
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown keyword: 'tie'. Fix: use 'ties'.
    """
    known = [name for kind in kinds for name in kind]
    for name in given:
        if name not in known:
            from rocsolid.arguments import nearest  # help has no need of arrays

            close = nearest(name, (*known, *others))
            raise InputError(
                "unknown keyword", value=name,
                fix=f"use {close!r}" if close else f"these go too: {', '.join(known)}",
            )  # fmt: skip
    return [{name: given[name] for name in kind if given.get(name) is not None} for kind in kinds]


def column_names(given: str | Sequence[str], argument: str) -> tuple[str, ...]:
    """At least one name, none of them twice.

    >>> column_names("risk", "scores"), column_names(["risk", "lab"], "scores")
    (('risk',), ('risk', 'lab'))
    """
    if not isinstance(given, Iterable):
        raise InputError("a column is named by text", where=argument, value=given)
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names:
        raise InputError(f"{argument} names no column", where=argument, fix="name at least one")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("a column is named twice", where=argument, value=twice)
    return names

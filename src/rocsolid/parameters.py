"""The keywords of functions of tables, each declared once."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, NewType, get_args

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError

Alternative = Literal["two-sided", "greater", "less"]
""""greater" gives a lower limit (the other end is trivial), "less" an upper limit."""
Nan = Literal["raise", "omit"]
Order = Literal["any", "progressive"]
Scheme = Literal["stratified", "plain", "cluster", "poisson", "bayesian"]
Fixed = Literal["fixed"]
Design = Fixed | None
"""``"fixed"``: the design fixed the weights and the number of rows of each class in each cluster,
so they contain no information about the scores."""
Ties = Literal["average", "trec", "rank", "input"]
"""The order of documents with equal scores: the average over all orders, or one order."""
Empty = Literal["exclude", 0, 1, "error"]
"""A query without a relevant document is excluded, counts 0 or 1, or is an error."""
Unjudged = Literal["zero", "condense"]
Negative = Literal["raise", "zero", "unjudged"]
"""Grades below 0 are an error, grade 0, or unjudged."""
Adjust = Literal["holm", "max-t", "tukey", "none"]
AdjustOfRows = Literal["auto", "holm", "max-t", "none"]  # without tukey, which is for queries
TestOfQueries = Literal["auto", "t", "bootstrap-t", "sign-flip"]
Counts = Literal["pairs", "rows", "groups"]
"""The weight of a group within: its pairs, its rows, or equal for all groups."""
Criterion = Literal["youden", "closest-topleft", "cost"]
Band = Literal["pointwise", "dkw", "equal-local-levels"]
SmoothMethod = Literal["binormal", "binormal-ml", "density"]
Scale = Literal["concordance", "somers_d", "gini", "vus"]

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
"""An option that selects a kind of sample or output -> the error for options without use there."""
_NEEDED: Mapping[str, _Reason] = {
    "qid": (
        "{other} is for measures of queries",
        "name the column of queries with {option}=, or leave {other} out",
    ),
    "fold": ("repeat and order are about folds", "name the column of folds"),
    "within": ("counts is about groups", "name the column of groups"),
    "public": ("{other} is a limit for what {option} makes", "add {option}, or leave {other} out"),
}
"""An option that selects a kind of sample or output -> the error for options used only there."""
_GROUPS: _Reason = (
    "comparing pairs of groups requires labels of two classes, scored by one model",
    "leave {option} out, or {other}",
)


_WITHIN: _Reason = (
    "values within groups require labels of two classes, scored by one model",
    "leave {option} out, or {other}",
)
_TABLES = "leave {other} out; --html has the tables"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A keyword with its description, type and default.

    ``words`` is the description, with names of other keywords in braces. ``beside`` lists the kinds
    of sample or output where the keyword does not apply, each with its error: "" for the usual
    error, a text for another fix, two texts for both. With ``needs`` the keyword applies only to
    that kind. ``usual`` maps verbs to their own defaults.
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
        return self.option or option_name(self.name)

    def meaning(self, written: Callable[[str], str] = str) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: written(name[1]), self.words)

    def is_given(self, value: Any) -> bool:
        """Whether the value is not a default; 0 and False count, since they can be labels."""
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
    """An option, and another that is rejected together with it; with ``needed``, without it.

    ``what`` and ``fix`` contain the names as ``{option}`` and ``{other}``.
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
    """The name of a keyword on the command line.

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
        "The column of outcomes: amounts, times, or numbers that order grades.",
        Column, REQUIRED),
    Parameter("scores", "data", "A column of scores; repeat the option for more.",
        Column, REQUIRED, option="--score"),
    Parameter("score", "data", "The column of scores.", Column, REQUIRED),
    Parameter("qrels", "data",
        "The judgements: a TREC file (plain or gzipped), a table with the columns qid, doc and "
        "relevance (CSV, Parquet, JSON Lines), or a JSON object; `-` reads standard input."),
    Parameter("qid", "kinds", "The column with the query of each row.", Column,
        beside={"across": _GROUPS, "within": _WITHIN, "public": "",
                "fold": ("folds require labels of two classes, not queries",
                         "leave {option} or {other} out")}),
    Parameter("fold", "folds",
        "For scores from cross-validation: the column with the fold in which each row was held "
        "out.",
        Column, beside={"across": _GROUPS, "within": _WITHIN, "public": ""}),
    Parameter("repeat", "folds",
        "With {fold}: the column with the number of the cross-validation's repeat. {cluster} must "
        "then identify the original row.",
        Column, needs="fold"),
    Parameter("order", "folds",
        'With {fold}: "progressive" declares that each model was fitted and selected on earlier '
        "folds only. The certified interval then uses all folds.",
        Order, "any", needs="fold"),
    Parameter("across", "kinds",
        "A column of groups: compare the positives of each group with the negatives of every "
        "group.",
        Column, beside={"within": _WITHIN, "public": ""}),
    Parameter("within", "groups",
        "A column of groups, such as tasks: also compute the value within groups and between "
        "groups.",
        Column, beside={"public": ""}),
    Parameter("counts", "groups",
        "With {within}: the weight of a group, its pairs (the default), its rows, or equal for all "
        "groups.",
        Counts, needs="within"),
    Parameter("measure", "measure",
        'The measure, such as auc (or roc_auc), "partial_auc(fpr<=0.1)" or ndcg@10; `rocsolid '
        "measures` lists all names.",
        default="auc"),
    Parameter("measures", "measure",
        'A measure, such as auc (or roc_auc), "partial_auc(fpr<=0.1)" or ndcg@10; repeat for more. '
        "`rocsolid measures` lists all names.",
        beside={"across": ""}, option="--measure"),
    Parameter("by", "columns",
        "A column of segments: also compute results for each of its values. Repeat it for "
        "combinations.",
        Column, beside={"across": ""}),
    Parameter("sample_weight", "columns",
        "The column of weights: the share of the population that a row represents. For counts of "
        "equal rows use {frequency}.",
        Column, beside={"qid": "each query counts once; leave it out"}),
    Parameter("frequency", "columns",
        "The column with the number of equal rows that a row represents. The result is the same as "
        "with all rows written out.",
        Column, beside={"qid": "each document stands once in its list; leave it out", "fold": ""}),
    Parameter("cluster", "columns",
        "The column of clusters, such as patients: rows of one cluster may depend on each other.",
        Column),
    Parameter("pos_label", "columns",
        "The label that counts as positive; all others are negative.",
        Any,
        beside={"qid": "grades are numbers; give the lowest relevant grade as relevant="}),
    Parameter("lower_is_better", "columns", "Lower scores mean positive.", bool, False),
    Parameter("check_columns", "checks",
        "Warn if another column explains most of an AUC. Columns with few values are examined, "
        "which needs all rows in memory.",
        bool, False,
        beside={"qid": "lists are ranked one by one; leave it out", "across": "",
                "within": ("{other} finds the column that {option} names", LEAVE_ONE),
                "public": "", "fold": ""}),
    Parameter("nan", "columns",
        "Treat a missing score as an error (raise), or leave its row out for every score (omit).",
        Nan, "raise", beside={"fold": "", "within": ""}),
    Parameter("design", "columns",
        '"fixed" declares that weights and cluster sizes do not depend on the scores. Weighted or '
        "clustered rows have a certified interval only with this declaration.",
        Fixed,
        beside={"qid": "queries have neither weights nor clusters; leave it out", "fold": ""}),
    Parameter("interval", "limits",
        "The method of the calibrated interval; auto selects one. For the AUC also logit-t, "
        "delong, newcombe5, bootstrap; for means over queries t, logit-t, betting, hinge, kl, "
        "hoeffding.",
        default="auto", beside={"fold": "", "within": ""}),
    Parameter("certified", "limits",
        "Whether to compute certified intervals; other numbers do not change.",
        bool, True,
        beside={"qid": ("means over queries are certified at no cost", LEAVE_ONE),
                "fold": "", "across": "", "within": "",
                "public": ("public output always has certified limits", LEAVE_ONE)}),
    Parameter("level", "limits",
        "The confidence level. It is 1 minus the probability that an interval, test or guarantee "
        "is wrong.",
        float, 0.95),
    Parameter("alternative", "limits",
        '"greater": lower limits, and tests for a larger value; "less": upper limits, and tests '
        "for a smaller value.",
        Alternative, "two-sided", usual={"certify": "greater"}),
    Parameter("resamples", "draws",
        "The number of resamples of a bootstrap, permutation or sign-flip test. Default: 2,000, or "
        "10,000 over queries.",
        int, beside={"fold": "", "across": "", "within": ""}, usual={"curve": 2000}),
    Parameter("seed", "draws",
        "The seed of random numbers; the same seed gives the same result.", int, 0),
    Parameter("scheme", "draws",
        "How a bootstrap resamples: rows within each class (stratified, the default), all rows "
        "(plain), whole clusters (cluster), or random weights (poisson, bayesian).",
        Scheme,
        beside={"qid": "queries have no resampling of rows; leave it out", "fold": "", "across": "",
                "within": ""}),
    Parameter("test", "tests",
        "auto (the default: delong-t, or bootstrap-t if few rows decide a difference), delong-t "
        "(Student's t), bootstrap-t (studentised), delong (as in pROC), bootstrap (percentile "
        "interval), bootstrap-bca, permutation, or venkatraman-curves (tests whether the whole "
        "curves are equal, not the AUCs, as does permutation with fewer than 20 rows of a class). "
        "With {qid}: auto, t, bootstrap-t, or sign-flip (exact for few queries)."),
    Parameter("adjust", "tests",
        "The adjustment of p-values and simultaneous intervals for the number of pairs.",
        Literal["auto", Adjust], usual={"concordance": "auto"}),
    Parameter("null", "tests", "The value, or the difference a − b, to test against.",
        float, 0.0),
    Parameter("margin", "tests",
        "The margin for tests of whether the first score of a pair is non-inferior or equivalent "
        "to the second. The tests are one-sided at 5 %; regulators usually require 2.5 %: "
        "{level} 0.975.",
        float),
    Parameter("paired", "queries", "Whether the scores are of the same rows.", bool, True),
    Parameter("power", "queries",
        "The probability that a true difference is significant; 0.8 by default.",
        float, 0.8),
    Parameter("next", "ranks",
        "Predict the ranks of the scores in a new sample of this many rows (or queries).",
        int,
        beside={"fold": ("ranks of learners on a new sample cannot be predicted",
                         "leave {other} out, or leave {option} out")},
        option="--next"),
    Parameter("memory", "reading",
        "The memory limit, such as 1GB; DuckDB sorts a larger table on disk.",
        beside={"fold": "", "across": "", "within": ""}),
    Parameter("threads", "reading", "The number of threads with which DuckDB sorts.", int),
    Parameter("progress", "reading",
        "A function that is called with the amounts of completed and of total work.", Callable),
    Parameter("doc", "lists", "The column of document identifiers, for {ties} trec.",
        Column, needs="qid"),
    Parameter("profile", "lists",
        "Use the conventions of another tool: trec_eval-9 (trec_eval-9-c for its option -c), "
        "trec_eval-10, trec_eval-10-c, gdeval, sklearn, lightgbm, xgboost or letor. The options "
        "below override it.",
        needs="qid"),
    Parameter("ties", "lists",
        "The order of documents with equal scores: the average over all orders (the default), "
        "descending document id as in trec_eval (trec), the rank column of runs (rank), or the "
        "order of the input (input).",
        Ties, needs="qid"),
    Parameter("empty", "lists",
        "A query without a relevant document is excluded (the default), counts 0 or 1, or is an "
        "error.",
        Empty, needs="qid"),
    Parameter("unjudged", "lists",
        "An unjudged document has gain 0 (zero, the default) or is removed from the list "
        "(condense).",
        Unjudged, needs="qid"),
    Parameter("negative", "lists",
        "A grade below 0 is an error (the default), grade 0, or unjudged.",
        Negative, needs="qid"),
    Parameter("relevant", "lists",
        "The lowest relevant grade, for measures of relevant documents.",
        float, needs="qid"),
    Parameter("distinguish", "lists",
        "Also compute which discounts and cut-offs of nDCG separate the two best scores on samples "
        "of the documents. A few thousand documents take about a second.",
        bool, needs="qid"),
    Parameter("scale", "measure",
        "concordance (from 0 to 1), somers_d or gini (both 2 × concordance − 1), or vus (the "
        "volume under the ROC surface).",
        Scale, "concordance"),
    Parameter("bound", "certificates",
        "The method of the certified interval, such as hinge, kl, hoeffding or mcdiarmid. "
        "auto usually gives the shortest interval.",
        default="auto"),
    Parameter("candidates", "certificates",
        "The number of scores that were tried on these rows, if more than those named. The "
        "interval widens with the logarithm of this number.",
        int),
    Parameter("independent", "certificates",
        "Declare that the scores were fitted on other rows; the certificate states this.",
        bool, False),
    Parameter("at_least", "certificates",
        "Exit with code 1 if the limit of the best score is below this value.",
        float, option="--fail-below"),
    Parameter("fpr", "curve",
        "The sensitivity at this specificity, a share such as 0.9; repeat for more.",
        float, option="--at-specificity"),
    Parameter("tpr", "curve",
        "The specificity at this sensitivity, a share such as 0.9; repeat for more.",
        float, option="--at-sensitivity"),
    Parameter("threshold", "curve",
        "The rates at a threshold that was fixed before the analysis; repeat for more.",
        float, option="--at-threshold"),
    Parameter("best", "curve",
        "The best threshold on these rows by this criterion; repeat for more.", Criterion),
    Parameter("prevalence", "curve",
        "The share of positives in the population, or among the planned rows.", float),
    Parameter("cost_ratio", "curve",
        "For {best} cost: the cost of a missed positive over the cost of a false alarm.", float),
    Parameter("band", "curve",
        "A band around the curve: valid at one rate chosen beforehand (pointwise), or for the "
        "whole curve (dkw, equal-local-levels).",
        Band),
    Parameter("smooth", "curve", "Also fit a smooth curve by this model, and print its area.",
        SmoothMethod),
    Parameter("net_benefit", "curve",
        "The net benefit of acting on probabilities from this threshold, and the decision curve, "
        "which replaces the ROC curve in {plot}; repeat the option for more.",
        float),
    Parameter("dp_delta", "curve",
        "A lower limit of ε in (ε, δ)-differential privacy at this δ, from the scores of a "
        "membership inference attack, if an independently trained model scored each row.",
        float),
    Parameter("plot", "output",
        "Also draw the ROC curve to this PNG, SVG or PDF file. An exact curve reveals the labels "
        "to anyone who has the scores.",
        beside={"public": "",
                "qid": ("measures of queries have no ROC curve to draw",
                        "leave {other} out; --html draws the values and their differences"),
                "fold": ("folds have no picture", _TABLES),
                "across": ("pairs of groups have no picture", _TABLES),
                "within": ("values within groups have no picture", _TABLES)}),
    Parameter("public", "output",
        "Write output for publication: rounded until no label is certain, with a statement of the "
        "information it still reveals. The curve has a few points. If no rounding is enough, "
        "nothing is written and the exit code is 1.",
        bool),
    Parameter("max_exposed", "output",
        "The number of labels that may be certain, or more likely than {max_posterior}, on a "
        "public page. Default: 0.",
        int, needs="public"),
    Parameter("max_posterior", "output",
        "The largest probability of a label for a reader who has the scores and a public page, "
        "if all labelings with the same page are equally likely; 1 limits only certain labels. "
        "Default: 0.95.",
        float, needs="public"),
    Parameter("max_bits", "output",
        "The largest average number of bits that a public page reveals about the labels. Default: "
        "no limit.",
        float, needs="public"),
    Parameter("ledger", "output",
        "The file of a ledger of publications, which starts as an empty file. A page is judged "
        "together with all earlier publications about the rows that {id} names; {max_bits} limits "
        "all of them. The page is recorded before it is shown.",
        needs="public"),
    Parameter("id", "output",
        "The column that names the rows; only rows of one cluster may share a name.", Column,
        needs="public"),
    Parameter("prior", "output",
        "The column of a reader's probabilities of positive labels, such as those of a model. The "
        "page must then not change the odds of a label by a factor above L/(1 − L), where L is "
        "{max_posterior}.",
        Column, needs="public"),
    Parameter("per_query", "output", "Also report the value of every query.", bool),
    Parameter("baseline", "gate",
        "Stored results (`rocsolid evaluate --json`) of an old score that rules compare with, if "
        "its rows no longer exist. Intervals of differences are then wider."),
    Parameter("init", "gate", "Only write a commented policy as a template.", bool),
)}  # fmt: skip

PAIRS: tuple[OptionPair, ...] = tuple(pair for each in PARAMETERS.values() for pair in each.pairs())
"""Options that exclude or need each other, in the order in which they are refused."""


def keywords_of(*groups: str) -> tuple[str, ...]:
    """The names of the keywords in some groups.

    >>> keywords_of("folds")
    ('fold', 'repeat', 'order')
    """
    return tuple(name for name, each in PARAMETERS.items() if each.group in groups)


def refuse_pairs(*, written: Callable[[str], str] = str, **options: Any) -> None:
    """Reject the first of `PAIRS` among the options; ``written`` spells names in the error.

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
    if not given:
        return
    for pair in PAIRS:
        if pair.other in given and (pair.option in given) is not pair.needed:
            raise pair.refusal(options[pair.other], written)


def refuse_without(option: str, given: Mapping[str, Any]) -> None:
    """Reject options that require ``option``, which is missing.

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
    """Sort keywords by kind, each a collection of names; reject unknown keywords.

    A keyword that is ``None`` counts as missing. The error may suggest one of ``others`` too.

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
    """At least one column name, without repetitions.

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
        raise InputError(
            "a column is named twice", where=argument, value=twice, fix="name each column once"
        )
    return names

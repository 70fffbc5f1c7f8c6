"""The conventions of trec_eval, gdeval, scikit-learn, LightGBM, XGBoost and LETOR's script.

Every entry was found in the source of the tool concerned and reproduced from its output: trec_eval
9.0.8 and 10.0, gdeval 1.2a, scikit-learn 1.9, LightGBM 4.7, XGBoost 3.2 and Eval-Score-4.0.pl.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import known
from rocsolid.discounts import from_callable
from rocsolid.errors import InputError
from rocsolid.gains import exp2
from rocsolid.graded.profile import OURS, Profile

_RETRIEVED = "the tool reads only an array of the documents of the run"
_ARRAYS = "the tool reads only the queries in the arrays"


def _two_ones(rank: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(1.0 / np.log2(np.maximum(rank, 2.0)))


LETOR = from_callable(_two_ones, "letor")
"""D(1) = D(2) = 1, then 1/log₂ r: the first form of Järvelin and Kekäläinen (2002), base 2."""


_TREC_EVAL = Profile(
    name="trec_eval-9",
    tool="trec_eval 9.0.8",
    missing="exclude",
    empty=0,
    ties="trec",
    ideal="judged",
    negative="unjudged",
    precision="float32",
    measures=("nDCG", "AP", "P", "recall", "RR", "Rprec", "bpref", "success"),
    evidence=MappingProxyType({
        "missing": "trec_eval.c goes over queries with results and judgements",
        "empty": "a measure starts at 0 and is left there",
        "gain": "the grade itself, unless -m ndcg.1=… says otherwise",
        "discount": "log2(rank + 1) in m_ndcg.c and m_ndcg_cut.c",
        "ties": "comp_sim_docno in form_res_rels.c: score, then id, both falling",
        "ideal": "from the counts of all judged grades, cut like the list in ndcg_cut",
        "unjudged": "gets no gain; -J takes such documents out",
        "negative": "kept as unjudged in form_res_rels.c",
        "precision": "float sim in trec_format.h",
        "short": "ranks below the end of the list gain nothing, and P divides by k",
    }),
)  # fmt: skip


def _other(name: str, tool: str, missing: Any, precision: Any) -> Profile:
    known = {
        "zero": "-c averages over all judged queries; one without results counts 0",
        "error": "without -c the first such query ends it with exit code 4",
        "float32": "float sim in trec_format.h",
        "float64": "double sim in trec_format.h, where version 9 had float",
    }
    evidence = dict(_TREC_EVAL.evidence, missing=known[missing], precision=known[precision])
    return replace(
        _TREC_EVAL,
        name=name,
        tool=tool,
        missing=missing,
        precision=precision,
        evidence=MappingProxyType(evidence),
    )


PROFILES: dict[str, Profile] = {
    each.name: each
    for each in (
        _TREC_EVAL,
        _other("trec_eval-9-c", "trec_eval 9.0.8 -c", "zero", "float32"),
        _other("trec_eval-10", "trec_eval 10.0", "error", "float64"),
        _other("trec_eval-10-c", "trec_eval 10.0 -c", "zero", "float64"),
        Profile(
            name="gdeval",
            tool="gdeval 1.2a",
            missing="exclude",
            empty="exclude",
            gain=exp2(),
            ties="trec",
            ideal="judged",
            negative="zero",
            digits=5,
            measures=("nDCG", "ERR"),
            grades=4,
            evidence=MappingProxyType({
                "missing": "it prints the topics of the run",
                "empty": "topics without a positive judgement are not printed",
                "gain": "2**gain - 1 in sub dcg",
                "discount": "log(rank + 1), whose base cancels",
                "ties": "runOrder: score, then id, both falling",
                "ideal": "all positive judgements of the topic, cut at k",
                "negative": "only positive judgements are stored",
                "precision": "Perl's numbers",
                "top": "$MAX_JUDGMENT = 4; greater grades end it",
            }),
        ),
        Profile(
            name="sklearn",
            tool="scikit-learn 1.9 ndcg_score",
            missing="exclude",
            empty=0,
            ties="average",
            ideal="retrieved",
            negative="raise",
            digits=None,
            measures=("nDCG", "DCG"),
            lengths=(2, None),
            evidence=MappingProxyType({
                "missing": _ARRAYS,
                "empty": "gain[all_irrelevant] = 0 in _ndcg_sample_scores",
                "gain": "y_true itself",
                "discount": "log2(rank + 1)",
                "ties": "_tie_averaged_dcg, unless ignore_ties=True",
                "ideal": _RETRIEVED,
                "negative": "ValueError for y_true below 0",
                "precision": "the array's own",
            }),
        ),
        Profile(
            name="lightgbm",
            tool="LightGBM 4.7 ndcg@k",
            missing="exclude",
            empty=1,
            gain=exp2(),
            ties="input",
            ideal="retrieved",
            negative="raise",
            digits=None,
            grades=30,
            lengths=(1, 10_000),
            evidence=MappingProxyType({
                "missing": _ARRAYS,
                "empty": "NDCG=1 where all labels are 0, in rank_metric.hpp",
                "gain": "the default of label_gain, up to label 30",
                "discount": "kept for the first 10,000 ranks in dcg_calculator.cpp",
                "ties": "a stable sort",
                "ideal": _RETRIEVED,
                "negative": "labels must be whole numbers from 0",
                "precision": "scores are double",
            }),
        ),
        Profile(
            name="xgboost",
            tool="XGBoost 3.2 ndcg@k",
            missing="exclude",
            empty=1,
            gain=exp2(),
            ties="input",
            ideal="retrieved",
            negative="raise",
            precision="float32",
            digits=None,
            grades=31,
            evidence=MappingProxyType({
                "missing": _ARRAYS,
                "empty": "1, or 0 for a metric whose name ends in a minus: ndcg@10-",
                "gain": "ndcg_exp_gain=True",
                "discount": "log2(rank + 1) in ranking_utils.h",
                "ties": "a stable sort",
                "ideal": _RETRIEVED,
                "negative": "labels must be whole numbers from 0",
                "precision": "predictions are float",
            }),
        ),
        Profile(
            name="letor",
            tool="LETOR's Eval-Score-4.0.pl",
            missing="exclude",
            empty=0,
            gain=exp2(),
            discount=LETOR,
            ties="input",
            ideal="retrieved",
            negative="raise",
            short="zero",
            measures=("nDCG", "AP", "P"),
            grades=2,
            evidence=MappingProxyType({
                "missing": "queries are those of the feature file",
                "empty": "NDCG and MAP are 0 unless divided",
                "gain": "%hsNdcgRelScore: 0, 1, 3; the script for MSLR goes on to 7 and 15",
                "discount": "sub DCG divides by log2 of the rank from rank 3 on",
                "ties": "by line, then a sort that keeps it",
                "ideal": "the lines of the query in the feature file",
                "negative": "no such line can be read",
                "precision": "Perl's numbers",
                "short": "NDCG@k has no entry there, and is summed as 0 over all queries",
            }),
        ),
    )
}  # fmt: skip
"""Profiles by name; ``trec_eval-9-c`` is trec_eval 9.0.8 with its option ``-c``."""


def profile(name: Any) -> Profile:
    """Return the profile with a name.

    >>> print(profile("xgboost").tool, profile("letor").discount.values(3).round(4))
    XGBoost 3.2 ndcg@k [1.     1.     0.6309]
    >>> profile("treceval-9")
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown profile: 'treceval-9'. Fix: use 'trec_eval-9', or another of
    trec_eval-9, trec_eval-9-c, trec_eval-10, trec_eval-10-c, gdeval, sklearn, lightgbm, xgboost,
    letor.
    """
    if isinstance(name, Profile):
        return name
    return PROFILES[known(name, PROFILES, "profile")]


def conventions(name: str | Profile | None = None, **given: Any) -> Profile:
    """Return the named profile, by default rocsolid's own, changed by the ``given`` conventions.

    >>> mine = conventions("trec_eval-9", ties="average", empty=None)
    >>> mine.ties, mine.missing, mine.empty
    ('average', 'exclude', 0)
    """
    base = OURS if name is None else profile(name)
    for convention, choices in _CHOICES.items():
        value = given.get(convention)
        if value not in (None, *choices):
            raise InputError(
                f"unknown {convention}",
                where=convention,
                value=value,
                fix=f"use {' or '.join(choices)}",
            )
    changes = {key: value for key, value in given.items() if value is not None}
    # unlike a read-only view, a plain dictionary can be pickled
    return replace(base, **changes, evidence=dict(base.evidence))


_CHOICES = {"missing": ("zero", "exclude"), "unjudged": ("zero", "condense")}
"""The choices of users; profiles of tools and single measures have others."""

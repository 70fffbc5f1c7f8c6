"""Names of measures: ours, trec_eval's, and what is printed; a near miss gets a hint."""

from __future__ import annotations

import pytest

import rocsolid as rs
from rocsolid.graded.measure_name import is_of_lists, measure, measures
from rocsolid.graded.profile import Profile

NAMES = {
    "ndcg@10": "nDCG[linear,log2]@10",
    "NDCG": "nDCG[linear,log2]",
    " ndcg @ 10 ": "nDCG[linear,log2]@10",
    "ndcg@frac(0.1)": "nDCG[linear,log2]@frac(0.1)",
    "ndcg[exp2,zipf]@10": "nDCG[exp2,zipf]@10",
    "ndcg[zipf, exp2]@10": "nDCG[exp2,zipf]@10",
    "ndcg(gain=exp2, discount=power(0.5))@5": "nDCG[exp2,power(0.5)]@5",
    "nDCG[linear,log2,ideal=retrieved]@10": "nDCG[linear,log2,ideal=retrieved]@10",
    "nDCG[table(0:0,1:1,2:3),exponential(2)]": "nDCG[table(0:0,1:1,2:3),exponential(2)]",
    "nDCG[linear,table(1,0.5)]@10": "nDCG[linear,table(1,0.5)]@10",
    "dcg@10": "DCG[linear,log2]@10",
    "ap": "AP",
    "map": "AP",
    "map@100": "AP@100",
    "rr@10": "RR@10",
    "mrr": "RR",
    "p@10": "P@10",
    "P(rel=2)@10": "P[relevant>=2]@10",
    "recall@100": "recall@100",
    "R@100": "recall@100",
    "success@5": "success@5",
    "rprec": "Rprec",
    "r-precision": "Rprec",
    "bpref": "bpref",
    "gauc": "GAUC",
    "err@20": "ERR[max=4]@20",
    "err(max=3)@20": "ERR[max=3]@20",
    "rbp": "RBP(p=0.8)",
    "rbp(p=0.95)": "RBP(p=0.95)",
    "RBP(p=0.95)[relevant>=2]": "RBP(p=0.95)[relevant>=2]",
    # torchmetrics and scikit-learn
    "RetrievalMAP": "AP",
    "retrieval_normalized_dcg@10": "nDCG[linear,log2]@10",
    "RetrievalAUROC": "GAUC",
    "ndcg_score": "nDCG[linear,log2]",
    "average_precision_score": "AP",
    # trec_eval
    "recip_rank": "RR",
    "P_10": "P@10",
    "P.10": "P@10",
    "ndcg_cut_10": "nDCG[linear,log2]@10",
    "ndcg_cut.10": "nDCG[linear,log2]@10",
    "map_cut_100": "AP@100",
    "recall_100": "recall@100",
    "success_5": "success@5",
    "Rprec": "Rprec",
}


@pytest.mark.parametrize("text", NAMES)
def test_names(text: str) -> None:
    found = measure(text)
    assert found.name == NAMES[text]
    assert measure(found.name).name == found.name  # what is printed can be requested
    assert is_of_lists(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ndgc@10", "unknown measure: 'ndgc@10'.*did you mean 'ndcg@10'"),
        ("ndcg_10", "not a valid measure.*did you mean 'ndcg@10'"),
        ("recip_rnk", "did you mean 'recip_rank'"),
        ("P@x", "not a valid measure"),
        ("ndcg_cut", "ndcg_cut needs a cut-off.*ndcg_cut_10"),
        ("bpref@10", "reads the whole list"),
        ("ndcg[expp]@10", "'expp'.*did you mean 'exp2'"),
        ("ndcg[exp2,linear]", "two values for gain"),
        ("ndcg[ideal=all]", "unknown ideal: 'all'"),
        ("ap[exp2]", "an option that this measure does not have: 'exp2'.*relevant"),
        ("ap(relevnt=2)", "relevnt.*use relevant"),
        ("rbp(p>=0.5)", "an option that this measure does not have"),
        ("rbp(p=1.5)", "persistence"),
        ("err(max=top)", "not a number: 'top'"),
        ("ndcg[table(a:1)]", "not a number: 'a'"),
        ("ndcg@0", "at least 1"),
        ("ndcg@frac(2)", "above 0 and is at most 1"),
        ("ndcg@frac(x)", "not a share of the list"),
        ("ndcg@10@5", "not a valid measure"),
        ("", "not a measure of ranked lists"),
        ("mrp", "not a measure of ranked lists.*as of auc, name no queries"),
        ("alpha_ndcg@10", "not a measure of ranked lists"),
        ("roc_auc", "not a measure of ranked lists"),
        (7, "named by text"),
    ],
)
def test_what_cannot_be_read(text: object, said: str) -> None:
    with pytest.raises(rs.InputError, match=said):
        measure(text)  # type: ignore[arg-type]


def test_conventions_fill_in_what_a_name_leaves_open() -> None:
    other = Profile(
        name="other", tool="other", gain=rs.gains.exp2(), discount=rs.discounts.zipf(),
        ideal="retrieved", relevant=2, top=3, p=0.5,
    )  # fmt: skip
    for text, name in {
        "ndcg@5": "nDCG[exp2,zipf,ideal=retrieved]@5",
        "ndcg[linear]@5": "nDCG[linear,zipf,ideal=retrieved]@5",
        "map": "AP[relevant>=2]",
        "map(relevant=1)": "AP",
        "err": "ERR[max=3]",
        "rbp": "RBP(p=0.5)[relevant>=2]",
    }.items():
        assert measure(text, other).name == name


def test_several() -> None:
    assert list(measures(["P_10", " map "])) == ["P_10", "map"]
    assert list(measures("ndcg@10")) == ["ndcg@10"]
    with pytest.raises(rs.InputError, match=r"requested twice, AP: \['map', 'ap'\]"):
        measures(["map", "ap"])
    with pytest.raises(rs.InputError, match="no measure is requested"):
        measures([])


@pytest.mark.parametrize(
    "text",
    [
        "auc",
        "partial_auc(fpr<=0.1)",
        "weighted_auc(power(2))",
        "sensitivity(specificity=0.9)",
        None,
    ],
)
def test_measures_of_labels_are_none_of_lists(text: object) -> None:
    assert not is_of_lists(text)

from __future__ import annotations

import pytest

from rocsolid.errors import InputError
from rocsolid.measures.named import measure_of as measure
from rocsolid.measures.named import measures_of as measures
from rocsolid.measures.named import of_lists
from rocsolid.measures.partial_area import PartialArea


@pytest.mark.parametrize(
    ("text", "region", "scale"),
    [
        ("partial_auc(fpr<=0.05)", "fpr<=0.05", "raw"),
        (" partial_auc( fpr ≤ .05 ) ", "fpr<=0.05", "raw"),
        ("partial_auc(fpr<=5e-2)", "fpr<=0.05", "raw"),
        ("partial_auc(fpr>=0.5)", "fpr>=0.5", "raw"),
        ("partial_auc(0.01<=fpr<=0.1, scale=mcclish)", "0.01<=fpr<=0.1", "mcclish"),
        ("partial_auc(scale=mean,0.01≤fpr≤0.1)", "0.01<=fpr<=0.1", "mean"),
        ("partial_auc(tpr>=0.9)", "tpr>=0.9", "raw"),
        ("partial_auc(tpr<=1)", "all", "raw"),
        ("partial_auc(fpr<=0.1, tpr>=0.8)", "fpr<=0.1, tpr>=0.8", "raw"),
        ("partial_auc(0.6<=tpr<=0.8,0<=fpr<=0.1)", "fpr<=0.1, 0.6<=tpr<=0.8", "raw"),
    ],
)
def test_partial_areas(text: str, region: str, scale: str) -> None:
    found = measure(text)
    assert isinstance(found, PartialArea)
    assert str(found.region) == region
    assert found.scale == scale
    assert found.name == text.strip()


def test_the_auc() -> None:
    found = measure(" auc ")
    assert (found.name, found.region) == ("auc", None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("concordance", "two or more values"),
        ("vus", "two or more values.*alone"),
        ("", "unknown measure"),
        ("ndcg@10", "which rows belong to which query: 'ndcg@10'.*with qid="),
        ("auc()", "takes nothing"),
        ("partial_auc", "needs a region"),
        ("partial_auc()", "needs a region"),
        ("partial_auc(scale=mean)", "needs a region"),
        ("partial_auc(fpr<=0.05", "unknown measure"),
        ("partial_auc(fpr<=0.05) auc", "unknown measure"),
        ("partial_auc(fpr<0.05)", "not a region.*fpr<0.05"),
        ("partial_auc(fpr=0.05)", "not a region"),
        ("partial_auc(0.05)", "not a region"),
        ("partial_auc(fnr<=0.05)", "not a region"),
        ("partial_auc(fpr<=5%)", "not a region"),
        ("partial_auc(0.1>=fpr>=0.01)", "not a region"),
        ("partial_auc(fpr<=0.05,)", "not a region"),
        ("partial_auc(fpr>=0.01, fpr<=0.1)", "two regions for fpr.*0.01<=fpr<=0.1"),
        ("partial_auc(fpr<=0.1, scale=log)", "unknown scale.*mcclish"),
        ("partial_auc(fpr<=0.1, scale=raw, scale=mean)", "two scales"),
        ("partial_auc(fpr<=1.5)", "0 <= low < high <= 1"),
        ("partial_auc(0.2<=fpr<=0.1)", "0 <= low < high <= 1"),
        ("partial_auc(fpr<=0)", "0 <= low < high <= 1"),
        (3, "unknown measure"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        measure(text)


@pytest.mark.parametrize("text", ["pAUC", "partial_auc", "partial_auc(x)"])
def test_a_refusal_shows_how_to_write_it(text: str) -> None:
    with pytest.raises(InputError, match=r"partial_auc\(fpr<=0.05\)"):
        measure(text)


ALIASES = {  # as in scikit-learn, pROC, torchmetrics, torcheval, XGBoost, CatBoost and trec_eval
    "roc_auc": "auc",
    "roc_auc_score": "auc",
    "ROC-AUC": "auc",
    "AUC": "auc",
    "AUROC": "auc",
    "BinaryAUROC": "auc",
    "c-statistic": "auc",
    "PR_AUC": "pr_auc",
    "prauc": "pr_auc",
    "aucpr": "pr_auc",
    "auprc": "pr_auc",
    "AUPRC(davis-goadrich)": "pr_auc(davis-goadrich)",
    "average_precision": "pr_auc",
    "average_precision_score": "pr_auc",
    "AveragePrecision": "pr_auc",
    "BinaryAveragePrecision": "pr_auc",
    "AP": "pr_auc",
    "ap(prevalence=0.1)": "pr_auc(prevalence=0.1)",
    "pAUC(FPR<=0.1)": "partial_auc(fpr<=0.1)",
    "pauc(spec>=0.9)": "partial_auc(fpr<=0.1)",
    "partial_auc(Specificity >= .9)": "partial_auc(fpr<=0.1)",
    "partial_auc(0.8<=sens<=1)": "partial_auc(tpr>=0.8)",
    "Sens(spec=0.9)": "sensitivity(specificity=0.9)",
    "true_positive_rate(sp=.9)": "sensitivity(specificity=0.9)",
    "SPEC(se=0.8)": "specificity(sensitivity=0.8)",
    "Recall(FPR=0.1)": "sensitivity(specificity=0.9)",
    "precision(Recall=0.8)": "precision(recall=0.8)",
    "PPV(se=0.9, prevalence=0.02)": "ppv(sensitivity=0.9, prevalence=0.02)",
    "P@10": "precision@10",
    "R@5%": "recall@5%",
    "EF@1%": "enrichment@1%",
    "BEDROC(20)": "bedroc(20)",
}


@pytest.mark.parametrize("text", ALIASES)
def test_aliases(text: str) -> None:
    found, kind = measure(text), ALIASES[text].partition("(")[0].partition("@")[0]
    assert found.text == ALIASES[text]
    assert found.name.startswith(("recall(", kind))  # results show the name of the row
    assert found.name.partition("(")[2] == text.partition("(")[2]
    assert not of_lists(text, queries=False)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("sensitivty(specificity=0.9)", "sensitivity(specificity=0.9)"),
        ("partail_auc(fpr<=0.1)", "partial_auc(fpr<=0.1)"),
        ("acu", "auc"),
        ("precison@5%", "precision@5%"),
        ("avrage_precision", "average_precision"),
        ("roc_auc_scor", "roc_auc_score"),
    ],
)
def test_a_suggestion_is_the_same_word(text: str, near: str) -> None:
    with pytest.raises(InputError) as caught:
        measure(text)
    assert str(caught.value.fix).startswith(f"did you mean {near!r}? ")
    assert measure(near)  # it can be pasted


@pytest.mark.parametrize(
    "text",
    ["auprg", "aurc", "f1", "brier", "accuracy", "mcc", "log_loss", "balanced_accuracy", "wauc",
     "uauc", "hmeasure", "npv", "recal_rate", "auc_mu", "kappa", "ks", "precision_recall",
     "pauroc"],
)  # fmt: skip
def test_no_suggestion_names_another_measure(text: str) -> None:
    """AUPRG is not AUPRC, nor is AURC the AUROC: one letter is another measure."""
    with pytest.raises(InputError) as caught:
        measure(text)
    assert "did you mean" not in str(caught.value)
    assert "write" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("specificity>=0.9", r"no measure: 'specificity>=0.9'.*partial_auc\(specificity>=0.9\)"),
        ("0.01<=fpr<=0.1", r"partial_auc\(0.01<=fpr<=0.1\)"),
        ("Gini", "2·AUC − 1.*write auc"),
        ("c_index", "two or more values.*it is auc"),
        (
            "roc_auc(max_fpr=0.1)",
            r"takes nothing in brackets: 'roc_auc\(max_fpr=0.1\)'.*partial_auc",
        ),
        ("map", "which rows belong to which query: 'map'"),
        ("NDCG_cut_10", "which rows belong to which query"),
        ("pAUC", "needs a region: 'pAUC'"),
        ("pAUC(x)", r"not a region of rates: 'x' \(pAUC\(x\)\)"),
        ("P@x", "not a valid measure: 'P@x'"),
        ("ndgc@10", "did you mean 'ndcg@10'"),
        ("lift", "lift needs a cut, such as lift@10%"),
        ("Sens@0.9", r"Sens takes no cut: .*write sensitivity\(specificity=0.9\)\."),
        ("auc@10", r"auc takes no cut: 'auc@10' .*write auc\."),
        ("Enrichment", "needs a cut, such as enrichment@1%"),
    ],
)
def test_what_else_is_said(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        measure(text)


def test_the_rows_decide_what_a_shared_name_means() -> None:
    for text in ("AP", "average_precision", "average_precision_score", "precision@10", "R@10"):
        assert of_lists(text, queries=True)
        assert not of_lists(text, queries=False)
    for text in ("map", "ndcg_cut_10", "mrr"):
        assert of_lists(text, queries=False)
    for text in ("roc_auc", "pauc(fpr<=0.1)", "auprc"):
        assert not of_lists(text, queries=True)


def test_several() -> None:
    assert [m.name for m in measures("auc")] == ["auc"]
    both = measures(["auc", "partial_auc(fpr<=0.05)", "partial_auc(fpr<=0.05, scale=mean)"])
    assert len(both) == 3
    with pytest.raises(InputError, match="twice"):
        measures(["partial_auc(fpr<=0.05)", "partial_auc(0<=fpr<=.05)"])
    with pytest.raises(InputError, match="twice"):
        measures(["auc", "roc_auc"])
    with pytest.raises(InputError, match="no measure"):
        measures([])


def test_an_unknown_name_comes_with_the_nearest_one_and_the_aliases() -> None:
    with pytest.raises(InputError, match="the nearest name is 'auc'") as caught:
        measure("aucc")
    assert '"auc" (roc_auc, auroc)' in str(caught.value.fix)


@pytest.mark.parametrize(
    "text", ["sensitivity(specificity=90)", "specificity(sensitivity=90)", "precision(recall=90)"]
)
def test_a_rate_in_percent_is_said_as_a_share(text: str) -> None:
    with pytest.raises(InputError, match=r"write 0\.9 for 90 %"):
        measure(text)

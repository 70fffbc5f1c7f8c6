from __future__ import annotations

import pytest

from rocsolid.errors import InputError
from rocsolid.measures.named import measure_of as measure
from rocsolid.measures.named import measures_of as measures
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
        ("concordance", "need not be two"),
        ("", "unknown measure"),
        ("AUC", "unknown measure"),
        ("ndcg@10", "which rows belong to which query: 'ndcg@10'.*with qid, as"),
        ("pauc(fpr<=0.05)", "unknown measure"),
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


@pytest.mark.parametrize("text", ["pauc", "partial_auc", "partial_auc(x)"])
def test_a_refusal_shows_how_to_write_it(text: str) -> None:
    with pytest.raises(InputError, match=r"partial_auc\(fpr<=0.05\)"):
        measure(text)


def test_several() -> None:
    assert [m.name for m in measures("auc")] == ["auc"]
    both = measures(["auc", "partial_auc(fpr<=0.05)", "partial_auc(fpr<=0.05, scale=mean)"])
    assert len(both) == 3
    with pytest.raises(InputError, match="twice"):
        measures(["partial_auc(fpr<=0.05)", "partial_auc(0<=fpr<=.05)"])
    with pytest.raises(InputError, match="no measure"):
        measures([])

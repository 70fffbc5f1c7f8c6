"""What to cite for each kind of result."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.default_rng(7)
Y = RNG.integers(0, 2, 120)
A, B, C = (RNG.normal(size=120) + shift * Y for shift in (1.0, 0.5, 0.0))
GRADE, QID = RNG.integers(0, 3, 120), np.repeat(np.arange(12), 10)
TABLE = {"y": Y, "a": A, "b": B, "site": RNG.integers(0, 2, 120)}
LISTS = {"y": GRADE, "a": A, "b": B, "q": QID}
MODELS = {"a": A, "b": B, "c": C}

CASES: list[tuple[str, Callable[[], Any], list[str]]] = [
    ("auc", lambda: rs.auc(Y, A), ["hanley1982", "delong1988", "hoeffding1963"]),
    ("interval", lambda: rs.auc(Y, A, interval="newcombe5").interval, ["newcombe2006"]),
    ("bootstrap", lambda: rs.auc(Y, A, interval="bootstrap-bca", resamples=200), ["efron1987"]),
    ("clusters", lambda: rs.auc(Y, A, cluster=QID, design="fixed"), ["mcdiarmid1989"]),
    ("partial", lambda: rs.partial_auc(Y, A, fpr=0.2), ["mcclish1989", "berkjones1979"]),
    ("two-way", lambda: rs.partial_auc(Y, A, fpr=0.5, tpr=0.5), ["yang2019"]),
    ("weighted", lambda: rs.weighted_auc(Y, A, weight=rs.weights.power(2)), ["maurer2020"]),
    ("multiclass", lambda: rs.multiclass_auc(GRADE, RNG.random((120, 3)), scheme="ovo"),
     ["handtill2001", "zou2008"]),
    ("concordance", lambda: rs.concordance(GRADE, A), ["harrell1982", "hoeffding1963"]),
    ("volume", lambda: rs.concordance(GRADE, A, scale="vus"), ["nakas2004", "dreiseitl2000"]),
    ("somers", lambda: rs.concordance(GRADE, A, scale="somers_d"), ["somers1962"]),
    ("delong", lambda: rs.compare(Y, MODELS), ["delong1988", "holm1979"]),
    ("all equal", lambda: rs.compare(Y, MODELS), ["hotelling1931"]),
    ("all equal, as pROC", lambda: rs.compare(Y, MODELS, test="delong"), ["delong1988"]),
    ("max-t", lambda: rs.compare(Y, MODELS, adjust="max-t"), ["westfall1993"]),
    ("permutation", lambda: rs.compare(Y, MODELS, test="permutation", resamples=99),
     ["bandos2005", "chung2013"]),
    ("curves", lambda: rs.compare(Y, {"a": A, "b": B}, test="venkatraman-curves", resamples=99),
     ["venkatraman1996"]),
    ("samples", lambda: rs.compare({"a": (Y, A), "b": (Y, B)}), ["welch1947"]),
    ("ndcg", lambda: rs.ndcg(GRADE, A, qid=QID), ["jarvelin2002", "student1908"]),
    ("tied lists", lambda: rs.ndcg(GRADE, A.round(), qid=QID), ["mcsherry2008"]),
    ("err", lambda: rs.err(GRADE, A, qid=QID, max_grade=2), ["chapelle2009"]),
    ("rbp", lambda: rs.rbp(GRADE, A, qid=QID, p=0.8), ["moffat2008"]),
    ("bpref", lambda: rs.bpref(GRADE, A, qid=QID), ["buckley2004"]),
    ("systems", lambda: rs.compare(GRADE, MODELS, qid=QID, measure="ndcg@5", adjust="tukey"),
     ["carterette2012", "box1954", "brunner1997"]),
    ("signs", lambda: rs.compare(GRADE, MODELS, qid=QID, measure="map", test="sign-flip"),
     ["fisher1935", "hartigan1969"]),
    ("clusters", lambda: rs.auc(Y, A, cluster=[i // 2 for i in range(len(Y))]), ["obuchowski1997"]),
    ("table", lambda: rs.evaluate(TABLE, label="y", scores=["a", "b"], by="site"), ["pepe2003"]),
    ("queries", lambda: rs.evaluate(LISTS, label="y", scores=["a", "b"], qid="q"),
     ["waudbysmith2024"]),
    ("public", lambda: rs.evaluate(TABLE, label="y", scores="a").public(max_posterior=1.0),
     ["hoeffding1963"]),
    ("bracket", lambda: rs.results.Bracket(11, 1, 2, 4), ["agarwal2005"]),
    ("curve", lambda: rs.roc(Y, A), ["hanley1982", "konstantin2011"]),
    ("guesses", lambda: rs.leaks.improve("0.75", [0.9, 0.6, 0.4, 0.2]),
     ["whitehill2016", "whitehill2019"]),
    ("error rate", lambda: rs.plan.auc_at_error_rate(2, 4, 6), ["cortes2003", "cortes2004"]),
    ("error rate, rows", lambda: rs.plan.error_rate_samples(0.1, prevalence=0.3),
     ["agarwal2005"]),
    ("band", lambda: rs.roc(Y, A).band(), ["clopper1934"]),
    ("smooth", lambda: rs.roc(Y, A).smooth(method="density"), ["silverman1986"]),
    ("youden", lambda: rs.roc(Y, A).best("youden"), ["youden1950"]),
    ("power", lambda: rs.plan.auc_power(auc=0.7, n_pos=50, n_neg=50), ["obuchowski2004"]),
    ("precision", lambda: rs.plan.auc_precision(auc=0.7, n_pos=50, n_neg=50), ["birnbaum1956"]),
    ("queries to judge", lambda: rs.plan.query_power(difference=0.05, sd=0.2, power=0.8),
     ["sakai2016"]),
    ("labelings", lambda: rs.leaks.count("0.75", 8), ["whitehill2019"]),
    ("deviation", lambda: rs.guarantees.deviation("hinge", 30, 40), ["hoeffding1963"]),
    ("several", lambda: {"x": [rs.auc(Y, A)], "y": (rs.leaks.count("0.75", 8),)},
     ["delong1988", "whitehill2019"]),
]  # fmt: skip


@pytest.mark.parametrize(("result", "keys"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_works_of_a_result(result: Callable[[], Any], keys: list[str]) -> None:
    found = rs.cite(result())
    of = [entry.key for entry in found.entries]
    assert set(keys) <= set(of)
    assert of[-1] == "rocsolid"
    assert len(set(of)) == len(of)
    assert len(set(found.sentences)) == len(found.sentences)
    assert all(text.endswith(".") and "  " not in text for text in found.sentences)
    for entry in found.entries[:-1]:  # each is named by a sentence, and none is named that is not
        assert any(entry.short in text for text in found.sentences)


def test_the_parts_go_together() -> None:
    found = rs.cite(rs.auc(Y, A, interval="logit-t"))
    assert isinstance(found, rs.results.Citations)
    assert (
        "The 95 % interval is logit-t: DeLong et al. (1988) (variance); Pepe (2003), section 5.2 "
        "(logit scale); Welch (1947) (degrees of freedom)." in found.sentences
    )
    assert str(found) == "\n".join([*found.sentences, "", found.bibtex])
    plain = json.loads(json.dumps(found.to_dict()))
    assert list(plain) == ["sentences", "entries", "bibtex"]
    assert [each["key"] for each in plain["entries"]] == [entry.key for entry in found.entries]
    assert found.bibtex.count("@") == len(found.entries)


def test_each_measure_comes_once_though_many_results_have_it() -> None:
    found = rs.cite(rs.evaluate(TABLE, label="y", scores=["a", "b"], by="site"))
    assert sum("measure" in text for text in found.sentences) == 1


@pytest.mark.parametrize("thing", [0.7, "auc", None, np.zeros(3), object()])
def test_what_is_no_result_is_refused(thing: Any) -> None:
    with pytest.raises(rs.InputError, match="no result of rocsolid"):
        rs.cite(thing)


def test_the_test_that_all_are_equal_is_the_one_that_was_made() -> None:
    said = [s for s in rs.cite(rs.compare(Y, MODELS)).sentences if "all are equal" in s]
    assert said == ["The test that all are equal is hotelling: Hotelling (1931)."]
    said = [s for s in rs.cite(rs.compare(Y, MODELS, test="delong")).sentences if "equal" in s]
    assert said == ["The test that all are equal is chi2: DeLong et al. (1988)."]

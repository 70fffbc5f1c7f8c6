"""skore accepts the checks, and lists their sentences."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import rocsolid as rs

CODE = """
import json, sys
import numpy as np
from sklearn.linear_model import LinearRegression, LogisticRegression
from skore import CrossValidationReport, EstimatorReport
import rocsolid as rs

data = json.load(sys.stdin)
x, y = np.array(data["x"]), np.array(data["y"])
few = slice(0, 16)
model = LogisticRegression().fit(x, y)
reports = {
    "few": EstimatorReport(model, X_test=x[few], y_test=y[few]),
    "all": EstimatorReport(model, X_test=x, y_test=y),
    "folds": CrossValidationReport(LogisticRegression(), X=x[:30], y=y[:30], splitter=3),
    "amounts": EstimatorReport(LinearRegression().fit(x, x[:, 0]), X_test=x, y_test=x[:, 0]),
}
found = {}
for name, report in reports.items():
    report.checks.add(rs.sklearn.skore_checks())
    frame = report.checks.summarize(ignore=["ROC011"]).frame()
    ours = frame[frame.code.str.startswith("ROC")]
    found[name] = {row.code: [row.section, row.explanation] for row in ours.itertuples()}
print(json.dumps(found))
"""
RNG = np.random.default_rng(2)
Y = np.arange(200) % 2
X = RNG.normal(size=(200, 2)) + 1.5 * Y[:, None]


def test_skore_lists_them(others: Callable[..., Any]) -> None:
    found = others(CODE, "", {"x": X.tolist(), "y": Y.tolist()})
    scores = LogisticRegression().fit(X, Y).decision_function(X[:16])
    assert found["few"]["ROC001"] == ["issue", " ".join(rs.auc(Y[:16], scores).warnings)]
    assert found["few"]["ROC131"][0] == "not_applicable"
    assert found["all"]["ROC001"][0] == "passed"
    section, sentence = found["folds"]["ROC131"]
    assert section == "issue"
    assert "smaller class counts as 15 independent rows" in sentence
    assert found["folds"]["ROC132"][0] == "passed"
    assert {each["ROC011"][0] for each in found.values()} == {"ignored"}
    section, sentence = found["amounts"]["ROC001"]
    assert (section, sentence) == (
        "not_applicable", "An AUC needs two classes. The task is regression."
    )  # fmt: skip


class Report(SimpleNamespace):
    """The attributes of a report that the checks read."""

    __hash__ = object.__hash__


@pytest.fixture
def skore(monkeypatch: pytest.MonkeyPatch) -> None:
    module = SimpleNamespace(CheckNotApplicable=LookupError)
    monkeypatch.setitem(__import__("sys").modules, "skore", module)


def test_sentences_are_those_of_the_estimate(skore: None) -> None:
    labels = np.where(Y == 1, "ill", "well")
    model = LogisticRegression().fit(X, labels)
    part = {"estimator_": model, "pos_label": "ill", "ml_task": "binary-classification"}
    report = Report(X_test=-X[:16], y_test=labels[:16], **part)
    found = {c.code: c.check_function(report) for c in rs.sklearn.skore_checks()}
    estimate = rs.auc(labels[:16], model.decision_function(X[:16]), pos_label="ill")
    assert found["ROC001"] == " ".join(w for w in estimate.warnings if w.code == "ROC001")
    assert found["ROC011"] == next(w for w in estimate.warnings if w.code == "ROC011")
    assert found["ROC009"] is None
    with pytest.raises(LookupError, match="regression"):
        rs.sklearn.skore_checks()[0].check_function(Report(ml_task="regression"))

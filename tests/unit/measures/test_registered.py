"""A measure that a user registers, in Python or by a plug-in, is one like all others."""

from __future__ import annotations

import json
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.measures import named
from rocsolid.measures.binary_measure import ScoredRows


@dataclass(frozen=True)
class Matthews(rs.measures.ResampledMeasure):
    """The correlation of the label with a score at or above a threshold (Matthews, 1975)."""

    threshold: float = 0.5
    words: ClassVar[str] = "the correlation of the label with a score at or above a threshold"
    aliases: ClassVar[tuple[str, ...]] = ("mcc",)
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    @property
    def text(self) -> str:
        return f"matthews(threshold={self.threshold:g})"

    @property
    def parameters(self) -> tuple[rs.measures.MeasureParameter, ...]:
        return (
            rs.measures.MeasureParameter(
                "threshold", "scores from here on count as positive", "threshold=0.5",
                lambda value, _: float(value), "0.5",
            ),
        )  # fmt: skip

    def value(self, table: Any) -> float:
        above = table.score >= self.threshold
        return correlation(*(side[part].sum() for side in (table.pos, table.neg)
                             for part in (above, ~above)))  # fmt: skip

    def chance(self, table: Any) -> float:  # noqa: ARG002
        return 0.0

    def influence(self, rows: Any) -> NDArray[np.float64]:
        above = rows.score >= self.threshold
        weight = np.ones(len(above)) if rows.weight is None else rows.weight
        parts = [rows.positive & above, rows.positive & ~above,
                 ~rows.positive & above, ~rows.positive & ~above]  # fmt: skip
        sums = np.array([weight[part].sum() for part in parts])
        slope = np.empty(len(above))
        for step, part in zip(1e-4 * sums.sum() * np.eye(4), parts, strict=True):
            slope[part] = (correlation(*(sums + step)) - correlation(*(sums - step))) / (
                2.0 * step.sum()
            )
        of_class = [weight[~rows.positive].sum(), weight[rows.positive].sum()]
        return np.array(of_class)[rows.positive.astype(int)] * slope


def correlation(tp: float, fn: float, fp: float, tn: float) -> float:
    scale = np.sqrt(float(tp + fp) * float(tp + fn) * float(tn + fp) * float(tn + fn))
    return float((float(tp) * float(tn) - float(fp) * float(fn)) / scale) if scale else 0.0


RNG = np.random.default_rng(6)
Y = RNG.integers(0, 2, 240)
TABLE = {
    "y": Y,
    "a": 1 / (1 + np.exp(-(2 * Y - 1 + RNG.normal(size=240)))),
    "b": 1 / (1 + np.exp(-(Y - 0.5 + 2 * RNG.normal(size=240)))),
    "site": np.arange(240) % 3,
    "w": RNG.random(240) + 0.5,
    "ward": np.arange(240) // 4,
}


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named, "_REGISTERED", {})
    monkeypatch.setattr(named, "_loaded", [])
    rs.measures.register(Matthews())


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("threshold", [0.3, 0.5])
def test_its_value_is_that_of_scikit_learn(weight: str | None, threshold: float) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    answer = rs.evaluate(
        TABLE, label="y", scores=["a", "b"], measures=f"MCC(threshold={threshold})", by="site",
        sample_weight=weight, resamples=50,
    )  # fmt: skip
    assert len(answer.results) == 8
    for entry in answer.results:
        rows = np.ones(240, bool) if entry.by is None else TABLE["site"] == entry.by["site"]
        given = None if weight is None else TABLE["w"][rows]
        flagged = TABLE[entry.score][rows] >= threshold
        assert entry.value == pytest.approx(
            metrics.matthews_corrcoef(Y[rows], flagged, sample_weight=given)
        )
        assert entry.low < entry.value < entry.high


def test_its_interval_is_as_wide_as_its_influences_say() -> None:
    """Two routes to one variance: resamples of rows, and the influence of each row."""
    rows = rs.evaluate(TABLE, label="y", scores="a", measures="mcc", resamples=4000).results[0]
    scored = ScoredRows(named_rows(TABLE["a"]))
    spread = named.measure_of("mcc").spread([scored])
    assert spread is not None
    assert rows.std_error == pytest.approx(np.sqrt(spread.covariance()[0, 0]), rel=0.06)


def named_rows(score: NDArray[np.float64]) -> Any:
    from rocsolid.inputs.binary import binary_rows

    return binary_rows(Y, score)


@pytest.mark.parametrize("cluster", [None, "ward"])
def test_every_verb_takes_it(cluster: str | None) -> None:
    compared = rs.compare(
        TABLE, label="y", scores=["a", "b"], measure="mcc", cluster=cluster
    ).comparisons[None]  # fmt: skip
    resampled = rs.compare(
        TABLE, label="y", scores=["a", "b"], measure="mcc", cluster=cluster, test="bootstrap"
    ).comparisons[None]  # fmt: skip
    ours, theirs = compared.pairs[0], resampled.pairs[0]
    assert ours.difference == theirs.difference
    assert ours.std_error == pytest.approx(theirs.std_error, rel=0.1)
    one = {"score": "a", "measure": "mcc"}
    rules = [{**one, "at_least": 0.2}, {**one, "better_than": "b"}]
    policy = {"label": "y", "rule": rules, **({"cluster": cluster} if cluster else {})}
    decision = rs.gate(policy, TABLE)
    assert [ruling.verdict for ruling in decision.rulings] == ["pass", "pass"]
    assert decision.rulings[1].value == pytest.approx(ours.difference)
    with pytest.raises(rs.UnsoundError, match="no guarantee is known"):
        rs.certify(TABLE, label="y", scores="a", measure="mcc", independent=True)
    assert "matthews" in [one.name for one in rs.measures.table()]


def test_every_form_says_it() -> None:
    answer = rs.evaluate(TABLE, label="y", scores=["a", "b"], measures=["mcc", "auc"])
    json.dumps(answer.to_dict())
    assert answer.answer()[0].startswith("a has the highest matthews")
    for text in (answer.to_markdown(), answer.to_html(), answer._repr_html_(), str(answer)):
        assert "matthews" in text
    back = pickle.loads(pickle.dumps(answer))
    assert back.to_dict() == answer.to_dict()


def test_without_influences_only_resamples_compare() -> None:
    @dataclass(frozen=True)
    class Plain(rs.measures.ResampledMeasure):
        text = "hits"
        words = "the share of positives at 0.5 or above"

        def value(self, table: Any) -> float:
            return float(table.pos[table.score >= 0.5].sum() / table.pos.sum())

        def chance(self, table: Any) -> float:  # noqa: ARG002
            return 0.5

    rs.measures.register(Plain())
    asked: dict[str, Any] = {"label": "y", "scores": ["a", "b"], "measure": "hits"}
    with pytest.raises(rs.UnsoundError, match='use test="bootstrap"'):
        rs.compare(TABLE, **asked)
    compared = rs.compare(TABLE, **asked, test="bootstrap", resamples=200).comparisons[None]
    assert compared.estimates["a"].value == np.mean(TABLE["a"][Y == 1] >= 0.5)
    verdict = rs.evaluate(TABLE, label="y", scores=["a", "b"], measures="hits").answer()
    assert verdict[1] == "The scores are not compared: no formula gives the variance of hits."


def made(**names: Any) -> rs.measures.ResampledMeasure:
    kind = type("Named", (Matthews,), {"aliases": (), **names})
    return kind()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"text": "auc"}, "a measure of this name exists.*my_auc"),
        ({"text": "PR_AUC"}, "a measure of this name exists"),
        ({"text": "precision_at"}, None),
        ({"text": "lift"}, "a measure of this name exists"),
        ({"text": "gini"}, "a measure of this name exists"),
        ({"text": "mcc"}, "a measure of this name exists"),
        ({"text": "ndgc"}, "reads as a measure of ranked lists"),
        ({"text": "mine", "aliases": ("AUROC",)}, "a measure of this name exists.*'AUROC'"),
        ({"text": "hits@5"}, "one word of letters"),
        ({"text": "mine(k=5)"}, "mine has no such setting: 'k=5'"),
        ({"text": "mine(threshold=0.7)"}, "must read back as the same measure"),
    ],
)
def test_a_name_that_clashes_or_cannot_be_read_is_refused(
    given: dict[str, Any], reason: str | None
) -> None:
    if reason is None:
        rs.measures.register(made(**given))
        assert named.measure_of(given["text"]).name == given["text"]
        return
    with pytest.raises(rs.InputError, match=reason):
        rs.measures.register(made(**given))
    assert list(named._REGISTERED) == ["matthews"]


def test_what_is_no_instance_is_refused() -> None:
    with pytest.raises(rs.InputError, match="give an instance of a frozen subclass"):
        rs.measures.register(Matthews)  # type: ignore[arg-type]


def test_the_same_class_takes_the_place_of_its_former_self() -> None:
    rs.measures.register(Matthews(0.3))
    assert named.measure_of("mcc") == Matthews(0.3)


PLUGIN = """
from dataclasses import dataclass
import rocsolid as rs

@dataclass(frozen=True)
class Youden(rs.measures.ResampledMeasure):
    text, aliases = "youden", ("youden_j",)
    words = "the largest difference between the two rates"

    def value(self, table):
        gap = table.neg.cumsum() / table.neg.sum() - table.pos.cumsum() / table.pos.sum()
        return max(float(gap.max()), 0.0)

    def chance(self, table):
        return 0.0

youden = Youden()
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "youden_plugin", raising=False)
    (tmp_path / "youden_plugin.py").write_text(PLUGIN, "utf-8")
    info = tmp_path / "youden_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: youden-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[rocsolid.measures]\nyouden = youden_plugin:youden\n")
    lines = [f"{y},{a},{b}" for y, a, b in zip(Y, TABLE["a"], TABLE["b"], strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(["y,a,b", *lines]), "utf-8")
    return tmp_path


ROWS = ("rows.csv", "--label", "y", "--score", "a", "--score", "b")


@pytest.mark.usefixtures("plugin")
def test_the_command_line_finds_what_a_package_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", *ROWS, "--measure", "Youden-J", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)["results"][0]
    gap = [np.mean(TABLE["a"][Y == 1] >= t) - np.mean(TABLE["a"][Y == 0] >= t) for t in TABLE["a"]]
    assert result["measure"] == "youden"
    assert result["value"] == pytest.approx(max(gap))
    assert run(["compare", *ROWS, "--measure", "youden", "--test", "bootstrap"]) == 0
    assert "highest youden" in capsys.readouterr().out
    assert run(["measures"]) == 0
    assert "youden_j" in capsys.readouterr().out


def test_a_plugin_that_cannot_be_read_is_named(
    plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (plugin / "youden_plugin.py").write_text(PLUGIN.replace('"youden", ', '"auc", '))
    assert run(["measures"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "entry point youden of youden-plugin" in said
    assert "a measure of this name exists" in said
    assert run(["measures"]) == 2  # said each time
    assert run(["evaluate", *ROWS]) == 0

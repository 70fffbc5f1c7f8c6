"""Precision, recall and the top of the list: intervals, designs, names, forms and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom
from sklearn.metrics import precision_recall_curve

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.evaluation.evaluate_table import evaluate
from rocsolid.inputs import BinaryRows
from rocsolid.measures.named import measure_of
from rocsolid.summaries.spread import Spread

RNG = np.random.default_rng(5)
N = 400
Y = RNG.random(N) < 0.2
A = (RNG.normal(size=N) + 1.5 * Y).round(1)
B = (RNG.normal(size=N) + 1.2 * Y).round(1)
TABLE = {"y": Y, "a": A, "b": B, "c": np.arange(N) // 4, "w": RNG.random(N) + 0.5}
NAMES = (
    "pr_auc", "pr_auc(davis-goadrich)", "precision@40", "precision@5%", "recall@40", "lift@5%",
    "enrichment@2%", "bedroc(20)", "gain", "precision(recall=0.8)",
    "ppv(sensitivity=0.9, prevalence=0.02)",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_order_of_weighted_rows_is_nothing_at_an_end(name: str, seed: int) -> None:
    """Weights leave a perfect ranking a value of 1, or of 1 − 1e-16, as sums happen to round."""
    rng, limits = np.random.default_rng(seed), set()
    y, weight = np.arange(60) % 3 == 0, rng.random(60) + 0.5
    for _ in range(6):
        order = rng.permutation(60)
        table = {"y": y[order], "s": y[order] * 1.0, "w": weight[order]}
        asked = {"measures": name, "sample_weight": "w", "resamples": 50}
        one = evaluate(table, label="y", scores="s", **asked).results[0]
        if "bootstrap" not in one.method:
            limits.add((round(one.low, 9), round(one.high, 9)))
    assert len(limits) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_each_has_both_intervals_and_every_form(name: str) -> None:
    found = evaluate(TABLE, label="y", scores="a", measures=name, resamples=200)
    one = found.results[0]
    assert one.measure == name
    assert measure_of(measure_of(name).text).text == measure_of(name).text
    assert one.low < one.value < one.high
    assert one.certified is not None
    assert one.certified.certified
    assert one.certified.low <= one.value <= one.certified.high
    json.dumps(found.to_dict(), allow_nan=False)
    assert name in found.to_markdown().replace("\\_", "_")
    assert one.meaning.format(value="", percent="", ties="").split()[0] in one.explain()


def test_where_rows_are_the_sample_their_prevalence_takes_a_part_of_the_error() -> None:
    """The variance of rows is that of the classes and c²(1/m + 1/n) more; see `Spread.of`."""
    rows, classes = (rs.pr_auc(Y, A, prevalence=of) for of in ("rows", "classes"))
    assert rows.value == classes.value
    pulls = measure_of("pr_auc").influence(_rows())
    m = int(Y.sum())
    more = pulls[Y].mean() ** 2 * (1 / m + 1 / (N - m))
    assert rows.std_error**2 - classes.std_error**2 == pytest.approx(more, rel=0.05)
    assert rows.certified.width > classes.certified.width


def test_a_bootstrap_of_rows_finds_the_same_variance() -> None:
    drawn = np.random.default_rng(1)
    values = []
    for _ in range(200):
        at = drawn.integers(0, N, N)
        values.append(_precision_at(Y[at], A[at]))
    found = evaluate(TABLE, label="y", scores="a", measures="precision@10%").results[0]
    assert found.std_error == pytest.approx(np.std(values), rel=0.25)


def _precision_at(y: np.ndarray, s: np.ndarray) -> float:
    return (
        evaluate({"y": y, "s": s}, label="y", scores="s", measures="precision@10%").results[0].value
    )


def _rows() -> BinaryRows:
    return BinaryRows(Y, A)


def test_the_variance_of_steps_is_that_of_the_rows() -> None:
    pulls = measure_of("pr_auc").influence(_rows())
    variance = Spread.of(_rows(), [pulls], centred=False).own(0).total[0, 0]
    assert rs.pr_auc(Y, A).std_error == pytest.approx(np.sqrt(variance), rel=1e-9)


def test_a_known_prevalence_is_that_of_negatives_written_out() -> None:
    many = np.where(Y, 1, 7)
    there = int(Y.sum()) / (int(Y.sum()) + 7 * int((~Y).sum()))
    written = rs.pr_auc(np.repeat(Y, many), np.repeat(A, many)).value
    assert rs.pr_auc(Y, A, prevalence=there).value == pytest.approx(written, rel=1e-12)


@pytest.mark.parametrize("interval", ["bootstrap", "bootstrap-percentile", "logit-t", "rate-bands"])
def test_methods_by_name(interval: str) -> None:
    one = rs.pr_auc(Y, A, interval=interval, resamples=200)
    assert one.low < one.value < one.high
    assert one.settings.get("scheme") == ("plain" if "bootstrap" in interval else None)
    if interval == "rate-bands":
        assert one.interval == one.certified


def test_at_an_end_the_hull_stands() -> None:
    one = rs.pr_auc([1] * 10 + [0] * 90, [2.0] * 10 + [1.0] * 90)
    assert one.value == one.high == 1.0
    assert one.low == pytest.approx(0.025 ** (1 / 10), rel=1e-9)  # Clopper and Pearson's
    top = evaluate(
        {"y": [1] * 10 + [0] * 90, "s": np.arange(100)[::-1]}, label="y", scores="s",
        measures=["precision@5", "lift@5"],
    ).results  # fmt: skip
    assert top[0].low == pytest.approx(0.025 ** (1 / 5), rel=1e-9)
    assert top[1].value == 10.0
    assert top[1].high > 10.0  # the share of positives may be lower than here


@pytest.mark.parametrize("name", ["pr_auc", "precision@10%", "lift@10%", "bedroc(20)", "gain"])
@pytest.mark.parametrize("design", [{}, {"cluster": "c"}, {"sample_weight": "w"}])
def test_comparisons(name: str, design: dict[str, str]) -> None:
    found = compare_table(TABLE, label="y", scores=["a", "b"], measure=name, **design)
    pair = found.comparisons[None].pairs[0]
    values = [
        one.value
        for one in evaluate(TABLE, label="y", scores=["a", "b"], measures=name, **design).results
    ]
    assert pair.difference == pytest.approx(values[0] - values[1])
    assert pair.low < pair.difference < pair.high
    assert 0.0 < pair.p_value <= 1.0


def test_clusters_of_one_row_change_little_and_copies_make_it_wider() -> None:
    alone = rs.pr_auc(Y, A, cluster=np.arange(N))
    assert alone.std_error == pytest.approx(rs.pr_auc(Y, A).std_error, rel=0.02)
    twice = rs.pr_auc(np.tile(Y, 2), np.tile(A, 2), cluster=np.tile(np.arange(N), 2))
    assert twice.std_error == pytest.approx(alone.std_error, rel=1e-6)
    assert twice.certified is None


def test_the_curve_is_scikit_learns_and_its_band_holds_it() -> None:
    curve = rs.precision_recall(Y, A)
    precision, recall, thresholds = precision_recall_curve(Y, A)
    assert curve.precision[::-1] == pytest.approx(precision[:-1], rel=1e-12)
    assert curve.recall[::-1] == pytest.approx(recall[:-1], rel=1e-12)
    assert curve.thresholds[::-1].tolist() == thresholds.tolist()
    assert curve.baseline == Y.mean()
    point = curve.best(2.0)
    every = [curve.at(threshold=t).f_score(2.0) for t in curve.thresholds]
    assert point.f_score(2.0) == max(every)
    band = curve.band()
    assert ((band.precision_low <= 1) & (band.recall_low <= band.recall_high)).all()
    turned = rs.precision_recall(Y, -A, lower_is_better=True)
    assert turned.at(recall=0.5).precision == curve.at(recall=0.5).precision
    assert turned.at(threshold=-1.0).flagged == curve.at(threshold=1.0).flagged


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pr_auc(linear)", "not a kind"),
        ("pr_auc(prevalence=2)", "not a prevalence"),
        ("precision@", "not a valid measure"),
        ("precision@0.5", "not a valid measure"),
        ("lift@150%", "below 100 %"),
        ("bedroc", "write gain, or bedroc"),
        ("bedroc(-1)", "write gain, or bedroc"),
        ("precision(fpr=0.1)", "needs a recall or a cut"),
        ("precision(recall=1.5)", "strictly between 0 and 1"),
    ],
)
def test_what_is_refused(name: str, said: str) -> None:
    with pytest.raises(rs.InputError, match=said):
        evaluate(TABLE, label="y", scores="a", measures=name)


def test_too_few_rows_are_said() -> None:
    with pytest.raises(rs.UnsoundError, match="there are no 400 rows to cut off"):
        evaluate(TABLE, label="y", scores="a", measures="precision@400")
    with pytest.raises(rs.UnsoundError, match="independent rows of equal weight"):
        rs.pr_auc(Y, A, kind="trapezoid", interval="rate-bands")


def test_with_queries_names_are_those_of_lists_and_one_list_is_pointed_here() -> None:
    of_rows = evaluate(TABLE, label="y", scores="a", measures="precision@10").results[0]
    of_lists = evaluate(TABLE, label="y", scores="a", qid="c", measures="precision@10")
    assert of_rows.measure == "precision@10"
    assert of_lists.qid == "c"
    one = rs.reciprocal_rank(Y.astype(int), A)
    assert any("rs.pr_auc" in said for said in one.warnings)
    pair = rs.compare(Y, {"a": A, "b": B}, measure="recall@40").pairs[0]
    assert -1.0 < pair.difference < 1.0


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    lines = [f"{int(y)},{a},{b}" for y, a, b in zip(Y, A, B, strict=True)]
    path.write_text("\n".join(["y,a,b", *lines]))
    asked = [str(path), "--label", "y", "--score", "a", "--measure", "pr_auc"]
    assert run(["evaluate", *asked, "--measure", "precision@5%", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["results"]
    assert [one["value"] for one in found] == pytest.approx(
        [rs.pr_auc(Y, A).value, measure_of("precision@5%").found(_rows()).value]
    )
    assert run(["compare", *asked, "--score", "b", "--more"]) == 0
    assert "a − b" in capsys.readouterr().out
    assert run(["certify", *asked, "--independent", "--more"]) == 0
    assert "rate-bands" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(("positives", "shift"), [(30, 1.0), (30, 3.0)])
def test_the_default_interval_of_a_sample_of_rows_covers(positives: int, shift: float) -> None:
    """200 samples; at .95 fewer than 178 come with a chance of .0004, summed over both cases."""
    draw, n, pi = np.random.default_rng(7), 10 * positives, 0.1
    x = np.linspace(-8.0, shift + 8.0, 20_001)
    density = np.exp(-0.5 * (x - shift) ** 2) / np.sqrt(2.0 * np.pi)
    hits, alarms = pi * ndtr(shift - x), (1.0 - pi) * ndtr(-x)
    truth = float(np.sum(density * hits / (hits + alarms)) * (x[1] - x[0]))
    inside = 0
    for _ in range(200):
        y = draw.random(n) < pi
        one = rs.pr_auc(y, draw.normal(size=n) + shift * y)
        inside += one.low <= truth <= one.high
        assert one.certified.low <= truth <= one.certified.high  # far wider than its level asks
    assert binom.cdf(177, 200, 0.95) < 0.0004
    assert inside >= 178

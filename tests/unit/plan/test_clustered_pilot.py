"""Plans from a pilot whose rows belong together, and the power that is planned by default."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import nct, t

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.errors import InputError, UnsoundError

MEASURES = ("auc", "partial_auc(fpr<=0.4)", "weighted_auc(power(2))", "pr_auc", "precision@20%")


def patients(seed: int, count: int) -> tuple[Any, dict[str, Any], Any]:
    """Patients with 2 to 6 rows of both classes, whose scores share an error of the patient."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(count), rng.integers(2, 7, count))
    ill = rng.random(count)[cluster] < 0.5
    y = rng.random(len(cluster)) < np.where(ill, 0.7, 0.2)
    scores = {
        name: pull * y + rng.normal(size=count)[cluster] + rng.normal(size=len(cluster))
        for name, pull in (("new", 1.4), ("old", 0.9))
    }
    return y, scores, cluster


Y, SCORES, CLUSTER = patients(1, 60)


@pytest.mark.parametrize("measure", MEASURES)
def test_with_the_pilots_clusters_it_is_the_comparison(measure: str) -> None:
    pilot = rs.plan.pilot(Y, SCORES, measure=measure, cluster=CLUSTER)
    found = rs.plan.auc_difference_power(pilot=pilot, n_pos=int(Y.sum()), n_neg=int((~Y).sum()))
    pair = rs.compare(Y, SCORES, measure=measure, test="delong", cluster=CLUSTER).pairs[0]
    assert (found.clusters, found.rows_per_cluster) == (60, pytest.approx(len(Y) / 60))
    assert found.difference == pytest.approx(pair.difference, rel=1e-12)
    assert found.std_error == pytest.approx(pair.std_error, rel=1e-9)


@pytest.mark.parametrize("side", ["two-sided", "greater"])
def test_the_power_is_that_of_t(side: Any) -> None:
    pilot = rs.plan.pilot(Y, SCORES, cluster=CLUSTER)
    found = rs.plan.auc_difference_power(pilot=pilot, n_pos=Y.sum() / 3, alternative=side)
    shift = found.difference / found.std_error
    limit = t.isf(0.025 if side == "two-sided" else 0.05, 19)
    assert found.clusters == 20
    assert found.power == pytest.approx(nct.sf(limit, 19, shift), rel=1e-6)
    wrong = nct.cdf(-limit, 19, shift) if side == "two-sided" else 0.0
    assert found.wrong_side == pytest.approx(wrong, rel=1e-4)


def test_what_was_given_comes_back() -> None:
    pilot = rs.plan.pilot(Y, SCORES, cluster=CLUSTER)
    enough = rs.plan.auc_difference_power(pilot=pilot, power=0.9)
    again = rs.plan.auc_difference_power(pilot=pilot, n_pos=enough.n_pos, n_neg=enough.n_neg)
    assert again.power == pytest.approx(0.9, abs=1e-9)
    assert again.clusters == enough.clusters
    half = rs.plan.auc_difference_power(pilot=pilot, power=0.9, paired=False, b_per_a=2.0)
    assert half.power == pytest.approx(0.9, abs=1e-9)
    safe = rs.plan.auc_difference_power(
        pilot=pilot, power=0.9, margin=2 * enough.difference, equivalence=True
    )
    assert safe.power == pytest.approx(0.9, abs=1e-9)


def test_rows_that_belong_together_count_for_less() -> None:
    """Each row three times, as clusters of three: as many clusters as there were rows."""
    few = rs.plan.auc_difference_power(pilot=rs.plan.pilot(Y, SCORES), power=0.8)
    thrice = {name: np.repeat(score, 3) for name, score in SCORES.items()}
    cluster = np.repeat(np.arange(len(Y)), 3)
    pilot = rs.plan.pilot(np.repeat(Y, 3), thrice, cluster=cluster)
    found = rs.plan.auc_difference_power(pilot=pilot, power=0.8)
    assert not pilot.mixed
    assert found.rows_per_cluster == pytest.approx(3.0)
    # the t test of clusters takes a few more
    assert few.rows <= found.clusters <= 1.03 * few.rows


def test_clusters_of_one_class_leave_the_class_ratio_free() -> None:
    pilot = rs.plan.pilot(Y, SCORES, cluster=np.arange(len(Y)))
    found = rs.plan.auc_difference_power(pilot=pilot, n_pos=40, n_neg=400)
    plain = rs.plan.auc_difference_power(pilot=rs.plan.pilot(Y, SCORES), n_pos=40, n_neg=400)
    assert found.std_error == pytest.approx(plain.std_error, rel=1e-9)
    assert found.clusters == 440


def test_clusters_of_both_classes_bring_their_ratio() -> None:
    pilot = rs.plan.pilot(Y, SCORES, cluster=CLUSTER)
    for sizes in ({"n_pos": 100, "n_neg": 900}, {"prevalence": 0.1, "power": 0.8}):
        with pytest.raises(InputError, match=r"clusters like the pilot's have 4\d.* % positives"):
            rs.plan.auc_difference_power(pilot=pilot, **sizes)  # type: ignore[arg-type]
    share = float(Y.mean())
    near = rs.plan.auc_difference_power(pilot=pilot, n_pos=100, n_neg=round(100 / share) - 100)
    assert near.prevalence == pytest.approx(share)


def test_a_pilot_of_one_cluster_shows_no_spread() -> None:
    with pytest.raises(UnsoundError, match="at least two clusters"):
        rs.plan.pilot(Y, SCORES, cluster=np.zeros(len(Y)))


def test_few_clusters_make_an_uncertain_plan() -> None:
    y, scores, cluster = patients(2, 29)
    found = rs.plan.auc_difference_power(pilot=rs.plan.pilot(y, scores, cluster=cluster))
    assert any("in 29 clusters" in text for text in found.warnings)


def test_the_command_plans_in_clusters(capsys: Any, tmp_path: Any) -> None:
    file = tmp_path / "pilot.csv"
    columns = (Y.astype(int), *SCORES.values(), CLUSTER)
    lines = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    file.write_text("\n".join(["ill,new,old,patient", *lines]), "utf-8")
    command = f"plan difference --table {file} --label ill --score new --score old"
    page = tmp_path / "page.html"
    assert run([*command.split(), "--cluster", "patient", "--html", str(page)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    pilot = rs.plan.pilot(Y, SCORES, cluster=CLUSTER)
    found = rs.plan.auc_difference_power(pilot=pilot, power=0.8)
    assert f"{found.clusters} clusters of {found.rows_per_cluster:.3g} rows on average" in said
    assert "power 0.8000 (the default)" in said
    assert f"{found.clusters} clusters of" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("planned", "also"),
    [
        (rs.plan.auc_power, {"auc": 0.8, "n_pos": 30, "n_neg": 30}),
        (rs.plan.auc_difference_power, {"auc_a": 0.8, "auc_b": 0.7, "correlation": 0.5,
                                        "n_pos": 30, "n_neg": 30}),
        (rs.plan.query_power, {"difference": 0.1, "sd": 0.2, "queries": 40}),
        (rs.plan.query_anova, {"difference": 0.1, "sd": 0.2, "queries": 40, "systems": 3}),
    ],
)  # fmt: skip
def test_the_default_power(planned: Any, also: dict[str, Any]) -> None:
    """It is .8 where two quantities are left out, and no default where it is what is asked."""
    sizes = ("n_pos", "n_neg", "queries")
    others = {name: value for name, value in also.items() if name not in sizes}
    found, same = planned(**others), planned(**others, power=0.8)
    assert found.default_power
    assert not same.default_power
    assert {**found.to_dict(), "default_power": False} == same.to_dict()
    assert "power 0.8000 (the default)" in str(found)
    asked = planned(**also)
    assert (asked.solved_for, asked.default_power) == ("power", False)
    assert "default" not in str(asked)


@pytest.mark.slow
def test_the_planned_power_is_met() -> None:
    """The pilot is large, so that the plan is that of the population; 800 studies as planned."""
    y, scores, cluster = patients(3, 4000)
    plan = rs.plan.auc_difference_power(pilot=rs.plan.pilot(y, scores, cluster=cluster))
    alone = rs.plan.auc_difference_power(pilot=rs.plan.pilot(y, scores))
    assert plan.clusters is not None
    studies, found = 800, 0
    for seed in range(studies):
        y, scores, cluster = patients(1000 + seed, plan.clusters)
        pair = rs.compare(
            y, scores, cluster=cluster, test="delong", certified=False
        ).pairs[0]  # fmt: skip
        found += pair.p_value < 0.05 and pair.difference > 0.0
    # a plan that is met fails here with a probability of .003 (binomial, three standard errors)
    assert abs(found / studies - 0.8) < 3.0 * np.sqrt(0.8 * 0.2 / studies)
    assert alone.rows < 0.9 * plan.rows


@pytest.mark.parametrize("cluster", [None, CLUSTER])
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_the_pilots_own_difference_has_the_interval_of_the_comparison(
    measure: str, cluster: Any, level: float
) -> None:
    pilot = rs.plan.pilot(Y, SCORES, measure=measure, cluster=cluster)
    plan = rs.plan.auc_difference_power(
        pilot=pilot, n_pos=2 * int(Y.sum()), n_neg=2 * int((~Y).sum()), difference=0.1, level=level
    )
    pair = rs.compare(Y, SCORES, measure=measure, test="delong", cluster=cluster).pairs[0]
    df = pilot.df
    assert df == (59.0 if cluster is not None else pytest.approx(len(Y) - 2, rel=0.9))
    half = t.isf((1.0 - level) / 2.0, df) * pair.std_error
    own = plan.to_dict()["settings"]["pilot"]
    assert own["difference"] == pytest.approx(pair.difference, rel=1e-12)
    assert own["low"] == pytest.approx(max(pair.difference - half, -1.0), rel=1e-9)
    assert own["high"] == pytest.approx(min(pair.difference + half, 1.0), rel=1e-9)
    (note,) = [note for note in plan.warnings if note.code == "ROC507"]
    assert f"{own['low']:+.4f} to {own['high']:+.4f}".replace("-", "−") in note
    assert f"{100 * level:g} % interval" in note


def test_class_sizes_that_whole_clusters_change_are_named() -> None:
    pilot = rs.plan.pilot(Y, SCORES, cluster=CLUSTER)
    share = Y.mean()
    plan = rs.plan.auc_difference_power(pilot=pilot, n_pos=100, n_neg=round(103 / share) - 103)
    (note,) = [note for note in plan.warnings if note.code == "ROC508"]
    assert f"{plan.n_pos:,.0f} positives and {plan.n_neg:,.0f} negatives" in note
    assert plan.n_pos + plan.n_neg == pytest.approx(100 + round(103 / share) - 103)
    assert "instead of the given 100 and" in note
    alone = rs.plan.auc_difference_power(pilot=pilot, n_pos=100)
    assert "ROC508" not in [note.code for note in alone.warnings]

"""Who knows by which rule a page is chosen, or counts how likely each label is, learns no more."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import ExposedError
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.likelihood import likelihood
from rocsolid.evaluation.public.many_pages import ManyPages
from rocsolid.evaluation.public.relabelled import as_published, exchange_ends
from rocsolid.evaluation.public.segments import rounded
from rocsolid.summaries.score_counts import ScoreCounts


def evaluated(labels: Any, score: Any, **more: Any) -> Any:
    return rs.evaluate({"y": np.asarray(labels), "s": score}, label="y", scores="s", **more)


def numbers(published: Any) -> str:
    return json.dumps({**published.to_dict(), "audit": None}, default=str)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "n_pos", "values", "seed", "interval"),
    [(14, 4, 5, 0, "auto"), (14, 4, 5, 0, "newcombe5"), (15, 4, 15, 3, "auto")],
)
def test_every_labeling_of_a_page_gets_it_by_the_rule(
    n: int, n_pos: int, values: int, seed: int, interval: str
) -> None:
    """More than a thousand labelings; those with the same numbers are published anew."""
    rng = np.random.default_rng(seed)
    score = rng.integers(0, values, n) if values < n else rng.permutation(n)
    every = np.array([np.isin(np.arange(n), c) for c in itertools.combinations(range(n), n_pos)])
    pages = ManyPages(as_published(evaluated(every[0], score, interval=interval).basis), every)
    tried = 0
    for truth in rng.permutation(every):
        try:
            page = evaluated(truth, score, interval=interval).public()
        except ExposedError:
            continue
        keys = pages.keys(page.coarseness)
        alike = every[keys == keys[(every == truth).all(axis=1)]]
        if len(alike) > 100:
            continue
        others = []
        for labels in alike:
            try:
                other = evaluated(labels, score, interval=interval).public()
            except ExposedError:
                continue
            if numbers(other) == numbers(page):
                others.append(labels)
        share = np.mean(others, axis=0)
        assert f"{len(others):,} labelings give this very page" in page.audit.verdict
        assert np.maximum(share, 1 - share).max() <= page.audit.likeliest <= 0.95
        tried += 1
        if tried == 2:
            return
    raise AssertionError("no page was published")


def posterior(score: Any, n_pos: int, auc: tuple[Fraction, Fraction], cuts: dict[int, Any]) -> Any:
    """P(positive) of untied rows from the highest down: all labelings with these sizes, an AUC
    between both, and at each cut a number of positives above it between two, are equally likely.
    """
    n, pairs = len(score), n_pos * (len(score) - n_pos)
    most = int((1 - auc[0]) * pairs)
    least = -int(-(1 - auc[1]) * pairs // 1)
    ahead = [np.zeros((n_pos + 1, most + 1))]  # by positives so far and pairs out of order
    ahead[0][0, 0] = 1.0
    for i in range(n):
        after = np.zeros_like(ahead[0])
        for p in range(min(i, n_pos) + 1):
            if i - p < n - n_pos:
                after[p] += ahead[i][p]
            if p < n_pos and i - p <= most:
                after[p + 1, i - p :] += ahead[i][p, : most + 1 - (i - p)]
        low, high = cuts.get(i + 1, (0, n_pos))
        after[:low], after[high + 1 :] = 0.0, 0.0
        ahead.append(after)
    behind = np.zeros_like(ahead[0])
    behind[n_pos, least:] = 1.0
    share = np.zeros(n)
    total = (ahead[n] * behind).sum()
    for i in range(n - 1, -1, -1):
        low, high = cuts.get(i + 1, (0, n_pos))
        behind[:low], behind[high + 1 :] = 0.0, 0.0
        before = np.zeros_like(behind)
        for p in range(min(i, n_pos) + 1):
            if i - p < n - n_pos:
                before[p] += behind[p]
            if p < n_pos and i - p <= most:
                moved = np.zeros(most + 1)
                moved[: most + 1 - (i - p)] = behind[p + 1, i - p :]
                before[p] += moved
                share[i] += (ahead[i][p] * moved).sum() / total
        behind = before
    return share


@pytest.mark.parametrize(
    ("n", "n_pos", "effect", "limit"),
    [(40, 20, 0.2, 0.95), (90, 30, 0.5, 0.95), (120, 40, 1.2, 0.99), (80, 20, 1.0, 1.0)],
)
def test_no_label_is_likelier_than_the_page_says(
    n: int, n_pos: int, effect: float, limit: float
) -> None:
    """Against an exact count over the class sizes, the rounded AUC and the curve."""
    rng = np.random.default_rng(n)
    labels = rng.permutation(np.arange(n) < n_pos)
    score = rng.normal(size=n) + effect * labels
    page = evaluated(labels, score).public(max_posterior=limit)
    (result,) = page.results
    half, value = Fraction(1, 2 * 10**result.decimals), Fraction(result.text)
    cuts = {
        above: (low, high)
        for _, c in page.curves
        for above, low, high in zip(c.above.tolist(), c.low.tolist(), c.high.tolist(), strict=True)
    }
    share = posterior(score, n_pos, (max(Fraction(0), value - half), value + half), cuts)
    most = float(np.maximum(share, 1 - share).max())
    assert most <= page.audit.likeliest <= limit
    assert page.audit.likeliest <= 1.0


@pytest.mark.parametrize("effect", [1.5, pytest.param(4.0, marks=pytest.mark.slow)])
def test_a_page_that_makes_labels_too_likely_is_refused_with_what_would_allow_it(
    effect: float,
) -> None:
    rng = np.random.default_rng(2)
    labels = rng.permutation(np.arange(200) < 60)
    score = rng.normal(size=200) + effect * labels
    with pytest.raises(
        ExposedError, match=r"none likelier than 0\.95; its coarsest page"
    ) as refused:
        evaluated(labels, score).public()
    assert "counted exactly" in str(refused.value)
    found = re.search(r"max_posterior=([\d.]+\d)", str(refused.value))
    allowed = float(found[1]) if found else 1.0
    page = evaluated(labels, score).public(max_posterior=allowed)
    assert 0.95 < page.audit.likeliest <= allowed
    rows = {row[0]: row[1] for table in page.audit.tables for row in table.rows}
    assert int(rows["above 0.95"]) > 0


def counted(page: Any, score: Any) -> float:
    """The largest probability of a label by `posterior`, with the curve or from the value alone."""
    (result,) = page.results
    n_pos, value = result.n_pos, Fraction(result.text)
    half = Fraction(1, 2 * 10**result.decimals)
    cuts = {
        above: (low, high)
        for _, c in page.curves
        for above, low, high in zip(c.above.tolist(), c.low.tolist(), c.high.tolist(), strict=True)
    }
    ends = (value - half, value + half)
    shares = [posterior(score, n_pos, ends, some) for some in (cuts, {})]
    return max(float(np.maximum(share, 1 - share).max()) for share in shares)


@pytest.mark.parametrize(("n", "n_pos", "seed"), [(150, 50, 0), (200, 60, 2)])
def test_a_page_of_a_value_and_a_curve_says_the_exact_largest_probability(
    n: int, n_pos: int, seed: int
) -> None:
    """A bound from draws was .952 and .961, above the limit, so that no page was published."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) < n_pos)
    score = rng.normal(size=n) + labels
    page = evaluated(labels, score, interval="newcombe5").public()
    most = counted(page, score)
    assert most <= page.audit.likeliest < most + 0.001
    assert f"has a probability of {page.audit.likeliest:.3f}." in page.audit.verdict
    assert "all labelings that give it were counted" in page.audit.verdict
    assert "none was used" in page.to_html()


def test_a_bound_is_called_one_and_randomness_is_named_where_labelings_are_drawn() -> None:
    rng = np.random.default_rng(7)
    labels = rng.permutation(np.arange(60) < 30)
    page = evaluated(labels, rng.normal(size=60)).public()
    found = re.search(r"at most ([\d.]+) \(a bound by these draws\)", page.audit.verdict)
    assert found is not None
    assert counted(page, evaluated_score(7)) <= float(found[1])
    html = page.to_html()
    assert "the audit drew labelings, seed 0" in html
    assert "none was used" not in html


def evaluated_score(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    rng.permutation(np.arange(60) < 30)
    return rng.normal(size=60)


@pytest.mark.parametrize("seed", range(3))
def test_a_page_with_segments_is_no_less_telling_than_the_page_without(seed: int) -> None:
    """It was: its AUCs were joined with labels as independent, the others by a bound from draws."""
    rng = np.random.default_rng(seed)
    n = 300
    labels = rng.permutation(np.arange(n) < n // 3)
    table = {"y": labels, "s": rng.normal(size=n) + 0.9 * labels, "h": rng.integers(0, 3, n)}
    whole = as_published(rs.evaluate(table, label="y", scores="s", by="h").basis)
    for decimals, curve in ((0, 1), (1, 0)):
        fine = Coarseness(1, segments=True, decimals=decimals, curve=curve, limits=False)
        coarse = dataclasses.replace(fine, segments=False)
        surest = []
        for page in (fine, coarse):
            likely = likelihood(Candidate(whole, page), None)
            assert likely is not None
            surest.append(likely.surest)
        assert (surest[0] >= surest[1]).all()


def test_segments_do_not_pass_where_the_page_without_is_refused() -> None:
    rng = np.random.default_rng(3)
    labels = rng.permutation(np.arange(150) < 50)
    table = {"y": labels, "s": rng.normal(size=150) + 1.2 * labels, "h": np.arange(150) % 2}
    for by in (None, "h"):
        with pytest.raises(ExposedError, match="counted exactly"):
            rs.evaluate(table, label="y", scores="s", by=by).public()


def test_a_few_labels_may_be_likelier() -> None:
    rng = np.random.default_rng(2)
    labels = rng.permutation(np.arange(200) < 60)
    score = rng.normal(size=200) + 1.5 * labels
    with pytest.raises(ExposedError):
        evaluated(labels, score).public()
    page = evaluated(labels, score).public(max_exposed=60)
    assert page.audit.likeliest > 0.95


def test_class_sizes_that_make_labels_likely_are_named() -> None:
    labels = np.arange(400) < 8
    score = np.random.default_rng(0).normal(size=400)
    with pytest.raises(
        ExposedError, match=r"the class sizes alone make a label as likely as 0\.980 "
    ):
        evaluated(labels, score).public()


def test_a_page_that_finer_ones_were_refused_for_speaks_of_its_numbers_alone() -> None:
    rng = np.random.default_rng(5)
    labels = rng.permutation(np.arange(60) < 30)
    found = evaluated(labels, rng.normal(size=60))
    finest, coarser = found.public(max_posterior=0.97), found.public(max_posterior=0.85)
    assert finest.audit.verdict.startswith("No label is certain from this page")
    assert coarser.coarseness != finest.coarseness
    assert coarser.audit.verdict.startswith("From its numbers alone, no label is certain")


def test_every_public_form_says_how_likely_the_likeliest_label_is() -> None:
    rng = np.random.default_rng(7)
    labels = rng.permutation(np.arange(60) < 30)
    page = evaluated(labels, rng.normal(size=60)).public()
    said = f"{page.audit.likeliest:.3f}"
    assert page.to_dict()["audit"]["likeliest"] == page.audit.likeliest
    for text in (page.to_html(), page.to_markdown(), page.to_latex()):
        assert f"The likeliest label has a probability of at most {said}" in text


@pytest.mark.parametrize(
    "measure", ["pr_auc", "pr_auc(trapezoid)", "partial_auc(fpr<=0.3)", "precision@4", "recall@3"]
)
def test_no_exchange_leaves_the_range_of_the_two_furthest(measure: str) -> None:
    rng = np.random.default_rng(11)
    for ties in (4, 30):
        labels = rng.permutation(np.arange(14) < 6)
        score = rng.integers(0, ties, 14).astype(float)
        (part,) = as_published(evaluated(labels, score, measures=measure).basis).parts
        area = part.measure.of_table(part.rows)
        low, high = exchange_ends(area, part.rows)
        for i, j in itertools.product(np.flatnonzero(labels), np.flatnonzero(~labels)):
            other = labels.copy()
            other[[i, j]] = other[[j, i]]
            value = area(ScoreCounts.from_arrays(other, score))
            assert low - 1e-12 <= value <= high + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["pr_auc", "partial_auc(fpr<=0.1)", "precision@100"])
def test_other_measures_of_large_tables_are_published(measure: str) -> None:
    rng = np.random.default_rng(1)
    labels = rng.permutation(np.arange(3000) < 1000)
    score = rng.normal(size=3000) + 0.5 * labels
    page = evaluated(labels, score, measures=measure).public(max_posterior=1)
    assert page.results[0].measure == measure
    assert "no label is certain" in page.audit.verdict
    assert 1 / 2 < page.audit.likeliest < 1


@pytest.mark.parametrize("interval", ["newcombe5", "hanley-mcneil"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_limits_that_follow_from_the_auc_are_made_anew_from_the_rounded_one(
    interval: str, alternative: str
) -> None:
    """They hold for every AUC that rounds alike, so they add nothing to it."""
    rng = np.random.default_rng(3)
    labels = rng.permutation(np.arange(200) < 90)
    score = rng.normal(size=200) + 0.4 * labels
    options = {"interval": interval, "alternative": alternative}
    page = evaluated(labels, score, **options).public(max_posterior=0.99)
    (result,) = page.results
    assert result.interval.method == interval
    ends = []
    for moved in (0.0, 0.02, -0.02, 0.004):
        other = rounded(
            evaluated(labels, score + moved * labels, **options).parts[0].overall, result.decimals,
            score="s", measure="auc", by=None, rows=200, tied=0.0,
        )  # fmt: skip
        if other.value == result.value:
            ends.append((other.interval.low, other.interval.high))
    assert len(ends) > 1
    assert set(ends) == {(result.interval.low, result.interval.high)}
    exact = evaluated(labels, score, **options).parts[0].overall.interval
    assert result.interval.low <= exact.low < exact.high <= result.interval.high


def test_limits_beside_an_auc_that_may_round_to_one_reach_it() -> None:
    """Hanley and McNeil's interval has no limits at an AUC of 1."""
    labels = np.arange(200) < 100
    score = np.arange(200.0)[::-1].copy()
    score[[99, 100]] = score[[100, 99]]
    (part,) = evaluated(labels, score, interval="hanley-mcneil").parts
    published = rounded(
        part.overall, 1, score="s", measure="auc", by=None, rows=200, tied=0.0
    ).interval
    assert published.high == 1.0
    assert published.low < 0.95

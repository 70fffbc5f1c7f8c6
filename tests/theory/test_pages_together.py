"""Several pages and releases on different rows: against all labelings, tried one by one."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from brute_labelings import exact_auc, gives
from rocsolid.cli.app import run
from rocsolid.errors import InputError
from rocsolid.evaluation.public import joint_pages

Publications = list[tuple[dict[str, Any], Any]]


def fitting(published: Publications) -> tuple[list[str], np.ndarray[Any, Any]]:
    names = sorted({name for table, _ in published for name in table["id"]})
    every = (dict(zip(names, labels, strict=True)) for labels in product((0, 1), repeat=len(names)))
    fits = [
        [label[name] for name in names]
        for label in every
        if all(gives(label, table, page) for table, page in published)
    ]
    return names, np.array(fits)


def same(published: Publications, **options: Any) -> Any:
    """Check the answer against all labelings, and return it."""
    names, fits = fitting(published)
    known = rs.pages_together(published, id="id", **options)
    assert list(known.names) == names
    assert known.count == len(fits)
    assert known.exact
    assert known.posterior == pytest.approx(fits.mean(axis=0))
    assert known.unchanged.tolist() == [len(set(column)) == 1 for column in fits.T.tolist()]
    assert known.verdict == ("unique" if len(fits) == 1 else "ambiguous")
    assert known.surprise_bits == pytest.approx(len(names) - np.log2(len(fits)))
    return known


def drawn(random: np.random.Generator, n: int) -> dict[str, Any]:
    truth = (random.permutation(n) < n // 2).astype(int)
    scores = {s: (random.integers(0, 2 * n, n) + 3 * truth).tolist() for s in ("a", "b")}
    return {"id": [f"r{row}" for row in range(n)], "y": truth.tolist(), **scores}


def public(table: dict[str, Any], score: str, **options: Any) -> dict[str, Any]:
    given = {name: column for name, column in table.items() if name != "id"}
    answer = rs.evaluate(given, label="y", scores=score, **options)
    return json.loads(json.dumps(answer.public(max_posterior=1, max_exposed=9).to_dict()))


def released(truth: np.ndarray[Any, Any], score: np.ndarray[Any, Any], decimals: int) -> str:
    return f"a={rs.auc(truth, score).value:.{decimals}f},n_pos={truth.sum()}"


def some(table: dict[str, Any], rows: Any) -> dict[str, Any]:
    return {name: [column[row] for row in rows] for name, column in table.items()}


@pytest.mark.parametrize("seed", range(4))
def test_pages_and_releases_of_different_rows_are_those_of_every_labeling(seed: int) -> None:
    random = np.random.default_rng(seed)
    table = drawn(random, 10)
    order = random.permutation(10).tolist()
    first, second = some(table, order[:8]), some(table, order[2:])
    pos = sum(second["y"])
    auc = exact_auc(second["y"], second["b"])
    published = [(first, public(first, "a")), (second, f"b={auc},n_pos={pos}")]
    alone = same(published[:1])
    both = same(published)
    assert len(both.names) == 10
    assert both.surprise_bits >= alone.surprise_bits
    assert both.count <= 2 ** (10 - 8) * alone.count


def test_a_row_that_left_is_certain() -> None:
    table = drawn(np.random.default_rng(3), 10)
    without = some(table, range(1, 10))
    together = same([(table, public(table, "a")), (without, public(without, "a"))])
    assert together.unchanged[0]
    assert together.posterior[0] == table["y"][0]


def test_rows_without_a_score_are_not_on_its_page() -> None:
    table = drawn(np.random.default_rng(8), 10)
    kept = some(table, range(2, 10))
    narrow = [(table, public(table, "a")), (kept, public(kept, "b"))]
    wide = table | {"b": [float("nan"), float("nan"), *kept["b"]]}
    together = rs.pages_together([(wide, page) for _, page in narrow], id="id")
    assert together.posterior.tolist() == same(narrow).posterior.tolist()


def test_equal_rows_are_one_label() -> None:
    table = drawn(np.random.default_rng(5), 8) | {"f": [1, 2, 1, 3, 1, 1, 2, 1]}
    page = public(table, "a", frequency="f")
    same([(table, page)], frequency="f")


def test_visits_and_patients_are_joined_by_the_patient() -> None:
    random = np.random.default_rng(6)
    patients = drawn(random, 9) | {"b": random.permutation(9).tolist()}
    rows = np.repeat(np.arange(9), [1, 2, 3, 1, 1, 2, 1, 1, 2])
    visits = some(patients, rows.tolist())
    visits["a"] = random.integers(0, 30, len(rows)).tolist()
    page = public(visits | {"patient": visits["id"]}, "a", cluster="patient")
    published = [(visits, page), (patients, public(patients, "b"))]
    together = same(published, cluster="id")
    assert together.count < same(published[1:], cluster="id").count
    with pytest.raises(InputError, match="more than once"):
        rs.pages_together(published, id="id")


@pytest.mark.parametrize("cut", [2, 5, 7])
def test_the_curve_of_a_few_rows_is_that_of_every_labeling(cut: int) -> None:
    table = drawn(np.random.default_rng(cut), 10) | {"a": list(range(20, 0, -2))}
    page, above = public(table, "a"), sum(table["y"][:cut])
    curve = {"score": "a", "rows_above": [cut], "positives_from": [above]}
    alone = same([(table, page)])
    whole = same([(table, page | {"curves": [curve | {"positives_to": [above]}]})])
    assert whole.count < alone.count
    same([(table, page | {"curves": [curve | {"positives_to": [above + 1]}]})])


@pytest.mark.slow
def test_the_curve_counts_and_one_ranking_is_counted_whatever_its_size() -> None:
    random = np.random.default_rng(1)
    truth = (random.permutation(120) < 50).astype(int)
    table = {"id": [f"r{row}" for row in range(120)], "y": truth, "a": random.random(120) + truth}
    page = public(table, "a")
    assert page["curves"]
    whole = rs.pages_together([(table, page)], id="id")
    bare = rs.pages_together([(table, page | {"curves": []})], id="id")
    assert whole.exact
    assert bare.exact
    assert whole.surprise_bits > bare.surprise_bits + 1
    likeliest = np.maximum(whole.posterior, 1 - whole.posterior).max()
    # the page states the largest probability among readers of some of its numbers
    assert page["audit"]["likeliest"] >= likeliest - 1e-9


@pytest.mark.slow
def test_two_rankings_of_many_rows_are_drawn_or_attacked() -> None:
    random = np.random.default_rng(2)
    for n, decimals, how in ((40, 1, "drawn"), (80, 4, "independent")):
        truth = (random.permutation(n) < n // 2).astype(int)
        names = [f"r{row}" for row in range(n)]
        published: Publications = []
        for _ in range(2):
            score = random.permutation(n) + 0.3 * n * truth
            published.append(({"id": names, "a": score}, released(truth, score, decimals)))
        known = rs.pages_together(published, id="id")
        verdict = "ambiguous" if how == "drawn" else "undetermined"
        assert (known.verdict, known.how, known.count) == (verdict, how, None)
        assert known.unchanged.sum() == (0 if how == "drawn" else n)
        guess = np.array([known.posterior[known.names.index(name)] > 0.5 for name in names])
        assert (guess == truth).mean() > 0.6


def test_drawn_labelings_show_other_labels_too(monkeypatch: pytest.MonkeyPatch) -> None:
    table = drawn(np.random.default_rng(1), 40)
    published: Publications = [(table, f"{score}=0.7,n_pos=20") for score in ("a", "b")]
    monkeypatch.setattr(joint_pages, "unchanged", lambda _joined, first, _: np.ones(len(first)) > 0)
    known = rs.pages_together(published, id="id")
    assert known.how == "drawn"
    assert not known.unchanged.any()


def test_eight_pages_of_forty_rows_determine_every_label() -> None:
    random = np.random.default_rng(7)
    truth = (random.permutation(40) < 16).astype(int)
    names = [f"r{row:02d}" for row in range(40)]
    published: Publications = []
    for _ in range(9):
        score = random.normal(size=40) + 0.8 * truth
        published.append(({"id": names, "a": score}, released(truth, score, 2)))
    known = rs.pages_together(published, id="id")
    assert known.verdict == "unique"
    assert known.posterior.tolist() == truth.tolist()


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("a=0.5", "needs the number of positives"),
        ("a=0.5,n_pos=90", "about other rows than the table"),
        ("a=1/7,n_pos=5", "no labeling of these rows has this AUC"),
        ("missing.json", "cannot be read"),
        ({"results": []}, "not the JSON of a public page"),
        ({"public": True, "results": [{"measure": "pr_auc", "by": None}]}, "no AUC of all rows"),
    ],
)
def test_other_pages_are_refused(page: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rs.pages_together([(drawn(np.random.default_rng(0), 10), page)], id="id")
    table = drawn(np.random.default_rng(0), 10)
    with pytest.raises(InputError, match="about other rows than the table"):
        rs.pages_together([(some(table, range(9)), public(table, "a"))], id="id")
    with pytest.raises(InputError, match="there is no publication"):
        rs.pages_together([], id="id")


def test_pages_of_scores_where_lower_is_better_are_those_of_the_negated_scores() -> None:
    names = [f"r{row}" for row in range(8)]
    truth = [1, 1, 1, 0, 1, 0, 0, 0]
    scores = list(range(8)), [3, 1, 0, 2, 6, 7, 5, 4]
    tables = [{"id": names, "y": truth, "a": list(score)} for score in scores]
    low = [(table, public(table, "a", lower_is_better=True)) for table in tables]
    assert all(page["lower_is_better"] for _, page in low)
    negated = [table | {"a": [-score for score in table["a"]]} for table in tables]
    known = same([(table, public(table, "a")) for table in negated])
    turned = rs.pages_together(low, id="id")
    assert (turned.count, turned.verdict) == (known.count, known.verdict)
    assert turned.posterior.tolist() == known.posterior.tolist()
    mixed = rs.pages_together([low[0], (negated[1], public(negated[1], "a"))], id="id")
    assert mixed.posterior.tolist() == known.posterior.tolist()


def test_pages_of_different_positive_labels_are_not_joined() -> None:
    table = {"id": list("abcdef"), "y": [1, 0, 1, 0, 1, 0], "a": [1, 5, 2, 4, 3, 6]}
    pages = [(table, public(table, "a", pos_label=label)) for label in (1, 0)]
    assert [page["pos_label"] for _, page in pages] == [None, "0"]
    with pytest.raises(InputError, match="different positive labels"):
        rs.pages_together(pages, id="id")


def test_pages_that_contradict_each_other_are_refused() -> None:
    table = drawn(np.random.default_rng(0), 40)
    pages = [(table, f"a={auc},n_pos=20") for auc in ("0.51", "0.93")]
    with pytest.raises(InputError, match="no labeling was found that fits all pages"):
        rs.pages_together(pages, id="id")


def test_numbers_that_are_not_used_are_listed() -> None:
    table = drawn(np.random.default_rng(0), 10)
    page = public(table, "a")
    other = page["results"][0] | {"measure": "pr_auc"}
    segment = page["results"][0] | {"by": {"sex": "f"}}
    more = page | {"results": [*page["results"], other, segment]}
    known = rs.pages_together([(table, more)], id="id")
    assert known.unused == ("pr_auc", "segments")
    assert known.explain().endswith("Not used: pr_auc; segments.")


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table = drawn(np.random.default_rng(4), 10)
    without = some(table, range(1, 10))
    for name, each in (("may", table), ("june", without)):
        rows = zip(*(each[column] for column in ("id", "a")), strict=True)
        Path(f"{name}.csv").write_text("id,a\n" + "".join(f"{i},{a}\n" for i, a in rows))
        Path(f"{name}.json").write_text(json.dumps(public(each, "a")))
    words = "leak joint may.csv june.csv --page may.json --page june.json --id id"
    assert run([*words.split(), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    published = [("may.csv", "may.json"), ("june.csv", "june.json")]
    expected = rs.pages_together(published, id="id")
    assert shown == json.loads(json.dumps(expected.to_dict()))
    assert run([*words.split(), "--fail-above", "1", "--html", "r.html"]) == 1
    printed = capsys.readouterr()
    assert " ".join(printed.out.split()).startswith(expected.explain())
    assert "r0" in printed.out
    assert "above the limit of 1" in printed.err
    assert "several releases on the same labels" in Path("r.html").read_text()
    assert run([*words.split()[:3], *words.split()[4:]]) == 2  # the page of June has 9 rows
    assert run([*words.split()[:4], "may.csv", *words.split()[4:]]) == 2
    assert "3 tables for 2 pages" in capsys.readouterr().err

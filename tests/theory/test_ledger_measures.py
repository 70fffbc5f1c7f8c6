"""Other measures in a ledger, against all labelings tried with code of its own."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.errors import ExposedError, InputError
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.relabelled import as_published
from rocsolid.evaluation.public.table_in_ledger import top_line
from rocsolid.leaks.release.publications import Publications


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "pages.ledger"
    file.touch()
    return file


def numbers(page: Any) -> str:
    shown = json.loads(json.dumps(page.to_dict()))
    kept = ("score", "measure", "value", "low", "high", "n_pos")
    results = [{name: each[name] for name in kept} for each in shown["results"]]
    return str((results, shown["curves"], shown["comparisons"]))


def drawn(seed: int, n: int, scores: str) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    truth = random.permutation(n) < n // 2
    given: dict[str, Any] = {name: random.permutation(n) + 2.0 * truth for name in scores}
    return given | {"y": truth.astype(int)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scores", "options"),
    [
        ("a", {"measures": ["partial_auc(fpr<=0.5)"]}),
        ("a", {"measures": ["pr_auc"]}),
        ("a", {"measures": ["auc", "recall@2"]}),
        ("ab", {"interval": "newcombe5"}),
    ],
)
def test_who_knows_the_rule_and_all_pages_is_certain_of_no_label(
    path: Path, scores: str, options: dict[str, Any]
) -> None:
    """Every labeling is published twice; the second table has other scores and the AUC alone."""
    n = 6
    first, second = drawn(2, n, scores), drawn(3, n, "a")
    alike: dict[tuple[str, ...], list[Any]] = {}
    for chosen in combinations(range(n), n // 2):
        labels = np.isin(np.arange(n), chosen)
        path.write_bytes(b"")
        shown = []
        for table, how in ((first, options), (second, {})):
            columns = [name for name in table if name != "y"]
            evaluation = rs.evaluate(
                table | {"y": labels.astype(int)}, label="y", scores=columns, **how
            )
            try:
                page = evaluation.public(ledger=path, id=range(n), max_posterior=0.9)
            except ExposedError:
                shown.append("refused")
            else:
                shown.append(numbers(page))
        alike.setdefault(tuple(shown), []).append(labels)
    assert any(shown[0] != "refused" for shown in alike)
    for group in alike.values():
        share = np.mean(group, axis=0)
        assert float(np.maximum(share, 1 - share).max()) <= 0.9


def test_a_page_says_what_it_reveals_with_an_earlier_partial_area(path: Path) -> None:
    tables = [drawn(seed, 6, "a") for seed in (4, 4)]
    tables[1]["a"] = np.random.default_rng(8).permutation(6) + 2.0 * tables[1]["y"]
    how = [{"measures": ["partial_auc(fpr<=0.5)"]}, {}]
    shown = []
    for table, options in zip(tables, how, strict=True):
        page = rs.evaluate(table, label="y", scores="a", **options).public(
            ledger=path, id=range(6), max_posterior=1, max_exposed=6
        )
        shown.append((table, options, page))
    (_, _, last) = shown[-1]
    left = []
    for chosen in combinations(range(6), 3):
        labels = np.isin(np.arange(6), chosen).astype(int)
        same = []
        for table, options, page in shown:
            other = rs.evaluate(table | {"y": labels}, label="y", scores="a", **options)
            text = Candidate(as_published(other.basis), page.basis.coarseness).published
            same.append([r.text for r in text.results] == [r.text for r in page.results])
        if all(same):
            left.append(labels)
    share = np.mean(left, axis=0)
    assert last.to_dict()["audit"]["likeliest"] >= np.maximum(share, 1 - share).max() - 1e-9
    with Publications.open(path) as ledger:
        listed, plain = (each.statements for each in ledger.read())
    assert listed.giving is not None
    assert not listed.refused
    assert plain.giving is None


def test_numbers_that_cannot_be_judged_are_named(path: Path) -> None:
    table = drawn(0, 40, "a")
    names: dict[str, Any] = {"ledger": path, "id": range(40)}
    for options, what in (({"measures": "pr_auc"}, "pr_auc"), ({"interval": "delong"}, "delong")):
        evaluation = rs.evaluate(table, label="y", scores="a", **options)
        with pytest.raises(InputError, match=rf"only if all labelings are tried.*{what}"):
            evaluation.public(**names)
    few = {name: column[:8] for name, column in table.items()}
    few["y"] = np.array([0, 1] * 4)
    rs.evaluate(few, label="y", scores="a", measures="pr_auc").public(
        ledger=path, id=range(8), max_exposed=8
    )
    table["y"] = np.array([0, 1] * 20)
    with pytest.raises(InputError, match="an earlier publication with such numbers"):
        rs.evaluate(table, label="y", scores="a").public(**names)


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.integers(0, 4), min_size=6, max_size=6),
    st.sampled_from(["precision@3", "recall@4", "lift@30%", "precision@25%", "enrichment@2"]),
    st.integers(0, 1),
)
def test_the_sum_of_the_top_allows_the_labelings_that_give_the_value(
    score: list[int], measure: str, coarser: int
) -> None:
    labelings = [np.isin(np.arange(6), chosen) for chosen in combinations(range(6), 2)]
    shown = []
    for labels in labelings:
        table = {"y": labels.astype(int), "s": score}
        evaluation = rs.evaluate(table, label="y", scores="s", measures=measure).basis
        page = Candidate(evaluation, Coarseness(1, decimals=coarser, curve=0, limits=False))
        part = page.inside.parts[0]
        shown.append((page.result(part).text, top_line(part, page.result(part))))
    for text, (weights, low, high) in shown:
        inside = [low <= weights @ labels <= high for labels in labelings]
        assert inside == [other == text for other, _ in shown]

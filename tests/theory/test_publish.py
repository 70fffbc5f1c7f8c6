"""The pages that may be published, against a count of all labelings that give each page."""

from __future__ import annotations

import itertools
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.errors import ExposedError, InputError
from rocsolid.evaluation.public.ladder import PublicPages
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.public.relabelled import as_published


def table(n: int, n_pos: int, effect: float, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) < n_pos)
    return {"y": labels.astype(int), "s": np.round(rng.normal(size=n) + effect * labels, 1)}


@pytest.mark.parametrize(("n", "n_pos", "seed"), [(9, 3, 0), (8, 4, 1), (10, 3, 2)])
def test_each_page_exposes_what_a_count_of_all_labelings_says(
    n: int, n_pos: int, seed: int
) -> None:
    data = table(n, n_pos, 0.5, seed)
    listed = rs.publish(data, label="y", scores="s")
    chosen = itertools.combinations(range(n), n_pos)
    every = np.array([np.isin(np.arange(n), rows).astype(int) for rows in chosen])
    evaluations = [
        as_published(rs.evaluate({**data, "y": labels}, label="y", scores="s").basis)
        for labels in every
    ]
    truth = int(np.flatnonzero((every == data["y"]).all(axis=1))[0])
    assert listed.offers
    for offer, (page, _) in zip(listed.offers, listed.pages, strict=True):
        texts = [json.dumps(without_audit(e, page).to_dict(), default=str) for e in evaluations]
        alike = every[[text == texts[truth] for text in texts]]
        share = alike.mean(axis=0)
        by_rule = offer.number == listed.best
        if not by_rule:
            assert offer.certain == int(((share == 0) | (share == 1)).sum())
            assert offer.likeliest == pytest.approx(np.maximum(share, 1 - share).max(), abs=0.001)
        assert offer.known == "exact"


DATA = table(60, 30, 1.2, 5)


@cache
def sixty() -> Any:
    return rs.publish(DATA, label="y", scores="s", max_posterior=0.97)


def test_labels_that_only_a_search_shows_to_be_uncertain_count_as_such() -> None:
    """No labelings of such a page can be drawn, so the list searches for some, as --public does."""
    rng = np.random.default_rng(0)
    labels = (rng.random(80) < 0.4).astype(int)
    data = {"y": labels, "s": np.round(labels + rng.normal(size=(80, 2))[:, 0], 4)}
    listed = rs.publish(data, label="y", scores="s")
    searched = [offer for offer in listed.offers if offer.known == "independent"]
    assert searched
    assert {offer.certain for offer in searched} == {0}
    public = rs.evaluate(data, label="y", scores="s").public()
    assert listed.page().to_dict() == public.to_dict()


def test_the_best_page_is_the_one_that_public_takes() -> None:
    listed = sixty()
    taken = rs.evaluate(DATA, label="y", scores="s").public(max_posterior=0.97)
    assert listed.page().to_dict() == taken.to_dict()
    assert listed.public().to_dict() == taken.to_dict()
    assert [offer.passes for offer in listed.offers].index(True) + 1 == listed.best
    assert all(offer.likeliest > 0.97 for offer in listed.offers[: listed.best - 1])
    assert {offer.known for offer in listed.offers} == {"exact", "drawn"}


def test_a_coarser_curve_or_fewer_numbers_are_never_more_telling() -> None:
    """Each page counts as at least as telling as the barest page with its values."""
    listed = sixty()
    for decimals in {offer.decimals for offer in listed.offers}:
        pages = [offer for offer in listed.offers if offer.decimals == decimals]
        barest = pages[-1]
        assert (barest.cuts, barest.interval) == (0, False)
        assert all(page.likeliest >= barest.likeliest for page in pages)
        assert all(page.bits >= barest.bits for page in pages)


def test_a_page_that_does_not_pass_is_made_on_request_and_says_what_it_exposes() -> None:
    listed = rs.publish(table(24, 10, 4.0, 3), label="y", scores="s")
    assert listed.best is None
    assert listed.answer()[0].startswith(f"None of {len(listed.offers)} pages passes")
    with pytest.raises(ExposedError, match="choose a page"):
        listed.page()
    chosen = listed.page(len(listed.offers))
    assert chosen.audit.likeliest == listed.offers[-1].likeliest > 0.95
    with pytest.raises(InputError, match=f"from 1 to {len(listed.offers)}"):
        listed.page(0)


def test_segments_too_small_to_be_shown_make_no_pages() -> None:
    """Otherwise each page would be listed twice, and the choice would reveal a bit more."""
    data = DATA | {"site": np.arange(60) % 2}
    offers = rs.publish(data, label="y", scores="s", by="site", max_posterior=0.97).offers
    assert offers == sixty().offers
    large = DATA | {"y": np.arange(60) < 25, "site": np.arange(60) // 40}
    listed = rs.publish(large, label="y", scores="s", by="site")
    heads, *lines = (line.split() for line in str(listed).splitlines()[1:])
    shown = [tuple(line[1 : heads.index("segments") + 1]) for line in lines]
    assert len(set(shown)) == len(shown) == 2 * len(offers)  # no segment is shown, or asked for
    assert {page[-1] for page in shown} == {"0", "no"}


@pytest.mark.parametrize(
    ("n_pos", "gap", "segmented"), [(19, False, False), (20, False, True), (19, True, True)]
)
def test_a_class_too_small_for_any_segment_makes_no_pages_of_segments(
    n_pos: int, gap: bool, segmented: bool
) -> None:
    """The class sizes of a score with gaps differ from one labeling to another."""
    data = table(60, n_pos, 0.5, 4) | {"site": np.zeros(60, dtype=int)}
    if gap:
        data["s"][int(np.flatnonzero(data["y"] == 0)[0])] = np.nan
    evaluation = rs.evaluate(data, label="y", scores="s", by="site", nan="omit").basis
    pages = [
        page for stage in PublicPages.of(evaluation, 0, 0.95, None).stages for page in stage.pages
    ]
    assert any(page.segments for page in pages) is segmented


def test_the_list_prints_its_pages() -> None:
    verdict, heads, *pages = str(sixty()).splitlines()
    assert "is the finest that passes" in verdict
    assert heads.split() == ["page", "decimals", "cuts", "interval", "certain", "likeliest", "bits"]
    assert [line.split()[0] for line in pages] == [str(one.number) for one in sixty().offers]


def test_a_count_above_the_bits_of_the_labels_claims_no_disclosure() -> None:
    page = rs.publish(table(12, 6, 1.0, 0), label="y", scores="s", max_posterior=1).page(1)
    assert "sets no limit to what the page reveals" in page.audit.verdict


def test_what_is_no_table_of_two_classes_has_no_pages() -> None:
    data = {"y": [0, 1, 2, 0, 1, 2], "s": [1, 2, 3, 3, 2, 1], "q": [1, 1, 1, 2, 2, 2]}
    with pytest.raises(InputError, match="no public form"):
        rs.publish(data, label="y", scores="s", qid="q")


def test_the_command_lists_pages_and_writes_the_best_or_the_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = table(30, 15, 0.4, 5)
    file, page = tmp_path / "t.csv", tmp_path / "page.html"
    rows = zip(data["y"], data["s"], strict=True)
    file.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in rows), encoding="utf-8")
    words = ["publish", str(file), "--label", "y", "--score", "s", "--html", str(page)]
    assert run(words) == 0
    said = capsys.readouterr().out
    assert "is the finest that passes" in said
    assert "keep the list private" in " ".join(said.split())
    listed = rs.publish(data, label="y", scores="s")
    html = page.read_text(encoding="utf-8")
    assert "Public report:" in html
    assert "is the finest that passes" not in html
    assert f"{listed.page().audit.likeliest:.3f}" in html
    assert run([*words, "--choose", "2", "--json"]) == 0
    chosen = json.loads(capsys.readouterr().out)
    assert chosen["public"] is True
    assert chosen["audit"]["likeliest"] == listed.offers[1].likeliest
    assert run([*words[:-2], "--json"]) == 0
    offers = json.loads(capsys.readouterr().out)["offers"]
    assert [offer["number"] for offer in offers] == list(range(1, len(offers) + 1))
    assert run([*words, "--choose", "99"]) == 2
    assert "there is no such page" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ("--max-exposed 24", {"max_exposed": 24}),
        ("--max-exposed 24 --max-bits 6", {"max_exposed": 24, "max_bits": 6}),
        ("--max-posterior 0.995", {"max_posterior": 0.995}),
    ],
)
def test_the_command_has_the_limits_of_the_function(
    options: str, limits: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = table(24, 10, 1.0, 3)
    file = tmp_path / "t.csv"
    rows = zip(data["y"], data["s"], strict=True)
    file.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in rows), encoding="utf-8")
    words = ["publish", str(file), "--label", "y", "--score", "s"]
    listed = rs.publish(data, label="y", scores="s", **limits)
    assert run([*words, *options.split(), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["best"] == listed.best is not None
    assert printed["offers"] == listed.to_dict()["offers"]
    assert run([*words, "--json"]) == 0
    without = json.loads(capsys.readouterr().out)
    assert (printed["best"], printed["offers"]) != (without["best"], without["offers"])


def test_no_page_reveals_more_bits_than_the_labels_have() -> None:
    data = {"y": [0, 1, 0, 1, 1, 0, 1, 0], "s": np.arange(8) / 10}
    listed = rs.publish(data, label="y", scores="s", max_exposed=8, max_posterior=1.0)
    assert max(offer.bits for offer in listed.offers) == pytest.approx(math.log2(70))


def test_a_limit_on_bits_removes_pages_and_the_list_says_so() -> None:
    data = table(30, 15, 0.4, 5)
    every = rs.publish(data, label="y", scores="s")
    listed = rs.publish(data, label="y", scores="s", max_bits=5)
    assert 0 < len(listed.offers) < len(every.offers)
    assert all(offer.bits <= 5 for offer in listed.offers)
    assert "more than 5 bits are not listed" in listed.answer()[0]
    assert "bits" not in every.answer()[0]
    none = rs.publish(data, label="y", scores="s", max_bits=1)
    assert none.offers == ()
    assert none.best is None
    assert none.answer()[0].startswith("No page passes. No label may be certain")
    with pytest.raises(ExposedError, match="max_bits="):
        none.page()

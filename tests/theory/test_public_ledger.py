"""Attacks on all pages of a ledger together: none learns more than the pages say.

The attacker here reads the public JSON and tries every labeling with code of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.answer.answer import Answer
from rocsolid.errors import ExposedError, InputError
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.together import judged_together, labelings_left
from rocsolid.leaks.release.publications import Publication, Publications, related
from rocsolid.leaks.release.statements import Statements

_BOOLS = NDArray[np.bool_]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "pages.ledger"
    file.touch()
    return file


def published(
    path: Path, table: Mapping[str, Any], *, limits: Mapping[str, Any] | None = None, **options: Any
) -> Answer | None:
    """Return the page, or None if the ledger refuses every page."""
    scores = [name for name in table if name.startswith("s")]
    given = {name: column for name, column in table.items() if name != "id"}
    evaluation = rs.evaluate(given, label="y", scores=scores, **options)
    try:
        return evaluation.public(ledger=path, id=table["id"], **(limits or {}))
    except ExposedError:
        return None


def auc(labels: _BOOLS, score: NDArray[np.float64]) -> Fraction | None:
    pos, neg = score[labels], score[~labels]
    if not len(pos) or not len(neg):
        return None
    twice = int((np.sign(pos[:, None] - neg[None, :]) + 1).sum())
    return Fraction(twice, 2 * len(pos) * len(neg))


def gives(labels: _BOOLS, table: Mapping[str, Any], page: Mapping[str, Any]) -> bool:
    """Return whether the labels of the table's rows give the numbers of a page's JSON."""
    times = np.asarray(table.get("f", np.ones(len(labels), dtype=int)))
    whole = np.repeat(labels, times)
    for result in page["results"]:
        score = np.repeat(np.asarray(table[result["score"]], dtype=float), times)
        if int(whole.sum()) != result["n_pos"]:
            return False
        value = auc(whole, score)
        text = f"{result['value']}"
        digits = len(text.partition(".")[2])
        if value is None or round(value, digits) != Fraction(text):
            return False
    for curve in page["curves"]:
        score = np.repeat(np.asarray(table[curve["score"]], dtype=float), times)
        falling = np.sort(score)[::-1]
        for rows, low, high in zip(
            curve["rows_above"], curve["positives_from"], curve["positives_to"], strict=True
        ):
            if not low <= int(whole[score >= falling[rows - 1]].sum()) <= high:
                return False
    return True


def attacked(
    pages: Sequence[tuple[Mapping[str, Any], Answer]], units: Mapping[str, str]
) -> tuple[float, int]:
    """Return the largest probability of a label, and the number of labelings that fit all pages.

    ``units`` is the owner of each row's label.
    """
    owners = sorted(set(units.values()))
    documents = [(table, page.to_dict()) for table, page in pages]
    total, ones = 0, np.zeros(len(owners))
    for count in range(len(owners) + 1):
        for chosen in combinations(range(len(owners)), count):
            label = {owner: number in chosen for number, owner in enumerate(owners)}
            if all(
                gives(np.array([label[units[row]] for row in table["id"]]), table, document)
                for table, document in documents
            ):
                total += 1
                ones[list(chosen)] += 1
    share = ones / total
    return float(np.maximum(share, 1 - share).max()), total


def said(page: Answer) -> float:
    likeliest = page.to_dict()["audit"]["likeliest"]
    assert isinstance(likeliest, float)
    return likeliest


def drawn_table(
    random: np.random.Generator, n: int, *, positives: int | None = None
) -> dict[str, Any]:
    truth = random.permutation(n) < (n // 2 if positives is None else positives)
    score = random.permutation(n) + 2.0 * truth
    return {"id": [f"r{row}" for row in range(n)], "y": truth.astype(int), "s": score}


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_several_pages_of_one_table_say_what_all_of_them_reveal(path: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    table = drawn_table(random, 11)
    units = {row: row for row in table["id"]}
    pages: list[tuple[Mapping[str, Any], Answer]] = []
    for turn in range(4):
        table = table | {"s": random.permutation(11) + 2.0 * table["y"]}
        page = published(path, table, limits={"max_posterior": 0.95 if turn % 2 else 1})
        if page is None:
            continue
        pages.append((table, page))
        likeliest, labelings = attacked(pages, units)
        assert labelings > 1
        assert likeliest < 1
        assert likeliest <= said(page) + 1e-9
    assert len(pages) >= 2


@pytest.mark.parametrize("change", ["removed", pytest.param("added", marks=pytest.mark.slow)])
def test_a_row_that_comes_or_goes_reveals_its_label_and_is_refused(path: Path, change: str) -> None:
    table = drawn_table(np.random.default_rng(1), 24)
    without = {name: column[1:] for name, column in table.items()}
    first, second = (table, without) if change == "removed" else (without, table)
    assert published(path, first, limits={"max_posterior": 1}) is not None
    assert published(path, second, limits={"max_posterior": 1}) is None
    page = published(path, second, limits={"max_posterior": 1, "max_exposed": 1})
    assert page is not None
    known = len({*first["id"]} & {*second["id"]})
    names = f"{known} of {len(second['id'])} row names occur in the ledger."
    assert names in page.basis.audit.verdict


@pytest.mark.slow
def test_rows_with_opposite_labels_that_are_exchanged_are_refused(path: Path) -> None:
    random = np.random.default_rng(1)
    table = {name: list(column) for name, column in drawn_table(random, 60).items()}
    last = next(row for row in range(59, 0, -1) if table["y"][row] != table["y"][0])
    without = {name: column[1:] for name, column in table.items()}
    other = {name: [*column[:last], *column[last + 1 :]] for name, column in table.items()}
    assert published(path, without, limits={"max_posterior": 1}) is not None
    assert published(path, other, limits={"max_posterior": 1}) is None


@pytest.mark.slow
def test_eight_pages_of_forty_rows_no_longer_give_the_labels_away(path: Path) -> None:
    random = np.random.default_rng(7)
    truth = (random.permutation(40) < 16).astype(int)
    ids = [f"r{row}" for row in range(40)]
    releases = []
    for _ in range(8):
        score = random.normal(size=40) + 0.8 * truth
        page = published(path, {"id": ids, "y": truth, "s": score}, limits={"max_posterior": 1})
        if page is not None:
            releases.append(rs.leaks.Release(score, page.results[0].text))
    assert 2 <= len(releases) < 8
    assert rs.leaks.joint(releases, n_pos=16, max_work=200_000).verdict == "ambiguous"


def test_a_page_whose_label_is_too_likely_with_earlier_pages_is_refused(path: Path) -> None:
    random = np.random.default_rng(3)
    table = drawn_table(random, 16)
    assert published(path, table, limits={"max_posterior": 1}) is not None
    second = table | {"s": random.permutation(16) + 2.0 * table["y"]}
    offers = rs.publish(second, label="y", scores="s", ledger=path, id="id", max_posterior=1)
    alone = rs.publish(second, label="y", scores="s", max_posterior=1)
    least = min(offer.likeliest for offer in offers.offers)
    limit = least - 0.002
    assert any(offer.likeliest < limit for offer in alone.offers)
    assert published(path, second, limits={"max_posterior": limit}) is None
    accepted = published(path, second, limits={"max_posterior": least})
    assert accepted is not None
    assert said(accepted) == pytest.approx(least)


def test_a_page_that_is_published_again_costs_nothing(path: Path) -> None:
    table = drawn_table(np.random.default_rng(3), 50)
    first = published(path, table)
    assert first is not None
    bits = sum(bits for _, bits in first.basis.forms)
    assert published(path, table, limits={"max_bits": bits - 0.01}) is None
    assert published(path, table, limits={"max_bits": bits + 0.01}) is not None
    moved = {name: list(column)[::-1] for name, column in table.items()}
    again = published(path, moved)
    assert again is not None
    assert again.results[0].text == first.results[0].text
    with Publications.open(path) as ledger:
        assert len(ledger.read()) == 1
    offers = rs.publish(table, label="y", scores="s", ledger=path, id="id")
    part = next(offer for offer in offers.offers if not offer.cuts)  # of what is published
    assert offers.page(part.number).results[0].text == first.results[0].text
    with Publications.open(path) as ledger:
        assert [publication.bits for publication in ledger.read()] == [pytest.approx(bits), 0]


def test_bits_of_all_pages_are_limited_and_the_same_ranking_costs_none(path: Path) -> None:
    table = drawn_table(np.random.default_rng(3), 60)
    first = published(path, table)
    assert first is not None
    bits = sum(bits for _, bits in first.basis.forms)
    alike = table | {"s": np.sqrt(np.asarray(table["s"]))}  # the same ranking, so nothing new
    assert published(path, alike, limits={"max_bits": bits + 1}) is not None
    other = table | {"s": np.random.default_rng(5).permutation(60)}
    assert published(path, other, limits={"max_bits": bits + 1}) is None


def outcome(path: Path, table: Mapping[str, Any], limit: float) -> str:
    page = published(path, table, limits={"max_posterior": limit})
    if page is None:
        return "refused"
    shown = page.to_dict()
    return str([shown["results"], shown["curves"], shown["comparisons"]])


@pytest.mark.parametrize(
    ("n", "positives", "seed", "limit", "scores", "gone"),
    [
        (8, 4, 0, 0.95, 1, (0, 0)),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                (10, 4, 0, 1.0, 1, (0, 0)),
                (9, 4, 2, 0.8, 1, (0, 0, 0)),
                (7, 3, 1, 0.95, 2, (0, 0)),
                (9, 4, 3, 0.95, 1, (0, 2)),
            )
        ),
    ],
)
def test_who_knows_the_rule_and_all_refusals_is_certain_of_no_label(
    path: Path, n: int, positives: int, seed: int, limit: float, scores: int, gone: Sequence[int]
) -> None:
    """Every labeling is published here several times, with other scores.

    The first rows of a table are ``gone``, so that refusals must not reveal its class sizes.
    """
    random = np.random.default_rng(seed)
    given = [
        {f"s{score}": random.integers(0, 2 * n, n).astype(float) for score in range(scores)}
        for _ in gone
    ]
    alike: dict[tuple[str, ...], list[_BOOLS]] = {}
    for chosen in combinations(range(n), positives):
        labels = np.isin(np.arange(n), chosen)
        path.write_bytes(b"")
        table: dict[str, Any] = {"id": range(n), "y": labels.astype(int)}
        shown = tuple(
            outcome(path, {name: column[start:] for name, column in (table | more).items()}, limit)
            for start, more in zip(gone, given, strict=True)
        )
        alike.setdefault(shown, []).append(labels)
    assert any(shown[0] == "refused" for shown in alike)
    assert any(shown[0] != "refused" for shown in alike)
    assert any(len(set(shown)) == len(shown) for shown in alike)
    for group in alike.values():
        share = np.mean(group, axis=0)
        surest = float(np.maximum(share, 1 - share).max())
        assert surest < 1
        assert surest <= limit


def test_a_refusal_is_recorded_and_counts_for_later_pages(path: Path) -> None:
    """Here 25 of the 110 labelings that fit the first page are refused."""
    random = np.random.default_rng(0)
    table = drawn_table(random, 11)
    tables = [table | {"s": random.permutation(11) + 2.0 * table["y"]} for _ in range(2)]
    assert published(path, tables[0], limits={"max_posterior": 1}) is not None
    listed = rs.publish(tables[1], label="y", scores="s", ledger=path, id="id")
    assert not any(offer.passes for offer in listed.offers)
    with pytest.raises(ExposedError, match="no page passes"):
        listed.page()
    assert published(path, tables[1]) is None  # a second refusal adds nothing
    with Publications.open(path) as ledger:
        page, refusal = ledger.read()
    assert (page.statements.refused, refusal.statements.refused) == (False, True)
    assert refusal.bits == 0
    of_rule = refusal.statements.labelings
    assert of_rule is not None
    assert of_rule.shape == (25, 11)
    with Publications.open(path) as ledger:
        names = ledger.named(table["id"])
    columns = dict(zip(refusal.statements.ids, refusal.statements.unit, strict=True))
    mine = [columns[name] for name in names]
    assert (of_rule[:, mine] == np.asarray(table["y"], dtype=bool)).all(axis=1).any()
    corrected = tables[1] | {"y": 1 - table["y"]}
    with pytest.raises(InputError, match="corrected labels need a new ledger"):
        published(path, corrected)


def test_a_page_is_also_refused_if_other_refusals_would_expose_labels(path: Path) -> None:
    """A score is 1 in four of nine rows, of which ``ones`` are positive, and five of all rows.

    If only the 1 and 5 labelings of no and of four ones were refused, a one of a refused table
    would be positive with probability 5/6; the 20 labelings of a single one make that 40/104.
    """
    score = np.array([1] * 4 + [0] * 5)
    tables = {
        ones: {"s": score, "id": range(9), "y": [1] * ones + [0] * 4 + [1] * (5 - ones)}
        for ones in range(5)
    }
    limits = {"max_posterior": 0.8}
    shown = set()
    for ones, table in tables.items():
        path.write_bytes(b"")
        if published(path, table, limits=limits) is not None:
            shown.add(ones)
    assert shown == {2, 3}
    table = tables[1]
    path.write_bytes(b"")
    offers = rs.publish(table, label="y", scores="s", ledger=path, id="id", **limits)
    assert offers.offers[0].likeliest == 0.8
    assert not offers.offers[0].passes
    with pytest.raises(ExposedError, match="the page does not pass"):
        offers.page(1)
    evaluation = rs.evaluate({"y": table["y"], "s": score}, label="y", scores="s")
    with pytest.raises(ExposedError, match="a refusal of other labels would expose labels"):
        evaluation.public(**limits)


@pytest.mark.parametrize("seed", range(4))
def test_the_labelings_that_fit_a_ledger_are_those_of_a_plain_search(seed: int) -> None:
    """A row came, a row went, and two rows share a label on one page."""
    random = np.random.default_rng(seed)
    names = [f"{row}".encode() for row in range(6)]
    truth = random.permutation(6) < 3
    truth[1] = truth[0]
    ranks = random.permutation(4) + 1
    clustered = np.array([[2, 1, 1, 1], [ranks[0] + ranks[1], *ranks[2:], 5]])
    sums = clustered @ truth[[0, 2, 3, 4]]
    of_rule = random.random((16, 4)) < 0.5
    of_rule[0] = truth[[0, 2, 3, 4]]
    slack = np.array([0, 2])
    first = Statements.of(
        names[:5], np.array([0, 0, 1, 2, 3]), clustered, sums - slack, sums + slack, of_rule
    )
    rows = [1, 2, 3, 5]
    every = (np.arange(16)[:, None] >> np.arange(4) & 1).astype(bool)
    every = every[every.sum(axis=1) == truth[rows].sum()]
    size = np.array([truth[rows].sum()])
    sizes = Statements.of(
        [names[row] for row in rows], np.arange(4), np.ones((1, 4), dtype=np.int64), size, size
    )
    unit = {names[row]: number for number, row in enumerate(rows)}
    left = labelings_left(every, unit, sizes, [Publication(first, 1.0)], 100)
    assert left is not None
    fit, by_rule = set(), set()
    for labels in product((False, True), repeat=6):
        units = np.array(labels)[[0, 2, 3, 4]]
        inside = np.abs(clustered @ units - sums) <= slack
        if labels[0] == labels[1] and inside.all() and sum(labels[row] for row in rows) == size:
            fit.add(labels)
            if (of_rule == units).all(axis=1).any():
                by_rule.add(labels)
    of_unit = {column: row for row, column in zip(rows, left.unit.tolist(), strict=True)}
    (gone,) = set(range(left.labelings.shape[1])) - set(of_unit)
    of_unit[gone] = 4
    tried = []
    for labels in left.labelings.tolist():
        row = {of_unit[column]: label for column, label in enumerate(labels)}
        tried.append(tuple(row[1 if number == 0 else number] for number in range(6)))
    assert len(tried) == len(set(tried))
    assert set(tried) == fit
    assert {row for row, ruled in zip(tried, left.by_rule, strict=True) if ruled} == by_rule
    assert (every[left.table] == left.labelings[:, left.unit]).all()
    assert labelings_left(every, unit, sizes, [Publication(first, 1.0)], len(every)) is None


@pytest.mark.parametrize("kind", ["cluster", "frequency"])
def test_units_are_judged_as_one_label(path: Path, kind: str) -> None:
    random = np.random.default_rng(5)
    n = 16 if kind == "cluster" else 10
    table = drawn_table(random, n)
    units = {row: row for row in table["id"]}
    options: dict[str, Any] = {}
    if kind == "cluster":
        table["y"] = np.repeat(table["y"][:8], 2)
        table["c"] = np.repeat(np.arange(8), 2)
        units = {row: str(owner) for row, owner in zip(table["id"], table["c"], strict=True)}
        options = {"cluster": "c"}
    else:
        table["f"] = np.array([1, 2, 1, 1, 3, 1, 2, 1, 1, 2])
        options = {"frequency": "f"}
    pages: list[tuple[Mapping[str, Any], Answer]] = []
    for _ in range(5):
        table = table | {"s": random.permutation(n) + 1.0 * table["y"]}
        page = published(path, table, limits={"max_posterior": 1}, **options)
        if page is None:
            continue
        pages.append((table, page))
        likeliest, _ = attacked(pages, units)
        assert likeliest < 1
        assert likeliest <= said(page) + 1e-9
    assert pages


def test_pages_of_visits_and_of_patients_are_judged_by_the_patient(path: Path) -> None:
    random = np.random.default_rng(3)
    patients = drawn_table(random, 12)
    times = [1, 2, 3, 1, 1, 2, 1, 1, 2, 1, 1, 1]
    visits = {name: np.repeat(column, times) for name, column in patients.items()}
    visits |= {"s": random.permutation(17) + 1.0 * visits["y"], "c": visits["id"]}
    units = {row: row for row in patients["id"]}
    pages: list[tuple[Mapping[str, Any], Answer]] = []
    for table, options in ((visits, {"cluster": "c"}), (patients, {}), (visits, {"cluster": "c"})):
        again = table | {"s": random.permutation(len(table["s"])) + 1.0 * table["y"]}
        page = published(path, again, limits={"max_posterior": 1}, **options)
        if page is not None:
            pages.append((again, page))
            likeliest, _ = attacked(pages, units)
            assert likeliest < 1
            assert likeliest <= said(page) + 1e-9
    assert len(pages) > 1
    with pytest.raises(InputError, match="more than once"):
        published(path, visits)


def test_a_cluster_shares_its_label_on_pages_that_do_not_mention_it() -> None:
    one = np.ones((1, 2), dtype=np.int64)
    clustered = Statements.of(
        [b"a", b"b", b"c"], np.array([0, 0, 1]), np.array([[2, 1]]), np.array([2]), np.array([2])
    )
    plain = Statements.of([b"a", b"c"], np.arange(2), one, np.array([1]), np.array([1]))
    labels = {b"a": True, b"c": False}
    exposure = judged_together(plain, labels, [Publication(clustered, 1.0)], Limits(0, 1.0))
    assert exposure is not None
    assert (exposure.units, exposure.exposed, exposure.likeliest) == (2, 2, 1.0)
    three = np.ones((1, 3), dtype=np.int64)
    apart = Statements.of([b"a", b"b", b"c"], np.arange(3), three, np.array([2]), np.array([2]))
    labels = {b"a": True, b"b": True, b"c": False}
    exposure = judged_together(apart, labels, [Publication(clustered, 1.0)], Limits(0, 1.0))
    assert exposure is not None
    assert exposure.units == 2


def test_publications_are_related_through_common_rows() -> None:
    def about(*rows: bytes) -> Publication:
        one = np.ones((1, len(rows)), dtype=np.int64)
        ends = np.array([1])
        return Publication(Statements.of(rows, np.arange(len(rows)), one, ends, ends), 1.0)

    chain = [about(b"a", b"b"), about(b"x"), about(b"b", b"c"), about(b"c", b"d")]
    assert related([b"d", b"e"], chain) == (chain[0], chain[2], chain[3])
    assert related([b"x", b"y"], chain) == (chain[1],)


def test_corrected_labels_are_noticed(path: Path) -> None:
    table = drawn_table(np.random.default_rng(3), 50)
    assert published(path, table) is not None
    labels = np.array(table["y"])
    labels[:8] = 1 - labels[:8]
    with pytest.raises(InputError, match="corrected labels need a new ledger"):
        published(path, table | {"y": labels})
    pairs = table | {
        "c": np.arange(50) // 2,
        "y": np.repeat(table["y"][:25], 2),
        "id": [f"c{row}" for row in range(50)],
    }
    assert published(path, pairs, cluster="c", limits={"max_posterior": 1}) is not None
    pairs["y"] = np.where(np.arange(50) == 0, 1 - pairs["y"][0], pairs["y"])
    with pytest.raises(InputError, match="corrected labels need a new ledger"):
        published(path, pairs, limits={"max_posterior": 1})


def test_other_rows_are_none_of_its_business(path: Path) -> None:
    random = np.random.default_rng(9)
    for prefix in "abc":
        table = drawn_table(random, 50)
        page = published(path, table | {"id": [prefix + row for row in table["id"]]})
        assert page is not None
        verdict = page.basis.audit.verdict
        assert "earlier publication" not in verdict
        assert ("0 of 50 row names occur in the ledger." in verdict) == (prefix != "a")


@pytest.mark.parametrize(
    ("options", "fix"),
    [
        ({"measures": "pr_auc"}, "without measures="),
        ({"sample_weight": "w"}, "leave the weights out"),
        ({"interval": "delong"}, "leave interval= out"),
    ],
)
def test_numbers_that_are_not_sums_over_labels_are_refused(
    path: Path, options: dict[str, Any], fix: str
) -> None:
    table = drawn_table(np.random.default_rng(3), 50) | {"w": np.arange(1, 51)}
    with pytest.raises(InputError, match=fix):
        published(path, table, **options)


def test_names_and_ledger_belong_together(path: Path) -> None:
    table = drawn_table(np.random.default_rng(3), 50)
    evaluation = rs.evaluate({"y": table["y"], "s": table["s"]}, label="y", scores="s")
    with pytest.raises(InputError, match="give both"):
        evaluation.public(ledger=path)
    with pytest.raises(InputError, match="give both"):
        evaluation.public(id=table["id"])
    with pytest.raises(InputError, match="each row of the table needs one name"):
        evaluation.public(ledger=path, id=table["id"][:-1])
    with pytest.raises(InputError, match="more than once"):
        evaluation.public(ledger=path, id=["a"] * 50)


def test_the_list_of_pages_records_only_the_page_that_is_chosen(path: Path) -> None:
    table = drawn_table(np.random.default_rng(3), 60)
    asked = {"label": "y", "scores": "s", "ledger": path, "id": "id"}
    offers = rs.publish(table, **asked)
    stale = rs.publish(table, **asked)
    with Publications.open(path) as ledger:
        assert ledger.read() == ()
    page = offers.page()
    with Publications.open(path) as ledger:
        assert [kept.bits for kept in ledger.read()] == [
            pytest.approx(sum(bits for _, bits in page.basis.forms), abs=1e-5)
        ]
    coarser = len(stale.offers)
    with pytest.raises(InputError, match="list the pages again"):
        stale.page(coarser)
    others = table | {"s": np.random.default_rng(4).permutation(60)}
    listed = rs.publish(others, **asked | {"max_posterior": 0.6})
    assert not any(offer.passes for offer in listed.offers)
    with pytest.raises(ExposedError, match="a ledger records only pages that pass"):
        listed.page(1)


@pytest.mark.parametrize("seed", range(12))
def test_the_exact_probability_is_that_of_every_labeling(seed: int) -> None:
    random = np.random.default_rng(seed)
    names = [str(row).encode() for row in range(9)]
    truth = random.random(9) < 0.5
    stated = []
    for _ in range(3):
        rows = np.sort(random.permutation(9)[: random.integers(5, 10)])
        ranks = random.permutation(len(rows)) + 1
        weights = np.array([np.ones(len(rows), dtype=np.int64), ranks])
        sums = weights @ truth[rows]
        slack = np.array([0, random.integers(1, 4)])
        ids = [names[row] for row in rows]
        stated.append(
            (rows, Statements.of(ids, np.arange(len(rows)), weights, sums - slack, sums + slack))
        )
    seen = sorted(set(np.concatenate([rows for rows, _ in stated]).tolist()))
    every = (np.arange(2**9)[:, None] >> np.arange(9) & 1).astype(bool)
    fits = np.ones(len(every), dtype=bool)
    for _, page in stated:
        at = [int(name) for name in page.ids]
        sums = every[:, at] @ page.weights[:, page.unit].T
        fits &= ((sums >= page.low) & (sums <= page.high)).all(axis=1)
    share = every[fits].mean(axis=0)[seen]
    last = stated[-1][1]
    labels = {name: bool(truth[int(name)]) for name in last.ids}
    earlier = [Publication(page, 1.0) for _, page in stated[:-1]]
    exposure = judged_together(last, labels, earlier, Limits(0, 0.8))
    assert exposure is not None
    surest = np.maximum(share, 1 - share)
    assert exposure.how == "exact"
    assert exposure.likeliest == pytest.approx(surest.max(), abs=1.01e-3)
    assert exposure.likeliest >= surest.max() - 1e-12
    assert exposure.units == len(seen)
    assert exposure.exposed == int((surest == 1).sum())
    assert exposure.above == int((surest > 0.8).sum())

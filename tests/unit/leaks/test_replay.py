from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from rocsolid import InputError
from rocsolid.leaks.counting import count
from rocsolid.leaks.gaussian import gaussian_coefficient, gaussian_sum
from rocsolid.leaks.query_bits import query_bits
from rocsolid.leaks.replay import replay

LOG = {
    "time": ["2024-05-03", "2024-05-01", "2024-05-02", "2024-05-04"],
    "account": ["ann", "ann", "bob", "cid"],
    "score": [0.85, 0.8, 0.82, float("nan")],
}


def test_bits_are_added_up_in_order_of_time() -> None:
    found = replay(LOG, n=40, n_pos=20)
    assert found.decimals == 2
    assert found.unscored == 1
    assert [r.score for r in found.releases] == [0.8, 0.82, 0.85]
    most = math.log2(101)
    assert [r.most_bits_so_far for r in found.releases] == pytest.approx([most, 2 * most, 3 * most])
    assert found.most_bits == found.releases[-1].most_bits_so_far
    assert found.average_bits == pytest.approx(3 * query_bits(40, 20, 2)[0])
    assert [(a.account, a.releases) for a in found.accounts] == [("ann", 2), ("bob", 1)]
    assert found.accounts[0].most_bits == pytest.approx(2 * most)
    assert found.label_bits == pytest.approx(math.log2(math.comb(40, 20)))


def test_a_release_alone_leaves_the_labelings_that_fit_it() -> None:
    first = replay(LOG, n=40, n_pos=20).releases[0]
    # 0.795 to 0.805 of 400 pairs are ranked right: 78 to 82 are misranked
    ways = gaussian_sum(20, 20, 78, 82)
    assert first.surprise_bits == pytest.approx(math.log2(math.comb(40, 20) / ways))
    # three pairs in all: 0.5 needs a tie
    tied = replay({**LOG, "score": [0.5] * 4}, n=4, n_pos=1, decimals=3)
    assert tied.releases[0].surprise_bits is None


def test_many_rows_are_counted_by_fourier_inversion_and_few_exactly() -> None:
    log = {"time": ["2024-05-01"] * 4, "account": ["a"] * 4, "score": [0.5, 0.97, 1.0, 0.9999]}
    found = replay(log, n=310, n_pos=60, decimals=4)
    for release in found.releases:
        left = count(release.score, 310, n_pos=60, decimals=4).log2
        assert release.surprise_bits == pytest.approx(found.label_bits - left, abs=1e-6)


def test_scores_of_full_precision_stand_for_the_ratio_that_they_come_from() -> None:
    scores = [1387 / 1440, 1 / 3, 2 / 3, 97 / 144]
    log = {"time": ["2024-05-01"] * 4, "account": ["a"] * 4, "score": scores}
    found = replay(log, n=76, n_pos=36)
    assert found.decimals == 15
    assert found.releases[0].surprise_bits == pytest.approx(
        found.label_bits - math.log2(gaussian_coefficient(40, 36, 53))
    )
    assert all(r.surprise_bits is not None for r in found.releases)


def test_the_sum_never_exceeds_what_there_is() -> None:
    log = {
        "time": np.arange(60).astype("datetime64[D]"),
        "account": ["ann"] * 60,
        "score": np.linspace(0.5, 0.9, 60),
    }
    found = replay(log, n=40, n_pos=20, decimals=4)
    assert found.most_bits == found.average_bits == found.label_bits
    assert found.accounts[0].most_bits == found.label_bits


def test_probes_are_found_when_the_submissions_are_there() -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(size=40)
    swapped = np.argsort(np.argsort(base)).astype(float)
    ranks = swapped.copy()
    swapped[ranks < 10], swapped[ranks >= 30] = ranks[ranks < 10] + 30, ranks[ranks >= 30] - 30
    vectors = {
        "a": base,
        "b": swapped,
        "c": base > np.median(base),
        "d": 2 * base,
        "e": rng.normal(size=40),
    }
    log = {
        "time": [f"2024-05-0{i}" for i in range(1, 6)],
        "account": ["ann", "ann", "bob", "cid", "dan"],
        "score": [0.8, 0.6, 0.7, 0.8, 0.75],
        "submission": list("abcde"),
    }
    found = replay(log, n=40, n_pos=20, submissions=vectors)
    assert [r.signs for r in found.releases] == [
        (),
        ("block swap",),
        ("two-valued",),
        ("repeated",),
        (),
    ]
    assert [r.submission for r in found.suspects] == ["b", "c", "d"]
    assert found.repeats == 1
    # what was repeated told nothing new
    assert found.releases[3].most_bits_so_far == found.releases[2].most_bits_so_far
    assert dict(found.accounts[0].signs) == {"block swap": 1}
    assert "3 show signs of probing" in str(found)
    assert "only the times" not in str(found)


def test_the_result_is_plain(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("Owner,Created When,Score\nann,2024-05-01 10:00,0.812\n")
    found = replay(path, n=40, n_pos=20, profile="codabench")
    told = found.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["decimals"] == 3
    assert told["releases"][0]["time"] == "2024-05-01T10:00:00+00:00"
    assert set(told["signs"]) >= {"two-valued", "block swap", "near-duplicate"}


def test_refusals() -> None:
    with pytest.raises(InputError, match="0 < n_pos < n"):
        replay(LOG, n=40, n_pos=40)
    named = {**LOG, "submission": ["a", "b", "c", "d"]}
    with pytest.raises(InputError, match="names a submission that was not given: 'b'"):
        replay(named, n=40, n_pos=20, submissions={})
    with pytest.raises(InputError, match="3 scores for 40 rows"):
        replay(named, n=40, n_pos=20, submissions={k: [1, 2, 3] for k in "abcd"})

"""Attackers over HTTP: what they get is never more than the ledger says."""

from __future__ import annotations

import itertools
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np
import pytest
from contest import served
from starlette.testclient import TestClient

from rocsolid.board import Leaderboard, usual_defence
from rocsolid.board.defences import defence_of
from rocsolid.board.serve.app import application
from rocsolid.board.serve.settings import ServerSettings
from rocsolid.leaks.attacks import Guess, Host, bisection, lifting, regression
from rocsolid.leaks.ranks import doubled_ranks

N, N_POS, HALF = 14, 7, Fraction(1, 2)
POSITIVE = np.isin(np.arange(N), [0, 3, 4, 8, 9, 11, 13])
LABELINGS = np.array(
    [np.isin(np.arange(N), rows) for rows in itertools.combinations(range(N), N_POS)]
)


class Account(Host):
    """A team that asks the server; ``asked`` keeps its rankings and the answers, each once."""

    def __init__(self, client: httpx.Client, token: str, queries: int, positive: Any) -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "text/csv"}
        self.left, self.n, self.n_pos = queries, len(positive), int(positive.sum())
        self.asked: dict[bytes, tuple[Any, Fraction]] = {}

    def __call__(self, scores: Any) -> Fraction:
        rows = "".join(f"r{i},{score!r}\n" for i, score in enumerate(scores.tolist()))
        answer = self._client.post(
            "/api/submissions", content=f"id,score\n{rows}", headers=self._headers
        )
        assert answer.status_code == 200, answer.text
        self.left -= 1
        doubled, value = doubled_ranks(scores), Fraction(answer.json()["value"])
        # a replay hears the same again, whatever was answered in between
        assert self.asked.setdefault(doubled.tobytes(), (doubled, value))[1] == value
        return value


def left_over(accounts: list[Account], defence: str) -> Any:
    """The labelings that fit every answer, by trying them all."""
    fits = np.ones(len(LABELINGS), dtype=bool)
    exact = [Fraction(units, 98) for units in range(99)]  # in parts of 2·n₀·n₁
    for account in accounts:
        best = np.full(len(LABELINGS), 49)
        for doubled, value in account.asked.values():
            above = LABELINGS @ doubled - N_POS * (N_POS + 1)
            if defence.startswith("Rounded"):
                heard = [round(one, 1) for one in exact]
            else:
                step = defence_of(defence).step  # type: ignore[attr-defined]
                heard = [HALF + step * ((one - HALF) // step) for one in exact]
                above = best = np.maximum(above, best)
            fits &= np.array([one == value for one in heard])[above]
    return LABELINGS[fits]


ATTACKS = {"lifting": lifting, "bisection": bisection, "regression": regression}
Ask = Callable[[str, int], Account]


def majority(accounts: list[Account], rng: np.random.Generator) -> Guess:
    """Many accounts ask about the same random rankings; each votes for those heard to be good."""
    votes = np.zeros(N)
    for _ in range(5):
        scores = rng.permutation(N)
        heard = [float(account(scores + 0.0)) for account in accounts]
        votes += (np.mean(heard) - 0.5) * scores
    return Guess.of(votes)


@contextmanager
def hosted(folder: Path, positive: Any, defence: str, names: list[str]) -> Iterator[Ask]:
    """The way to ask a server about these labels: an account for each name."""
    labels = {"id": [f"r{i}" for i in range(len(positive))], "ill": positive.astype(int)}
    with Leaderboard.create(folder / "a", labels, label="ill", id="id", defence=defence) as board:
        tokens = {name: board.access.issue(name) for name in names}
    with (
        served(folder, str(folder / "a")) as server,
        httpx.Client(base_url=server.address) as client,
    ):
        yield lambda name, queries: Account(client, tokens[name], queries, positive)
    text = server.log.read_text()
    assert "Traceback" not in text
    with Leaderboard(folder / "a") as board:
        assert board.settings.labels not in text


@pytest.mark.slow
@pytest.mark.parametrize("defence", ["Ladder('0.2')", "Rounded(1)"])
def test_attackers_get_no_more_than_the_ledger_counts(tmp_path: Path, defence: str) -> None:
    """Bits by counting all 3,432 labelings that fit, of each attacker and of all together."""
    rng = np.random.default_rng(3)
    voters = [f"voter {i}" for i in range(8)]
    with hosted(tmp_path, POSITIVE, defence, [*ATTACKS, *voters]) as ask:
        everyone = {name: ask(name, 40) for name in [*ATTACKS, *voters]}
        for name, attack in ATTACKS.items():
            attack(everyone[name], rng)
            check({name: everyone[name]}, defence, tmp_path)
        majority([everyone[name] for name in voters], rng)
        check({name: everyone[name] for name in voters}, defence, tmp_path)
        check(everyone, defence, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("defence", ["default", "Rounded(2)"])
def test_by_default_no_attack_is_certain_of_a_label(tmp_path: Path, defence: str) -> None:
    """On 100 rows; two decimals show what the attacks can do."""
    positive = np.random.default_rng(5).permutation(100) < 40
    rule = usual_defence(40, 60) if defence == "default" else defence
    with hosted(tmp_path, positive, rule, list(ATTACKS)) as ask:
        known = {
            name: attack(ask(name, 60), np.random.default_rng(1)).known
            for name, attack in ATTACKS.items()
        }
    # a Ladder's old answers, heard again, mislead bisection into claims: they must not hold
    certain = {
        name: int((one >= 0).sum())
        for name, one in known.items()
        if (positive[one >= 0] == one[one >= 0]).all()
    }
    assert sum(certain.values()) == 0 if defence == "default" else max(certain.values()) > 20


def check(accounts: dict[str, Account], defence: str, folder: Path) -> None:
    """The bits of these accounts on the ledger are enough for what their answers say."""
    left = left_over(list(accounts.values()), defence)
    assert any((one == POSITIVE).all() for one in left)
    with Leaderboard(folder / "a") as board:
        spent = board._ledger.by_account()
    got = np.log2(len(LABELINGS) / len(left))
    assert 0 < got <= sum(spent[name][1] for name in accounts)


SIX = [np.isin(np.arange(6), rows) for rows in itertools.combinations(range(6), 3)]
BITS_OF_SIX = float(np.log2(len(SIX)))


@pytest.mark.slow
@pytest.mark.parametrize("defence", ["Ladder('0.4')", "Binned([0.5])"])
def test_colluding_teams_learn_no_more_than_is_charged(tmp_path: Path, defence: str) -> None:
    """Three teams pool their answers, and what all heard decides who asks what next. Played over
    HTTP under each of the 20 labelings: the entropy of what they hear is at most the mean charge,
    and no answer that cost nothing tells two labelings apart."""
    heard: dict[tuple[Any, ...], set[Any]] = {}
    ends: list[tuple[Any, ...]] = []
    bits = []
    free = 0
    for number, positive in enumerate(SIX):
        name = str(tmp_path / f"{number}")
        truth = {"id": list("abcdef"), "ill": positive.astype(int)}
        with Leaderboard.create(name, truth, label="ill", id="id", defence=defence) as board:
            tokens = [board.access.issue(team) for team in ("ann", "bob", "cid")]
        client = TestClient(application(ServerSettings(title="x", board=name)))
        so_far: tuple[Any, ...] = ()
        spent = 0.0
        with client:
            for _ in range(7):
                rng = np.random.default_rng(zlib.crc32(repr(so_far).encode()))
                rankings = [rng.permutation(6) for _ in range(2)]
                team, ranking = rng.integers(3), rankings[rng.integers(2)]
                if so_far and rng.random() < 0.5:  # the same as before, of another team or scale
                    ranking = so_far[rng.integers(len(so_far))][1]
                scores = "".join(
                    f"{row},{3 * s + 1}\n" for row, s in zip("abcdef", ranking, strict=True)
                )
                answer = client.post(
                    "/api/submissions",
                    content=f"id,score\n{scores}",
                    headers={"Authorization": f"Bearer {tokens[team]}", "Content-Type": "text/csv"},
                ).json()
                total = client.get("/api/board").json()["most_bits"]
                key = (so_far, int(team), tuple(map(int, ranking)))
                if total == spent < BITS_OF_SIX:
                    heard.setdefault(key, set()).add(answer["value"])
                    free += 1
                spent = total
                so_far = (*so_far, (int(team), tuple(map(int, ranking)), answer["value"]))
        ends.append(so_far)
        bits.append(spent)
    assert free >= 10
    assert all(len(values) == 1 for values in heard.values())
    counts = np.array(list(Counter(ends).values()))
    learned = float(-(counts / 20 @ np.log2(counts / 20)))
    assert 0.3 < learned <= np.mean(bits) + 1e-6

"""A signed receipt can be checked before the reveal, and accuses a host who leaves it out."""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import numpy as np
import pytest

from rocsolid.board import Leaderboard, verify
from rocsolid.board.receipts import links
from rocsolid.board.score_file import is_signed, public_key, sign
from rocsolid.board.standings import standings
from rocsolid.errors import MissingExtraError

N = 40
LABELS = {"id": list(range(N)), "ill": [i % 2 for i in range(N)]}


def table(seed: int) -> dict[str, Any]:
    return {"id": LABELS["id"], "score": np.random.default_rng(seed).normal(size=N)}


def made(path: str) -> Leaderboard:
    return Leaderboard.create(
        path, LABELS, label="ill", id="id", defence="Rounded(2)", public=0.5, sign=True
    )


def test_the_first_vector_of_rfc_8032() -> None:
    secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    signed = (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
        "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )
    assert public_key(bytes.fromhex(secret)) == public
    assert sign(bytes.fromhex(secret), "") == signed
    assert is_signed(public, "", signed) is True
    assert is_signed(public, "x", signed) is False
    assert is_signed(public, "", "zz") is False


def test_a_receipt_is_checked_before_the_reveal(board_name: str) -> None:
    with made(board_name) as board:
        receipts = [board.submit("ann", table(seed)).to_dict() for seed in (1, 2)]
        assert [one.to_dict() for one in board.receipts("ann")] == receipts
        commitment, record = board.commitment, json.loads(json.dumps(board.record()))
        assert board.settings.secret not in json.dumps(record)
        end = json.loads(json.dumps(board.record(reveal=True)))
        assert board.settings.secret not in json.dumps(end)
    for one in (record, end):
        found = verify(one, receipts=receipts, commitment=commitment)
        assert found.holds
        said = {check.question: check for check in found.checks}
        assert said["the board committed to its public key"].passed
        assert said["receipt 1 of ann"].found == "in its place"
        for seal in ("0" * 128, receipts[1]["seal"], "no hex"):
            assert not verify(one, receipts=[receipts[0] | {"seal": seal}]).holds
        other = {**one, "signer": {**one["signer"], "public_key": public_key(b"x" * 32)}}
        assert not verify(other).holds


def test_a_host_who_drops_an_answer_has_signed_it(board_name: str) -> None:
    from fractions import Fraction

    from rocsolid.board.defences import defence_of
    from rocsolid.leaks.release import ReleasedAnswer
    from rocsolid.results.plain import plain

    with made(board_name) as board:
        receipts = [board.submit("ann", table(seed)).to_dict() for seed in (1, 2)]
        record = json.loads(json.dumps(board.record()))
    del record["told"][-1]
    told = [
        ReleasedAnswer(t["at"], t["team"], t["request"], Fraction(t["value"]))
        for t in record["told"]
    ]
    record["head"] = links(record["commitment"], told)[-1]
    record["standings"] = plain(standings(told, defence_of("Rounded(2)"), 10, 10))
    assert verify(record).holds
    failed = [one for one in verify(record, receipts=receipts).checks if one.passed is False]
    assert [one.found for one in failed] == [
        "its answer is missing; the host signed an answer that the record lacks"
    ]
    forged = receipts[0] | {"value": "1"}  # by the team: its link is in the record
    failed = [one for one in verify(record, receipts=[forged]).checks if one.passed is False]
    assert [one.found for one in failed] == ["another answer is in its place"]


def test_without_the_package_there_is_a_plain_message(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with made(str(tmp_path / "b")) as board:
        receipt, record = board.submit("ann", table(1)).to_dict(), board.record()
    monkeypatch.setattr(importlib.util, "find_spec", lambda *_: None)
    with pytest.raises(MissingExtraError, match="pip install cryptography"):
        made(str(tmp_path / "c"))
    assert not (tmp_path / "c").exists()
    said = verify(record, receipts=[receipt]).checks[-2]
    assert (said.passed, said.found) == (
        None,
        "in its place; to check its signature, install cryptography",
    )

"""``rs.Sketch``: what it takes, what it refuses, and how it is stored."""

from __future__ import annotations

import copy
import pickle
import zlib
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

Y, S = [0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.35, 0.8]


def _large(size: int = 2_000, rows: int = 3_000) -> rs.Sketch:
    rng = np.random.default_rng(0)
    y = rng.random(rows) < 0.4
    return rs.Sketch(size=size).update(y, y + rng.normal(size=rows))


def test_update_changes_the_sketch_and_returns_it() -> None:
    sketch = rs.Sketch()
    assert sketch.update(Y, S) is sketch
    assert (sketch.n_pos, sketch.n_neg, sketch.buckets) == (3, 2, 4)
    assert sketch.auc().exact == rs.auc(Y, S).exact


def test_addition_leaves_both_as_they_were() -> None:
    a, b = rs.Sketch(size=2_000).update(Y, S), rs.Sketch(size=5_000).update(Y, S)
    before = a.to_bytes(), b.to_bytes()
    both = a + b
    both.update(Y, S)
    assert (a.to_bytes(), b.to_bytes()) == before
    assert (both.size, both.n_pos, both.n_neg) == (5_000, 9, 6)
    assert (a + b).to_bytes() == (b + a).to_bytes()


def test_addition_with_something_else() -> None:
    with pytest.raises(TypeError):
        rs.Sketch() + 1
    with pytest.raises(rs.InputError, match="different types of scores cannot be added"):
        rs.Sketch() + rs.Sketch(scores="int64")


def test_rows_that_are_refused_change_nothing() -> None:
    sketch = rs.Sketch().update(Y, S)
    before = sketch.to_bytes()
    for y, s in (([1, 0], [0.1, np.nan]), ([1, 2, 3], [1, 2, 3]), ([1], [2**53 + 1]), ([], [])):
        with pytest.raises(rs.InputError):
            sketch.update(y, s)
    assert sketch.to_bytes() == before


def test_one_class_is_legal_until_a_number_is_asked_for() -> None:
    sketch = rs.Sketch().update([1, 1], [0.1, 0.2])
    kept = rs.Sketch.from_bytes(sketch.to_bytes())
    for ask in (kept.auc, kept.interval, kept.refine):
        with pytest.raises(rs.OneClassError, match=r"no negative row yet.*2 positives, 0 neg"):
            ask()
    assert kept.update([0], [0.0]).auc().exact == 1
    with pytest.raises(rs.OneClassError, match="no positive row yet"):
        rs.Sketch().auc()


def test_missing_scores_are_counted() -> None:
    sketch = rs.Sketch().update([1, 0, 1], [0.5, 0.1, np.nan], nan="omit")
    sketch += rs.Sketch().update([1, 0, 1], [np.nan, 0.1, np.nan], nan="omit")
    assert sketch.omitted == 3
    assert rs.Sketch.from_bytes(sketch.to_bytes()).auc().omitted == 3
    assert sketch.auc().to_dict()["omitted"] == 3


def test_labels_with_a_name() -> None:
    sketch = rs.Sketch().update(["no", "yes"], [1, 2], pos_label="yes")
    assert sketch.auc().exact == 1
    with pytest.raises(rs.InputError, match="no label equals pos_label='yes'"):
        sketch.update(["no", "no"], [1, 2], pos_label="yes")


@pytest.mark.parametrize(
    ("kind", "scores"),
    [
        ("float64", [-np.inf, -1e-310, -0.0, 0.0, 0.1, 0.1 + 2e-17, np.inf]),
        ("float64", np.array([-(2**53), 0, 1, 2**53])),
        ("int64", [-(2**63), -(2**63) + 1, 0, 2**53, 2**53 + 1, 2**63 - 1]),
        ("uint64", np.array([0, 2**53 + 1, 2**63, 2**63 + 1, 2**64 - 1], dtype=np.uint64)),
        ("int64", np.array([-3, 4, 5], dtype=np.int8)),
        ("float64", np.array([True, False])),
        ("float64", np.array([0.5, 0.25, np.inf], dtype=np.longdouble)),
        ("float64", np.array([0.5, 0.1], dtype=np.float16)),
    ],
)
def test_scores_of_any_type_are_compared_exactly(kind: str, scores: object) -> None:
    values = np.asarray(scores)
    y = np.arange(2 * len(values)) % 2
    both = np.concatenate([values, values[::-1]])
    found = rs.Sketch(scores=kind).update(y, both).auc()
    assert found.exact == rs.auc(y, both).exact


@pytest.mark.parametrize(
    ("kind", "scores", "message"),
    [
        ("float64", [2**53 + 1], r"beyond 2\*\*53 is not exact as a float64: 9007199254740993"),
        ("float64", [-(2**53) - 1], "begin the sketch with"),
        ("float64", np.array([np.longdouble(1) + np.longdouble(2) ** -60]), "more than 64 bits"),
        ("int64", [0.5], "a sketch of int64 scores takes integers, not float64"),
        ("int64", [2**63], "outside the range of int64: 9223372036854775808"),
        ("uint64", [-1, 2], "outside the range of uint64: -1"),
    ],
)
def test_scores_that_would_be_rounded_are_refused(kind: str, scores: object, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.Sketch(scores=kind).update(np.ones(len(scores), dtype=int), scores)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 999}, "a size of 1,000 to 10,000,000,000 bytes: 999"),
        ({"size": 1e6}, "a whole number of bytes: 1000000.0"),
        ({"size": "1MB"}, "a whole number of bytes: '1MB'"),
        ({"scores": "float32"}, "no such type of scores: 'float32'.*use 'float64'"),
        ({"scores": "?"}, "use one of float64, int64, uint64"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.Sketch(**options)


def test_other_arguments_that_make_no_sense() -> None:
    sketch = rs.Sketch().update(Y, S)
    with pytest.raises(rs.InputError, match=r"not available for a sketch: 'delog'.*use 'delong'"):
        sketch.interval(method="delog")
    with pytest.raises(rs.InputError, match="delta must lie in"):
        sketch.interval(level=1.5)
    with pytest.raises(rs.InputError, match="lower_is_better must be True or False: 'no'"):
        sketch.auc(lower_is_better="no")
    with pytest.raises(rs.InputError, match="memory is a number of bytes above zero: 0"):
        sketch.refine(memory=0)
    with pytest.raises(rs.UnsoundError, match=r"does not hold here.*hinge"):
        rs.Sketch().update([0, 0, 1, 1], [1, 2, 3, 4]).interval()
    with pytest.raises(rs.InputError, match="read from bytes: 'str'"):
        rs.Sketch.from_bytes("rocsolid sketch")


def test_lower_is_better_turns_the_bracket_round() -> None:
    sketch = _large()
    one, other = sketch.auc(), sketch.auc(lower_is_better=True)
    assert one.unknown == other.unknown > 0
    assert one.low == pytest.approx(1 - other.high, abs=1e-15)
    assert rs.Sketch().update(Y, S).auc(lower_is_better=True).exact == (
        rs.auc(Y, S, lower_is_better=True).exact
    )


def test_bytes_are_within_the_size_and_come_back() -> None:
    for size in (1_000, 2_000, 12_345):
        sketch = _large(size)
        data = sketch.to_bytes()
        assert size - 25 < len(data) <= size
        again = rs.Sketch.from_bytes(data)
        assert again.to_bytes() == data
        assert again.auc() == sketch.auc()
        assert (again.size, again.scores) == (size, "float64")
    empty = rs.Sketch(scores="uint64")
    assert rs.Sketch.from_bytes(empty.to_bytes()).scores == "uint64"


def test_copies_and_pickles() -> None:
    sketch = _large()
    for other in (copy.deepcopy(sketch), pickle.loads(pickle.dumps(sketch))):
        assert other.to_bytes() == sketch.to_bytes()
        other.update(Y, S)
        assert other.to_bytes() != sketch.to_bytes()


def test_every_damaged_byte_is_found() -> None:
    data = rs.Sketch().update(Y, S).to_bytes()
    for i in range(len(data)):
        damaged = bytearray(data)
        damaged[i] ^= 0x41
        with pytest.raises(rs.InputError):
            rs.Sketch.from_bytes(damaged)
    for length in range(len(data)):
        with pytest.raises(rs.InputError):
            rs.Sketch.from_bytes(data[:length])
    with pytest.raises(rs.InputError, match="not those of 4 buckets"):
        rs.Sketch.from_bytes(data + b"\0")


def _with_check_sum(data: bytearray) -> bytes:
    return bytes(data[:-4]) + zlib.crc32(data[:-4]).to_bytes(4, "little")


@pytest.mark.parametrize(
    ("at", "value", "message"),
    [
        (16, 2, "format version 2, and this rocsolid reads 1"),
        (18, 3, "its header contradicts itself"),  # the type of scores
        (20, 0, "its header contradicts itself"),  # a size of 64 bytes and less
        (58, 255, "do not ascend"),  # the last byte of the first bucket's start
        (83, 65, "begins where none can begin"),  # the first level
        (83, 64, "begins where none can begin"),
        (94, 128, "an impossible count"),  # the sign of the first number of positives
        (87, 0, None),
    ],
)
def test_bytes_that_no_sketch_writes(at: int, value: int, message: str | None) -> None:
    """With a right check sum, as someone might make on purpose."""
    data = bytearray(rs.Sketch(size=16_384).update(Y, S).to_bytes())
    if at == 20:
        data[19:27] = (64).to_bytes(8, "little")
    else:
        data[at] = value
    if message is None:
        rs.Sketch.from_bytes(_with_check_sum(data))
        return
    with pytest.raises(rs.InputError, match=message):
        rs.Sketch.from_bytes(_with_check_sum(data))


def test_the_format_is_pinned() -> None:
    """Version 1 as first written: what is stored today must be read by every later release."""
    data = rs.Sketch(size=4_096).update([1, 0, 1], [0.5, 0.5, -2.0]).to_bytes()
    columns = (
        "ffffffffffffff3f000000000000e0bf"  # the keys of -2.0 and 0.5
        "0000"
        "01000000000000000100000000000000"
        "00000000000000000100000000000000"
    )
    assert data[:16] == b"rocsolid sketch\n"
    assert data[16:27].hex() == "0100000010000000000000"
    assert data[27:35].hex() == "0000000000000000"
    fingerprint = rs.auc([1, 0, 1], [0.5, 0.5, -2.0]).fingerprint
    assert int.from_bytes(data[35:43], "little") == int(fingerprint, 16)
    assert int.from_bytes(data[43:51], "little") == 2
    assert data[51:-4].hex() == columns


def test_repr_says_what_is_in_it() -> None:
    assert repr(rs.Sketch().update(Y, S)) == (
        "Sketch(size=1_000_000, scores='float64') of 3 positives and 2 negatives"
    )


def test_the_calls_of_a_training_loop() -> None:
    """Two processes and two epochs, saved and loaded between: the bracket of the last epoch."""
    rng = np.random.default_rng(0)
    y = rng.random(4000) < 0.4
    s = y + rng.normal(size=4000)
    ranks = [rs.Sketch(size=5000) for _ in range(2)]
    for _ in range(2):
        for rank, sketch in enumerate(ranks):
            sketch.reset()
            for start in range(rank * 100, 4000, 200):
                sketch.update(y[start : start + 100], s[start : start + 100])
    loaded = rs.Sketch()
    loaded.load_state_dict(ranks[0].state_dict())
    assert loaded.to_bytes() == ranks[0].to_bytes()
    loaded.merge_state(ranks[1])
    found, whole = loaded.compute(), rs.auc(y, s)
    assert loaded.size == 5000
    assert found == (rs.Sketch.from_bytes(ranks[0].to_bytes()) + ranks[1]).auc()
    assert found.low < whole.exact < found.high
    assert (found.n_pos, found.n_neg) == (whole.n_pos, whole.n_neg)
    assert ranks[1].n_pos + ranks[1].n_neg == 2000  # merged from, and left as it was
    assert loaded.refine().update(y, s).auc().exact == whole.exact


def test_a_reset_forgets_rows_that_wait_and_rows_left_out() -> None:
    sketch = rs.Sketch(size=2000, scores="int64").update(Y, [1, 2, 3, 4, 5])
    sketch.reset()
    assert sketch.to_bytes() == rs.Sketch(size=2000, scores="int64").to_bytes()
    with pytest.raises(rs.OneClassError):
        sketch.compute()


@pytest.mark.parametrize(
    ("state", "message"),
    [({}, "state_dict"), (b"", "state_dict"), ({"sketch": b"none"}, "not a sketch")],
)
def test_a_state_that_is_none_changes_nothing(state: Any, message: str) -> None:
    sketch = rs.Sketch().update(Y, S)
    before = sketch.to_bytes()
    with pytest.raises(rs.InputError, match=message):
        sketch.load_state_dict(state)
    with pytest.raises(rs.InputError, match="merged with a sketch: 'int'"):
        sketch.merge_state(3)  # type: ignore[arg-type]
    assert sketch.to_bytes() == before

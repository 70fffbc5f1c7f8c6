"""Arrays of torch, JAX and the array API against NumPy: the same numbers to the last bit."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import array_api_strict as strict
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import rocsolid as rs
from rocsolid.inputs import matrices
from rocsolid.summaries import placements, weighted_placements
from rocsolid.summaries.placements import DeviceClasses, Placements, SortedClasses

Maker = Callable[[np.ndarray], Any]
ELSEWHERE = strict.Device("device1")
KINDS = ["float16", "float32", "float64", "int8", "int64"]
HOMES = ["torch", "torch on a device", "jax", "strict", "strict on a device"]


def as_given(values: np.ndarray) -> np.ndarray:
    return values


@pytest.fixture(scope="module")
def makers(torch: Any) -> dict[str, Maker]:
    """NumPy's numbers as an array of each library."""
    return {
        "torch": lambda x: torch.tensor(x),
        "torch on a device": lambda x: torch.tensor(x),
        "jax": jnp.asarray,
        "strict": strict.asarray,
        "strict on a device": lambda x: strict.asarray(x, device=ELSEWHERE),
    }


@pytest.fixture(params=HOMES)
def made(
    request: pytest.FixtureRequest, makers: dict[str, Maker], monkeypatch: pytest.MonkeyPatch
) -> Maker:
    if request.param == "torch on a device":  # the processor stands in for a GPU
        monkeypatch.setattr(matrices, "SORTING", {"cpu"})
    return makers[request.param]


RNG = np.random.default_rng(0)
ROWS = 60
Y = np.arange(ROWS) % 3 == 0
S = (RNG.normal(size=ROWS) + Y).round(1).astype(np.float32)  # with ties
OTHER = (RNG.normal(size=ROWS) + Y).astype(np.float32)
GAPS = np.where(S > 1, np.nan, OTHER).astype(np.float32)
W = RNG.integers(1, 4, ROWS).astype(np.float32)
C = RNG.integers(0, 12, ROWS).astype(np.int32)
TWICE = np.resize([2, 2, 0, 0], ROWS)
GRADE = RNG.integers(0, 3, ROWS).astype(np.int32)
CLASSES = np.abs(RNG.normal(size=(ROWS, 3))).astype(np.float32)

# each takes the way to make an array, and gives what has ``to_dict``
CALLS: dict[str, Callable[[Maker], Any]] = {
    "auc": lambda a: rs.auc(a(Y), a(S)),
    "auc, lower is better": lambda a: rs.auc(a(Y), a(S), lower_is_better=True),
    "auc, weights": lambda a: rs.auc(a(Y), a(S), sample_weight=a(W)),
    "auc, clusters": lambda a: rs.auc(a(Y), a(S), cluster=a(C), sample_weight=a(W)),
    "auc, frequencies": lambda a: rs.auc(a(Y), a(S), frequency=a(C)),
    "auc, as many rows twice": lambda a: rs.auc(a(Y), a(S), frequency=a(TWICE)),
    "auc, labels as numbers": lambda a: rs.auc(a(np.where(Y, 1, -1)), a(S)),
    "auc, a positive label": lambda a: rs.auc(a(GRADE), a(S), pos_label=2),
    "auc, labels in main memory": lambda a: rs.auc(Y, a(S)),
    "auc, bootstrap": lambda a: rs.auc(a(Y), a(S), interval="bootstrap", resamples=50),
    "auc, integers": lambda a: rs.auc(a(Y), a(C), lower_is_better=True),
    "auc, truth values as scores": lambda a: rs.auc(a(Y), a(S > 0)),
    "auc, bytes": lambda a: rs.auc(a(Y), a(C.astype(np.uint8))),
    "partial": lambda a: rs.partial_auc(a(Y), a(S), fpr=(0, 0.2)),
    "partial, box": lambda a: rs.partial_auc(a(Y), a(S), fpr=(0, 0.5), tpr=(0.2, 1)),
    "weighted": lambda a: rs.weighted_auc(a(Y), a(S), weight=rs.weights.power(2)),
    "precision-recall": lambda a: rs.pr_auc(a(Y), a(S)),
    "cross-group": lambda a: rs.cross_group_auc(a(Y), a(S), group=a(C % 2)),
    "multiclass": lambda a: rs.multiclass_auc(a(GRADE), a(CLASSES)),
    "concordance": lambda a: rs.concordance(a(W), a(S)),
    "a point": lambda a: rs.roc(a(Y), a(S)).at(fpr=0.1),
    "compare": lambda a: rs.compare(a(Y), {"a": a(S), "b": a(OTHER)}),
    "compare, lower is better": lambda a: rs.compare(
        a(Y), {"a": a(S), "b": a(OTHER)}, lower_is_better=True, measure="partial_auc(fpr<=0.3)"
    ),
    "compare, twice": lambda a: rs.compare(a(Y), {"a": a(S), "b": a(OTHER)}, frequency=a(TWICE)),
    "compare, missing": lambda a: rs.compare(a(Y), {"a": a(S), "b": a(GAPS)}, nan="omit"),
    "compare, clusters": lambda a: rs.compare(a(Y), {"a": a(S), "b": a(OTHER)}, cluster=a(C)),
    "compare, lists": lambda a: rs.compare(
        a(GRADE), {"a": a(S), "b": a(OTHER)}, measure="ndcg", qid=a(C)
    ),
    "ndcg": lambda a: rs.ndcg(a(GRADE), a(S), qid=a(C)),
    "ndcg, matrices": lambda a: rs.ndcg(a(GRADE.reshape(6, 10)), a(S.reshape(6, 10))),
    "precision at": lambda a: rs.precision(a(GRADE), a(S), qid=a(C), k=2),
    "grouped": lambda a: rs.grouped_auc(a(GRADE), a(S), qid=a(C)),
    "evaluate": lambda a: rs.evaluate({"y": a(Y), "s": a(S)}, label="y", scores="s"),
}


SORTED_THERE = {
    "auc", "partial", "weighted", "precision-recall", "cross-group", "compare",
}  # fmt: skip
NOT_THERE = ("frequencies", "twice", "bootstrap", "as scores", "bytes", "lists", "missing")


@pytest.mark.parametrize("call", CALLS)
def test_every_measure_says_what_it_says_of_numpy(call: str, made: Maker) -> None:
    found, asked = (CALLS[call](way) for way in (made, as_given))
    assert json.dumps(found.to_dict()) == json.dumps(asked.to_dict())


@pytest.mark.parametrize("home", ["torch on a device", "strict on a device"])
def test_a_device_sorts_its_own_scores(
    home: str, makers: dict[str, Maker], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [name for name in CALLS if name.partition(",")[0] in SORTED_THERE]
    names = [name for name in names if not name.endswith(NOT_THERE)]
    asked = {name: CALLS[name](as_given).to_dict() for name in names}
    assert len(asked) == 16
    monkeypatch.setattr(matrices, "SORTING", {"cpu"})
    monkeypatch.setattr(SortedClasses, "from_arrays", None)
    monkeypatch.setattr(Placements, "from_sorted", None)
    monkeypatch.setattr(weighted_placements, "in_order", None)
    assert {name: CALLS[name](makers[home]).to_dict() for name in names} == asked


def test_a_sketch_takes_them(made: Maker) -> None:
    sketches = [rs.Sketch(size=2000).update(a(Y), a(S)) for a in (made, as_given)]
    assert sketches[0].to_bytes() == sketches[1].to_bytes()


@st.composite
def columns(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    kind = np.dtype(draw(st.sampled_from(KINDS)))
    rows = draw(st.integers(2, 40))
    some = draw(arrays(kind, draw(st.integers(1, rows)), elements={"allow_nan": False}
                       if kind.kind == "f" else None))  # fmt: skip
    score = some[draw(arrays(np.int64, rows, elements=st.integers(0, len(some) - 1)))]
    y = draw(arrays(np.bool_, rows))
    y[0], y[1] = True, False
    return y, score


@settings(max_examples=60)
@given(columns(), st.sampled_from(["torch", "strict on a device"]), st.integers(1, 7))
def test_sums_on_a_device_are_those_of_numpy(
    makers: dict[str, Maker], rows: tuple[np.ndarray, np.ndarray], home: str, block: int
) -> None:
    y, score = rows
    wide = score.astype(np.float32) if score.dtype == np.float16 else score  # as `on_device` does
    classes = SortedClasses.from_arrays(y, score)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(placements, "_BLOCK", block)
        patch.setattr(placements, "_LOW", 2)  # so that placements have both parts
        patch.setattr(placements, "_RUN", block + 2)
        there = DeviceClasses.of(y, makers[home](wide))
        assert there.placements() == Placements.from_sorted(classes)
    assert placements.runs_on_device(makers[home](wide))[0] == len(np.unique(score))
    np.testing.assert_array_equal(
        placements.runs_on_device(makers[home](wide))[1], np.unique(score, return_inverse=True)[1]
    )
    found = there.classes(score.dtype)
    for mine, theirs in ((found.pos, classes.pos), (found.neg, classes.neg)):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


def test_squares_beyond_64_bits(torch: Any) -> None:
    """Two scores that 3·10⁵ negatives lie below, 5·10⁶ times: Σa² is 1.8·10¹⁸ · … past int64."""
    y = np.zeros(9_000_000, dtype=bool)
    y[4_500_000:] = True
    score = torch.tensor(y.astype(np.int8))
    found = DeviceClasses.of(y, score).placements()
    assert found.pos_squares == 4_500_000 * 9_000_000**2 > 2**63
    assert found == Placements(
        4_500_000, 4_500_000, 2 * 4_500_000**2, found.pos_squares, found.pos_squares, 0
    )


@pytest.mark.parametrize("there", [False, True])
def test_short_floats_are_compared_as_they_are(
    torch: Any, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrices, "SORTING", {"cpu"} if there else set())
    for kind in (torch.bfloat16, torch.float16, torch.float8_e4m3fn):
        score = torch.tensor(OTHER).to(kind)  # some are tied once they are short
        assert rs.auc(Y, score).to_dict() == rs.auc(Y, score.float().numpy()).to_dict()
    short = rs.auc(Y, torch.tensor(OTHER).bfloat16())
    assert short.exact != rs.auc(Y, OTHER).exact
    for score in (jnp.asarray(OTHER).astype(jnp.bfloat16), OTHER.astype(ml_dtypes.bfloat16)):
        assert rs.auc(Y, score).to_dict() == short.to_dict()


@pytest.mark.parametrize("there", [False, True])
def test_gradients_views_and_signs(
    torch: Any, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrices, "SORTING", {"cpu"} if there else set())
    whole = torch.tensor(np.column_stack([OTHER, S]), requires_grad=True)
    negated = torch.tensor(S).mul(-1j).imag if there else torch.complex(
        torch.zeros(ROWS), torch.tensor(-S)
    ).conj().imag  # fmt: skip
    wide = torch.tensor(np.repeat(S, 3))[::3]
    for score in (whole[:, 1], wide, torch.tensor(S).flip(0).flip(0)):
        assert rs.auc(torch.tensor(Y), score).to_dict() == rs.auc(Y, S).to_dict()
    views = rs.compare(Y, {"a": whole[:, 1], "b": whole[:, 0]})
    assert views.to_dict() == rs.compare(Y, {"a": S, "b": OTHER}).to_dict()
    same = rs.auc(Y, negated.resolve_neg().numpy())
    assert rs.auc(Y, negated).to_dict() == same.to_dict()


BAD: dict[str, Callable[[Maker], Any]] = {
    "no positive": lambda a: rs.auc(a(np.zeros(3)), a(S[:3])),
    "a score that is NaN": lambda a: rs.auc(a(Y[:3]), a(np.array([0.5, np.nan, 1], np.float32))),
    "a label that is NaN": lambda a: rs.auc(a(np.array([0, np.nan, 1], np.float32)), a(S[:3])),
    "three labels": lambda a: rs.auc(a(GRADE), a(S)),
    "no rows": lambda a: rs.auc(a(np.zeros(0, bool)), a(np.zeros(0, np.float32))),
    "lengths": lambda a: rs.auc(a(Y), a(S[1:])),
    "two columns": lambda a: rs.auc(a(Y), a(CLASSES)),
    "a negative weight": lambda a: rs.auc(a(Y), a(S), sample_weight=a(-W)),
    "matrices": lambda a: rs.ndcg(a(CLASSES), a(S)),
}


@pytest.mark.parametrize("call", BAD)
def test_errors_read_the_same(call: str, made: Maker) -> None:
    said = []
    for way in (as_given, made):
        with pytest.raises(rs.InputError) as error:
            BAD[call](way)
        said.append((type(error.value), str(error.value)))
    assert said[0] == said[1]


def test_missing_scores_are_left_out(made: Maker) -> None:
    score = np.where(S > 1, np.nan, S).astype(np.float32)
    found, asked = (rs.auc(a(Y), a(score), nan="omit") for a in (made, as_given))
    assert found.to_dict() == asked.to_dict()
    assert found.settings["omitted"] > 0


def test_what_has_no_values_is_refused(torch: Any) -> None:
    with pytest.raises(rs.InputError, match="to_dense"):
        rs.auc(Y, torch.tensor(S).to_sparse())
    with pytest.raises(rs.InputError, match=r"Tensor cannot be converted to a NumPy array"):
        rs.auc(Y, torch.tensor(S, device="meta"))

"""Few labels and many machine labels: what is returned, what is said, what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocsolid as rs


def _data(seed: int, few: int, many: int, wrong: float, pull: float = 1.2):
    """Labels, scores and machine labels of the labelled rows, and the pair for the others."""
    rng = np.random.default_rng(seed)
    y = rng.random(few + many) < 0.4
    s = pull * y + rng.normal(size=few + many)
    w = y ^ (rng.random(few + many) < wrong)
    return y[:few], s[:few], w[:few], (s[few:], w[few:])


def test_the_formula_on_a_small_case() -> None:
    """Influence functions by their definition, row by row."""
    y, s, w, (s_u, w_u) = _data(1, 200, 500, 0.2)

    def influence(label, score):
        pos, neg = score[label], score[~label]
        theta = np.mean((pos[:, None] > neg) + 0.5 * (pos[:, None] == neg))
        share = label.mean()
        return theta, np.array(
            [
                (np.mean(neg < one) - theta) / share
                if positive
                else (np.mean(pos > one) - theta) / (1 - share)
                for positive, one in zip(label, score, strict=True)
            ]
        )

    (t_y, f_y), (t_w, f_w), (t_u, f_u) = influence(y, s), influence(w, s), influence(w_u, s_u)
    omega = np.mean(f_y * f_w) / (np.mean(f_w**2) * (1 + 200 / 500))
    variance = np.mean((f_y - omega * f_w) ** 2) / 200 + omega**2 * np.mean(f_u**2) / 500
    found = rs.auc(y, s, proxy=w, unlabelled=(s_u, w_u))
    assert found.omega == pytest.approx(omega)
    assert found.value == pytest.approx(t_y - omega * (t_w - t_u))
    assert found.std_error == pytest.approx(np.sqrt(variance))
    assert found.gain == pytest.approx(np.mean(f_y**2) / 200 / variance)
    assert found.disagreements == int((y != w).sum())
    assert found.unlabelled == 500


def test_good_machine_labels_shorten_the_interval_and_the_certified_one_stays() -> None:
    y, s, w, others = _data(2, 1500, 10_000, 0.04)
    alone, found = rs.auc(y, s), rs.auc(y, s, proxy=w, unlabelled=others)
    assert found.labels_only == alone
    assert found.certified == alone.certified
    assert found.gain > 2.0
    assert found.high - found.low < 0.75 * (alone.high - alone.low)
    assert found.method == "prediction-powered"
    assert json.loads(json.dumps(found.to_dict()))["labels_only"]["value"] == alone.value


def test_useless_machine_labels_are_called_so() -> None:
    y, s, w, others = _data(3, 400, 2000, 0.5)
    found = rs.auc(y, s, proxy=w, unlabelled=others)
    assert found.gain < 1.05
    assert any("do not help" in warning for warning in found.warnings)


def test_with_few_wrong_machine_labels_the_result_is_that_of_the_labels() -> None:
    y, s, w, others = _data(4, 150, 5000, 0.03)
    found, alone = rs.auc(y, s, proxy=w, unlabelled=others), rs.auc(y, s)
    assert found.disagreements < 30
    assert (found.value, found.interval, found.std_error) == (
        alone.value,
        alone.interval,
        alone.std_error,
    )
    assert (found.omega, found.gain) == (0.0, 1.0)
    (said,) = [warning for warning in found.warnings if "too few to measure" in warning]
    assert f"Only {found.disagreements} labelled row" in said
    assert "(prediction-powered), which covers less often than its level" in said


def test_direction_and_labels_of_any_kind() -> None:
    y, s, w, (s_u, w_u) = _data(5, 600, 900, 0.1)
    names = np.array(["no", "yes"])
    plain = rs.auc(y, s, proxy=w, unlabelled=(s_u, w_u))
    named = rs.auc(
        names[y.astype(int)], -s, proxy=names[w.astype(int)],
        unlabelled=(-s_u, names[w_u.astype(int)]), pos_label="yes", lower_is_better=True,
    )  # fmt: skip
    assert (named.value, named.low, named.omega) == (plain.value, plain.low, plain.omega)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"proxy": [0, 1, 0, 1]}, "machine labels are needed for the labelled rows and for others"),
        ({"unlabelled": ([1.0], [1])}, "machine labels are needed for the labelled rows"),
        ({"proxy": [0, 1, 0, 1], "unlabelled": [1.0, 2.0, 3.0]}, "must be the pair"),
        ({"proxy": [0, 1, 0], "unlabelled": ([1.0, 2.0], [0, 1])}, "3 machine labels for 4"),
        ({"proxy": [0, 1, 0, 1], "unlabelled": ([1.0], [0, 1])}, "2 machine labels for 1"),
        ({"proxy": [1, 1, 1, 1], "unlabelled": ([1.0, 2.0], [0, 1])}, "are the same"),
        (
            {"proxy": [0, 1, 0, 1], "unlabelled": ([1.0, 2.0], [0, 1]), "cluster": [1, 1, 2, 2]},
            "independent rows of equal weight",
        ),
    ],
)
def test_refusals(more, message) -> None:
    with pytest.raises(rs.RocsolidError, match=message):
        rs.auc([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], **more)

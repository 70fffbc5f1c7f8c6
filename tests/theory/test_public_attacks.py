"""What the attacks of rocsolid get from public pages: no label for certain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.leaks import Release, joint

Table = dict[str, Any]


def table(n: int, n_pos: int, scores: int, *, effect: float, seed: int, step: float = 0) -> Table:
    """Scores of a linear model, rounded to multiples of ``step`` where it is given."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) < n_pos)
    found: Table = {"y": y.astype(int), "site": np.where(np.arange(n) < n // 2, "a", "b")}
    for k in range(scores):
        score = rng.normal(size=n) + effect * y
        found[f"s{k}"] = np.round(score / step) * step if step else score
    return found


def evaluation(data: Table, **more: Any) -> Any:
    scores = [name for name in data if name.startswith("s") and name != "site"]
    return rs.evaluate(data, label="y", scores=scores, **more)


def releases(data: Table, page: dict[str, Any]) -> list[Release]:
    """Every AUC over all rows of the JSON, as someone would type it who has the scores."""
    return [
        Release(data[one["score"]], f"{one['value']:.{one['decimals']}f}")
        for one in page["results"]
        if one["by"] is None
    ]


def attacked(data: Table, published: rs.Evaluation) -> int:
    """The labels that the attack on all AUCs together finds for certain."""
    page = json.loads(json.dumps(published.to_dict()))
    found = joint(releases(data, page), n_pos=page["results"][0]["n_pos"], max_work=60_000)
    if found.verdict == "unique":
        return published.n_rows
    if found.exact:
        return int(((found.posterior == 0) | (found.posterior == 1)).sum())
    if found.first is None or found.second is None:
        return 0
    return 0 if (found.first != found.second).any() else published.n_rows


def no_label_is_certain(verdict: str) -> bool:
    """Whether it says so, for the rule or at least for the numbers."""
    return "o label is certain" in verdict or " 0 of " in verdict


def certain_in_curves(published: rs.Evaluation) -> int:
    """The labels that each curve alone makes certain."""
    return max(
        (
            sum(size for size, low, high in counts.parts() if low == high in (0, size))
            for _, counts in published.curves
        ),
        default=0,
    )


GRID = [
    # rows, positives, scores, effect, step of ties, segments
    (20, 10, 1, 1.0, 0, False),
    (24, 9, 5, 0.5, 0.5, False),
    (60, 20, 1, 6.0, 0, False),
    (100, 50, 1, 1.0, 0, True),
]
LARGE = [
    (40, 20, 3, 3.0, 0.1, False),
    (60, 30, 20, 0.0, 0, False),
    (80, 40, 5, 0.5, 1.0, False),
    (200, 60, 2, 1.5, 0.5, False),
]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "n_pos", "scores", "effect", "step", "segments"), [*GRID, *LARGE])
def test_no_attack_finds_more_than_the_page_says(
    n: int, n_pos: int, scores: int, effect: float, step: float, segments: bool
) -> None:
    data = table(n, n_pos, scores, effect=effect, seed=n + scores, step=step)
    published = evaluation(data, by="site" if segments else None).public(max_posterior=1)
    assert published.audit is not None
    assert "for certain" not in published.audit.banner
    assert no_label_is_certain(published.audit.verdict)
    assert attacked(data, published) == 0
    assert certain_in_curves(published) == 0


@pytest.mark.slow
def test_ten_random_scores_of_forty_rows_no_longer_tell_all_labels() -> None:
    """Before, ten AUCs to two decimals stood on the page, and one labeling fitted them."""
    data = table(40, 20, 10, effect=0.0, seed=1)
    exact = [Release(data[f"s{k}"], f"{rs.auc(data['y'], data[f's{k}']).value:.2f}")
             for k in range(10)]  # fmt: skip
    before = joint(exact, n_pos=20)
    assert before.labels is not None
    assert (before.labels == data["y"]).all()
    published = evaluation(data).public(max_posterior=1)
    assert attacked(data, published) == 0
    (withheld,) = [text for text in published.left_out if text.startswith("Withheld")]
    assert "the last decimal of each number" in withheld


@pytest.mark.parametrize(
    "share",
    [pytest.param(0.2, marks=pytest.mark.slow), 0.35, pytest.param(0.5, marks=pytest.mark.slow)],
)
def test_pages_of_a_good_classifier_tell_no_label(share: float) -> None:
    """Before, each said that it made labels certain: up to 101 of 143."""
    learn = pytest.importorskip("sklearn.datasets")
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, y = learn.load_breast_cancer(return_X_y=True)
    x_fit, x_test, y_fit, y_test = train_test_split(x, y, test_size=share, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(x_fit, y_fit)
    data = {"y": y_test, "s0": model.predict_proba(x_test)[:, 1]}
    published = evaluation(data).public(max_posterior=1)
    assert published.audit is not None
    assert no_label_is_certain(published.audit.verdict)
    assert attacked(data, published) == 0
    assert certain_in_curves(published) == 0


def written(data: Table, file: Path) -> list[str]:
    names = list(data)
    lines = [
        ",".join(names),
        *(",".join(map(str, row)) for row in zip(*data.values(), strict=True)),
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    scores = [name for name in names if name.startswith("s") and name != "site"]
    return ["evaluate", str(file), "--label", "y", *(w for s in scores for w in ("--score", s))]


def test_where_no_page_holds_nothing_is_written_and_the_exit_code_is_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = {"y": [0, 0, 0, 0, 1, 1, 1, 1], "s0": list(range(8))}
    page = tmp_path / "public.html"
    command = [*written(data, tmp_path / "t.csv"), "--public", "--html", str(page)]
    assert run(command) == 1
    said = capsys.readouterr()
    assert not page.exists()
    assert said.out == ""
    assert "no page of these 8 rows could be found that keeps every label uncertain" in said.err
    assert "--max-exposed" in said.err
    assert run([*command, "--max-exposed", "8"]) == 0
    assert page.exists()
    assert "8 of 8 labels for certain" in capsys.readouterr().out.replace("\n", " ")


def test_limits_on_a_private_report_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = written(table(20, 10, 1, effect=1.0, seed=0), tmp_path / "t.csv")
    assert run([*command, "--max-bits", "5"]) == 2
    assert "add --public" in capsys.readouterr().err

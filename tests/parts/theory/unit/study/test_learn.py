from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from letor_script import letor_means
from rocsolid.binary.area import Region
from rocsolid.errors import InputError, MissingExtraError
from rocsolid.summaries.stream import stream
from rocsolid.theory.learners.partial.sigmoid_fit import mean_area
from rocsolid.theory.study import learn, learn_areas, learn_letor
from rocsolid.theory.study.learn import LearnStudy
from rocsolid.theory.study.learn_areas import SEARCH, SIGMOID, TIGHT
from rocsolid.theory.study.learn_letor import (
    FILE,
    LEARN_TOPICS_PARTS,
    RUNS,
    Documents,
    chosen,
    folds,
)


@pytest.fixture(scope="module")
def quick() -> LearnStudy:
    return learn(quick=True)


def simulated(queries: int) -> Documents:
    """Queries of twelve documents with grades 0 to 2 and three features, one of them useless."""
    random = np.random.default_rng(0)
    query = np.repeat(np.arange(queries), 12)
    grade = random.choice([0.0, 1.0, 2.0], p=[0.6, 0.3, 0.1], size=len(query))
    features = random.normal(size=(len(query), 3)) + grade[:, None] * [1.0, 0.5, 0.0]
    return Documents(features, grade, query)


@pytest.fixture(scope="module")
def letor_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    documents = simulated(20)
    lines = [
        f"{grade:.0f} qid:{query} " + " ".join(f"{i + 1}:{x:.4f}" for i, x in enumerate(row))
        for row, grade, query in zip(
            documents.features, documents.grade, documents.query, strict=True
        )
    ]
    file = tmp_path_factory.mktemp("letor") / "small.letor"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def ranks_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve topics of 20 documents; the first run is the best, the last one ranks only half."""
    random = np.random.default_rng(1)
    lines = [",".join(["topic", "pmid", "grade", *(f"rank_{name}" for name in RUNS)])]
    for topic in range(12):
        grade = random.permutation(np.repeat([0, 1], [15, 5]))
        ranks = []
        for run in range(len(RUNS)):
            score = grade + (0.5 + 0.3 * run) * random.normal(size=20)
            ranks.append([str(rank) for rank in np.argsort(np.argsort(-score)) + 1])
        ranks[-1] = [rank if int(rank) <= 10 else "" for rank in ranks[-1]]
        for at, row in enumerate(zip(*ranks, strict=True)):
            lines.append(",".join([f"T{topic:02}", str(at), str(grade[at]), *row]))
    folder = tmp_path_factory.mktemp("clef")
    with gzip.open(folder / FILE, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return folder


@pytest.mark.slow
def test_the_seed_decides_everything_and_progress_is_told(quick: LearnStudy) -> None:
    said: list[tuple[int, int]] = []
    again = learn(quick=True, progress=lambda done, total: said.append((done, total)))
    assert again.to_dict() == quick.to_dict()
    assert [done for done, _ in said] == list(range(1, len(said) + 1))
    assert {total for _, total in said} == {len(said)}


FOR_ALL = ("AUCLeastSquares", "RankSVM", "logistic regression", "RankBoost")
FOR_FEW = (SIGMOID, TIGHT, SEARCH)


def test_training_for_small_rates_wins_there_and_loses_the_full_area(quick: LearnStudy) -> None:
    """By far more than the spread over samples: .5 against less than .3, .75 against .84."""
    parts = {str(name): part for name, part in quick["areas"].parts("learner")}
    assert set(parts) == {*FOR_ALL, *FOR_FEW}
    for few in FOR_FEW:
        for linear in set(FOR_ALL) - {"RankBoost"}:
            assert parts[few].column("partial")[-1] > parts[linear].column("partial")[-1] + 0.1
            assert parts[few].column("auc")[-1] < parts[linear].column("auc")[-1] - 0.05


def test_areas_are_those_of_the_curve() -> None:
    random = np.random.default_rng(2)
    pos, neg = random.normal(1.0, 1.0, 40), random.normal(size=50)
    classes = learn_areas.by_class(np.concatenate([pos, neg]), np.arange(90) < 40)
    part, whole = learn_areas.areas(classes)
    assert part == pytest.approx(mean_area(pos, neg, Region.of(fpr=0.1)))
    assert whole == pytest.approx(np.mean(pos[:, None] > neg[None, :]))


def test_limits(quick: LearnStudy) -> None:
    table = quick["limits"]
    assert np.all(table.column("new_rows_low") < table.column("new_rows"))
    assert np.all(np.diff(table.column("new_rows_low")) > 0)  # more rows, closer
    # vacuous, and said so by a deviation far above what it is taken from
    assert np.all(table.column("corollary_4_low") == 0.0)
    assert np.all(table.column("corollary_4_deviation") > table.column("surrogate"))
    part = quick["certificates"].column("partial_low")
    assert np.all((part > 0.05) & (part < quick["certificates"].column("partial")))


def test_corollary_4_needs_as_many_rows_as_a_root_law_says() -> None:
    x, positive = learn_areas.drawn(stream(0, 0), 400)
    w = np.array([0.2, 1.0, *np.zeros(6)])
    value, at_hand, needed = learn_areas.corollary_4(w, x, positive, 0.05)
    assert 0.0 < value < 0.1 < at_hand
    # the deviation falls like the root of the rows, but for a logarithm
    assert at_hand * (400 / needed) ** 0.5 == pytest.approx(value, rel=0.5)
    assert learn_areas.corollary_4(3.0 * w, x, positive, 0.05)[0] == pytest.approx(value)


def test_every_query_is_tested_once_and_never_trained_on_before() -> None:
    documents = simulated(13)
    made = folds(documents.query, 5)
    assert np.array_equal(sum(fold.test.astype(int) for fold in made), np.ones(13 * 12))
    for at, fold in enumerate(made):
        parts = [fold.train, fold.validate, fold.test]
        assert np.array_equal(sum(part.astype(int) for part in parts), np.ones(13 * 12))
        queries = [set(documents.query[part].tolist()) for part in parts]
        assert not queries[0] & queries[1]
        assert not queries[1] & queries[2]
        assert np.array_equal(fold.validate, made[at - 1].test)
    with pytest.raises(InputError, match="too few queries for 5 parts"):
        folds(np.array([0, 1, 2]), 5)


def test_the_one_that_decides_best_is_chosen() -> None:
    documents = simulated(10)

    class Fixed:
        def __init__(self, sign: float) -> None:
            self.sign = sign

        def decision_function(self, features: np.ndarray) -> np.ndarray:
            return self.sign * features[:, 0]

    fold = folds(documents.query, 5)[0]
    made = [lambda _, sign=sign: Fixed(sign) for sign in (-1.0, 1.0, 0.0)]
    assert chosen(made, fold, documents, learn_letor.mean_ap).sign == 1.0


def test_values_by_the_rule_of_letors_script() -> None:
    documents = simulated(30)
    score = documents.features[:, 0].round(1)  # with ties
    found = [learn_letor.per_query(documents, score, one).mean() for one in learn_letor.MEASURES]
    np.testing.assert_allclose(found, letor_means(score, documents.grade, documents.query))


@pytest.mark.slow
def test_the_parts_with_data(letor_file: Path, ranks_folder: Path) -> None:
    found = learn(letor_file, ranks_folder, quick=True)
    assert found.left_out == ()
    assert [row[:2] for row in found["letor"].rows] == [
        (name, kind) for name in learn_letor.RANKERS for kind in ("mean", "spread")
    ]
    assert all(0.5 < float(row[6]) <= 1.0 for row in found["letor"].rows if row[1] == "mean")
    assert len(found["letor_folds"].rows) == 15
    assert found["topics_runs"].rows[0][0] == RUNS[0]
    assert found["topics_runs"].column("folds").sum() == LEARN_TOPICS_PARTS
    singles = found["topics_single"]
    for measure, system, *numbers in found["topics"].rows:
        mean, low, high, certain_low, certain_high = map(float, numbers)
        assert singles.column(f"{system}: {measure}").mean() == pytest.approx(mean)
        assert certain_low <= low < mean < high
        assert mean < certain_high
    page = found.to_html("rocsolid study learn")
    for words in ("in five folds", "RankSVM − ListNet", "vacuous at every size", SIGMOID):
        assert words in page
    assert "published" not in page


def test_without_data_the_page_says_so(quick: LearnStudy) -> None:
    page = quick.to_html()
    assert "--letor FILE adds them" in page
    assert "--clef DIR adds this part" in page
    data = json.loads(json.dumps(quick.to_dict(), allow_nan=False))
    assert len(data["left_out"]) == 2
    assert [table["name"] for table in data["tables"]] == ["areas", "certificates", "limits"]


def test_a_folder_without_ranks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no ranks of the CLEF TAR 2017") as caught:
        learn(clef=tmp_path, quick=True)
    assert FILE in str(caught.value)


def test_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocsolid.errors.importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"rocsolid study learn needs scikit-learn"):
        learn(quick=True)

"""``rocsolid runs``, and the evaluation of runs behind it."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.runs import evaluate_runs, named_runs

QUERIES, DOCUMENTS = 24, 12


def lines(kind: str, seed: int) -> str:
    """Judgements with a query (q0) that has no relevant document, or a run that lacks q1."""
    rng = np.random.default_rng(seed)
    written = []
    for query in range(QUERIES):
        grades = np.random.default_rng(query).integers(0, 3, DOCUMENTS) * (query > 0)
        if kind == "qrels":
            written += [f"q{query} 0 d{i} {grade}" for i, grade in enumerate(grades[:-2])]
        elif query != 1:
            scores = np.round(0.1 * seed * grades + rng.normal(size=DOCUMENTS), 1)
            written += [
                f"q{query} Q0 d{i} {rank + 1} {scores[i]} tag"
                for rank, i in enumerate(np.argsort(-scores, kind="stable"))
            ]
    return "\n".join(written) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The judgements, then three runs: the last is the best."""
    texts = {"qrels.txt": lines("qrels", 0)}
    texts |= {
        f"{name}.run": lines("run", seed) for name, seed in zip("abc", (1, 3, 9), strict=True)
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in texts]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["runs", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("form", [[], ["--markdown"], ["--latex"], ["--html"]])
def test_every_form_says_what_the_winner_is_worth_and_what_comes_next(
    form: list[str], files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    asked = [*form, str(page)] if form == ["--html"] else form
    text = printed(capsys, *files, "--measure", "ndcg@5", "--next", "30", "--more", *asked)
    if form == ["--html"]:
        text = html.unescape(page.read_text())
    text = " ".join(text.split())
    assert re.search(r"c has the highest value, 0\.\d{4}; corrected", text)
    assert re.search(r"Ranks in a new sample of 30 queries, each at 95 \\?%: c 1", text)


def test_the_numbers_are_those_of_the_measures(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(
        printed(capsys, *files, "--measure", "ndcg_cut_5", "--measure", "map", "--json")
    )
    read = rs.read_runs(files[0], dict(zip("abc", files[1:], strict=True)), depths=(5,))
    relevance, scores, qid = read
    expected = {
        ("ndcg_cut_5", name): rs.ndcg(relevance, s, qid=qid, k=5) for name, s in scores.items()
    } | {("map", name): rs.average_precision(relevance, s, qid=qid) for name, s in scores.items()}
    results = {(one["measure"], one["run"]): one for one in found["results"]}
    assert results.keys() == expected.keys()
    for key, one in expected.items():
        for field in ("value", "low", "high", "std_error", "tied", "worst", "best", "judged"):
            assert results[key][field] == pytest.approx(one.to_dict()[field], abs=1e-14), key
        assert results[key]["full_name"] == one.measure
        assert results[key]["empty"] == ["q0"]
        assert results[key]["missing"] == ["q1"]
        assert results[key]["n_queries"] == QUERIES - 1
    assert [one["run"] for one in found["results"][:3]] == ["c", "b", "a"]  # best first
    for one in found["comparisons"]:
        name = one["measure"]
        compared = rs.compare(relevance, {n: scores[n] for n in "cba"}, measure=name, qid=qid)
        assert one["pairs"] == json.loads(json.dumps([p.to_dict() for p in compared.pairs]))
        assert one["groups"] == [list(group) for group in compared.groups]
    assert {one["name"]: one["audit"] for one in found["runs"]} == {
        name: json.loads(json.dumps(audit.to_dict())) for name, audit in read.audit.items()
    }


def test_the_keys_of_the_json_are_stable(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(printed(capsys, *files, "--json"))
    assert list(found) == [
        "qrels", "queries", "runs", "results", "comparisons", "notes", "settings",
    ]  # fmt: skip
    assert list(found["results"][0]) == [
        "run", "measure", "value", "low", "high", "level", "method", "assumptions", "certified",
        "std_error", "n_queries", "n_excluded", "empty", "missing", "as_zeros", "as_ones", "tied",
        "worst", "best", "judged", "others", "warnings", "settings", "full_name",
    ]  # fmt: skip
    assert list(found["comparisons"][0]) == [
        "measure", "full_name", "compared", "level", "covariance", "pairs", "groups",
        "non_inferiority", "equivalence", "omnibus", "ranks", "possible_bests", "winner",
        "next_ranks", "warnings", "settings", "least_detectable",
    ]  # fmt: skip
    assert found["settings"] == {
        "profile": None, "ties": "average", "missing": "zero", "empty": "exclude",
        "unjudged": "zero", "negative": "raise", "ideal": "judged", "precision": "float64",
        "duplicates": "raise", "relevant": 1, "interval": "auto", "level": 0.95, "test": "auto",
        "adjust": "max-t", "margin": None, "resamples": 10000, "seed": 0,
    }  # fmt: skip
    assert found["results"][0]["measure"] == "ndcg@10"
    by_query = json.loads(printed(capsys, *files, "--json", "--per-query"))["results"][0]
    assert by_query["qids"] == [f"q{i}" for i in range(QUERIES)]
    assert by_query["per_query"][:2] == [None, 0.0]  # without a relevant document; not in the run


def test_the_places_in_a_next_sample(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = json.loads(printed(capsys, *files, "--next", "9", "--json"))["comparisons"]
    assert found["next_ranks"].keys() == {"a", "b", "c"}
    assert sum(one["first"] for one in found["next_ranks"].values()) == pytest.approx(1.0)
    out = " ".join(printed(capsys, *files, "--next", "9").split())
    assert "Ranks in a new sample of 9 queries, each at 95 %: c " in out
    assert "next 9" not in " ".join(printed(capsys, *files).split())


def test_every_option_reaches_the_evaluation(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given: dict[str, Any] = {
        "ties": "trec", "empty": 0, "relevant": 2.0, "unjudged": "condense", "missing": "exclude",
        "negative": "zero", "duplicates": "first", "interval": "logit-t", "level": 0.9,
        "test": "sign-flip", "adjust": "max-t", "resamples": 500, "seed": 3,
    }  # fmt: skip
    options = [part for key, value in given.items() for part in (f"--{key}", str(value))]
    found = json.loads(printed(capsys, *files, "--measure", "map", *options, "--json"))
    expected = evaluate_runs(files[0], files[1:], ["map"], **given)
    assert found == json.loads(json.dumps(expected.to_dict()))
    assert {key: found["settings"][key] for key in given} == given
    assert found["results"][0]["full_name"] == "AP[relevant>=2]"
    assert found["results"][0]["n_queries"] == QUERIES - 1  # without q1, with q0 as 0
    assert "1 query without a retrieved document for some system is in no mean" in str(
        found["comparisons"][0]["warnings"]
    )


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--measure", "ndcg@10", "--measure", "map", "--measure", "rr", "--measure", "dcg@5"],
        ["--adjust", "none"],
        ["--test", "sign-flip", "--adjust", "tukey", "--resamples", "300"],
        ["--measure", "P_5", "--per-query"],
    ],
)
def test_it_fits_80_columns(
    files: list[str],
    more: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = printed(capsys, *files, *more, "--more")
    assert max(map(len, out.splitlines())) <= 80
    assert "24 judged queries, 1 without a relevant document" in out
    assert "1 judged query ('q1') is not in the run" in out
    text = " ".join(out.split())
    assert "Least detectable difference at 80 % power" in text
    assert "Runs that share a letter are not significantly different at 0.05" in text
    assert ("95 % each" in out) == ("none" in more)
    assert re.search(r"^c +0\.\d{4} ", out, re.MULTILINE)


def test_one_run_and_one_query(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, files[0], files[3])
    assert "difference" not in out
    assert json.loads(printed(capsys, files[0], files[3], "--json"))["comparisons"] == []
    qrels = Path(files[0]).with_name("one.txt")
    qrels.write_text("\n".join(t for t in Path(files[0]).read_text().splitlines() if "q5 " in t))
    out = printed(capsys, str(qrels), *files[1:])
    assert "One query shows no variation between queries, so runs are not compared." in out
    for form in ("--markdown", "--latex"):
        assert printed(capsys, str(qrels), *files[1:], form)


def test_markdown_and_latex(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = [*files, "--measure", "ndcg@10", "--measure", "map"]
    markdown = printed(capsys, *asked, "--markdown")
    assert "| run | ndcg@10 | map |\n|:--|--:|--:|\n| c | 0." in markdown
    assert "| a | b | a − b | 95 % all | certified | p adj. |" in markdown
    tables = [row for row in markdown.splitlines() if row.startswith("|")]
    assert all(row.endswith("|") for row in tables)
    latex = printed(capsys, *asked, "--latex")
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 3
    assert r"run & ndcg@10 & map \\" in latex
    assert "ndcg@10 is nDCG[linear,log2]@10, mean over 23 queries (1 of 24 left out)" in latex
    assert re.search(r"[^\\]%", latex) is None


def test_the_page(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "runs.html"
    out = printed(capsys, *files, "--measure", "rr", "--html", str(page))
    assert out.endswith(f"Report: {page}\n")
    text = page.read_text(encoding="utf-8")
    assert "1 judged query (&#x27;q1&#x27;) is not in the run" in text
    assert text.count("circle") >= 3 + 3  # three runs, three differences
    assert "<script" not in text
    before = Path(files[1]).read_text()
    assert run(["runs", *files, "--html", files[1]]) == 2
    assert Path(files[1]).read_text() == before


def test_names_of_runs() -> None:
    paths = ["x/a.run.gz", "y/a.trec", "y/b.v2.run", "-", "z/.run"]
    assert list(named_runs(paths)) == ["x/a", "y/a", "b.v2", "standard input", ".run"]
    assert list(named_runs(["p/x/a.run", "q/x/a.run"])) == ["p/x/a", "q/x/a"]
    assert list(named_runs(["a.run", "x/a.run"])) == ["a", "x/a"]
    assert named_runs("a.run") == {"a": "a.run"}
    with pytest.raises(rs.InputError, match="a run occurs twice"):
        named_runs(["x/a.run", "x/a.run.gz"])
    for wrong in ([], {}, {1: "a", "1": "b"}, [{"q": {"d": 1}}]):
        with pytest.raises(rs.InputError, match=r"needs its own name|must be paths, or named"):
            named_runs(wrong)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["QRELS"], "no run is given"),
        (["-", "-"], "standard input can be read only once"),
        (["QRELS", "RUN", "--json", "--latex"], "only one form can be printed at a time"),
        (["QRELS", "RUN", "--measure", "ndgc"], "did you mean 'ndcg'"),
        (["QRELS", "RUN", "--measure", "map", "--measure", "ap"], "requested twice"),
        (["QRELS", "RUN", "RUN"], "a run occurs twice"),
        (["QRELS", "QRELS"], "4 fields, which is not a line of a run"),
        (["QRELS", "RUN", "--interval", "tt"], "unknown interval"),
        (["QRELS", "RUN", "--interval", "items"], "says nothing about several systems"),
        (["QRELS", "RUN", "--level", "2"], "level must lie strictly between 0 and 1"),
        (["QRELS", "RUN", "--empty", "error"], "a query has no relevant document"),
        (["QRELS", "RUN", "--ties", "best"], "best"),
        (["QRELS", "RUN", "--profile", "trec"], "unknown profile"),
    ],
)
def test_bad_input_is_code_2(
    files: list[str], arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    named = {"QRELS": files[0], "RUN": files[1]}
    assert run(["runs", *(named.get(one, one) for one in arguments)]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_without_a_relevant_document_the_judgements_are_named(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none.txt"
    path.write_text("q2 0 d1 0\nq3 0 d1 0\n")
    assert run(["runs", str(path), *files[1:]]) == 2
    assert "nothing to average (none.txt). Fix: check the grades" in capsys.readouterr().err


def test_a_short_remark_is_whole(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.txt"
    path.write_text("q2 0 d1 1\nq3 0 d1 1\n")
    printed_words = " ".join(printed(capsys, str(path), *files[1:3]).split())
    assert "need more; look at the certified intervals. With --more" in printed_words


def test_the_residual_of_rbp_is_said_once_for_all_runs(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for measure in ("rbp(p=0.9)", "rbp(p=0.9, relevant>=2)"):
        found = evaluate_runs(files[0], files[1:3], measure)
        (one,) = found.measures
        residuals = {
            name: estimate.others[f"{estimate.measure} residual"]
            for name, estimate in one.estimates.items()
        }
        shown = ", ".join(f"{name} {value:.4f}" for name, value in residuals.items())
        said = [text for text in one.warnings if "could add up to" in text]
        assert said == [f"Unjudged and unlisted documents could add up to {shown}."]
        assert not any("the gain matters" in text for text in one.warnings)
    assert said[0] in " ".join(
        printed(capsys, *files[:3], "--measure", measure, "--more").replace("\n", " ").split()
    )


FORMS = ([], ["--markdown"], ["--latex"], ["--json"], ["--html", "page.html"])


@pytest.mark.parametrize("form", FORMS)
def test_a_run_of_ties_is_warned_of_beside_its_result(
    form: list[str], files: list[str], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """All scores of one run are the same; it is ranked by the mean over all orders."""
    folder = Path(files[0]).parent
    monkeypatch.chdir(folder)
    lines = [line.split() for line in Path(files[1]).read_text().splitlines()]
    level = folder / "level.run"
    level.write_text("\n".join(" ".join([*line[:4], "1.0", "level"]) for line in lines))
    out = printed(capsys, files[0], files[1], str(level), "--measure", "ndcg@10", "--more", *form)
    if "--html" in form:
        out = html.unescape(re.sub(r"<[^>]*>", "", Path("page.html").read_text("utf-8")))
    said = " ".join(out.replace("\\", "").split())
    assert "level: 100 % of the listed documents share their score" in said
    assert re.search(r"the possible orders give 0\.\d{4} to 0\.\d{4}\.", said)

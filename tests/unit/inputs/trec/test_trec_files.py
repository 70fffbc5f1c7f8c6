"""TREC text: what is legal, and the message for everything else."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.inputs.trec import Run, read_qrels, read_run

RUN = "q1 Q0 d2 1 2.5 bm25\nq1 Q0 d1 2 -1e-3 bm25\nq2 Q0 d2 1 7 bm25\n"
QRELS = "q1 0 d1 2\nq1 0 d9 0\nq2 0 d2 1\n"


def written(tmp_path: Path, text: str | bytes, name: str = "some.run") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def content(run: Run) -> list[tuple[str, str, float]]:
    queries = [run.queries[code] for code in run.query]
    return list(zip(queries, run.document.to_pylist(), run.score.tolist(), strict=True))


EXPECTED = [("q1", "d2", 2.5), ("q1", "d1", -0.001), ("q2", "d2", 7.0)]


@pytest.mark.parametrize(
    "text",
    [
        RUN,
        RUN.rstrip("\n"),
        RUN.replace(" ", "\t"),
        RUN.replace(" ", " \t  "),
        RUN.replace("\n", "  \n"),
        RUN.replace("\n", "\r\n"),
        RUN.replace("\n", "\n\n \n"),
        "\n" + RUN.replace("q", "  q"),
        "\ufeff" + RUN,
        "# a comment\n" + RUN.replace("\n", "\n  # another q1 Q0 d2 1 2.5\n"),
        RUN.replace(" bm25", ""),
        RUN.replace("bm25", "a tag of several words"),
        RUN.replace(" 2 -1e-3 bm25", " 2 -1e-3 bm25 and more"),
        RUN.replace("7", "+7"),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_any_white_space_comments_and_tags(tmp_path: Path, text: str) -> None:
    run = read_run(written(tmp_path, text))
    assert content(run) == EXPECTED
    assert run.rank is not None
    assert run.rank.tolist() == [1, 2, 1]
    packed = written(tmp_path, gzip.compress(text.encode()), "packed")
    assert content(read_run(packed)) == EXPECTED


def test_a_hash_inside_an_id_is_no_comment(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, "q#1 Q0 d#2#3 1 0.5 t\n"))
    assert content(run) == [("q#1", "d#2#3", 0.5)]


def test_a_query_may_start_with_a_hash(tmp_path: Path) -> None:
    """By hand: the mean of 1 and 0.7967; trec_eval 9 reads the same lines."""
    qrels = "#1 0 d1 1\n#a note on grades\n#1 0 d2 0\nq2 0 d1 1\nq2 0 d4 3\n"
    run = "#1 Q0 d1 1 7.5 x\n#1 Q0 d2 2 7 x\n#made by us in May\nq2 Q0 d1 1 2 x\nq2 Q0 d4 2 1 x\n"
    listed = read_run(written(tmp_path, run))
    assert listed.queries == ("#1", "q2")
    assert listed.rows.name(np.array([2])) == "line 4 of some.run"
    assert read_qrels(written(tmp_path, qrels, "qrels")).queries == ("#1", "q2")
    best = 3.0 + 1.0 / np.log2(3)
    second = (1.0 + 3.0 / np.log2(3)) / best
    found = rs.runs(tmp_path / "qrels", {"a": tmp_path / "some.run"}, ["ndcg@10"]).results[0]
    assert found.value == pytest.approx((1.0 + second) / 2)


@pytest.mark.parametrize("line", ["#1 Q0 d1 1 0,5 t", "#1 Q0 d1 1 nan t", "#1 Q0 d1 x 1 7.5 t"])
def test_a_faulty_row_of_a_query_with_a_hash_is_no_comment(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match=r"line 4 of some\.run"):
        read_run(written(tmp_path, RUN + line + "\n"))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(gzip.compress(RUN.encode())))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert content(read_run("-")) == EXPECTED


def test_numbers_keep_every_digit(tmp_path: Path) -> None:
    lines = ["0.1", "0.30000000000000004", "1e-310", "9007199254740993", "inf"]
    text = "".join(f"q Q0 d{i} {i} {number} t\n" for i, number in enumerate(lines))
    run = read_run(written(tmp_path, text))
    assert run.score.tolist() == [float(number) for number in lines]


def test_queries_may_come_in_pieces(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, "b Q0 d1 1 2 t\na Q0 d1 1 2 t\nb Q0 d2 2 1 t\n"))
    assert run.queries == ("b", "a")
    assert run.query.tolist() == [0, 1, 0]


def test_ranks_that_are_no_numbers_are_not_read(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, RUN.replace("d1 2", "d1 second")))
    assert content(run) == EXPECTED
    assert run.rank is None
    assert run.no_rank == "the rank on line 2 is not a whole number"


def test_grades_may_be_fractions(tmp_path: Path) -> None:
    qrels = read_qrels(written(tmp_path, QRELS.replace("d1 2", "d1 0.5")))
    assert qrels.grade.tolist() == [0.5, 0.0, 1.0]
    assert qrels.source == "some.run"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1 Q0 d1 1\n", r"4 fields.*'q1 Q0 d1 1' \(line 1 of some.run\).*pass it first"),
        ("q1 Q0 d1 0.5 t\n", "5 fields without a rank"),
        ("d1\n", "1 field, which is not a line of a run"),
        (RUN + "\n#\nq3 Q0 d1 1 high t\n", r"text where a number.*'high'.*line 6 of some.run"),
        (RUN + "q3 Q0 d1 x 1 7.5 t\n", r"7 fields, and the rank 'x'.*line 4.*remove spaces"),
        (RUN + "q3 Q0 d1 1 0,5 t\n", "decimal comma.*write a decimal point, as in 0.5"),
        (RUN + "q3 Q0 d1 1 nan t\n", r"a missing value.*'nan'.*line 4"),
        (RUN + "q3 Q0 d1 1 1e999 t\n", "too large for a float64"),
        (RUN + "q3 Q0 d1 1 1_000 t\n", "text where a number"),
        (RUN + "q3 Q0 d1 1 -inf t\n", "-inf would mean that the document is not retrieved"),
        (RUN.encode() + b"q3 Q0 caf\xe9 1 2 t\n", r"not UTF-8.*line 4"),
        (RUN.replace("\n", "\r"), "a carriage return inside the line"),
        ("# nothing\n\n", "no line with content"),
        ("", "the file is empty"),
        (RUN.encode("utf-16"), "UTF-16"),
        (gzip.compress(RUN.encode("utf-16"), mtime=0), "UTF-16"),
        (gzip.compress(RUN.encode(), mtime=0)[:-9], "cut short"),
        (b"PAR1" + RUN.encode(), "the content is parquet"),
    ],
)
def test_a_bad_run_is_quoted_with_its_line(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_run(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RUN, "6 fields, which is not a line of a file of judgements.*if this is a run"),
        ("q1 0 1 d1 1\n", "preferences"),
        ("q1 d1 1\n", '3 fields.*write "query 0 document relevance"'),
        (QRELS + "q2 0 d3 yes\n", r"'yes'.*line 4 of some.run"),
        (QRELS + "q2 0 d3 inf\n", "a relevance must be finite"),
        (
            QRELS + "q2 0 d3 -1\nq2 0 d4 -2\n",
            r'2 grades are negative: -1.0 \(lines 4 and 5.*"zero"',
        ),
        (QRELS + "q1 0 d1 1\n", r"'d1' of query 'q1' is judged more than once.*lines 1 and 4"),
    ],
)
def test_bad_judgements_are_quoted_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_qrels(written(tmp_path, text))


def test_missing_files_are_named(tmp_path: Path) -> None:
    written(tmp_path, RUN, "bm25.run")
    with pytest.raises(InputError, match=r"use 'bm25.run', the nearest name"):
        read_run(tmp_path / "bm52.run")


def test_negative_grades_by_choice(tmp_path: Path) -> None:
    path = written(tmp_path, QRELS + "q2 0 d3 -2\n")
    as_zero = read_qrels(path, negative="zero")
    assert (as_zero.grade.tolist(), as_zero.negative) == ([2.0, 0.0, 1.0, 0.0], 1)
    unjudged = read_qrels(path, negative="unjudged")
    assert (unjudged.document.to_pylist(), unjudged.negative) == (["d1", "d9", "d2"], 1)
    with pytest.raises(InputError, match="unknown negative: 'drop'"):
        read_qrels(path, negative="drop")  # type: ignore[arg-type]


def test_a_single_repeated_line_is_singular(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is 1 such repeated line \(lines 1 and 4 of"):
        read_run(written(tmp_path, RUN + "q1 Q0 d2 3 9 t\n"))


def test_duplicates_by_choice(tmp_path: Path) -> None:
    text = RUN + "q1 Q0 d1 3 9 t\nq1 Q0 d1 4 9 t\nq2 Q0 d1 2 1 t\nq2 Q0 d2 3 1 t\n"
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=r"3 such repeated lines \(lines 2, 4 and 5 of some.run\)"):
        read_run(path)
    first = read_run(path, duplicates="first")
    assert content(first) == [*EXPECTED, ("q2", "d1", 1.0)]
    best = read_run(path, duplicates="best")
    assert sorted(content(best)) == sorted(
        [("q1", "d2", 2.5), ("q1", "d1", 9.0), ("q2", "d2", 7.0), ("q2", "d1", 1.0)]
    )
    assert best.rank is not None
    assert best.rank.tolist() == [1, 1, 3, 2]  # the first of the two best lines
    assert first.duplicates == best.duplicates == 3
    assert first.duplicate.startswith("document 'd1' of query 'q1', lines 2, 4 and 5")
    with pytest.raises(InputError, match="unknown duplicates: 'last'"):
        read_run(path, duplicates="last")  # type: ignore[arg-type]


def test_judgements_that_repeat_or_conflict(tmp_path: Path) -> None:
    again = read_qrels(written(tmp_path, QRELS + "q1 0 d1 2\n"))
    assert (len(again), again.repeated, again.conflicting) == (3, 1, 0)
    path = written(tmp_path, "q1 0 d1 1\nq1 0 d1 3\nq1 0 d1 3\nq2 0 d1 1\nq2 0 d1 1\n")
    first, best = (read_qrels(path, duplicates=d) for d in ("first", "best"))  # type: ignore[arg-type]
    assert (first.grade.tolist(), best.grade.tolist()) == ([1.0, 1.0], [3.0, 1.0])
    assert (first.repeated, first.conflicting) == (3, 1)


def test_a_line_after_a_removed_one_keeps_its_number(tmp_path: Path) -> None:
    """Rows are renumbered when duplicates leave; messages still name lines of the file."""
    path = written(tmp_path, "# c\nq 0 d1 1\nq 0 d1 1\n\nq 0 d2 -1\n")
    with pytest.raises(InputError, match=r"line 5 of some.run"):
        read_qrels(path)


def test_long_files_are_read_in_blocks(tmp_path: Path) -> None:
    lines = [f"q{i // 100} Q0 document-{i} {i % 100 + 1} {-i} tag\n" for i in range(60_000)]
    lines[50_000] = lines[50_000].replace(" ", "\t")
    run = read_run(written(tmp_path, "".join(lines)))
    assert run.document.num_chunks > 1
    assert run.score.tolist() == [float(-i) for i in range(60_000)]
    assert run.document.to_pylist() == [f"document-{i}" for i in range(60_000)]
    assert run.queries == tuple(f"q{i}" for i in range(600))
    lines[55_000] = lines[55_000].replace("tag", "tag\n").replace("-55000", "none")
    with pytest.raises(InputError, match=r"line 55001 of some.run"):
        read_run(written(tmp_path, "".join(lines)))
    lines[55_000] = lines[54_990]
    with pytest.raises(InputError, match=r"lines 54991 and 55001 of some.run"):
        read_run(written(tmp_path, "".join(lines)))


def test_reading_imports_no_dataframe_library(tmp_path: Path) -> None:
    """pyarrow's own conversions import pandas, which takes longer than a million lines.

    ``pyarrow.compute`` takes as long as 200,000 lines.
    """
    run = "".join(f"q1 Q0 d{i} {i} {i % 7} t\n" for i in range(100))
    paths = [str(written(tmp_path, text, name)) for text, name in [(run, "run"), (QRELS, "qrels")]]
    code = (
        "import sys, rocsolid as rs; from rocsolid.inputs.trec import judge, read_qrels; "
        "qrels = read_qrels(sys.argv[2]); "
        "judge(sys.argv[1], qrels); print('pyarrow.compute' in sys.modules); "
        "rs.read_runs(qrels, {'a': sys.argv[1]}); "
        "print(sorted({'pandas', 'polars', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *paths], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "[]"]

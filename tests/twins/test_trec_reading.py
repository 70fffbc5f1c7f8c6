"""The fast readers and joins against plain ones, on generated text."""

from __future__ import annotations

import gzip
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.errors import InputError
from rocsolid.inputs.files import text_file
from rocsolid.inputs.letor import read_letor
from rocsolid.inputs.trec import audit, judge, read_qrels, read_run, read_runs
from rocsolid.inputs.trec.judged_run import union
from rocsolid.inputs.trec.lines import QRELS, RUN, read_lines, texts_at, texts_of
from rocsolid.inputs.trec.run import document_keys, text_hashes

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity)", re.IGNORECASE)
WORDS = st.text(st.sampled_from("aeé#1_.\u00a0\x1c"), min_size=1, max_size=12)
NUMBERS = st.one_of(
    st.floats(-1e6, 1e6).map(repr),
    st.integers(-30, 30).map(str),
    st.sampled_from(["1e400", "-1e400", "inf", "-inf", "nan", "+1.5", ".5", "5.", "1e-320", "0x1",
                     "1_0", "1,5", "", "1e5", "-0.0", "00.5"]),
)  # fmt: skip
GAPS = st.sampled_from([" ", " ", " ", "\t", "  ", " \t ", "\v", "\f"])
ENDS = st.sampled_from(["\n", "\n", "\n", " \n", "\r\n", "\n\n", "\n# note \n", "\n #x\n\n", "\r"])


def plain_rows(text: bytes, kind: str) -> list[tuple[str, str, float, int | None]] | None:
    """What a run or a file of judgements holds, by the rules as the documentation has them."""
    rows = []
    for line in text.split(b"\n"):
        fields = line.split()
        if not fields or fields[0] == b"#":
            continue
        if fields[0].startswith(b"#"):  # a row only where the shape and the number fit
            place = 4 if kind == "run" else 3
            fits = len(fields) >= 5 if kind == "run" else len(fields) == 4
            signless = fields[place].lstrip(b"+-").lower() if fits else b""
            if signless[:3] not in (b"nan", b"inf") and not re.match(rb"\.?\d", signless):
                continue
        if b"\r" in line.strip():
            return None
        if kind == "run":
            if len(fields) < 5:
                return None
            whole = re.fullmatch(rb"[+-]?\d{1,9}", fields[3])
            rank, number = int(fields[3]) if whole else None, fields[4]
            if len(fields) == 5 and rank is None:
                return None
            if len(fields) > 6 and not re.fullmatch(rb"[+-]?\d+", fields[3]):
                return None
        else:
            if len(fields) != 4:
                return None
            rank, number = None, fields[3]
        if not NUMBER.fullmatch(number):
            return None
        value = float(number)
        if math.isinf(value) and (b"inf" not in number.lower() or kind == "qrels" or value < 0):
            return None
        rows.append((fields[0].decode(), fields[2].decode(), value, rank))
    return rows or None


@st.composite
def files(draw: st.DrawFn, kind: str) -> bytes:
    """Lines that are mostly legal, with every kind of white space and comment."""
    lines = draw(st.integers(1, 6))
    same = draw(st.booleans())
    gap, end = draw(GAPS), draw(ENDS)
    text = draw(st.sampled_from(["", "", "\ufeff", "\n", "# first\n", " "]))
    for _ in range(lines):
        fields = [draw(st.sampled_from(["q1", "q#2", "301", "#1", "#"])), "Q0", draw(WORDS)]
        if kind == "run":
            ranks = st.sampled_from(["1", "2", "+3", "07", "x", "1.0", "12345678901"])
            fields += [draw(st.one_of(st.just("1"), ranks)), draw(NUMBERS)]
            fields += ["tag", "more", "junk"][: draw(st.sampled_from([1, 1, 1, 0, 3]))]
        else:
            fields += [draw(NUMBERS)]
            fields += draw(st.sampled_from([[], [], [], ["1"]]))
        fields = draw(st.sampled_from([fields] * 8 + [fields[:-1], fields[:3]]))
        if not same:
            gap, end = draw(GAPS), draw(ENDS)
        text += gap.join(fields) + end
    return draw(st.sampled_from([text, text.rstrip("\n")])).encode()


@pytest.mark.parametrize("kind", ["run", "qrels"])
@settings(max_examples=150)
@given(data=st.data(), size=st.sampled_from([1, 7, 40, 1 << 20]), packed=st.booleans())
def test_files_read_as_line_by_line(
    kind: str, data: st.DataObject, size: int, packed: bool, tmp_path_factory: Any
) -> None:
    text = data.draw(files(kind))
    expected = plain_rows(text.removeprefix(b"\xef\xbb\xbf"), kind)
    path = tmp_path_factory.getbasetemp() / "generated"
    path.write_bytes(gzip.compress(text) if packed else text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocsolid.inputs.trec.blocks.blocks.__defaults__", (size,))
        try:
            rows = _read(path, kind)
        except InputError:
            assert expected is None
            return
    assert expected is not None
    ranks = [rank for *_, rank in expected]
    if kind == "qrels" or None in ranks:
        ranks = [None] * len(ranks)
    assert rows == [(*row[:3], rank) for row, rank in zip(expected, ranks, strict=True)]


def _read(path: Path, kind: str) -> list[tuple[str, str, float, int | None]]:
    found = read_lines(text_file(path, "TREC"), RUN if kind == "run" else QRELS)
    queries = [found.queries[code] for code in found.query]
    ranks = [None] * len(found) if found.rank is None else found.rank.tolist()
    rows = zip(queries, found.document.to_pylist(), found.value.tolist(), ranks, strict=True)
    return list(rows)


DOCUMENTS = st.sampled_from(["a", "b", "d1", "d10", "é", "longer than eight bytes", "longer than"])
NESTED = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(DOCUMENTS, st.integers(0, 3), min_size=1),
    min_size=1,
)


@given(
    rows=st.lists(
        st.tuples(st.sampled_from(["q1", "q2", "q3"]), DOCUMENTS, st.integers(0, 3)), min_size=1
    ),
    duplicates=st.sampled_from(["raise", "first", "best"]),
    sorted_together=st.sampled_from([2, 8192]),
)
def test_each_document_stays_once(
    rows: list[tuple[str, str, int]], duplicates: Any, sorted_together: int, tmp_path_factory: Any
) -> None:
    """Queries may stand together or come again later."""
    path = tmp_path_factory.getbasetemp() / "repeated.run"
    lines = (f"{q} Q0 {d.replace(' ', '_')} 1 {s} t\n" for q, d, s in rows)
    path.write_text("".join(lines), encoding="utf-8")
    kept: dict[tuple[str, str], int] = {}
    for row, (query, document, score) in enumerate(rows):
        before = kept.setdefault((query, document), row)
        if duplicates == "best" and score > rows[before][2]:
            kept[query, document] = row
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocsolid.inputs.trec.run._SORTED", sorted_together)
        if duplicates == "raise" and len(kept) < len(rows):
            with pytest.raises(
                InputError, match=rf"there (is|are) {len(rows) - len(kept)} such repeated line"
            ):
                read_run(path)
            return
        run = read_run(path, duplicates=duplicates)
    assert run.duplicates == len(rows) - len(kept)
    names = zip(run.query.tolist(), run.document.to_pylist(), run.score.tolist(), strict=True)
    expected = [rows[row] for row in sorted(kept.values())]
    assert [(run.queries[q], d, s) for q, d, s in names] == [
        (q, d.replace(" ", "_"), s) for q, d, s in expected
    ]


@given(qrels=NESTED, run=NESTED, chunks=st.booleans())
def test_a_judged_run_is_a_join(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, int]], chunks: bool
) -> None:
    if not set(qrels) & set(run):
        with pytest.raises(InputError, match="no query in common"):
            judge(run, read_qrels(qrels))
        return
    rows = judge(run, read_qrels(qrels)).rows
    assert rows.qids.tolist() == list(qrels)
    for i, (query, grades) in enumerate(qrels.items()):
        part = slice(rows.offsets[i], rows.offsets[i + 1])
        retrieved = run.get(query, {})
        expected = [(grades.get(doc), float(score)) for doc, score in retrieved.items()]
        expected += [(g, -math.inf) for doc, g in grades.items() if doc not in retrieved]
        found = zip(rows.relevance[part].tolist(), rows.score[part].tolist(), strict=True)
        assert [(None if math.isnan(g) else g, s) for g, s in found] == expected
        order = dict(zip(retrieved, rows.doc_order[part].tolist(), strict=False))
        for a in retrieved:
            for b in retrieved:
                if retrieved[a] == retrieved[b]:  # ties are what the order is for
                    assert (order[a] < order[b]) == (a.encode() < b.encode())


@given(qrels=NESTED, runs=st.dictionaries(st.sampled_from("xyz"), NESTED, min_size=1))
def test_read_runs_is_an_outer_join(
    qrels: dict[str, dict[str, int]], runs: dict[str, dict[str, dict[str, int]]]
) -> None:
    runs = {name: {**run, "q1": run.get("q1", {"a": 1})} for name, run in runs.items()}
    qrels = {"q1": {"b": 1}, **qrels}
    found = read_runs(qrels, runs)
    relevance, scores, qid = found
    rows = list(zip(qid.tolist(), found.doc.to_pylist(), strict=True))
    expected = [
        (query, document)
        for query in qrels
        for document in sorted(
            set(qrels[query]).union(*(run.get(query, {}) for run in runs.values())),
            key=str.encode,
            reverse=True,
        )
    ]
    assert rows == expected
    for i, (query, document) in enumerate(rows):
        grade = qrels[query].get(document)
        assert relevance[i] == grade if grade is not None else math.isnan(relevance[i])
        for name, run in runs.items():
            assert scores[name][i] == run.get(query, {}).get(document, -math.inf)


@given(
    texts=st.lists(st.text(max_size=40), min_size=1),
    queries=st.data(),
    cuts=st.lists(st.integers(0, 50)),
)
def test_equal_documents_have_equal_keys(
    texts: list[str], queries: st.DataObject, cuts: list[int]
) -> None:
    query = np.array([queries.draw(st.integers(0, 2)) for _ in texts], dtype=np.int32)
    edges = sorted({0, len(texts), *(cut for cut in cuts if cut < len(texts))})
    whole = pa.array(texts, pa.string())
    pieces = [whole[a:b] for a, b in pairwise(edges)]
    found = document_keys(query, text_hashes(pa.chunked_array(pieces))).tolist()
    pairs = list(zip(query.tolist(), texts, strict=True))
    for i, one in enumerate(pairs):
        for j, other in enumerate(pairs):
            assert (found[i] == found[j]) == (one == other)


@given(lists=st.lists(st.lists(st.tuples(st.integers(0, 2), DOCUMENTS), unique=True), min_size=1))
def test_colliding_keys_do_no_harm(lists: list[list[tuple[int, str]]]) -> None:
    columns = [
        (np.array([q for q, _ in some], np.int32), pa.chunked_array([[d for _, d in some]]))
        for some in lists
        if some
    ]
    if not columns:
        return
    expected = union(columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocsolid.inputs.trec.judged_run.document_keys", _no_key)
        found = union(columns)
    assert found.document.to_pylist() == expected.document.to_pylist()
    assert found.query.tolist() == expected.query.tolist()
    assert [p.tolist() for p in found.places] == [p.tolist() for p in expected.places]


TEXTS = st.lists(st.text(st.sampled_from("ab\0é\uffff\U0001f600")), min_size=1, max_size=20)


@given(TEXTS, st.data())
def test_texts_are_taken_and_sorted_as_pyarrow_does(texts: list[str], data: st.DataObject) -> None:
    skipped = data.draw(st.integers(0, len(texts) - 1))
    array = pa.array(texts, pa.string())[skipped:]
    rows = data.draw(st.lists(st.integers(0, len(array) - 1)))
    assert texts_of(array, np.array(rows, dtype=np.intp)).equals(array.take(pa.array(rows, "i8")))
    cut = data.draw(st.integers(0, len(array)))
    chunked = pa.chunked_array([array[:cut], array[cut:]])
    ascending = np.array(sorted({*rows}), dtype=np.intp)
    assert texts_at(chunked, ascending).equals(array.take(pa.array(ascending)))
    here = audit.document_order(array)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit, "_SORTED_HERE", 0)
        assert here.tolist() == audit.document_order(array).tolist()
    by_bytes = sorted(range(len(array)), key=lambda i: array[i].as_py().encode())
    assert here[by_bytes].tolist() == list(range(1, len(array) + 1))


def test_colliding_keys_are_no_duplicates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocsolid.inputs.trec.run.document_keys", _no_key)
    assert read_run({"q": {"a": 1, "b": 2}}).duplicates == 0


@given(qrels=NESTED, run=NESTED)
def test_colliding_keys_join_by_text(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, int]]
) -> None:
    run = {**run, **{query: run.get(query, {"b": 1}) for query in qrels}}
    expected = judge(run, read_qrels(qrels)).rows
    with pytest.MonkeyPatch.context() as patch:
        for module in ("judged_run", "run"):
            patch.setattr(f"rocsolid.inputs.trec.{module}.document_keys", _no_key)
        found = judge(run, read_qrels(qrels)).rows
    np.testing.assert_array_equal(found.relevance, expected.relevance)
    assert found.score.tolist() == expected.score.tolist()


def _no_key(query: Any, hashes: Any) -> Any:
    return np.zeros(len(query), np.uint64)


def _unread(text: bytes) -> None:
    """As if no line could be read fast."""


FEATURES = st.one_of(
    st.sampled_from(["1:0.5", "2:1", "3:-1e-3", "40:.5", "7:0", "1:", ":1", "x:1", "1:2:3", "5"]),
    st.tuples(st.integers(0, 60), st.floats(-1e3, 1e3)).map(lambda p: f"{p[0]}:{p[1]!r}"),
)


@st.composite
def letor_files(draw: st.DrawFn) -> bytes:
    text, gap, end = "", draw(GAPS), draw(ENDS)
    named = draw(st.sampled_from([True, True, True, False, None]))
    for _ in range(draw(st.integers(1, 5))):
        numbers = sorted(draw(st.sets(st.integers(1, 50), max_size=5)))
        fields = [f"{n}:{draw(st.floats(-9, 9))!r}" for n in numbers]
        fields += draw(st.sampled_from([[]] * 6 + [[draw(FEATURES)]]))
        query = draw(st.sampled_from(["qid:1", "qid:2", "qid:q7", "qid:é", "qid:03"]))
        query = draw(st.sampled_from([query] * 8 + ["qid:", "qid", "q"]))
        if named if named is not None else draw(st.booleans()):
            fields = [query, *fields]
        label = draw(st.sampled_from(["0", "2", "1.5", "4", "4", "1", "x", "inf", "nan"]))
        comment = draw(st.sampled_from(["", "", "#docid = a  b", " # é # more", "#", "#\t x "]))
        text += gap.join([label, *fields]) + comment + end
    return text.encode()


@settings(max_examples=150)
@given(text=letor_files(), size=st.sampled_from([10, 60, 1 << 20]))
def test_letor_reads_as_line_by_line(text: bytes, size: int, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "generated.letor"
    path.write_bytes(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocsolid.inputs.letor.letor_file._SIZE", size)
        fast = _letor(path)
        patch.setattr("rocsolid.inputs.letor.letor_file.fast_letor", _unread)
        assert fast == _letor(path)


def _letor(path: Path) -> Any:
    try:
        rows = read_letor(path)
    except InputError as error:
        return str(error)
    columns = (rows.relevance, rows.qid, *(getattr(rows.features, f) for f in ("number", "value")))
    return [c.tolist() for c in columns], rows.features.offsets.tolist(), rows.comment.to_pylist()

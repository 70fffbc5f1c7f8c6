"""Logs of language-model evaluations: files that frameworks wrote, and files that are broken."""

from __future__ import annotations

import io
import json
import math
import re
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.inputs.logs import archive, documents, read_logs
from rocsolid.inputs.logs.logged_answer import grade

DATA = Path(__file__).parents[2] / "data" / "logs"


def log(folder: Path, *rows: dict[str, Any], name: str = "log.jsonl") -> str:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def answers(path: str | Path, name: str = "samples") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Path(path).read_text("utf-8"))[name]
    return found


def test_an_archive_and_a_document_of_inspect_are_the_same() -> None:
    """The two files are of the same run; the reference is read from the document by hand."""
    for scorer in ("exact", "closeness"):
        packed, plain = (
            read_logs([str(DATA / name)], measure=scorer) for name in ("small.eval", "small.json")
        )
        wanted = [
            grade(sample["scores"][scorer]["value"]) for sample in answers(DATA / "small.json")
        ]
        for items in (packed, plain):
            assert items.values["mockllm/small"].tolist() == wanted
            assert items.names.tolist() == [f"q{i}" for i in range(10)]
            assert items.clusters == [f"passage-{i // 3}" for i in range(10)]
            assert items.formed == "10 items in 4 clusters"


def test_letters_are_grades(tmp_path: Path) -> None:
    """As in inspect_ai's `value_to_float`."""
    rows = [{"item": i, "score": letter} for i, letter in enumerate("CIPN")]
    assert read_logs(log(tmp_path, *rows)).values["log"].tolist() == [1.0, 0.0, 0.5, 0.0]


def test_epochs_are_averaged() -> None:
    items = read_logs([str(DATA / "epochs.eval")], measure="exact")
    assert items.values["mockllm/large"].mean() == pytest.approx(0.65)  # inspect_ai's accuracy
    assert set(items.values["mockllm/large"].tolist()) == {0.5, 1.0}
    assert "the mean of its 2 answers" in items.formed


def test_the_harness_names_models_by_folders_and_metrics_by_filters() -> None:
    items = read_logs(DATA / "harness", measure="acc")
    assert {name: column.mean() for name, column in items.values.items()} == {
        "large": 0.5, "small": 0.3,  # printed by lm-evaluation-harness
    }  # fmt: skip
    with pytest.raises(rs.InputError, match=r"2 scorers.*'acc', 'acc_norm'.*measure='acc'"):
        read_logs(DATA / "harness")
    with pytest.raises(rs.InputError, match="exact_match,strict"):
        read_logs(DATA / "filters")


def test_totals_beside_samples_are_passed_over(tmp_path: Path) -> None:
    """The harness writes both into the folder of a model."""
    (samples,) = (DATA / "harness" / "large").iterdir()
    (tmp_path / samples.name).write_bytes(samples.read_bytes())
    log(tmp_path, {"results": {}, "configs": {}}, name="results_2026.json")
    assert read_logs(tmp_path, measure="acc").names.size == 10


@pytest.mark.parametrize("name", ["promptfoo.json", "promptfoo.jsonl"])
def test_promptfoo_has_a_model_per_provider(name: str) -> None:
    items = read_logs(DATA / name)
    each = 3 if name == "promptfoo.json" else 8
    assert {column.size for column in items.values.values()} == {each}
    assert items.scorer == "pass"
    assert items.names[0] == '{"n": 1}'
    assert items.clusters is not None
    assert ("2 answers" in items.formed) == (name == "promptfoo.json")  # --repeat 2
    assert read_logs(DATA / name, measure="exact").values["large"].tolist() == (
        items.values["large"].tolist()
    )


def test_a_provider_with_two_prompts_is_two_models(tmp_path: Path) -> None:
    rows = [
        {"testIdx": 0, "provider": {"id": "p"}, "prompt": {"label": prompt}, "vars": {"n": 1},
         "success": prompt < "b"}
        for prompt in "ab"
    ]  # fmt: skip
    assert {n: v.tolist() for n, v in read_logs(log(tmp_path, *rows)).values.items()} == {
        "p, a": [1.0], "p, b": [0.0],
    }  # fmt: skip


def test_plain_rows(tmp_path: Path) -> None:
    rows = [
        {"item": item, "model": model, "score": item % 2 == (model == "a"), "cluster": item // 2}
        for model in "ab" for item in range(4)
    ]  # fmt: skip
    items = read_logs(log(tmp_path, *rows))
    assert {name: column.tolist() for name, column in items.values.items()} == {
        "a": [0, 1, 0, 1], "b": [1, 0, 1, 0],
    }  # fmt: skip
    assert items.clusters == ["0", "0", "1", "1"]
    alone = log(tmp_path, *({**row, "cluster": row["item"]} for row in rows))
    assert read_logs(alone).clusters is None  # a cluster for each item is no cluster


def test_models_of_several_files_and_files_without_models(tmp_path: Path) -> None:
    row = {"item": 1, "score": 1}
    paths = [log(tmp_path, row, name="x.jsonl")]
    paths += [log(tmp_path, {**row, "model": "m"}, name=f"{name}.jsonl") for name in "yz"]
    assert list(read_logs(paths).values) == ["x", "m", "m (z)"]


def test_items_without_a_score(tmp_path: Path) -> None:
    rows = [{"item": i, "model": m, "score": None if (i, m) == (2, "b") else i / 4}
            for i in range(4) for m in "ab"]  # fmt: skip
    rows = [row for row in rows if (row["item"], row["model"]) != (3, "a")]
    path = log(tmp_path, *rows)
    with pytest.raises(rs.InputError, match=r'1 of 4 items have no score of .*nan="omit"'):
        read_logs(path)
    items = read_logs(path, nan="omit")
    assert items.names.tolist() == ["0", "1"]
    assert items.formed == "2 left out for lack of a score (a: 1, b: 1)"
    (warning,) = items.warnings
    assert warning == (
        "With 0 for missing scores: a 0.1875, b 0.2500, over all 4 items; 2 are left out (a: 1, "
        "b: 1)."
    )
    assert (warning.code, warning.severity) == ("ROC318", "warning")


def test_items_that_no_model_answered_are_a_note(tmp_path: Path) -> None:
    rows = [{"item": i, "model": m, "score": None if i == 1 else -i} for i in range(4)
            for m in "abcdefg"]  # fmt: skip
    (note,) = read_logs(log(tmp_path, *rows), nan="omit").warnings
    assert note.severity == "note"
    assert note == (  # 0 is not the worst of negative scores
        "1 of 4 items are left out for lack of a score (a: 1, b: 1, c: 1, d: 1, e: 1 and 2 more)."
    )
    assert read_logs(log(tmp_path, *rows[14:]), nan="omit").warnings == ()


BAD: dict[str, tuple[list[dict[str, Any]], str]] = {
    "twice": ([{"item": 1, "score": 1}] * 2, "has two scores .* name the model with the key model"),
    "twice by one model": (
        [{"item": 1, "model": "m", "score": 1}] * 2, "Fix: number several answers",
    ),
    "no number": ([{"item": 1, "score": "good"}], "not a number: 'good'"),
    "infinite": ([{"item": 1, "score": math.inf}], "not a number"),
    "no item": ([{"score": 1}], "no key 'item'"),
    "epoch": ([{"item": 1, "score": 1, "epoch": "x"}], "whole number"),
    "two clusters": (
        [{"item": 1, "score": 1, "model": m, "cluster": m} for m in "ab"], "two clusters",
    ),
    "some clusters": (
        [{"item": i, "score": 1, **({"cluster": 1} if i else {})} for i in (0, 1)],
        r"1 of 2 items have no 'cluster'",
    ),
    "none in common": (
        [{"item": m, "score": 1, "model": m} for m in "ab"], "1 of 2 items have no score",
    ),
    "another question": (
        [{"doc_id": 1, "metrics": ["acc"], "acc": 1, "doc_hash": "a"},
         {"doc_id": 1, "metrics": ["acc"], "acc": 1, "doc_hash": "b"}], "another question",
    ),
    "mteb": ([{"mteb_version": "2", "task_name": "t", "scores": {"test": []}}],
             "result of mteb has means only"),
    "totals": ([{"results": {"t": {"acc,none": 1}}, "configs": {}}], "--log_samples"),
    "no samples": ([{"eval": {}, "samples": None}], "no samples"),
    "another form": ([{"eval": {}, "samples": {"a": 1}}], "'samples' has another form"),
    "sample": ([{"eval": {}, "samples": [1]}], "JSON object was expected"),
    "something": ([{"a": 1}], "not a log"),
}  # fmt: skip


def inspect_log(path: Path, given: Any, dataset: str = "sums") -> str:
    """A log of inspect_ai with one sample for each input."""
    samples = [{"id": i, "input": each, "scores": {"s": {"value": i % 2}}}
               for i, each in enumerate(given)]  # fmt: skip
    run = {"task": "t", "model": path.stem, "dataset": {"name": dataset}}
    path.write_text(json.dumps({"eval": run, "samples": samples}), encoding="utf-8")
    return str(path)


LONG = "word " * 300
CHAT = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "Why?"}]}]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Why?", "Why?", True),
        ("Why?", "How?", False),
        (LONG, f"{LONG[:1020].rstrip()}...", True),  # as the summaries of some versions cut it
        (f"Why? {LONG}", f"How? {LONG}", False),
        (CHAT, CHAT, True),
        (CHAT, [{"role": "user", "content": "Why?"}], True),
        (CHAT, [{"role": "system", "content": "Be brief."}, *CHAT], False),
    ],
)
def test_models_must_have_answered_the_same_questions(
    first: Any, second: Any, same: bool, tmp_path: Path
) -> None:
    paths = [
        inspect_log(tmp_path / "a.json", ["first", first]),
        inspect_log(tmp_path / "b.json", ["first", second], "a copy of sums"),
    ]
    if same:
        assert list(read_logs(paths).values) == ["a", "b"]
    else:
        with pytest.raises(rs.InputError, match=r"item 1 is another question .*b.json"):
            read_logs(paths)


def test_without_inputs_the_names_of_the_data_sets_are_compared(tmp_path: Path) -> None:
    paths = [inspect_log(tmp_path / f"{name}.json", [None] * 2, name) for name in "ab"]
    with pytest.raises(rs.InputError, match="item 0 is another question"):
        read_logs(paths)


def test_two_runs_in_the_folder_of_a_model(tmp_path: Path) -> None:
    (samples,) = (DATA / "harness" / "large").iterdir()
    for name in (samples.name, samples.name.replace("2026", "2027")):
        (tmp_path / name).write_bytes(samples.read_bytes())
    with pytest.raises(rs.InputError, match="keep the samples of one run of each task"):
        read_logs(tmp_path, measure="acc")


def test_an_error_of_promptfoo_has_no_score(tmp_path: Path) -> None:
    """As in inspect_ai, whose samples with an error have no scores."""
    rows = [json.loads(line) for line in (DATA / "promptfoo.jsonl").read_text("utf-8").split("\n")
            if line]  # fmt: skip
    assert rows[0]["provider"]["label"] == "large"
    rows[0] |= {"failureReason": 2, "success": False, "score": 0, "namedScores": {}}
    path = log(tmp_path, *rows)
    for measure in ("pass", "exact", "score"):
        with pytest.raises(rs.InputError, match="1 of 8 items have no score of large"):
            read_logs(path, measure=measure)
        items = read_logs(path, measure=measure, nan="omit")
        assert len(items.names) == 7
        assert "(large: 1)" in items.warnings[0]


@pytest.mark.parametrize(("rows", "says"), BAD.values(), ids=BAD)
def test_what_is_refused(rows: list[dict[str, Any]], says: str, tmp_path: Path) -> None:
    with pytest.raises(rs.InputError, match=says):
        read_logs(log(tmp_path, *rows))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not a log"),
        (b"a,b\n1,2\n", "not a log"),
        (b'{"item": 1, "score": 1}\n{"item": 2, "sc', "line 2"),
        (b'{"eval": {"task"', "cut off"),
        (b'{"item": 1, "score": 1' + b"0" * 5000 + b"}\n", "not JSON"),
        (b'{"item": 1, "score": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"item": "\xff", "score": 1}\n', "not JSON"),
        (b'[{"item": 1}]', "not a log"),
    ],
)
def test_broken_text(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_bytes(content)
    with pytest.raises(rs.InputError, match=says):
        read_logs(path)


def test_a_line_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "LONGEST_LINE", 40)
    path = log(tmp_path, {"item": 1, "score": 1}, {"item": "x" * 60, "score": 1})
    with pytest.raises(rs.InputError, match=r"more than 40 bytes.*line 2"):
        list(documents.lines(path))


def test_files_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(rs.InputError, match="No such file"):
        read_logs(tmp_path / "nowhere.eval")
    with pytest.raises(rs.InputError, match="folder has no log"):
        read_logs(tmp_path)


@given(st.data())
def test_no_flipped_byte_of_an_archive_is_a_traceback(data: st.DataObject) -> None:
    whole = bytearray((DATA / "small.eval").read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.sampled_from([len(whole), len(whole) // 2, 10]))
    file = io.BytesIO(bytes(whole[:cut]))
    try:
        opened = archive.Archive("flipped.eval", file)
        for name in opened.names:
            opened.document(name)
    except rs.RocsolidError:
        pass


def zstd_archive(name: str, content: bytes, declared: int) -> bytes:
    """An archive with one entry by Zstandard that declares another size."""
    packed = pa.Codec("zstd").compress(content, asbytes=True)
    crc = 0
    fields = (20, 0, 93, 0, 0, crc, len(packed), declared, len(name), 0)
    local = struct.pack("<4s5H3I2H", b"PK\3\4", *fields) + name.encode() + packed
    central = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, *fields, 0, 0, 0, 0, 0) + name.encode()
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end


def test_a_bomb_is_refused_before_it_unfolds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a declared size beyond the memory is read, nor more than the declared size."""
    liar = zstd_archive("header.json", b"0" * 50_000_000, 10)
    assert len(liar) < 10_000
    taken: list[int] = []
    monkeypatch.setattr(archive, "parsed", lambda text, _where: taken.append(len(text)))
    with pytest.raises(rs.InputError, match="another length or checksum"):
        archive.Archive("liar.eval", io.BytesIO(liar)).document("header.json")
    assert taken == []
    honest = zstd_archive("header.json", b"", 2**32 - 2)
    with pytest.raises(rs.errors.OutOfMemoryError, match="34,360 MB"):
        archive.Archive("honest.eval", io.BytesIO(honest)).document("header.json")
    assert taken == []


def test_an_archive_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("a.txt", "text")
    with pytest.raises(rs.InputError, match="not a log of inspect_ai"):
        read_logs(path)


def test_an_interrupted_run_is_read_from_its_journal(tmp_path: Path) -> None:
    """As inspect_ai leaves it: no header and no summaries, a start and parts of the summaries."""
    path = tmp_path / "cut.eval"
    with (DATA / "small.eval").open("rb") as file:
        given = archive.Archive("small.eval", file)
        start, rows = given.document("_journal/start.json"), given.document("summaries.json")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("_journal/start.json", json.dumps(start))
        for number, part in enumerate((rows[:4], rows[4:6]), start=1):
            made.writestr(f"_journal/summaries/{number}.json", json.dumps(part))
    items = read_logs(path, measure="exact")
    assert items.names.tolist() == [f"q{i}" for i in range(6)]
    assert items.values["mockllm/small"].tolist() == [
        grade(row["scores"]["exact"]["value"]) for row in rows[:6]
    ]


def test_a_scorer_with_named_values_and_a_sample_with_an_error(tmp_path: Path) -> None:
    samples = [
        {"id": i, "epoch": 1, "scores": {"judge": {"value": {"style": i / 2, "fact": "C"}}}}
        for i in range(3)
    ]
    document = {"eval": {"task": "t", "model": "m"}, "samples": samples}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document, indent=1))
    assert read_logs(path, measure="judge.style").values["m"].tolist() == [0.0, 0.5, 1.0]
    samples.append({"id": 3, "epoch": 1, "error": {"message": "timeout"}, "scores": {}})
    path.write_text(json.dumps(document, indent=1))
    with pytest.raises(rs.InputError, match="1 of 4 items have no score of m, such as 3"):
        read_logs(path, measure="judge.fact")
    with pytest.raises(rs.InputError, match="not every model has scores by this scorer: 'other'"):
        read_logs(path, measure="other")


def test_the_only_shared_scorer_is_chosen(tmp_path: Path) -> None:
    def scored(model: str, *scorers: str) -> str:
        scores = {name: {"value": 1} for name in scorers}
        document = {"eval": {"task": "t", "model": model}, "samples": [{"id": 1, "scores": scores}]}
        return log(tmp_path, document, name=f"{model}.json")

    both, one, another = scored("a", "x", "y"), scored("b", "y"), scored("c", "z")
    assert read_logs([both, one]).scorer == "y"
    with pytest.raises(rs.InputError, match="not every model has scores by this scorer: 'x'"):
        read_logs([both, one], measure="x")
    with pytest.raises(rs.InputError, match="no scorer in common"):
        read_logs([both, another])


def test_grades_beyond_one_have_no_known_range(tmp_path: Path) -> None:
    path = log(tmp_path, *({"item": i, "score": i} for i in range(5)))
    items = read_logs(path)
    assert (items.range, items.binary) == (None, False)
    halves = read_logs(log(tmp_path, *({"item": i, "score": i / 4} for i in range(5))))
    assert (halves.range, halves.binary) == ((0.0, 1.0), False)


ITEMS = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from("ab"), st.integers(0, 2), st.integers(0, 4)),
    min_size=1, max_size=40, unique_by=lambda row: row[:3],
)  # fmt: skip


@given(ITEMS)
def test_means_agree_with_plain_python(rows: list[tuple[int, str, int, int]]) -> None:
    """The twin: dictionaries of lists."""
    from tempfile import TemporaryDirectory

    twin: dict[str, dict[str, list[float]]] = {}
    for item, model, _, score in rows:
        twin.setdefault(model, {}).setdefault(str(item), []).append(score / 4)
    order = list(dict.fromkeys(str(row[0]) for row in rows))
    kept = [item for item in order if all(item in own for own in twin.values())]
    with TemporaryDirectory() as folder:
        path = log(Path(folder), *(
            {"item": i, "model": m, "epoch": e, "score": s / 4} for i, m, e, s in rows
        ))  # fmt: skip
        if not kept:
            with pytest.raises(rs.InputError, match="no item has a score of every model"):
                read_logs(path, nan="omit")
            return
        items = read_logs(path, nan="omit")
    assert items.names.tolist() == kept
    for model, own in twin.items():
        wanted = [sum(own[item]) / len(own[item]) for item in kept]
        np.testing.assert_allclose(items.values[model], wanted, atol=1e-15)
    most = max(len(scores) for own in twin.values() for scores in own.values())
    assert (f"{most} answers" in items.formed) == (most > 1)
    assert bool(re.search("left out", items.formed)) == (len(kept) < len(order))

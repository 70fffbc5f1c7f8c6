"""Every measure in every verb, design and engine: the numbers of memory, or its refusal."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from rocsolid.engines import in_memory


def _loaded() -> ModuleType:
    script = Path(__file__).parents[3] / "docs" / "matrix_page.py"
    found = importlib.util.spec_from_file_location("matrix_page", script)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


MATRIX = _loaded()
LIBRARY = duckdb.connect()
LIBRARY.register("rows_of_the_matrix", pa.table(MATRIX.TABLE))


def same_as_in_memory(source: Any, cell: tuple[str, str, str], patch: pytest.MonkeyPatch) -> None:
    """The numbers, or the reason why there are none; rows come here where the page says so."""
    wanted = MATRIX.in_memory(*cell)
    collected: list[float] = []

    def counted(rows: float, columns: Any) -> float:
        collected.append(rows)
        return float(rows * len(columns.scores))

    patch.setattr(in_memory, "bytes_of_rows", counted)
    verb, measure, design = cell
    found = MATRIX.asked(verb, source, measure, design)
    if isinstance(wanted, str):
        assert found == wanted
        return
    assert found == pytest.approx(wanted, abs=1e-9)
    assert bool(collected) == MATRIX.collects(*cell), cell


@pytest.mark.parametrize("measure", MATRIX.MEASURES)
@pytest.mark.parametrize("design", MATRIX.DESIGNS)
@pytest.mark.parametrize("verb", MATRIX.VERBS)
def test_each_cell(verb: str, measure: str, design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = verb, measure, design
    relation = LIBRARY.sql("select * from rows_of_the_matrix")
    same_as_in_memory(relation, cell, monkeypatch)


@pytest.mark.slow
def test_cells_on_spark(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way to collect once, as a cell is several jobs, and some that stream beside twins."""
    frame = spark.createDataFrame(pa.table(MATRIX.TABLE))
    for cell in (
        ("evaluate", "sensitivity(specificity=0.9)", "weights and clusters"),
        ("evaluate", "weighted_auc(power(2))", "segments"),
        ("evaluate", "gain", "segments"),
        ("compare", "auc", "weights"),
        ("compare", "bedroc(20)", "plain"),
        ("compare", "pr_auc", "weights and clusters"),
        ("compare", "pr_auc", "segments"),
        ("compare", "partial_auc(fpr<=0.05)", "clusters"),
        ("certify", "auc", "clusters"),
        ("certify", "ndcg@10", "plain"),
        ("certify", "weighted_auc(power(2))", "plain"),
        ("certify", "partial_auc(fpr<=0.3, tpr>=0.5)", "plain"),
        ("evaluate", "sensitivity(specificity=0.9)", "segments"),
        ("evaluate", "precision(recall=0.8)", "plain"),
        ("evaluate", "net_benefit@0.2", "segments"),
        ("evaluate", "net_benefit@0.2", "clusters"),
        ("compare", "net_benefit@0.2", "weights and clusters"),
        ("certify", "net_benefit@0.2", "plain"),
        ("evaluate", "vus", "segments"),
        ("compare", "concordance", "weights and clusters"),
        ("certify", "vus", "clusters"),
    ):
        same_as_in_memory(frame, cell, monkeypatch)


def test_the_page_is_up_to_date() -> None:
    assert MATRIX.FILE.read_text(encoding="utf-8") == MATRIX.page(), (
        "run: python docs/matrix_page.py"
    )

"""The public names, and what importing the package loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rocsolid as rs

HEAVY = (
    "scipy", "pandas", "polars", "duckdb", "matplotlib", "sklearn", "pyarrow", "narwhals",
    "flint", "rich", "cyclopts",
)  # fmt: skip


def test_every_public_name_is_there() -> None:
    for name in rs.__all__:
        assert getattr(rs, name) is not None
    assert dir(rs) == sorted(rs.__all__)
    assert set(rs.__all__) == {"__version__", *rs._HOMES, *rs._MODULES}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'acu'"):
        _ = rs.acu


def _loaded_by(code: str) -> set[str]:
    probe = f"import sys\n{code}\nprint(*sorted({{m.partition('.')[0] for m in sys.modules}}))"
    out = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    ).stdout
    return set(out.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not _loaded_by("import rocsolid").intersection(HEAVY)


def test_an_auc_needs_numpy_and_scipy_special_only() -> None:
    code = "import rocsolid as rs; rs.auc([0, 1, 0, 1], [1, 2, 3, 4])"
    assert not _loaded_by(code).intersection(set(HEAVY) - {"scipy"})
    stats = "print('scipy.stats' in sys.modules); sys.exit()"
    probe = f"import sys\n{code}\n{stats}"
    out = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    ).stdout
    assert out.strip() == "False"


def test_an_auc_without_groups_does_not_load_what_is_about_them() -> None:
    code = "import rocsolid as rs; rs.auc([0, 1, 0, 1], [1, 2, 3, 4])"
    probe = f"import sys\n{code}\nprint('rocsolid.measures.within' in sys.modules)"
    out = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    ).stdout
    assert out.strip() == "False"


@pytest.mark.parametrize("verb", ["evaluate", "runs"])
def test_a_command_loads_no_page_and_no_dataframes(tmp_path: Path, verb: str) -> None:
    files = {
        "scores.csv": "ill,risk\n" + "0,1\n1,2\n0,3\n1,4\n" * 10,
        "qrels": "q1 0 d1 1\nq2 0 d1 0\nq2 0 d2 1\n",
        "run": "q1 Q0 d1 1 2.5 a\nq2 Q0 d1 1 1.5 a\nq2 Q0 d2 2 0.5 a\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    table, qrels, run = (str(tmp_path / name) for name in files)
    words = {"evaluate": [table, "--label", "ill", "--score", "risk"], "runs": [qrels, run]}[verb]
    probe = (
        f"import sys\nfrom rocsolid.cli.app import run\nassert run({[verb, *words]}) == 0\n"
        "print(*sys.modules)"
    )
    out = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    ).stdout
    unasked = {
        "matplotlib", "narwhals", "pandas", "pyarrow.compute", "rocsolid.leaks",
        "rocsolid.pictures", "rocsolid.plots", "rocsolid.report.data", "rocsolid.report.sections",
    }  # fmt: skip
    assert not unasked.intersection(out.splitlines()[-1].split())

"""What every test may ask for: the reference data, and one rule for what cannot run here."""

from __future__ import annotations

import copy
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cyclopts import App
from hypothesis import settings

from shared_folder import shared_folder

settings.register_profile(
    "rocsolid", deadline=None, print_blob=True, derandomize=True, max_examples=50
)
settings.load_profile("rocsolid")


def _remembered(assemble: Any) -> Any:
    """Read the signature of a verb once a process: each of thousands of runs would read it again.

    What parsing writes into its arguments is undone before the next run.
    """
    known: dict[Any, tuple[Any, list[tuple[Any, dict[str, Any]]]]] = {}

    def remembered(self: App, **how: Any) -> Any:
        key = self.default_command, *sorted(how.items())
        if self.default_command is None or how.get("default_parameter") is not None:
            return assemble(self, **how)
        if key not in known:
            arguments = assemble(self, **how)
            known[key] = arguments, [(each, _state(each)) for each in arguments]
        arguments, states = known[key]
        for argument, state in states:
            for name, value in state.items():
                setattr(argument, name, copy.copy(value) if isinstance(value, list) else value)
        return type(arguments)(arguments)

    return remembered


def _state(argument: Any) -> dict[str, Any]:
    names = (each.name for each in type(argument).__attrs_attrs__)
    values = {name: getattr(argument, name) for name in names if name != "children"}
    return {name: [*v] if isinstance(v, list) else v for name, v in values.items()}


App.assemble_argument_collection = _remembered(App.assemble_argument_collection)

SLOW_FIXTURES = {"chromium", "docs_site", "others", "postgresql", "rscript", "spark"}

STRICT = os.environ.get("ROCSOLID_STRICT") == "1"


def skip_or_fail(reason: str) -> None:
    """Skip on a bare machine; fail where the environment promises that nothing is missing."""
    if STRICT:
        pytest.fail(f"{reason} (ROCSOLID_STRICT=1 allows no skip)")
    pytest.skip(reason)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser, R, Java, MLflow and the site take seconds to start: `make test` omits them."""
    for item in items:
        if SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("slow")


LEFT_OUT: Counter[str] = Counter()
"""How many tests the marker expression left out, by the slow fixture that they need."""


def pytest_deselected(items: list[pytest.Item]) -> None:
    for item in items:
        needed = SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ()))
        LEFT_OUT[min(needed, default="none of these")] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(LEFT_OUT)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker leaves out the same."""
    LEFT_OUT.update(getattr(node, "workeroutput", {}).get("left_out", {}) if not LEFT_OUT else {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if LEFT_OUT:
        terminalreporter.section("left out, by the slow fixture they need")
        for name, count in sorted(LEFT_OUT.items()):
            terminalreporter.write_line(f"{count:6} {name}")


@pytest.fixture(scope="session")
def data() -> Path:
    """The reference data; where each file is from stands in the README beside them."""
    return Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def docs_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as `make docs` builds it, which checks links and anchors."""

    def build(folder: Path) -> None:
        command = [sys.executable, "docs/build.py", str(folder)]
        root = Path(__file__).parents[1]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    return shared_folder(tmp_path_factory, "docs-site", build)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a headless-capable Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        skip_or_fail("no chromium on this machine (Debian package: chromium)")
    return str(found)


@pytest.fixture
def others(tmp_path: Path) -> Callable[..., Any]:
    """Return ``run(code, example, data)``, which runs code where MLflow and skore are installed.

    The last line that the code prints is JSON. The versions that MLflow allows are not ours.
    """
    root = Path(__file__).parents[1]
    python = Path(os.environ.get("ROCSOLID_OTHERS", root / ".venv/others/bin/python"))
    if not python.exists():
        skip_or_fail(f"no {python}; .ci/run installs MLflow and skore there")

    def run(code: str, example: str, data: Any) -> Any:
        arguments = [str(tmp_path), str(root / "examples" / example)]
        setting = {"PYTHONPATH": str(root / "src"), "DO_NOT_TRACK": "true"}
        done = subprocess.run(
            [str(python), "-c", code, *arguments], cwd=tmp_path, capture_output=True, text=True,
            input=json.dumps(data), env=os.environ | setting,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


@pytest.fixture(scope="session")
def rscript() -> str:
    """The path of an Rscript that has pROC."""
    found = shutil.which("Rscript")
    if found is None:
        skip_or_fail("no R with pROC on this machine (Debian package: r-cran-proc)")
    return str(found)


@pytest.fixture(scope="session")
def mlbench(rscript: str) -> str:
    """The path of an Rscript that has mlbench, with the data sets that papers on learning use."""
    if subprocess.run([rscript, "-e", "library(mlbench)"], capture_output=True).returncode:
        skip_or_fail("no R with mlbench on this machine (Debian package: r-cran-mlbench)")
    return rscript


@pytest.fixture(scope="session")
def reticulate(rscript: str) -> str:
    """The path of an Rscript that has reticulate, which runs Python inside R."""
    if subprocess.run([rscript, "-e", "library(reticulate)"], capture_output=True).returncode:
        skip_or_fail("no R with reticulate on this machine (Debian package: r-cran-reticulate)")
    return rscript


@pytest.fixture(scope="session")
def torch() -> Any:
    """PyTorch, which no extra brings: its usual wheel weighs gigabytes."""
    try:
        import torch
    except ImportError:
        skip_or_fail("no torch here (pip install 'torch<2.14')")
    return torch


@pytest.fixture(scope="session")
def _cluster() -> Iterator[Path]:
    """A private PostgreSQL server, reached by the socket in this folder; it refuses to be root."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found or (os.geteuid() == 0 and shutil.which("runuser") is None):
        skip_or_fail("no PostgreSQL on this machine (Debian package: postgresql)")
    programs = found[-1].parent
    folder = Path(tempfile.mkdtemp(prefix="rocsolid-postgresql-"))
    as_user: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]

    def run(*command: str) -> None:
        subprocess.run(
            [*as_user, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=60
        )

    data = str(folder / "data")
    settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    run(str(programs / "initdb"), "-D", data, "-U", "host", "-A", "trust", "-N", "-E", "UTF8")
    control = str(programs / "pg_ctl")
    run(control, "-D", data, "-w", "-l", str(folder / "log"), "-o", settings, "start")
    yield folder
    run(control, "-D", data, "-w", "-m", "immediate", "stop")
    shutil.rmtree(folder)


@pytest.fixture
def postgresql(_cluster: Path) -> str:
    """The address of a new, empty schema, which is made faster than a database."""
    import psycopg

    name, server = f"board_{secrets.token_hex(4)}", f"postgresql:///postgres?host={_cluster}"
    with psycopg.connect(f"{server}&user=host", autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {name}")
    return f"{server}&user=host&options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def board_name(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new board can be made: in a file, and in PostgreSQL."""
    if request.param == "sqlite":
        return str(tmp_path / "some.board")
    return str(request.getfixturevalue("postgresql"))


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A small Spark session on this machine, for all tests; a task may fail once."""
    if shutil.which("java") is None:
        skip_or_fail("no Java for Spark on this machine (Debian package: default-jre-headless)")
    with warnings.catch_warnings():
        # of PySpark itself, while it is imported and its sockets are opened
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        from pyspark.sql import SparkSession

        options = {
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "OFF",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            # jobs are too short for the second compiler of Java to pay
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        }
        builder = SparkSession.builder.master("local[2,2]").appName("rocsolid tests")
        session = builder.config(map=options).getOrCreate()
    yield session
    session.stop()

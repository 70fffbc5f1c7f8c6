"""The wheel and the source archive: the same bytes from each build, accepted by an index."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import rocsolid

ROOT = Path(__file__).parents[2]
MOST_BYTES = 2_500_000  # of the wheel
MOST_DATA = 100_000  # of its files that are not Python
pytest.importorskip("hatchling")
pytest.importorskip("twine")
yaml = pytest.importorskip("yaml")


@pytest.fixture(scope="module")
def release() -> dict[str, Any]:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    return dict(yaml.safe_load(text))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, release: dict[str, Any]) -> Path:
    """The folder in which the workflow's own script built the package twice."""
    folder = tmp_path_factory.mktemp("release")
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    script = next(step["run"] for step in release["jobs"]["build"]["steps"]
                  if step.get("name") == "Build twice and compare")  # fmt: skip
    environment = os.environ | {
        "SOURCE_DATE_EPOCH": "1767225600", "GITHUB_REF_NAME": f"v{rocsolid.__version__}",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_two_builds_are_the_same_and_complete(built: Path) -> None:
    first, second = (
        {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}
        for folder in (built / "dist", built / "again")
    )
    assert len(first) == 2
    assert first == second
    files = [str(file) for file in sorted((built / "dist").iterdir())]
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *files], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout
    (wheel,) = (built / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        data = [each.file_size for each in archive.infolist()
                if each.filename[:9] == "rocsolid/" and each.filename[-3:] != ".py"]  # fmt: skip
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"rocsolid"}
    assert [name for name in names if re.search(r"(^|/)(tests/|test_|conftest)", name)] == []
    assert 0 < sum(data) <= MOST_DATA
    assert wheel.stat().st_size <= MOST_BYTES
    source = ROOT / "src"
    for file in (source / "rocsolid").rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            assert file.relative_to(source).as_posix() in names
    (archive_file,) = (built / "dist").glob("*.tar.gz")
    with tarfile.open(archive_file) as archive:
        assert any(name.endswith("/CITATION.cff") for name in archive.getnames())


@pytest.mark.slow
def test_a_wheel_knows_when_a_file_was_changed(built: Path, tmp_path: Path) -> None:
    (wheel,) = (built / "dist").glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*pip, "--target", str(tmp_path), str(wheel)], check=True)
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    qualify = [sys.executable, "-m", "rocsolid", "qualify", "files"]

    def answer() -> str:
        return subprocess.run(
            qualify, cwd=tmp_path, env=environment, capture_output=True, text=True
        ).stdout

    assert answer().startswith("PASS: 1 of 1 requirements")
    with (tmp_path / "rocsolid" / "binary" / "roc.py").open("a") as file:
        file.write("# changed\n")
    assert answer().startswith("FAIL: 1 of 1 requirements failed: files.")


def test_the_release_stores_no_password_and_signs_what_it_publishes(
    release: dict[str, Any],
) -> None:
    """Only the last job may ask for an identity, and it runs no code of this repository."""
    assert release[True]["push"] == {"tags": ["v*"]}  # YAML 1.1 reads `on` as a truth value
    assert release["permissions"] == {}
    build, publish = release["jobs"]["build"], release["jobs"]["publish"]
    assert build["permissions"] == {"contents": "read"}
    assert publish["permissions"] == {"attestations": "write", "id-token": "write"}
    assert (publish["needs"], publish["environment"]) == ("build", "release")
    used = [step["uses"].partition("@")[0] for step in publish["steps"]]
    assert used == [
        "actions/download-artifact", "actions/attest-build-provenance",
        "pypa/gh-action-pypi-publish",
    ]  # fmt: skip
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert not re.search(r"secrets\.|password:|token:\s*\$", text)
    assert "rocsolid qualify" in str(build["steps"])


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def spaced(requirement: str) -> str:
    return re.sub(r"\s*>=\s*", " >=", requirement)


def test_the_conda_recipe_needs_what_the_package_needs() -> None:
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text("utf-8"))
    python = f"python {PROJECT['requires-python']}"
    assert recipe["requirements"]["run"] == [python, *map(spaced, PROJECT["dependencies"])]
    builds = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]
    assert recipe["requirements"]["host"] == [python, "pip", *map(spaced, builds["requires"])]
    assert recipe["context"]["version"] == rocsolid.__version__
    assert recipe["package"] == {"name": "rocsolid", "version": "${{ version }}"}
    (entry,) = recipe["build"]["python"]["entry_points"]
    assert dict([entry.split(" = ")]) == PROJECT["scripts"]
    about = recipe["about"]
    assert (about["summary"], about["license"]) == (PROJECT["description"], PROJECT["license"])
    assert (ROOT / "recipe" / recipe["source"]["path"] / about["license_file"]).is_file()


def test_the_container_compiles_and_copies_what_is_there() -> None:
    text = (ROOT / "examples" / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    steps = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0] != "#"]
    by_name = dict(steps)
    assert steps[0][0] == "FROM"
    release = re.search(r"python:(\d+)\.(\d+)", by_name["FROM"])
    assert release is not None
    assert tuple(map(int, release.groups())) >= (3, 11)
    copied = [name for kind, rest in steps if kind == "COPY" for name in rest.split()[:-1]]
    assert {"pyproject.toml", "src", *PROJECT["license-files"]} <= {*copied}
    assert all((ROOT / name).exists() for name in copied)
    words = shlex.split(by_name["RUN"])
    assert {"--compile", "compileall"} <= {*words}
    (extra,) = re.findall(r"\[(\w+)\]", by_name["RUN"])
    assert extra in PROJECT["optional-dependencies"]
    assert "PYTHONDONTWRITEBYTECODE" not in text
    assert [kind for kind, _ in steps].index("USER") > [kind for kind, _ in steps].index("RUN")
    assert json.loads(by_name["CMD"])[:2] == ["rocsolid", extra]


def test_the_three_lines_of_r_give_the_same_number(reticulate: str) -> None:
    """What the page for R says, on data of its own."""
    page = (ROOT / "docs" / "proc.md").read_text("utf-8")
    (lines,) = re.findall(r"^```r\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(lines.splitlines()) == 3
    data = "data <- data.frame(ill=c(0, 1, 0, 1, 1), risk=c(.1, .6, .4, .8, .3))\n"
    found = subprocess.run(
        [reticulate, "-e", data + lines], capture_output=True, text=True, check=True,
        env=os.environ | {"RETICULATE_PYTHON": sys.executable,
                          "PYTHONPATH": str(Path(rocsolid.__file__).parents[1])},
    ).stdout  # fmt: skip
    assert found.strip() == str(rocsolid.auc([0, 1, 0, 1, 1], [0.1, 0.6, 0.4, 0.8, 0.3]))


def test_the_citation_is_of_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.search(r"^version: (.+)$", text, re.MULTILINE)[1] == rocsolid.__version__  # type: ignore[index]

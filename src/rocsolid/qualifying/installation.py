"""The installed files against their record, the versions, and the machine."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path

import numpy as np

from rocsolid._version import __version__
from rocsolid.qualifying.requirement import (
    INSTALLATION,
    Observation,
    QualificationRun,
    Verdict,
    judged,
)

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of the imported package."""
_NAME = "rocsolid"
_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "OMP_NUM_THREADS")
_SHOWN = 3
_AT_LEAST = re.compile(r"([A-Za-z0-9._-]+)\s*>=\s*([0-9.]+)")


def _distribution() -> Distribution | None:
    try:
        return distribution(_NAME)
    except PackageNotFoundError:
        return None


def recorded_files(_run: QualificationRun, /) -> Iterator[Observation]:
    """Compare each file of the imported package with its SHA-256 in RECORD."""
    installed = _distribution()
    files = (installed.files if installed is not None else None) or ()
    recorded = {
        Path(str(file.locate())).resolve(): file.hash.value
        for file in files
        if file.parts[0] == _NAME and file.hash is not None
    }
    test = "SHA-256 of each file, compared with RECORD"
    if not recorded:
        yield Observation(
            test, INSTALLATION, "a wheel with its RECORD",
            "no RECORD of these files: an editable installation or a clone", "not run",
        )  # fmt: skip
        return
    modules = (file for file in PACKAGE.rglob("*") if file.suffix in {".py", ".so", ".pyd"})
    wrong = sorted(
        [f"{file.name} differs" for file, value in recorded.items() if _hash(file) != value]
        + [f"{file.name} is not in RECORD" for file in modules if file not in recorded]
    )
    expected = f"{len(recorded)} files with their recorded hash"
    got = expected
    if wrong:
        got = f"{len(wrong)} wrong: {', '.join(wrong[:_SHOWN])}"
    yield Observation(test, INSTALLATION, expected, got, judged(not wrong))


def _hash(file: Path) -> str:
    if not file.is_file():
        return "missing"
    return urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).decode().rstrip("=")


def digest() -> str:
    """SHA-256 of all modules and data of the imported package, with their paths."""
    whole = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            whole.update(f"{file.relative_to(PACKAGE).as_posix()} {_hash(file)}\n".encode())
    return whole.hexdigest()


def versions_allowed(_run: QualificationRun, /) -> Iterator[Observation]:
    """Compare the versions of Python and the dependencies with the declared minima."""
    installed = _distribution()
    if installed is None:
        missing = "no metadata of rocsolid"
        yield Observation("versions", INSTALLATION, "declared minima", missing, "not run")
        return
    python = installed.metadata["Requires-Python"].removeprefix(">=")
    yield _version_test("Python", python, platform.python_version())
    for line in installed.requires or ():
        declared = _AT_LEAST.match(line)
        if declared and "extra ==" not in line:
            yield _version_test(declared[1], declared[2], _version(declared[1]))


def _version(name: str) -> str:
    """The installed version; "none" fails every minimum."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def _version_test(name: str, least: str, got: str) -> Observation:
    verdict: Verdict = judged(_numbers(got) >= _numbers(least))
    return Observation(f"version of {name}", INSTALLATION, f"at least {least}", got, verdict)


def _numbers(text: str) -> list[int]:
    """
    >>> _numbers("2.0.1rc1"), _numbers("2.0.1") >= _numbers("2.0")
    ([2, 0, 1], True)
    """
    return [int(part) for part in re.findall(r"^\d+|(?<=\.)\d+", text)]


def arithmetic(_run: QualificationRun, /) -> Iterator[Observation]:
    """Doubles by IEEE 754, with rounding to even and gradual underflow."""
    smallest = np.nextafter(0.0, 1.0)
    for test, expected, got in (
        ("bits in the mantissa of a double", 53, sys.float_info.mant_dig),
        ("1 + 2⁻⁵³ = 1, rounded to even", True, bool(np.float64(1.0) + 2.0**-53 == 1.0)),
        ("half of 2⁻¹⁰²² is not 0", True, bool(np.multiply([2.0**-1022], 0.5)[0] > 0.0)),
        ("smallest double × 1", 2.0**-1074, float(np.multiply([smallest], 1.0)[0])),
    ):
        yield Observation(test, INSTALLATION, str(expected), str(got), judged(got == expected))


def software() -> dict[str, str]:
    """The versions on which the results depend."""
    built = np.show_config(mode="dicts") or {}
    blas = built.get("Build Dependencies", {}).get("blas", {})
    names = ("scipy", "narwhals", "pyarrow", "python-flint")
    return {
        _NAME: __version__,
        "package digest": digest(),
        "Python": platform.python_version(),
        "numpy": np.__version__,
        "BLAS of numpy": f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip(),
        **{name: _version(name) for name in names},
    }


def machine() -> dict[str, str]:
    """The machine, and its settings for threads."""
    threads = [f"{name}={os.environ[name]}" for name in _THREADS if name in os.environ]
    return {
        "platform": platform.platform(),
        "processor": platform.machine(),
        "processors": str(os.cpu_count()),
        "BLAS threads": ", ".join(threads) or "not limited",
        "Python": f"{platform.python_implementation()}, {platform.python_compiler()}",
    }

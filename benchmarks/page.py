"""Runs the scripts whose figures the page of benchmarks shows, and keeps what they print.

``docs/evidence/benchmarks.txt`` is what `tests/unit/docs/test_benchmarks_page.py` holds the page
against. Named scripts replace their own part of it; without a name all run, one after another.

    python benchmarks/page.py                              ten minutes on an idle machine
    python benchmarks/page.py auc.py compare.py            these two
    python benchmarks/page.py --peers /path/to/python      where ranx and ir_measures are
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

HERE = Path(__file__).parent
KEPT = HERE.parent / "docs/evidence/benchmarks.txt"
COMMANDS = (
    "auc.py",
    "pr_auc.py",
    "compare.py",
    "ndcg.py",
    "concordance.py",
    "sklearn_dropins.py",
    "bootstrap.py",
    "runs_command.py --repeats 3",
    "runs_command.py --lines 20000 --repeats 5",
    "partial_auc.py --quick",
    "guarantees.py",
    "pages.py --quick",
    "leaks_count.py --quick",
    "leaks_exposure.py",
    "learners_boost.py --quick",
    "sketch.py --quick",
    "import_time.py",
)
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMEXPR")}


def machine() -> str:
    about = Path("/proc/cpuinfo").read_text("utf-8")
    model = re.search(r"model name\s*: (.*)", about)
    packages = ("numpy", "scipy", "scikit-learn")
    said = [
        f"{model[1] if model else platform.machine()}, {os.cpu_count()} cores, "
        f"{'with' if 'avx512f' in about else 'without'} AVX-512",
        f"Python {platform.python_version()}",
        *(f"{name} {version(name)}" for name in packages),
    ]
    return ", ".join(said)


def output(command: str, peers: str) -> str:
    """What a script prints, with what it took and how busy the machine was."""
    script, *words = command.split()
    if script == "runs_command.py":
        words += ["--peers", peers]
    load, before = os.getloadavg()[0], getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, str(HERE / script), *words],
        capture_output=True,
        text=True,
        env={**os.environ, **ONE_THREAD, "RANX_PYTHON": peers},
    )
    after = getrusage(RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command}: {done.stderr}")
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    when = datetime.date.today().isoformat()
    about = f"# {when}, load average {load:.1f}, {taken:.0f} s of processor time; {machine()}"
    return f"$ python benchmarks/{command}\n{about}\n{done.stdout.rstrip()}\n"


def sections(text: str) -> dict[str, str]:
    """The parts of what is kept, by command."""
    parts = re.split(r"^(?=\$ python benchmarks/)", text, flags=re.MULTILINE)
    return {part.partition("\n")[0].partition("benchmarks/")[2]: part for part in parts if part}


def main(scripts: list[str], peers: str) -> None:
    kept = sections(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    for command in COMMANDS:
        if scripts and command.split()[0] not in scripts:
            continue
        kept[command] = output(command, peers)
        print(kept[command], flush=True)
        found = [kept[each].rstrip() + "\n" for each in COMMANDS if each in kept]
        KEPT.write_text("\n".join(found), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("scripts", nargs="*")
    parser.add_argument("--peers", default=sys.executable)
    given = parser.parse_args()
    main(given.scripts, given.peers)

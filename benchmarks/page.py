"""Runs the scripts whose figures the page of benchmarks shows, and writes its tables.

What they print is kept in ``docs/evidence/benchmarks.txt``, and the tables are made of it: a row
whose script has not printed its line is left out. Named scripts replace their own part; without a
name all run, one after another. README.md repeats some rows, which a test compares.

    python benchmarks/page.py                              ten minutes on an idle machine
    python benchmarks/page.py auc.py compare.py            these two
    python benchmarks/page.py --tables                     only the tables, from what is kept
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
PAGE = HERE.parent / "docs/benchmarks.md"
COMMANDS = (
    "auc.py",
    "within.py",
    "pr_auc.py",
    "compare.py",
    "many.py",
    "ndcg.py",
    "query_clusters.py",
    "concordance.py",
    "sklearn_dropins.py",
    "bootstrap.py",
    "runs_command.py --repeats 3",
    "runs_command.py --lines 20000 --repeats 5",
    "guarantees.py",
    "pages.py --quick",
    "leaks_count.py --quick",
    "leaks_exposure.py",
    "import_time.py",
    "segments.py",
)
AGAINST = {  # what, the peer, the script, and the start of the line that it prints
    "AUC, 1,000 rows": ("scikit-learn's number", "auc.py", "1,000 rows, 50% "),
    "AUC with both intervals, 1,000 rows": (
        "scikit-learn's number", "auc.py", "1,000 rows, 50% positive, both",
    ),
    "AUC, 10⁷ rows": ("scikit-learn's number", "auc.py", "10,000,000 rows, 50% "),
    "AUC, 100,000 segments of 50 rows": (
        "a loop of scikit-learn", "auc.py", "100,000 groups of 50",
    ),
    "AUC within 10 groups of 10⁴ rows": (
        "a loop of scikit-learn", "within.py", "within 10 groups of 10,000: ",
    ),
    "AUC within 5,000 groups of 20 rows": (
        "a loop of scikit-learn", "within.py", "within 5,000 groups of 20: ",
    ),
    "AUCs of 100,000 segments of 30 rows": (
        "Polars' rank within groups", "segments.py", "100,000 groups of 30, auc: ",
    ),
    "average precision with both intervals, 1,000 rows": (
        "scikit-learn's number", "pr_auc.py", "1,000 rows, 50% ",
    ),
    "two scores compared, 1,000 rows": (
        "eight lines of DeLong", "compare.py", "2 models, 1,000 rows: ",
    ),
    "two scores compared, 10⁵ rows": (
        "eight lines of DeLong", "compare.py", "2 models, 100,000 rows: ",
    ),
    "ten scores compared, certified too, 10⁴ rows": (
        "eight lines of DeLong", "compare.py", "10 models, 10,000 rows, certified: ",
    ),
    "fifty scores compared, 10⁴ rows": (
        "eight lines of DeLong", "compare.py", "50 models, 10,000 rows: ",
    ),
    "a thousand scores together, 10⁴ rows": (
        "a loop of scikit-learn", "many.py", "1,000 scores, 10,000 rows, a loop of roc_auc_score: ",
    ),
    "nDCG of 2,000 lists of 1,000 documents, five grades": (
        "scikit-learn", "ndcg.py", "2,000 × 1,000 documents, five grades: ",
    ),
    "nDCG of 2,000 lists of 1,000 documents, five grades, scores of two decimals": (
        "scikit-learn", "ndcg.py", "2,000 × 1,000 documents, five grades, scores of 2 decimals: ",
    ),
    "nDCG of 20,000 lists of 20 documents": (
        "scikit-learn", "ndcg.py", "20,000 × 20 documents, five grades: ",
    ),
    "concordance with both intervals, 10⁶ rows": (
        "SciPy's `kendalltau`", "concordance.py", "1,000,000 rows, continuous",
    ),
    "concordance, five grades": ("SciPy's `kendalltau`", "concordance.py", "1,000,000 rows, five"),
    "concordance of 200 rows": ("SciPy's `somersd`", "concordance.py", "200 rows, continuous"),
    "drop-in `roc_auc_score`": (
        "scikit-learn's", "sklearn_dropins.py", "roc_auc_score, all of these: ",
    ),
    "drop-in `average_precision_score`": (
        "scikit-learn's", "sklearn_dropins.py", "average_precision_score, all of these: ",
    ),
    "2,000 resamples of 10⁵ rows, three models": (
        "a loop of scikit-learn", "bootstrap.py", "    scikit-learn in a loop (from 20): ",
    ),
    "2,000 resamples of 10⁵ rows, each model": ("pROC's `ci.auc`", "bootstrap.py", "    pROC "),
    "2·10⁶ lines of TREC files to an answer, the whole process": (
        "ir_measures", "runs_command.py --repeats 3", "  ir_measures ",
    ),
    "2·10⁶ lines of TREC files to an answer, ranx with its code cached": (
        "ranx", "runs_command.py --repeats 3", "  ranx ",
    ),
    "2·10⁴ lines, the whole process": (
        "ir_measures", "runs_command.py --lines 20000 --repeats 5", "  ir_measures ",
    ),
    "how many labelings fit an AUC, 200 + 200 rows": (
        "the published recursion", "leaks_count.py --quick", "one coefficient, 200+200",
    ),
}  # fmt: skip
"""In the order of the table."""
TIMES = {
    "`import rocsolid`": ("import_time.py", "import rocsolid: ", r": (.*) beyond"),
    "`rocsolid evaluate`, Parquet of 10⁶ rows, the whole process": (
        "auc.py", "rocsolid evaluate, 1,000,000 rows", "process: (.*)",
    ),
    "ten models at 10⁶ rows, all pairs": (
        "compare.py", "10 models, 1,000,000 rows, 30% ", r": ([\d.]+ s)",
    ),
    "20 scores × 200 segments × 5 measures, 10⁵ rows": (
        "segments.py", "20 scores, 200 segments", ": (.* s) with",
    ),
    "nDCG of a million lists of ten": (
        "ndcg.py", "1,000,000 × 10 documents as columns", ": (.*)",
    ),
    "nDCG of one list of a million": ("ndcg.py", "1 × 1,000,000 documents as columns", ": (.*)"),
    "10⁶ rows, 4 scores, 5 segments: the numbers": (
        "pages.py --quick", "1,000,000 rows, 4 scores", "numbers (.*? s)",
    ),
    "the page of these numbers, with curves and all comparisons": (
        "pages.py --quick", "1,000,000 rows, 4 scores", "page of them (.*? s)",
    ),
    "exact exposure at n = 300": (
        "leaks_exposure.py", "exposure, exact, AUC 4/5, n = 300", r": (\S+ s)",
    ),
    "asymptotic exposure at 10⁶ rows": (
        "leaks_exposure.py", "exposure, asymptotic, AUC 4/5, n = 1,000,000", r": (\S+ s)",
    ),
}  # fmt: skip
"""What, the script, the start of the line that it prints, and where the time stands in it."""
RATIO = r"(?:: |is |, )(?=[\d.])((?:[\d.,]+ to )?[\d.,]+) times(?! as fast as ranx warm)"
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


def line(kept: dict[str, str], command: str, start: str) -> str | None:
    lines = kept.get(command, "").splitlines()
    return next((each for each in lines if each.startswith(start)), None)


def tables(kept: dict[str, str]) -> dict[str, list[str]]:
    """The tables of the page by their headings, from what the scripts printed."""
    against = ["| what | against | times as fast | script |", "|---|---|---|---|"]
    for what, (peer, command, start) in AGAINST.items():
        found = line(kept, command, start)
        ratio = None if found is None else re.search(RATIO, found)
        if ratio is not None:
            against.append(f"| {what} | {peer} | {ratio[1]} | `{command}` |")
    times = ["| what | processor time | script |", "|---|---|---|"]
    for what, (command, start, pattern) in TIMES.items():
        found = line(kept, command, start)
        taken = None if found is None else re.search(pattern, found[len(start) - 2 :])
        if taken is not None:
            times.append(f"| {what} | {taken[1]} | `{command}` |")
    return {"Against other software": against, "Times": times}


def write_tables(kept: dict[str, str]) -> None:
    text = PAGE.read_text("utf-8")
    for heading, lines in tables(kept).items():
        before, _, rest = text.partition(f"\n## {heading}\n\n")
        _, _, after = rest.partition("\n\n")
        text = f"{before}\n## {heading}\n\n" + "\n".join(lines) + f"\n\n{after}"
    PAGE.write_text(text, "utf-8")


def main(scripts: list[str], peers: str, only_tables: bool) -> None:
    kept = sections(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    for command in COMMANDS:
        if only_tables or (scripts and command.split()[0] not in scripts):
            continue
        kept[command] = output(command, peers)
        print(kept[command], flush=True)
        found = [kept[each].rstrip() + "\n" for each in COMMANDS if each in kept]
        KEPT.write_text("\n".join(found), "utf-8")
    write_tables(kept)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("scripts", nargs="*")
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--tables", action="store_true")
    given = parser.parse_args()
    main(given.scripts, given.peers, given.tables)

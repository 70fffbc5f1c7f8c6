"""A command loads the compiled functions of SciPy, and the Python around them only if used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import scipy.special

WHOLE = "'scipy.special._basic' in sys.modules"


def _printed(code: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}"], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_a_command_prints_the_same_without_the_rest_of_the_package(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("ill,a,b\n" + "0,1,2\n1,2,5\n0,3,1\n1,4,3\n" * 10)
    words = ["compare", str(table), "--label", "ill", "--score", "a", "--score", "b"]
    run = "import atexit\n{}\nfrom rocsolid.cli{} import main\nmain({})"
    *printed, whole = _printed(run.format(f"atexit.register(lambda: print({WHOLE}))", "", words))
    assert whole == "False"
    assert printed == _printed(run.format("", ".app", words))


def test_the_rest_is_loaded_once_it_is_used() -> None:
    code = (
        "from rocsolid.cli.compiled import load_compiled_first\nload_compiled_first()\n"
        "from scipy.special import ndtri, stdtrit\nimport scipy.special as special\n"
        f"print({WHOLE}, special.ndtri is ndtri, ndtri(0.975), stdtrit(3, 0.9))\n"
        "from threading import Thread\nlogs = []\n"
        "use = lambda: logs.append(special.logsumexp([1.0, 2.0]))\n"
        "threads = [Thread(target=use) for _ in range(4)]\n"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]\n"
        "print(len(logs), *set(logs))\n"
        f"print({WHOLE}, special.ndtri is ndtri, type(special).__name__, len(special.__all__))\n"
        "import scipy.stats\nprint(scipy.stats.t.ppf(0.9, 3))"
    )
    known = scipy.special
    assert _printed(code) == [
        f"False True {known.ndtri(0.975)} {known.stdtrit(3, 0.9)}",
        f"4 {known.logsumexp([1.0, 2.0])}",
        f"True True module {len(known.__all__)}",
        f"{known.stdtrit(3, 0.9)}",
    ]

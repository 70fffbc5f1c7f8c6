"""The qualification of an installation: it passes here, and it names the formula that is broken."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import scipy.special
from scipy.stats import binom

import rocsolid as rs
from rocsolid.citations import entries_of
from rocsolid.citations.bibliography import SOFTWARE
from rocsolid.cli.app import run
from rocsolid.qualifying import golden, installation
from rocsolid.qualifying.enumerated import Enumerated
from rocsolid.qualifying.golden import GoldenNumbers
from rocsolid.qualifying.requirement import Observation, QualificationRun, Requirement
from rocsolid.qualifying.requirements import REQUIREMENTS
from rocsolid.qualifying.simulated import Simulated

SOURCE = Path(rs.__file__).parent
ROOT = Path(__file__).parents[3]
SIMULATIONS = [test for each in REQUIREMENTS for test in each.tests if isinstance(test, Simulated)]
RUN = QualificationRun(0, 0.001)
QUICK = tuple(
    each.name for each in REQUIREMENTS
    if each.name not in {"certified-coverage", "calibrated-coverage", "false-positives"}
)  # fmt: skip


@pytest.fixture(scope="module")
def record() -> rs.results.Answer:
    return rs.qualify(*QUICK)


def test_everything_quick_holds_here(record: rs.results.Answer) -> None:
    assert record.passed
    assert {each.requirement for each in record.outcomes} == {*QUICK}
    assert {r.verdict for each in record.outcomes for r in each.observations} <= {"pass", "not run"}
    assert [o.requirement for o in record.outcomes if o.verdict == "not run"] in ([], ["files"])
    origins = "pROC|trec_eval|scikit-learn|metafor|Whitehill"
    published = [r for each in record.outcomes for r in each.observations
                 if re.match(origins, r.source)]  # fmt: skip
    numbers = json.loads((SOURCE / "qualifying" / "golden.json").read_text("utf-8"))["numbers"]
    assert len(published) == sum(len(number["expected"]) for number in numbers)
    page = (ROOT / "docs" / "qualify.md").read_text("utf-8")
    assert f"| {len(published)} numbers that other programs or papers printed: pROC," in page
    assert str(record).startswith(("PASS: ", "PASS, except that files were not tested: "))


@pytest.mark.slow
def test_everything_holds_in_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve lines, and then what was not tested or failed. The release runs all samples."""
    monkeypatch.setenv("COLUMNS", "80")
    fewer = tuple(
        replace(each, tests=tuple(replace(test, samples=200) if test in SIMULATIONS else test
                                  for test in each.tests))
        for each in REQUIREMENTS
    )  # fmt: skip
    monkeypatch.setattr(sys.modules["rocsolid.qualifying.qualify"], "REQUIREMENTS", fewer)
    assert run(["qualify"]) == 0
    text = capsys.readouterr().out
    whole, _, below = text.partition("Tests that did not pass.")
    rest = below.partition("\n\n")[2] if below else ""
    assert len([*whole.splitlines(), *rest.splitlines()]) <= 12
    assert max(map(len, text.splitlines())) <= 80
    verdict = r"(PASS|PASS, except that files were not tested): "
    hold = rf"({len(REQUIREMENTS) - 1} of )?{len(REQUIREMENTS)} requirements hold"
    assert re.search(verdict + hold, " ".join(text.split()))


def test_the_record_in_json_has_its_schema(
    record: rs.results.Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["schema", "qualify"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    found = record.to_dict()
    jsonschema.validate(found, schema)
    assert {*found} == {*schema["properties"]}
    assert found["requirements"][0]["observations"][0]["source"].startswith("pROC")
    assert run(["qualify", "auc", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["requirements"] == found["requirements"][:1]


def test_the_record_is_the_same_again() -> None:
    """Except for the date."""
    record, again = (rs.qualify("sign-flip", "versions", "ndcg") for _ in range(2))
    same = replace(again, basis=replace(again.basis, date=record.basis.date))
    assert same.to_html(command="x") == record.to_html(command="x")
    assert same.to_dict() == record.to_dict()
    assert rs.qualify("sign-flip", seed=1).passed


def test_the_page_has_every_formula_and_every_number(record: rs.results.Answer) -> None:
    page = record.to_html(command="rocsolid qualify")
    assert "Qualification of rocsolid" in page
    assert all(f">{name}<" in page for name in QUICK)
    assert page.count("0.671717171717") >= 2
    assert "DeLong, Biometrics" in page or "DeLong, E" in page
    assert record.software["package digest"] in page
    assert len(page) < 400_000
    assert set(record.to_frame().columns) >= {"requirement", "expected", "got", "verdict"}


def test_an_unknown_requirement_is_refused() -> None:
    with pytest.raises(rs.InputError, match=r"unknown requirements: 'aux'.*\"auc\""):
        rs.qualify("aux")


def test_a_requirement_is_one_entry() -> None:
    """With a name of its own, a formula, a reference that can be found, and tests."""
    names = [each.name for each in REQUIREMENTS]
    assert len({*names}) == len(names)
    for each in REQUIREMENTS:
        assert each.text.endswith(".")
        assert each.formula
        assert each.tests
        for page in re.findall(r"page (\S+)", each.reference):
            assert (ROOT / "docs" / f"{page}.md").is_file()
        known = entries_of(each.reference) != (SOFTWARE,)
        assert known or re.search(r"page |IEEE|PEP|metadata", each.reference), each.name
    titles = [test.test for each in REQUIREMENTS for test in each.tests if hasattr(test, "test")]
    assert len({*titles}) == len(titles)  # each title is the seed of its random numbers


def test_each_golden_number_is_of_a_requirement() -> None:
    contents = json.loads((SOURCE / "qualifying" / "golden.json").read_text("utf-8"))
    tested = {test.requirement for each in REQUIREMENTS for test in each.tests
              if isinstance(test, GoldenNumbers)}  # fmt: skip
    assert {number["requirement"] for number in contents["numbers"]} == tested
    assert all(isinstance(each.tests[0], GoldenNumbers) and each.tests[0].requirement == each.name
               for each in REQUIREMENTS if each.name in tested)  # fmt: skip


def test_the_false_alarms_are_one_percent_together() -> None:
    share = 0.01 / len(SIMULATIONS)
    total = 0.0
    for test in SIMULATIONS:
        limit = test.limit(share)
        total += float(binom.cdf(limit - 1, test.samples, test.least))
        assert binom.cdf(limit, test.samples, test.least) >= share  # no smaller than it must be
    assert total <= 0.01


def test_a_run_shares_the_false_alarms() -> None:
    """A simulation, repeated alone: the limit allows for all simulations."""
    (observation,) = rs.qualify("false-positives").outcomes[0].observations
    limit = Simulated("", bool, 0.93).limit(0.01 / len(SIMULATIONS))
    assert observation.expected == f"at least {limit} of 1,000"
    assert limit < Simulated("", bool, 0.93).limit(0.01)
    assert observation.verdict == "pass"


def test_a_simulation_counts_and_fails_below_its_limit() -> None:
    def seldom(random: Any) -> bool:
        return bool(random.random() < 0.8)

    (observation,) = Simulated("seldom", seldom, 0.93)(RUN)
    assert observation.verdict == "fail"
    assert 750 < int(observation.got) < 850
    (again,) = Simulated("seldom", seldom, 0.75)(RUN)
    assert again.got == observation.got
    assert again.verdict == "pass"


def test_a_wrong_value_of_many_is_named() -> None:
    def values(_random: Any) -> Iterator[tuple[str, Any, Any]]:
        yield from (("sum", 3, 3), ("sum", 0.5, 0.5 + 1e-12), ("root", 0.25, 0.26))

    (observation,) = Enumerated("sums", values)(RUN)
    assert observation == Observation(
        "sums", "enumeration", "3 equal", "2 equal; the first other: root 0.26, not 0.25", "fail"
    )


def test_an_error_of_a_test_is_a_failure() -> None:
    def broken(_run: QualificationRun) -> list[Observation]:
        raise ValueError("no such formula")

    outcome = Requirement("x", "X.", "x", "page coverage", (broken,)).outcome(RUN)
    assert outcome.verdict == "fail"
    assert outcome.observations[0].got == "ValueError: no such formula"


MUTATE = """
import sys
from importlib.machinery import PathFinder, SourceFileLoader

words = int(sys.argv[1])
mutants = {module: (old, new) for module, old, new in zip(*[iter(sys.argv[2:2 + words])] * 3)}

class Mutated(SourceFileLoader):
    def get_code(self, name):
        source = self.get_source(name)
        old, new = mutants[name.removeprefix("rocsolid.")]
        assert source.count(old) == 1, source.count(old)
        return compile(source.replace(old, new), self.path, "exec")

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        spec = PathFinder.find_spec(name, path, target)
        if name.removeprefix("rocsolid.") in mutants:
            spec.loader = Mutated(name, spec.origin)
        return spec

sys.meta_path.insert(0, Finder)
from rocsolid.cli.app import run
sys.exit(run(["qualify", *sys.argv[2 + words:], "--json"]))
"""
MUTANTS = {  # requirement -> module, a formula, and the formula broken
    "ndcg": ("discounts.discount", "np.log2(1.0 + ranks)", "np.log2(2.0 + ranks)"),
    "sign-flip": ("comparison.sign_flip", ">= abs(sums[0]) - slack", "> abs(sums[0]) + slack"),
    "partial-auc": ("binary.area", "(raw - region.diagonal) / span", "raw / span"),
    "delong": ("summaries.placements", "count * count * (count - 1)", "count * count * count"),
    "rates": ("intervals.clopper_pearson", "hits[inside] + 1, rows[inside] - hits[inside], 1.0",
              "hits[inside], rows[inside] - hits[inside] + 1, 1.0"),
    "certified-limits": ("intervals.guarantees.hoeffding", "alternative) / 2 * inverse",
                         "alternative) / 3 * inverse"),
    "lists": ("graded.precision", "np.minimum(lists.others, positives)", "lists.others + 0.0"),
    "pool": ("comparison.random_effects", "own = inflation / total", "own = 1.0 / total"),
    "net-benefit": ("intervals.guarantees.net_benefit", "threshold / (1.0 - threshold)",
                    "threshold / (2.0 - threshold)"),
    "power": ("plan.variances", "5.0 * square + 8.0", "5.0 * square + 9.0"),
}  # fmt: skip


def failed_by(*requirements: str) -> None:
    """The broken formulas fail, and their requirements are the only ones."""
    words = [word for name in requirements for word in MUTANTS[name]]
    found = subprocess.run(
        [sys.executable, "-c", MUTATE, str(len(words)), *words, *requirements, "labelings"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert found.returncode == 1, found.stderr
    document = json.loads(found.stdout)
    verdicts = {each["requirement"]: each["verdict"] for each in document["requirements"]}
    assert verdicts == {"labelings": "pass", **dict.fromkeys(requirements, "fail")}
    assert set(document["summary"].partition(": ")[2].rpartition(": ")[2].split(".")[0]
               .split(", ")) == {*requirements}  # fmt: skip


@pytest.mark.slow
def test_a_broken_formula_is_named() -> None:
    failed_by("ndcg")


@pytest.mark.slow
def test_every_broken_formula_is_named() -> None:
    failed_by(*(name for name in MUTANTS if name != "ndcg"))


@pytest.mark.slow
def test_too_short_intervals_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Student's quantile cut to .6 of itself, and an eightfold error of each certified limit."""
    tests = {test.test: test for each in REQUIREMENTS for test in each.tests
             if hasattr(test, "test")}  # fmt: skip
    matchings = sys.modules["rocsolid.intervals.guarantees.matchings"]
    real, own = scipy.special.stdtrit, matchings.tail_share
    monkeypatch.setattr(scipy.special, "stdtrit", lambda *which: 0.6 * real(*which))
    (short,) = tests["AUC of clusters"](QualificationRun(0, 0.01 / len(SIMULATIONS)))
    monkeypatch.setattr(matchings, "tail_share", lambda *which: 8 * own(*which))
    (wrong,) = tests["exact coverage, 441 distributions of two scores"](RUN)
    assert (short.verdict, wrong.verdict) == ("fail", "fail")


@pytest.mark.slow
def test_too_wide_intervals_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = {test.test: test for test in SIMULATIONS}
    real = scipy.special.stdtrit
    monkeypatch.setattr(scipy.special, "stdtrit", lambda *which: 1.6 * real(*which))
    (wide,) = tests["AUC of clusters missed"](QualificationRun(0, 0.01 / len(SIMULATIONS)))
    assert wide.verdict == "fail"


GUARANTEES = "intervals.guarantees"
BROKEN = {  # test -> module, its function, and a wrong one
    "certified AUC of many rows": (
        f"{GUARANTEES}.berry_esseen", "_hull", lambda middle, *_: (sum(middle) / 2,) * 2,
    ),
    "many rows exclude .5": (f"{GUARANTEES}.berry_esseen", "_hull", lambda *_: (0.0, 1.0)),
    "certified net benefits": (
        f"{GUARANTEES}.net_benefit", "_joint", lambda hits, rows, _: (hits / rows, hits / rows),
    ),
    "certified ε": ("binary.privacy_loss", "at_most", lambda hits, n, _: (hits + 1) / (n + 1)),
    "an ε of 3 excludes 0": ("binary.privacy_loss", "at_most", lambda hits, *_: 1.0 + 0.0 * hits),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("test", BROKEN)
def test_a_broken_certificate_is_noticed(monkeypatch: pytest.MonkeyPatch, test: str) -> None:
    module, function, wrong = BROKEN[test]
    monkeypatch.setattr(sys.modules[f"rocsolid.{module}"], function, wrong)
    simulation = next(each for each in SIMULATIONS if each.test == test)
    (observation,) = simulation(QualificationRun(0, 0.01 / len(SIMULATIONS)))
    assert observation.verdict == "fail"


def test_a_failure_is_printed_with_both_numbers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setitem(golden.CALLS, "auc", lambda *rows: rs.pr_auc(*rows))
    assert run(["qualify", "auc", "labelings"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("FAIL: 1 of 2 requirements failed: auc.")
    assert "0.671717171717" in text
    assert "Tests that did not pass." in text


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of two modules, with its RECORD, as the imported package."""
    package = tmp_path / "rocsolid"
    package.mkdir()
    lines = []
    for name in ("__init__.py", "auc.py"):
        content = f"# {name}\n".encode()
        (package / name).write_bytes(content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        lines.append(f"rocsolid/{name},sha256={digest},{len(content)}\n")
    folder = tmp_path / "rocsolid-0.1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: rocsolid\nVersion: 0.1.0\n")
    (folder / "RECORD").write_text("".join([*lines, "rocsolid-0.1.0.dist-info/RECORD,,\n"]))
    found = importlib.metadata.Distribution.at(folder)
    monkeypatch.setattr(installation, "_distribution", lambda: found)
    monkeypatch.setattr(installation, "PACKAGE", package)
    return package


def read_files() -> Observation:
    (observation,) = installation.recorded_files(RUN)
    return observation


def test_the_files_of_a_wheel_have_their_hashes(installed: Path) -> None:
    assert read_files().verdict == "pass"
    assert read_files().got == "2 files with their recorded hash"


@pytest.mark.parametrize(("name", "content", "words"), [
    ("auc.py", "# patched\n", "1 wrong: auc.py differs"),
    ("auc.py", None, "1 wrong: auc.py differs"),
    ("more.py", "", "1 wrong: more.py is not in RECORD"),
])  # fmt: skip
def test_a_changed_file_is_named(
    installed: Path, name: str, content: str | None, words: str
) -> None:
    if content is None:
        (installed / name).unlink()
    else:
        (installed / name).write_text(content)
    assert read_files().verdict == "fail"
    assert read_files().got == words


def test_a_copy_elsewhere_is_not_what_was_recorded(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "elsewhere" / "rocsolid"
    other.mkdir(parents=True)
    (other / "__init__.py").write_bytes((installed / "__init__.py").read_bytes())
    monkeypatch.setattr(installation, "PACKAGE", other)
    assert read_files().got == "1 wrong: __init__.py is not in RECORD"


def test_without_a_record_the_files_are_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "_distribution", lambda: None)
    assert read_files().verdict == "not run"
    assert [r.verdict for r in installation.versions_allowed(RUN)] == ["not run"]
    record = rs.qualify("files", "auc")
    assert record.passed
    assert record.summary.startswith("PASS, except that files were not tested: 1 of 2 requirements")


def test_an_old_dependency_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.version
    old = {"numpy": "1.26.4", "scipy": "1.15.0rc1"}

    def version(name: str) -> str:
        if name == "narwhals":
            raise importlib.metadata.PackageNotFoundError(name)
        return old.get(name) or real(name)

    monkeypatch.setattr(installation, "version", version)
    versions = {each.test: each for each in installation.versions_allowed(RUN)}
    if "version of numpy" not in versions:
        pytest.skip("rocsolid has no metadata here")
    assert versions["version of numpy"].verdict == "fail"
    assert versions["version of numpy"].got == "1.26.4"
    assert versions["version of narwhals"].verdict == "fail"
    assert installation.software()["narwhals"] == "none"
    assert versions["version of scipy"].verdict == versions["version of Python"].verdict == "pass"

"""The checks: their codes are a contract, and whatever a result says of itself is one of them."""

from __future__ import annotations

import ast
import copy
import json
import pickle
from pathlib import Path

import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.remarks.copies import CopyRemark
from rocsolid.remarks.remark import Remark

CODES = Path(__file__).parent / "codes.txt"
SOURCE = Path(rs.__file__).parent


def test_codes_are_stable() -> None:
    """A code that is published stays, and names the same class for ever; new ones are added."""
    listed = [f"{check.code} {check.__name__} {check.severity}" for check in rs.checks]
    assert listed == CODES.read_text("utf-8").splitlines()
    assert len({check.code for check in rs.checks}) == len(rs.checks) == len(listed)


def test_each_has_a_code_of_its_own_and_a_page() -> None:
    """Two classes of one code would leave one of them out of the registry."""
    every = [*Remark.__subclasses__(), *CopyRemark.__subclasses__()]
    kinds = [kind for kind in every if kind.__module__.startswith("rocsolid.")]
    bases = {"Odd", "CopyRemark"}  # of a docstring, and of the checks of source code
    ours = [kind for kind in kinds if kind.__name__ not in bases]
    assert sorted(kind.code for kind in ours) == [check.code for check in rs.checks]
    for check in rs.checks:
        title, blank, *rest = check.page().split("\n")
        assert title.endswith("."), check
        assert blank == "", check
        assert len(" ".join(rest)) > 40, check
        assert len(title) < 80, check


def test_a_wrong_code_is_refused_with_another_spelling_or_the_list() -> None:
    with pytest.raises(rs.InputError, match=r"unknown check: 'roc-001' .* write ROC001\."):
        _ = rs.checks["roc-001"]
    with pytest.raises(rs.InputError, match=r"unknown check: 'ROC01' .*`rocsolid checks` and"):
        _ = rs.checks["ROC01"]
    with pytest.raises(rs.InputError, match="unknown check"):
        rs.auc([0, 1], [1, 2]).without("ROC999")


def test_a_remark_is_text_that_survives_copies() -> None:
    (few, *_) = rs.auc([0, 0, 1, 1], [1, 3, 2, 4]).warnings
    for again in (pickle.loads(pickle.dumps(few)), copy.deepcopy(few), few.of("a")):
        assert type(again) is type(few) is few.check
        assert again.severity == few.severity == "doubt"
    assert json.dumps([few]) == '["Only 2 positive rows: rely on the certified interval."]'


def test_muting_leaves_numbers_verdicts_and_the_first_result_as_they_are() -> None:
    loud = rs.auc([0, 0, 1, 1], [1, 3, 2, 4])
    quiet = loud.without("ROC001")
    assert (len(loud.warnings), len(quiet.warnings)) == (2, 0)
    assert quiet.deciding == loud.certified
    assert quiet.interval == loud.interval
    assert quiet.checks == ()
    assert {one.code for one in loud.checks} == {"ROC001"}
    assert "rely on" not in quiet.explain()
    assert quiet.to_dict() == {**loud.to_dict(), "warnings": []}


def test_an_evaluation_mutes_its_segments_comparisons_and_what_it_makes_when_read() -> None:
    table = {"y": [0, 1] * 20, "a": list(range(40)), "b": [*range(20), *range(20)],
             "site": [1] * 30 + [2] * 9 + [3]}  # fmt: skip
    loud = rs.evaluate(table, label="y", scores=["a", "b"], by="site")
    codes = {one.code for one in loud.checks}
    assert "ROC001" in codes
    quiet = loud.without(*codes, "ROC403", "ROC202", "ROC201")
    assert quiet.checks == ()
    for form in (loud.to_html(), loud.to_markdown()):
        assert "positive rows" in form
    assert 'data-check="ROC001"' in loud.to_html()
    for form in (quiet.to_html(), quiet.to_markdown()):
        assert not any(text in form for text in ("positive rows: rely", "no AUC,", "are misplaced"))


def strings(node: ast.expr) -> bool:
    """Whether it is text, or a list or tuple with text in it that is written out."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and " " in node.value
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.Tuple | ast.List):
        return any(strings(each) for each in node.elts)
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return strings(node.elt)
    return isinstance(node, ast.Starred) and strings(node.value)


def bare(tree: ast.Module) -> set[int]:
    """Lines on which warnings are made of bare text."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = [word.value for word in node.keywords if word.arg == "warnings"]
            if ast.unparse(node.func) in ("warnings.append", "warnings.extend"):
                given += node.args
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            given = [node.value] if "warnings" in map(ast.unparse, targets) else []
        elif isinstance(node, ast.FunctionDef) and "Remark" in ast.unparse(node.returns or node):
            inside = [each for each in ast.walk(node) if isinstance(each, ast.Return)]
            given = [each.value for each in inside if each.value and node.returns is not None]
        else:
            continue
        found |= {each.lineno for each in given if strings(each)}
    return found


def test_warnings_are_never_bare_text() -> None:
    """mypy says so of the fields; this says it of what is put into them."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.is_relative_to(SOURCE / "remarks"):
            continue
        text = path.read_text("utf-8")
        if "warnings" in text or "Remark" in text:  # parsing takes longest
            assert bare(ast.parse(text)) == set(), path


@pytest.mark.parametrize(
    "code",
    [
        'f(warnings=("few rows",))',
        'warnings = [f"{n} rows" for n in sizes]',
        'warnings += ("few rows",)',
        'warnings.append("few rows")',
        'def few() -> list[Remark]:\n    return ["few rows"]',
    ],
)
def test_bare_text_is_found(code: str) -> None:
    assert bare(ast.parse(code))


READ = (
    "any(rival in", "warning.startswith", "text in doubts", "warning not in", "said ==",
    'isinstance(text, Doubt', 're.search(r"\\d"',
)  # fmt: skip
"""How code once knew what a warning was."""


def test_no_code_reads_prose_to_know_what_a_warning_was() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text("utf-8")
        assert not [phrase for phrase in READ if phrase in text], path


def test_the_command_line_lists_shows_and_mutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 2},{i}\n" for i in range(8))
    Path("t.csv").write_text(f"y,s\n{rows}")
    assert run(["checks"]) == 0
    assert all(check.code in capsys.readouterr().out for check in [rs.checks["ROC001"]])
    assert run(["checks", "ROC011"]) == 0
    page = capsys.readouterr().out
    assert "lower_is_better=True" in page
    assert "\\n" not in page
    assert run(["checks", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["checks"]
    assert [one["code"] for one in listed] == [check.code for check in rs.checks]
    command = ["evaluate", "t.csv", "--label", "y", "--score", "s"]
    assert run(command) == 0
    loud = capsys.readouterr().out
    assert run([*command, "--mute", "ROC001", "--html", "r.html"]) == 0
    quiet = capsys.readouterr().out
    assert "Only 4 positive rows" in loud
    assert "Only 4 positive rows" not in quiet + Path("r.html").read_text("utf-8")
    assert run([*command, "--mute", "ROC001", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["warnings"] == []
    assert run([*command, "--mute", "ROC01"]) == 2


def test_a_policy_mutes(tmp_path: Path) -> None:
    table = {"y": [0, 1] * 20, "s": list(range(40)), "fold": [1, 1, 2, 2] * 10}
    policy = {"label": "y", "rule": [{"score": "s", "at_least": 0.4}]}
    assert [one.code for one in rs.gate(policy, table).warnings] == ["ROC401"]
    assert rs.gate({**policy, "mute": ["ROC401"]}, table).warnings == ()
    with pytest.raises(rs.InputError, match="unknown check"):
        rs.gate({**policy, "mute": ["ROC4"]}, table)


ELSEWHERE = {
    **dict.fromkeys(["ROC010", "ROC016"], "evaluation/test_public.py"),
    **dict.fromkeys(["ROC123", "ROC124", "ROC125"], "binary/test_proxied_auc.py"),
    **dict.fromkeys(["ROC143"], "intervals/guarantees/test_sequence.py"),
    **dict.fromkeys(["ROC144"], "cli/test_watch.py"),
    **dict.fromkeys(["ROC212"], "test_comparisons.py"),
    **dict.fromkeys(["ROC223"], "comparison"),
    **dict.fromkeys(
        ["ROC313", "ROC314", "ROC315", "ROC317", "ROC318"],
        "evaluation, graded, inputs; ROC315 in test_files",
    ),
    **dict.fromkeys(["ROC408"], "certificates/test_certify.py"),
    **dict.fromkeys(
        ["ROC403", "ROC404", "ROC405", "ROC411", "ROC412", "ROC413", "ROC414"], "evaluation"
    ),
    **dict.fromkeys(["ROC506"], "plan"),
    **dict.fromkeys([f"ROC70{number}" for number in range(1, 9)], "test_lint.py"),
}
"""Checks whose texts the tests of what makes them look at."""


def test_each_check_is_tested() -> None:
    here = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    for check in rs.checks:
        assert f'"{check.code}": (' in here or check.code in ELSEWHERE, check

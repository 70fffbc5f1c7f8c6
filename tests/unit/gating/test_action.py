"""The GitHub action: its script with an event, a server in the place of GitHub, and odd names."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest
import yaml

from rocsolid.evaluation.questions import screening
from rocsolid.gating import action

ROOT = Path(__file__).parents[3]
TOKEN = "ghs_secret"
RULES = {"pass": ("at_least = 0.7", 0), "fail": ("at_least = 0.99", 1), "undecided": ("", 3)}


class GitHub(BaseHTTPRequestHandler):
    """The comments of issue 7, a hundred a page."""

    comments: list[dict[str, Any]]
    requests: list[str]
    status: int = 200

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        self.requests.append(self.command)
        assert self.headers["Authorization"] == f"Bearer {TOKEN}"
        assert self.path.startswith("/repos/me/mine/issues/")
        answer: Any = {}
        if self.command == "GET":
            page = int(re.findall(r"[?&]page=(\d+)", self.path)[0])
            answer = self.comments[100 * (page - 1) : 100 * page]
        elif self.command == "POST":
            assert self.path == "/repos/me/mine/issues/7/comments"
            self.comments.append(made(len(self.comments), body["body"]))
        else:
            (number,) = re.findall(r"^/repos/me/mine/issues/comments/(\d+)$", self.path)
            self.comments[int(number)]["body"] = body["body"]
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    do_GET = do_POST = do_PATCH = answer

    def log_message(self, *_: Any) -> None:
        pass


def made(number: int, body: str, kind: str = "Bot") -> dict[str, Any]:
    return {"id": number, "body": body, "user": {"type": kind}}


@pytest.fixture
def github() -> Iterator[Any]:
    handler = type("Mine", (GitHub,), {"comments": [], "requests": []})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        handler.url = f"http://127.0.0.1:{server.server_port}"
        yield handler
        server.shutdown()
        thread.join()


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, github: Any) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)
    Path("event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
    return {
        "POLICY": "policy.toml", "TABLE": "scores.csv", "BASELINE": "", "TOKEN": TOKEN,
        "ALLOW_UNDECIDED": "false", "GITHUB_API_URL": github.url, "GITHUB_REPOSITORY": "me/mine",
        "GITHUB_SERVER_URL": "https://example.org", "GITHUB_RUN_ID": "5",
        "GITHUB_EVENT_PATH": "event.json", "GITHUB_STEP_SUMMARY": "summary.md",
    }  # fmt: skip


def started(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    (step,) = (s for s in STEPS if "action" in s.get("run", ""))
    python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-c", step["run"]], env={**os.environ, **environment, "PATH": python},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


DEFINED = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = DEFINED["runs"]["steps"]


@pytest.mark.slow
@pytest.mark.parametrize("verdict", RULES)
def test_the_step_decides_in_a_shell(
    verdict: str, environment: dict[str, str], github: Any
) -> None:
    rule, code = RULES[verdict]
    rule = rule or 'at_least = 0.8\nsegments = "worst"'
    name = "-$(touch pwned);`touch pwned`.csv"  # the table's name is shell text and looks an option
    pd.DataFrame(screening(4_000)).to_csv(f"./{name}", index=False)
    Path("policy.toml").write_text(
        f'label = "ill"\nby = "hospital"\n[[rule]]\nscore = "risk"\n{rule}\n'
    )
    environment["TABLE"] = name
    for _ in range(1 + (verdict == "fail")):
        done = started(environment)
        assert done.returncode == code, done.stderr
    heading = f"## Gate policy.toml: {verdict}\n"
    assert Path("summary.md").read_text().startswith(heading)
    assert Path("gate.md").read_text().startswith(heading)
    assert ElementTree.parse("gate.xml").getroot().tag == "testsuite"
    assert "<svg" in Path("gate.svg").read_text()
    (only,) = github.comments
    assert f"-->\n{heading}" in only["body"]
    assert only["body"].endswith("(https://example.org/me/mine/actions/runs/5)\n")
    assert github.requests[-1] == ("PATCH" if verdict == "fail" else "POST")
    assert not Path("pwned").exists()
    assert TOKEN not in done.stdout + done.stderr
    stop, go = re.findall(r"^::(?:stop-commands::)?(\w{32})", done.stdout, re.M)
    assert stop == go


def ran(monkeypatch: pytest.MonkeyPatch, code: int, printed: str) -> list[Any]:
    """Put a process in the place of the gate; return the list of its calls."""
    calls: list[Any] = []

    def run(command: list[str], **how: Any) -> Any:
        calls.append((command, how))
        return subprocess.CompletedProcess(command, code, printed.encode())

    monkeypatch.setattr(subprocess, "run", run)
    return calls


def test_one_comment_a_policy_is_updated(
    environment: dict[str, str], github: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    github.comments += [made(number, "hello") for number in range(130)]
    for printed in ("first", "second"):
        ran(monkeypatch, 1, printed)
        assert action.main(environment) == 1
    assert len(github.comments) == 131
    mine = github.comments[-1]["body"]
    assert "second" in mine
    assert "first" not in mine
    assert github.requests == ["GET", "GET", "POST", "GET", "GET", "PATCH"]
    assert Path("summary.md").read_text() == "firstsecond"
    ran(monkeypatch, 0, "other")
    assert action.main({**environment, "POLICY": "other.toml"}) == 0
    assert [each["body"].splitlines()[1] for each in github.comments[130:]] == ["second", "other"]


def test_a_comment_of_somebody_else_is_left_alone(
    environment: dict[str, str], github: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(monkeypatch, 0, "pass")
    action.main(environment)
    body = github.comments[0]["body"]
    github.comments[:] = [made(0, body, "User"), made(1, f"> {body}")]
    action.main(environment)
    assert [each["body"] for each in github.comments] == [body, f"> {body}", body]


def test_names_notify_nobody_and_long_tables_are_cut(
    environment: dict[str, str], github: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(monkeypatch, 0, "@everyone " + "x" * 70_000)
    action.main(environment)
    body = github.comments[0]["body"]
    assert "@everyone" not in body
    assert "@\u200beveryone" in body
    assert 60_000 < len(body) < 61_000
    assert "The rest is in the summary of the run." in body
    assert len(Path("gate.md").read_text()) == 70_010


def test_the_gate_has_no_token_and_odd_names_are_files(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = ran(monkeypatch, 0, "pass")
    action.main({**environment, "TABLE": "--html=x.csv", "BASELINE": "-old.json", "OTHER": "kept"})
    ((command, how),) = calls
    assert command[1:8] == ["-P", "-m", "rocsolid", "gate", "policy.toml", "./--html=x.csv",
                            "--baseline"]  # fmt: skip
    assert command[8] == "./-old.json"
    assert TOKEN not in how["env"].values()
    assert how["env"]["OTHER"] == "kept"
    assert not how.get("shell")
    action.main({**environment, "TABLE": ""})
    assert calls[1][0][5:7] == ["policy.toml", "--markdown"]


@pytest.mark.parametrize("status", [403, 500])
def test_a_refused_comment_does_not_decide(
    status: int, environment: dict[str, str], github: Any, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    github.status = status
    ran(monkeypatch, 0, "pass")
    assert action.main(environment) == 0
    out = capsys.readouterr().out
    warning = f"::warning::The gate could not comment on the pull request: HTTPError {status}\n"
    assert out.endswith(warning)
    assert action.main({**environment, "TOKEN": "two\nlines"}) == 0
    assert "lines" not in capsys.readouterr().out


def test_no_comment_without_a_pull_request_or_a_token(
    environment: dict[str, str], github: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(monkeypatch, 0, "pass")
    action.main({**environment, "TOKEN": ""})
    Path("event.json").write_text(json.dumps({"ref": "refs/heads/main"}))
    action.main(environment)
    assert github.requests == []
    assert Path("summary.md").read_text() == "passpass"


def test_exit_codes(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = {**environment, "TOKEN": "", "ALLOW_UNDECIDED": "true"}
    for code in range(4):
        ran(monkeypatch, code, "")
        assert action.main({**environment, "TOKEN": ""}) == code
        assert action.main(allowed) == (0 if code == 3 else code)
    assert "## Gate: no decision\n\nThe input was refused" in Path("summary.md").read_text()


def test_no_expression_is_inside_a_command() -> None:
    assert not [step for step in STEPS if "${{" in step.get("run", "")]
    inputs = set(DEFINED["inputs"]) - {"python-version", "artifact"}
    (step,) = (s for s in STEPS if "action" in s.get("run", ""))
    given = {re.sub(r".*inputs\.([\w-]+) .*", r"\1", value) for value in step["env"].values()}
    assert given == inputs
    names = re.findall(r'environment(?:\.get\(|\[)"([A-Z_]+)"', Path(action.__file__).read_text())
    own = {name for name in names if not name.startswith("GITHUB_")} | {"TABLE", "BASELINE"}
    assert own == set(step["env"])


def test_no_python_imports_from_the_workspace() -> None:
    """A file pip.py in the repository must not run in place of pip."""
    calls = re.findall(r"\bpython\b.*", "\n".join(step.get("run", "") for step in STEPS))
    assert len(calls) == 2
    assert all(call.startswith("python -P -m ") for call in calls)


def test_the_artifact_has_a_name_or_none() -> None:
    step = STEPS[-1]
    assert step["with"]["name"] == "${{ inputs.artifact }}"
    assert step["if"] == "always() && inputs.artifact != ''"
    assert DEFINED["inputs"]["artifact"]["default"] == "gate"


def test_several_tables_are_lines(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = ran(monkeypatch, 0, "pass")
    action.main({**environment, "TABLE": "large.eval\n -small.eval\n\nmy log.eval\n"})
    tables = calls[0][0][6:9]
    assert tables == ["large.eval", "./-small.eval", "my log.eval"]
    assert calls[0][0][9] == "--markdown"


def test_the_comment_has_the_fingerprint_of_the_policy(
    environment: dict[str, str], github: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(monkeypatch, 0, "pass")
    Path("policy.toml").write_bytes(b"abc")  # the example of FIPS 180-2, appendix B.1
    action.main(environment)
    wanted = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert f"\nSHA-256 of the policy: `{wanted}`\n" in github.comments[0]["body"]
    Path("policy.toml").unlink()
    action.main(environment)
    assert "SHA-256" not in github.comments[0]["body"]


def test_the_example_reads_the_policy_of_the_base_branch() -> None:
    job = yaml.safe_load((ROOT / "examples" / "gate.yml").read_text("utf-8"))["jobs"]["gate"]
    *_, checkout, gate = job["steps"]
    base = checkout["with"]
    assert base["ref"] == "${{ github.base_ref || github.ref }}"
    assert gate["with"]["policy"].startswith(f"{base['path']}/")


def test_the_example_uses_the_inputs() -> None:
    job = yaml.safe_load((ROOT / "examples" / "gate.yml").read_text("utf-8"))["jobs"]["gate"]
    assert set(job["steps"][-1]["with"]) <= set(DEFINED["inputs"])

"""The script of the GitHub action: decide by a policy, write the summary, post one comment.

The inputs of ``action.yml`` arrive in environment variables, so no shell reads them. The values of
a table may appear in the log, where they must not act as commands of the runner.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

_FILES = ("--junit", "gate.xml", "--html", "gate.html", "--card", "gate.svg")
_LONGEST = 60_000  # GitHub accepts comments of up to 65,536 characters
_UNDECIDED = 3


def main(environment: Mapping[str, str]) -> int:
    """Return the exit code of ``rocsolid gate``."""
    code, decision = decide(environment)
    with open(environment["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as summary:
        summary.write(decision)
    event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text("utf-8"))
    request = event.get("pull_request")
    if request is not None and environment.get("TOKEN"):
        try:
            comment(environment, int(request["number"]), decision)
        except (OSError, ValueError) as error:
            # a message could quote the token, and a fork's token may not comment
            why = f"{type(error).__name__} {getattr(error, 'code', '')}".strip()
            sys.stdout.write(f"::warning::The gate could not comment on the pull request: {why}\n")
    allowed = code == _UNDECIDED and environment.get("ALLOW_UNDECIDED") == "true"
    return 0 if allowed else code


def decide(environment: Mapping[str, str]) -> tuple[int, str]:
    """Run the gate; return its exit code and the decision in Markdown."""
    policy, baseline = (_file(environment.get(name, "")) for name in ("POLICY", "BASELINE"))
    lines = map(str.strip, environment.get("TABLE", "").splitlines())
    tables = [_file(line) for line in lines if line]
    command = [sys.executable, "-P", "-m", "rocsolid", "gate", policy, *tables]
    command += [*["--baseline", baseline] * bool(baseline), "--markdown", *_FILES]
    word = secrets.token_hex(16)  # until this word, the runner reads no commands in the log
    sys.stdout.write(f"::stop-commands::{word}\n")
    sys.stdout.flush()
    without_token = {name: value for name, value in environment.items() if name != "TOKEN"}
    done = subprocess.run(command, env=without_token, stdout=subprocess.PIPE, check=False)
    sys.stdout.write(f"::{word}::\n")
    decision = done.stdout.decode("utf-8")
    if not decision:
        decision = "## Gate: no decision\n\nThe input was refused; the log has the reason.\n"
    Path("gate.md").write_text(decision, "utf-8")
    return done.returncode, decision


def _file(name: str) -> str:
    return f"./{name}" if name.startswith("-") else name  # else it would be an option


def fingerprint(environment: Mapping[str, str]) -> str:
    """The SHA-256 of the policy, since a pull request could lower its bars."""
    try:
        content = Path(environment["POLICY"]).read_bytes()
    except OSError:
        return ""
    return f"SHA-256 of the policy: `{hashlib.sha256(content).hexdigest()}`\n\n"


def comment(environment: Mapping[str, str], number: int, decision: str) -> None:
    """Update the comment of this policy on the pull request, or post the first one."""
    policy = hashlib.sha256(environment["POLICY"].encode()).hexdigest()[:16]
    mark = f"<!-- rocsolid gate {policy} -->"
    quiet = decision.replace("@", "@\N{ZERO WIDTH SPACE}")  # a name must not notify anybody
    if len(quiet) > _LONGEST:
        quiet = f"{quiet[:_LONGEST]}\n\nThe rest is in the summary of the run.\n"
    home = f"{environment['GITHUB_SERVER_URL']}/{environment['GITHUB_REPOSITORY']}"
    run = f"{home}/actions/runs/{environment['GITHUB_RUN_ID']}"
    body = {
        "body": f"{mark}\n{quiet}\n{fingerprint(environment)}[Card, page and JUnit report]({run})\n"
    }
    page, there = 1, list[Any]()
    while not there and page:
        path = f"issues/{number}/comments?per_page=100&page={page}"
        comments = _call(environment, "GET", path)
        # others can post the mark, and then edit what we would write there
        there = [
            each["id"] for each in comments
            if each["body"].startswith(mark) and each["user"]["type"] == "Bot"
        ]  # fmt: skip
        page = page + 1 if len(comments) == 100 else 0
    if there:
        _call(environment, "PATCH", f"issues/comments/{there[0]}", body)
    else:
        _call(environment, "POST", f"issues/{number}/comments", body)


def _call(environment: Mapping[str, str], method: str, path: str, data: Any = None) -> Any:
    request = Request(
        f"{environment['GITHUB_API_URL']}/repos/{environment['GITHUB_REPOSITORY']}/{path}",
        method=method,
        data=None if data is None else json.dumps(data).encode(),
        headers={
            "Authorization": f"Bearer {environment['TOKEN']}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
        },
    )
    with urlopen(request, timeout=30) as response:
        return json.load(response)


if __name__ == "__main__":
    sys.exit(main(os.environ))

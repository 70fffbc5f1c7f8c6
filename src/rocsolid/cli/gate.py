"""``rocsolid gate``: decide by a policy. Exit code 0 pass, 1 fail, 3 undecided."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.forms import ReportForms
from rocsolid.cli.lists import OUTPUT, File, Flag, MemoryOptions, keywords, option
from rocsolid.cli.output import refuse_overwriting, tell, write_text
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.source import source_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.gating.gate import gate as decide
from rocsolid.gating.gate import policy_and_data

EXIT = {"pass": 0, "fail": 1, "undecided": 3}


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class GateForms(ReportForms):
    """Every form of a decision.

    Parameters
    ----------
    junit
        Also write a JUnit report to this XML file: a failed rule is a failure, an undecided rule
        an error.
    """

    junit: str | None = None

    def check(self, *files: str) -> None:
        super().check(*files)
        if self.junit is not None:
            for file in (*files, *([] if self.html is None else [self.html])):
                refuse_overwriting(file, self.junit, "--junit")


def gate(
    policy: Annotated[File, Parameter(help="The policy, a TOML file.")] = "policy.toml",
    /,
    *table: Annotated[
        File,
        Parameter(
            help="The table of scores or the logs, as for `rocsolid evaluate`; none if the policy "
            "names runs."
        ),
    ],
    baseline: Annotated[str | None, option("baseline")] = None,
    init: Annotated[Flag, option("init")] = False,
    forms: GateForms = GateForms(),
    reading: MemoryOptions = MemoryOptions(),
) -> int:
    """Decide by a policy whether scores are good enough to ship.

    The exit code is 0 if all rules are shown to hold, 1 if one is shown not to hold, and 3 if more
    rows are needed. The decision is wrong with probability 1 − level at most.

    Example: `rocsolid gate policy.toml scores.csv --junit gate.xml`
    """
    if init:
        return _init(policy)
    terms, source = policy_and_data(policy, source_of(table) if table else None)
    stored = [] if baseline is None else [baseline]
    forms.check(policy, *table, *stored, *map(str, terms.files))
    with progress_bar("reading"):
        decision = decide(terms, source, baseline=baseline, **keywords(reading))
    decision = forms.muted(decision)
    if forms.junit is not None:
        write_text(forms.junit, decision.to_junit())
    forms.show(decision)
    return EXIT[decision.verdict]


def _init(policy: str) -> int:
    if Path(policy).exists():
        raise InputError(
            "a file with this name exists", where="--init", value=policy, fix="name another file"
        )
    write_text(policy, files("rocsolid.gating").joinpath("policy.toml").read_text("utf-8"))
    tell(f"Policy: {policy}. Edit it, then: rocsolid gate {policy} scores.csv")
    return 0

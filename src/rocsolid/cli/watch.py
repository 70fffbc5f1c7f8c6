"""``rocsolid watch``: an AUC over batches that come in, which may be looked at every time."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from rocsolid.cli.output import json_text, print_json, refuse_overwriting, write_text
from rocsolid.cli.screen import Screen
from rocsolid.errors import InputError
from rocsolid.inputs import TextLabel, pos_label_from_text, read_table
from rocsolid.intervals.guarantees.sequence import Sequence, sequence

Flag = Annotated[bool, Parameter(negative=())]
FINDING = 1


def watch(
    table: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    label: str,
    score: str,
    state: str,
    pos_label: str | None = None,
    lower_is_better: Flag = False,
    nan: Literal["raise", "omit"] = "raise",
    level: float = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    fail_on_drift: Flag = False,
    json: Flag = False,
) -> int:
    """Add a batch of rows to a watched AUC; all its intervals together hold at the level.

    The interval may be looked at after every batch, and one may stop at any time.

    Example: `rocsolid watch monday.csv --label ill --score risk --state risk.watch.json`

    Parameters
    ----------
    table
        The new rows only: CSV, TSV, JSON Lines, Parquet or Arrow IPC; `-` reads standard input.
    label
        The column of labels: 0 and 1, -1 and 1, or true and false; else name one with --pos-label.
    score
        The column of scores.
    state
        The file that remembers what came before. It is created by the first batch, and holds the
        scores with their labels: keep it as private as the data.
    pos_label
        The label that counts as positive; all others are negative.
    lower_is_better
        Low scores mean positive; must be the same for every batch.
    nan
        What to do with a missing score: stop, or leave the row out.
    level
        The level at which all intervals hold together; must be the same for every batch.
    alternative
        "greater" for a lower limit only, "less" for an upper one; must be the same for every batch.
    fail_on_drift
        End with exit code 1 if the batches cannot have come from one distribution.
    json
        Print JSON in place of the sentence.
    """
    refuse_overwriting(table, state, "--state")
    watched = _resumed(
        state, sequence(level=level, alternative=alternative, lower_is_better=lower_is_better)
    )
    rows = read_table(table, labels=[label], numbers=[score], keys=[])
    watched = watched.add(
        rows[label],
        rows[score],
        pos_label=None
        if pos_label is None
        else pos_label_from_text(TextLabel(pos_label), rows[label]),
        nan=nan,
    )
    write_text(state, json_text(watched.to_dict()))
    if json:
        print_json(_facts(watched))
    else:
        _show(watched)
    return FINDING if fail_on_drift and watched.drifted else 0


def _resumed(state: str, fresh: Sequence) -> Sequence:
    """The stored sequence, which must have been begun with the same options."""
    path = Path(state)
    if not path.exists():
        return fresh
    try:
        found = Sequence.from_dict(json_module.loads(path.read_text(encoding="utf-8")))
    except json_module.JSONDecodeError as error:
        raise InputError(
            f"the state is not JSON: {error}", where=state, fix="name another file"
        ) from None
    for name in ("level", "alternative", "lower_is_better"):
        stored, asked = getattr(found, name), getattr(fresh, name)
        if stored != asked:
            raise InputError(
                f"the state was begun with {name}={stored!r}; it cannot go on with {asked!r}",
                where=state,
                fix="give the same options for every batch, or begin a new state",
            )
    return found


def _facts(watched: Sequence) -> dict[str, Any]:
    if not (watched.n_pos and watched.n_neg):
        return {"value": None, "n_pos": watched.n_pos, "n_neg": watched.n_neg, "drifted": False}
    return {**watched.estimate.to_dict(), "drifted": watched.drifted}


def _show(watched: Sequence) -> None:
    console = Screen(soft_wrap=True)
    batches = f"{watched.batches} {'batch' if watched.batches == 1 else 'batches'}"
    if not (watched.n_pos and watched.n_neg):
        console.print(
            f"No AUC yet after {batches}: {watched.n_pos} positives, {watched.n_neg} negatives."
        )
        return
    estimate = watched.estimate
    console.print(
        f"AUC {estimate.value:.4f}, {estimate.interval}, after {batches}: "
        f"{estimate.n_pos:,} positives, {estimate.n_neg:,} negatives"
    )
    for warning in estimate.warnings:
        console.print(f"note: {warning}")

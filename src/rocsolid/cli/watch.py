"""``rocsolid watch``: an AUC over batches that come in, which may be looked at every time."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Any

from rocsolid.cli.columns import DirectedOptions
from rocsolid.cli.options import Alternative, Flag, Json, Level, TableFile
from rocsolid.cli.output import json_text, print_json, refuse_overwriting, write_text
from rocsolid.cli.screen import Screen
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.sequence import Sequence, sequence

FINDING = 1


def watch(
    table: TableFile,
    /,
    *,
    rows: DirectedOptions,
    state: str,
    level: Level = 0.95,
    alternative: Alternative = "two-sided",
    fail_on_drift: Flag = False,
    json: Json = False,
) -> int:
    """Add a batch of rows to a watched AUC; all its intervals together hold at the level.

    The interval may be looked at after every batch, and one may stop at any time. The table holds
    the new rows only. --level, --alternative and --lower-is-better must be the same for every
    batch.

    Example: `rocsolid watch monday.csv --label ill --score risk --state risk.watch.json`

    Parameters
    ----------
    state
        The file that remembers what came before. It is created by the first batch, and holds the
        scores with their labels: keep it as private as the data.
    fail_on_drift
        End with exit code 1 if the batches cannot have come from one distribution.
    """
    refuse_overwriting(table, state, "--state")
    watched = _resumed(
        state,
        sequence(level=level, alternative=alternative, lower_is_better=rows.lower_is_better),
    )
    watched = watched.add(**rows.read(table))
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

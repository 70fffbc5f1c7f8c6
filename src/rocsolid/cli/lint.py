"""``rocsolid lint``: find copied statistics in source code."""

from __future__ import annotations

import sys
from dataclasses import replace

from rocsolid.cli.lists import File, Json, Mute
from rocsolid.cli.output import print_json
from rocsolid.counts import counted
from rocsolid.lint import lint as lint_paths
from rocsolid.remarks.remark import checks
from rocsolid.visible import visible


def lint(*paths: File, mute: Mute = None, json: Json = False) -> int:
    """Find code that computes an AUC's interval or test, a group AUC or NDCG with known faults.

    A line with `# noqa: ROC702` is skipped. The exit code is 1 if anything is found.

    Example: `rocsolid lint src notebooks`

    Parameters
    ----------
    paths
        Python files, notebooks, and folders that hold them.
    """
    linted = lint_paths(*paths or (".",))
    muted = checks.known(mute or ())
    kept = tuple(copy for copy in linted.copies if copy.remark.code not in muted)
    if json:
        print_json(replace(linted, copies=kept).to_dict())
    else:
        lines = [str(copy) for copy in kept]
        lines += [f"{path}: not read" for path in linted.unread]
        lines.append(f"{counted(len(kept), 'place')} in {counted(linted.files, 'file')}.")
        sys.stdout.writelines(f"{visible(line)}\n" for text in lines for line in text.split("\n"))
    return 1 if kept else 0

"""Removed verbs and options of the command line, with their replacements."""

from __future__ import annotations

from collections.abc import Sequence

REMOVED = {
    "leak exposure": "use rocsolid leak count with --rows 10",
    "leak simulate": "use rs.leaks.simulate in Python",
    "leak --threshold": "use rs.leaks.joint in Python, whose releases have thresholds and cuts",
    "leak --k": "use rs.leaks.joint in Python, whose releases have thresholds and cuts",
    "leak --max-work": "use max_work= of rs.leaks.joint in Python",
    "leak plan --share": "use share= of rs.leaks.plan in Python",
    **dict.fromkeys(
        (
            "leak replay --time-column",
            "leak replay --account-column",
            "leak replay --score-column",
            "leak replay --submission-column",
        ),
        "rename the columns to time, account, score and submission, or use columns= of "
        "rs.leaks.replay in Python",
    ),
    **dict.fromkeys(
        (
            "leak replay --submissions",
            "leak replay --submissions-score",
            "leak replay --submissions-key",
        ),
        "use submissions= of rs.leaks.replay in Python",
    ),
    "board show": "use rocsolid board standings",
    "sketch merge": "use rocsolid sketch make, which also takes sketches",
    "sketch refine": "use rocsolid sketch show, which also takes tables",
    "plan coverage": "use rs.guarantees.coverage in Python",
    "plan --solve": "use level=None of rs.plan in Python",
    "plan --spread": "use spread= of rs.plan in Python",
    "plan --variance": "use variance= of rs.plan in Python",
    "plan difference --auc-correlation": "use auc_correlation= of rs.plan.auc_difference_power",
    "plan difference --b-per-a": "use b_per_a= of rs.plan.auc_difference_power in Python",
    "plan labels --floor": "use floor= of rs.plan.labels in Python",
    "plan size --bits": "use bits= of rs.plan.holdout in Python",
    "plan size --accounts": "use accounts= of rs.plan.holdout in Python",
    "--threads": "omit it, or use threads= of rs.evaluate in Python",
    "--print": "omit it; only pages of rocsolid evaluate are long enough to need it",
    "--mute": "omit it; there are no checks to mute here",
}
"""Keys are a verb, an option, or an option after its verb if only that verb had it."""

PUBLISHED_BY = (
    "publish rounded values of a table with rocsolid evaluate TABLE --label COLUMN --score COLUMN "
    "--public or with rocsolid publish, and keep this output private"
)
"""What a verb without --public offers in its place."""


def instead(verb: Sequence[str], option: str = "") -> str:
    """The advice on a removed verb or option, or an empty string.

    >>> instead(["plan", "power"], "--solve"), instead(["plan", "powr"])
    (' Fix: use level=None of rs.plan in Python.', '')
    """
    for length in range(len(verb), -1, -1):
        words = " ".join([*verb[:length], *([option] if option else [])])
        if words in REMOVED:
            return f" Fix: {REMOVED[words]}."
    return ""

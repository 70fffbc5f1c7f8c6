"""``rocsolid leak conjecture``: does the number of labelings fall as rows are added?"""

from __future__ import annotations

from rocsolid.cli.options import Json
from rocsolid.cli.output import print_json
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import print_words
from rocsolid.leaks import conjecture as test_conjecture


def conjecture(*, max_q: int = 100, json: Json = False) -> int:
    """Test the published conjecture on how the number of labelings changes with the number of rows.

    Section 6 of the paper (Whitehill 2019) supposes that the number of labelings of n rows
    with AUC p/q does not grow with n up to a threshold.

    Example: `rocsolid leak conjecture --max-q 30`

    Parameters
    ----------
    max_q
        Every reduced AUC p/q with q from 2 up to this one is tested.
    """
    with progress_bar("counting labelings"):
        found = test_conjecture(max_q)
    if json:
        print_json(found.to_dict())
    else:
        print_words(found.explain())
    return 0

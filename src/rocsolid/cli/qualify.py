"""``rocsolid qualify``: test this installation, with a record for a regulated study."""

from __future__ import annotations

from rocsolid.cli.forms import PageForms
from rocsolid.cli.lists import Seed
from rocsolid.cli.progress import progress_bar
from rocsolid.qualifying.qualify import qualify as run_tests


def qualify(*requirements: str, seed: Seed = 0, forms: PageForms = PageForms()) -> int:
    """Test whether this installation computes what the documentation says.

    Published numbers, brute-force counts, simulated coverage and the hashes of the installed files;
    less than two minutes, without network. A correct installation fails with a probability of at
    most 1 %. The exit code is 1 if a requirement fails.

    Example: `rocsolid qualify --html qualification.html`

    Parameters
    ----------
    requirements
        The requirements to test, such as auc and files; the default is all.
    """
    forms.check()
    with progress_bar("testing"):
        record = run_tests(*requirements, seed=seed)
    forms.show(record)
    return 0 if record.passed else 1

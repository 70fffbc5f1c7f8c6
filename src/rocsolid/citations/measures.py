"""Which works define a measure, by the name that a result gives it."""

from __future__ import annotations

import re

_AUC = ("hanley1982", "agarwal2005")
# the first that fits goes; a name may hold options in brackets and a cut-off behind
_MEASURES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"auc\(ovo", ("handtill2001",)),
    (r"auc\(ovr, weighted", ("provost2000",)),
    (r"concordance", ("harrell1982",)),
    (r"somers_d|gini", ("somers1962", "harrell1982")),
    (r"gauc", _AUC),
    (r"auc|AUC", _AUC),
    (r"partial_auc\(.*fpr.*tpr", ("mcclish1989", "yang2019")),
    (r"partial_auc", ("mcclish1989",)),
    (r"weighted_auc\(exponential", ("maurer2020", "truchon2007")),
    (r"weighted_auc", ("maurer2020",)),
    (r"sensitivity|specificity", ("pepe2003",)),
    (r"n?dcg\[exp2", ("jarvelin2002", "burges2005")),
    (r"n?dcg", ("jarvelin2002",)),
    (r"err(?![a-z])", ("chapelle2009",)),
    (r"rbp", ("moffat2008",)),
    (r"bpref", ("buckley2004",)),
    (r"rr(?![a-z])", ("voorhees1999",)),
    (r"(?:ap|p|rprec|recall)(?![a-z])", ("manning2008",)),
)


def works_on(measure: str) -> tuple[str, ...]:
    """Keys of the bibliography; none where no work is known to us.

    >>> works_on("nDCG[exp2,log2]@10"), works_on("partial_auc(fpr<=0.1)"), works_on("success@5")
    (('jarvelin2002', 'burges2005'), ('mcclish1989',), ())
    """
    for pattern, keys in _MEASURES:
        if re.match(pattern, measure, re.IGNORECASE):
            return keys
    return ()

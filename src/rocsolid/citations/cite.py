"""What to cite for a result: a sentence and BibTeX for every method that it used."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rocsolid._version import __version__
from rocsolid.citations.bibliography import SOFTWARE, by_key
from rocsolid.citations.entry import Work
from rocsolid.citations.found import Used, used
from rocsolid.citations.matching import entries_of, shortened
from rocsolid.errors import InputError
from rocsolid.results.plain import Plain

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


@dataclass(frozen=True, slots=True)
class Citations(Plain):
    """A sentence for each method, and the works that they name, in the order of the sentences."""

    sentences: tuple[str, ...]
    entries: tuple[Work, ...]
    _json = "sentences entries bibtex"

    @property
    def bibtex(self) -> str:
        """All entries, as a .bib file has them."""
        return "\n\n".join(entry.bibtex for entry in self.entries)

    def __str__(self) -> str:
        return "\n".join([*self.sentences, "", self.bibtex])


def cite(result: Any) -> Citations:
    """Works to cite for a result of this library, or for several in a tuple, list or mapping.

    Measures, intervals, tests, adjustments, plans and limits are named in the order in which the
    result holds them, each once; the last sentence names rocsolid itself. A method without a paper
    is cited as rocsolid's. Which rows and labels were used is never looked at.

    >>> import rocsolid as rs
    >>> found = rs.cite(rs.auc([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.5, 0.7]))
    >>> for sentence in found.sentences[1:3]:
    ...     print(sentence)
    The 95 % interval is auto (...): logit-t (DeLong et al. (1988); Pepe (2003), ...
    The certified 95 % interval is matchings: Hoeffding (1963), section 5 (blocks), with bets
    averaged over all matchings (rook numbers), half and half with the hinge (B−j)₊.
    >>> [entry.key for entry in found.entries][-2:]
    ['hoeffding1963', 'rocsolid']
    """
    methods = used(result)
    if not methods and not _ours(result):
        raise InputError(
            "this is no result of rocsolid",
            where="result",
            value=type(result).__name__,
            fix="give what a function of rocsolid returned",
        )
    said = dict(_said(one) for one in methods)
    works = dict.fromkeys(entry for found in said.values() for entry in found)
    cited = (entry for entry in works if entry is not SOFTWARE)
    return Citations((*said, _SOFTWARE_SAID), (*cited, SOFTWARE))


_SOFTWARE_SAID = f"The numbers are those of rocsolid, version {__version__}."


def _said(one: Used) -> tuple[str, tuple[Work, ...]]:
    works: tuple[Work, ...]
    if one.source:
        works, text = entries_of(one.source), shortened(one.source)
    else:
        works = tuple(by_key(key) for key in one.keys or works_on(one.name)) or (SOFTWARE,)
        text = "; ".join(entry.short for entry in works)
    if works == (SOFTWARE,) and not one.source:
        text = "no paper, see the documentation of rocsolid"
    name = "the AUC" if one.name == "auc" else one.name
    verb = "are" if " and " in one.what else "is"
    return f"{one.what} {verb} {name}: {text}." if name else f"{one.what}: {text}.", works


def _ours(result: Any) -> bool:
    return type(result).__module__.startswith("rocsolid.")

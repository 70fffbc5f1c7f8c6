"""A cited work: as BibTeX, in short form, and in full."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from rocsolid.dataclass import dataclass

_ACCENTS = {"\u0301": "'", "\u0300": "`", "\u0308": '"', "\u0302": "^", "\u0303": "~"}


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """A cited work. ``fields`` are BibTeX's, as plain text; ``author`` is "Doe, J. and Roe, A.".

    ``letter`` distinguishes two works with the same short name. ``also`` are texts that refer to
    the work without its authors and year.

    >>> from rocsolid.citations.bibliography import by_key
    >>> delong = by_key("delong1988")
    >>> delong.short
    'DeLong et al. (1988)'
    >>> print(delong.full)
    DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or
    more correlated receiver operating characteristic curves: a nonparametric approach. Biometrics
    44, 837-845. doi:10.2307/2531595
    >>> print(by_key("wilson1927").bibtex)
    @article{wilson1927,
      author = {Wilson, E. B.},
      title = {Probable inference, the law of succession, and statistical inference},
      journal = {Journal of the American Statistical Association},
      year = {1927},
      volume = {22},
      pages = {209--212}
    }
    """

    key: str
    kind: str
    fields: Mapping[str, str]
    letter: str = ""
    also: tuple[str, ...] = ()

    @property
    def year(self) -> str:
        return self.fields.get("year", "")

    @property
    def surnames(self) -> tuple[str, ...]:
        return tuple(name.partition(",")[0] for name in self.fields["author"].split(" and "))

    @property
    def short(self) -> str:
        """Surnames and year, as in a sentence."""
        first = self.surnames
        who = f"{first[0]} et al." if len(first) > 2 else " and ".join(first)
        return f"{who} ({self.year}{self.letter})" if self.year else self.fields["title"]

    @property
    def full(self) -> str:
        """Authors, year, title and publication, as in a list of references."""
        people = self.fields["author"].split(" and ")
        who = ", ".join(people[:-1]) + " and " + people[-1] if len(people) > 1 else people[0]
        parts = [
            f"{who} ({self.year}{self.letter})" if self.year else who,
            self.fields["title"],
            self._where(),
        ]
        text = ". ".join(part.rstrip(".") for part in parts if part) + "."
        return f"{text} doi:{self.fields['doi']}" if "doi" in self.fields else text

    @property
    def bibtex(self) -> str:
        """The entry for a .bib file, in ASCII, with capitals in the title kept."""
        lines = [f"  {name} = {{{_tex(name, text)}}}" for name, text in self.fields.items()]
        return f"@{self.kind}{{{self.key},\n" + ",\n".join(lines) + "\n}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {"key": self.key, "kind": self.kind, **self.fields, "text": self.full}

    def _where(self) -> str:
        f = self.fields
        names = ("journal", "booktitle", "publisher", "institution")
        publication = next((f[name] for name in names if name in f), None)
        if publication is None:
            return f.get("howpublished", f.get("note", ""))
        numbered = "volume" in f and "booktitle" not in f
        text = f"{publication} {f['volume']}" if numbered else publication
        return f"{text}, {f['pages']}" if "pages" in f else text


def _tex(name: str, text: str) -> str:
    if name == "pages":
        return text.replace("-", "--")
    if name == "doi":
        return text
    if name == "author":  # several words without a comma are the name of an organisation
        text = " and ".join(
            f"{{{author}}}" if " " in author and "," not in author else author
            for author in text.split(" and ")
        )
    if name == "title":
        head, _, rest = text.partition(" ")
        # styles keep the first capital of a title; a capital inside the word needs braces
        head = f"{{{head}}}" if re.search(r".[A-Z]", head) else head
        text = " ".join([head, *(_kept(word) for word in rest.split())])
    return "".join(_letter(sign) for sign in text)


def _kept(word: str) -> str:
    return f"{{{word}}}" if re.search(r"[A-Z]", word) else word


def _letter(sign: str) -> str:
    """Return one character in ASCII.

    >>> print(_letter("ä"), _letter("&"), _letter("–"))
    {\\"a} \\& --
    """
    if sign in "&%$#_":
        return f"\\{sign}"
    if sign == "–":
        return "--"
    if sign.isascii():
        return sign
    letter = unicodedata.normalize("NFD", sign)  # followed by its accent
    return f"{{\\{_ACCENTS[letter[1]]}{letter[0]}}}"

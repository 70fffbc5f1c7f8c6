"""A check: one kind of warning or note about a result, with its sentence."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Literal, Self

from rocsolid.arguments import spelling
from rocsolid.errors import InputError

Severity = Literal["note", "warning", "doubt"]
"""A ``note`` helps to interpret a number. A ``warning`` reports a possible fault. A ``doubt``
reports that a calibrated interval or test may miss too often, so that the certified one decides."""


class Remark(str):
    """A sentence of one kind: a subclass is the check, and results contain its instances.

    A subclass has a stable ``code``. Its docstring is the page of the check, and the first line of
    the docstring is the ``title``. Calling the class with the figures of the sentence returns the
    sentence: a string that also stores its check. A check without figures declares its
    ``sentence``. ``quotes`` is the kind of label statistics that the sentence contains, and
    ``advice`` is the clause of the sentence about certified intervals. A ``finding`` answers a
    question that the user asked, and is shown first and whole.

    >>> class Odd(Remark):
    ...     '''An odd number of rows.'''
    ...     def __new__(cls, rows: int) -> Self:
    ...         return cls.says(f"{rows} rows is odd.")
    >>> Odd(3), Odd(3).severity, Odd.title(), Odd(3).of("segment a")
    ('3 rows is odd.', 'warning', 'An odd number of rows', 'segment a: 3 rows is odd.')
    """

    code: ClassVar[str] = ""
    quotes: ClassVar[Literal["nothing", "counts", "values"]] = "values"
    severity: Severity = "warning"
    advice: ClassVar[str] = ""
    sentence: ClassVar[str] = ""
    finding: ClassVar[bool] = False

    def __new__(cls) -> Self:
        return cls.says(cls.sentence)

    @classmethod
    def says(cls, text: str, severity: Severity | None = None) -> Self:
        made = str.__new__(cls, text)
        if severity is not None:
            made.severity = severity
        return made

    def of(self, where: str) -> Self:
        """Return the same sentence prefixed by the name of its subject."""
        return self.says(f"{where}: {self}", self.severity)

    def uncertified(self) -> Self:
        """Return the sentence for a result that has no certified interval."""
        severity: Severity = "warning" if self.severity == "doubt" else self.severity
        return self.says(self.replace(self.advice, "") if self.advice else self, severity)

    @property
    def check(self) -> type[Remark]:
        return type(self)

    @classmethod
    def title(cls) -> str:
        return cls.page().partition("\n")[0].removesuffix(".")

    @classmethod
    def page(cls) -> str:
        """The page of the check: meaning, cause and advice."""
        return inspect.cleandoc(cls.__doc__ or "")

    @classmethod
    def described(cls) -> dict[str, str]:
        """The check as plain data for JSON."""
        title, _, page = cls.page().partition("\n")
        return {
            "code": cls.code, "severity": cls.severity, "title": title, "page": page.strip()
        }  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), str(self), self.severity)


def _again(kind: type[Remark], text: str, severity: Severity) -> Remark:
    return kind.says(text, severity)


class Shown(tuple[Remark, ...]):
    """Remarks of a result without the muted ones, which are kept in ``muted``."""

    muted: tuple[Remark, ...] = ()


def doubted(found: Iterable[Remark]) -> bool:
    """Return whether a remark, shown or muted, advises to rely on the certified interval."""
    muted = found.muted if isinstance(found, Shown) else ()
    return any(one.severity == "doubt" for one in (*found, *muted))


def doubts(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    """Return the remarks, shown or muted, whose check doubts calibrated intervals.

    Unlike `doubted`, this includes doubts about a result that has no certified interval.
    """
    muted = remarks.muted if isinstance(remarks, Shown) else ()
    return tuple(remark for remark in (*remarks, *muted) if remark.check.severity == "doubt")


TOPICS = (
    "rows",
    "columns",
    "values",
    "labels",
    "comparisons",
    "lists",
    "tables",
    "plans",
    "copies",
)


class Registry:
    """Every check: ``for check in rs.checks`` and ``rs.checks["ROC001"]``.

    A check has ``code``, ``severity``, ``title()`` and ``page()``.
    """

    def __iter__(self) -> Iterator[type[Remark]]:
        return iter(sorted(self._all().values(), key=lambda check: check.code))

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, code: str) -> type[Remark]:
        known = self._all()
        if code not in known:
            # nearly every wrong digit makes another code, so only spellings are near
            near = [name for name in known if spelling(name) == spelling(code)]
            fix = f"write {near[0]}" if near else "`rocsolid checks` and rs.checks list all"
            raise InputError("unknown check", where="code", value=code, fix=fix)
        return known[code]

    def known(self, codes: Iterable[str]) -> frozenset[str]:
        """Return the codes; raise an error if no check has one of them."""
        return frozenset(self[code].code for code in codes)

    def _all(self) -> dict[str, type[Remark]]:
        for topic in TOPICS:
            importlib.import_module(f"rocsolid.remarks.{topic}")
        waiting, by_code = [Remark], {}
        while waiting:
            kind = waiting.pop()
            waiting += kind.__subclasses__()
            if kind.code:
                by_code[kind.code] = kind
        return by_code

    def __repr__(self) -> str:
        return "\n".join(f"{check.code}  {check.severity:7}  {check.title()}" for check in self)


checks = Registry()

"""A check: one thing that a reader of a result should know, and the sentence that says it."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Literal, Self

from rocsolid.arguments import nearest
from rocsolid.errors import InputError

Severity = Literal["note", "warning", "doubt"]
"""A ``note`` says how a number is to be read, a ``warning`` what may be wrong with it, and a
``doubt`` that a calibrated interval or test may miss too often, so that the certified one
decides."""


class Remark(str):
    """A sentence of one kind: a subclass is the check, its objects are what results carry.

    A subclass has a ``code``, which is stable; its documentation is the page of the check, and the
    first line of that the ``title``. It is called with the figures that its sentence names, and
    what comes of it is that sentence: text like any other, which knows its kind. ``quotes`` says
    which figures of the labels there are in it.

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

    @classmethod
    def says(cls, text: str, severity: Severity | None = None) -> Self:
        made = str.__new__(cls, text)
        if severity is not None:
            made.severity = severity
        return made

    def of(self, where: str) -> Self:
        """The same behind the name of what it is true of."""
        return self.says(f"{where}: {self}", self.severity)

    @property
    def check(self) -> type[Remark]:
        """The kind that it is of."""
        return type(self)

    @classmethod
    def title(cls) -> str:
        return cls.page().partition("\n")[0].removesuffix(".")

    @classmethod
    def page(cls) -> str:
        """What it means, when it appears and what to do."""
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
    """The remarks of a result without those that were muted, whose consequences stay."""

    muted: tuple[Remark, ...] = ()


def doubted(found: Iterable[Remark]) -> bool:
    """Whether one of them, shown or muted, says to rely on what is certified."""
    muted = found.muted if isinstance(found, Shown) else ()
    return any(one.severity == "doubt" for one in (*found, *muted))


TOPICS = ("rows", "values", "labels", "comparisons", "lists", "tables", "plans", "files")


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
            near = nearest(code, known)
            raise InputError(
                "unknown check",
                where="code",
                value=code,
                fix=f"write {near}" if near else "`rocsolid checks` lists all",
            )
        return known[code]

    def known(self, codes: Iterable[str]) -> frozenset[str]:
        """The codes, of which each is that of a check."""
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


class CutToRange(Remark):
    """A correction for label noise led beyond the possible values.

    The error rates allow AUCs against noisy labels in a narrower range than the one observed. A
    small excess is chance; a large one says that the rates are wrong.

    What to do: check the error rates of the labels.
    """

    code = "ROC121"

    def __new__(cls, noisy: float, least: float, most: float, value: float) -> Self:
        return cls.says(
            f"The AUC against noisy labels is {noisy:.4f}, and these rates allow from "
            f"{least:.4f} to {most:.4f}: the value is cut to {value:g}. That much is within the "
            "error of sampling, but check the rates."
        )


class NoiseUndone(Remark):
    """The value is corrected for wrong labels.

    It is the AUC against true labels if the given shares of labels are wrong, independently of the
    score given the true class.

    What to do: state the shares with the value. If errors are likelier where the score is near the
    other class, the correction is too small.

    >>> import rocsolid as rs
    >>> auc = rs.auc([0, 1] * 20, range(40))
    >>> rs.undo_label_noise(auc, wrong_positives=0.1, wrong_negatives=0.05).warnings[-1]
    'This is the AUC against true labels if 10 % of the positive and 5 % of the negative labels ...'
    """

    code = "ROC122"
    severity = "note"

    def __new__(cls, positives: float, negatives: float) -> Self:
        noise = (
            f"{100 * positives:.3g} % of the positive and {100 * negatives:.3g} % of the negative "
            "labels are wrong"
        )
        return cls.says(f"This is the AUC against true labels if {noise}.")


class UnusableProxies(Remark):
    """Machine labels could not be used.

    With them the estimate leaves the possible values or has no variance.

    What to do: check that machine labels are of the same rows and classes.
    """

    code = "ROC123"
    quotes = "nothing"

    def __new__(cls) -> Self:
        return cls.says(
            "The machine labels cannot be used: with them the estimate leaves (0, 1) or has no "
            "variance. The result rests on the labels alone."
        )


class FewDisagreements(Remark):
    """Too few wrong machine labels are known to say how wrong they are.

    How wrong machine labels are is measured on the rows that people labelled too. With few known
    disagreements that is badly known, and intervals would hold less often than they say.

    What to do: label more rows.
    """

    code = "ROC124"

    def __new__(cls, disagreements: int, needed: int, value: float, interval: str) -> Self:
        rows = "row has" if disagreements == 1 else "rows have"
        return cls.says(
            f"Only {disagreements} labelled {rows} a wrong machine label, too few to measure how "
            f"wrong these are (about {needed} are needed), so the result rests on the "
            f"labels alone. With the machine labels it would be {value:.4f}, {interval}, which "
            "holds less often than it says."
        )


class IdleProxies(Remark):
    """Machine labels add nothing to the labels.

    They disagree with the labels so often that the estimate is hardly better than without them.

    What to do: leave them out, or find better ones.
    """

    code = "ROC125"

    def __new__(cls, gain: float, alone: str) -> Self:
        return cls.says(
            f"The machine labels do not help: {gain:.2f} times the labels' own information. The "
            f"labels alone give {alone}."
        )

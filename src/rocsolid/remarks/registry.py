"""All checks, by their codes."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator

from rocsolid.arguments import nearest
from rocsolid.errors import InputError
from rocsolid.remarks.remark import Remark

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

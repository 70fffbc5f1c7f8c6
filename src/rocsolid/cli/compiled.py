"""``scipy.special`` as its compiled functions, in the process of a command.

The Python modules of the package load all of NumPy, to describe each function for other array
libraries. They take .1 s of processor time, and the compiled functions .01 s.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any

_PACKAGE, _FUNCTIONS = "scipy.special", "scipy.special._ufuncs"
_ONE_AT_A_TIME = RLock()


class _CompiledFirst(ModuleType):
    """The package; its own modules are loaded when a name is not that of a compiled function."""

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            functions = import_module(_FUNCTIONS)
            if hasattr(functions, name):
                return getattr(functions, name)
        with _ONE_AT_A_TIME:
            whole = self.__dict__.pop("_whole", None)
            if whole is not None:
                whole.exec_module(self)
                self.__class__ = ModuleType  # type: ignore[assignment]
        return ModuleType.__getattribute__(self, name)


class _CompiledLoader(Loader):
    def __init__(self, whole: Loader) -> None:
        self._whole = whole

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._whole.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["_whole"] = self._whole
        module.__class__ = _CompiledFirst


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _PACKAGE:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _CompiledLoader(spec.loader)
        return spec


def load_compiled_first() -> None:
    """Let later imports of ``scipy.special`` load the compiled functions, and the rest if used."""
    sys.meta_path.insert(0, _Finder())

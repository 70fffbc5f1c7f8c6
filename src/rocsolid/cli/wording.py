"""Advice that speaks of keywords in Python, in the options of a command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection

_KEYWORD = re.compile(
    r"\b(?P<name>[a-z]+(?:_[a-z]+)*)="
    r"(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<bare>\.\.\.|[^\s,;)'\"]*[^\s,;).'\"]|))"
)
_NAME = re.compile(r"(?<![\w/=-])[a-z]+(?:_[a-z]+)+(?![\w/=])")


def as_options(advice: str, options: Collection[str]) -> str:
    """Each keyword that the command has as an option, the way it is typed there.

    >>> as_options("name the positive label, such as pos_label='yes'.", ["--pos-label"])
    'name the positive label, such as --pos-label yes.'
    >>> as_options('use nan="omit", or k=5, or give n_pos', ["--nan", "--n-pos"])
    'use --nan omit, or k=5, or give --n-pos'
    """

    def typed(found: re.Match[str]) -> str:
        option = "--" + found["name"].replace("_", "-")
        bare = found["bare"]
        if option not in options or bare == "False":
            return found[0]
        if bare is not None:
            return option if bare in ("", "True") else f"{option} {bare}"
        return f"{option} {shlex.quote(found['single'] or found['double'] or '')}"

    def named(found: re.Match[str]) -> str:
        option = "--" + found[0].replace("_", "-")
        return option if option in options else found[0]

    return _NAME.sub(named, _KEYWORD.sub(typed, advice))

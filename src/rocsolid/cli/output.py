"""What the verbs share: writing a file whole or not at all, and the table of results."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsolid.errors import InputError
from rocsolid.visible import UNSEEN

if TYPE_CHECKING:
    pass


def json_text(data: Any) -> str:
    """In full letters, except characters that steer a terminal: these are written \\uXXXX."""
    text = json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False, default=str)
    return "\n".join(UNSEEN.sub(_in_json, line) for line in text.split("\n")) + "\n"


def _in_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def print_json(data: Any) -> None:
    text = json_text(data)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # JSON has its own way to write any character in ASCII
        text = json.dumps(json.loads(text), indent=2) + "\n"
    sys.stdout.write(text)


def write_text(path: str, text: str) -> None:
    """See `write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: str, content: bytes) -> None:
    """The file appears complete or not at all, whatever happens on the way."""
    target = Path(path)
    if target.is_dir():
        raise InputError("this is a folder, not a file", value=path, fix="name a file in it")
    try:
        if target.exists() and not target.is_file():  # a pipe or a device stays what it is
            target.write_bytes(content)
        else:
            _replace(target.resolve(), content)  # a link stays one
    except OSError as error:
        raise InputError(
            f"the file cannot be written: {error.strerror}",
            where=path,
            fix="name a file in a folder that exists and may be written to",
        ) from error


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)  # a temporary file is private; the report is an ordinary one
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def refuse_overwriting(used: str, target: str, option: str = "--html") -> None:
    """What an option writes may not take the place of a file that is read, or written as well."""
    if os.path.exists(used) and os.path.exists(target):
        same = os.path.samefile(used, target)
    else:
        same = os.path.abspath(used) == os.path.abspath(target)
    if same:
        raise InputError(
            "this would overwrite a file that the command uses", where=option, value=target,
            fix="name another file",
        )  # fmt: skip

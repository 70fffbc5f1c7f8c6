"""The reference, written by the code itself while the site is built: each public name, each option.

The pages are made from signatures and docstrings, whose examples the tests run where they stand.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import tomllib
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rocsolid
from rocsolid.cli.app import app
from rocsolid.parameters import PARAMETERS

GROUPS = {  # the package that a name of `rocsolid` comes from -> its page
    "binary": ("two-classes", "Scores of two classes"),
    "measures": ("two-classes", "Scores of two classes"),
    "summaries": ("two-classes", "Scores of two classes"),
    "graded": ("ranked-documents", "Ranked documents"),
    "discounts": ("ranked-documents", "Ranked documents"),
    "inputs": ("ranked-documents", "Ranked documents"),
    "comparison": ("comparing", "Comparing"),
    "citations": ("errors", "Errors and citations"),
    "errors": ("errors", "Errors and citations"),
}
OTHERS = ("tables", "Tables, pages and files")
MEANINGS: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "parameters.toml").read_text("utf-8")
)


@functools.cache
def pages() -> dict[str, str]:
    """The Markdown of every page, by its name."""
    found = {"command-line": _command_line()}
    for name, (title, members, about) in sections().items():
        told: Told = {}
        parts = [f"# {title}\n", about, *(_entry(path, value, told) for path, value in members)]
        found[name] = "\n".join(parts)
    return found


Told = dict[tuple[str, str], str]
"""A name and what is said of it on this page -> the entry that says it; others point there."""


def _as_in(elsewhere: dict[str, list[str]]) -> Iterator[str]:
    """Where the page has told names already, a line an entry."""
    for path, names in elsewhere.items():
        yield f"As in {{py:obj}}`{path}`: {', '.join(names)}.\n"


def checks() -> dict[str, str]:
    """A page for each check, by its code."""
    return {
        check.code: f"# {check.code}: {check.title()}\n\nSeverity: {check.severity}\n\n"
        + _text(check.page().partition("\n\n")[2])
        for check in rocsolid.checks
    }


def list_of_checks() -> str:
    """Every check with its title, by links to the pages."""
    lines = [
        "# Checks\n",
        "Every warning and note is a check. A result lists its own in `.checks`, and "
        '`.without("ROC009")`, `--mute ROC009` or `mute = ["ROC009"]` in a policy leave their '
        "sentences out. Numbers and verdicts stay: a muted doubt still leaves the decision to the "
        "certified interval.\n",
        "| | | |",
        "|---|---|---|",
    ]
    lines += [
        f"| [{check.code}](/checks/{check.code}.md) | {check.severity} | {check.title()} |"
        for check in rocsolid.checks
    ]
    return "\n".join(lines) + "\n"


def overview() -> str:
    """Every name with the sentence that it starts with."""
    lines = []
    for title, members, _ in sections().values():
        lines += [f"\n## {title}\n", "| | |", "|---|---|"]
        lines += [f"| {{py:obj}}`{path}` | {_first_sentence(value)} |" for path, value in members]
    return "\n".join(lines)


def sections() -> dict[str, tuple[str, list[tuple[str, Any]], str]]:
    """Page -> its title, its names with what they stand for, and what it says at the top."""
    found: dict[str, tuple[str, list[tuple[str, Any]], str]] = {}
    for page, title in dict.fromkeys((*GROUPS.values(), OTHERS)):
        found[page] = (title, [], "")
    modules = []
    for name in rocsolid.__all__:
        value = getattr(rocsolid, name)
        if isinstance(value, types.ModuleType):
            modules.append((f"rs.{name}", value))
        elif name != "__version__":
            group = GROUPS.get(value.__module__.split(".")[1], OTHERS)
            found[group[0]][1].append((f"rs.{name}", value))
    for _, members, _ in found.values():
        members.sort(key=_functions_first)
    for path, module in modules:
        for inner, its in _with_inner_modules(path, module):
            page = inner.removeprefix("rs.").replace(".", "-")
            members = [(f"{inner}.{name}", getattr(its, name)) for name in _public(its)]
            listed = [(name, value) for name, value in members if not inspect.ismodule(value)]
            about = _text(inspect.getdoc(its) or "")
            found[page] = (inner, sorted(listed, key=_functions_first), about)
    _add_what_is_returned(found)
    return {page: section for page, section in found.items() if section[1]}


def _add_what_is_returned(found: dict[str, tuple[str, list[tuple[str, Any]], str]]) -> None:
    """A class that a function here returns is told with it, though nobody makes one by hand."""
    told = {id(value) for _, members, _ in found.values() for _, value in members}
    for _, members, _ in found.values():
        for path, value in list(members):
            if not isinstance(value, types.FunctionType):
                continue
            name = inspect.signature(value).return_annotation
            result = value.__globals__.get(name) if isinstance(name, str) else name
            ours = inspect.isclass(result) and result.__module__.startswith("rocsolid.")
            if ours and id(result) not in told:
                told.add(id(result))
                members.insert(members.index((path, value)) + 1, (result.__name__, result))


def _functions_first(member: tuple[str, Any]) -> tuple[int, str]:
    path, value = member
    return (0 if inspect.isroutine(value) else 1 if inspect.isclass(value) else 2, path.casefold())


def _with_inner_modules(path: str, module: Any) -> Iterator[tuple[str, Any]]:
    yield path, module
    for name in _public(module):
        value = getattr(module, name)
        if inspect.ismodule(value):
            yield from _with_inner_modules(f"{path}.{name}", value)


def _public(module: Any) -> list[str]:
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted(listed)
    return sorted(
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    )


def _entry(path: str, value: Any, told: Told) -> str:
    """A name: how it is called, what it says of itself, where it is used, what a class holds."""
    if _is_ours(value):
        return _object("data", path, _text(inspect.getdoc(type(value)) or ""))
    if not (inspect.isclass(value) or inspect.isroutine(value)):  # a constant, or a type's name
        return _object("data", path, f":value: {_plain(value)}\n")
    about, used = _text(inspect.getdoc(value) or ""), _used_in(path)
    if inspect.isclass(value):
        made = _call(path, value) if path.startswith("rs.") and ".results." not in path else path
        return _object("class", made, about, used, _members(path, value, told))
    return _object("function", _call(path, value), about, _parameters(path, value, told), used)


def _parameters(path: str, function: Any, told: Told) -> str:
    """A table of the parameters: name, default, meaning; what the page has told is not repeated."""
    rows, elsewhere = [], dict[str, list[str]]()
    docstring = re.sub(r"\s+", " ", inspect.getdoc(function) or "")
    for one in parameters_of(function):
        default = "" if one.default is one.empty else f"`{_unquoted(repr(one.default))}`"
        meaning = meaning_of(path, one.name, inspect.getdoc(function) or "")
        if meaning and meaning in docstring:
            continue
        text = _text(meaning).strip().replace("\n", " ").replace("|", r"\|")
        if (first := told.setdefault((one.name, text), path)) != path:
            elsewhere.setdefault(first, []).append(f"`{one.name}`")
        else:
            rows.append(f"| `{one.name}` | {default} | {text} |")
    head = ["| Parameter | Default | Meaning |", "|---|---|---|"]
    return "\n".join([*(head if rows else ()), *rows, "", *_as_in(elsewhere)])


def parameters_of(function: Any) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except ValueError:  # of NumPy, without a signature
        return []


def meaning_of(path: str, name: str, docstring: str) -> str:
    """From `parameters.toml`, the longest title first, or else the docstring's own sentence."""
    titles = [title for title, texts in MEANINGS.items() if isinstance(texts, dict)]
    for title in sorted(titles, key=len, reverse=True):
        if f"{path}.".startswith(f"{title}.") and name in MEANINGS[title]:
            return str(MEANINGS[title][name])
    if isinstance(MEANINGS.get(name), str):
        return str(MEANINGS[name])
    declared = PARAMETERS[name].meaning("`{}`".format) if name in PARAMETERS else ""
    if name in MEANINGS["declared"]:
        return declared
    prose = [text for text in re.split(r"\n\s*\n", docstring) if not text.startswith(">>>")]
    sentences = re.split(r"(?<=[.;:]) (?=[A-Z`])", re.sub(r"\s+", " ", " ".join(prose)))
    own = (one for one in sentences if re.search(rf"``{name}(``|=)", one))
    return next(own, declared)


def _object(kind: str, signature: str, *inside: str) -> str:
    """A fence of Sphinx's Python domain, longer than those inside."""
    body = "\n".join(inside)
    fence = "`" * (max(map(len, re.findall("^`{3,}", body, re.MULTILINE)), default=2) + 1)
    return f"\n{fence}{{py:{kind}}} {signature}\n{body}\n{fence}\n"


def _used_in(path: str) -> str:
    """The pages whose examples use a name, by a link each."""
    used = re.compile(rf"(?<![\w.]){re.escape(path)}(?![\w.])")
    links = [f"[{title}](/{page})" for page, title, code in _examples() if used.search(code)]
    return f"Examples: {', '.join(links[:6])}\n" if links else ""


@functools.cache
def _examples() -> list[tuple[str, str, str]]:
    """Each page that has examples: its file, its title, its code."""
    folder = Path(__file__).parent
    found = []
    for file in sorted(folder.rglob("*.md")):
        text = file.read_text("utf-8")
        code = "\n".join(re.findall(r"^(?:>>>|\.\.\.) (.*)", text, re.MULTILINE))
        title = text.partition("\n")[0].removeprefix("# ")
        found.append((file.relative_to(folder).as_posix(), title, code))
    return found


def _call(path: str, value: Any) -> str:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return path
    if inspect.isclass(value):
        signature = signature.replace(return_annotation=inspect.Signature.empty)
    marks: list[str] = []
    kinds = inspect.Parameter
    before = None
    for parameter in signature.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if inspect.isclass(value):
            bare, _ = _marked(value, parameter.name, parameter.annotation)
            parameter = parameter.replace(annotation=bare)
        if before is kinds.POSITIONAL_ONLY and parameter.kind is not before:
            marks.append("/")
        if parameter.kind is kinds.KEYWORD_ONLY and before not in (
            kinds.KEYWORD_ONLY,
            kinds.VAR_POSITIONAL,
        ):
            marks.append("*")
        marks.append(str(parameter.replace(annotation=_named(parameter.annotation))))
        before = parameter.kind
    if before is kinds.POSITIONAL_ONLY:
        marks.append("/")
    result = signature.return_annotation
    arrow = "" if result is inspect.Signature.empty else f" -> {_named(result)}"
    inside = [_unquoted(mark).replace(": Any", "", 1) for mark in marks]
    inside = [re.sub(r"^(\w+) = ", r"\1=", mark) for mark in inside]
    return f"{path}({', '.join(inside)}){arrow}"


def _marked(value: Any, name: str, text: Any) -> tuple[Any, str]:
    """A type without the marks that are for the JSON Schema, and the words among them."""
    try:
        hint = typing.get_type_hints(value, include_extras=True)[name]
        marks, bare = hint.__metadata__, hint.__origin__
    except (AttributeError, KeyError, NameError):
        return text, ""
    text = re.sub(r"\b(\w+\.)+(?=\w)", "", bare.__name__ if type(bare) is type else str(bare))
    text = re.sub(r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(\w+)\]\]", r"NDArray[\1]", text)
    return text, f". {marks[-1]}" if isinstance(marks[-1], str) else ""


def _named(annotation: Any) -> Any:
    """Annotations are text in this package; what is a class after all goes by its name."""
    if inspect.isclass(annotation) and annotation is not inspect.Signature.empty:
        return annotation.__name__
    return annotation


def _unquoted(text: str) -> str:
    """A parameter without the quotes around its annotation and without places in memory."""
    text = re.sub(r"^([\w*]+): (['\"])(.*?)\2(?= = |$)", r"\1: \3", text)
    text = text.replace("_FLOATS", "NDArray[np.float64]")
    return re.sub(r"<(?:factory|function (\w+) at [^>]*|\w+ object at [^>]*)>", r"\1...", text)


def _members(path: str, cls: type, told: Told) -> str:
    lines, elsewhere = [], dict[str, list[str]]()
    if dataclasses.is_dataclass(cls):
        names = [one for one in dataclasses.fields(cls) if not one.name.startswith("_")]
        for one in names:
            kind, words = _marked(cls, one.name, one.type)
            lines.append(f"- `{one.name}`: `{_unquoted(str(kind))}`{words}")
        if names:
            lines = ["Fields\n", *lines, ""]
    for name, value in sorted(inspect.getmembers_static(cls)):
        owner = next((c for c in cls.__mro__ if name in vars(c)), cls)
        if name.startswith("_") or not owner.__module__.startswith("rocsolid"):
            continue
        own = inspect.getdoc(value) or ""
        if own and (first := told.setdefault((name, own), path)) != path:
            elsewhere.setdefault(first, []).append(f"`{name}`")
            continue
        if isinstance(value, property):
            result = inspect.signature(value.fget).return_annotation if value.fget else ""
            result, _ = _marked(value.fget, "return", result)
            lines.append(_object("property", name, f":type: {_named(result)}\n", _text(own)))
        elif isinstance(value, (types.FunctionType, classmethod, staticmethod)):
            bare = value if isinstance(value, types.FunctionType) else value.__func__
            lines.append(_object("method", _call(name, bare), _text(own)))
    return "\n".join([*lines, "", *_as_in(elsewhere)])


def _text(docstring: str) -> str:
    """A docstring as Markdown: examples in blocks, `<` as a sign, documents with their link."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", docstring):
        if paragraph.lstrip().startswith(">>>"):
            parts.append(f"```python\n{paragraph}\n```")
            continue
        if paragraph.startswith("    "):  # a formula that stands by itself
            parts.append(paragraph)
            continue
        pieces = re.split(r"(``.*?``|`.*?`)", paragraph, flags=re.DOTALL)
        pieces[::2] = [
            re.sub(r"seed (?:document )?(\d{3})", r"[document \1](/theorems/index.md)", piece)
            .replace("<", "&lt;")
            .replace("*", r"\*")
            for piece in pieces[::2]
        ]
        parts.append("".join(pieces))
    return "\n\n".join(parts) + "\n"


def _is_ours(value: Any) -> bool:
    """Whether it is an object of a class of this package, whose documentation says what it is."""
    return not inspect.isclass(value) and type(value).__module__.startswith("rocsolid.")


def _first_sentence(value: Any) -> str:
    value = type(value) if _is_ours(value) else value
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return ""
    first = (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")
    return _text(first).strip().replace("|", r"\|")


def _plain(value: Any) -> str:
    return repr(value).replace("typing.", "")


def _command_line() -> str:
    """The help of every command, an option that several have with the first of them."""
    text = app.generate_docs(output_format="markdown")
    body = text[text.index("\n## ") :].replace("## Table of Contents\n", "", 1)
    body = re.sub(r"^rocsolid (.+) \1(?= |$)", r"rocsolid \1", body, flags=re.MULTILINE)
    first: dict[str, str] = {}
    commands = re.split(r"^(?=#+ rocsolid )", body, flags=re.MULTILINE)
    return (
        "# Command line\n\nExit codes: 0 all is well, 1 a finding that the command was asked to "
        "fail on, 2 the input or the command cannot be used.\n"
        + "".join(_command(command, first) for command in commands)
    )


_OPTION = re.compile(r"^\* `(--[^`]*)`: .*\n(?: .*\n)*", re.MULTILINE)


def _command(text: str, first: dict[str, str]) -> str:
    """A command without the options that an earlier one explains in the same words."""
    name = text.partition("\n")[0].lstrip("# ")
    elsewhere: dict[str, list[str]] = {}

    def shown(option: re.Match[str]) -> str:
        command = first.setdefault(option[0], name)
        if command == name:
            return option[0]
        elsewhere.setdefault(command, []).append(f"`{option[1].split()[0].rstrip(',')}`")
        return ""

    text = _OPTION.sub(shown, text)
    text = re.sub(r"^\*\*[^*\n]+\*\*:\n\n(?!\*)", "", text, flags=re.MULTILINE)
    lines = [
        f"As in [`{command.removeprefix('rocsolid ')}`](#{command.replace(' ', '-')}): "
        f"{', '.join(names)}.\n\n"
        for command, names in elsewhere.items()
    ]
    return text.rstrip("\n") + "\n\n" + "".join(lines)

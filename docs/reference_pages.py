"""The reference, written by the code itself while the site is built: each public name, each option.

The pages are made from signatures and docstrings, whose examples the tests run where they stand.
"""

from __future__ import annotations

import collections
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
    written = {"command-line": _command_line(), "parameters": _shared_parameters()}
    for name, (title, members, about) in sections().items():
        told: Told = {}
        parts = [f"# {title}\n", about, *(_entry(path, value, told) for path, value in members)]
        written[name] = "\n".join(parts)
    return written


Told = dict[tuple[str, ...], str]
"""A name with its description on this page -> the first entry with this description."""

LINKS: dict[str, dict[str, str]] = {}
"""Function -> the address of the description of each parameter that its entry does not repeat."""


def _shared_parameters() -> str:
    """The page of the parameters that many functions have."""
    lines = [
        "# Parameters\n",
        "Parameters with one meaning in every function. In the signature of a function, each "
        "parameter links to its description.\n",
    ]
    lines += [_item(name, name, kind, text) for name, (kind, text) in sorted(_shared().items())]
    return "\n".join(lines) + "\n"


@functools.cache
def _shared() -> dict[str, tuple[str, str]]:
    """Parameter -> its most frequent type and its meaning, unless functions define their own."""
    kinds: dict[str, collections.Counter[str]] = {}
    texts: dict[str, str] = {}
    for _, members, _ in sections().values():
        for path, value in members:
            for one in parameters_of(value) if isinstance(value, types.FunctionType) else ():
                if text := shared_meaning(path, one.name):
                    kinds.setdefault(one.name, collections.Counter())[_kind(one)] += 1
                    texts[one.name] = text
    return {name: (kinds[name].most_common(1)[0][0], text) for name, text in texts.items()}


def _kind(parameter: inspect.Parameter) -> str:
    """The type in a signature; empty where any object is accepted."""
    if parameter.annotation in (parameter.empty, "Any"):
        return ""
    return str(_named(parameter.annotation)).replace("_FLOATS", "NDArray[np.float64]")


def _item(anchor: str, name: str, kind: str, meaning: str) -> str:
    """A parameter, field, property or method in a list."""
    text = _text(meaning).strip().replace("\n", " ")
    signature = f"{name}: {kind}" if kind else name
    return f'- <span id="{anchor}"></span>`{signature}`{": " * bool(text)}{text}'


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
    """Every name, by page."""
    lines = []
    for page, (title, members, _) in sections().items():
        names = ", ".join(f"{{py:obj}}`{path.split('.')[-1]} <{path}>`" for path, _ in members)
        lines.append(f"\n[{title}](/reference/{page}.md): {names}\n")
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
        made = _call(path, value) if _is_made_by_hand(path) else path
        return _object("class", made, about, used, _members(path, value, told))
    parameters = _parameters(path, value, told)
    return _object("function", _call(path, value), about, parameters, used)


def _parameters(path: str, function: Any, told: Told) -> str:
    """A list of the parameters that neither the page nor the page of parameters describes yet."""
    rows = []
    docstring = re.sub(r"\s+", " ", inspect.getdoc(function) or "")
    links = LINKS.setdefault(path, {})
    for one in parameters_of(function):
        if shared_meaning(path, one.name):
            links[one.name] = f"parameters.html#{one.name}"
            continue
        meaning = meaning_of(path, one.name, inspect.getdoc(function) or "")
        if meaning and meaning in docstring:
            continue
        own, kind = f"{path}-{one.name}", _kind(one)
        first = told.setdefault((one.name, kind, meaning), own)
        links[one.name] = f"#{first}"
        if first == own:
            rows.append(_item(own, one.name, kind, meaning))
    return "\n".join([*rows, ""])


def parameters_of(function: Any) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except ValueError:  # of NumPy, without a signature
        return []


def _section_of(path: str, name: str) -> str:
    """The longest title in `parameters.toml` that applies to the function and has the name."""
    titles = [title for title, texts in MEANINGS.items() if isinstance(texts, dict)]
    fits = (one for one in titles if f"{path}.".startswith(f"{one}.") and name in MEANINGS[one])
    return max(fits, key=len, default="")


def shared_meaning(path: str, name: str) -> str:
    """The meaning that the parameter has in every function; empty if this function has its own."""
    if _section_of(path, name):
        return ""
    if isinstance(MEANINGS.get(name), str):
        return str(MEANINGS[name])
    return PARAMETERS[name].meaning("`{}`".format) if name in MEANINGS["declared"] else ""


def meaning_of(path: str, name: str, docstring: str) -> str:
    """From `parameters.toml`, or else the docstring's own sentence."""
    if section := _section_of(path, name):
        return str(MEANINGS[section][name])
    if shared := shared_meaning(path, name):
        return shared
    declared = PARAMETERS[name].meaning("`{}`".format) if name in PARAMETERS else ""
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
        kind = parameter.empty if _is_described(path, parameter) else _named(parameter.annotation)
        marks.append(str(parameter.replace(annotation=kind)))
        before = parameter.kind
    if before is kinds.POSITIONAL_ONLY:
        marks.append("/")
    result = signature.return_annotation
    arrow = "" if result is inspect.Signature.empty else f" -> {_named(result)}"
    inside = [_unquoted(mark).replace(": Any", "", 1) for mark in marks]
    inside = [re.sub(r"^(\w+) = ", r"\1=", mark) for mark in inside]
    return f"{path}({', '.join(inside)}){arrow}"


def _is_described(path: str, parameter: inspect.Parameter) -> bool:
    """Whether the description that the parameter links to has its type."""
    link = LINKS.get(path, {}).get(parameter.name, "")
    return link.startswith("#") or bool(link and _shared()[parameter.name][0] == _kind(parameter))


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
    text = re.sub(r"= (\w+)\((name='\w+', )?\w+=.*\)$", r"= \1(\2...)", text)
    return re.sub(r"<(?:factory|function (\w+) at [^>]*|\w+ object at [^>]*)>", r"\1...", text)


def _members(path: str, cls: type, told: Told) -> str:
    """Fields, properties and methods as a list, with a block for those that have an example."""
    lines, blocks, elsewhere = [], [], []
    signature = _call(path, cls) if _is_made_by_hand(path) else ""
    for one in dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ():
        kind, words = _marked(cls, one.name, one.type)
        field = f"{one.name}: {_unquoted(str(kind))}"
        known = re.search(rf"\b{re.escape(field)}(?=[ ,)])", signature)  # without further words
        if not one.name.startswith("_") and (words or not known):
            lines.append(f"- `{field}`{words}")
    for name, value in sorted(inspect.getmembers_static(cls)):
        if isinstance(value, functools.cached_property):
            value = property(value.func)
        described = isinstance(value, (property, types.FunctionType, classmethod, staticmethod))
        owner = next((c for c in cls.__mro__ if name in vars(c)), cls)
        ours = owner.__module__.startswith("rocsolid")
        if name.startswith("_") or not ours or not described:
            continue
        own = inspect.getdoc(value) or ""
        if isinstance(value, property):
            result = inspect.signature(value.fget).return_annotation if value.fget else ""
            kind, result = "property", _named(_marked(value.fget, "return", result)[0])
            call, inside = f"{name}: {result}", f":type: {result}\n"
        else:
            bare = value if isinstance(value, types.FunctionType) else value.__func__
            kind, call, inside = "method", _call(name, bare), ""
        if (first := told.setdefault((name, own or call), path)) != path:
            elsewhere.append(f'<a href="#{first}.{name}"><code>{name}</code></a>')
            continue
        if "\n\n" in own:
            title = name if kind == "property" else call
            blocks.append(_object(kind, title, inside, _text(own)))
        else:
            lines.append(_item(f"{path}.{name}", call, "", own))
    also = f"Also {', '.join(elsewhere)}.\n" if elsewhere else ""
    return "\n".join(["", *lines, "", *blocks, "", also])


def fields_of_results() -> set[tuple[str, str]]:
    """The name and the meaning of each field that the page of results describes."""
    return {
        (one.name, _marked(cls, one.name, one.type)[1].removeprefix(". "))
        for _, cls in sections()["results"][1]
        for one in (dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ())
    }


def _is_made_by_hand(path: str) -> bool:
    return path.startswith("rs.") and ".results." not in path


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


def _plain(value: Any) -> str:
    return repr(value).replace("typing.", "")


def _command_line() -> str:
    """The help of every command, an option that several have with the first of them."""
    text = app.generate_docs(output_format="markdown")
    body = text[text.index("\n## ") :].replace("## Table of Contents\n", "", 1)
    body = re.sub(r"^rocsolid (.+) \1(?= |$)", r"rocsolid \1", body, flags=re.MULTILINE)
    body = body.replace(" *[default: False]*", "")
    body = re.sub(r"^(?: *- \[.*\n)+", "", body, count=1, flags=re.MULTILINE)  # beside the page
    body = re.sub(r"^(\* \[`[^`]+`\]\(#[\w-]+\)): .*", r"\1", body, flags=re.MULTILINE)
    first: dict[str, str] = {}
    commands = re.split(r"^(?=#+ rocsolid )", body, flags=re.MULTILINE)
    return (
        "# Command line\n\nExit codes: 0 all is well, 1 a finding that the command was asked to "
        "fail on, 2 the input or the command cannot be used.\n\nOptions without a value are off "
        "by default. An argument or option after *Also* links to the command that describes it.\n"
        + "".join(_command(command, first) for command in commands)
    )


_OPTION = re.compile(r"^\* `([^`]*)`: .*\n(?: .*\n)*", re.MULTILINE)


def _command(text: str, first: dict[str, str]) -> str:
    """A command without the arguments and options that an earlier one explains alike."""
    name = text.partition("\n")[0].lstrip("# ")
    elsewhere: list[str] = []

    def shown(option: re.Match[str]) -> str:
        command = first.setdefault(option[0], name)
        if command == name:
            return option[0]
        elsewhere.append(f"[`{option[1].split()[0].rstrip(',')}`](#{command.replace(' ', '-')})")
        return ""

    text = _OPTION.sub(shown, text)
    text = re.sub(r"^\*\*[^*\n]+\*\*:\n\n(?!\*)", "", text, flags=re.MULTILINE)
    also = f"Also {', '.join(elsewhere)}.\n\n" if elsewhere else ""
    return text.rstrip("\n") + "\n\n" + also

"""The reference, written by the code itself while mkdocs builds: each public name, each option.

A hook of mkdocs (``hooks`` in mkdocs.yml). Nothing is written to disk: the pages exist in the built
site only, made from signatures and docstrings, whose examples the tests run where they stand.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import types
from collections.abc import Iterator
from typing import Any

from markdown.extensions.toc import slugify
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import rocsolid
from rocsolid.cli.app import app

SECTION = "Reference"
GROUPS = {  # the package that a name of `rocsolid` comes from -> its page
    "binary": ("two-classes", "Scores of two classes"),
    "summaries": ("two-classes", "Scores of two classes"),
    "graded": ("ranked-documents", "Ranked documents"),
    "discounts": ("ranked-documents", "Ranked documents"),
    "inputs": ("ranked-documents", "Ranked documents"),
    "comparison": ("comparing", "Comparing"),
    "citations": ("results", "Results and errors"),
    "results": ("results", "Results and errors"),
    "errors": ("results", "Results and errors"),
}
OTHERS = ("tables", "Tables, pages and files")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The pages of the reference go where the navigation has its heading."""
    listed = [{title: f"reference/{name}.md"} for name, (title, _) in pages().items()]
    for entry in config.nav or []:
        if SECTION in entry:
            entry[SECTION] = listed
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """doctest wants an empty line between an output and the end of its block; no reader does."""
    return re.sub(r"\n\n```$", "\n```", markdown, flags=re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, (_, text) in pages().items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


@functools.cache
def pages() -> dict[str, tuple[str, str]]:
    """Title and Markdown of every page, by its name."""
    found: dict[str, tuple[str, str]] = {}
    index = ["# Reference\n", "`import rocsolid as rs`; the [command line](command-line.md) too.\n"]
    for name, (title, members, about) in sections().items():
        parts = [f"# {title}\n", about, *(_entry(path, value) for path, value in members)]
        found[name] = (title, "\n".join(parts))
        index += [f"\n## {title}\n", "| | |", "|---|---|"]
        index += [
            f"| [`{path}`]({name}.md#{slugify(path, '-')}) | {_first_sentence(value)} |"
            for path, value in members
        ]
    command_line = ("Command line", _command_line())
    return {"index": ("Overview", "\n".join(index)), "command-line": command_line, **found}


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


def _entry(path: str, value: Any) -> str:
    """A name: how it is called, what it says of itself, and for a class what it holds."""
    lines = [f"\n## {path}\n"]
    if inspect.isclass(value) or inspect.isroutine(value):
        lines += ["```python", _call(path, value), "```\n", _text(inspect.getdoc(value) or "")]
    else:  # a constant, or the name of a type
        lines += ["```python", f"{path} = {_plain(value)}", "```\n"]
    if inspect.isclass(value):
        lines.append(_members(value))
    return "\n".join(lines)


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
    inside = [_unquoted(mark) for mark in marks]
    text = f"{path}({', '.join(inside)}){arrow}"
    if len(text) > 88:
        text = f"{path}(\n" + "".join(f"    {one},\n" for one in inside) + f"){arrow}"
    return text


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


def _members(cls: type) -> str:
    lines = []
    if dataclasses.is_dataclass(cls):
        names = [one for one in dataclasses.fields(cls) if not one.name.startswith("_")]
        lines += [f"- `{one.name}`: `{_unquoted(str(one.type))}`" for one in names]
        if names:
            lines = ["Fields\n", *lines, ""]
    for name, value in sorted(inspect.getmembers_static(cls)):
        owner = next((c for c in cls.__mro__ if name in vars(c)), cls)
        if name.startswith("_") or not owner.__module__.startswith("rocsolid"):
            continue
        if isinstance(value, property):
            result = inspect.signature(value.fget).return_annotation if value.fget else ""
            lines += [f"\n### {cls.__name__}.{name}\n", f"`{_named(result)}`\n"]
            lines.append(_text(inspect.getdoc(value) or ""))
        elif isinstance(value, (types.FunctionType, classmethod, staticmethod)):
            bare = value if isinstance(value, types.FunctionType) else value.__func__
            call = _call(f"{cls.__name__}.{name}", bare)
            lines += [f"\n### {cls.__name__}.{name}\n", "```python", call, "```\n"]
            lines.append(_text(inspect.getdoc(bare) or ""))
    return "\n".join(lines)


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
            re.sub(r"seed (?:document )?(\d{3})", r"[document \1](../sources.md)", piece)
            .replace("<", "&lt;")
            .replace("*", r"\*")
            for piece in pieces[::2]
        ]
        parts.append("".join(pieces))
    return "\n\n".join(parts) + "\n"


def _first_sentence(value: Any) -> str:
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return ""
    first = (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")
    return _text(first).strip().replace("|", r"\|")


def _plain(value: Any) -> str:
    return repr(value).replace("typing.", "")


def _command_line() -> str:
    """The help of every command, without the text for a terminal."""
    text = app.generate_docs(output_format="markdown")
    body = text[text.index("\n## ") :].replace("## Table of Contents\n", "", 1)
    return (
        "# Command line\n\nExit codes: 0 all is well, 1 a finding that the command was asked to "
        "fail on, 2 the input or the command cannot be used.\n" + body
    )

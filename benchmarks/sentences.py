"""Draw sentences that a reader meets, to be marked by somebody who does not know the code.

    python benchmarks/sentences.py 200 --seed 7
    python benchmarks/sentences.py 160 --seed 7 --blind key.json

An equal share comes from each of four sources: the README, the pages, the docstrings, and the
strings that the program prints. Each line has a number, the source and the sentence alone. Mark a
sentence that a native technical editor would change, and divide by the number of sentences.

``--blind`` mixes docstrings and printed strings with as many from installed peers. The lines
have no source, and the file has the source and the package of each, so that the editor cannot know
whose sentence it is. The share marked among the peers says how strict the editor is.
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib.util
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FEWEST_WORDS = {"README": 4, "page": 4, "docstring": 4, "printed": 8}
PEERS = ("sklearn.metrics", "sklearn.model_selection", "scipy.stats", "pandas.core", "narwhals")
SECTION = re.compile(
    r"\n\s*(?:Parameters|Arguments|Returns|Attributes|See Also|References|Examples)"
    r"(?::\s*\n|\n\s*-+\n)"
)


@functools.cache
def sentences() -> dict[str, list[str]]:
    """Every sentence by its source, in the order of files."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    files = [path for path in sorted((ROOT / "src").rglob("*.py")) if "citations" not in path.parts]
    texts = {
        "README": [prose((ROOT / "README.md").read_text("utf-8"))],
        "page": [prose(page.read_text("utf-8")) for page in pages],
        **texts_of(files),
    }
    return split_texts(texts)


@functools.cache
def sentences_of_peers() -> dict[str, list[str]]:
    """The docstrings and strings of installed peers, without their lists of parameters."""
    names = [spec.origin for peer in PEERS if (spec := importlib.util.find_spec(peer))]
    files = [path for name in names if name for path in sorted(Path(name).parent.glob("*.py"))]
    return split_texts(texts_of(files))


def texts_of(files: list[Path]) -> dict[str, list[str]]:
    modules = [ast.parse(path.read_text("utf-8")) for path in files]
    docstrings = [text for module in modules for text in docstrings_of(module)]
    return {
        "docstring": [prose(SECTION.split(text)[0]) for text in docstrings],
        "printed": [text for module in modules for text in strings_of(module)],
    }


def split_texts(texts: dict[str, list[str]]) -> dict[str, list[str]]:
    """The sentences that are long enough to judge."""
    return {
        source: [
            sentence
            for text in texts_of_source
            for sentence in split(text)
            if len(sentence.split()) >= FEWEST_WORDS[source]
            and not re.match(r"SELECT |CREATE |INSERT |UPDATE |Checked: |Parameters -", sentence)
        ]
        for source, texts_of_source in texts.items()
    }


def prose(text: str) -> str:
    """Markdown or a docstring without code, examples, tables, headings, pictures and links."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    blocks = re.split(r"\n\s*\n", text)
    kept = [block for block in blocks if not re.match(r"\s*(#|\||>>>|:::|-{3}|<)|    ", block)]
    return "\n\n".join(re.sub(r"^\s*(?:[-*]|\d+\.) ", "\n\n", block, flags=re.M) for block in kept)


def split(text: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", text):
        flat = " ".join(block.split())
        yield from filter(None, re.split(r"(?<=[.!?]) (?=[A-Z*`\"])", flat))


def docstrings_of(module: ast.Module) -> Iterator[str]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(module):
        if isinstance(node, kinds) and (text := ast.get_docstring(node)):
            yield text


def strings_of(module: ast.Module) -> Iterator[str]:
    """Strings with what they are filled with as …; no docstrings, nothing inside another string."""
    inside = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr) and id(node) not in inside:
            inside |= {id(part) for part in node.values}
            pieces = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            yield "".join(map(str, pieces))
    for node in ast.walk(module):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
        ):
            yield node.value


def drawn(number: int, seed: int) -> list[tuple[str, str]]:
    """As many from each source, or all that a source has."""
    rng = random.Random(seed)
    known = sentences()
    each = -(-number // len(known))
    lines = [
        (source, sentence)
        for source, found in known.items()
        for sentence in rng.sample(found, min(each, len(found)))
    ]
    rng.shuffle(lines)
    return lines[:number]


def drawn_blind(number: int, seed: int) -> list[tuple[str, str, str]]:
    """An equal number from rocsolid and from its peers: source, package, sentence."""
    rng = random.Random(seed)
    lines = [
        (source, package, sentence)
        for package, known in (("rocsolid", sentences()), ("peers", sentences_of_peers()))
        for source in ("docstring", "printed")
        for sentence in rng.sample(known[source], number // 4)
    ]
    rng.shuffle(lines)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("number", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--blind", type=Path, metavar="FILE")
    given = parser.parse_args()
    if given.blind:
        blind = drawn_blind(given.number, given.seed)
        given.blind.write_text(json.dumps([line[:2] for line in blind]))
        for number, (_, _, sentence) in enumerate(blind, 1):
            print(f"{number:4}  {sentence}")
        return
    for number, (source, sentence) in enumerate(drawn(given.number, given.seed), 1):
        print(f"{number:4}  {source:9}  {sentence}")


if __name__ == "__main__":
    main()

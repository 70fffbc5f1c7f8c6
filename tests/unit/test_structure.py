"""How the package is built: what may import what, and what classes are called."""

from __future__ import annotations

import ast
import gc
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from types import FrameType

import pytest

import rocsolid

SOURCE = Path(rocsolid.__file__).parent
SHARED_NAMES = {
    "Answer",  # that about a table; what a defence lets a submission know in rs.leaks
    "Gain",  # what a grade is worth in rs.gains; what guesses can win in rs.leaks
    "Measure",  # what every measure of scores is; a measure on a space in rs.guarantees
}
"""Classes of two modules that go by one name; at most five, each public in one of them."""


def modules(root: Path) -> dict[str, ast.Module]:
    """Every module of a package, by its dotted name."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def nodes(tree: ast.AST) -> list[ast.AST]:
    """All nodes of a tree, walked once: it keeps them, as several tests look through them."""
    if not hasattr(tree, "all_nodes"):
        tree.all_nodes = list(ast.walk(tree))
    return tree.all_nodes


def dotted(node: ast.AST) -> str:
    """A name as it stands in the source, such as ``np.vdot``."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return getattr(node, "id", "")


def imported(tree: ast.Module, known: Collection[str]) -> Iterator[str]:
    """What a module imports anywhere: at its top, inside functions, and for type checks alone."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert node.module is not None
            for inner in (f"{node.module}.{alias.name}" for alias in node.names):
                yield inner if inner in known else node.module


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Every module of rocsolid, read once; they go when these tests are done, as they are large."""
    gc.disable()  # which would look through all nodes again and again, as their number grows
    try:
        return modules(SOURCE)
    finally:
        gc.enable()


def imports(trees: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """Each module of a package with those of the same package that it imports.

    To import ``a.b.c`` is to import ``a`` and ``a.b`` first, unless one stands inside them.
    """
    return {name: {one for target in imported(tree, trees)
                   for one in {target} | above(target) - above(name)} & (trees.keys() - {name})
            for name, tree in trees.items()}  # fmt: skip


def above(name: str) -> set[str]:
    parts = name.split(".")
    return {".".join(parts[:n]) for n in range(1, len(parts))}


def circles(graph: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """Sets of modules each of which reaches all others of its set."""
    left = dict(graph)
    while ends := {name for name, targets in left.items() if not targets & left.keys()}:
        left = {name: targets for name, targets in left.items() if name not in ends}
    reach = {name: reached(left, name) for name in left}
    rings = {frozenset(a for a in reach[name] if name in reach[a]) for name in left}
    return {ring for ring in rings if len(ring) > 1}


def reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        new = (graph[waiting.pop()] & graph.keys()) - seen
        seen |= new
        waiting += new
    return seen


def test_no_modules_import_each_other(trees: Mapping[str, ast.Module]) -> None:
    """Not inside functions either, nor for types alone: what is read below needs nothing above."""
    assert circles(imports(trees)) == set()


def test_a_circle_is_found_wherever_the_import_stands(tmp_path: Path) -> None:
    package = tmp_path / "house"
    (package / "public").mkdir(parents=True)
    for name, text in {
        "__init__": "",
        "page": "from house import result",
        "result": "def to_html():\n    from house.report import render",
        "report": "if TYPE_CHECKING:\n    import house.page",
        "above": "from house.page import page_of",
        "below": "import os",
        "public.__init__": "from house.public.ladder import publish",
        "public.ladder": "from house.tables import rows",
        "public.rounded": "",
        "tables": "from house.public.rounded import outward",
    }.items():
        (package / f"{name.replace('.', '/')}.py").write_text(text)
    assert circles(imports(modules(package))) == {
        frozenset({"house.page", "house.result", "house.report"}),
        frozenset({"house.public", "house.public.ladder", "house.tables"}),
    }


def test_a_class_name_is_used_once(trees: Mapping[str, ast.Module]) -> None:
    """Elsewhere it would be another thing, and whoever reads it has to look up which."""
    defined = Counter(
        node.name
        for tree in trees.values()
        for node in nodes(tree)
        if isinstance(node, ast.ClassDef)
    )
    of_theory = set() if (SOURCE / "theory").exists() else {"Measure"}
    assert {name for name, times in defined.items() if times > 1} == SHARED_NAMES - of_theory
    assert len(SHARED_NAMES) <= 5


MOST = 10
"""Parameters of a function that users do not call: more of them have a name together."""


def verbs(trees: Mapping[str, ast.Module]) -> set[str]:
    """Functions that are commands: each is an interface, whose options are its parameters."""
    named = set()
    for name, tree in trees.items():
        if "cli" not in name.split("."):
            continue
        named.add(name.rpartition(".")[2])
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                if any(".command" in ast.unparse(mark) for mark in node.decorator_list):
                    named.add(node.name)
            elif isinstance(node, ast.Expr) and ".command(" in ast.unparse(node):
                named |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return named


def listed(trees: Mapping[str, ast.Module], module: str) -> set[str]:
    """What the module or a package around it lists as its own."""
    return {
        name
        for around in above(module) | {module}
        for node in trees[around].body
        if isinstance(node, ast.Assign) and dotted(node.targets[0]) == "__all__"
        for name in ast.literal_eval(node.value)
    }


def crowded(trees: Mapping[str, ast.Module]) -> set[str]:
    """Functions of more than ten parameters that users do not call, methods of theirs too."""
    found, commands = set(), verbs(trees)
    for name, tree in trees.items():
        long = {node for node in nodes(tree)
                if isinstance(node, ast.FunctionDef) and parameters(node) > MOST}  # fmt: skip
        if long:
            known = listed(trees, name) | (commands if "cli" in name.split(".") else set())
            hidden = [node for node in tree.body if getattr(node, "name", "") not in known]
            inside = {node for outer in hidden for node in ast.walk(outer)}
            found |= {f"{name}.{node.name}" for node in long & inside}
    return found


def parameters(function: ast.FunctionDef) -> int:
    own = function.args
    every = [*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg]
    names = [one.arg for one in every if one is not None]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def test_only_what_users_call_has_more_than_ten_parameters(trees: Mapping[str, ast.Module]) -> None:
    """`rocsolid.compare` has twenty, which a reader looks up; inside they travel in groups."""
    assert crowded(trees) == set()


def test_a_crowded_function_is_found_wherever_it_stands() -> None:
    many = ", ".join("abcdefghijk")
    house = {
        "house": f"__all__ = ['shown']\ndef shown({many}): ...\ndef hidden({many}): ...",
        "house.cli": "",
        "house.cli.verb": f"def verb({many}): ...\ndef helper({many}): ...",
        "house.room": f"def shown({many}): ...\nclass Room:\n    def of(cls, {many}): ...",
        "house.small": f"class Room:\n    def of(cls, {many[:-3]}): ...",
        "house.words": f"def words(*, {many[:-3]}, **rest): ...",
    }
    found = crowded({name: ast.parse(text) for name, text in house.items()})
    assert found == {"house.hidden", "house.cli.verb.helper", "house.room.of", "house.words.words"}


VAGUE = {"at", "asked", "found", "it", "one", "other", "part", "said"}
"""Names that do not say what they hold."""

SPELLED_OUT = {
    "answer", "binary", "board", "certificates", "citations", "cli", "comparison", "discounts",
    "engines", "evaluation", "gains", "gating", "graded", "inputs", "intervals", "leaks",
    "measures", "pictures", "plan", "plots", "remarks", "report", "results", "sklearn", "summaries",
    "theory", "weights",
    *(file.stem for file in SOURCE.glob("*.py")),
}  # fmt: skip
"""The packages without a vague name that lives longer than five lines."""


def vague(trees: Mapping[str, ast.Module]) -> set[str]:
    """Vague names of functions that live longer than five lines; ``other`` may be an operand."""
    return {
        f"{module}.{node.name}: {name}"
        for module, tree in trees.items()
        for node in nodes(tree)
        if isinstance(node, ast.FunctionDef)
        for name, lines in lines_of_names(node).items()
        if name in VAGUE - ({"other"} if node.name.startswith("__") else set())
        and max(lines) - min(lines) > 5
    }


def lines_of_names(function: ast.FunctionDef) -> Mapping[str, list[int]]:
    lines = defaultdict(list)
    for node in ast.walk(function):
        if isinstance(node, (ast.Name, ast.arg)):
            lines[node.id if isinstance(node, ast.Name) else node.arg].append(node.lineno)
    return lines


def test_names_that_live_long_say_what_they_hold(trees: Mapping[str, ast.Module]) -> None:
    spelled_out = {name: tree for name, tree in trees.items()
                   if SPELLED_OUT.intersection(name.split(".")[1:2])}  # fmt: skip
    assert vague(spelled_out) == set()


def test_a_vague_name_is_found_where_it_lives_long() -> None:
    lines = "\n".join(["    pass"] * 5)
    house = {
        "a": f"def long(found):\n{lines}\n    return found",
        "b": "def short(found):\n    return found",
        "c": f"def __add__(self, other):\n{lines}\n    return other",
    }
    assert vague({name: ast.parse(text) for name, text in house.items()}) == {"a.long: found"}


MATRICES = {
    "binary.multiclass_auc", "comparison.adjust", "comparison.heterogeneity", "comparison.omnibus",
    "intervals.guarantees.won_pairs", "plan.more_rows", "plan.rankings", "plan.variances",
    "summaries.products", "weights.probing",
}  # fmt: skip
"""The modules that multiply matrices of scores, pairs, classes or nodes, or of whole numbers."""
APART = {"leaks", "theory", "evaluation.public"}
"""The packages that multiply others: no estimate or comparison of scores rests on them."""


def multiplying(trees: Mapping[str, ast.Module]) -> set[str]:
    """The modules with a product that BLAS may spread over threads."""
    return {
        module for module, tree in trees.items() for node in nodes(tree)
        if isinstance(node, ast.MatMult)
        or (isinstance(node, ast.Attribute)
            and dotted(node) in {"np.matmul", "np.vdot", "np.inner", "np.tensordot"})
    }  # fmt: skip


def test_sums_over_rows_stay_in_one_thread(trees: Mapping[str, ast.Module]) -> None:
    multiply = {name.removeprefix("rocsolid.") for name in multiplying(trees)}
    assert {name for name in multiply if not above(name) & APART} == MATRICES


def test_a_product_is_found_wherever_it_stands() -> None:
    house = {"a": "def f(x): return x @ x", "b": "y @= x", "c": "np.vdot(x, x)", "d": "dot(x, x)"}
    assert multiplying({name: ast.parse(text) for name, text in house.items()}) == set("abc")


COMPARISONS = {"Comparison", "QueryComparison", "FoldedComparison"}


def constructed(trees: Mapping[str, ast.Module], names: set[str]) -> set[str]:
    """The modules that call one of these classes, or make it from another one of its objects."""
    return {
        module
        for module, tree in trees.items()
        for node in nodes(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    }


def passed_on(trees: Mapping[str, ast.Module], names: set[str]) -> set[str]:
    """The modules that hand one of these classes to a function as its ``result``."""
    return {
        module
        for module, tree in trees.items()
        for node in nodes(tree)
        if isinstance(node, ast.keyword)
        and node.arg == "result"
        and ast.unparse(node.value) in names
    }


def test_one_function_builds_every_comparison(trees: Mapping[str, ast.Module]) -> None:
    """Rows, queries, outcomes, classes and learners: `comparison_of` tests and assembles all."""
    assert constructed(trees, COMPARISONS) == set()
    assert passed_on(trees, COMPARISONS) == {
        "rocsolid.comparison.cross_validated",
        "rocsolid.comparison.queries.compare_queries",
    }
    builders = {
        module
        for module, tree in trees.items()
        for node in nodes(tree)
        if isinstance(node, ast.Call) and dotted(node.func) == "result"
    }
    assert builders == {"rocsolid.comparison.build"}


def test_one_function_leads_from_a_measure_to_its_tests(trees: Mapping[str, ast.Module]) -> None:
    """Rows, outcomes, classes, folds and units alike; an engine that keeps the rows gives sums.

    Swapped halves of the queries are means without tests.
    """
    kinds = {"ComparedRows", "ComparedAverages", "ComparedLearners", "Systems"}
    makers = {
        module
        for module, tree in trees.items()
        for node in nodes(tree)
        if isinstance(node, ast.Call)
        if dotted(node.func).removesuffix(".of") in kinds
    }
    assert makers == {
        "rocsolid.comparison.options",
        "rocsolid.comparison.of_summaries",
        "rocsolid.comparison.queries.discriminative_power",
    }


def test_one_function_builds_every_estimate(trees: Mapping[str, ast.Module]) -> None:
    """A measure gives what is its own, `estimated` the rest; other kinds extend an estimate.

    A confidence sequence, which no measure is read for, has the only other one.
    """
    kinds = {"Estimate", "FoldedEstimate", "ProxiedEstimate"}
    assert constructed(trees, kinds) == {
        "rocsolid.binary.estimate",
        "rocsolid.intervals.guarantees.sequence",
    }


TABLE_RESULTS = {"Answer", "GateDecision"}
"""Results that say themselves in blocks; the bar is the answer, and the gate's decision beside."""


def table_results(trees: Mapping[str, ast.Module]) -> set[str]:
    """Classes with forms made from blocks, and those with a form of a table that is their own."""
    forms = {"to_markdown", "to_latex"}
    return {
        node.name
        for tree in trees.values()
        for node in nodes(tree)
        if isinstance(node, ast.ClassDef)
        if "TextForms" in map(ast.unparse, node.bases)
        or forms & {getattr(one, "name", "") for one in node.body}
    } - {"TextForms"}


def test_one_class_is_the_result_of_every_table(trees: Mapping[str, ast.Module]) -> None:
    assert table_results(trees) == TABLE_RESULTS


def test_a_further_result_of_a_table_is_found() -> None:
    house = {
        "house.a": ast.parse("class Told(TextForms): ..."),
        "house.b": ast.parse("class Table:\n    def to_latex(self): ..."),
        "house.c": ast.parse("class Value:\n    def to_dict(self): ..."),
    }
    assert table_results(house) == {"Told", "Table"}


CONVENTIONS = {"ties", "missing", "empty", "unjudged", "negative", "profile", "relevant"}
"""What may be said of how ranked lists are read."""


def convention_classes(trees: Mapping[str, ast.Module]) -> set[str]:
    """The classes that say, or hold, how ranked lists are read: two of these fields, or more."""
    return {
        node.name
        for tree in trees.values()
        for node in nodes(tree)
        if isinstance(node, ast.ClassDef)
        and len(CONVENTIONS & {one.target.id for one in node.body
                               if isinstance(one, ast.AnnAssign)
                               and isinstance(one.target, ast.Name)}) > 1
    }  # fmt: skip


def test_three_classes_say_how_lists_are_read(trees: Mapping[str, ast.Module]) -> None:
    """One convention, of which every tool's profile is an instance, and its keywords and options.

    What is recorded of queries, of a run and of judged rows is no convention.
    """
    records = {"QueryEstimate", "Audit", "Judged"}
    found = convention_classes(trees) - records
    assert found == {"Profile", "GradedKeywords", "ListOptions"}


def test_a_class_of_conventions_is_found() -> None:
    text = "class Reading(Base):\n    ties: str = 'average'\n    empty: int = 0\n"
    trees = {"a": ast.parse(text), "b": ast.parse("class Row:\n    empty: int = 0\n")}
    assert convention_classes(trees) == {"Reading"}


def entered_by(question: Callable[[], object]) -> Counter[str]:
    """How many functions of each file of the package it calls, once everything is loaded."""
    question()
    entered: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(SOURCE)):
            entered[frame.f_code.co_filename] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        question()
    finally:
        sys.setprofile(before)
    return entered


LABELS = [0, 1] * 300
SCORES = [(389 * i) % 600 + 300 * label for i, label in enumerate(LABELS)]


def test_an_auc_with_its_interval_takes_few_calls() -> None:
    """What every user pays for each number."""
    entered = entered_by(lambda: rocsolid.auc(LABELS, SCORES).low)
    assert sum(entered.values()) <= 150
    assert len(entered) <= 20


def test_a_comparison_enters_few_files() -> None:
    scores = {"a": SCORES, "b": [score % 700 for score in SCORES]}
    entered = entered_by(lambda: rocsolid.compare(LABELS, scores, measure="partial_auc(fpr<=0.1)"))
    assert len(entered) <= 50

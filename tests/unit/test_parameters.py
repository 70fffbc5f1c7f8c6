"""Keywords are declared once: signatures, options and policies cannot drift from that."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import rocsolid as rs
from rocsolid.binary.concordance import concordance
from rocsolid.binary.roc import roc
from rocsolid.certificates import certify
from rocsolid.cli.app import app
from rocsolid.comparison import build
from rocsolid.comparison.adjust import ADJUSTMENTS
from rocsolid.comparison.models import compare
from rocsolid.comparison.queries.compare_queries import TESTS
from rocsolid.evaluation.certify_table import CertifyKeywords, certify_table
from rocsolid.evaluation.curve_table import CurveQuestion, curve_table
from rocsolid.evaluation.evaluate_outcomes import concordance_table
from rocsolid.gating.gate import gate
from rocsolid.gating.policy import Policy
from rocsolid.parameters import (
    PARAMETERS,
    REQUIRED,
    Parameter,
    TestOfQueries,
    keywords_of,
    sorted_keywords,
)

DATA = {"data", "y_true", "y_score", "scorer", "X", "y", "fitted_on", "policy", "question"}
"""What is asked about, which is no keyword."""
QUESTIONS: dict[str, tuple[Callable[..., Any], ...]] = {
    "evaluate": (rs.evaluate,),
    "compare": (compare,),
    "certify": (certify, certify_table),
    "curve": (roc, curve_table, CurveQuestion),
    "concordance": (concordance, concordance_table),
    "gate": (gate,),
}
NARROWER = {"adjust"}
"""Whose choices depend on the kind of sample."""


def literals(annotation: Any) -> tuple[Any, ...]:
    """The choices in a type, however deep.

    >>> literals(list[typing.Literal["a", "b"]] | None)
    ('a', 'b')
    """
    inside = typing.get_args(annotation)
    if typing.get_origin(annotation) is typing.Literal:
        return inside
    return tuple(choice for each in inside for choice in literals(each))


def agree(parameter: Parameter, verb: str, default: Any, annotation: Any) -> None:
    choices = literals(annotation)
    if choices:
        narrow = parameter.name in NARROWER
        assert set(choices) <= set(parameter.choices) if narrow else choices == parameter.choices
    usual = parameter.usual.get(verb, parameter.default)
    if default is inspect.Parameter.empty:
        assert usual is REQUIRED
    elif usual in (None, REQUIRED):  # a flag that is not given, readings that nobody wants
        assert default in (None, False, ())
    else:
        assert default in (usual, None)


@pytest.mark.parametrize(
    ("verb", "function"), [(verb, each) for verb, all_of in QUESTIONS.items() for each in all_of]
)
def test_a_signature_says_what_is_declared(verb: str, function: Callable[..., Any]) -> None:
    function = inspect.unwrap(function)
    hints = typing.get_type_hints(function.__init__ if inspect.isclass(function) else function)
    known = set(PARAMETERS)
    for name, each in inspect.signature(function).parameters.items():
        if each.kind is each.VAR_KEYWORD or name in DATA:
            continue
        if name in ("score", "scores", "outcome") or (function, name) == (certify, "candidates"):
            assert name in known  # arrays in place of columns, and one scorer in place of several
            continue
        agree(PARAMETERS[name], verb, each.default, hints[name])


def options(verb: str) -> Iterator[tuple[str, Any]]:
    for argument in app[verb].assemble_argument_collection(parse_docstring=True):
        output = "Output" in {getattr(group, "name", group) for group in argument.parameter.group}
        if argument.names[0].startswith("--") and not output:
            yield argument.names[0], argument


@pytest.mark.parametrize("verb", QUESTIONS)
def test_an_option_says_what_is_declared(verb: str) -> None:
    for typed, argument in options(verb):
        declared = [each for each in PARAMETERS.values() if each.typed == typed]
        with_words = [each for each in declared if argument.parameter.help == says(each)]
        assert declared, typed
        assert with_words or (verb, typed) == ("evaluate", "--test")  # that of queries alone
        for each in with_words:
            agree(each, verb, argument.field_info.default, argument.hint)


def says(parameter: Parameter) -> str:
    return parameter.meaning(lambda name: PARAMETERS[name].typed)


def test_every_keyword_is_one_of_a_function_or_an_option() -> None:
    """Or it would be declared for nobody."""
    functions = [inspect.unwrap(each) for all_of in QUESTIONS.values() for each in all_of]
    named = {name for each in functions for name in inspect.signature(each).parameters}
    typed = {name for verb in (*QUESTIONS, "runs") for name, _ in options(verb)} | {"--public"}
    output = {
        "plot",
        "public",
        "ledger",
        "id",
        "prior",
        *(name for name in PARAMETERS if name.startswith("max_")),
    }
    of_pairs = build.PairKeywords.__annotations__.keys() | CertifyKeywords.__annotations__.keys()
    for each in PARAMETERS.values():
        used = named | of_pairs | output | {"qrels", "threads", "progress"}
        assert each.name in used or each.typed in typed, each.name


def test_choices_are_those_of_the_tests() -> None:
    assert set(PARAMETERS["adjust"].choices) == {"auto", *ADJUSTMENTS}
    assert typing.get_args(TestOfQueries) == tuple(TESTS)


def test_comparisons_start_from_what_is_declared() -> None:
    """Apart from what the kind of sample decides."""
    decided = {"test", "adjust", "resamples"}
    for name, value in (build.OF_QUERIES | build.OF_ROWS).items():
        assert name in decided or value == PARAMETERS[name].default


def test_a_policy_has_what_is_declared() -> None:
    policy = Policy.read({"label": "ill", "rule": [{"score": "new", "at_least": 0.8}]})
    for name, value in policy.reading.items():
        assert name == "label" or value == PARAMETERS[name].default
    assert policy.level == PARAMETERS["level"].default
    assert policy.seed == PARAMETERS["seed"].default


def test_a_keyword_of_another_kind_is_refused_by_the_nearest_name() -> None:
    with pytest.raises(rs.InputError, match="use 'margin'") as error:
        rs.compare({"y": [0, 1]}, label="y", scores=["a", "b"], margn=0.1)
    assert (error.value.what, error.value.value) == ("unknown keyword", "margn")
    with pytest.raises(rs.InputError, match="use 'band'"):
        rs.curve({"y": [0, 1]}, label="y", scores="a", bnd="dkw")
    with pytest.raises(rs.InputError, match="use 'bound'"):
        rs.certify({"y": [0, 1]}, label="y", scores="a", bond="kl")
    with pytest.raises(rs.InputError, match="unknown keyword: 'resamples'"):
        rs.concordance({"y": [0, 1]}, label="y", scores="a", resamples=9)
    with pytest.raises(rs.InputError, match="paired is for measures of queries: False"):
        rs.compare({"y": [0, 1]}, label="y", scores=["a", "b"], paired=False)


def test_what_is_left_out_is_none() -> None:
    assert sorted_keywords({"doc": None, "ties": "trec"}, keywords_of("lists")) == [
        {"ties": "trec"}
    ]

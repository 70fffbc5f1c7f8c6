"""One table says which options of an evaluation cannot stand beside each other."""

from __future__ import annotations

import pytest

import rocsolid as rs
from rocsolid.cli.app import app, run
from rocsolid.parameters import PAIRS, OptionPair, refuse_pairs

GIVEN = {"check_columns": True}  # of which 0 is the default
NEUTRAL = {"nan": "raise", "interval": "auto", "order": "any"}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.option}-{pair.other}")
def test_a_pair_is_refused_and_names_the_option(pair: OptionPair) -> None:
    given = GIVEN.get(pair.other, 0)
    both = {pair.other: given} if pair.needed else {pair.option: "g", pair.other: given}
    with pytest.raises(rs.InputError) as error:
        refuse_pairs(**both)
    assert error.value.where == pair.other
    assert error.value.fix
    refuse_pairs(**{pair.option: "g"} if pair.needed else {pair.other: given})
    refuse_pairs(**{pair.option: "g", pair.other: NEUTRAL.get(pair.other)})


def test_every_name_is_an_option() -> None:
    """Of a verb that reads the table, so that it cannot fall behind a renamed one."""
    verbs = ("evaluate", "compare")
    options = {
        name
        for verb in verbs
        for argument in app[verb].assemble_argument_collection()
        for name in argument.names
    }
    for pair in PAIRS:
        for name in (pair.option, pair.other):
            typed = {"measures": "measure"}.get(name, name).replace("_", "-")
            assert f"--{typed}" in options


def test_the_command_says_it_as_typed(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["evaluate", "a.csv", "--label", "y", "--score", "s", "--max-exposed", "0"]
    assert run(asked) == 2
    assert "--max-exposed is a limit for what --public makes" in capsys.readouterr().err

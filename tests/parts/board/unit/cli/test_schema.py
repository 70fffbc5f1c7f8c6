"""The schema of a board: whole, and with words for every field."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest

from rocsolid.cli.app import run


def test_the_schema_is_whole_and_says_what_every_field_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["schema", "board"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    needed = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema)))
    assert needed == schema["$defs"].keys()
    waiting: list[Any] = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            for field in value.get("properties", {}).values():
                assert "$ref" in field or "const" in field or field["description"]
            waiting += list(value.values())

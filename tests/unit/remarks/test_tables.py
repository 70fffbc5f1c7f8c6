"""Each check of tables: a result in which it appears, and a like one in which it does not."""

from __future__ import annotations

import pytest

from check_cases import S, T, Y, codes, evaluate

CASES = {
    "ROC401": (
        lambda: evaluate({"y": Y, "s": S, "fold": [i // 20 for i in range(60)]}),
        lambda: evaluate({"y": Y, "s": S}),
    ),
    "ROC402": (
        lambda: evaluate({"y": Y, "oof": S}, scores="oof"),
        lambda: evaluate({"y": Y, "s": S}),
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_it_appears_where_it_should_and_only_there(code: str) -> None:
    there, absent = CASES[code]
    assert code in codes(there())
    assert code not in codes(absent())


def test_segments_and_folds_without_an_estimate_say_so() -> None:
    rows = {"y": Y, "s": S, "t": T, "site": [*[1] * 59, 2]}
    assert "no AUC, " in evaluate(rows, by="site").to_markdown()
    assert "no AUC, " not in evaluate(rows, by="site").without("ROC403").to_markdown()
    across = evaluate(rows, across="site")
    assert "left out, " in across.to_markdown()
    assert "left out, " not in across.without("ROC404").to_markdown()

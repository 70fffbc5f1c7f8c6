"""Table 2 of Agarwal et al. 2005, typed in as printed: upper row, then lower row."""

from __future__ import annotations

from rocsolid.theory.guarantees.rank_matrix import forbidden_submatrices

# a b / c d as "ab/cd"; h is one half
UPPER = "10/01 h0/01 1h/01 10/0h 10/h1 hh/01 h0/0h h0/h1 1h/0h 1h/h1 10/hh 1h/hh h0/hh hh/h1 hh/0h"
LOWER = "01/10 h1/10 0h/10 01/1h 01/h0 hh/10 h1/1h h1/h0 0h/1h 0h/h0 01/hh 0h/hh h1/hh hh/h0 hh/1h"
ENTRY = {"0": 0.0, "h": 0.5, "1": 1.0}


def test_the_derived_matrices_are_those_of_table_2() -> None:
    printed = {
        tuple(tuple(ENTRY[letter] for letter in row) for row in block.split("/"))
        for block in (UPPER + " " + LOWER).split()
    }
    assert len(printed) == 30
    assert set(forbidden_submatrices()) == printed


def test_the_lower_row_of_table_2_is_the_upper_one_turned_around() -> None:
    assert UPPER.translate(str.maketrans("01", "10")) == LOWER

"""Convert data from outside into validated arrays; no other layer validates data."""

from rocsolid.inputs.arrays import check_lengths, column, reverse, scores
from rocsolid.inputs.binary import (
    BinaryRows,
    TextLabel,
    binary_rows,
    pos_label_from_text,
    positives,
    sample_weights,
)
from rocsolid.inputs.groups import codes, combined, plain
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.tables import Table, read_table

__all__ = [
    "ARRAY_ROWS", "BinaryRows", "Rows", "Table", "TextLabel", "binary_rows", "check_lengths",
    "codes", "column", "combined", "plain", "pos_label_from_text", "positives", "read_table",
    "reverse", "sample_weights", "scores",
]  # fmt: skip

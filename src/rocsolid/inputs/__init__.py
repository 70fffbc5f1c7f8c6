"""Data from outside becomes validated arrays; no other layer validates data."""

from rocsolid.inputs.arrays import check_lengths, column
from rocsolid.inputs.binary import BinaryRows, binary_rows
from rocsolid.inputs.groups import codes, combined, plain
from rocsolid.inputs.labels import TextLabel, pos_label_from_text, positives
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.scores import reverse, scores
from rocsolid.inputs.tables import Table, read_table
from rocsolid.inputs.weights import sample_weights

__all__ = [
    "ARRAY_ROWS", "BinaryRows", "Rows", "Table", "TextLabel", "binary_rows", "check_lengths",
    "codes", "column", "combined", "plain", "pos_label_from_text", "positives", "read_table",
    "reverse", "sample_weights", "scores",
]  # fmt: skip

"""Measures of scores: what each is called, reads and means. One file a measure, one row a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsolid.public_names import install_lookup

if TYPE_CHECKING:
    from rocsolid.measures.named import table

__all__ = ["table"]
# loaded when used: no measure needs all the others
install_lookup(__name__, {"table": "rocsolid.measures.named"})

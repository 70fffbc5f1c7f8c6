"""Measures of scores, their names, and the registration of further measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsolid.public_names import homes, install_lookup

if TYPE_CHECKING:
    from rocsolid.inputs.measure_parameters import MeasureParameter
    from rocsolid.measures.binary_measure import ResampledMeasure
    from rocsolid.measures.listed import table
    from rocsolid.measures.named import register

__all__ = ["MeasureParameter", "ResampledMeasure", "register", "table"]
# loaded when used: no measure needs all the others
install_lookup(
    __name__,
    homes(
        {
            "rocsolid.inputs.measure_parameters": "MeasureParameter",
            "rocsolid.measures.binary_measure": "ResampledMeasure",
            "rocsolid.measures.listed": "table",
            "rocsolid.measures.named": "register",
        }
    ),
)

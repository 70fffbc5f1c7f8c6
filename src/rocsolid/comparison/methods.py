"""The tests of a difference by name."""

from __future__ import annotations

from rocsolid.comparison.bootstrap import bootstrap_bca, bootstrap_percentile
from rocsolid.comparison.compared import Test
from rocsolid.comparison.delong import delong
from rocsolid.comparison.delong_t import delong_t
from rocsolid.comparison.permutation import permutation
from rocsolid.comparison.venkatraman import NAME as CURVES
from rocsolid.comparison.venkatraman import venkatraman

# public name -> one function
TESTS: dict[str, Test] = {
    "delong-t": delong_t,
    "delong": delong,
    "bootstrap": bootstrap_percentile,
    "bootstrap-percentile": bootstrap_percentile,
    "bootstrap-bca": bootstrap_bca,
    "permutation": permutation,
    CURVES: venkatraman,
}

"""SVMLight and LETOR files: grades, queries and features of documents."""

from rocsolid.inputs.letor.features import SparseFeatures
from rocsolid.inputs.letor.letor_file import LetorRows, read_letor

__all__ = ["LetorRows", "SparseFeatures", "read_letor"]

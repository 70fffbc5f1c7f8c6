"""SVMLight and LETOR files: grades, queries and features of documents."""

from rocsolid.inputs.letor.letor_file import LetorRows, SparseFeatures, read_letor

__all__ = ["LetorRows", "SparseFeatures", "read_letor"]

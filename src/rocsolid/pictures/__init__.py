"""Pictures as data: marks on axes, drawn by two backends.

A function for each kind converts a result to a `Picture`; `rocsolid.pictures.svg` draws it on
pages and `rocsolid.pictures.matplotlib` on axes. The role of a mark determines its appearance.
"""

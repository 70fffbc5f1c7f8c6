"""Pictures as data: marks on axes, described once for each kind and drawn by two backends.

A function for each kind of picture converts a result to a `Picture`. Two backends draw pictures:
`rocsolid.pictures.svg` for pages and notebooks, `rocsolid.pictures.matplotlib` on axes. The role of
a mark, its class in the style sheet of the pages, determines its appearance.
"""

"""Pictures as data: marks on scales, described once for each kind and drawn by two backends.

A function for each kind of picture makes a `Picture` from a result. `rocsolid.pictures.svg` draws
it for pages and notebooks, `rocsolid.pictures.matplotlib` on axes. What a mark looks like follows
from its role, which is its class in the style sheet of the pages.
"""

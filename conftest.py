"""Load the public packages before pytest collects examples from their files.

pytest imports a file by its path. If that is the first import of its package, it puts the module
over the function of the same name (`rs.leaks.exposure`) that the package had just bound.
"""

from __future__ import annotations

import rocsolid

for name in rocsolid.__all__:
    getattr(rocsolid, name)

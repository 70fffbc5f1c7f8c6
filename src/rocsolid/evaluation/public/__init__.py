"""What may be shown of an evaluation to people who are not to learn the labels, and its audit."""

from rocsolid.evaluation.public.ladder import publish
from rocsolid.evaluation.public.published import Published

__all__ = ["Published", "publish"]

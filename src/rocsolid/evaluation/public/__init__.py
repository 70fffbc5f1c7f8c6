"""What may be shown of an evaluation to people who are not to learn the labels, and its audit."""

from rocsolid.evaluation.public.published import Published, publish

__all__ = ["Published", "publish"]

"""What may be shown of an evaluation to people who are not to learn the labels, and its audit."""

from rocsolid.evaluation.public.ladder import PublicEvaluation, publish

__all__ = ["PublicEvaluation", "publish"]

"""Publish an evaluation to people who must not learn the labels, with an audit."""

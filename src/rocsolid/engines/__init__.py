"""Engines reduce a source of rows to the summaries that statistics need."""

"""Engines turn a source of rows into the summaries that statistics read."""

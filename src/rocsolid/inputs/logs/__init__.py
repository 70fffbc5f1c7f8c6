"""Logs of language-model evaluations to a value for each item and model."""

from rocsolid.inputs.logs.logged_items import LoggedItems, read_logs

__all__ = ["LoggedItems", "read_logs"]

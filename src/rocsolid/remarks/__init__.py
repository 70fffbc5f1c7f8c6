"""Checks: each kind of warning or note about a result is a class with a stable code."""

"""Measures of ranked lists of graded documents, and their means over queries."""

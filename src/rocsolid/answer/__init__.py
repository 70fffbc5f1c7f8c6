"""The result of a question about a table, and the contents of its forms."""

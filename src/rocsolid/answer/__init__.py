"""The one result of a question about a table, and what every form of it says."""

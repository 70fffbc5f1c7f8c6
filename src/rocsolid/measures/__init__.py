"""Measures of scores: what each is called, reads and means. One file a measure, one row a name."""

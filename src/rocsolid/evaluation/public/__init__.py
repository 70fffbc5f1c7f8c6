"""What may be shown of an evaluation to people who are not to learn the labels, and its audit."""

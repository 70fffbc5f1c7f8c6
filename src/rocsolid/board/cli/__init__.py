"""The verbs of this part."""

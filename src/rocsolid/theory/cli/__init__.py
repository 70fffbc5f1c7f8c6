"""The verb of this part."""

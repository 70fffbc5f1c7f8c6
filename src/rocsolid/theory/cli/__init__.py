"""The commands of the theory part."""

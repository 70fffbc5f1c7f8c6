"""Attacks on a host's labels, one file each, for `simulate`."""

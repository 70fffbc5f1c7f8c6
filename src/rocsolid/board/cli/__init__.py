"""The commands ``rocsolid board`` and ``rocsolid serve``."""

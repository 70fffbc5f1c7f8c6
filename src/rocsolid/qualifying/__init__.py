"""Requirements on an installation, their tests, and the record of a run."""

"""Which measure tells two rankers apart on given data, by samples of it."""

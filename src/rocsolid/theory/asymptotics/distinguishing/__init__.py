"""Which measure separates two rankers on given data, by samples of the data."""
